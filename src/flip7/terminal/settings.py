"""What the player has set for the terminal application, kept between runs."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import Literal

import msgspec

from flip7.catalogue import LANGUAGES, chosen
from flip7.game import saving
from flip7.protocol.messages import NAME_LENGTH, Speed

Theme = Literal["dark", "light"]


def _usual() -> list[str]:
    from flip7.strategy.cast import QUICK  # seldom needed, and other commands start without

    return list(QUICK)


class Settings(msgspec.Struct, kw_only=True):
    """All settings. What a file lacks is as here."""

    name: str = ""
    """What others call the player; empty for the name of their account."""
    language: str = ""
    """One of the catalogue's languages; empty for that of the system."""
    theme: Theme = "dark"
    speed: Speed = "normal"
    gauge: bool = True
    """Whether the chance to bust is shown."""
    ascii: bool = False
    """Whether only ASCII is written, also where the terminal could show more."""
    lines: bool = False
    """Whether plain lines are written instead of a screen, as screen readers need it."""
    opponents: list[str] = msgspec.field(default_factory=_usual)
    """Who was played against last, by their id."""
    target: int = 200

    @property
    def spoken(self) -> str:
        """The language that is spoken."""
        if self.language in LANGUAGES:
            return self.language
        return chosen(next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), ""))

    @property
    def called(self) -> str:
        """The name that the player goes by; empty where even the system knows none."""
        if self.name:
            return self.name
        try:
            account = getpass.getuser()
        except (OSError, KeyError):
            return ""
        return account[:1].upper() + account[1:NAME_LENGTH] if account.isprintable() else ""


def path() -> Path:
    """Where settings are kept."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "flip7" / "terminal.json"


def load() -> Settings:
    """Return the settings that were kept; those of a file that cannot be read are as at the beginning."""
    try:
        return msgspec.json.decode(path().read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError):
        return Settings()


def save(settings: Settings) -> None:
    """Keep settings. Where nothing can be written they hold until the end of the program."""
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        saving.write(path(), msgspec.json.format(msgspec.json.encode(settings)))
    except OSError:
        return
