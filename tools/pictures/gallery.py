"""Pictures of plots and reports, made by the very commands that the pages print beside them."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Browser
from tests.docs.examples import lines, read, run, workplace
from tools.pictures.camera import SCALE, Screen, framed, save

PAGES = ("docs/gallery.md", "docs/tutorial.md")
REPORT = (1000, 1180)


async def take(browser: Browser, data: Path, folder: Path) -> None:
    """Run the commands of the gallery and keep the pictures that it shows."""
    for name, source in _make(data).items():
        if source.suffix == ".png":
            save(source.read_bytes(), folder / f"{name}.png", 1200)
        else:
            await _report(browser, source, folder / f"{name}.png")


def _make(data: Path) -> dict[str, Path]:
    """Run the commands; return the files that they wrote, by the name of the picture."""
    made = {}
    for name in PAGES:
        page = read(name)
        folder = workplace(data / Path(name).stem, page)
        for command in lines(page):
            if re.search(r" --(?:plot|report) ", command):
                run(command, folder)
        for picture in re.findall(r"\(pictures/([\w-]+)\.png\)", page):
            made[picture] = next(path for kind in ("png", "html") if (path := folder / f"{picture}.{kind}").exists())
    return made


async def _report(browser: Browser, html: Path, png: Path) -> None:
    """A picture of the first screen of a report."""
    context = await browser.new_context(
        viewport={"width": REPORT[0], "height": REPORT[1]}, device_scale_factor=SCALE, color_scheme="light"
    )
    page = await context.new_page()
    await page.goto(html.as_uri())
    screen = await page.screenshot()
    await context.close()
    save(await framed(browser, [Screen(screen, 800, "window", html.name)]), png, 1200)
