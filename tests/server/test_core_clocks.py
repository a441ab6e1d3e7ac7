"""What happens by itself at a table: bots, timers, players who are away, hosts who are gone; on a clock set by hand."""

from __future__ import annotations

from pathlib import Path

from flip7.protocol.messages import (
    Back,
    Leave,
    Options,
    Ping,
    Ready,
    Rematch,
    RemoveSeat,
    RoomChanged,
    SetOptions,
    StandIn,
    Start,
    Step,
    Welcome,
)
from flip7.server.bots import SUBSTITUTE
from flip7.server.inputs import Rang
from flip7.server.loading import read_room
from flip7.server.seating import RoomData
from flip7.server.settings import Settings
from flip7.server.store.base import SaveRoom

from .core_table import CoreTable, Person, play

SLOW = Settings(data=Path(), pace=1.0)


def two(options: Options | None = None, settings: Settings = SLOW) -> tuple[CoreTable, Person, Person]:
    """Two players at the beginning of a game."""
    table = CoreTable("Ana", options=options, settings=settings)
    ana, ben = table.host(), table.join("Ben")
    table.start()
    return table, ana, ben


def by_turn(table: CoreTable, ana: Person, ben: Person) -> tuple[Person, Person]:
    """Who is asked, and the other one."""
    return (ana, ben) if ana.is_asked else (ben, ana)


def presence(table: CoreTable, person: Person) -> str:
    return next(seat.presence for seat in table.room.seats if seat.id in person.seats)


def test_a_bot_waits_until_people_have_seen_what_happened_and_thinks_a_little() -> None:
    table = CoreTable("Ana", bots=("carl",), settings=SLOW)
    ana = table.host()
    ana.send(Start())
    table.wait(0)
    while ana.is_asked:
        ana.answer(lambda ask: "hit" if ask.kind == "turn" else ask.options[-1])
    number, begun = ana.number, table.now
    assert table.state.shown_at > begun
    assert table.alarm
    assert 0.4 <= table.alarm - table.state.shown_at <= 1.0
    table.wait(table.alarm - begun - 0.01)
    assert ana.number == number
    table.wait(0.02)
    assert ana.number == number + 1
    assert ana.last(Step).by == "bot"


def test_without_a_timer_a_lost_player_is_played_for_after_a_minute_and_until_they_return() -> None:
    table, ana, ben = two(Options(target=60))
    asked, other = by_turn(table, ana, ben)
    asked.leave_without_a_word()
    assert presence(table, asked) == "lost"
    number = other.number
    table.wait(59.9)
    assert other.number == number
    table.wait(0.2)
    assert other.number > number
    assert other.last(Step).by == "away"
    assert presence(table, asked) == "away"
    play(table)
    seat = next(index for index, seat in enumerate(table.room.seats) if seat.id in asked.seats)
    theirs = [step for step in other.all(Step) if step.seat == seat]
    assert {step.by for step in theirs} == {"away"}
    assert {step.choice for step in theirs if isinstance(step.choice, str)} <= {"stay"}
    again = table.person(asked.token)
    assert again.last(Welcome).room.seats[seat].presence == "here"


def test_with_a_timer_a_slow_player_is_played_for_until_they_say_they_are_back() -> None:
    table, ana, ben = two(Options(timer=15))
    asked, _ = by_turn(table, ana, ben)
    step = asked.last(Step)
    assert step.ask
    assert step.ask.seconds == round(table.state.shown_at - table.now + 15, 1)
    table.wait(step.ask.seconds - 0.1)
    assert asked.number == 0
    table.wait(0.2)
    assert asked.last(Step).by == "away"
    assert presence(table, asked) == "away"
    asked.send(Back())
    assert presence(table, asked) == "here"
    assert asked.last(RoomChanged).room == table.room


def test_a_choice_says_too_that_one_is_back() -> None:
    table, ana, ben = two(Options(timer=15))
    asked, other = by_turn(table, ana, ben)
    table.wait(30)
    while not asked.is_asked or presence(table, asked) != "away":
        if other.is_asked:
            other.answer()
        table.wait(0.1)
    asked.answer()
    assert presence(table, asked) == "here"
    assert asked.last(Step).by == "player"


def test_a_table_where_nobody_is_rests_and_the_timer_begins_again() -> None:
    table, ana, ben = two(Options(timer=15))
    asked, other = by_turn(table, ana, ben)
    table.wait(10)
    other.leave_without_a_word()
    asked.leave_without_a_word()
    assert table.alarm is None
    table.wait(1000)
    back = table.person(asked.token)
    welcome = back.last(Welcome)
    assert welcome.game
    assert welcome.game.number == 0
    assert welcome.game.ask
    assert welcome.game.ask.seconds == 15.0


def test_the_minute_of_those_who_are_lost_does_not_pass_while_the_table_rests() -> None:
    table, ana, ben = two()
    asked, other = by_turn(table, ana, ben)
    asked.leave_without_a_word()
    table.wait(40)
    other.leave_without_a_word()
    table.wait(1000)
    other = table.person(other.token)
    number = other.number
    table.wait(19.9)
    assert other.number == number
    table.wait(0.2)
    assert other.number == number + 1


def test_a_host_who_is_gone_for_a_minute_is_replaced_by_a_player_who_is_here() -> None:
    table = CoreTable("Ana")
    ana, ben = table.host(), table.join("Ben")
    ana.leave_without_a_word()
    table.wait(59)
    assert table.room.seats[0].host
    table.wait(2)
    assert [seat.host for seat in ben.last(RoomChanged).room.seats] == [False, True]
    assert [seat.host for seat in table.host().last(Welcome).room.seats] == [False, True]


def test_a_host_who_lets_everybody_wait_in_the_lobby_is_replaced_once_the_others_have_waited_long_enough() -> None:
    table = CoreTable("Ana", options=Options(patience=60))
    ana, ben, cho = table.host(), table.join("Ben"), table.join("Cho")
    table.wait(500)
    ben.send(Ready())
    table.wait(500)
    assert table.room.seats[0].host  # Cho is not ready: nobody waits for the host alone.
    cho.send(Ready())
    table.wait(59)
    ana.send(Ping(at=1.0))
    assert table.room.seats[0].host
    ana.send(SetOptions(options=Options(patience=60, target=100)))
    table.wait(59)
    ana.send(Ping(at=2.0))  # That says nothing of the person.
    assert table.room.seats[0].host
    table.wait(1)
    assert [seat.host for seat in ben.last(RoomChanged).room.seats] == [False, True, False]
    table.wait(1000)
    assert table.room.seats[1].host
    ben.send(RemoveSeat(seat=ana.seats[0]))
    ben.send(Start())
    assert table.state.data.phase == "playing"


def test_a_new_host_has_as_long_as_the_one_before() -> None:
    """However long nobody has said anything: it does not go round and round among people who do nothing."""
    table = CoreTable("Ana", options=Options(patience=60))
    people = [table.host(), table.join("Ben"), table.join("Cho")]
    for person in people:
        person.send(Ready())
    for host in ("Ana", "Ben", "Ana", "Ben"):
        assert host_of(table) == host
        assert table.alarm == table.now + 60
        table.now = table.alarm
        table.feed(Rang())
    people[0].send(Leave())
    assert host_of(table) == "Ben"
    assert table.alarm == table.now + 60


def test_a_host_who_is_alone_or_whom_the_others_would_wait_for_for_ever_stays() -> None:
    for options, ready in ((Options(patience=0), True), (Options(patience=60), False)):
        table = CoreTable("Ana", options=options)
        table.host()
        if ready:
            table.join("Ben").send(Ready())
        table.wait(10_000)
        assert table.room.seats[0].host


def test_a_host_who_is_played_for_is_replaced_by_a_player_who_is_here() -> None:
    table = CoreTable("Ana", options=Options(timer=15, patience=60))
    ana, ben = table.host(), table.join("Ben")
    table.start()
    began, away_at = table.now, 0.0
    while host_of(table) == "Ana":
        assert table.now < began + 100
        if table.room.seats[0].presence == "away":
            away_at = away_at or table.now
        if ben.is_asked:
            table.wait(10)
            ben.answer()
        else:
            assert table.alarm is not None
            table.wait(table.alarm - table.now)
    assert began < away_at < began + 60 <= table.now
    assert [seat.host for seat in ben.last(RoomChanged).room.seats] == [False, True]
    ana.send(Back())
    assert host_of(table) == "Ben"


def host_of(table: CoreTable) -> str:
    return next(seat.name for seat in table.room.seats if seat.host)


def test_who_has_left_is_not_waited_for() -> None:
    table, ana, ben = two()
    asked, other = by_turn(table, ana, ben)
    asked.leave_without_a_word()
    back = table.person(asked.token)
    back.send(Leave())
    assert table.state.lost == {}
    assert table.state.away == set()
    assert table.alarm
    table.wait(5)
    assert other.last(Step).by == "bot"


def test_nobody_is_away_when_a_game_begins() -> None:
    table, ana, ben = two(Options(target=10, timer=15))
    while table.room.phase == "playing":
        table.wait(20)
    assert table.state.away
    ana.send(Back())
    ana.send(Rematch())
    table.start()
    assert table.state.away == set()
    assert ben.last(RoomChanged).room.phase == "playing"


def test_an_unknown_token_does_not_make_an_idle_table_young_again() -> None:
    table = CoreTable("Ana")
    since = table.state.empty_since
    table.wait(100)
    table.person("no such token")
    assert table.state.empty_since == since
    table.person().leave_without_a_word()
    assert table.state.empty_since == table.now


def test_whoever_is_taken_off_the_table_is_neither_away_nor_waited_for_any_more() -> None:
    """A bot sits there now: its seat shows nobody who is lost, and no clock runs for them."""
    table = CoreTable("Ana")
    host, ben = table.host(), table.join("Ben")
    table.start()
    seat = ben.seats[0]
    ben.leave_without_a_word()
    assert list(table.state.lost) == [table.state.data.seat(seat).device]
    play(table, until=6)
    assert seat in table.state.away
    host.send(RemoveSeat(seat=seat))
    assert (table.state.away, table.state.lost) == (set(), {})
    assert next(info for info in table.room.seats if info.id == seat).presence == "here"


def test_a_connected_player_who_does_not_answer_is_played_for_after_two_minutes() -> None:
    table, ana, ben = two()
    asked, other = by_turn(table, ana, ben)
    table.wait(table.state.shown_at - table.now + 119.9)
    assert asked.number == 0
    assert presence(table, asked) == "here"
    ask = asked.last(Step).ask
    assert ask
    assert ask.seconds is None
    table.wait(0.2)
    assert asked.last(Step).by == "away"
    assert presence(table, asked) == "away"
    assert other.last(RoomChanged).room == table.room
    asked.send(Back())
    assert presence(table, asked) == "here"


def test_the_host_changes_how_long_the_others_wait_and_may_let_them_wait_for_ever() -> None:
    table, ana, ben = two()
    asked, _ = by_turn(table, ana, ben)
    ana.send(SetOptions(options=Options(patience=0)))
    table.wait(10_000)
    assert asked.number == 0
    ana.send(SetOptions(options=Options(patience=60)))
    table.wait(0.1)
    assert asked.last(Step).by == "away"


def test_nobody_is_played_for_at_a_table_where_nobody_else_waits() -> None:
    table = CoreTable("Ana", bots=("carl",), settings=SLOW)
    ana = table.host()
    ana.send(Start())
    table.wait(60)
    assert ana.is_asked
    number = ana.number
    table.wait(10_000)
    assert ana.number == number
    assert presence(table, ana) == "here"
    table.person()  # A spectator waits.
    table.wait(0.1)
    assert any(step.by == "away" for step in ana.all(Step))


def test_the_game_of_a_silent_player_rests_when_the_last_one_who_waited_has_gone() -> None:
    table, ana, ben = two(Options(patience=60))
    asked, other = by_turn(table, ana, ben)
    table.wait(70)
    other.leave_without_a_word()
    table.wait(200)
    number = asked.number
    table.wait(10_000)
    assert asked.number == number


def test_whoever_returns_late_has_a_while_before_they_are_played_for() -> None:
    table, ana, ben = two()
    asked, other = by_turn(table, ana, ben)
    table.wait(110)
    asked.leave_without_a_word()
    table.wait(30)
    number = other.number
    back = table.person(asked.token)
    table.wait(29.9)
    assert (other.number, presence(table, back)) == (number, "here")
    table.wait(0.2)
    assert other.number == number + 1


def test_the_host_lets_a_bot_play_for_a_player_until_they_return() -> None:
    table, ana, ben = two(Options(target=60))
    seat = ben.seats[0]
    assert ben.refused(StandIn(seat=ana.seats[0])).code == "not_host"
    assert ana.refused(StandIn(seat=seat, bot="nobody")).code == "unknown_bot"
    assert ana.refused(StandIn(seat=99)).code == "unknown_seat"
    ana.send(StandIn(seat=seat, bot="bea"))
    info = next(info for info in ben.last(RoomChanged).room.seats if info.id == seat)
    assert (info.presence, info.stand_in, info.bot) == ("away", "bea", None)
    while not any(step.by == "away" for step in ana.all(Step)):
        if ana.is_asked:
            ana.answer()
        table.wait(10)
    ben.send(Back())
    info = next(info for info in ana.last(RoomChanged).room.seats if info.id == seat)
    assert (info.presence, info.stand_in) == ("here", None)


def test_a_stand_in_outlives_a_restart_and_goes_when_the_player_connects_again() -> None:
    table, ana, ben = two()
    ben.leave_without_a_word()
    seat = ben.seats[0]
    ana.send(StandIn(seat=seat))
    assert saved(table).seat(seat).stand_in == SUBSTITUTE
    table.person(ben.token)
    assert saved(table).seat(seat).stand_in is None
    assert presence(table, ben) == "here"


def saved(table: CoreTable) -> RoomData:
    """What a server that is started again finds."""
    return read_room("TABLE", [write for write in table.writes if isinstance(write, SaveRoom)][-1].data)


def test_a_stand_in_ends_with_the_game_and_is_none_before_it() -> None:
    table, ana, ben = two(Options(target=10))
    ana.send(StandIn(seat=ben.seats[0]))
    while table.room.phase == "playing":
        if ana.is_asked:
            ana.answer()
        table.wait(10)
    assert ana.refused(StandIn(seat=ben.seats[0])).code == "not_now"
    ana.send(Rematch())
    assert [seat.stand_in for seat in table.room.seats] == [None, None]


def test_a_bot_does_not_stand_in_for_a_bot() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana = table.host()
    ana.send(Start())
    assert ana.refused(StandIn(seat=2)).code == "not_now"
