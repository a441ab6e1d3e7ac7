"""Imports between the rooms of the package go downward only, and the light part stays light."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "flip7"

# Each room, with the rooms below that it may import. `flip7` stands for the public names of the package itself.
ROOMS: dict[str, set[str]] = {
    "rules": set(),
    "catalogue": set(),
    "game": {"rules", "catalogue"},
    "extras": set(),
    "compiled": {"rules", "extras"},
    "strategy": {"rules", "game", "compiled", "catalogue"},
    "sim": {"rules", "game", "strategy", "compiled"},
    "envs": {"rules", "game", "compiled", "strategy", "extras"},
    "scorekeeper": {"rules", "game", "catalogue", "extras"},
    "protocol": {"rules", "game", "scorekeeper"},
    "server": {"rules", "game", "strategy", "scorekeeper", "protocol", "extras", "catalogue"},
    "terminal": {"rules", "game", "strategy", "scorekeeper", "protocol", "catalogue", "extras"},
    "testing": {"rules", "game"},
    "flip7": {"rules", "game", "strategy", "sim", "scorekeeper"},
    "commands": {
        "rules",
        "catalogue",
        "game",
        "strategy",
        "sim",
        "scorekeeper",
        "server",
        "protocol",
        "terminal",
        "extras",
    },
    "cli": {"flip7", "commands", "extras"},
    "__main__": {"cli"},
}
PUBLIC = {"flip7"}
HEAVY = ("numpy", "numba", "matplotlib", "litestar", "textual", "rich")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The room that a file is in: a folder of the package, or a file beside them."""
    first = path.relative_to(PACKAGE).parts[0]
    return "flip7" if first == "__init__.py" else first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Everything that a file imports, at its top or inside a function, with its full name."""
    package = ["flip7", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def rooms_imported(path: Path) -> set[str]:
    """The rooms of the project that a file imports. A public name of the package counts as the package."""
    named = {name.split(".")[1] for name in imports(path) if name.startswith("flip7.")}
    top = {"flip7"} if any(name == "flip7" for name in imports(path)) else set()
    return {name if name in ROOMS else "flip7" for name in named} | top


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_imports_only_rooms_below_its_own(path: Path) -> None:
    room = room_of(path)
    assert room in ROOMS, f"{room} is a new room: give it a place in the table"
    allowed = ROOMS[room] | {room} | (PUBLIC if "game" in ROOMS[room] else set())
    assert rooms_imported(path) <= allowed


def test_the_table_has_no_circle() -> None:
    """Rooms can be put into an order in which each imports only earlier ones."""
    left = dict(ROOMS)
    while left:
        free = [room for room, below in left.items() if not below & left.keys()]
        assert free, f"circle among {sorted(left)}"
        for room in free:
            del left[room]


def room_named(path: str) -> str:
    """The room of a path below the package, as the docs write it: `game/`, `cli.py`."""
    return "flip7" if path == "__init__.py" else path.removesuffix("/").removesuffix(".py")


def test_the_table_for_contributors_is_this_one() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `src/flip7/([^`]+)` \| .+ \| (.+) \|$", text, re.M)
    words = {room_named(path): cell for path, cell in rows}
    assert {room: set(re.findall(r"\w+", cell)) for room, cell in words.items() if cell.startswith("→")} == {
        room: below for room, below in ROOMS.items() if below
    }
    assert {words[room] for room in ROOMS if not ROOMS[room]} == {"nothing but the standard library"}


def test_the_page_about_the_inside_has_every_room_below_those_that_it_imports() -> None:
    text = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
    order = [room_named(path) for path in re.findall(r"^\| `([\w/.]+)` \|", text, re.M)]
    assert sorted(order) == sorted([*ROOMS, "web"])
    for place, room in enumerate(order[:-1]):
        assert ROOMS[room] <= set(order[:place]), room


def test_every_decision_is_on_the_page_about_the_inside_by_its_name() -> None:
    text = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
    assert re.findall(r"^- \[.+\]\(decisions/(.+)\)$", text, re.M) == sorted(
        path.name for path in (ROOT / "docs" / "decisions").glob("*.md")
    )


def test_the_rules_import_only_the_standard_library_and_each_other() -> None:
    for path in modules():
        if room_of(path) == "rules":
            foreign = {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names - {"flip7"}
            assert not foreign, path


def test_imports_inside_functions_and_relative_ones_are_seen() -> None:
    """The walk itself: nothing can hide from it."""
    source = PACKAGE / "rules" / "agenda.py"
    assert "flip7.rules.cards.FREEZE" in set(imports(source))
    assert rooms_imported(PACKAGE / "__init__.py") >= {"game", "rules"}


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded when it has run the code."""
    script = f"{code}\nimport sys\nprint('MODULES', *sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.rpartition("MODULES ")[2].split())


@pytest.mark.parametrize(
    "code",
    [
        "import flip7\nflip7.Game(3, seed=1).record()",
        "import flip7\nstr(flip7.Game(3, seed=1).position)",
        "import flip7.cli",
        "from flip7.cli import main\ntry:\n    main(['--version'])\nexcept SystemExit:\n    pass",
        "import flip7.testing",
    ],
    ids=["game", "position", "command", "version", "testing"],
)
def test_the_library_and_the_command_load_nothing_heavy(code: str) -> None:
    loaded = loaded_after(code)
    assert "flip7" in loaded
    assert not loaded & set(HEAVY)


def test_the_package_itself_loads_nothing_before_it_is_used() -> None:
    assert {name for name in loaded_after("import flip7") if name.startswith("flip7.")} == set()
