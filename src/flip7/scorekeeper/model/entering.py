"""What a person can do with a match: each deed makes an operation, or is refused and changes nothing."""

from flip7.rules.table import LEFT, SEATS
from flip7.scorekeeper.model.checking import check_score, check_target
from flip7.scorekeeper.model.following import live_step, mend
from flip7.scorekeeper.model.hands import in_order
from flip7.scorekeeper.model.history import (
    heads,
    known_ids,
    redo_next,
    undo_next,
)
from flip7.scorekeeper.model.live import LiveRound, make_chain
from flip7.scorekeeper.model.operations import (
    Add,
    AnyOperation,
    Away,
    Dealer,
    Enter,
    Live,
    Mend,
    Redo,
    Remove,
    Rename,
    Step,
    Stop,
    Stored,
    Target,
    Undo,
    id_of,
    writes,
)
from flip7.scorekeeper.model.people import Player, good_name, place_of, plays
from flip7.scorekeeper.model.refusals import Refusal
from flip7.scorekeeper.model.sheet import Conflict, Sheet, check_round, present
from flip7.scorekeeper.model.state import State, clock_of, going_on, write


def enter(state: State, entries: dict[str, Stored]) -> Refusal | None:
    """Enter hands of the open round; it counts when all are there."""
    refusal = going_on(state)
    if refusal is not None:
        return refusal
    return put_in(state, state.sheet.number, state.sheet.open, entries, False)


def edit(state: State, index: int, entries: dict[str, Stored]) -> Refusal | None:
    """Correct hands of a finished round."""
    if index < 0 or index >= len(state.sheet.rounds):
        return Refusal("no_round", "", None, index, 0, len(state.sheet.rounds) - 1)
    played = state.sheet.rounds[index]
    return put_in(state, played.number, played.entries, entries, played.live)


def put_in(
    state: State, number: int, others: dict[str, Stored], entries: dict[str, Stored], alone: bool
) -> Refusal | None:
    """Check new entries together with the others of their round, and write them."""
    here = present(state.sheet, number)
    if len(entries) == 0:
        return Refusal("nothing")
    together: dict[str, Stored] = {} if alone else dict(others)
    stored: dict[str, Stored] = {}
    for player, entry in entries.items():
        if place_of(state.sheet.players, player) < 0:
            return Refusal("no_player", player)
        if player not in here:
            return Refusal("not_playing", player)
        together[player] = entry
        stored[player] = in_order(entry)
    scores: dict[str, int] = {}
    refusal = check_round(state.sheet, state.book, number, together, scores)
    if refusal is not None:
        return refusal
    return write(state, make_entry(state, number, stored))


def make_entry(state: State, number: int, stored: dict[str, Stored]) -> Enter:
    """Return the operation that enters hands, and knows of everything that was entered or seen of the round."""
    clock = clock_of(state)
    over = known_ids(state.history, [f"entry {player} {number}" for player in stored])
    tip = make_chain(state.history, number).tip
    if tip != "":
        over.append(tip)
    return Enter(clock=clock, device=state.device, over=tuple(over), round=number, entries=stored)


def remove(state: State, index: int) -> Refusal | None:
    """Take a round that was never played out of the match."""
    if index < 0 or index >= len(state.sheet.rounds):
        return Refusal("no_round", "", None, index, 0, len(state.sheet.rounds) - 1)
    number = state.sheet.rounds[index].number
    over = known_ids(state.history, [f"removed {number}"])
    return write(state, Remove(clock=clock_of(state), device=state.device, over=tuple(over), round=number))


def name_refused(state: State, name: str, player: str) -> Refusal | None:
    """Return why a player cannot be called that."""
    if not good_name(name):
        return Refusal("bad_name", player)
    for other in state.sheet.players:
        if other.name == name and other.id != player:
            return Refusal("name_taken", other.id)
    return None


def rename(state: State, player: str, name: str) -> Refusal | None:
    """Call a player something else."""
    if place_of(state.sheet.players, player) < 0:
        return Refusal("no_player", player)
    refusal = name_refused(state, name, player)
    if refusal is not None:
        return refusal
    over = known_ids(state.history, [f"name {player}"])
    return write(state, Rename(clock=clock_of(state), device=state.device, over=tuple(over), player=player, name=name))


def begun(sheet: Sheet) -> bool:
    """Return whether the open round is being played as far as anybody can see: hands were entered, or cards."""
    return len(sheet.open) > 0 or (sheet.live is not None and sheet.live.started)


def add(state: State, name: str, score: int, after: str) -> Refusal | None:
    """Let a player in late, with an agreed score, left of another; once a round has begun, from the next (KEEP-7)."""
    refusal = going_on(state)
    if refusal is None:
        refusal = name_refused(state, name, "")
    if refusal is None:
        refusal = check_score(score)
    if refusal is not None:
        return refusal
    if len(state.sheet.players) >= SEATS:
        return Refusal("full", "", None, SEATS)
    if place_of(state.sheet.players, after) < 0:
        return Refusal("no_player", after)
    number = state.sheet.number + 1 if begun(state.sheet) else state.sheet.number
    return write(
        state,
        Add(clock=clock_of(state), device=state.device, name=name, score=score, round=number, after=after),
    )


def find(state: State, player: str) -> Player | None:
    """Return a player by id."""
    seat = place_of(state.sheet.players, player)
    return state.sheet.players[seat] if seat >= 0 else None


def set_away(state: State, player: Player, rounds: list[tuple[int, int | None]]) -> Refusal | None:
    """Say when a player is away."""
    over = known_ids(state.history, [f"away {player.id}"])
    return write(
        state,
        Away(clock=clock_of(state), device=state.device, over=tuple(over), player=player.id, rounds=tuple(rounds)),
    )


def retire(state: State, name: str) -> Refusal | None:
    """Let a player leave: they keep their points, are dealt no more cards and cannot win.

    In a round that is followed card by card they are out with 0, and their cards stay till its end (KEEP-7).
    """
    refusal = going_on(state)
    if refusal is not None:
        return refusal
    player = find(state, name)
    if player is None:
        return Refusal("no_player", name)
    number = state.sheet.number
    if not plays(player, number) or not plays(player, number + 1):
        return Refusal("not_at_table", name)
    if len(present(state.sheet, number)) == 1 or len(present(state.sheet, number + 1)) == 1:
        return Refusal("last_player", name)
    live = state.sheet.live
    if live is not None and live.started and name not in state.sheet.open:
        rounds: list[tuple[int, int | None]] = [*player.away, (number + 1, None)]
        refusal = live_step(state, Step("leave", name))
        if refusal is not None:
            return refusal
        return set_away(state, player, rounds)
    return set_away(state, player, [*player.away, (number, None)])


def rejoin(state: State, name: str) -> Refusal | None:
    """Bring back a player who left, with the points they had; once a round has begun, from the next (KEEP-7)."""
    player = find(state, name)
    if player is None:
        return Refusal("no_player", name)
    number = state.sheet.number
    live = state.sheet.live
    if begun(state.sheet) and (not plays(player, number) or (live is not None and left_live(state.sheet, live, name))):
        number += 1
    if plays(player, number):
        return Refusal("at_table", name)
    rounds: list[tuple[int, int | None]] = []
    for absence in player.away:
        if absence[1] is not None:
            rounds.append(absence)
        elif absence[0] < number:
            rounds.append((absence[0], number))
    return set_away(state, player, rounds)


def left_live(sheet: Sheet, live: LiveRound, name: str) -> bool:
    """Return whether a player has left in the middle of the open round."""
    return live.table.status[place_of(sheet.players, name)] == LEFT


def change_target(state: State, target: int) -> Refusal | None:
    """Agree on another target, at any time."""
    refusal = check_target(target)
    if refusal is not None:
        return refusal
    over = known_ids(state.history, ["target"])
    return write(state, Target(clock=clock_of(state), device=state.device, over=tuple(over), target=target))


def change_dealer(state: State, name: str) -> Refusal | None:
    """Let another player deal the open round; those after it follow."""
    player = find(state, name)
    if player is None:
        return Refusal("no_player", name)
    number = state.sheet.number
    if not plays(player, number):
        return Refusal("not_at_table", name)
    over = known_ids(state.history, [f"dealer {number}"])
    return write(state, Dealer(clock=clock_of(state), device=state.device, over=tuple(over), player=name, round=number))


def stop(state: State) -> Refusal | None:
    """Stop before anybody has won: nobody is called the winner (KEEP-6)."""
    refusal = going_on(state)
    return refusal if refusal is not None else set_stopped(state, True)


def resume(state: State) -> Refusal | None:
    """Go on with a match that was stopped."""
    return set_stopped(state, False) if state.sheet.stopped else Refusal("not_stopped")


def set_stopped(state: State, stopped: bool) -> Refusal | None:
    """Say whether the match is stopped."""
    over = known_ids(state.history, ["stop"])
    return write(state, Stop(clock=clock_of(state), device=state.device, over=tuple(over), stopped=stopped))


def next_undo(state: State) -> AnyOperation | None:
    """Return what undo takes back here: this device's last step, whichever tab made it."""
    return undo_next(state.history, state.owner)


def next_redo(state: State) -> AnyOperation | None:
    """Return what redo brings back here."""
    return redo_next(state.history, state.owner)


def undo(state: State) -> Refusal | None:
    """Take back the last thing that this device entered."""
    last = next_undo(state)
    if last is None:
        return Refusal("nothing_to_undo")
    return write(state, Undo(clock=clock_of(state), device=state.device, what=id_of(last)))


def redo(state: State) -> Refusal | None:
    """Bring back what this device took back last, if it has entered nothing since."""
    last = next_redo(state)
    if last is None:
        return Refusal("nothing_to_redo")
    return write(state, Redo(clock=clock_of(state), device=state.device, what=id_of(last)))


def resolve(state: State, index: int, choice: int) -> Refusal | None:
    """Decide a conflict of the sheet: the chosen value holds from now on."""
    if index < 0 or index >= len(state.sheet.conflicts):
        return Refusal("no_conflict")
    conflict = state.sheet.conflicts[index]
    if choice < 0 or choice >= len(conflict.operations):
        return Refusal("no_choice", "", None, choice, 0, len(conflict.operations) - 1)
    if conflict.kind == "entry":
        return resolve_entry(state, conflict, choice)
    chosen = state.history.by_id.get(conflict.operations[choice])
    if chosen is None:
        return Refusal("no_conflict")
    if isinstance(chosen, Live):
        return pick(state, conflict, chosen)
    if isinstance(chosen, Enter):
        return write(state, make_entry(state, chosen.round, chosen.entries))
    return write_again(state, chosen)


def resolve_entry(state: State, conflict: Conflict, choice: int) -> Refusal | None:
    """One of the values of a hand holds: as it was entered, or as it was seen card by card."""
    seat = conflict.seat
    index = conflict.round
    if index is None or seat is None:
        return Refusal("no_conflict")
    number = state.sheet.number
    if index < len(state.sheet.rounds):
        number = state.sheet.rounds[index].number
    return write(state, make_entry(state, number, {state.sheet.ids[seat]: conflict.entries[choice]}))


def pick(state: State, conflict: Conflict, chosen: Live) -> Refusal | None:
    """One of several steps for the same moment holds; of a mending that is disputed, the last does."""
    clock = clock_of(state)
    if conflict.kind == "mend":
        return mend_again(state, chosen)
    step = Step("pick", "", None, id_of(chosen))
    return write(
        state,
        Live(
            clock=clock,
            device=state.device,
            over=tuple(conflict.rivals),
            round=chosen.round,
            after=chosen.after,
            step=step,
        ),
    )


def mend_again(state: State, chosen: Live) -> Refusal | None:
    """What a step was mended to last holds."""
    written = heads(state.history, f"mend {id_of(chosen)}")
    if len(written) == 0:
        return Refusal("no_conflict")
    last = written[len(written) - 1]
    if isinstance(last, Mend):
        return mend(state, id_of(chosen), list(last.steps))
    return Refusal("no_conflict")


def write_again(state: State, chosen: AnyOperation) -> Refusal | None:
    """Write the value of an operation once more, over everything that is known."""
    over = tuple(known_ids(state.history, writes(chosen)))
    clock = clock_of(state)
    device = state.device
    if isinstance(chosen, Rename):
        return write(state, Rename(clock=clock, device=device, over=over, player=chosen.player, name=chosen.name))
    if isinstance(chosen, Target):
        return write(state, Target(clock=clock, device=device, over=over, target=chosen.target))
    if isinstance(chosen, Away):
        return write(state, Away(clock=clock, device=device, over=over, player=chosen.player, rounds=chosen.rounds))
    if isinstance(chosen, Dealer):
        return write(state, Dealer(clock=clock, device=device, over=over, player=chosen.player, round=chosen.round))
    if isinstance(chosen, Stop):
        return write(state, Stop(clock=clock, device=device, over=over, stopped=chosen.stopped))
    return Refusal("no_conflict")
