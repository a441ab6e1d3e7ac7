"""What people can do at a table, before, during and after a game: the pure core, without a server or a clock."""

from __future__ import annotations

import msgspec
import pytest

from flip7.protocol.messages import (
    AddBot,
    AddPlayer,
    Back,
    Choose,
    Emote,
    Emoted,
    Hello,
    Leave,
    Options,
    Ping,
    Player,
    Pong,
    Ready,
    Rematch,
    RemoveSeat,
    Rename,
    RoomChanged,
    SetOptions,
    Start,
    Started,
    Step,
    Welcome,
)
from flip7.server.core import handle
from flip7.server.errors import Refusal
from flip7.server.inputs import Abandoned, Came, HangUp, Joined, Outcome, Reloaded, Said
from flip7.server.names import digest
from flip7.server.store.base import AddChoice, AddGame, DropRoom, EndGame, SaveRoom

from .core_table import CoreTable, play


def test_friends_gather_get_ready_and_play_to_the_end() -> None:
    table = CoreTable("Ana")
    ana, ben = table.host(), table.join("Ben")
    ana.send(AddBot(bot="carl"))
    assert "Ben" in ana.refused(Start()).text
    ben.send(Ready())
    ana.send(Start())
    play(table)
    last = ana.last(Step)
    assert last == ben.last(Step)
    assert last.winner is not None
    assert table.room.phase == "over"


def test_every_choice_is_written_before_it_can_be_told_and_in_order() -> None:
    table = CoreTable("Ana", "Ben")
    table.host()
    table.start()
    play(table)
    choices = [write for write in table.writes if isinstance(write, AddChoice)]
    assert [choice.number for choice in choices] == list(range(len(choices)))
    assert sum(isinstance(write, AddGame) for write in table.writes) == 1
    assert sum(isinstance(write, EndGame) for write in table.writes) == 1
    assert isinstance(table.writes[-1], SaveRoom)


def test_names_are_cleaned_and_made_unlike() -> None:
    table = CoreTable("  Ana \t Maria ")
    table.join("Ana Maria")
    assert [seat.name for seat in table.room.seats] == ["Ana Maria", "Ana Maria 2"]
    assert table.room.seats[0].colour != table.room.seats[1].colour


@pytest.mark.parametrize(
    "name", ["", "x" * 25, "a\u0000b", "\u202eevil", "\u200b", " \u0301 ", "\u3164 \u2800", "a\nb\u0007"]
)
def test_names_that_cannot_be_shown_are_refused(name: str) -> None:
    with pytest.raises(Refusal, match="name"):
        CoreTable("Ana").join(name)


def test_only_the_host_rules_the_table() -> None:
    table = CoreTable("Ana")
    table.host()
    ben = table.join("Ben")
    for message in (AddBot(bot="carl"), Start(), SetOptions(options=Options(target=50)), RemoveSeat(seat=1)):
        assert ben.refused(message).code == "not_host"
    assert ben.refused(Rename(seat=1, player=Player(name="Mine"))).code == "not_yours"
    ben.send(Rename(seat=2, player=Player(name="Benno", colour=7)))
    assert (table.room.seats[1].name, table.room.seats[1].colour) == ("Benno", 7)


def test_the_host_sets_options_and_removes_bots_and_players() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana, ben = table.host(), table.join("Ben")
    options = Options(target=77, timer=15, odds=False, public=True)
    ana.send(SetOptions(options=options))
    assert ben.last(RoomChanged).room.options == options
    assert ana.refused(AddBot(bot="nobody")).code == "unknown_bot"
    assert ana.refused(RemoveSeat(seat=99)).code == "unknown_seat"
    ana.send(RemoveSeat(seat=2))
    ana.send(RemoveSeat(seat=3))
    assert [seat.name for seat in ana.last(RoomChanged).room.seats] == ["Ana"]
    assert ben.ending
    assert (ben.ending.code, ben.ending.resume) == ("removed", False)
    again = table.person(ben.token)
    assert again.ending
    assert again.ending.code == "unknown_token"


def test_the_target_and_the_bots_stay_while_the_game_runs_and_the_rest_can_change() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana = table.host()
    ana.send(Start())
    assert ana.refused(SetOptions(options=Options(target=50))).code == "not_now"
    assert ana.refused(RemoveSeat(seat=2)).code == "not_now"
    assert ana.refused(AddBot(bot="bea")).code == "not_now"
    assert ana.refused(AddPlayer(player=Player(name="Late"))).code == "not_now"
    assert ana.refused(Rename(seat=1, player=Player(name="New"))).code == "not_now"
    assert ana.refused(Ready()).code == "not_now"
    ana.send(SetOptions(options=Options(timer=30, odds=False)))
    assert table.room.options.timer == 30


def test_another_person_becomes_host_when_the_host_leaves_one_who_is_here_first() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana, ben, cho = table.host(), table.join("Ben"), table.join("Cho")
    ben.leave_without_a_word()
    ana.send(Leave())
    assert [(seat.name, seat.host) for seat in cho.last(RoomChanged).room.seats] == [
        ("Careful Carl", False),
        ("Ben", False),
        ("Cho", True),
    ]
    assert ana.ending
    assert ana.ending.code == "left"


def test_the_table_is_closed_when_everybody_has_left() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana, spectator = table.host(), table.person()
    ana.send(Leave())
    assert spectator.ending
    assert spectator.ending.code == "table_closed"
    assert table.writes[-1] == DropRoom("TABLE")
    assert table.state.closed
    assert table.alarm is None


def test_a_player_who_leaves_in_play_becomes_a_bot_until_the_rematch() -> None:
    table = CoreTable("Ana")
    ana, ben = table.host(), table.join("Ben")
    table.start()
    ben.send(Leave())
    assert [seat.bot is not None for seat in table.room.seats] == [False, True]
    play(table)
    ana.send(Rematch())
    assert [seat.name for seat in table.room.seats] == ["Ana"]
    assert table.room.phase == "lobby"
    assert table.room.game is None


def test_a_leave_that_is_not_written_changes_nothing() -> None:
    """The player goes on playing, hears everything, and can leave again."""
    table = CoreTable("Ana")
    ana, ben = table.host(), table.join("Ben")
    outcome = handle(table.state, Said(ben.connection, Leave()), table.now)
    assert outcome.state is not table.state
    table.start()
    play(table)
    assert ben.last(Step).winner is not None
    ben.send(Leave())
    assert ben.ending
    assert ana.ending is None


@pytest.mark.parametrize("message", [Leave(), Ready(ready=False), AddPlayer(player=Player(name="Cho")), Start()])
def test_what_is_not_written_has_not_happened(message: object) -> None:
    table = CoreTable("Ana")
    ana = table.host()
    before = msgspec.json.encode(table.state.data), table.state.view(), table.state.connections
    handle(table.state, Said(ana.connection, message, table.deal()), table.now)  # type: ignore[arg-type]
    assert (msgspec.json.encode(table.state.data), table.state.view(), table.state.connections) == before


def test_after_a_failed_write_the_store_is_believed_and_everybody_told() -> None:
    table = CoreTable("Ana", "Ben")
    device, tv = table.host(), table.person()
    table.start()
    play(table, until=3)
    state = table.state
    assert state.play
    further = state.play.after(state.play.game.decision.options[0], "player")  # type: ignore[union-attr]
    table.feed(Reloaded(state.data, further))
    for person in (device, tv):
        welcome = person.last(Welcome)
        assert welcome.game
        assert welcome.game.number == 4
    assert device.last(Welcome).seats == (1, 2)


def test_a_table_that_is_no_longer_in_the_store_is_closed() -> None:
    """The answer to the commit of its end was lost: it must not live on."""
    table = CoreTable("Ana")
    ana = table.host()
    table.feed(Reloaded(None))
    assert ana.ending
    assert ana.ending.code == "table_closed"
    assert table.state.closed


def test_seats_that_the_store_does_not_know_are_nobodys() -> None:
    table = CoreTable("Ana")
    saved = table.state.data
    ana, ben = table.host(), table.join("Ben")
    table.feed(Reloaded(saved))
    assert ben.ending
    assert ben.ending.code == "unknown_token"
    assert [seat.name for seat in ana.last(Welcome).room.seats] == ["Ana"]


def test_pass_and_play_on_one_device() -> None:
    table = CoreTable("Ana", "Ben")
    device = table.host()
    device.send(AddPlayer(player=Player(name="Cho")))
    device.leave_without_a_word()
    device = table.host()
    assert len(device.seats) == 3
    device.send(Start())
    play(table)
    device.send(RemoveSeat(seat=device.seats[2]))
    assert [seat.bot is None for seat in table.room.seats] == [True, True, False]
    assert device.ending is None


def test_spectators_see_everything_and_may_do_nothing() -> None:
    table = CoreTable("Ana", bots=("carl",))
    ana, tv = table.host(), table.person()
    assert tv.seats == ()
    for message in (Start(), Ready(), Emote(emotion="wow"), Back(), Choose(game="x", number=0, choice="hit")):
        assert tv.refused(message).code == "not_seated"
    ana.send(Start())
    play(table)
    assert ana.all(Step) == tv.all(Step)


def test_a_table_takes_so_many_spectators() -> None:
    table = CoreTable("Ana")
    for _ in range(50):
        assert table.person().ending is None
    late = table.person()
    assert late.ending
    assert late.ending.code == "too_many_watching"
    assert table.host().ending is None


def test_a_newer_connection_displaces_the_older_one() -> None:
    table = CoreTable("Ana")
    old, new = table.host(), table.host()
    assert old.ending
    assert old.ending.code == "displaced"
    new.send(Ping(at=7))
    assert new.last(Pong).at == 7
    assert table.room.seats[0].presence == "here"
    assert new.refused(Hello()).code == "not_now"


def test_a_stale_doubled_or_illegal_choice_is_refused_without_harm() -> None:
    table = CoreTable("Ana", "Ben")
    device = table.host()
    device.send(Start())
    step = device.last(Step)
    assert step.ask
    good = step.ask.options[0]
    assert device.refused(Choose(game=step.game, number=1, choice=good)).code == "stale"
    assert device.refused(Choose(game="other", number=0, choice=good)).code == "stale"
    bad = 35 if step.ask.kind == "turn" else "hit"
    refusal = device.refused(Choose(game=step.game, number=0, choice=bad))  # type: ignore[arg-type]
    assert refusal.code == "illegal"
    assert "may" in refusal.text
    device.send(Choose(game=step.game, number=0, choice=good))
    assert device.refused(Choose(game=step.game, number=0, choice=good)).code == "stale"
    assert device.last(Step).number == 1


def test_nobody_answers_for_another_player() -> None:
    table = CoreTable("Ana")
    ana, ben = table.host(), table.join("Ben")
    table.start()
    step = ana.last(Step)
    assert step.ask
    other = ben if step.ask.seat == 0 else ana
    refusal = other.refused(Choose(game=step.game, number=0, choice=step.ask.options[0]))
    assert refusal.code == "not_your_turn"
    assert "is asked" in refusal.text


def test_whoever_comes_back_is_told_what_was_missed_with_the_time_that_is_left() -> None:
    table = CoreTable("Ana", "Ben", options=Options(timer=30))
    device, tv = table.host(), table.person()
    device.send(Start())
    play(table, until=4)
    seen = tv.all(Step)
    table.wait(10)
    device.leave_without_a_word()
    late = table.person(table.host_token, seen[0].game, 1)
    welcome = late.last(Welcome)
    assert welcome.game
    assert welcome.game.number == 1
    assert [step.number for step in welcome.missed] == [2, 3, 4]
    told = [(step.events, step.hands, step.choice) for step in welcome.missed]
    assert told == [(step.events, step.hands, step.choice) for step in seen[2:5]]
    assert [step.ask.seconds for step in welcome.missed if step.ask] == [None, None, 20.0]
    fresh = table.person().last(Welcome)
    assert fresh.game
    assert (fresh.game.number, fresh.missed) == (4, ())


def test_a_rematch_brings_everybody_back_to_the_lobby() -> None:
    table = CoreTable("Ana", bots=("carl", "bea"))
    ana = table.host()
    assert ana.refused(Rematch()).code == "not_now"
    ana.send(Start())
    first = ana.game
    play(table)
    assert ana.refused(Start()).code == "not_now"
    ana.send(Rematch())
    assert table.room.phase == "lobby"
    ana.send(Start())
    play(table)
    assert ana.game != first


def test_feelings_are_shown_by_the_own_seat() -> None:
    table = CoreTable("Ana", "Ben")
    device, tv, cho = table.host(), table.person(), table.join("Cho")
    device.send(Emote(emotion="wow"))
    device.send(Emote(emotion="ouch", seat=2))
    assert [(shown.seat, shown.emotion) for shown in tv.all(Emoted)] == [(1, "wow"), (2, "ouch")]
    assert cho.refused(Emote(emotion="clap", seat=1)).code == "not_yours"


@pytest.mark.parametrize(("people", "cards"), [(18, 94), (19, 188), (36, 188)])
def test_eighteen_play_on_one_deck_and_more_on_two(people: int, cards: int) -> None:
    table = CoreTable(*[f"P{i}" for i in range(people)], options=Options(target=10))
    device = table.host()
    device.send(Start())
    started = device.last(Started)
    assert (len(started.game.hands), started.game.cards) == (people, cards)
    play(table)
    assert device.last(Step).winner is not None


def test_a_full_table_takes_nobody() -> None:
    table = CoreTable(*[f"P{i}" for i in range(36)])
    before = table.state
    with pytest.raises(Refusal, match="36 seats"):
        table.feed(Joined((Player(name="P37"),), digest("x")))
    assert table.state is before


def test_hidden_odds_are_sent_to_nobody() -> None:
    table = CoreTable("Ana", bots=("bea",), options=Options(odds=False, target=100))
    ana = table.host()
    ana.send(Start())
    play(table, lambda ask: ask.options[0])
    for step in ana.all(Step):
        assert step.odds is None
        assert step.ask is None or all(label.bust is None for label in step.ask.targets)


def test_only_an_empty_table_is_closed_for_being_idle() -> None:
    table = CoreTable("Ana")
    ana = table.host()
    outcome: Outcome = table.feed(Abandoned())
    assert not outcome.writes
    ana.leave_without_a_word()
    assert table.feed(Abandoned()).writes == [DropRoom("TABLE")]


def test_a_connection_that_was_given_up_meanwhile_does_not_displace_the_one_that_followed() -> None:
    """To tell what was missed takes time; by then the same browser may have connected again."""
    table = CoreTable("Ana")
    ana = table.host()
    early = Came(ana.connection - 50, Hello(token=ana.token))
    messages = table.feed(early).messages
    assert [type(message) for message in messages] == [HangUp]
    assert table.state.devices == {1: ana.connection}
