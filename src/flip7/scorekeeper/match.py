"""`Match`: the scores of a match at a real table, with every correction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from flip7.game import names
from flip7.game.options import TARGET, Rules
from flip7.rules.scoring import challenge_met
from flip7.rules.table import SEATS
from flip7.scorekeeper import files
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import Entry, Value, read_entry
from flip7.scorekeeper.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Operations,
    Redo,
    Remove,
    Rename,
    Start,
    Target,
    Undo,
)
from flip7.scorekeeper.sheet import Conflict, Player, Round, Sheet, store


class Match:
    """A match that people play with real cards. Enter every round; totals, dealer and winner follow from the rules.

    A seat number counts the players clockwise from 0. Everything that is entered stays in the match as an operation, so
    that it can be taken back, and so that several devices can keep the same match (`merge`). `device` names this one;
    `id` names the match; both are made up if not given.
    """

    def __init__(
        self,
        players: int | Sequence[str],
        *,
        target: int = 200,
        dealer: int = 0,
        decks: int | None = None,
        date: str | None = None,
        device: str | None = None,
        id: str | None = None,
    ) -> None:
        try:
            called = names.names(players)
            Rules(target=target, dealer=dealer, decks=decks).table(len(called))
            date = names.date(date)
        except ValueError as error:
            raise MatchError(str(error)) from None
        self._device = files.device(device) if device is not None else secrets.token_hex(4)
        self._id = files.match_id(id) if id is not None else secrets.token_hex(8)
        start = Start(
            clock=0, device=self._device, players=called, target=target, dealer=dealer, decks=decks, date=date
        )
        self._operations = Operations([start])
        self._sheet = Sheet(self._operations)

    @property
    def id(self) -> str:
        """What tells this match from all others; copies on other devices have the same."""
        return self._id

    @property
    def players(self) -> tuple[str, ...]:
        """The names, by seat."""
        return tuple(player.name for player in self._sheet.players)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of those who play the next round: all but the retired."""
        return tuple(map(self._seat, self._sheet.present(self._sheet.number)))

    @property
    def target(self) -> int:
        """The total that ends the match (GAME-1)."""
        return self._sheet.target

    @property
    def decks(self) -> int:
        """How many decks lie on the table: as agreed, or as many as SET-2 says for those who play the next round."""
        return Rules(decks=self._sheet.decks).decks_for(max(len(self.present), 1))

    @property
    def date(self) -> str | None:
        """The day on which the match began, if it was given."""
        return self._operations.start.date

    @property
    def totals(self) -> list[int]:
        """The points so far, by seat."""
        return [self._sheet.totals[player] for player in self._sheet.ids]

    @property
    def rounds(self) -> list[list[int | None]]:
        """The scores of every finished round, by seat; `None` for those who did not play it."""
        return [[played.scores.get(player) for player in self._sheet.ids] for played in self._sheet.rounds]

    @property
    def entries(self) -> list[list[Value | None]]:
        """What was entered in every finished round, by seat: cards, points or "bust"."""
        return [[played.entries.get(player) for player in self._sheet.ids] for played in self._sheet.rounds]

    @property
    def open_round(self) -> list[Value | None]:
        """What has been entered of the next round so far, by seat."""
        return [self._sheet.open.get(player) for player in self._sheet.ids]

    @property
    def history(self) -> list[list[int]]:
        """The totals after every finished round, by seat."""
        return [[played.totals[player] for player in self._sheet.ids] for played in self._sheet.rounds]

    @property
    def dealer(self) -> int:
        """The seat that deals the next round; after the end the one that dealt the last."""
        return self._seat(self._sheet.dealer)

    @property
    def dealers(self) -> list[int]:
        """Who dealt each finished round."""
        return [self._seat(played.dealer) for played in self._sheet.rounds]

    @property
    def leader(self) -> int | None:
        """The seat that alone has the most points, or `None` on a tie."""
        return self._seat_or_none(self._sheet.leader)

    @property
    def winner(self) -> int | None:
        """The seat that has won, or `None` until GAME-1 and GAME-2 say so (KEEP-3)."""
        return self._seat_or_none(self._sheet.winner)

    @property
    def playoff(self) -> bool:
        """Whether another round has to be played because several share the most points (GAME-2)."""
        return self._sheet.playoff

    @property
    def playoffs(self) -> list[int]:
        """Which finished rounds were playoffs."""
        return [i for i, played in enumerate(self._sheet.rounds) if played.playoff]

    @property
    def challenge(self) -> bool | None:
        """For one or two players at the end: whether SOLO-1 was met."""
        if self.winner is None or len(self.players) > 2:
            return None
        return challenge_met(len(self._sheet.rounds), len(self.playoffs))

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """What devices disagree on, until it is decided by `resolve` or corrected by `edit`."""
        return tuple(self._sheet.conflicts)

    def enter(self, entries: Sequence[Entry]) -> None:
        """Enter a round: one entry for each player at the table, by seat. On `MatchError` nothing is entered."""
        seats = self.present
        self.enter_some(dict(zip(seats, self._one_each(entries, seats), strict=True)))

    def enter_some(self, entries: Mapping[int, Entry]) -> None:
        """Enter hands of the next round as they come in, by seat; the round counts when all are there."""
        if self.winner is not None:
            raise MatchError(f"{self.players[self.winner]} has won: only a correction can take that back (KEEP-3)")
        self._enter(self._sheet.number, dict(self._sheet.open), entries)

    def edit(self, round_index: int, entries: Sequence[Entry]) -> None:
        """Correct a finished round: one entry for each player who played it, by seat."""
        played = self._round(round_index)
        seats = [self._seat(player) for player in self._sheet.present(played.number)]
        self._enter(played.number, {}, dict(zip(seats, self._one_each(entries, seats), strict=True)))

    def edit_some(self, round_index: int, entries: Mapping[int, Entry]) -> None:
        """Correct some hands of a finished round, by seat."""
        played = self._round(round_index)
        self._enter(played.number, dict(played.entries), entries)

    def remove(self, round_index: int) -> None:
        """Take a round out of the match that was entered by mistake."""
        self._write(Remove(**self._stamp(), round=self._round(round_index).number))

    def rename(self, seat: int, name: str) -> None:
        """Call a player something else."""
        player = self._player(seat)
        self._write(Rename(**self._stamp(), player=player.id, name=_text("name", name)))

    def add(self, name: str, score: int = 0, after: int | None = None) -> int:
        """Let somebody in late, with an agreed score, left of the seat `after` or at the end; returns their seat."""
        self._must_go_on()
        if len(self.players) == SEATS:
            raise MatchError(f"at most {SEATS} can play")
        neighbour = self._sheet.players[-1] if after is None else self._player(after)
        operation = Add(
            **self._stamp(),
            name=_text("name", name),
            score=_whole("score", score, 0, TARGET),
            round=self._sheet.number,
            after=neighbour.id,
        )
        self._write(operation)
        return self._seat(operation.id)

    def retire(self, seat: int) -> None:
        """Somebody leaves: they keep their points, are dealt no more cards and cannot win."""
        self._must_go_on()
        player = self._playing(seat)
        if len(self.present) == 1:
            raise MatchError(f"{player.name} is the last at the table and cannot leave it")
        rounds = (*player.away, (self._sheet.number, None))
        self._write(Away(**self._stamp(), player=player.id, rounds=rounds))

    def rejoin(self, seat: int) -> None:
        """Somebody who left is back, with the points they had."""
        player = self._player(seat)
        number = self._sheet.number
        if player.plays(number):
            raise MatchError(f"{player.name} is at the table already")
        rounds = tuple(
            (first, number if back is None else back)
            for first, back in player.away
            if back is not None or first < number
        )
        self._write(Away(**self._stamp(), player=player.id, rounds=rounds))

    def change_target(self, target: int) -> None:
        """Agree on another target, at any time."""
        self._write(Target(**self._stamp(), target=_whole("target", target, 1, TARGET)))

    def change_dealer(self, seat: int) -> None:
        """Let somebody else deal the next round; those after it follow."""
        self._write(Dealer(**self._stamp(), player=self._playing(seat).id, round=self._sheet.number))

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return self._operations.undo_next is not None

    @property
    def can_redo(self) -> bool:
        """Whether something was just taken back."""
        return self._operations.redo_next is not None

    def undo(self) -> None:
        """Take back the last thing that anybody entered or corrected."""
        what = self._operations.undo_next
        if what is None:
            raise MatchError("there is nothing to take back")
        self._write(Undo(**self._stamp(), what=what))

    def redo(self) -> None:
        """Bring back what was taken back last, if nothing was entered since."""
        what = self._operations.redo_next
        if what is None:
            raise MatchError("nothing was taken back since the last entry")
        self._write(Redo(**self._stamp(), what=what))

    def resolve(self, conflict: Conflict, choice: int) -> None:
        """Decide a conflict: the `choice`-th of its values holds from now on."""
        if conflict not in self._sheet.conflicts:
            raise MatchError("there is no such conflict any more")
        if not 0 <= choice < len(conflict.choices):
            raise MatchError(f"choice {choice!r}: the conflict has {len(conflict.choices)} values to choose from")
        chosen = self._operations.get(conflict.operations[choice])
        stamp = self._stamp()
        register = conflict.register
        if isinstance(chosen, Enter) and register is not None:
            entries = {register[1]: chosen.entries[register[1]]}
            self._write(Enter(**stamp, round=chosen.round, entries=entries))
        elif isinstance(chosen, Rename):
            self._write(Rename(**stamp, player=chosen.player, name=chosen.name))
        elif isinstance(chosen, Target):
            self._write(Target(**stamp, target=chosen.target))
        elif isinstance(chosen, Away):
            self._write(Away(**stamp, player=chosen.player, rounds=chosen.rounds))
        elif isinstance(chosen, Dealer):
            self._write(Dealer(**stamp, player=chosen.player, round=chosen.round))

    @property
    def operations(self) -> tuple[AnyOperation, ...]:
        """Everything that was ever entered, in order."""
        return tuple(self._operations)

    def merge(self, other: Match | Iterable[AnyOperation]) -> bool:
        """Take over what another device has entered; tells whether anything was new. Nothing of either is lost."""
        if isinstance(other, Match):
            if other.id != self.id:
                raise MatchError(f"match {other.id} is another one than {self.id}")
            other = other.operations
        operations = list(other)
        for operation in operations:
            files.check(operation, self._operations.start)
        new = self._operations.add(operations)
        if new:
            self._sheet = Sheet(self._operations)
        return new

    def to_json(self) -> str:
        """The whole match as text, with its record (KEEP-2) and all its operations (docs/scorekeeper.md)."""
        return files.write(self)

    @classmethod
    def from_json(cls, text: str | bytes, *, device: str | None = None) -> Match:
        """Read a match. Raises `MatchFileError` for damaged files and those of newer versions."""
        read = files.read(text)
        match = cls.from_operations(read.id, read.operations, device=device)
        files.compare(read, match)
        return match

    @classmethod
    def from_operations(cls, id: str, operations: Sequence[AnyOperation], *, device: str | None = None) -> Match:
        """The match that has these operations. Raises `MatchError` if they are none of a match."""
        try:
            files.check_all(operations)
        except ValueError as error:
            raise MatchError(str(error)) from None
        match = cls.__new__(cls)
        match._device = files.device(device) if device is not None else secrets.token_hex(4)
        match._id = files.match_id(id)
        match._operations = Operations(operations)
        match._sheet = Sheet(match._operations)
        return match

    def copy(self) -> Match:
        """An independent match with the same contents."""
        return Match.from_json(self.to_json(), device=self._device)

    def __eq__(self, other: object) -> bool:
        """Two matches are equal when they have the same id and operations."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.id == other.id and self.operations == other.operations

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {total}" for name, total in zip(self.players, self.totals, strict=True))
        state = f"won by {self.players[self.winner]!r}" if self.winner is not None else f"{len(self.rounds)} rounds"
        return f"<Match {scores}: {state}>"

    def _enter(self, number: int, others: dict[str, Value], entries: Mapping[int, Entry]) -> None:
        """Check the new entries together with the others of their round, and write them."""
        playing = self._sheet.present(number)
        new: dict[str, Value] = {}
        for seat, entry in entries.items():
            player = self._player(seat)
            if player.id not in playing:
                raise MatchError(f"{player.name} does not play this round")
            try:
                new[player.id] = read_entry(entry)
            except MatchError as error:
                raise MatchError(f"{player.name}: {error}") from None
        if not new:
            raise MatchError("nothing to enter: no player was named")
        self._sheet.check({**others, **new}, number)
        stored = {player: store(value) for player, value in new.items()}
        self._write(Enter(**self._stamp(), round=number, entries=stored))

    def _one_each(self, entries: object, seats: Sequence[int]) -> Sequence[Entry]:
        if isinstance(entries, str) or not isinstance(entries, Sequence):
            raise MatchError(f"{entries!r}: a list is needed, with one entry for each player")
        if len(entries) != len(seats):
            who = ", ".join(self.players[seat] for seat in seats)
            raise MatchError(f"{len(entries)} entries for {len(seats)} players: {who}")
        return entries

    def _stamp(self) -> dict[str, Any]:
        return {"clock": self._operations.clock + 1, "device": self._device}

    def _write(self, operation: AnyOperation) -> None:
        """Add an operation that knows of everything before it."""
        over = self._operations.known(operation.writes())
        files.check(operation, self._operations.start)
        self._operations.add([type(operation)(**{**_fields(operation), "over": over})])
        self._sheet = Sheet(self._operations)

    def _round(self, round_index: int) -> Round:
        rounds = self._sheet.rounds
        number = _whole("round", round_index, 0, max(len(rounds) - 1, 0))
        if not rounds:
            raise MatchError("no round has been entered yet")
        return rounds[number]

    def _player(self, seat: int) -> Player:
        return self._sheet.players[_whole("seat", seat, 0, len(self.players) - 1)]

    def _playing(self, seat: int) -> Player:
        player = self._player(seat)
        if not player.plays(self._sheet.number):
            raise MatchError(f"{player.name} has left the table")
        return player

    def _must_go_on(self) -> None:
        if self.winner is not None:
            raise MatchError(f"{self.players[self.winner]} has won: the match is over")

    def _seat(self, player: str) -> int:
        return self._sheet.ids.index(player)

    def _seat_or_none(self, player: str | None) -> int | None:
        return None if player is None else self._seat(player)


def _fields(operation: AnyOperation) -> dict[str, Any]:
    return {name: getattr(operation, name) for name in operation.__struct_fields__}


def _text(what: str, given: object) -> str:
    try:
        return names.text(what, given)
    except ValueError as error:
        raise MatchError(str(error)) from None


def _whole(what: str, value: object, low: int, high: int) -> int:
    if isinstance(value, SupportsIndex) and not isinstance(value, bool | type) and low <= index(value) <= high:
        return index(value)
    raise MatchError(f"{what} {value!r}: a whole number from {low} to {high} is needed")
