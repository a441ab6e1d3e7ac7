"""Takes pictures of pages, puts them into frames and makes the files small."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.async_api import Browser, Page
from tools import website

SCALE = 2
"""Pixels of a picture for each pixel of a page."""


class Screen(NamedTuple):
    """A picture of a page and the frame that it goes into."""

    png: bytes
    width: int
    """How wide it is shown, in pixels of the page that it is put on."""
    frame: str = "phone"
    """`phone` or `window`."""
    title: str = ""
    theme: str = "light"


FRAMES = """
* { box-sizing: border-box; }
body { margin: 0; font-family: var(--text); background: var(--ground); }
#stage {
  display: flex; align-items: flex-start; gap: 30px; width: max-content; padding: 34px 38px 44px;
  background: radial-gradient(circle at center, var(--grid) 1.2px, transparent 1.6px) 0 0 / 18px 18px var(--ground);
}
figure {
  margin: 0; flex: none; overflow: hidden;
  border: 3.5px solid var(--line); background: var(--line); box-shadow: 0 10px 0 var(--line);
}
figure img { display: block; width: 100%; }
figure.window { border-radius: 16px; }
figure.window div { border-radius: 12px; overflow: hidden; }
figure.phone { border-radius: 36px; border-width: 8px; }
figure.phone div { padding: 16px 0 0; background: var(--ground); }
figcaption {
  display: flex; align-items: center; gap: 8px; height: 30px; padding: 0 12px;
  background: var(--sheet); color: var(--soft); font-size: 13px; font-weight: 600; border-bottom: 3px solid var(--line);
}
figcaption i { width: 11px; height: 11px; border-radius: 50%; border: 2px solid var(--line); background: var(--p0); }
figcaption i:nth-child(2) { background: var(--p4); }
figcaption i:nth-child(3) { background: var(--p2); }
figcaption span { flex: 1; text-align: center; margin-right: 46px; }
"""


async def screenshot(page: Page) -> bytes:
    """Return a picture of what is in view, taken once fonts and movements have come to rest."""
    await page.evaluate("document.fonts.ready")
    await page.evaluate(
        "Promise.all(document.getAnimations().map((move) => move.effect?.getTiming().iterations === Infinity "
        "? null : move.finished.catch(() => null)))"
    )
    return await page.screenshot(animations="disabled", caret="hide")


async def framed(browser: Browser, screens: Sequence[Screen]) -> bytes:
    """Return the screens side by side on the game's own paper."""
    figures = "".join(_figure(screen) for screen in screens)
    html = f"<!doctype html><style>{website.identity(inline=True)}{FRAMES}</style><div id=stage>{figures}</div>"
    context = await browser.new_context(device_scale_factor=SCALE, viewport={"width": 2400, "height": 1400})
    page = await context.new_page()
    await page.set_content(html)
    await page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
    await page.evaluate("document.fonts.ready")
    png = await page.locator("#stage").screenshot()
    await context.close()
    return png


def _figure(screen: Screen) -> str:
    picture = f"data:image/png;base64,{base64.b64encode(screen.png).decode()}"
    bar = (
        f"<figcaption><i></i><i></i><i></i><span>{screen.title}</span></figcaption>" if screen.frame != "phone" else ""
    )
    return (
        f'<figure class="{screen.frame}" style="width:{screen.width}px"><div {_scheme(screen.theme)}>'
        f'{bar}<img src="{picture}"></div></figure>'
    )


def _scheme(theme: str) -> str:
    return f'data-md-color-scheme="{website.DARK}"' if theme == "dark" else ""


def save(png: bytes, path: Path, width: int) -> None:
    """Write a picture no wider than this, with few enough colours to be small."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    if image.width > width:
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    image.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE).save(path, "PNG", optimize=True)
