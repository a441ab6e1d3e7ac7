"""The core of a table: what each input makes of its state. No clock, no chance, no input or output of its own."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.game.options import Rules
from flip7.game.promise import first_dealer
from flip7.game.rulebook import EDITION
from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Advise,
    Back,
    By,
    Choose,
    Emote,
    Emoted,
    Hello,
    Leave,
    Ping,
    Player,
    Pong,
    Ready,
    Rematch,
    RemoveSeat,
    Rename,
    SetOptions,
    Skip,
    StandIn,
    Start,
    Started,
)
from flip7.server.arrivals import come, come_back, lose, reload
from flip7.server.bots import away_choice, bot_choice
from flip7.server.daily_log import begun, ended
from flip7.server.departures import leave, remove, stand_in
from flip7.server.draft import Draft
from flip7.server.errors import Refusal
from flip7.server.inputs import (
    Abandoned,
    BotAnswered,
    Came,
    Deal,
    Gone,
    Input,
    Joined,
    Opened,
    Outcome,
    Question,
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
    draft.late = isinstance(input, Said | Rang) and input.late
    match input:
        case Said():
            _said(draft, input)
        case Came():
            come(draft, input)
        case Gone(connection=connection):
            lose(draft, connection)
        case Rang(deal=deal):
            _rang(draft, deal)
        case Joined():
            if draft.data.daily is not None:
                raise Refusal("not_now", "the deck of the day is played alone")
            _join(draft, input)
        case Opened():
            draft.creating = True
            draft.edit().secret = input.secret
            draft.edit().daily = input.daily
            _sit_down(draft, input.players, input.digest, input.nonce)
            for bot in input.bots:
                draft.edit().sit_bot(bot)
            if input.deal is not None:
                _start(draft, input.deal)
        case BotAnswered():
            _bot_answered(draft, input)
        case Abandoned():
            if draft.state.is_empty:
                draft.close("table_closed", "nobody was here for a long time")
        case Reloaded():
            reload(draft, input)
    return draft.outcome()


def _join(draft: Draft, joined: Joined) -> None:
    """Give people on a new device their seats; whoever asks again, because the answer was lost, has them already."""
    known = draft.data.devices.get(joined.digest)
    if known is not None:
        draft.seats = tuple(seat.id for seat in draft.data.seats_of(known))
        return
    _sit_down(draft, joined.players, joined.digest, joined.nonce)
    draft.tell_room()


def _sit_down(draft: Draft, players: Sequence[Player], digest: str, nonce: str | None) -> None:
    """Give people on a new device their seats."""
    data = draft.edit()
    device = data.new_device(digest)
    data.add_nonce(device, nonce)
    draft.seats = tuple(data.sit(player, device).id for player in players)
    draft.state.lost[device] = draft.state.now


def _said(draft: Draft, said: Said) -> None:
    """A message asks for something."""
    connection, message = said.connection, said.message
    device = draft.state.device_of(connection)
    if device and not isinstance(message, Ping):
        draft.state.heard[device] = draft.state.now
    match message:
        case Choose():
            _choose(draft, connection, message)
        case Advise():
            _ask_coach(draft, connection, message)
        case Ping(at=at):
            draft.answer(connection, Pong(at=at))
        case Hello():
            raise Refusal("not_now", "hello has been said; connect again to be another player")
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
            come_back(draft, device)
        case Skip(to=to):
            _skip(draft, draft.seated(connection), to)
        case Rematch(again=True, nonce=nonce):
            _rematch(draft, draft.host(connection), nonce, said.deal)
        case Leave():
            leave(draft, connection)
        case RemoveSeat(seat=seat):
            remove(draft, connection, seat)
        case StandIn():
            stand_in(draft, connection, message)
        case _:
            _change(draft, connection, message)


def _change(draft: Draft, connection: int, message: Ready | SetOptions | AddBot | AddPlayer | Rename | Rematch) -> None:
    """Change seats or options."""
    match message:
        case Ready(ready=ready, nonce=nonce):
            device = draft.seated(connection)
            if draft.state.next_game_at is None:
                draft.phase("lobby", "the game has begun already")
            data = draft.edit()
            data.add_nonce(device, nonce)
            for seat in data.seats_of(device):
                seat.ready = ready
        case SetOptions(options=options):
            draft.host(connection)
            if draft.data.phase == "playing" and options.target != draft.data.options.target:
                raise Refusal("not_now", "the target cannot change while the game runs")
            if draft.data.daily is not None and options.coach:
                raise Refusal("not_now", "the daily challenge is played without the coach")
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
            _clear_the_table(draft)
    draft.tell_room()


def _clear_the_table(draft: Draft) -> None:
    """Go back to the lobby after a game. Raises `Refusal` at the daily challenge."""
    if draft.data.daily is not None:
        raise Refusal("not_now", "the deck of the day is played once; there is another one tomorrow")
    draft.edit().back_to_lobby()
    draft.state.away.clear()
    draft.state.play = draft.state.rematch_at = None


def _rematch(draft: Draft, device: int, nonce: str | None, deal: Deal | None) -> None:
    """Play again: at once where nobody else could mind, otherwise after a while in which they may leave."""
    draft.phase("over", "a rematch comes after the end of a game")
    draft.edit().add_nonce(device, nonce)
    if {seat.device for seat in draft.data.people()} == {device}:
        assert deal is not None
        _play_again(draft, deal)
    else:
        draft.edit().again = True
        draft.state.note_rematch()
        draft.tell_room()


def _play_again(draft: Draft, deal: Deal) -> None:
    """Begin another game with whoever holds a seat; those who are not here are played for until they come."""
    _clear_the_table(draft)
    state = draft.state
    for seat in draft.edit().seats:
        seat.ready = True
    _start(draft, deal)
    state.away |= {seat.id for seat in draft.data.people() if seat.device in state.lost}
    draft.tell_room()


def _emote(draft: Draft, connection: int, message: Emote) -> None:
    """Show everybody a feeling."""
    device = draft.seated(connection)
    seat = draft.data.seats_of(device)[0] if message.seat is None else draft.own(connection, message.seat)
    draft.tell(Emoted(seat=seat.id, emotion=message.emotion))


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
    if state.settings.seed is not None or data.daily is not None:
        nonces = ()
    dealer = first_dealer(int(secret.seed), nonces, len(names)) if deal.dealer is None else deal.dealer
    game = GameData(
        names=names,
        seed=secret.seed,
        salt=secret.salt,
        nonces=nonces,
        version=2,
        rules=Rules(target=data.options.target, dealer=dealer % len(names)),
        date=deal.date,
        seats=state.seat_infos(),
        edition=EDITION,
        daily=data.daily.date if data.daily else None,
    ).promised(deal.id)
    data.phase, data.game, data.notice = "playing", deal.id, None
    draft.writes.append(AddGame(deal.id, data.code, msgspec.json.encode(game)))
    if data.daily is not None:
        draft.writes.append(begun(data.daily, data.code, data.seats[0].id))
    state.play = Play(deal.id, game)
    state.away.clear()
    state.quick_seconds = 0.0
    state.reach(state.play.events, quick=state.is_quick)
    draft.tell_room()
    draft.tell(Started(game=state.play.first_view()))
    draft.tell(state.play.deal_step(odds=data.options.odds, seconds=state.seconds))


def _choose(draft: Draft, connection: int, message: Choose) -> None:
    """A player answers the open question."""
    play = _own_question(draft, connection, message)
    come_back(draft, draft.seated(connection))
    _take(draft, play, message.choice, "player")


def _own_question(draft: Draft, connection: int, message: Choose | Advise) -> Play:
    """Return the game whose open question is put to a player. Raises `Refusal` if it is another's, or has passed."""
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
    return play


def _ask_coach(draft: Draft, connection: int, message: Advise) -> None:
    """A player asks what the choices of their open question are worth."""
    play = _own_question(draft, connection, message)
    if not (draft.data.options.coach and draft.data.options.odds):
        raise Refusal("not_now", "the host has decided to play without the coach")
    draft.question = Question(connection, play.id, play.number, str(play.game.position))


def _skip(draft: Draft, device: int, to: str) -> None:
    """A player need not see what was told, or what comes before the next choice of a player."""
    state = draft.state
    draft.phase("playing", "no game is being played")
    asked = state.asked
    if asked is None or state.is_present(asked):
        return
    state.skipped.add(device)
    if state.is_skipping:
        state.shown_at = state.now
    if to == "now":
        state.skipped.discard(device)


def _take(draft: Draft, play: Play, choice: str | int, by: By) -> None:
    """Take a choice, whoever made it: it is played, written down, and told."""
    seat = play.asked
    assert seat is not None
    try:
        after = play.after(choice, by)
    except (IllegalChoice, InvalidChoice) as error:
        raise Refusal("illegal", str(error)) from None
    state = draft.state
    quick = by != "player" and state.is_quick
    state.play = after
    draft.writes.append(after.logged())
    if after.over:
        draft.edit().phase = "over"
        draft.writes.append(EndGame(play.id))
        if draft.data.daily is not None and not draft.late:
            draft.writes.append(ended(draft.data.daily, after.game, play.id))
    state.reach(after.events, quick=quick)
    draft.tell(after.step(seat, odds=draft.data.options.odds, seconds=state.seconds, quick=quick))
    if after.over:
        draft.tell_room()


def _rang(draft: Draft, deal: Deal | None) -> None:
    """Do what is due."""
    state = draft.state
    if state.next_game_at is not None and state.next_game_at <= state.now:
        assert deal is not None
        _play_again(draft, deal)
        return
    if state.next_host_at is not None and state.next_host_at <= state.now:
        draft.edit().name_host(state.successors)
        draft.tell_room()
    _answer_if_due(draft)


def _bot_answered(draft: Draft, answered: BotAnswered) -> None:
    """A bot has thought about the open question; unless it has passed, that is its answer when it is due."""
    pondering = draft.state.pondered
    if pondering is None or (pondering.game, pondering.number) != (answered.game, answered.number):
        return
    draft.state.pondering = msgspec.structs.replace(pondering, answered=True, choice=answered.choice)
    _answer_if_due(draft)


def _answer_if_due(draft: Draft) -> None:
    """Answer the open question for a bot, or for a player who is away, once that is due."""
    state = draft.state
    if state.next_choice_at is None or state.next_choice_at > state.now:
        return
    seat, play, bot = state.asked, state.play, state.asked_bot
    assert seat is not None
    assert play is not None
    if bot is not None:
        thought = state.pondered.choice if state.pondered is not None else None
        legal = play.game.decision is not None and thought in play.game.decision.options
        choice = thought if thought is not None and legal else bot_choice(bot, play.game)
        _take(draft, play, choice, "bot" if seat.bot is not None else "away")
        return
    if seat.id not in state.away:
        state.away.add(seat.id)
        draft.tell_room()
    _take(draft, play, away_choice(play.game), "away")
