"""Matches on disk: read, written so that a crash loses nothing, and found again."""

from __future__ import annotations

import os
import re
from pathlib import Path

from flip7.game import saving
from flip7.scorekeeper.errors import MatchFileError
from flip7.scorekeeper.match import Match


def folder() -> Path:
    """Return the folder of matches that were given no file."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "flip7" / "matches"


def load(path: Path) -> Match:
    """Read a match. Raises `MatchFileError`, with the name of the file, or `OSError`."""
    try:
        return Match.from_json(path.read_bytes())
    except MatchFileError as error:
        raise MatchFileError(f"{path}: {error}") from None


def save(match: Match, path: Path) -> None:
    """Write a match; whatever happens meanwhile, the file is the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    saving.write(path, match.to_json())


def new_path(match: Match) -> Path:
    """Return where to keep a match that was given no file: named by its day and its players."""
    players = "-".join(re.sub(r"\W+", "", name) for name in match.players[:4]) or "match"
    return folder() / f"{match.date or 'undated'}-{players[:40]}-{match.id[:6]}.json"


def all_matches(where: Path | None = None) -> tuple[list[tuple[Path, Match]], list[str]]:
    """Return every match in a folder, and what is wrong with the files that are not matches."""
    found, wrong = [], []
    for path in sorted((where or folder()).glob("*.json")):
        try:
            found.append((path, load(path)))
        except (MatchFileError, OSError) as error:
            wrong.append(str(error))
    return found, wrong
