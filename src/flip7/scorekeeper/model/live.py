"""A round that is followed card by card: the steps that were entered, played by the rules where they fit (KEEP-5)."""

from typing import Literal

import msgspec

from flip7.rules import deviations
from flip7.rules.agenda import may_get
from flip7.rules.cards import CARDS, FACES, TWELVE, Card
from flip7.rules.inputs import give, hit, reveal, stay
from flip7.rules.piles import collect
from flip7.rules.scoring import points
from flip7.rules.table import (
    AWAIT_CARD,
    BUSTED,
    CHOOSE_TARGET,
    HIT_OR_STAY,
    LEFT,
    Table,
    new_table,
)
from flip7.scorekeeper.model.hands import COPIES, deck_of, face_of
from flip7.scorekeeper.model.history import History, heads
from flip7.scorekeeper.model.operations import (
    AnyOperation,
    Live,
    Mend,
    Step,
    Stored,
    comes_before,
    id_of,
    step_text,
)
from flip7.scorekeeper.model.people import Player, place_of, plays

Mark = Literal["", "to", "extra", "turn", "shuffle", "lost", "leave", "unfit"]
Due = Literal["", "card", "turn", "target"]


class Deck(msgspec.Struct):
    """What is known of the deck between two rounds."""

    decks: int
    draw: list[int]
    discard: list[int]
    estimate: bool
    """Whether rounds were played of which not every card is known."""


class LiveStep(msgspec.Struct):
    """A step of a live round and how it went."""

    id: str
    """The operation that holds it, for mending."""
    step: Step
    mark: Mark
    """Nothing where it went by the rules; the kind of deviation; or that it does not fit and was not played."""


class Fork(msgspec.Struct):
    """Two devices entered different steps for the same moment."""

    heads: list[Live]
    rivals: list[str]
    """All operations that a decision replaces."""


class Chain(msgspec.Struct):
    """The steps of a round in their order, as the operations give them."""

    tip: str
    """The last operation of the chain, or nothing."""
    ids: list[str]
    """The operation that each step comes from."""
    steps: list[Step]
    forks: list[Fork]
    mends: list[str]
    """The steps whose mending is disputed."""


class LiveRound(msgspec.Struct):
    """A round card by card, as it stands."""

    number: int
    started: bool
    over: bool
    due: Due
    """What is waited for: a card, hit or stay, whom to give a card to; nothing when the round is over."""
    seat: int
    """For whom, among all players of the match."""
    card: Card | None
    """The card to be given to a player."""
    targets: list[int]
    """The seats that may get it."""
    table: Table
    """Its seats are all players of the match; those who are not there are out."""
    steps: list[LiveStep]
    told: list[list[int]]
    """What happened: kind, seat, card, other, ruling, and the points of the seat then."""
    estimate: bool
    tip: str


def new_deck(decks: int) -> Deck:
    """Whole decks, untouched."""
    return Deck(decks, deck_of(decks), [0] * FACES, False)


def use_decks(deck: Deck, decks: int) -> None:
    """Shuffle decks in or take them away, as the number of players asks for."""
    if decks > deck.decks:
        for face in range(FACES):
            deck.draw[face] += COPIES[face] * (decks - deck.decks)
    elif decks < deck.decks:
        deck.draw = deck_of(decks)
        deck.discard = [0] * FACES
        deck.estimate = True
    deck.decks = decks


def draw_unseen(deck: Deck, entries: list[Stored]) -> None:
    """A round was entered as hands: their cards are known, what else was turned up is not."""
    for entry in entries:
        if isinstance(entry, list):
            for card in entry:
                face = face_of(card)
                if deck.draw[face] == 0:
                    for other in range(FACES):
                        deck.draw[other] += deck.discard[other]
                        deck.discard[other] = 0
                if deck.draw[face] > 0:
                    deck.draw[face] -= 1
                    deck.discard[face] += 1
    deck.estimate = True


def leave_deck(deck: Deck, table: Table) -> None:
    """A live round is over: its cards go to the discard pile, and all of them are known."""
    after = table.copy()
    collect(after)
    deck.draw = after.draw
    deck.discard = after.discard


def live_operations(history: History, number: int) -> list[Live]:
    """Return all steps that were ever entered for a round."""
    steps = [operation for operation in history.ordered if isinstance(operation, Live)]
    return [step for step in steps if step.round == number]


def make_chain(history: History, number: int) -> Chain:
    """Return the steps of a round. Equal steps that two devices entered for the same moment are one."""
    chain = Chain("", [], [], [], [])
    found = live_operations(history, number)
    if len(found) == 0:
        return chain
    counts: dict[str, bool] = {}
    for operation in history.counting:
        counts[id_of(operation)] = True
    alive: dict[str, bool] = {}
    children: dict[str, list[Live]] = {}
    for at in range(len(found) - 1, -1, -1):
        step = found[at]
        if counts.get(id_of(step), False) or alive.get(id_of(step), False):
            alive[id_of(step)] = True
            alive[step.after] = True
            if step.after not in children:
                children[step.after] = []
            children[step.after].insert(0, step)
    group: list[str] = [""]
    while len(group) > 0:
        parents = group
        candidates = next_steps(history, children, parents)
        group = []
        if len(candidates) > 0:
            latest = candidates[len(candidates) - 1]
            same = [one for one in candidates if step_text(one.step) == step_text(latest.step)]
            if len(same) < len(candidates):
                chain.forks.append(Fork(one_of_each(candidates), rivals_of(children, parents)))
            group = [id_of(one) for one in same]
            add_steps(history, chain, same, counts)
    return chain


def next_steps(history: History, children: dict[str, list[Live]], group: list[str]) -> list[Live]:
    """Return the steps that may follow the group, in order, without those that a device has decided against."""
    found: list[Live] = []
    replaced: dict[str, bool] = {}
    for parent in group:
        for child in children.get(parent, []):
            at = len(found)
            while at > 0 and comes_before(child, found[at - 1]):
                at -= 1
            found.insert(at, child)
            for name in child.over:
                replaced[name] = True
    kept: list[Live] = []
    for step in found:
        if id_of(step) not in replaced:
            chosen = picked(history, step)
            if chosen is not None:
                kept.append(chosen)
    return kept


def rivals_of(children: dict[str, list[Live]], group: list[str]) -> list[str]:
    """Return all steps that were ever entered for the moment after the group."""
    found: list[str] = []
    for parent in group:
        found.extend([id_of(child) for child in children.get(parent, [])])
    return found


def picked(history: History, step: Live) -> Live | None:
    """Return the step itself, or the one that it picks."""
    if step.step.do != "pick":
        return step
    chosen = history.by_id.get(step.step.to)
    if chosen is not None and isinstance(chosen, Live) and chosen.step.do != "pick":
        return chosen
    return None


def one_of_each(candidates: list[Live]) -> list[Live]:
    """Return the steps that differ, each once."""
    found: list[Live] = []
    seen: dict[str, bool] = {}
    for step in candidates:
        text = step_text(step.step)
        if text not in seen:
            seen[text] = True
            found.append(step)
    return found


def add_steps(history: History, chain: Chain, same: list[Live], counts: dict[str, bool]) -> None:
    """Add a moment to the chain: its step, or what it was mended to, or nothing if it was taken back."""
    chain.tip = id_of(same[len(same) - 1])
    counted = [step for step in same if counts.get(id_of(step), False)]
    if len(counted) == 0:
        return
    first = id_of(counted[0])
    mends: list[AnyOperation] = []
    for step in same:
        mends.extend(heads(history, f"mend {id_of(step)}"))
    if len(mends) == 0:
        chain.ids.append(first)
        chain.steps.append(counted[0].step)
        return
    texts: dict[str, bool] = {}
    for mend in mends:
        texts[mend_text(mend)] = True
    if len(texts) > 1:
        chain.mends.append(first)
    last = mends[len(mends) - 1]
    if isinstance(last, Mend):
        for mended in last.steps:
            chain.ids.append(first)
            chain.steps.append(mended)


def mend_text(operation: AnyOperation) -> str:
    """Return what a step was mended to, as a text."""
    text = ""
    if isinstance(operation, Mend):
        for step in operation.steps:
            text = f"{text}\n{step_text(step)}"
    return text


def live_table(
    players: list[Player],
    number: int,
    played: int,
    dealer: int,
    target: int,
    totals: list[int],
    playoffs: int,
    deck: Deck,
) -> Table:
    """Return the table at the beginning of a round: all players of the match have a seat, the absent ones are out."""
    table = new_table(len(players), target, dealer, 1, 0, deck.draw)
    table.discard = deck.discard[:]
    table.discard_left = sum(deck.discard)
    table.totals = totals[:]
    table.round = played
    table.playoffs = playoffs
    away: list[int] = []
    for seat, player in enumerate(players):
        if not plays(player, number):
            away.append(seat)
    deviations.begin_round_without(table, dealer, away)
    return table


def follow(history: History, players: list[Player], number: int, table: Table, estimate: bool) -> LiveRound:
    """Play the steps of a round on its table, as far as they fit."""
    return follow_chain(make_chain(history, number), players, number, table, estimate)


def follow_chain(chain: Chain, players: list[Player], number: int, table: Table, estimate: bool) -> LiveRound:
    """Play the steps of a known chain on the round's table, as far as they fit."""
    live = LiveRound(number, len(chain.steps) > 0, False, "", 0, None, [], table, [], [], estimate, chain.tip)
    tell(live)
    for at, step in enumerate(chain.steps):
        mark = play_step(live, players, step)
        live.steps.append(LiveStep(chain.ids[at], step, mark))
        tell(live)
    look(live)
    return live


def tell(live: LiveRound) -> None:
    """Take the events from the table."""
    table = live.table
    for row in table.log:
        worth = points(table, row[1]) if row[1] >= 0 else 0
        live.told.append([row[0], row[1], row[2], row[3], row[4], worth])
    table.log.clear()


def look(live: LiveRound) -> None:
    """Say what the table waits for."""
    table = live.table
    live.seat = table.seat
    if table.waiting == AWAIT_CARD:
        live.due = "card"
    elif table.waiting == HIT_OR_STAY:
        live.due = "turn"
    elif table.waiting == CHOOSE_TARGET:
        live.due = "target"
        live.card = CARDS[table.card]
        for seat in range(table.seats):
            if may_get(table, table.card, seat):
                live.targets.append(seat)
    else:
        live.over = True


def play_step(live: LiveRound, players: list[Player], step: Step) -> Mark:
    """Play a step; what does not fit is not played and marked."""
    table = live.table
    seat = place_of(players, step.player)
    if step.do == "card":
        return play_card(live, seat, step)
    if step.do == "stay":
        return play_stay(table, seat)
    if step.do == "give":
        return play_gift(table, seat, place_of(players, step.to))
    if not waits(table):
        return "unfit"
    if step.do == "shuffle":
        deviations.shuffle_early(table)
        return "shuffle"
    if step.do == "lost":
        face = face_of(step.card) if step.card is not None else -1
        if face < 0 or table.draw[face] + table.discard[face] == 0:
            return "unfit"
        deviations.lose(table, face)
        return "lost"
    if step.do == "leave" and seat >= 0 and table.status[seat] != LEFT:
        deviations.walk_out(table, seat)
        return "leave"
    return "unfit"


def waits(table: Table) -> bool:
    """Return whether the round still goes on."""
    return table.waiting == AWAIT_CARD or table.waiting == HIT_OR_STAY or table.waiting == CHOOSE_TARGET


def play_card(live: LiveRound, seat: int, step: Step) -> Mark:
    """A card came up for a seat: it is the hit, too, if the seat was only asked."""
    table = live.table
    face = face_of(step.card) if step.card is not None else -1
    if face < 0 or seat < 0 or table.status[seat] == LEFT:
        return "unfit"
    if table.waiting != AWAIT_CARD and table.waiting != HIT_OR_STAY:
        return "unfit"
    mark: Mark = ""
    if table.waiting == HIT_OR_STAY:
        hit(table)
    if table.waiting != AWAIT_CARD:
        return "unfit"  # no card can be had: the round is over (DECK-3)
    if table.draw[face] == 0:
        deviations.take_anyway(table, face)
        if live.estimate:
            table.log.pop()
        else:
            mark = "extra"
    if seat != table.seat:
        deviations.reveal_to(table, seat, face)
        return "to"
    reveal(table, face)
    return mark


def play_stay(table: Table, seat: int) -> Mark:
    """A seat stayed, asked or not."""
    if seat < 0:
        return "unfit"
    if table.waiting == HIT_OR_STAY and table.seat == seat:
        stay(table)
        return ""
    if deviations.may_stay_early(table, seat):
        deviations.stay_early(table, seat)
        return "turn"
    return "unfit"


def play_gift(table: Table, seat: int, target: int) -> Mark:
    """A seat gave the card on offer to another."""
    if table.waiting != CHOOSE_TARGET or table.seat != seat or target < 0:
        return "unfit"
    if not may_get(table, table.card, target):
        return "unfit"
    give(table, target)
    return ""


def hand_of(table: Table, seat: int) -> list[Card]:
    """Return the cards before a seat: its line as it was turned up, then the others as they lie in the box."""
    others: list[Card] = []
    for face in range(TWELVE + 1, FACES):
        others = others + [CARDS[face]] * table.hands[seat][face]
    line = table.lines[seat][: table.held[seat] - len(others)]
    return [CARDS[face] for face in line] + others


def result_of(table: Table, seat: int) -> Stored:
    """Return what a seat ended a live round with, as an entry."""
    if table.status[seat] == BUSTED:
        return "bust"
    if table.status[seat] == LEFT:
        return 0
    entry: list[Card] = []
    for face in range(FACES):
        entry = entry + [CARDS[face]] * table.hands[seat][face]
    return entry


def gone(live: LiveRound, card: Card) -> bool:
    """Return whether a card should no longer be in the draw pile. Where cards are only estimated, nobody can say."""
    return not live.estimate and live.table.draw[face_of(card)] == 0
