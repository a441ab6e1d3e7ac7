"""Games of a simulation as records: the same game, played once more where every card can be seen."""

from __future__ import annotations

from collections import Counter

from flip7.game.events import CardFlipped
from flip7.game.game import Game
from flip7.rules import log
from flip7.rules.cards import CARDS
from flip7.rules.naming import NAME_LENGTH
from flip7.sim import counts
from flip7.sim.lineup import Job, Lineup, play_interpreted, play_part
from flip7.sim.run import Run, SimulationError

Entry = tuple[int, int, int, int, int]


class Notebook(list[Entry]):
    """A log that keeps only the last game."""

    def append(self, entry: Entry) -> None:
        """Note an event; the first round of a game opens a new page."""
        kind, _, _, other, _ = entry
        if kind == log.ROUND_STARTED and other == 1:
            self.clear()
        super().append(entry)


def first_games(run: Run, count: int) -> list[Game]:
    """Return the first games of a run, at most n, ready for their records.

    Raises `SimulationError` if they do not come out as they did in the simulation, which happens when a strategy of
    the user's answers the same question in different ways.
    """
    count = min(count, run.tally.games)
    games, winners = [], []
    for number in range(count):
        game, winner = play_again(run.job, run.lineup, number)
        games.append(game)
        winners.append(winner)
    if count:
        counted = play_part(run.job, 0, count, run.lineup)
        wins = Counter(winners)
        flips = sum(isinstance(event, CardFlipped) for game in games for event in game.events)
        same = [row[counts.WINS] for row in counted.sums] == [wins[entry] for entry in range(run.seats)]
        if not same or counted.flips != flips or counted.rounds != sum(len(game.rounds) for game in games):
            raise SimulationError("the games do not come out twice in the same way: a strategy is not deterministic")
    return games


def play_again(job: Job, lineup: Lineup, number: int) -> tuple[Game, int]:
    """Play one game of a job again, by its number from 0, card by card; returns it and the entry that won."""
    table = job.rules.table(lineup.seats)
    pages = Notebook()
    table.log = pages
    first = number - number % table.seats
    _, order = play_interpreted(job, lineup, table, first, number - first + 1)
    names = player_names(lineup.names)
    players = [names[entry] for entry in order]
    game = Game(players, live=True, rules=job.rules, place=f"flip7 sim, seed {job.seed}, game {number + 1}")
    while game.decision is not None:
        if len(game.events) >= len(pages):
            raise SimulationError(f"game {number + 1} was not over after {job.most_rounds:,} rounds")
        game.play(_answer(pages[len(game.events)]))
    if len(game.events) != len(pages) or game.winner != table.winner:
        raise SimulationError(f"game {number + 1} does not come out twice in the same way")
    return game, order[game.winner or 0]


def player_names(strategies: list[str]) -> list[str]:
    """Return a name for each entry; those that are there several times are numbered."""
    names = []
    for entry, strategy in enumerate(strategies):
        twins = strategies.count(strategy)
        number = f" #{strategies[: entry + 1].count(strategy)}" if twins > 1 else ""
        text = "".join(c if c.isprintable() else "?" for c in strategy)
        names.append(text[-(NAME_LENGTH - len(number)) :] + number)
    return names


def _answer(entry: Entry) -> str | int:
    """Return the input that an event of the log came from."""
    kind, _, card, other, _ = entry
    if kind == log.PLAYER_HIT:
        return "hit"
    if kind == log.PLAYER_STAYED:
        return "stay"
    return CARDS[card] if kind == log.CARD_FLIPPED else other
