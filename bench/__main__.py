"""`python -m bench [NAME...]` runs the measurements named, or all. Each is a module here with a function `run`."""

import sys
from importlib import import_module
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(names: list[str]) -> int:
    """Run the measurements; returns 1 if one of them misses what is required, 2 if there is none of that name."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"no measurement {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    reached = [import_module(f"bench.{name}").run() for name in names or NAMES]
    return 0 if all(reached) else 1


sys.exit(main(sys.argv[1:]))
