"""Translates the rules and the scorekeeper's model to TypeScript for the browser: `python tools/translate.py`.

`--check` only compares. The source is restricted Python: integers, texts, lists, dicts, records and functions.
Everything else is refused, with file and line: nothing is translated that might mean something else there.
`--javascript FOLDER` writes the same without types, for the tests.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.translation.module import Module as Module
from tools.translation.module import Refused as Refused
from tools.translation.module import target

from flip7 import rules
from flip7.scorekeeper import model

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "web" / "src"
MODULES = (
    *(f"flip7.rules.{name}" for name in (*rules.DEFINITIONS, *rules.PLAYED, *rules.KEPT)),
    "flip7.game.writing",
    *(f"flip7.scorekeeper.model.{name}" for name in model.MODULES),
)


def translate(types: bool = True) -> dict[str, str]:
    """Return every translated module, by the path of its file. Raises `Refused`."""
    end = ".ts" if types else ".mjs"
    return {target(name) + end: Module(name, source_of(name), types).text() for name in MODULES}


def source_of(name: str) -> str:
    return (ROOT / "src" / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; tell whether the files are up to date")
    parser.add_argument("--javascript", metavar="FOLDER", type=Path, help="write JavaScript modules there instead")
    arguments = parser.parse_args()
    try:
        files = translate(types=arguments.javascript is None)
    except Refused as error:
        print(f"this cannot be translated: {error}", file=sys.stderr)
        return 1
    folder: Path = arguments.javascript or TARGET
    stale = [name for name, text in files.items() if text != kept(folder / name)]
    if arguments.check:
        for name in stale:
            print(f"{folder / name} is not what its source says: run 'python tools/translate.py'", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(files[name], encoding="utf-8")
    return 0


def kept(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main())
