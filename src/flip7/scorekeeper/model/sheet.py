"""The score sheet that follows from a match's operations: players, rounds, totals, dealer, winner, conflicts."""

from typing import Literal

import msgspec

from flip7.rules.keeping import keep_round
from flip7.rules.moves import pass_deal
from flip7.rules.scoring import leader
from flip7.rules.table import GAME_OVER, NOBODY, SEATS, Table, decks_for
from flip7.scorekeeper.model.hands import Book, new_hands, take_hand, ways_for, worth_alone
from flip7.scorekeeper.model.history import History, heads
from flip7.scorekeeper.model.live import (
    Chain,
    Deck,
    LiveRound,
    LiveStep,
    draw_unseen,
    follow_chain,
    leave_deck,
    live_table,
    make_chain,
    new_deck,
    result_of,
    use_decks,
)
from flip7.scorekeeper.model.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Rename,
    Start,
    Stop,
    Stored,
    Target,
    comes_before,
    id_of,
    rounds_text,
)
from flip7.scorekeeper.model.people import Player, place_of, plays
from flip7.scorekeeper.model.refusals import Refusal, about

ConflictKind = Literal[
    "entry", "name", "away", "target", "dealer", "stop", "impossible", "incomplete", "crowd", "live", "step", "mend"
]


class Round(msgspec.Struct):
    """A finished round, by player id."""

    number: int
    """Its place among all rounds that were ever entered; those removed keep theirs."""
    dealer: str
    entries: dict[str, Stored]
    scores: dict[str, int]
    totals: dict[str, int]
    playoff: bool
    """Whether it was played because of a tie (GAME-2)."""
    live: bool
    """Whether it was followed card by card to its end."""
    steps: list[LiveStep]
    told: list[list[int]]
    """What happened in it, if it was followed card by card."""
    known: bool
    """Whether every card before it and in it was seen, and it counts as it was seen."""


class Conflict(msgspec.Struct):
    """Two devices disagree, or what they entered together is impossible. It stands until someone decides."""

    kind: ConflictKind
    round: int | None
    """Which round it is about, counted as on the sheet."""
    seat: int | None
    choices: list[object]
    """The values that were entered; empty where there is nothing to choose, but something to correct."""
    operations: list[str]
    """The operations that hold them."""
    entries: list[Stored]
    """The values again where they are entries."""
    rivals: list[str]
    """All operations that a decision replaces, where they are steps of a live round."""
    refusal: Refusal | None


class Sheet(msgspec.Struct):
    """What a set of operations adds up to. It is made again after every change, from scratch."""

    players: list[Player]
    ids: list[str]
    target: int
    decks: int | None
    """How many decks were agreed on; nothing leaves it to the number of players (SET-2)."""
    rounds: list[Round]
    number: int
    """The number of the round that is open."""
    open: dict[str, Stored]
    """What has been entered of it."""
    totals: dict[str, int]
    dealer: str
    leader: str | None
    winner: str | None
    playoff: bool
    stopped: bool
    """Whether the match was stopped before anybody had won (KEEP-6)."""
    live: LiveRound | None
    """The open round card by card; nothing when no round is open."""
    conflicts: list[Conflict]


class Candidate(msgspec.Struct):
    """A value that a player's round may have, and the operation that holds it."""

    entry: Stored
    operation: AnyOperation


def present(sheet: Sheet, number: int) -> list[str]:
    """Return who plays a round, in order of their seats."""
    return [player.id for player in sheet.players if plays(player, number)]


def decks_in(sheet: Sheet, players: int) -> int:
    """Return how many decks n players use."""
    return decks_for(players) if sheet.decks is None else sheet.decks


def at_table(sheet: Sheet) -> list[Player]:
    """Return everyone who plays the open round."""
    return [player for player in sheet.players if plays(player, sheet.number)]


def name_of(sheet: Sheet, player: str) -> str:
    """Return what a player is called."""
    seat = place_of(sheet.players, player)
    return sheet.players[seat].name if seat >= 0 else ""


def playoff_count(sheet: Sheet) -> int:
    """Return how many finished rounds were playoffs."""
    return len([played for played in sheet.rounds if played.playoff])


def start_of(history: History) -> Start | None:
    """Return the operation that set the match up."""
    first = history.ordered[0]
    return first if isinstance(first, Start) else None


def make_sheet(history: History, book: Book) -> Sheet:
    """Return the sheet that these operations give; the first of them sets the match up."""
    sheet = Sheet([], [], 1, None, [], 0, {}, {}, "0", None, None, False, False, None, [])
    start = start_of(history)
    if start is None:
        return sheet
    seat_players(sheet, history, start)
    sheet.decks = start.decks
    sheet.target = start.target
    target = value_of(sheet, history, "target", "target", None)
    if target is not None and isinstance(target, Target):
        sheet.target = target.target
    stop = value_of(sheet, history, "stop", "stop", None)
    for player in sheet.players:
        sheet.totals[player.id] = player.score
    sheet.dealer = f"{start.dealer}"
    count(sheet, history, book)
    sheet.stopped = stop is not None and isinstance(stop, Stop) and stop.stopped and sheet.winner is None
    here = present(sheet, sheet.number)
    if len(here) > 0:
        ahead = leader(totals_table(sheet, here))
        if ahead != NOBODY:
            sheet.leader = here[ahead]
    if sheet.winner is not None:
        sheet.live = None
    return sheet


def seat_players(sheet: Sheet, history: History, start: Start) -> None:
    """Seat the players: those who started, and those who came late at their places."""
    for seat, name in enumerate(start.players):
        sheet.players.append(Player(f"{seat}", name, 0, 0, []))
    for operation in history.counting:
        if isinstance(operation, Add):
            if len(sheet.players) == SEATS:
                names: list[object] = [operation.name]
                sheet.conflicts.append(Conflict("crowd", None, None, names, [], [], [], None))
            else:
                neighbour = place_of(sheet.players, operation.after)
                at = neighbour + 1 if neighbour >= 0 else len(sheet.players)
                late = Player(id_of(operation), operation.name, operation.score, operation.round, [])
                sheet.players.insert(at, late)
    for seat, player in enumerate(sheet.players):
        sheet.ids.append(player.id)
        renamed = value_of(sheet, history, f"name {player.id}", "name", seat)
        if renamed is not None and isinstance(renamed, Rename):
            player.name = renamed.name
        away = value_of(sheet, history, f"away {player.id}", "away", seat)
        if away is not None and isinstance(away, Away):
            player.away = list(away.rounds)


def value_of(
    sheet: Sheet, history: History, register: str, kind: ConflictKind, seat: int | None
) -> AnyOperation | None:
    """Return the operation whose value holds: the latest; others that it did not know of are shown as a conflict."""
    found = heads(history, register)
    if len(found) == 0:
        return None
    choices: list[object] = []
    names: list[str] = []
    seen: dict[str, bool] = {}
    for operation in found:
        text = value_text(operation)
        if text not in seen:
            seen[text] = True
            choices.append(value_in(operation))
            names.append(id_of(operation))
    if len(choices) > 1:
        sheet.conflicts.append(Conflict(kind, None, seat, choices, names, [], [], None))
    return found[len(found) - 1]


def value_text(operation: AnyOperation) -> str:
    """Return the value that an operation gives to its register, as a text."""
    if isinstance(operation, Rename):
        return operation.name
    if isinstance(operation, Target):
        return f"{operation.target}"
    if isinstance(operation, Away):
        return rounds_text(list(operation.rounds))
    if isinstance(operation, Dealer):
        return operation.player
    if isinstance(operation, Stop):
        return "stop" if operation.stopped else ""
    return ""


def value_in(operation: AnyOperation) -> object:
    """Return the value itself."""
    if isinstance(operation, Rename):
        return operation.name
    if isinstance(operation, Target):
        return operation.target
    if isinstance(operation, Away):
        return operation.rounds
    if isinstance(operation, Dealer):
        return operation.player
    if isinstance(operation, Stop):
        return operation.stopped
    return True


def count(sheet: Sheet, history: History, book: Book) -> None:
    """Go through the rounds in order, as far as they are complete (KEEP-1)."""
    number = 0
    due = False
    last: list[str] = []
    deck = new_deck(decks_in(sheet, max(1, len(present(sheet, 0)))))
    while True:
        while len(heads(history, f"removed {number}")) > 0:
            number += 1
        deal(sheet, history, number)
        here = present(sheet, number)
        use_decks(deck, decks_in(sheet, max(1, len(here))))
        chain = make_chain(history, number)
        live = None if chain.tip == "" else live_round(sheet, chain, number, deck)
        entries = entries_of(sheet, history, number, chain, live)
        if len(here) == 0 or len(entries) < len(here):
            sheet.live = live_round(sheet, chain, number, deck) if live is None else live
            sheet.open = entries
            break
        played = live is not None and live.over and live.started
        if live is not None and live.started and not live.over:
            disregarded(sheet, history, number, chain)
        scores = scores_of(sheet, book, number, entries, played)
        table = totals_table(sheet, here)
        keep_round(table, [scores[player] for player in here])
        for seat, player in enumerate(here):
            sheet.totals[player] = table.totals[seat]
        if live is not None and played:
            leave_deck(deck, live.table)
        else:
            draw_unseen(deck, list(entries.values()))
        steps = live.steps if live is not None and played else []
        told = live.told if live is not None and played else []
        totals: dict[str, int] = {}
        for player in sheet.ids:
            totals[player] = sheet.totals[player]
        known = live is not None and played and not deck.estimate and as_seen(sheet, scores, live)
        sheet.rounds.append(Round(number, sheet.dealer, entries, scores, totals, due, played, steps, told, known))
        due = table.playoffs > 0
        last = here
        number += 1
    sheet.number = number
    held_back(sheet, history, number)
    staying = present(sheet, number)
    decide(sheet, [player for player in last if player in staying])


def as_seen(sheet: Sheet, scores: dict[str, int], live: LiveRound) -> bool:
    """Return whether a live round counts as it was seen: nothing was corrected by hand, and every step fitted."""
    for seat, player in enumerate(sheet.ids):
        if scores.get(player, 0) != live.table.scores[seat]:
            return False
    return all(step.mark != "unfit" for step in live.steps)


def live_round(sheet: Sheet, chain: Chain, number: int, deck: Deck) -> LiveRound | None:
    """Return the round card by card, if anybody is there to play it."""
    dealer = place_of(sheet.players, sheet.dealer)
    if len(present(sheet, number)) == 0 or dealer < 0:
        return None
    fork(sheet, chain)
    totals = [sheet.totals[player] for player in sheet.ids]
    played = len(sheet.rounds)
    table = live_table(sheet.players, number, played, dealer, sheet.target, totals, playoff_count(sheet), deck)
    return follow_chain(chain, sheet.players, number, table, deck.estimate)


def fork(sheet: Sheet, chain: Chain) -> None:
    """Show what devices disagree on in a live round."""
    for one in chain.forks:
        choices: list[object] = [head.step for head in one.heads]
        names = [id_of(head) for head in one.heads]
        sheet.conflicts.append(Conflict("step", len(sheet.rounds), None, choices, names, [], one.rivals, None))
    for name in chain.mends:
        sheet.conflicts.append(Conflict("mend", len(sheet.rounds), None, [], [name], [], [], None))


def deal(sheet: Sheet, history: History, number: int) -> None:
    """Find who deals a round: the next player at the table, unless someone said otherwise (END-3)."""
    chosen = value_of(sheet, history, f"dealer {number}", "dealer", None)
    if chosen is not None and isinstance(chosen, Dealer) and place_of(sheet.players, chosen.player) >= 0:
        sheet.dealer = chosen.player
    elif len(sheet.rounds) > 0:
        sheet.dealer = next_to(sheet, sheet.rounds[len(sheet.rounds) - 1].dealer)
    here = present(sheet, number)
    while len(here) > 0 and sheet.dealer not in here:
        sheet.dealer = next_to(sheet, sheet.dealer)


def next_to(sheet: Sheet, player: str) -> str:
    """Return who sits to the left of a player."""
    table = Table(len(sheet.ids))
    table.dealer = place_of(sheet.players, player)
    pass_deal(table)
    return sheet.ids[table.dealer]


def entries_of(sheet: Sheet, history: History, number: int, chain: Chain, live: LiveRound | None) -> dict[str, Stored]:
    """Return what every player ended a round with, as far as it is known: entered, or seen card by card."""
    entries: dict[str, Stored] = {}
    for seat, player in enumerate(sheet.players):
        if plays(player, number):
            found = candidates(history, player.id, seat, number, chain, live)
            if len(found) > 0:
                disagree(sheet, seat, found)
                entries[player.id] = found[len(found) - 1].entry
    return entries


def candidates(
    history: History, player: str, seat: int, number: int, chain: Chain, live: LiveRound | None
) -> list[Candidate]:
    """Return the values that a player's round has, in the order of the operations that hold them."""
    found: list[Candidate] = []
    replaced = False
    for operation in heads(history, f"entry {player} {number}"):
        if isinstance(operation, Enter):
            found.append(Candidate(operation.entries[player], operation))
            if chain.tip in operation.over:
                replaced = True
    tip = history.by_id.get(chain.tip)
    if live is None or not live.over or not live.started or replaced or tip is None:
        return found
    at = len(found)
    while at > 0 and comes_before(tip, found[at - 1].operation):
        at -= 1
    found.insert(at, Candidate(result_of(live.table, seat), tip))
    return found


def disagree(sheet: Sheet, seat: int, found: list[Candidate]) -> None:
    """Show a conflict if the values of an entry differ in points."""
    if len(found) == 1:
        return
    choices: list[object] = []
    entries: list[Stored] = []
    names: list[str] = []
    seen: dict[str, bool] = {}
    for candidate in found:
        worth = f"{worth_alone(candidate.entry)}"
        if worth not in seen:
            seen[worth] = True
            choices.append(candidate.entry)
            entries.append(candidate.entry)
            names.append(id_of(candidate.operation))
    if len(choices) > 1:
        sheet.conflicts.append(Conflict("entry", len(sheet.rounds), seat, choices, names, entries, [], None))


def disregarded(sheet: Sheet, history: History, number: int, chain: Chain) -> None:
    """A round was entered while it was followed card by card elsewhere: say so, unless who entered it knew."""
    for player in present(sheet, number):
        for operation in heads(history, f"entry {player} {number}"):
            if chain.tip not in operation.over:
                sheet.conflicts.append(Conflict("live", len(sheet.rounds), None, [], [id_of(operation)], [], [], None))
                return


def scores_of(sheet: Sheet, book: Book, number: int, entries: dict[str, Stored], played: bool) -> dict[str, int]:
    """Return the points of a complete round; if its hands cannot be together, each counts alone and that is shown."""
    scores: dict[str, int] = {}
    if not played:
        refusal = check_round(sheet, book, number, entries, scores)
        if refusal is None:
            return scores
        sheet.conflicts.append(Conflict("impossible", len(sheet.rounds), None, [], [], [], [], refusal))
    for player, entry in entries.items():
        scores[player] = worth_alone(entry)
    return scores


def check_round(
    sheet: Sheet, book: Book, number: int, entries: dict[str, Stored], scores: dict[str, int]
) -> Refusal | None:
    """Return whether some or all hands of a round can be together (KEEP-4); their points go into `scores`."""
    here = present(sheet, number)
    hands = new_hands(len(here), ways_for(book, decks_in(sheet, len(here))))
    for seat, player in enumerate(here):
        entry = entries.get(player)
        if entry is not None:
            taken = take_hand(hands, seat, entry)
            if taken.refusal is not None:
                return about(player, taken.refusal)
            scores[player] = taken.points
    return None


def held_back(sheet: Sheet, history: History, number: int) -> None:
    """A round that is not complete holds those behind it back: say so."""
    behind: dict[str, bool] = {}
    for operation in history.counting:
        if isinstance(operation, Enter) and operation.round > number:
            behind[f"{operation.round}"] = True
    if len(behind) > 0:
        later: list[object] = [len(behind)]
        sheet.conflicts.append(Conflict("incomplete", len(sheet.rounds), None, later, [], [], [], None))


def totals_table(sheet: Sheet, players: list[str]) -> Table:
    """Return a table with the totals of some players."""
    table = Table(max(1, len(players)))
    table.target = sheet.target
    for seat, player in enumerate(players):
        table.totals[seat] = sheet.totals[player]
    return table


def decide(sheet: Sheet, players: list[str]) -> None:
    """Find who has won, or whether a playoff is due, after the last round and with the present target (KEEP-3)."""
    if len(players) == 0:
        return
    table = totals_table(sheet, players)
    keep_round(table, [0] * len(players))
    sheet.playoff = table.playoffs > 0
    if table.waiting == GAME_OVER:
        sheet.winner = players[table.winner]
        sheet.dealer = sheet.rounds[len(sheet.rounds) - 1].dealer
