"""`Desk`: a game against the cast on this machine, told in the same steps as one on a server, and kept on disk."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

from flip7.catalogue import texts
from flip7.game import saving
from flip7.game.game import Game
from flip7.game.options import Rules
from flip7.game.view import Choice
from flip7.protocol.messages import GameView, Step
from flip7.protocol.views import first_view, game_view, hands_of, step_of
from flip7.strategy.cast import BY_ID, SUBSTITUTE, Member, choice_of, company, member_called
from flip7.terminal.holding import Hold, is_held

YOU = 0
"""The seat of the person."""


def folder() -> Path:
    """Where games are kept that were given no file."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "flip7" / "games"


class Desk:
    """One game with a person at seat 0 and bots at the others."""

    own = frozenset({YOU})

    def __init__(self, game: Game, path: Path | None) -> None:
        """`path` is the file that the game is kept in. Whoever has the name of a bot at another seat is that bot."""
        self.game = game
        self.path = path
        self.trouble = ""
        """Why the game could not be kept last, if it could not."""
        self._bots: list[Member] = [bot_of(name) for name in game.players[1:]]
        self._hands = hands_of(game)
        self._hold = Hold(path) if path is not None else None

    @classmethod
    def new(
        cls, name: str, bots: Sequence[Member], *, target: int, seed: int | None = None, path: Path | None = None
    ) -> Desk:
        """Deal a new game. Raises `ValueError` for what cannot be played."""
        players = [name, *(bot.name for bot in bots)]
        today = datetime.date.today().isoformat()
        seed = secrets.randbelow(1_000_000) if seed is None else seed
        game = Game(players, seed=seed, rules=Rules(target=target, dealer=len(players) - 1), date=today)
        return cls(game, path or _new_path(name))

    @classmethod
    def resume(cls, path: Path, language: str = "en") -> Desk:
        """Go on with a game that was kept. Raises `ValueError` for what is none or cannot go on, or `OSError`."""
        game = Game.from_record(path.read_text("utf-8"))
        if why := over_or_real(game, language):
            raise ValueError(f"{path}: {why}")
        desk = cls(game, path)
        if not desk.hold():
            raise ValueError(f"{path}: {texts(language, 'lines')('play.held')}")
        return desk

    def hold(self) -> bool:
        """Return whether the game is played nowhere else, and keep it so until `let_go`."""
        if self.path is None or self._hold is None:
            return True
        with contextlib.suppress(OSError):  # what cannot be kept is told of when it is written
            self.path.parent.mkdir(parents=True, exist_ok=True)
        return self._hold.take()

    def let_go(self) -> None:
        """Let the game be gone on with elsewhere."""
        if self._hold is not None:
            self._hold.let_go()

    @property
    def number(self) -> int:
        """The number of the present state: how many choices have been made."""
        return len(self.game.choices)

    def view(self) -> GameView:
        """Return the present state."""
        return game_view("desk", self.number, self.game, odds=True, seconds=None)

    def opening(self) -> tuple[GameView, Step]:
        """Return the state before the first card, and the deal, of a game that has seen no choice."""
        view = first_view("desk", self.game)
        step, self._hands = step_of(
            "desk",
            0,
            self.game,
            self.game.events,
            view.hands,
            chosen=None,
            by="player",
            odds=True,
            seconds=None,
        )
        return view, step

    def choose(self, choice: Choice) -> Step:
        """Make a choice for the seat that is asked, and tell what followed. Raises what `Game.play` raises."""
        ask = self.game.decision
        events = self.game.play(choice)
        assert ask is not None
        step, self._hands = step_of(
            "desk",
            self.number,
            self.game,
            events,
            self._hands,
            chosen=(ask.seat, choice),
            by="player" if ask.seat == YOU else "bot",
            odds=True,
            seconds=None,
        )
        return step

    def bot_choice(self) -> Choice:
        """Return what the bot that is asked answers. It may think for a while."""
        ask = self.game.decision
        assert ask is not None
        return choice_of(self._bots[ask.seat - 1].id, self.game)

    def save(self, text: str | None = None) -> None:
        """Write the game down as it is, or as its record was. It goes on also if that fails, and is tried again."""
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            saving.write(self.path, self.game.record() if text is None else text)
            self.trouble = ""
        except OSError as error:
            self.trouble = error.strerror or str(error)


def unfinished(where: Path | None = None) -> Iterator[tuple[Path, Game]]:
    """Find the kept games that are not over, the one that was played last first.

    Files that are none are left out, and games that are being played in another terminal.
    """
    found = []
    for path in (where or folder()).glob("*.flip7"):
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(found, reverse=True):
        with contextlib.suppress(ValueError, OSError):
            text = path.read_text("utf-8")
            if "\nunfinished" in text and not is_held(path):  # what is over need not be played through to know it
                yield path, Game.from_record(text)


def over_or_real(game: Game, language: str = "en") -> str:
    """Return why a recorded game cannot be gone on with; nothing if it can."""
    say = texts(language, "lines")
    if game.winner is not None:
        return say("play.over")
    return say("play.real") if game.live or game.seed is None else ""


def opponents(chosen: Sequence[str], count: int) -> list[Member]:
    """Return n bots: those that were chosen first, by their ids, then others; twins get numbers."""
    bots = [BY_ID[id] for id in chosen if id in BY_ID][:count]
    for other in company(36):
        if len(bots) < count and other.name not in {bot.name for bot in bots}:
            bots.append(other)
    return bots


def bot_of(name: str) -> Member:
    """Return the bot of a name; whoever has none of theirs keeps it, and is played by who goes on for people."""
    return member_called(name) or BY_ID[SUBSTITUTE]._replace(name=name)


def _new_path(name: str) -> Path:
    day = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    who = re.sub(r"\W+", "", name)[:20] or "game"
    return folder() / f"{day}-{who}-{secrets.token_hex(2)}.flip7"
