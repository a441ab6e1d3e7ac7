"""Whatever is entered, corrected, taken back and merged: the totals are those of a recount from scratch."""

from hypothesis import given, settings
from hypothesis import strategies as st

import flip7
from flip7.scorekeeper.hands import ways

POSSIBLE = [
    points for points, way in enumerate(ways(1)) if way == 1 and 2 <= points <= 87
]  # no two of them need a card
points = st.sampled_from(POSSIBLE)
hands = st.sets(st.sampled_from(flip7.Card), max_size=6).map(sorted)
entry = points | st.just("bust") | hands
steps = st.lists(
    st.one_of(
        st.tuples(st.just("enter"), st.lists(entry, min_size=4, max_size=4)),
        st.tuples(st.just("edit"), st.integers(0, 20), st.lists(entry, min_size=4, max_size=4)),
        st.tuples(st.just("remove"), st.integers(0, 20)),
        st.tuples(st.just("target"), st.integers(1, 400)),
        st.tuples(st.just("undo")),
        st.tuples(st.just("redo")),
        st.tuples(st.just("rename"), st.integers(0, 3), st.sampled_from(["Ana", "Ben", "Zoë"])),
        st.tuples(st.just("add"), st.sampled_from(["Eve", "Fay"]), st.integers(0, 100)),
        st.tuples(st.just("retire"), st.integers(0, 4)),
        st.tuples(st.just("rejoin"), st.integers(0, 4)),
    ),
    max_size=25,
)


def do(match: flip7.Match, step: tuple) -> None:  # type: ignore[type-arg]
    """One step; the match refuses what it must, and then nothing has changed."""
    before = match.to_json()
    kind, *values = step
    if kind == "target":
        kind = "change_target"
    if kind in ("enter", "edit"):
        values[-1] = values[-1][: len(match.present)]
    try:
        getattr(match, kind)(*values)
    except flip7.MatchError:
        assert match.to_json() == before


def worth(entered: object) -> int:
    if entered == "bust":
        return 0
    return entered if isinstance(entered, int) else flip7.score(entered, 2)  # type: ignore[arg-type]


def recount(match: flip7.Match) -> list[int]:
    late = [op.score for op in match.operations if hasattr(op, "score")]
    totals = []
    for seat in range(len(match.players)):
        entered = [entries[seat] for entries in match.entries]
        total = sum(worth(value) for value in entered if value is not None)
        assert total == sum(scores[seat] or 0 for scores in match.rounds)
        totals.append(total)
    agreed = [total - counted for total, counted in zip(match.totals, totals, strict=True)]
    assert all(score == 0 or score in late for score in agreed)
    return [total + score for total, score in zip(totals, agreed, strict=True)]


@settings(deadline=None)
@given(steps)
def test_totals_are_those_of_a_recount_from_scratch(taken: list[tuple]) -> None:  # type: ignore[type-arg]
    match = flip7.Match(4, device="one")
    for step in taken:
        do(match, step)
        assert match.totals == recount(match)
        assert match.conflicts == ()
        if match.rounds:
            assert match.history[-1] == match.totals


@settings(deadline=None)
@given(st.lists(st.lists(points, min_size=3, max_size=3), min_size=1, max_size=12), st.data())
def test_enter_edit_undo_redo_keep_to_a_plain_list_of_rounds(entered: list[list[int]], data: st.DataObject) -> None:
    match = flip7.Match(3, target=1_000_000)
    past: list[list[list[int]]] = [[]]
    future: list[list[list[int]]] = []
    for entries in entered:
        kind = data.draw(st.sampled_from(["enter", "enter", "edit", "undo", "redo"]))
        now = past[-1]
        if kind == "enter":
            match.enter(entries)
            past.append([*now, entries])
            future = []
        elif kind == "edit" and now:
            at = data.draw(st.integers(0, len(now) - 1))
            match.edit(at, entries)
            past.append([*now[:at], entries, *now[at + 1 :]])
            future = []
        elif kind == "undo" and len(past) > 1:
            match.undo()
            future.append(past.pop())
        elif kind == "redo" and future:
            match.redo()
            past.append(future.pop())
        assert match.rounds == past[-1]
        assert match.totals == [sum(scores) for scores in zip(*past[-1], strict=True)] or not past[-1]


@settings(deadline=None)
@given(steps)
def test_files_round_trip(taken: list[tuple]) -> None:  # type: ignore[type-arg]
    match = flip7.Match(4)
    for step in taken:
        do(match, step)
    again = flip7.Match.from_json(match.to_json())
    assert again == match
    assert again.to_json() == match.to_json()


@settings(deadline=None)
@given(steps, steps, steps, steps)
def test_merging_is_commutative_associative_and_idempotent(
    common: list[tuple],  # type: ignore[type-arg]
    first: list[tuple],  # type: ignore[type-arg]
    second: list[tuple],  # type: ignore[type-arg]
    third: list[tuple],  # type: ignore[type-arg]
) -> None:
    start = flip7.Match(4, device="start")
    for step in common:
        do(start, step)
    phones = [flip7.Match.from_json(start.to_json(), device=name) for name in ("one", "two", "three")]
    for phone, taken in zip(phones, (first, second, third), strict=True):
        for step in taken:
            do(phone, step)

    def merged(*order: int) -> flip7.Match:
        match = phones[order[0]].copy()
        for other in order[1:]:
            match.merge(phones[other])
        return match

    expected = merged(0, 1, 2)
    for order in ((2, 1, 0), (1, 0, 2), (1, 1, 2, 0, 1)):
        assert merged(*order) == expected
        assert merged(*order).to_json() == expected.to_json()
    pair = merged(1, 2)
    left = phones[0].copy()
    left.merge(pair)
    assert left == expected
    for phone in phones:
        assert set(map(id_of, phone.operations)) <= set(map(id_of, expected.operations))


def id_of(operation: object) -> str:
    return str(getattr(operation, "id"))  # noqa: B009
