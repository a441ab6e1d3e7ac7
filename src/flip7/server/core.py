"""The core of a table: what each input makes of its state. No clock, no chance, no input or output of its own."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.game.options import Rules
from flip7.game.rulebook import EDITION
from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Back,
    By,
    Choose,
    Emote,
    Emoted,
    Hello,
    Leave,
    Notice,
    Ping,
    Player,
    Pong,
    Ready,
    Rematch,
    RemoveSeat,
    Rename,
    SetOptions,
    Start,
    Started,
)
from flip7.server.bots import away_choice, bot_choice
from flip7.server.draft import Draft
from flip7.server.errors import Refusal
from flip7.server.inputs import (
    Abandoned,
    Came,
    Deal,
    Gone,
    Input,
    Joined,
    Opened,
    Outcome,
    Rang,
    Reloaded,
    Said,
)
from flip7.server.play import GameData, Play
from flip7.server.state import RoomState
from flip7.server.store.base import AddGame, EndGame


def handle(state: RoomState, input: Input, now: float) -> Outcome:
    """Return what an input makes of a state. Raises `Refusal` for what may not be; the state stays as it is anyway."""
    draft = Draft(state, now)
    match input:
        case Said():
            _said(draft, input)
        case Came():
            _came(draft, input)
        case Gone(connection=connection):
            _gone(draft, connection)
        case Rang():
            _rang(draft)
        case Joined():
            draft.phase("lobby", "the game has begun: watch it, and sit down for the next one")
            _sit_down(draft, input.players, input.digest, input.nonce)
            draft.tell_room()
        case Opened():
            draft.creating = True
            draft.edit().secret = input.secret
            _sit_down(draft, input.players, input.digest, input.nonce)
            for bot in input.bots:
                draft.edit().sit_bot(bot)
            if input.deal is not None:
                _start(draft, input.deal)
        case Abandoned():
            if draft.state.is_empty:
                draft.close("table_closed", "nobody was here for a long time")
        case Reloaded():
            _reloaded(draft, input)
    return draft.outcome()


def _sit_down(draft: Draft, players: Sequence[Player], digest: str, nonce: str | None) -> None:
    """Give people on a new device their seats."""
    data = draft.edit()
    device = data.new_device(digest)
    data.add_nonce(device, nonce)
    draft.seats = tuple(data.sit(player, device).id for player in players)
    draft.state.lost[device] = draft.state.now


def _came(draft: Draft, came: Came) -> None:
    """A player or a spectator comes, or comes back."""
    state, connection, hello = draft.state, came.connection, came.hello
    device = 0
    if hello.token is not None:
        device = draft.data.device_with(hello.token)
        if not device:
            draft.turn_away(connection, "unknown_token", "this token opens no seat here any more")
            return
    elif len(state.spectators) >= state.settings.spectators:
        draft.turn_away(connection, "too_many", "this table has as many spectators as it can take")
        return
    if state.is_empty:
        state.resume_clocks()
    if device:
        older = state.devices.get(device)
        if older is not None:
            draft.hang_up(older, "displaced", "you went on playing in another window")
        state.devices[device] = connection
        state.lost.pop(device, None)
        state.away -= {seat.id for seat in draft.data.seats_of(device)}
    else:
        state.spectators.add(connection)
    _compare_memories(draft, device, hello)
    draft.welcome(connection, hello, catch_up=came.catch_up)
    draft.tell_room(but=connection)


def _compare_memories(draft: Draft, device: int, hello: Hello) -> None:
    """See whether a player remembers more of the game than the log: then choices were lost, and everybody is told."""
    play = draft.state.play
    if not device or play is None or hello.game != play.id or hello.number <= play.number:
        return
    draft.alarms.append(f"game {play.id}: a player has seen state {hello.number}, the log ends at {play.number}")
    if draft.data.notice is None:
        draft.edit().notice = Notice("behind", play.id)


def _gone(draft: Draft, connection: int) -> None:
    """A connection has been lost."""
    state = draft.state
    device = state.device_of(connection)
    if device:
        del state.devices[device]
        state.lost[device] = state.now
    elif connection in state.spectators:
        state.spectators.remove(connection)
    else:
        return
    draft.note_if_empty()
    draft.tell_room()


def _reloaded(draft: Draft, reloaded: Reloaded) -> None:
    """Take what the store holds for what is, and tell everybody everything again."""
    state = draft.state
    if reloaded.data is None:
        draft.close("table_closed", "the table has been closed")
        return
    state.data, state.play = reloaded.data, reloaded.play
    for device, connection in list(state.devices.items()):
        if not state.data.seats_of(device):
            draft.hang_up(connection, "unknown_token", "this token opens no seat here any more")
    _forget_those_who_left(draft)
    state.shown_at = state.now
    for connection in state.connections:
        draft.welcome(connection, Hello(), catch_up=False)


def _said(draft: Draft, said: Said) -> None:
    """A message asks for something."""
    connection, message = said.connection, said.message
    match message:
        case Choose():
            _choose(draft, connection, message)
        case Ping(at=at):
            draft.answer(connection, Pong(at=at))
        case Hello():
            raise Refusal("not_now", "hello has been said; connect again to be somebody else")
        case Emote():
            _emote(draft, connection, message)
        case Start():
            device = draft.host(connection)
            assert said.deal is not None
            if message.nonce is not None and draft.data.phase == "lobby":
                draft.edit().add_nonce(device, message.nonce)
            _start(draft, said.deal)
        case Back():
            device = draft.seated(connection)
            _come_back(draft, device)
        case Leave():
            _leave(draft, connection)
        case RemoveSeat(seat=seat):
            _remove(draft, connection, seat)
        case _:
            _change(draft, connection, message)


def _change(draft: Draft, connection: int, message: Ready | SetOptions | AddBot | AddPlayer | Rename | Rematch) -> None:
    """Change seats or options."""
    match message:
        case Ready(ready=ready, nonce=nonce):
            device = draft.seated(connection)
            draft.phase("lobby", "the game has begun already")
            data = draft.edit()
            data.add_nonce(device, nonce)
            for seat in data.seats_of(device):
                seat.ready = ready
        case SetOptions(options=options):
            draft.host(connection)
            if draft.data.phase == "playing" and options.target != draft.data.options.target:
                raise Refusal("not_now", "the target cannot change while the game runs")
            draft.edit().options = options
        case AddBot(bot=bot):
            draft.host(connection)
            draft.phase("lobby", "bots sit down before the game begins")
            draft.edit().sit_bot(bot)
        case AddPlayer(player=player):
            device = draft.seated(connection)
            draft.phase("lobby", "people sit down before the game begins")
            draft.edit().sit(player, device)
        case Rename(seat=id, player=player):
            draft.phase("lobby", "names are chosen before the game begins")
            draft.own(connection, id)
            data = draft.edit()
            data.rename(data.seat(id), player)
        case Rematch():
            draft.host(connection)
            draft.phase("over", "a rematch comes after the end of a game")
            draft.edit().back_to_lobby()
            draft.state.away.clear()
            draft.state.play = None
    draft.tell_room()


def _emote(draft: Draft, connection: int, message: Emote) -> None:
    """Show everybody a feeling."""
    device = draft.seated(connection)
    seat = draft.data.seats_of(device)[0] if message.seat is None else draft.own(connection, message.seat)
    draft.tell(Emoted(seat=seat.id, emotion=message.emotion))


# Going for good.


def _remove(draft: Draft, connection: int, id: int) -> None:
    """The host removes a bot or a player, or a player frees one of their own seats."""
    device = draft.seated(connection)
    seat = draft.data.seat(id)
    if seat.device != device:
        draft.host(connection)
    if seat.bot is not None and draft.data.phase != "lobby":
        raise Refusal("not_now", "a bot plays on until the game is over")
    holder = seat.device
    data = draft.edit()
    data.free(data.seat(id))
    if holder and not data.seats_of(holder) and holder in draft.state.devices:
        draft.hang_up(draft.state.devices[holder], "removed", "the host has taken you off the table")
    _after_leaving(draft)


def _leave(draft: Draft, connection: int) -> None:
    """A player goes for good, with all seats of the device, or a spectator goes."""
    device = draft.state.device_of(connection)
    draft.hang_up(connection, "left", "you have left the table")
    if device:
        data = draft.edit()
        for seat in data.seats_of(device):
            data.free(seat)
        _after_leaving(draft)
    else:
        draft.tell_room()


def _after_leaving(draft: Draft) -> None:
    """See to those who stay: a host, or nobody, and then the table is closed."""
    data, state = draft.data, draft.state
    if not data.host_device:
        draft.edit().name_host(state.devices)
    _forget_those_who_left(draft)
    if data.people():
        draft.tell_room()
    else:
        draft.close("table_closed", "everybody has left the table")


def _forget_those_who_left(draft: Draft) -> None:
    people, state = draft.data.people(), draft.state
    holders = {seat.device for seat in people}
    state.lost = {device: at for device, at in state.lost.items() if device in holders}
    state.away &= {seat.id for seat in people}


# The game.


def _start(draft: Draft, deal: Deal) -> None:
    """The game begins: its deck is fixed and promised before the first card."""
    draft.phase("lobby", "the game has begun already")
    waiting = draft.data.not_ready()
    if waiting:
        raise Refusal("not_ready", f"not ready yet: {', '.join(waiting)}")
    state, data = draft.state, draft.edit()
    names = tuple(seat.name for seat in data.seats)
    secret, nonces = data.secret or deal.next, data.take_nonces()
    data.secret = deal.next if data.secret else None
    game = GameData(
        names=names,
        seed=secret.seed,
        salt=secret.salt,
        nonces=nonces if state.settings.seed is None else (),
        version=2,
        rules=Rules(target=data.options.target, dealer=deal.luck % len(names)),
        date=deal.date,
        seats=state.seat_infos(),
        edition=EDITION,
    )
    data.phase, data.game, data.notice = "playing", deal.id, None
    draft.writes.append(AddGame(deal.id, data.code, msgspec.json.encode(game)))
    state.play = Play(deal.id, game)
    state.away.clear()
    state.reach(state.play.events)
    draft.tell_room()
    draft.tell(Started(game=state.play.first_view()))
    draft.tell(state.play.deal_step(odds=data.options.odds, seconds=state.seconds))


def _choose(draft: Draft, connection: int, message: Choose) -> None:
    """A player answers the open question."""
    device = draft.seated(connection)
    draft.phase("playing", "no game is being played")
    play = draft.state.play
    assert play is not None
    if message.game != play.id or message.number != play.number:
        raise Refusal("stale", f"that answers state {message.number}; the game is at state {play.number} now")
    seat = draft.state.asked
    assert seat is not None
    if seat.device != device:
        raise Refusal("not_your_turn", f"{seat.name} is asked now")
    _come_back(draft, device)
    _take(draft, play, message.choice, "player")


def _come_back(draft: Draft, device: int) -> None:
    """Stop playing for those who hold this device."""
    own = {seat.id for seat in draft.data.seats_of(device)}
    if own & draft.state.away:
        draft.state.away -= own
        draft.tell_room()


def _take(draft: Draft, play: Play, choice: str | int, by: By) -> None:
    """Take a choice, whoever made it: it is played, written down, and told."""
    seat = play.asked
    assert seat is not None
    try:
        after = play.after(choice, by)
    except (IllegalChoice, InvalidChoice) as error:
        raise Refusal("illegal", str(error)) from None
    state = draft.state
    state.play = after
    draft.writes.append(after.logged())
    if after.over:
        draft.edit().phase = "over"
        draft.writes.append(EndGame(play.id))
    state.reach(after.events)
    draft.tell(after.step(seat, odds=draft.data.options.odds, seconds=state.seconds))
    if after.over:
        draft.tell_room()


def _rang(draft: Draft) -> None:
    """Do what is due."""
    state = draft.state
    if state.next_host_at is not None and state.next_host_at <= state.now:
        draft.edit().name_host(state.devices)
        draft.tell_room()
    if state.next_choice_at is None or state.next_choice_at > state.now:
        return
    seat, play = state.asked, state.play
    assert seat is not None
    assert play is not None
    if seat.bot is not None:
        _take(draft, play, bot_choice(seat.bot, play.game), "bot")
        return
    if seat.id not in state.away:
        state.away.add(seat.id)
        draft.tell_room()
    _take(draft, play, away_choice(play.game), "away")
