"""What holds in every game at every moment, tried on random games with random rules."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7 import Card, Game, IllegalChoice, InvalidChoice, Position, Rules
from flip7.game.choices import answer
from flip7.game.view import Choice
from flip7.rules.cards import CARDS, NUMBERS_ONLY
from flip7.testing import at_random, check_table

WORTH_POINTS = [card for card in CARDS if 0 < card.face < Card("x2").face]

compositions = st.builds(
    lambda counts, card, n: {**counts, card: n},
    st.dictionaries(st.sampled_from(CARDS), st.integers(1, 5)),
    st.sampled_from(WORTH_POINTS),
    st.integers(1, 5),
)


@st.composite
def games(draw: st.DrawFn, *, most: int = 36) -> Game:
    """A game of any size with any rules, shuffled or live, at its start."""
    players = draw(st.integers(1, 4) | st.integers(1, most))
    rules = Rules(
        target=draw(st.integers(1, 80)),
        dealer=draw(st.integers(0, players - 1)),
        first=draw(st.sampled_from(("left", "dealer"))),
        decks=draw(st.none() | st.integers(1, 3)),
        composition=draw(st.none() | st.just(NUMBERS_ONLY) | compositions),
        reshuffle=draw(st.sampled_from(("empty", "round"))),
    )
    if draw(st.booleans()):
        return Game(players, rules=rules, live=True)
    return Game(players, rules=rules, seed=draw(st.integers(0, 2**32)))


randoms = st.builds(Random, st.integers(0, 2**32))
stays = st.sampled_from((0.05, 0.3, 0.7))


def played(game: Game, random: Random, moves: int, stay: float = 0.3) -> Iterator[Game]:
    """The game at its start and after each of so many random choices, as long as it goes on."""
    yield game
    while game.decision is not None and moves > 0:
        game.play(at_random(game, random, stay=stay))
        moves -= 1
        yield game


@given(games(), randoms, stays)
def test_no_card_is_lost_or_made_and_all_counts_agree(game: Game, random: Random, stay: float) -> None:
    for moment in played(game, random, 60, stay):
        check_table(moment)


@settings(max_examples=25)
@given(st.integers(1, 36), st.integers(0, 2**32), randoms, st.sampled_from(("empty", "round")))
def test_a_game_in_which_one_player_sometimes_stays_ends(players: int, seed: int, random: Random, when: str) -> None:
    """Seat 0 stays now and then; everybody else always hits, whatever comes."""
    rules = Rules(target=50, reshuffle="round" if when == "round" else "empty")
    game = Game(players, seed=seed, rules=rules)
    for _ in range(20_000):
        if game.decision is None:
            break
        game.play(at_random(game, random, stay=0.5 if game.decision.seat == 0 else 0))
    assert game.winner is not None
    assert game.seats[game.winner].total == max(seat.total for seat in game.seats) >= 50


SEATS_AND_WORDS: list[Choice] = ["hit", "stay", *range(-1, 37), *CARDS]
RUBBISH: list[object] = [
    "",
    "HIT",
    "hit ",
    "13",
    "-1",
    "freez",
    None,
    True,
    False,
    1.0,
    2.5,
    [],
    ("hit",),
    int,
    object(),
]


def offered(choice: Choice, options: tuple[Choice, ...]) -> bool:
    return any(choice == option and isinstance(choice, int) == isinstance(option, int) for option in options)


@settings(max_examples=40)
@given(games(most=36), randoms, st.integers(0, 40))
def test_play_accepts_exactly_what_is_offered(game: Game, random: Random, moves: int) -> None:
    *_, game = played(game, random, moves)
    before = snapshot(game)
    for choice in SEATS_AND_WORDS:
        if game.decision is not None and offered(choice, game.decision.options):
            game.copy().play(choice)
        else:
            with pytest.raises(IllegalChoice):
                game.play(choice)
    for rubbish in RUBBISH:
        with pytest.raises(InvalidChoice if game.decision else IllegalChoice):
            game.play(rubbish)  # type: ignore[arg-type]
    assert snapshot(game) == before


def snapshot(game: Game) -> tuple[object, ...]:
    """All that can be seen of a game."""
    seats = [(s.name, s.total, s.points, s.status, s.cards, s.line) for s in game.seats]
    sums = (game.rounds, game.winner, game.dealer, game.playoffs, game.challenge, game.choices, game.commitment)
    piles = (game.draw_pile, game.discard_pile, game.pending)
    return (game.record(), str(game.position), game.events, game.decision, seats, sums, piles, game.table.copy())


@settings(max_examples=40)
@given(games(most=6), randoms, st.integers(0, 30), st.integers(1, 30))
def test_a_copy_never_shares(game: Game, random: Random, before: int, after: int) -> None:
    *_, game = played(game, random, before)
    seen = snapshot(game)
    twin = game.copy()
    assert snapshot(twin) == seen
    *_, twin = played(twin, random, after)
    assert snapshot(game) == seen
    for choice in twin.choices[len(game.choices) :]:
        game.play(choice)
    assert snapshot(game) == snapshot(twin)


@settings(max_examples=40)
@given(games(most=6), randoms, st.integers(1, 25))
def test_undo_is_exact(game: Game, random: Random, moves: int) -> None:
    moments = [snapshot(moment) for moment in played(game, random, moves)]
    choices = game.choices
    while game.choices:
        assert snapshot(game) == moments.pop()
        game.undo()
    assert [snapshot(game)] == moments
    with pytest.raises(IllegalChoice):
        game.undo()
    for choice in choices:
        game.play(choice)
    assert game.choices == choices


@settings(max_examples=40)
@given(games(most=20), randoms, stays)
def test_a_record_reads_back_at_every_moment(game: Game, random: Random, stay: float) -> None:
    for moment in played(game, random, 25, stay):
        again = Game.from_record(moment.record())
        assert snapshot(again) == snapshot(moment)


@settings(max_examples=60)
@given(games(most=20), randoms, stays)
def test_a_position_reads_back_at_every_moment_and_plays_on_alike(game: Game, random: Random, stay: float) -> None:
    for moment in played(game, random, 40, stay):
        position = moment.position
        again = Position(str(position))
        assert again == position
        assert str(again) == str(position)
        assert hash(again) == hash(position)
        assert (again.decision, again.pending, again.winner) == (moment.decision, moment.pending, moment.winner)
        if moment.decision is not None:
            choice = at_random(moment, random)
            here, there = position.table, again.table.copy()
            answer(here, choice)
            answer(there, choice)
            assert here.log == there.log
            assert str(Position.of(here)) == str(Position.of(there))


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(2**64, 2**128), randoms)
def test_a_committed_game_tells_its_seed_only_at_the_end(players: int, seed: int, random: Random) -> None:
    game = Game(players, seed=seed, commit=True, salt="c0ffee" * 4, rules=Rules(target=40))
    assert game.commitment is not None
    for moment in played(game, random, 1000):
        text = moment.record()
        assert game.commitment in text
        assert (str(seed) in text) == ("c0ffee" in text) == (moment.winner is not None)
    assert Game.from_record(game.record()).seed == seed
