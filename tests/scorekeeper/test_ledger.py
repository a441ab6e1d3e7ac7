"""A ledger takes what a match takes, and refuses what a match refuses, without counting anything."""

from __future__ import annotations

import msgspec
import pytest

from flip7 import Match
from flip7.rules.cards import Card
from flip7.scorekeeper.errors import MatchError
from flip7.scorekeeper.ledger import Ledger
from flip7.scorekeeper.model.operations import AnyOperation, Enter, Rename, Start, Stored, Target, Undo


@pytest.fixture
def match() -> Match:
    match = Match(["Ana", "Ben"], device="one", id="m")
    match.enter([["12"], 5])
    return match


def entered(ana: Stored, ben: Stored = 0) -> Enter:
    return Enter(clock=9, device="two", round=1, entries={"0": ana, "1": ben})


REFUSED: list[list[AnyOperation]] = [
    [Enter(clock=1, device="one", round=0, entries={"0": 1, "1": 5})],
    [Rename(clock=9, device="two", player="0", name="A"), Rename(clock=9, device="two", player="0", name="B")],
    [Rename(clock=9, device="two", player="0", name="")],
    [Rename(clock=0, device="two", player="0", name="A")],
    [Target(clock=9, device="two", target=0)],
    [Target(clock=9, device="no device", target=100)],
    [entered([Card("5"), Card("5")])],
    [Undo(clock=9, device="two", what="0.one")],
    [Start(clock=0, device="two", players=("Ana", "Ben"), target=200, dealer=0)],
]


@pytest.mark.parametrize("operations", REFUSED, ids=lambda one: type(one[-1]).__name__)
def test_what_no_match_takes_no_ledger_takes(match: Match, operations: list[AnyOperation]) -> None:
    ledger = Ledger(match.operations)
    with pytest.raises(MatchError) as refused:
        list(ledger.check(ledger.unknown(operations)))
    with pytest.raises(MatchError) as by_the_match:
        match.merge(operations)
    assert refused.value.refusal == by_the_match.value.refusal


def test_what_is_there_already_is_not_new_and_the_rest_is_counted_as_work(match: Match) -> None:
    ledger = Ledger(match.operations)
    more = [*match.operations, entered(1, 2), Target(clock=10, device="two", target=100)]
    again = msgspec.json.decode(msgspec.json.encode(more), type=list[AnyOperation])
    new = ledger.unknown([*again, again[-1]])
    assert new == more[2:]
    assert list(ledger.check(new)) == [3, 1]
    ledger.add(new)
    assert (ledger.operations, ledger.unknown(again), ledger.work, ledger.latest) == (more, [], 8, 10)


@pytest.mark.parametrize("start", [None, Target(clock=0, device="one", target=200)])
def test_a_match_begins_with_its_start(start: AnyOperation | None) -> None:
    with pytest.raises(MatchError):
        Ledger.begin("m", start)


def test_a_start_that_cannot_be_is_refused_and_so_is_an_id() -> None:
    start = Start(clock=0, device="one", players=("Ana",), target=200, dealer=0)
    assert Ledger.begin("m", start).operations == [start]
    for id, wrong in (("m", msgspec.structs.replace(start, dealer=1)), ("a b", start)):
        with pytest.raises(MatchError):
            Ledger.begin(id, wrong)
