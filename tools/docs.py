"""Write what the documentation takes from the code: `python -m tools.docs rulings`, or `samples` of output."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.docs.examples import PAGES, ROOT, with_samples, workplace

from flip7.game import rulebook


def rulings() -> None:
    """The page of rulings, from the rulebook."""
    _write(ROOT / "docs" / "rulings.md", rulebook.page())


def samples() -> None:
    """What commands print, by running them."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            _write(page, with_samples(text, workplace(Path(folder), text)))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    parts = {"rulings": rulings, "samples": samples}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=parts)
    parts[parser.parse_args().part]()


if __name__ == "__main__":
    main()
