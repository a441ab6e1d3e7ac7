"""The built documentation in a real browser: nothing is cut off on any page, in the game's own colours and type."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page
from tests.browser.driver import settled
from tools import website

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = ((1280, 800), (390, 844))
SECTIONS = ["Play", "Keep score", "Program", "Simulate and solve", "Train", "Run a server", "Rules", "Inside"]

# What reaches beyond the window without a way to scroll there, and text that is hidden by its own box.
CUT_OFF = """
() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} wide`);
  const scrolls = (node) => {
    for (; node; node = node.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(node).overflowX)) return true;
    }
    return false;
  };
  for (const node of document.querySelectorAll('.md-header *, .md-tabs *, .md-content *, .md-footer *')) {
    const box = node.getBoundingClientRect();
    const text = node.textContent.trim().slice(0, 40);
    if (!box.width || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (node.closest('.md-search, .md-header__title')) continue;
    const style = getComputedStyle(node);
    if (box.right > innerWidth + 1 && !scrolls(node)) found.push(`${node.tagName} reaches to ${box.right}: ${text}`);
    const hides = /hidden|clip/.test(style.overflowX) && style.display !== 'inline';
    if (hides && text && node.clientWidth && node.scrollWidth > node.clientWidth + 1) {
      found.push(`${node.tagName} hides: ${text}`);
    }
  }
  return found;
}
"""
SCHEME = "(scheme) => document.body.setAttribute('data-md-color-scheme', scheme)"
BROKEN_PICTURES = "() => [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src)"
LOOK = """
() => ({
  title: getComputedStyle(document.querySelector('h1')).fontFamily,
  text: getComputedStyle(document.body).fontFamily,
  ground: getComputedStyle(document.body).backgroundColor,
  loaded: [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family.replaceAll('"', '')),
})
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    return folder


async def opened(browser: Browser, page: Path) -> Page:
    tab = await (await browser.new_context(color_scheme="light")).new_page()
    await go(tab, page)
    return tab


async def go(tab: Page, page: Path) -> None:
    """Open a page, and wait for its fonts too."""
    await tab.goto(page.as_uri())
    await settled(tab)


def pages_of(site: Path) -> list[Path]:
    """Return every page but the one for addresses that do not exist, which knows no folder that it lies in."""
    return sorted(set(site.rglob("*.html")) - {site / "404.html"})


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
async def test_nothing_is_cut_off_on_any_page_by_day_and_by_night(
    browser: Browser, site: Path, size: tuple[int, int]
) -> None:
    found: list[str] = []
    pages = pages_of(site)
    assert len(pages) > 25
    tab = await opened(browser, pages[0])
    await tab.set_viewport_size({"width": size[0], "height": size[1]})
    for page in pages:
        await go(tab, page)
        for scheme in ("default", website.DARK):
            await tab.evaluate(SCHEME, scheme)
            cut = await tab.evaluate(CUT_OFF)
            found += [f"{page.relative_to(site)}, {scheme}: {what}" for what in cut]
        found += await tab.evaluate(BROKEN_PICTURES)
    assert found == []


async def test_what_is_cut_off_would_be_noticed(browser: Browser, site: Path) -> None:
    tab = await opened(browser, site / "play.html")
    await tab.set_viewport_size({"width": 390, "height": 844})
    await settled(tab)
    assert await tab.evaluate(CUT_OFF) == []
    await tab.evaluate("() => { document.querySelector('.md-content p').style.width = '500px'; }")
    assert await tab.evaluate(CUT_OFF) != []


async def test_the_site_has_the_games_identity(browser: Browser, site: Path) -> None:
    tab = await opened(browser, site / "tutorial.html")
    day = await tab.evaluate(LOOK)
    await tab.evaluate(SCHEME, website.DARK)
    night = await tab.evaluate(LOOK)
    assert day["title"].startswith('"Dela Gothic One"')
    assert day["text"].startswith("Figtree")
    assert {"Figtree", "Dela Gothic One"} <= set(day["loaded"])
    assert day["ground"] != night["ground"]
    await tab.locator(".md-logo img").first.evaluate("image => image.decode()")


async def test_the_sections_are_there_and_pages_lead_to_the_next(browser: Browser, site: Path) -> None:
    tab = await opened(browser, site / "index.html")
    assert [text.strip() for text in await tab.locator(".md-tabs__link").all_inner_texts()] == SECTIONS
    assert [text.strip() for text in await tab.locator(".doors strong").all_inner_texts()] == SECTIONS
    for door in await tab.locator(".doors > a").all():
        assert (site / str(await door.get_attribute("href"))).exists()


def test_every_page_leads_to_the_next_and_back(site: Path) -> None:
    page, seen = site / "play.html", [site / "play.html"]
    while following := neighbour(page, "next"):
        assert neighbour(following, "prev") == page
        seen.append(following)
        page = following
    assert sorted([*seen, site / "index.html"]) == pages_of(site)


def neighbour(page: Path, which: str) -> Path | None:
    """Return the page to which the footer of another leads."""
    (footer,) = re.findall(r"<footer.*?</footer>", page.read_text(encoding="utf-8"), re.S)
    found = re.search(rf'<a href="([^"]+)" class="md-footer__link md-footer__link--{which}"', footer)
    return (page.parent / found[1]).resolve() if found else None
