"""Pictures of the program in a terminal: it runs in a real one, and what it wrote is drawn with its colours."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from tools.pictures.camera import SCALE

WIDTH, HEIGHT = 80, 50  # characters
INK: tuple[int, int, int] = (24, 24, 38)
PAPER: tuple[int, int, int] = (246, 242, 232)
RED, GREEN, YELLOW = (242, 121, 105), (117, 204, 152), (237, 194, 84)
BLUE, MAGENTA, CYAN = (125, 160, 255), (224, 133, 214), (110, 205, 225)
NORMAL = [INK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, PAPER]
BRIGHT = [(126, 126, 150), *NORMAL[1:]]
THEME = TerminalTheme(INK, PAPER, NORMAL, BRIGHT)

PAGE = """<!doctype html><style>
body {{ margin: 0; background: {back}; }}
pre {{ margin: 0; width: {width}px; padding: 18px 22px; background: {back}; color: {ink};
  font: 13.3px/1.42 'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, monospace; }}
</style><pre>{text}</pre>"""


def run(command: str, answers: Sequence[tuple[str, str]] = (), folder: Path | None = None) -> str:
    """Run a command in a terminal, answering its questions; return everything that it wrote, colours included.

    Each answer waits for the question that it belongs to. After the last one the command is left alone if it has come
    to its end, and stopped at its next question if not.
    """
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (HEIGHT, WIDTH))
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).with_name(words[0]))
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment)
    os.close(theirs)
    written, seen = "", 0
    waiting = list(answers)
    try:
        while chunk := _read(ours):
            written += chunk
            while waiting and (found := re.compile(waiting[0][0]).search(written, seen)):
                seen = found.end()
                answer = waiting.pop(0)[1]
                if not answer:
                    return written
                os.write(ours, answer.encode() + b"\n")
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert not waiting, f"{command}: never asked {waiting[0][0]!r}: {written}"
    return written


def _read(terminal: int) -> str:
    try:
        return os.read(terminal, 65536).decode(errors="replace")
    except OSError:  # the other end is closed
        return ""


async def draw(browser: Browser, command: str, written: str) -> bytes:
    """Return a picture of a command and what it wrote."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-HJKSTfhlsu]", "", written.replace("\r\n", "\n")).strip("\n")
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="truecolor", force_terminal=True)
    console.print(Text.assemble(("$ ", "bold #edc254"), (command, "bold")))
    console.print(Text.from_ansi(text), soft_wrap=True)
    html = console.export_html(theme=THEME, inline_styles=True, code_format="{code}")
    page = await (await browser.new_context(device_scale_factor=SCALE)).new_page()
    await page.set_content(PAGE.format(width=WIDTH * 8 + 60, back=_css(INK), ink=_css(PAPER), text=html))
    picture = await page.locator("pre").screenshot()
    await page.context.close()
    return picture


def _css(colour: tuple[int, int, int]) -> str:
    return f"rgb{colour}"
