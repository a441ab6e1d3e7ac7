"""Pictures of commands and their output."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Browser
from tools.pictures.camera import Screen, framed, save
from tools.pictures.terminal import draw, run

HIT = (r"Hit or stay\?[^\n]*", "h")
PLAY = "flip7 play --plain --players 3 --seed 7"
LINES = 25
ODDS = 'flip7 odds "150:10,11,4/144s:9,8,+10/90b:12,4,12 turn@0"'


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Take the pictures of the terminal and write them into the folder."""
    played = run(PLAY, [HIT, HIT, HIT, (HIT[0], "")])
    played = "\n".join(played.replace("\r\n", "\n").splitlines()[-LINES:])
    screens = [
        Screen(await draw(browser, PLAY, played), 620, "window", "flip7 play", "dark"),
        Screen(await draw(browser, ODDS, run(ODDS)), 620, "window", "flip7 odds", "dark"),
    ]
    save(await framed(browser, screens), folder / "terminal.png", 1800)
