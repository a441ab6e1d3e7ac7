"""OpenSpiel: the game as `python_flip7`, with a chance node for every card. Importing this registers it.

Parameters: `players` (1 to 10), `target`, `composition` (one deck, as `12:3;x2:1`; empty is the real one), `reward`
(`win` or `points`) and `rounds` (after how many the game is stopped; 0 plays it to the end).
"""

from __future__ import annotations

from typing import Any, NoReturn

from flip7.extras import missing

try:  # first of all: the extra that brings it brings everything else too
    import pyspiel  # type: ignore[import-not-found]
except ImportError as error:
    raise ImportError(missing("flip7.envs.openspiel", error.name, "envs")) from None

from flip7.compiled.loading import numpy as np
from flip7.envs.cells import check_range
from flip7.envs.core import REWARDS, meaning, one_of, told_actions
from flip7.envs.observation import FARTHEST, GIVE, HIT, allow, observe, places_after, row_size
from flip7.game.choices import whole
from flip7.game.options import Rules
from flip7.game.position import Position
from flip7.rules.cards import CARDS, FACES, TWELVE, X2, Card
from flip7.rules.inputs import begin_round, give, hit, reveal, stay
from flip7.rules.piles import plus
from flip7.rules.scoring import BONUS, FLIP7, challenge_met, hand_points, leader
from flip7.rules.table import AWAIT_CARD, GAME_OVER, HIT_OR_STAY, NOBODY, ROUND_OVER

PLAYERS = 10  # at the most
ROUNDS = 1_000  # at the most, where the game is stopped
LONGEST = 1_000_000  # choices: no game comes near
PARAMETERS = {"players": 3, "target": 200, "composition": "", "reward": "win", "rounds": 0}
"""What the game can be told, with what it takes for granted."""


def game_type(players: int, reward: str) -> Any:
    """Return what kind of game it is. A winner takes from the others, but points are everybody's own."""
    utility = pyspiel.GameType.Utility
    model = pyspiel.GameType.RewardModel
    return pyspiel.GameType(
        short_name="python_flip7",
        long_name="Flip 7",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if reward == "win" and players > 1 else utility.GENERAL_SUM,
        reward_model=model.TERMINAL if reward == "win" else model.REWARDS,
        max_num_players=PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class Flip7Game(pyspiel.Game):  # type: ignore[misc]  # its base has no types
    """The game and its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises `ValueError` for parameters that are out of range."""
        given = {**PARAMETERS, **(params or {})}
        self.players = whole("players", given["players"], 1, PLAYERS)
        self.reward = one_of("reward", given["reward"], tuple(REWARDS))
        self.rounds = whole("rounds", given["rounds"], 0, ROUNDS)
        composition = read_composition(given["composition"])
        self.rules = Rules(target=whole("target", given["target"], 1, FARTHEST), composition=composition)
        given["composition"] = write_composition(composition)
        table = self.rules.table(self.players)
        check_range(table)
        best = best_hand(table.draw)
        most = 1.0 if self.reward == "win" else float(best * (self.rounds or ROUNDS))
        least = -1.0 / (self.players - 1) if self.reward == "win" and self.players > 1 else 0.0
        info = pyspiel.GameInfo(
            num_distinct_actions=GIVE + self.players,
            max_chance_outcomes=FACES,
            num_players=self.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if self.reward == "win" and self.players > 1 else None,
            max_game_length=LONGEST,
        )
        super().__init__(game_type(self.players, self.reward), info, given)

    def new_initial_state(self) -> Flip7State:
        """Return a game before its first card."""
        return Flip7State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Flip7Observer:
        """Return what looks at a game. Everything is public: asking for private information alone shows nothing."""
        if params:
            raise ValueError(f"observation parameters {params!r}: there are none")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Flip7Observer(self.players if kind.public_info else 0, remembers=kind.perfect_recall)


class Flip7State(pyspiel.State):  # type: ignore[misc]  # its base has no types
    """A game in progress."""

    def __init__(self, game: Flip7Game) -> None:
        """Begin the first round."""
        super().__init__(game)
        self.reward = game.reward
        self.most_rounds = game.rounds
        self.table = game.rules.table(game.players)
        self.banked = [0.0] * game.players
        """What the last choice has brought, with the cards that followed it."""
        begin_round(self.table)

    def current_player(self) -> int:
        """Return who is asked: a player, chance for a card, or nobody."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.table.waiting == AWAIT_CARD:
            return int(pyspiel.PlayerId.CHANCE)
        return self.table.seat

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.table.waiting in (GAME_OVER, ROUND_OVER)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the actions that the player may take, in ascending order."""
        return [action for action, allowed in enumerate(self._mask()) if allowed]

    def _mask(self) -> list[int]:
        mask = [0] * (GIVE + self.table.seats)
        allow(self.table, mask)
        return mask

    def legal_actions_mask(self, *player: int) -> list[int]:
        """Return 1 for every action that the player may take, or, for chance, every card that can come up.

        OpenSpiel takes the cards for those of any player, whose mask has no room for them: it writes beyond its end.
        """
        if player and player[0] >= 0 and self.is_chance_node():
            return [0] * (GIVE + self.table.seats)
        mask: list[int] = super().legal_actions_mask(*player)
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the faces that can come up, each with its probability."""
        table = self.table
        return [(face, table.draw[face] / table.draw_left) for face in range(FACES) if table.draw[face]]

    def _apply_action(self, action: int) -> None:
        """Make a choice, or turn up a card. Raises `ValueError` for an impossible one; then nothing has happened."""
        table = self.table
        if not self._can(action):
            self._refuse(action)
        before = [float(total) for total in table.totals]
        if table.waiting == AWAIT_CARD:
            before = [total - points for total, points in zip(before, self.banked, strict=True)]
            reveal(table, action)
        elif table.waiting == HIT_OR_STAY:
            if action == HIT:
                hit(table)
            else:
                stay(table)
        else:
            give(table, places_after(table, table.seat, action - GIVE))
        while table.waiting == ROUND_OVER and table.round != self.most_rounds:
            begin_round(table)
        table.log.clear()
        self.banked = [now - then for now, then in zip(table.totals, before, strict=True)]

    def _can(self, action: int) -> bool:
        """Return whether an action is legal, or a face can come up."""
        if self.table.waiting == AWAIT_CARD:
            return 0 <= action < FACES and self.table.draw[action] > 0
        return action in self._legal_actions(self.table.seat)

    def _refuse(self, action: int) -> NoReturn:
        if self.table.waiting == AWAIT_CARD:
            told = ", ".join(f"{face} ({CARDS[face]})" for face, _ in self.chance_outcomes())
            raise ValueError(f"card {action} cannot come up; these can: {told}")
        raise ValueError(f"action {action} is forbidden; allowed are {told_actions(self._mask())}")

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in words."""
        if player == pyspiel.PlayerId.CHANCE:
            return str(CARDS[action])
        return meaning(action)

    def rewards(self) -> list[float]:
        """Return what the last choice has brought to everybody, with the cards that followed it."""
        if self.reward == "points":
            return self.banked
        return self.returns()

    def returns(self) -> list[float]:
        """Return what everybody has got so far: points, or the win when it is decided."""
        table = self.table
        if self.reward == "points":
            return [float(total) for total in table.totals]
        if not self.is_terminal():
            return [0.0] * table.seats
        if table.seats == 1:
            met = table.waiting == GAME_OVER and challenge_met(table.round, table.playoffs)
            return [1.0 if met else 0.0]
        winner = leader(table)
        if winner == NOBODY:
            return [0.0] * table.seats
        return [1.0 if seat == winner else -1.0 / (table.seats - 1) for seat in range(table.seats)]

    def __str__(self) -> str:
        """Return the position, as the library writes it."""
        return str(Position.of(self.table))


class Flip7Observer:
    """Looks at a game: the row of docs/envs.md, and the position in the library's notation."""

    def __init__(self, players: int, *, remembers: bool) -> None:
        """Look at games of n players; with 0, at nothing. If it `remembers`, the text has all that has happened."""
        self.tensor = np.zeros(row_size(players) if players else 0, np.float32)
        self.dict = {"observation": self.tensor} if players else {}
        self._remembers = remembers

    def set_from(self, state: Flip7State, player: int) -> None:
        """Look at a game as a player sees it."""
        whole("player", player, 0, state.table.seats - 1)
        if self.dict:
            row = [0] * len(self.tensor)
            observe(state.table, player, row)
            self.tensor[:] = row

    def string_from(self, state: Flip7State, player: int) -> str:
        """Return what a player sees, or has seen, as text."""
        whole("player", player, 0, state.table.seats - 1)
        if not self.dict:
            return ""
        return f"p{player} {state.history_str() if self._remembers else state}"


def read_composition(text: object) -> dict[Card, int] | None:
    """Read a deck, as `12:3;x2:1`. Raises `ValueError` if it cannot be read."""
    if not isinstance(text, str):
        raise ValueError(f"composition {text!r}: text is needed, such as '12:3;x2:1'")
    if not text:
        return None
    counts: dict[Card, int] = {}
    for part in text.replace(",", ";").replace(" ", "").split(";"):
        card, _, copies = part.partition(":")
        if not copies.isdecimal():
            raise ValueError(f"composition {text!r}: {part!r} should be CARD:COUNT, as in '12:3;x2:1'")
        if Card(card) in counts:
            raise ValueError(f"composition {text!r}: {card} is there twice")
        counts[Card(card)] = int(copies)
    return counts


def write_composition(composition: dict[Card, int] | None) -> str:
    """Write a deck as `read_composition` reads it."""
    return ";".join(f"{card}:{count}" for card, count in (composition or {}).items())


def best_hand(deck: list[int]) -> int:
    """Return more points than any hand of a deck has."""
    numbers = sum(sorted((number for number in range(TWELVE + 1) if deck[number]), reverse=True)[:FLIP7])
    bonuses = sum(plus(card) * deck[card] for card in range(TWELVE + 1, X2))
    return hand_points(numbers, bonuses, doubled=deck[X2] > 0, different=0) + BONUS


pyspiel.register_game(game_type(PARAMETERS["players"], "win"), Flip7Game)  # type: ignore[arg-type]
