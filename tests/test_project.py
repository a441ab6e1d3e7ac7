"""The files around the code keep the promises that they make to users and contributors."""

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from tests.test_rooms import ROOMS, imports, modules, room_of

import flip7

ROOT = Path(__file__).resolve().parent.parent
GUIDES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def pyproject() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


def package_name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def package_names(requirements: list[str]) -> set[str]:
    return {package_name(requirement) for requirement in requirements} - {"flip7"}


@cache
def user_packages() -> frozenset[str]:
    project = pyproject()["project"]
    extras = project["optional-dependencies"].values()
    return frozenset(package_names(project["dependencies"]).union(*map(package_names, extras)))


@cache
def development_packages() -> frozenset[str]:
    groups = pyproject()["dependency-groups"].values()
    return frozenset(package_names([entry for group in groups for entry in group if isinstance(entry, str)]))


REQUIREMENTS = sorted((ROOT / "requirements").iterdir())


def pinned(lock: Path) -> set[str]:
    """What a lock file holds, as name==version."""
    return set(re.findall(r"^\S+==\S+", lock.read_text(encoding="utf-8"), re.M))


@cache
def tracked() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return tuple(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())


def lock_files() -> list[Path]:
    # The npm files come with the browser client.
    npm = [ROOT / "web" / name for name in (".npmrc", "package-lock.json")]
    return REQUIREMENTS + [path for path in npm if path.exists()]


@pytest.mark.parametrize("path", lock_files(), ids=lambda path: path.name)
def test_lock_files_name_packages_and_no_places(path: Path) -> None:
    places = re.findall(r"\w+://\S+|--(?:extra-)?index-url.*|--find-links.*", path.read_text(encoding="utf-8"))
    assert places == []


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_every_locked_package_has_a_hash(path: Path) -> None:
    blocks = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
    assert [block for block in blocks if not re.match(r"\S+==\S", block) or "--hash=sha256:" not in block] == []


def test_the_locks_pin_everything_that_pyproject_asks_for() -> None:
    locked = {package_name(pin) for path in REQUIREMENTS for pin in pinned(path)}
    assert user_packages() | development_packages() <= locked


@pytest.mark.parametrize("name", ["play", "engine"])
def test_the_locks_of_playing_are_part_of_that_of_development(name: str) -> None:
    assert pinned(ROOT / "requirements" / f"{name}.txt") <= pinned(ROOT / "requirements" / "dev.txt")


def test_every_dependency_has_its_reason_in_the_docs_and_none_is_listed_in_vain() -> None:
    rows = [line for line in read("docs/dependencies.md").splitlines() if line.startswith("| `")]
    # The package is the last cell but one; the reason is the last.
    explained = {row.split("|")[-3].strip(" `") for row in rows if row.split("|")[-2].strip()}
    assert explained == user_packages() | development_packages()


def test_the_extra_for_everything_has_every_extra_for_users() -> None:
    extras = pyproject()["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(re.findall(r"[\w-]+", everything)) - {"flip7"} == extras.keys() - {"all", "docs"}


def test_the_library_alone_needs_one_small_package() -> None:
    assert package_names(pyproject()["project"]["dependencies"]) == {"msgspec"}


INSTALLED = metadata.packages_distributions()
EXTRAS_OF = {
    "compiled": {"sim"},
    "strategy": {"sim"},
    "sim": {"sim", "plots", "cluster"},
    "envs": {"envs"},
    "scorekeeper": {"sheet"},
    "protocol": {"terminal"},
    "server": {"server", "postgres"},
    "terminal": {"terminal"},
    "commands": {"terminal"},
}
"""Which extras bring what a room imports."""


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_packages_that_its_extras_declare(room: str) -> None:
    """A package that only comes along with another may go with that one's next version."""
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    asked = list(project["dependencies"])
    for extra in EXTRAS_OF.get(room, set()):
        inner = re.findall(r"flip7\[([\w,]+)\]", " ".join(extras[extra]))
        asked += [name for part in (extra, *",".join(inner).split(",")) if part for name in extras[part]]
    imported = {
        package_name(INSTALLED[top][0])
        for path in modules()
        if room_of(path) == room
        for top in {name.partition(".")[0] for name in imports(path)} - sys.stdlib_module_names - {"flip7"}
    }
    assert imported <= package_names(asked)


def test_the_two_commands_are_on_the_first_screen_of_the_readme() -> None:
    first_screen = "\n".join(read("README.md").splitlines()[:40])
    assert "make play" in first_screen
    assert "make test" in first_screen


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_the_owner_of_the_trademark_is_respected(name: str) -> None:
    words = " ".join(read(name).split())
    assert "Flip 7 is a trademark of its owner" in words
    assert "fan project" in words
    assert "none of their art and none of their text" in words


@pytest.mark.parametrize("name", GUIDES)
def test_links_between_files_lead_somewhere(name: str) -> None:
    links = re.findall(r"(?:\]\(|src=\")([^)#:\"]+)(?:#[^)]*)?[)\"]", read(name))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_version_is_the_same_everywhere() -> None:
    assert metadata.version("flip7") == flip7.__version__


def test_the_changelog_speaks_of_this_version_or_of_the_next() -> None:
    sections = re.findall(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.M)
    assert sections
    assert sections[0] in {"Unreleased", flip7.__version__}


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    private = re.compile(rb"(?<![\w/.])/(?:work|root|home|Users|opt)/[\w.-]+")
    found = {str(path.relative_to(ROOT)): private.findall(path.read_bytes()) for path in tracked()}
    assert {name: places for name, places in found.items() if places} == {}


def test_ci_runs_what_contributors_run() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert script.read_text().splitlines()[-1] == "make test"


def test_every_make_target_that_the_guides_name_exists() -> None:
    named = set(re.findall(r"\bmake ([a-z-]+)`", read("README.md") + read("CONTRIBUTING.md")))
    assert named
    assert named <= set(re.findall(r"^([a-z-]+):", read("Makefile"), re.M))


def test_the_built_docs_load_nothing_from_other_hosts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    pages = list(tmp_path.rglob("*.html"))
    assert pages
    elsewhere = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^\s\">]+")
    styles = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^\s\"')]+")
    loaded = [hit for page in pages for hit in elsewhere.findall(page.read_text(encoding="utf-8"))]
    loaded += [hit for sheet in tmp_path.rglob("*.css") for hit in styles.findall(sheet.read_text(encoding="utf-8"))]
    assert loaded == []
