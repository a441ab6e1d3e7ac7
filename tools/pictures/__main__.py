"""Make all pictures of the documentation from the real program: `python -m tools.pictures [NAME...]`."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright
from tests.browser.conftest import ARGUMENTS
from tools.pictures import gallery, keeping, playing, screen, strength, typed
from tools.setup import find_browser

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "pictures"
SUBJECTS = {
    "playing": playing.take,
    "keeping": keeping.take,
    "typed": typed.take,
    "screen": screen.take,
    "gallery": gallery.take,
    "strength": strength.take,
}
MOST = 1_500_000
"""The bytes that all pictures together may have."""


async def take(names: list[str]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        with tempfile.TemporaryDirectory() as data:
            for name in names:
                print(f"pictures: {name}", flush=True)
                await SUBJECTS[name](browser, Path(data) / name, FOLDER)
        await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*SUBJECTS, []], help="only these; usually all", default=[])
    names = parser.parse_args().names or list(SUBJECTS)
    FOLDER.mkdir(exist_ok=True)
    asyncio.run(take(names))
    size = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"pictures: {size / 1000:,.0f} kB in docs/pictures")
    if size > MOST:
        raise SystemExit(f"pictures: that is more than {MOST / 1000:,.0f} kB")


if __name__ == "__main__":
    main()
