"""Every ruling has a test and a line in the documentation, and nothing else claims to be one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from flip7.rules.rulings import IDS

TESTS = Path(__file__).resolve().parent.parent
DOCS = TESTS.parent / "docs" / "rulings.md"


def ids_tested() -> Iterator[str]:
    """The ids in the decorators of all tests: `@ruling("F3-3")` or `@pytest.mark.ruling("F3-3")`."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) in ("ruling", "pytest.mark.ruling"):
                        yield from (str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant))


def test_every_ruling_has_a_named_test() -> None:
    assert set(ids_tested()) == set(IDS)


def test_the_documentation_lists_the_same_rulings() -> None:
    rows = re.findall(r"^\| ([A-Z0-9]+-\d+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == len(set(rows)), "a ruling is listed twice"
    assert set(rows) == set(IDS)
