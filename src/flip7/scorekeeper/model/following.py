"""What a person puts down of a round that is followed card by card: each deed makes a step, or is refused."""

from flip7.rules.cards import Card
from flip7.scorekeeper.model.history import (
    known_ids,
)
from flip7.scorekeeper.model.live import LiveRound, gone, play_step
from flip7.scorekeeper.model.operations import (
    Live,
    Mend,
    Step,
)
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.state import State, clock_of, going_on, write


def live_step(state: State, step: Step) -> Refusal | None:
    """Put down what happened in the open round. What the rules do not say is put down as a deviation (KEEP-5)."""
    refusal = going_on(state)
    if refusal is not None:
        return refusal
    live = state.sheet.live
    if live is None or live.over:
        return Refusal("not_due")
    trial = LiveRound(live.number, True, False, "", 0, None, [], live.table.copy(), [], [], live.estimate, live.tip)
    if play_step(trial, state.sheet.players, step) == "unfit":
        return unfit(live, step)
    return write(
        state,
        Live(clock=clock_of(state), device=state.device, round=live.number, after=live.tip, step=step),
    )


def unfit(live: LiveRound, step: Step) -> Refusal:
    """Return why a step cannot be put down now."""
    if step.do == "lost":
        return Refusal("not_there", "", step.card)
    if step.do == "give":
        return Refusal("not_target", step.to, live.card)
    if step.do == "leave":
        return Refusal("not_at_table", step.player)
    return Refusal("not_due", step.player, step.card)


def live_card(state: State, card: Card, player: str, anyway: bool) -> Refusal | None:
    """A card came up: for whoever is due, or for the player who is named. It is the hit, too.

    A card that should be gone is refused unless it is to be taken `anyway`.
    """
    live = state.sheet.live
    if live is None:
        return going_on(state)
    missing = gone(live, card)
    if missing and not anyway:
        return Refusal("gone", "", card)
    who = state.sheet.ids[live.seat] if player == "" else player
    return live_step(state, Step("card", who, card, "", missing))


def live_stay(state: State, player: str) -> Refusal | None:
    """Whoever is asked stays, or the player who is named."""
    live = state.sheet.live
    if live is None:
        return going_on(state)
    return live_step(state, Step("stay", state.sheet.ids[live.seat] if player == "" else player))


def live_give(state: State, player: str) -> Refusal | None:
    """The card on offer goes to a player."""
    live = state.sheet.live
    if live is None:
        return going_on(state)
    return live_step(state, Step("give", state.sheet.ids[live.seat], None, player))


def live_shuffle(state: State) -> Refusal | None:
    """The table shuffled before the deck was empty."""
    return live_step(state, Step("shuffle"))


def live_lost(state: State, card: Card) -> Refusal | None:
    """A card is gone from the deck for good."""
    return live_step(state, Step("lost", "", card))


def mend(state: State, name: str, steps: list[Step]) -> Refusal | None:
    """Change a step that was put down, delete it, or put further ones in its place; the rest is played again."""
    operation = state.history.by_id.get(name)
    if operation is None or not isinstance(operation, Live):
        return Refusal("no_step")
    over = known_ids(state.history, [f"mend {name}"])
    return write(
        state,
        Mend(
            clock=clock_of(state),
            device=state.device,
            over=tuple(over),
            round=operation.round,
            what=name,
            steps=tuple(steps),
        ),
    )
