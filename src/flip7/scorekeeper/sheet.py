"""The score sheet that follows from a match's operations: players, rounds, totals, dealer, winner, conflicts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flip7.game.options import DECKS, Rules
from flip7.rules.keeping import keep_round
from flip7.rules.moves import pass_deal
from flip7.rules.scoring import leader
from flip7.rules.table import GAME_OVER, NOBODY, SEATS, Table
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.hands import BUST, RoundCheck, Value, cards_in_order
from flip7.scorekeeper.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Operations,
    Register,
    Remove,
    Rename,
    Stored,
    Target,
)


class Player(msgspec.Struct):
    """Somebody who plays or played."""

    id: str
    name: str
    score: int
    """The points they started with."""
    joined: int
    """The first round they play."""
    away: tuple[tuple[int, int | None], ...] = ()

    def plays(self, round: int) -> bool:
        """Whether they are at the table in that round."""
        gone = any(first <= round and (back is None or round < back) for first, back in self.away)
        return self.joined <= round and not gone


class Round(msgspec.Struct, frozen=True):
    """A finished round, by player id."""

    number: int
    """Its place among all rounds that were ever entered; those removed keep theirs."""
    dealer: str
    entries: dict[str, Value]
    scores: dict[str, int]
    totals: dict[str, int]
    playoff: bool
    """Whether it was played because of a tie (GAME-2)."""


class Conflict(msgspec.Struct, frozen=True):
    """Two devices disagree, or what they entered together cannot be. It stands until somebody decides."""

    text: str
    round: int | None = None
    """Which round it is about, counted as in `Match.rounds`."""
    seat: int | None = None
    choices: tuple[object, ...] = ()
    """The values that were entered; empty where there is nothing to choose, but something to correct."""
    operations: tuple[str, ...] = ()
    register: Register | None = None


class Sheet:
    """What a set of operations adds up to. It is made anew after every change, from scratch."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations
        self.conflicts: list[Conflict] = []
        self.players = self._seat_players()
        self.ids = [player.id for player in self.players]
        start = operations.start
        self.decks = start.decks
        target = self._value(("target", "", -1))
        self.target = target.target if isinstance(target, Target) else start.target
        self.rounds: list[Round] = []
        self.open: dict[str, Value] = {}
        self.totals = {player.id: player.score for player in self.players}
        self.dealer = str(start.dealer)
        self.winner: str | None = None
        self.playoff = False
        self._count()
        present = self.present(self.number)
        ahead = leader(self._table(present))
        self.leader = present[ahead] if present and ahead != NOBODY else None

    def present(self, number: int) -> list[str]:
        """Who plays that round, in order of their seats."""
        return [player.id for player in self.players if player.plays(number)]

    def check(self, entries: dict[str, Value], number: int) -> dict[str, int]:
        """The points of some or all hands of a round. Raises `MatchError`, naming the player (KEEP-4)."""
        present = self.present(number)
        check = RoundCheck(len(present), Rules(decks=self.decks).decks_for(len(present)))
        scores = {}
        for seat, player in enumerate(present):
            if player in entries:
                try:
                    scores[player] = check.take(seat, entries[player])
                except MatchError as error:
                    raise MatchError(f"{self.name(player)}: {error}") from None
        return scores

    def name(self, player: str) -> str:
        """What a player is called."""
        return self.players[self.ids.index(player)].name

    def _seat_players(self) -> list[Player]:
        start = self._operations.start
        players = [Player(str(seat), name, 0, 0) for seat, name in enumerate(start.players)]
        for operation in self._operations.live:
            if isinstance(operation, Add):
                if len(players) == SEATS:
                    self.conflicts.append(Conflict(f"{operation.name} is one too many: at most {SEATS} can play"))
                    continue
                ids = [player.id for player in players]
                at = ids.index(operation.after) + 1 if operation.after in ids else len(players)
                players.insert(at, Player(operation.id, operation.name, operation.score, operation.round))
        for seat, player in enumerate(players):
            renamed = self._value(("name", player.id, -1), seat=seat, what=f"the name of {player.name}")
            if isinstance(renamed, Rename):
                player.name = renamed.name
            away = self._value(("away", player.id, -1), seat=seat, what=f"when {player.name} is away")
            if isinstance(away, Away):
                player.away = away.rounds
        return players

    def _value(self, register: Register, what: str = "", seat: int | None = None) -> AnyOperation | None:
        """The operation whose value holds: the latest, while others that it did not know of are shown as a conflict."""
        heads = self._operations.heads(register)
        if not heads:
            return None
        choices = {repr(contents(head, register)): head for head in heads}
        if len(choices) > 1:
            self._disagree(register, list(choices.values()), what or f"the {register[0]}", seat)
        return heads[-1]

    def _disagree(
        self, register: Register, heads: Sequence[AnyOperation], what: str, seat: int | None, round: int | None = None
    ) -> None:
        values = tuple(contents(head, register) for head in heads)
        told = ", ".join(show(value) for value in values)
        names = tuple(head.id for head in heads)
        self.conflicts.append(Conflict(f"two devices disagree on {what}: {told}", round, seat, values, names, register))

    def _count(self) -> None:
        """Go through the rounds in order, as far as they are complete (KEEP-1)."""
        number, due = 0, False
        last: list[str] = []
        entered = {register[2] for register in self._operations.written if register[0] == "entry"}
        while True:
            removed = self._value(("removed", "", number), what="whether a round counts")
            if removed is not None:
                number += 1
                continue
            self._deal(number)
            entries = self._entries(number)
            present = self.present(number)
            if not present or entries.keys() != set(present):
                break
            scores = self._scores(entries, number)
            table = self._table(present)
            keep_round(table, [scores[player] for player in present])
            self.totals.update(zip(present, table.totals, strict=True))
            self.rounds.append(Round(number, self.dealer, entries, scores, dict(self.totals), due))
            due = table.playoffs > 0
            last = present
            number += 1
        self.number = number
        self.open = entries
        behind = sorted(later for later in entered if later > number)
        if behind:
            self.conflicts.append(
                Conflict(
                    f"round {len(self.rounds) + 1} is not complete, so {len(behind)} later ones do not count yet",
                    len(self.rounds),
                )
            )
        self._decide([player for player in last if player in set(self.present(number))])

    def _deal(self, number: int) -> None:
        """Who deals that round: the next player at the table, unless somebody said otherwise (END-3)."""
        chosen = self._value(("dealer", "", number), what="who deals")
        if isinstance(chosen, Dealer) and chosen.player in self.ids:
            self.dealer = chosen.player
        elif self.rounds:
            self.dealer = self.rounds[-1].dealer
            self._pass_deal()
        present = self.present(number)
        while present and self.dealer not in present:
            self._pass_deal()

    def _pass_deal(self) -> None:
        table = Table(len(self.ids))
        table.dealer = self.ids.index(self.dealer)
        pass_deal(table)
        self.dealer = self.ids[table.dealer]

    def _entries(self, number: int) -> dict[str, Value]:
        entries: dict[str, Value] = {}
        for seat, player in enumerate(self.ids):
            register = ("entry", player, number)
            heads = self._operations.heads(register)
            if not heads or not self.players[seat].plays(number):
                continue
            values = {_points(contents(head, register)): head for head in heads} if len(heads) > 1 else {}
            if len(values) > 1:
                what = f"{self.players[seat].name} in round {len(self.rounds) + 1}"
                self._disagree(register, list(values.values()), what, seat, len(self.rounds))
            last = heads[-1]
            assert isinstance(last, Enter)
            stored = last.entries[player]
            entries[player] = tuple(stored) if isinstance(stored, list) else stored
        return entries

    def _scores(self, entries: dict[str, Value], number: int) -> dict[str, int]:
        """The points of a complete round; if its hands cannot be together, each counts alone and that is shown."""
        try:
            return self.check(entries, number)
        except MatchError as error:
            text = f"round {len(self.rounds) + 1} cannot be: {error}"
            self.conflicts.append(Conflict(text, len(self.rounds)))
            return {player: _points(value) for player, value in entries.items()}

    def _table(self, players: Sequence[str]) -> Table:
        table = Table(max(len(players), 1))
        table.target = self.target
        table.totals = [self.totals[player] for player in players] or [0]
        return table

    def _decide(self, players: list[str]) -> None:
        """Who has won, or whether a playoff is due, after the last round and with the present target (KEEP-3)."""
        if not players:
            return
        table = self._table(players)
        keep_round(table, [0] * len(players))
        self.playoff = table.playoffs > 0
        if table.waiting == GAME_OVER:
            self.winner = players[table.winner]
            self.dealer = self.rounds[-1].dealer


def contents(operation: AnyOperation, register: Register) -> object:
    """The value that an operation gives to a register."""
    match operation:
        case Enter():
            return operation.entries[register[1]]
        case Rename():
            return operation.name
        case Target():
            return operation.target
        case Away():
            return operation.rounds
        case Dealer():
            return operation.player
        case Remove():
            return True
    return None


def _points(value: object) -> int:
    """The points of one hand alone."""
    if isinstance(value, int):
        return value
    if value == BUST or not isinstance(value, list | tuple):
        return 0
    return RoundCheck(1, DECKS).take(0, tuple(value))


def show(value: object) -> str:
    """An entry or another value as people read it."""
    if isinstance(value, list | tuple):
        return " ".join(str(part) for part in value) or "no cards"
    return str(value)


def store(value: Value) -> Stored:
    """An entry as it lies in an operation: cards in the order of the box."""
    value = cards_in_order(value)
    return list(value) if isinstance(value, tuple) else value
