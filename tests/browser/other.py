"""Drives WebKit and Firefox, each by the protocol that it speaks itself: WebDriver and WebDriver BiDi."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import httpx
from tests.browser.scoring import KEPT
from tests.server.client import free_port
from websockets.sync.client import ClientConnection, connect

PATIENCE = 90.0
_CENTRE = """const it = document.querySelector(%s); it.scrollIntoView({block: 'center'});
const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2];"""


_LISTEN = """window.complaints = [];
const note = (what) => window.complaints.push(String(what));
for (const level of ['error', 'warn']) console[level] = (...words) => note(words.join(' '));
addEventListener('error', (event) => note(event.message));
addEventListener('unhandledrejection', (event) => note(event.reason));
addEventListener('securitypolicyviolation', (event) => note(`${event.violatedDirective}: ${event.blockedURI}`));"""


class Window(Protocol):
    """A window of a browser."""

    def go(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        ...

    def run(self, script: str) -> Any:
        """Run the body of a function in the page; what it returns."""
        ...

    def click(self, x: int, y: int) -> None:
        """Press the pointer there and let go."""
        ...

    def complaints(self) -> list[str]:
        """Errors and refusals by the page's policy so far."""
        ...


def until(window: Window, condition: str) -> Any:
    """Wait until an expression is true in the page; its value."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if value := window.run(f"return {condition}"):
            return value
        time.sleep(0.05)
    raise AssertionError(f"never true: {condition}\n{window.run('return document.body.innerText')}")


def complained(window: Window) -> str:
    """Wait until the page complains; what it says."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if complaints := window.complaints():
            return "\n".join(complaints)
        time.sleep(0.05)
    raise AssertionError("the page never complained")


def shown(window: Window, selector: str) -> None:
    """Wait until the page has it."""
    until(window, f"!!document.querySelector({json.dumps(selector)})")


def tap(window: Window, selector: str) -> None:
    """Wait until the page has it, and tap it."""
    shown(window, selector)
    x, y = window.run(_CENTRE % json.dumps(selector))
    window.click(round(x), round(y))


def fill(window: Window, selector: str, text: str) -> None:
    """Wait until the page has this field, and put the text into it."""
    shown(window, selector)
    window.run(
        f"const it = document.querySelector({json.dumps(selector)}); it.value = {json.dumps(text)};"
        "it.dispatchEvent(new Event('input', {bubbles: true}));"
    )


def kept(window: Window) -> None:
    """Wait until what was entered in the scorekeeper is written down."""
    window.run(f"window.kept = false; ({KEPT})().then(() => {{ window.kept = true; }});")
    until(window, "window.kept")


@contextmanager
def _running(words: list[str], log: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose output lands in the log, and which is gone afterwards."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            words, stdout=output, stderr=output, env={**os.environ, **environment}, start_new_session=True
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def _line(log: Path, pattern: str) -> str:
    """Wait for what a process tells of itself."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := re.search(pattern, log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"no {pattern} in: {log.read_text(errors='replace')}")


class WebKit:
    """A window of WPE WebKit, through its own WebDriver.

    It tells no complaints, so that the page is asked for them, and runs nothing before the scripts of a page: what goes
    wrong until the page has loaded is missed here, unless it leaves the page undrawn. Firefox hears that.
    """

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._complaints: list[str] = []
        words = ["--automation", "-P", "headless"]
        options = {"binary": shutil.which("cog"), "args": words}
        capabilities = {"alwaysMatch": {"wpe:browserOptions": options}}
        self._session = f"/session/{self._post('/session', capabilities=capabilities)['sessionId']}"

    def _post(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def go(self, url: str) -> None:
        self._complaints = self.complaints()
        self._post(f"{self._session}/url", url=url)
        self.run(_LISTEN)

    def run(self, script: str) -> Any:
        return self._post(f"{self._session}/execute/sync", script=script, args=[])

    def click(self, x: int, y: int) -> None:
        self._post(f"{self._session}/actions", actions=[_pointer(x, y)])

    def complaints(self) -> list[str]:
        return [*self._complaints, *self.run("return window.complaints ?? []")]


class Firefox:
    """A window of Firefox, through WebDriver BiDi. It logs errors and what a policy refuses, from the load on."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = count(1)
        self._complaints: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._window = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._connection.recv(PATIENCE))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self._complaints.append(answer["params"]["text"])
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def go(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def run(self, script: str) -> Any:
        answer = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify((() => {{ {script} }})() ?? null)",
            target={"context": self._window},
            awaitPromise=False,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def click(self, x: int, y: int) -> None:
        self._ask("input.performActions", context=self._window, actions=[_pointer(x, y)])

    def complaints(self) -> list[str]:
        self.run("")  # what was logged before has arrived by then
        return self._complaints


def _pointer(x: int, y: int) -> dict[str, Any]:
    """A click, in the words that both protocols share."""
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": x, "y": y, "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": steps}


@contextmanager
def webkit(folder: Path) -> Iterator[Window]:
    """A window of WebKit without a screen; `folder` is for what it keeps."""
    folder.chmod(0o700)  # or it does not take it for its sockets
    log = folder / "webkit.log"
    port = free_port()
    with (
        _running(["WPEWebDriver", f"--port={port}"], log, XDG_RUNTIME_DIR=str(folder), HOME=str(folder)),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
    ):
        for _ in range(600):
            with suppress(httpx.TransportError):
                client.get("/status")
                break
            time.sleep(0.05)
        try:
            yield WebKit(client)
        except httpx.TimeoutException:
            raise AssertionError(f"WebKit does not answer: {log.read_text(errors='replace')[-500:]}") from None


@contextmanager
def firefox(folder: Path) -> Iterator[Window]:
    """A window of Firefox without a screen; `folder` is for its profile."""
    log = folder / "firefox.log"
    words = ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(folder)]
    with _running(words, log, HOME=str(folder)):
        address = _line(log, r"WebDriver BiDi listening on (ws://\S+)")
        with connect(f"{address}/session", max_size=None, open_timeout=PATIENCE) as connection:
            yield Firefox(connection)
