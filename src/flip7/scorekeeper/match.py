"""`Match`: the scores of a match at a real table, with every correction."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence

from flip7.game import names
from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.rules.scoring import challenge_met
from flip7.scorekeeper import files
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import BOOK, Entry, Value, read_entry, shown
from flip7.scorekeeper.live import LiveView
from flip7.scorekeeper.model import entering, state
from flip7.scorekeeper.model.operations import AnyOperation, Start, Stored
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.sheet import Sheet, decks_in, name_of, present
from flip7.scorekeeper.words import conflict_text, operation_text, refusal_text


class Conflict(files.Plain, frozen=True):
    """Two devices disagree, or what they entered together is impossible. It stands until someone decides."""

    kind: str
    text: str
    round: int | None
    """Which round it is about, counted as in `Match.rounds`."""
    seat: int | None
    choices: tuple[object, ...]
    """The values that were entered; empty where there is nothing to choose, but something to correct."""
    operations: tuple[str, ...]


class Match:
    """A match that people play with real cards. Enter every round; totals, dealer and winner follow from the rules.

    A seat number counts the players clockwise from 0. Everything that is entered stays in the match as an operation, so
    that it can be taken back, and so that several devices can keep the same match (`merge`). `device` names this one,
    with a tab of it after a `~` if it has several; `id` names the match; both are made up if not given. `undo` takes
    back what this device entered; a match that is read without naming a device may take back everybody's last step.
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
        name = files.device(device) if device is not None else secrets.token_hex(4)
        start = Start(clock=0, device=name, players=called, target=target, dealer=dealer, decks=decks, date=date)
        self._open(files.match_id(id) if id is not None else secrets.token_hex(8), [start], device)

    def _open(self, id: str, operations: Sequence[AnyOperation], device: str | None) -> None:
        name = files.device(device) if device is not None else secrets.token_hex(4)
        opened = state.open_match(list(operations), name, device is None, BOOK)
        if opened.refusal is not None:
            raise MatchError(refusal_text(opened.refusal))
        assert opened.state is not None
        self._id = id
        self._state = opened.state

    @property
    def sheet(self) -> Sheet:
        """The score sheet as the model counts it, by player id. Look, but do not touch."""
        return self._state.sheet

    @property
    def _sheet(self) -> Sheet:
        return self._state.sheet

    @property
    def id(self) -> str:
        """What distinguishes this match from all others; copies on other devices have the same."""
        return self._id

    @property
    def players(self) -> tuple[str, ...]:
        """The names, by seat."""
        return tuple(player.name for player in self._sheet.players)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of those who play the next round: all but the retired."""
        return tuple(map(self._seat, present(self._sheet, self._sheet.number)))

    @property
    def target(self) -> int:
        """The total that ends the match (GAME-1)."""
        return self._sheet.target

    @property
    def decks(self) -> int:
        """How many decks lie on the table: as agreed, or as many as SET-2 says for those who play the next round."""
        return decks_in(self._sheet, max(len(self.present), 1))

    @property
    def date(self) -> str | None:
        """The day on which the match began, if it was given."""
        return self._start.date

    @property
    def _start(self) -> Start:
        start = self._state.history.ordered[0]
        assert isinstance(start, Start)
        return start

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
        return [self._by_seat(played.entries) for played in self._sheet.rounds]

    @property
    def open_round(self) -> list[Value | None]:
        """What has been entered of the next round so far, by seat."""
        return self._by_seat(self._sheet.open)

    def _by_seat(self, entries: Mapping[str, Stored]) -> list[Value | None]:
        return [shown(entries[player]) if player in entries else None for player in self._sheet.ids]

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
    def stopped(self) -> bool:
        """Whether the match was stopped before anybody had won (KEEP-6)."""
        return self._sheet.stopped

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
        return tuple(
            Conflict(
                one.kind,
                conflict_text(one, self._sheet, self._name),
                one.round,
                one.seat,
                tuple(one.choices) if one.kind != "incomplete" else (),
                tuple(one.operations),
            )
            for one in self._sheet.conflicts
        )

    @property
    def live(self) -> LiveView | None:
        """The next round card by card (KEEP-5); `None` when the match is over."""
        return LiveView(self._state, self._do) if self._sheet.live is not None else None

    def enter(self, entries: Sequence[Entry]) -> None:
        """Enter a round: one entry for each player at the table, by seat. On `MatchError` nothing is entered."""
        seats = self.present
        self.enter_some(dict(zip(seats, self._one_each(entries, seats), strict=True)))

    def enter_some(self, entries: Mapping[int, Entry]) -> None:
        """Enter hands of the next round as they come in, by seat; the round counts when all are there."""
        refusal = state.going_on(self._state)
        self._do(refusal if refusal is not None else entering.enter(self._state, self._read(entries)))

    def edit(self, round_index: int, entries: Sequence[Entry]) -> None:
        """Correct a finished round: one entry for each player who played it, by seat."""
        number = self._round(round_index)
        seats = [self._seat(player) for player in present(self._sheet, self._sheet.rounds[number].number)]
        self.edit_some(number, dict(zip(seats, self._one_each(entries, seats), strict=True)))

    def edit_some(self, round_index: int, entries: Mapping[int, Entry]) -> None:
        """Correct some hands of a finished round, by seat."""
        self._do(entering.edit(self._state, self._round(round_index), self._read(entries)))

    def remove(self, round_index: int) -> None:
        """Take a round out of the match that was entered by mistake."""
        self._do(entering.remove(self._state, self._round(round_index)))

    def rename(self, seat: int, name: str) -> None:
        """Call a player something else."""
        player = self._player(seat)
        self._do(entering.rename(self._state, player, _text("name", name)))

    def add(self, name: str, score: int = 0, after: int | None = None) -> int:
        """Let a player in late, with an agreed score, left of the seat `after` or at the end; returns their seat.

        Once the next round has begun, they play from the one after it (KEEP-7).
        """
        neighbour = self._sheet.ids[-1] if after is None else self._player(after)
        known = set(self._sheet.ids)
        points = _whole("score", score)
        self._do(entering.add(self._state, _text("name", name), points, neighbour))
        return next(seat for seat, player in enumerate(self._sheet.ids) if player not in known)

    def retire(self, seat: int) -> None:
        """Let a player leave: they keep their points, are dealt no more cards and cannot win.

        In a round that is followed card by card they are out with 0 points (KEEP-7).
        """
        self._do(entering.retire(self._state, self._player(seat)))

    def rejoin(self, seat: int) -> None:
        """Bring back a player who left, with the points they had."""
        self._do(entering.rejoin(self._state, self._player(seat)))

    def change_target(self, target: int) -> None:
        """Agree on another target, at any time."""
        self._do(entering.change_target(self._state, _whole("target", target)))

    def change_dealer(self, seat: int) -> None:
        """Let another player deal the next round; those after it follow."""
        self._do(entering.change_dealer(self._state, self._player(seat)))

    def stop(self) -> None:
        """Stop before anyone has won: whoever leads is not called the winner (KEEP-6)."""
        self._do(entering.stop(self._state))

    def resume(self) -> None:
        """Go on with a match that was stopped."""
        self._do(entering.resume(self._state))

    @property
    def can_undo(self) -> bool:
        """Whether there is anything that this device can take back."""
        return entering.next_undo(self._state) is not None

    @property
    def can_redo(self) -> bool:
        """Whether this device has just taken something back."""
        return entering.next_redo(self._state) is not None

    @property
    def undoable(self) -> AnyOperation | None:
        """What `undo` would take back, if there is anything."""
        return entering.next_undo(self._state)

    @property
    def redoable(self) -> AnyOperation | None:
        """What `redo` would bring back, if there is anything."""
        return entering.next_redo(self._state)

    def undo(self) -> str:
        """Take back the last thing that this device entered or corrected; returns what it was, in words."""
        last = self.undoable
        told = operation_text(last, self._sheet) if last is not None else ""
        self._do(entering.undo(self._state))
        return told

    def redo(self) -> str:
        """Bring back what this device took back last, if it has entered nothing since; returns what it was."""
        last = self.redoable
        self._do(entering.redo(self._state))
        return operation_text(last, self._sheet) if last is not None else ""

    def resolve(self, conflict: Conflict, choice: int) -> None:
        """Decide a conflict: the `choice`-th of its values holds from now on."""
        at = next((i for i, known in enumerate(self.conflicts) if known == conflict), -1)
        self._do(entering.resolve(self._state, at, _whole("choice", choice)))

    @property
    def operations(self) -> tuple[AnyOperation, ...]:
        """Everything that was ever entered, in order."""
        return tuple(self._state.history.ordered)

    def merge(self, other: Match | Iterable[AnyOperation]) -> bool:
        """Take over what another device has entered; returns whether anything was new. Nothing of either is lost."""
        if isinstance(other, Match):
            if other.id != self.id:
                raise MatchError(f"match {other.id} is another one than {self.id}")
            other = other.operations
        before = len(self._state.history.ordered)
        self._do(state.merge(self._state, list(other)))
        return len(self._state.history.ordered) > before

    def to_json(self) -> str:
        """Return the whole match as text, with its record (KEEP-2) and all its operations (docs/scorekeeper.md)."""
        return files.write(self)

    @classmethod
    def from_json(cls, text: str | bytes, *, device: str | None = None) -> Match:
        """Read a match. Raises `MatchFileError` for damaged files and those of newer versions."""
        read = files.read(text)
        try:
            match = cls.from_operations(read.id, read.operations, device=device)
        except MatchError as error:
            raise files.damaged(str(error)) from None
        files.compare(read, match)
        return match

    @classmethod
    def from_operations(cls, id: str, operations: Sequence[AnyOperation], *, device: str | None = None) -> Match:
        """Return the match that has these operations. Raises `MatchError` if they do not make one."""
        match = cls.__new__(cls)
        match._open(files.match_id(id), operations, device)
        return match

    def copy(self) -> Match:
        """Return an independent match with the same contents."""
        return Match.from_operations(self.id, self.operations, device=self._state.device if self._state.owner else None)

    def __eq__(self, other: object) -> bool:
        """Two matches are equal when they have the same id and operations."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.id == other.id and self.operations == other.operations

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {total}" for name, total in zip(self.players, self.totals, strict=True))
        state = f"won by {self.players[self.winner]!r}" if self.winner is not None else f"{len(self.rounds)} rounds"
        return f"<Match {scores}: {state}>"

    def _do(self, refusal: Refusal | None) -> None:
        """Raise what the model refused."""
        if refusal is not None:
            raise MatchError(refusal_text(refusal, self._name, self.decks), refusal)

    def _name(self, player: str) -> str:
        return name_of(self._sheet, player)

    def _read(self, entries: Mapping[int, Entry]) -> dict[str, Stored]:
        found: dict[str, Stored] = {}
        for seat, entry in entries.items():
            player = self._player(seat)
            try:
                found[player] = read_entry(entry)
            except MatchError as error:
                raise MatchError(f"{self._name(player)}: {error}") from None
        return found

    def _one_each(self, entries: object, seats: Sequence[int]) -> Sequence[Entry]:
        if isinstance(entries, str) or not isinstance(entries, Sequence):
            raise MatchError(f"{entries!r}: a list is needed, with one entry for each player")
        if len(entries) != len(seats):
            who = ", ".join(self.players[seat] for seat in seats)
            raise MatchError(f"{len(entries)} entries for {len(seats)} players: {who}")
        return entries

    def _round(self, round_index: int) -> int:
        if not self._sheet.rounds:
            raise MatchError("no round has been entered yet")
        return _whole("round", round_index, 0, len(self._sheet.rounds) - 1)

    def _player(self, seat: int) -> str:
        return self._sheet.ids[_whole("seat", seat, 0, len(self.players) - 1)]

    def _seat(self, player: str) -> int:
        return self._sheet.ids.index(player)

    def _seat_or_none(self, player: str | None) -> int | None:
        return None if player is None else self._seat(player)


def _text(what: str, given: object) -> str:
    try:
        return names.text(what, given)
    except ValueError as error:
        raise MatchError(str(error)) from None


def _whole(what: str, value: object, low: int | None = None, high: int | None = None) -> int:
    try:
        return whole(what, value, low, high)
    except ValueError as error:
        raise MatchError(str(error)) from None
