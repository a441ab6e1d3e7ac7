"""Make `.venv` and install the project into it, from the locked requirements; quick when nothing has changed.

Needs nothing but Python's standard library. `python3 tools/setup.py` installs everything that development needs,
`--play` only what playing needs, `--engine` adds to that what coach and review think with, while a game may be served
already; how far it is, is noted in `.venv/flip7-engine.json`. What the machine itself lacks is installed where root
runs it and there is apt, and is named otherwise.
"""

from __future__ import annotations

import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this very script is what an older Python meets first
    sys.exit(
        "flip7 needs Python 3.11 or newer, and this is Python {}.{} ({}).\n"
        "Install a newer one and name it: make PYTHON=python3.12 ...".format(*sys.version_info[:2], sys.executable)
    )

if __name__ == "__main__":  # Ctrl-C may come while the rest is being imported: then there is nothing to tell.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import ctypes.util
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "flip7-setup.json"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
PYTHON = BIN / f"python{EXE}"
PACKAGE = ROOT / "src" / "flip7" / "__init__.py"
LOCKS = {"play": ROOT / "requirements" / "play.txt", "dev": ROOT / "requirements" / "dev.txt"}
NODE_LOCK = ROOT / "requirements" / "node.txt"
ENGINE_LOCK = ROOT / "requirements" / "engine.txt"
ENGINE_NOTE = VENV / "flip7-engine.json"
ENGINE_BEAT = 5.0
"""Seconds after which the note is renewed, as long as someone is at work."""
CLIENT = ROOT / "hatch_build.py"
NODE_MODULES = ROOT / "web" / "node_modules"
NPM_FINISHED = NODE_MODULES / ".package-lock.json"  # npm writes it when all else is there
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

NETWORK_SECONDS = 20
"""How long the first question to the package index may take, on a slow machine."""

NO_NETWORK = re.compile(r"resolv|connect to|network is unreachable|timed out", re.I)
"""What apt prints when it is not answered."""

Command = Sequence[str | Path]


class SetupError(Exception):
    """The set-up cannot go on; the message says why and what would help."""


class Part(NamedTuple):
    """Something that only the tests need, and that comes with the machine and not with Python."""

    name: str
    package: str
    """Its Debian package, or several."""
    is_there: Callable[[], bool]


def find_browser() -> str | None:
    """Return the browser that FLIP7_BROWSER names, or one of the machine."""
    return os.environ.get("FLIP7_BROWSER") or next((found for name in BROWSERS if (found := shutil.which(name))), None)


PARTS = {
    "browser": Part("Chromium", "chromium", lambda: find_browser() is not None),
    # Without libGLESv2, which is no dependency of theirs, each of its pages crashes before anything is drawn.
    "webkit": Part(
        "WebKit",
        "wpewebkit-driver cog libgles2",
        lambda: all(map(shutil.which, ("WPEWebDriver", "cog"))) and ctypes.util.find_library("GLESv2") is not None,
    ),
    "firefox": Part("Firefox", "firefox-esr", lambda: shutil.which("firefox-esr") is not None),
    "poppler": Part("poppler's pdftotext", "poppler-utils", lambda: shutil.which("pdftotext") is not None),
    "tmux": Part("tmux", "tmux", lambda: shutil.which("tmux") is not None),
    # Playwright's own Node is linked to it, on Linux.
    "atomic": Part(
        "libatomic", "libatomic1", lambda: sys.platform != "linux" or ctypes.util.find_library("atomic") is not None
    ),
}
"""What the tests need of the machine, by the name that they know it by."""


def say(text: str) -> None:
    print(f"setup: {text}", file=sys.stderr, flush=True)


def stop(process: subprocess.Popen[str]) -> None:
    """End a command with all that it has started."""
    for sign in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(OSError):
            if os.name == "nt":
                process.terminate()
            else:
                os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
            return


def run(
    command: Command,
    *,
    watch: Callable[[str], None] = lambda line: None,
    env: Mapping[str, str] | None = None,
    seconds: float | None = None,
    shown: bool = False,
) -> None:
    """Run a command quietly, handing each line to `watch`; when it fails, show what it printed.

    After `seconds` it is ended, which is a failure. `shown` lets it print for itself.
    """
    words = [str(part) for part in command]
    process = subprocess.Popen(
        words,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=None if shown else subprocess.PIPE,
        stderr=None if shown else subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    timer = threading.Timer(seconds or 0, stop, [process])
    if seconds is not None:
        timer.start()
    lines = []
    try:
        for line in process.stdout or ():
            lines.append(line)
            watch(line)
        process.wait()
    except BaseException:
        stop(process)
        raise
    finally:
        timer.cancel()
    if process.returncode:
        printed = "".join(lines)
        raise SetupError(f"{printed}'{shlex.join(words)}' failed with status {process.returncode}")


class Downloads:
    """Reports what pip, uv or apt are downloading and how large it is, and adds it up."""

    def __init__(self) -> None:
        self.megabytes = 0.0

    def __call__(self, line: str) -> None:
        found = re.match(r" *(?:Downloading|Need to get) (\S+ )?\(?([\d.,]+) ?([kKMG])i?B\b", line)
        if found is None:
            return
        size = float(found[2].replace(",", "")) * {"k": 1e-3, "K": 1e-3, "M": 1, "G": 1e3}[found[3]]
        self.megabytes += size
        name = re.sub(r"-\d.*", "", found[1] or "packages").strip()
        if size >= 1:
            say(f"  downloading {name} ({size:.0f} MB)")


class Steps:
    """Says which step of how many begins."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.done = 0

    def begin(self, text: str) -> None:
        self.done += 1
        say(f"step {self.done} of {self.count}: {text}")


def may_install() -> str | None:
    """Return apt, if there is one and it may be used."""
    return shutil.which("apt-get") if os.name != "nt" and os.geteuid() == 0 else None


def can_make_venv() -> bool:
    return shutil.which("uv") is not None or all(find_spec(name) for name in ("venv", "ensurepip"))


def venv_package() -> str | None:
    """Return the Debian package without which Debian's own Python makes no environment."""
    python = Path(sys.executable).resolve()
    if shutil.which("apt-get") is None or python.parent != Path("/usr/bin"):
        return None
    return "python3-venv" if python == Path("/usr/bin/python3").resolve() else f"{python.name}-venv"


def missing_packages(wanted: str) -> list[str]:
    """Return the Debian packages that the machine lacks. Raises if one is required and cannot be installed here."""
    missing = []
    if not can_make_venv():
        package = venv_package()
        if package is None:
            raise SetupError(
                f"this Python ({sys.executable}) cannot make environments, as its parts 'venv' and 'ensurepip' are "
                "missing: install them, or name another one with 'make PYTHON=/path/to/python3 ...'"
            )
        if not may_install():
            raise SetupError(
                f"Python's part for making environments is missing: run 'sudo apt-get install {package}', "
                "then the same command again"
            )
        missing.append(package)
    if wanted == "dev":
        missing += [name for part in PARTS.values() if not part.is_there() for name in part.package.split()]
    return missing


def install_packages(packages: Sequence[str]) -> None:
    """Install Debian packages, as root."""
    apt: Command = (may_install() or "apt-get", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=10")
    env = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    lock = ("-o", "DPkg::Lock::Timeout=120")
    # An earlier one may have been interrupted.
    run(["dpkg", "--configure", "-a"], env=env)
    try:
        run([*apt, *lock, "update", "--error-on=any"], env=env)
    except SetupError as error:  # one list among many may be out of order, and another hold what is needed
        if NO_NETWORK.search(str(error)):
            raise SetupError(
                f"there is no network for installing {' '.join(packages)}: connect this machine, "
                "then run the same command again"
            ) from None
    run([*apt, *lock, "install", "--yes", "--no-install-recommends", *packages], env=env, watch=Downloads())


def fingerprint(wanted: str) -> str:
    """Return a hash of everything that decides what is in `.venv`."""
    digest = hashlib.sha256(wanted.encode())
    for path in (LOCKS[wanted], NODE_LOCK, ROOT / "pyproject.toml", CLIENT, Path(__file__)):
        digest.update(path.read_bytes())
    # The installed metadata holds the version.
    digest.update(repr(re.findall(r"^__version__.*", PACKAGE.read_text(), re.M)).encode())
    return digest.hexdigest()


def place() -> dict[str, str]:
    """Return what an environment cannot change after it was made: where it is, and which Python it has."""
    return {"folder": str(VENV), "python": "{}.{}".format(*sys.version_info[:2])}


def finished() -> dict[str, str]:
    """Return what the last set-up left behind, if it went through: which set, its fingerprint, and the place."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    if not isinstance(stamp, dict) or not PYTHON.exists() or not (BIN / f"flip7{EXE}").exists():
        return {}
    return stamp if all(stamp.get(name, value) == value for name, value in place().items()) else {}


def is_current(wanted: str) -> bool:
    stamp = finished()
    # The development set holds everything that the playing set holds.
    return any(stamp.get("set") == name and stamp.get("hash") == fingerprint(name) for name in {wanted, "dev"})


def remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def make_venv() -> None:
    if VENV.exists() or VENV.is_symlink():
        say("  the .venv that is here is unfinished, or of another Python or place: making it again")
        remove(VENV)
    uv = shutil.which("uv")
    if uv:
        run([uv, "venv", "--quiet", "--seed", "--python", sys.executable, VENV])
    else:
        run([sys.executable, "-m", "venv", VENV])


def locked_block(lock: Path, package: str) -> str:
    """Return the lines of a lock file that pin one package."""
    lines: list[str] = []
    for line in lock.read_text().splitlines():
        if line.startswith(f"{package}=="):
            lines = [line]
        elif lines and line.startswith(" "):
            lines.append(line)
        elif lines:
            break
    return "\n".join(lines) + "\n"


PIP: Command = (PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input")


def check_network(lock: Path, uv: str | None) -> None:
    """Ask for one small package, in the way that all will be asked for. Raises if there is no answer in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "one.txt"
        pinned.write_text(locked_block(lock, re.findall(r"^([\w.-]+)==", lock.read_text(), re.M)[0]))
        ask: Command = (*PIP, "--retries", "0", "--timeout", "5", "install", "--dry-run", "--ignore-installed")
        if uv:
            ask = (uv, "pip", "install", "--python", PYTHON, "--dry-run")
        env = {"UV_HTTP_TIMEOUT": "5", "UV_HTTP_RETRIES": "0"}
        try:
            run([*ask, "--no-deps", "--require-hashes", "-r", pinned], env=env, seconds=NETWORK_SECONDS)
        except SetupError as error:
            *_, reason, _ = ["", *str(error).splitlines()]
            raise SetupError(
                f"there is no network, or no package index in it ({reason.strip() or 'no answer'}): connect this "
                "machine, or look at the settings of pip, then run the same command again"
            ) from None


def find_uv(lock: Path) -> str | None:
    """Return the machine's uv, or the locked one; None where it is not wanted or cannot be had, and pip has to do."""
    found = shutil.which("uv")
    pin = locked_block(lock, "uv").strip()
    inside = BIN / f"uv{EXE}"
    if found or inside.exists() or not pin:
        return found or (str(inside) if inside.exists() else None)
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "uv.txt"
        pinned.write_text(pin + "\n")
        try:
            run([*PIP, "install", "--progress-bar", "off", "--require-hashes", "-r", pinned], watch=Downloads())
        except SetupError:
            say("  uv cannot be installed here; pip does it, slower")
            return None
    return str(inside)


class Installer:
    """Installs into `.venv`, with uv or with pip."""

    def __init__(self, lock: Path) -> None:
        self.lock = lock
        self.uv = find_uv(lock)

    def add(self, *words: str | Path, watch: Callable[[str], None] = lambda line: None) -> None:
        if self.uv:
            run([self.uv, "pip", "install", "--python", PYTHON, *words], watch=watch)
        else:
            run([*PIP, "install", "--progress-bar", "off", *words], watch=watch)

    def add_all(self, wanted: str) -> None:
        """Install what is locked; for development nothing else, while players may have added extras."""
        downloads = Downloads()
        if self.uv and wanted == "dev":
            run([self.uv, "pip", "sync", "--python", PYTHON, "--require-hashes", self.lock], watch=downloads)
        else:
            self.add("--require-hashes", "-r", self.lock, watch=downloads)
        if downloads.megabytes >= 1:
            say(f"  {downloads.megabytes:.0f} MB were downloaded")


def has_client() -> bool:
    return (ROOT / "web" / "package.json").exists() and not os.environ.get("FLIP7_SKIP_CLIENT")


def ask_client(question: str) -> bool:
    return subprocess.run([PYTHON, CLIENT, question], cwd=ROOT).returncode == 0


def build_client(installer: Installer, wanted: str) -> None:
    """Build the browser client if it is out of date, for playing with a Node that is there for that alone."""
    words: list[str] = []
    if ask_client("--is-current"):
        if wanted == "play" or NPM_FINISHED.exists():
            return
        words = ["--tools"]
    with tempfile.TemporaryDirectory(prefix="flip7-node-") as folder:
        env = {}
        if wanted == "play" and not ask_client("--has-node"):
            installer.add("--target", folder, "--require-hashes", "-r", NODE_LOCK, watch=Downloads())
            env = {"PYTHONPATH": folder}
        try:
            run([PYTHON, CLIENT, *words], env=env, shown=True)
        except SetupError:
            raise SetupError("no browser client, see above") from None
        finally:
            if wanted == "play":
                shutil.rmtree(NODE_MODULES, ignore_errors=True)


def add_packages(steps: Steps, packages: Sequence[str]) -> None:
    """Install Debian packages; what only some tests need may stay away."""
    steps.begin(f"Debian packages: {', '.join(packages)}")
    try:
        install_packages(packages)
    except SetupError as error:
        if not can_make_venv():
            raise
        say(f"{error}\nsetup: tests that need them will be skipped")


def install(wanted: str, packages: Sequence[str]) -> None:
    lock = LOCKS[wanted]
    started = time.monotonic()
    purpose = "playing" if wanted == "play" else "development"
    steps = Steps(3 + bool(packages) + has_client())
    if packages:
        add_packages(steps, packages)
    old = finished()
    steps.begin("an environment of its own for Python, .venv")
    if old:
        STAMP.unlink()
    else:
        make_venv()
    count = len(re.findall(r"^\S+==", lock.read_text(), re.M))
    steps.begin(f"the {count} packages that {purpose} needs")
    check_network(lock, shutil.which("uv"))
    installer = Installer(lock)
    installer.add_all(wanted)
    if wanted == "dev" and has_client() and not ask_client("--has-node"):
        installer.add("--require-hashes", "-r", NODE_LOCK, watch=Downloads())
    if has_client():
        steps.begin("the browser client")
        build_client(installer, wanted)
    steps.begin("flip7 itself")
    installer.add("--no-deps", "--no-build-isolation", "--editable", ROOT)
    STAMP.write_text(json.dumps({"set": wanted, "hash": fingerprint(wanted), **place()}) + "\n")
    say(f"done in {time.monotonic() - started:.0f} s")


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other set-up is at work in this folder."""
    if os.name == "nt":
        yield
        return
    import fcntl

    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("another set-up is at work here; waiting for it")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def set_up(wanted: str) -> None:
    """Bring `.venv` and the client up to date."""
    # What was set up for development stays so.
    if finished().get("set") == "dev":
        wanted = "dev"
    if not is_current(wanted):
        missing = missing_packages(wanted)
        packages = missing if may_install() else []
        install(wanted, packages)
        if missing and not packages:
            say(f"tests that need {', '.join(missing)} will be skipped: sudo apt-get install {' '.join(missing)}")
    elif wanted == "dev" and may_install() and (packages := missing_packages(wanted)):
        add_packages(Steps(1), packages)
    if has_client():
        build_client(Installer(LOCKS[wanted]), wanted)


class EngineNote:
    """What the server is told about the engine while it is being installed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._count = len(re.findall(r"^\S+==", ENGINE_LOCK.read_text(), re.M))
        self._seen = 0

    def write(self, state: str, share: float = 0.0, text: str = "") -> None:
        hashed = hashlib.sha256(ENGINE_LOCK.read_bytes()).hexdigest()
        note = json.dumps({"state": state, "share": round(share, 3), "text": text, "hash": hashed})
        with self._lock:
            new = ENGINE_NOTE.with_suffix(".new")
            new.write_text(note + "\n")
            new.replace(ENGINE_NOTE)

    def watch(self, line: str) -> None:
        """Count what is being downloaded or built."""
        if re.match(r" *(Downloading|Downloaded|Collecting|Using cached|Built) ", line):
            self._seen = min(self._seen + 1, self._count - 1)
            self.write("installing", self._seen / self._count)

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Renew the note from time to time: one that grows old is of a set-up that was ended."""

        def beat() -> None:
            while not self._done.wait(ENGINE_BEAT):
                with suppress(OSError):
                    ENGINE_NOTE.touch()

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()


def engine_is_current() -> bool:
    """Return whether what coach and review think with is there, as it is locked."""
    if finished().get("set") == "dev":
        return True
    try:
        note = json.loads(ENGINE_NOTE.read_text())
    except (OSError, ValueError):
        return False
    return bool(note.get("state") == "ready" and note["hash"] == hashlib.sha256(ENGINE_LOCK.read_bytes()).hexdigest())


def set_up_engine() -> None:
    """Install into `.venv` what coach and review think with. A server that runs there finds it when all is there."""
    if engine_is_current() or os.environ.get("FLIP7_SKIP_ENGINE") or not finished():
        return
    note = EngineNote()
    note.write("installing")
    with alone(), note.beating():
        try:
            Installer(LOCKS["play"]).add("--require-hashes", "-r", ENGINE_LOCK, watch=note.watch)
        except BaseException as error:
            *_, reason, _ = ["", *str(error).splitlines(), ""]
            note.write("failed", text=reason.strip() or "interrupted")
            raise
    note.write("ready", 1.0)


def terminate(number: int, frame: FrameType | None) -> None:
    """End as Ctrl-C does."""
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--play", action="store_true", help="install only what playing needs")
    parser.add_argument("--engine", action="store_true", help="add what coach and review need, to what playing needs")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, terminate)
    try:
        if options.engine:
            set_up_engine()
            return 0
        with alone():
            set_up("play" if options.play else "dev")
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the same command starts it again")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
