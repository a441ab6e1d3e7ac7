"""Learn Flip 7 from nothing by playing it: PPO against three `ev`, in one file.

    pip install ".[envs,plots]" jax
    python examples/train_ppo.py                                    # twelve minutes on two cores
    flip7 sim examples/train_ppo.py:Trained ev ev ev --games 100000

The first command writes the weights and the learning curve beside this file. The second one plays them, compiled.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from flip7 import Position
from flip7.envs.observation import (
    DISCARD,
    DISCARD_LEFT,
    DRAW,
    DRAW_LEFT,
    GIVE,
    HAND,
    HIT,
    ON_OFFER,
    POINTS,
    SEAT_SIZE,
    SEATS_FROM,
    STATUS,
    TARGET,
    TOTAL,
    allow,
    observe,
    places_after,
    row_size,
)  # fmt: skip
from flip7.rules.cards import PLUS2, PLUS10, SECOND, TWELVE, X2
from flip7.rules.table import ACTIVE, BUSTED, Table

SEATS = 4
ACTIONS = GIVE + SEATS
OWN, GLOBAL = 12, 7  # numbers that describe a seat, and the table
FEATURES = SEATS * OWN + GLOBAL
HIDDEN = 64
WEIGHTS_FILE = Path(__file__).with_suffix(".npz")


# What the player looks at: a few numbers of about the same size, made from the row that flip7.envs gives.
# Plain loops, so that the same function can be compiled: for a whole batch below, and for a single table in `Trained`.


def describe_seat(row: Any, places: int, x: Any) -> None:
    """Write down how a seat stands, and what its next card would bring."""
    at = SEATS_FROM + places * SEAT_SIZE
    pile, size = (DRAW, row[DRAW_LEFT]) if row[DRAW_LEFT] > 0 else (DISCARD, row[DISCARD_LEFT])
    hand = at + HAND
    points = float(row[at + POINTS])
    total = float(row[at + TOTAL]) + 256.0 * float(row[at + TOTAL + 1])
    target = float(row[TARGET]) + 256.0 * float(row[TARGET + 1])
    factor = 2.0 if row[hand + X2] > 0 else 1.0
    different = numbers = busting = 0.0
    for number in range(TWELVE + 1):
        if row[hand + number] > 0:
            different += 1.0
            numbers += number
            busting += row[pile + number]
    bonus = 15.0 if different == 6.0 else 0.0
    if row[hand + SECOND] > 0:
        busting = 0.0
    gain = -busting * points  # what the next card brings on average
    for number in range(TWELVE + 1):
        if row[hand + number] == 0:
            gain += row[pile + number] * (factor * number + bonus)
    for card in range(PLUS2, PLUS10 + 1):
        gain += row[pile + card] * 2.0 * (card - PLUS2 + 1)
    if factor == 1.0:
        gain += row[pile + X2] * numbers
    cards = max(float(size), 1.0)
    i = places * OWN
    x[i] = 1.0 if row[at + STATUS] == ACTIVE else 0.0
    x[i + 1] = 1.0 if row[at + STATUS] == BUSTED else 0.0
    x[i + 2] = points / 30.0
    x[i + 3] = (target - total) / 100.0
    x[i + 4] = (target - total - points) / 50.0
    x[i + 5] = 1.0 if total + points >= target else 0.0
    x[i + 6] = different / 4.0 - 0.5
    x[i + 7] = 1.0 if row[hand + SECOND] > 0 else 0.0
    x[i + 8] = factor - 1.0
    x[i + 9] = 3.0 * busting / cards
    x[i + 10] = gain / cards / 5.0
    # How far this seat is ahead of the one that looks, when both keep what they have.
    ahead = 0.0
    if places > 0:
        mine = row[SEATS_FROM + POINTS] + row[SEATS_FROM + TOTAL] + 256.0 * row[SEATS_FROM + TOTAL + 1]
        ahead = (total + points - mine) / 30.0
    x[i + 11] = min(max(ahead, -3.0), 3.0)


def describe(row: Any, x: Any) -> None:
    """Write down everything that the player looks at."""
    active = 0.0
    for places in range(SEATS):
        describe_seat(row, places, x)
        active += x[places * OWN]
    at = SEATS * OWN
    for card in range(4):
        x[at + card] = 1.0 if row[ON_OFFER] == card else 0.0
    x[at + 4] = row[DRAW_LEFT] / 50.0
    x[at + 5] = active / 2.0 - 1.0
    x[at + 6] = 1.0 if row[SEATS_FROM + STATUS] == ACTIVE and active == 1.0 else 0.0


def describe_all(rows: Any, x: Any) -> None:
    """Do that for every row of a batch."""
    for i in range(len(rows)):
        describe(rows[i], x[i])


# The network: two hidden layers, then a preference for each action and an opinion about who will win.


def first_weights(seed: int) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(seed)
    policy = [(FEATURES, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, ACTIONS)]
    value = [(FEATURES, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, 1)]
    weights: list[np.ndarray[Any, Any]] = []
    for inputs, outputs in policy + value:
        scale = np.sqrt(2.0 / inputs) if outputs == HIDDEN else 0.01
        weights += [random.normal(0.0, scale, (inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)]
    return weights


def train(
    minutes: float, tables: int, steps: int, seed: int, opponents: tuple[str, ...]
) -> tuple[Any, list[tuple[float, float]]]:
    """Play and learn for so many minutes; returns the weights and the learning curve: (minutes, share of wins)."""
    import gymnasium
    import jax
    import jax.numpy as jnp

    import flip7.envs  # tells Gymnasium about the game  # noqa: F401
    from flip7.compiled.build import compile_with_callees

    minibatches, epochs, rate, clip, discount, trace = 8, 3, 1e-3, 0.2, 1.0, 0.95
    watch = compile_with_callees(describe_all)
    env = gymnasium.make_vec(
        "flip7/Flip7-v0", num_envs=tables, vectorization_mode="vector_entry_point", opponents=opponents
    )

    def network(weights: Any, x: Any) -> tuple[Any, Any]:
        """Return the preferences for the actions, and the value."""
        w = weights
        h = jax.nn.relu(jax.nn.relu(x @ w[0] + w[1]) @ w[2] + w[3]) @ w[4] + w[5]
        v = jax.nn.relu(jax.nn.relu(x @ w[6] + w[7]) @ w[8] + w[9]) @ w[10] + w[11]
        return h, v[:, 0]

    @jax.jit
    def act(weights: Any, key: Any, x: Any, mask: Any) -> tuple[Any, Any, Any]:
        preferences, value = network(weights, x)
        preferences = jnp.where(mask, preferences, -1e9)
        action = jax.random.categorical(key, preferences)
        chance = jax.nn.log_softmax(preferences)[jnp.arange(len(action)), action]
        return action, chance, value

    @jax.jit
    def advantages(rewards: Any, ended: Any, values: Any, last: Any) -> Any:
        """How much better each action turned out than was expected: generalised advantage estimation."""

        def back(carry: Any, step: Any) -> Any:
            following, gathered = carry
            reward, end, value = step
            surprise = reward + discount * following * (1.0 - end) - value
            gathered = surprise + discount * trace * (1.0 - end) * gathered
            return (value, gathered), gathered

        return jax.lax.scan(back, (last, jnp.zeros_like(last)), (rewards, ended, values), reverse=True)[1]

    def loss(weights: Any, batch: Any, curiosity: Any) -> Any:
        x, mask, action, chance, gain, goal = batch
        preferences, value = network(weights, x)
        logs = jax.nn.log_softmax(jnp.where(mask, preferences, -1e9))
        ratio = jnp.exp(logs[jnp.arange(len(action)), action] - chance)
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - clip, 1 + clip) * gain).mean()
        entropy = -(jnp.where(mask, jnp.exp(logs) * logs, 0.0)).sum(axis=1).mean()
        return policy + 0.5 * ((value - goal) ** 2).mean() - curiosity * entropy

    @jax.jit
    def learn(state: Any, key: Any, batch: Any, share: Any) -> Any:
        """Several passes over what was played, in small parts, each a step of Adam. `share` of the time is left."""

        def part(state: Any, batch: Any) -> Any:
            weights, mean, square, count = state
            gradient = jax.grad(loss)(weights, batch, 0.01 * share)
            count = count + 1
            mean = [0.9 * m + 0.1 * g for m, g in zip(mean, gradient, strict=True)]
            square = [0.999 * s + 0.001 * g * g for s, g in zip(square, gradient, strict=True)]
            weights = [
                w - rate * share * (m / (1 - 0.9**count)) / (jnp.sqrt(s / (1 - 0.999**count)) + 1e-6)
                for w, m, s in zip(weights, mean, square, strict=True)
            ]
            return (weights, mean, square, count), None

        count = len(batch[2])
        parts = min(minibatches, count)
        for one in jax.random.split(key, epochs):
            order = jax.random.permutation(one, count)[: count // parts * parts].reshape(parts, -1)
            state = jax.lax.scan(part, state, [column[order] for column in batch])[0]
        return state

    weights = [jnp.array(w) for w in first_weights(seed)]
    state: Any = (weights, [jnp.zeros_like(w) for w in weights], [jnp.zeros_like(w) for w in weights], 0.0)
    key = jax.random.key(seed)
    rows, infos = env.reset(seed=seed)
    x = np.zeros((steps + 1, tables, FEATURES), np.float32)
    masks = np.zeros((steps, tables, ACTIONS), np.bool_)
    actions = np.zeros((steps, tables), np.int32)
    chances, values, rewards, ended = (np.zeros((steps, tables), np.float32) for _ in range(4))
    curve = []
    began = time.perf_counter()
    while (spent := (time.perf_counter() - began) / 60) < minutes:
        for t in range(steps):
            watch(rows, x[t])
            masks[t] = infos["action_mask"]
            key, one = jax.random.split(key)
            actions[t], chances[t], values[t] = act(state[0], one, x[t], masks[t])
            rows, rewards[t], ended[t], _, infos = env.step(actions[t])
        watch(rows, x[steps])
        last = network(state[0], x[steps])[1]
        gains = np.asarray(advantages(rewards, ended, values, last))
        flat = [
            column.reshape(steps * tables, *column.shape[2:])
            for column in (x[:-1], masks, actions, chances, gains, gains + values)
        ]
        key, one = jax.random.split(key)
        state = learn(state, one, flat, 1.0 - spent / minutes)
        curve.append((spent, float((rewards > 0).sum() / max(ended.sum(), 1))))
        if len(curve) % 10 == 0:
            won = np.mean([share for _, share in curve[-10:]])
            print(f"{spent:5.1f} min  {len(curve) * steps * tables:>12,} choices  {won:.3f} of games won", flush=True)
    return [np.asarray(w) for w in state[0]], curve


# The trained player: the same numbers, the same network, for one table. Its two static methods can be compiled.

WEIGHTS = [np.zeros(0, np.float32)] * 12
if WEIGHTS_FILE.is_file():
    with np.load(WEIGHTS_FILE) as kept:
        WEIGHTS = [kept[name] for name in kept]
IN, IN_BIAS, MIDDLE, MIDDLE_BIAS, OUT, OUT_BIAS = WEIGHTS[:6]


def preferences(table: Table, mask: Any) -> Any:
    """Return how much the player likes each action, and write down which of them are allowed."""
    row = np.zeros(row_size(SEATS), np.float32)
    x = np.zeros(FEATURES, np.float32)
    observe(table, table.seat, row)
    describe(row, x)
    allow(table, mask)
    h = np.maximum(layer(x, IN, IN_BIAS), np.float32(0.0))
    h = np.maximum(layer(h, MIDDLE, MIDDLE_BIAS), np.float32(0.0))
    return layer(h, OUT, OUT_BIAS)


def layer(x: Any, weights: Any, biases: Any) -> Any:
    """Return a layer of the network."""
    out = biases.copy()
    for i in range(len(x)):
        for j in range(len(out)):
            out[j] += x[i] * weights[i, j]
    return out


def best_action(table: Table) -> int:
    """Return the action that the player likes best."""
    if table.seats != SEATS:
        raise ValueError("Trained has learned at tables of four, and plays at no others")
    mask = np.zeros(ACTIONS, np.int8)
    liked = preferences(table, mask)
    best = -1
    for action in range(ACTIONS):
        if mask[action] == 1 and (best < 0 or liked[action] > liked[best]):
            best = action
    return best


class Trained:
    """Plays what was learned, at tables of four."""

    def __init__(self) -> None:
        if not WEIGHTS_FILE.is_file():
            raise ValueError(f"there is no {WEIGHTS_FILE.name} yet: run python {Path(__file__).name} first")

    def turn(self, position: Position) -> str:
        return "hit" if self.wants_card(position.table) else "stay"

    def target(self, position: Position) -> int:
        return self.chosen_target(position.table)

    @staticmethod
    def wants_card(table: Table) -> bool:
        return best_action(table) == HIT

    @staticmethod
    def chosen_target(table: Table) -> int:
        return places_after(table, table.seat, best_action(table) - GIVE)


def draw_curve(curve: list[tuple[float, float]], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*curve, strict=True), linewidth=1)
    axes.axhline(1 / SEATS, color="grey", linestyle="--", label="an even share")
    axes.set(xlabel="minutes", ylabel="share of games won", title="Learning Flip 7 against three ev")
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=12.0, help="how long to learn (12)")
    parser.add_argument("--tables", type=int, default=4096, help="how many tables play at once (4096)")
    parser.add_argument("--steps", type=int, default=32, help="actions at each table between two lessons (32)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--weights", type=Path, default=WEIGHTS_FILE, help="where the weights go")
    parser.add_argument("--curve", type=Path, default=WEIGHTS_FILE.with_suffix(".svg"), help="where the curve goes")
    options = parser.parse_args()
    for package in ("gymnasium", "jax", "matplotlib"):
        if find_spec(package) is None:
            parser.exit(2, f'{package} is missing; what is needed comes with: pip install ".[envs,plots]" jax\n')
    weights, curve = train(options.minutes, options.tables, options.steps, options.seed, ("ev", "ev", "ev"))
    np.savez(options.weights, **{f"w{i:02}": w for i, w in enumerate(weights)})
    draw_curve(curve, options.curve)
    print(f"wrote {options.weights} and {options.curve}")


if __name__ == "__main__":
    main()
