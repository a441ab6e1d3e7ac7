"""Write the pages of the documentation that follow from the code: `python tools/docs.py`."""

from pathlib import Path

from flip7.game import rulebook

PAGES = {"rulings.md": rulebook.page}


def main() -> None:
    for name, page in PAGES.items():
        path = Path(__file__).resolve().parent.parent / "docs" / name
        path.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
