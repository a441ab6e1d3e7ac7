"""How fast a table plays: its speed, rounds in which nobody who is here has a say, openings, and skipping."""

from __future__ import annotations

from pathlib import Path

import pytest

from flip7.game import events
from flip7.protocol import times
from flip7.protocol.messages import Ask, Options, SetOptions, Skip, Speed, Start, Step
from flip7.server.settings import Settings

from .core_table import CoreTable, Person

SLOW = Settings(data=Path(), pace=1.0)
BOTS = ("carl", "bea", "ada")


def against_bots(speed: Speed = "normal", settings: Settings = SLOW) -> tuple[CoreTable, Person]:
    """Ana and three bots, with Ana asked for the first time."""
    table = CoreTable("Ana", bots=BOTS, options=Options(speed=speed), settings=settings)
    ana = table.host()
    ana.send(Start())
    table.wait(0)
    assert ana.is_asked
    return table, ana


def wait_for_turn(table: CoreTable, person: Person) -> None:
    while not person.is_asked:
        assert table.alarm
        table.wait(max(0.0, table.alarm - table.now))


def hit(ask: Ask) -> str | int:
    """Hit, and give cards to the last who may have them: a bot."""
    return "hit" if ask.kind == "turn" else ask.options[-1]


def bots_turn(table: CoreTable, *people: Person) -> None:
    """Go on until a bot is asked in a round in which people have a say still."""
    while table.state.is_quick or any(person.is_asked for person in people):
        asked = next((person for person in people if person.is_asked), None)
        if asked is not None:
            asked.answer(hit)
        else:
            table.wait(0)


def out_of_the_round(table: CoreTable, ana: Person) -> None:
    """Ana stays, or gives cards away until she can."""
    status = [""]
    while table.state.play and (status := [table.state.play.game.seats[0].status]) == ["active"]:
        if not ana.is_asked:
            wait_for_turn(table, ana)
        ana.answer(lambda ask: "stay" if ask.kind == "turn" else ask.options[-1])
    assert status != ["active"]


def test_every_kind_of_event_has_its_time() -> None:
    assert set(times.EVENTS) == {kind.__struct_config__.tag for kind in events.Event.__subclasses__()}


@pytest.mark.parametrize(("speed", "most"), [("calm", 1.5), ("normal", 1.0), ("fast", 0.25), ("instant", 0.0)])
def test_the_server_obeys_the_speed_of_the_table(speed: Speed, most: float) -> None:
    table, ana = against_bots(speed)
    bots_turn(table, ana)
    step, shown = ana.last(Step), table.state.shown_at - table.now
    wanted = sum(times.milliseconds(event, 4, speed) for event in step.events) / 1000
    assert shown == pytest.approx(wanted)
    assert table.alarm
    assert 0.4 * most <= table.alarm - table.state.shown_at <= 1.2 * most


def test_the_host_changes_the_speed_in_the_middle_of_a_game() -> None:
    table, ana = against_bots("calm")
    ana.send(SetOptions(options=Options(speed="instant")))
    ana.answer()
    assert table.state.shown_at == table.now


def test_a_round_in_which_nobody_who_is_here_has_a_say_plays_on_at_once() -> None:
    table, ana = against_bots()
    out_of_the_round(table, ana)
    begun, number, round = table.now, ana.number, ana.last(Step).round
    table.wait(0.0)
    steps = [step for step in ana.all(Step) if step.number > number]
    assert len(steps) > 1
    assert {step.quick for step in steps} == {True}
    assert steps[-1].round == round + 1
    assert table.now == begun
    scores = sum(
        times.milliseconds(event, 4, "normal")
        for event in steps[-1].events[times.told_quickly(steps[-1].events, opening=False) :]
    )
    seen = sum(times.milliseconds(event, 4, "normal") for event in ana.step(number).events)
    assert table.state.shown_at - begun <= (times.QUICK + scores + seen) / 1000
    assert not table.state.is_quick


def test_a_round_waits_for_a_player_who_is_here_and_in_it() -> None:
    table = CoreTable("Ana", bots=BOTS, settings=SLOW)
    ana, ben = table.host(), table.join("Ben")
    table.start()
    table.wait(0)
    (ana if ana.is_asked else ben).answer()
    assert not table.state.is_quick


def test_a_table_that_only_spectators_see_keeps_its_pace() -> None:
    table, ana = against_bots()
    ana.answer()
    table.person()
    ana.leave_without_a_word()
    assert not table.state.is_quick


def test_before_the_first_choice_nothing_waits() -> None:
    table = CoreTable("Ana", bots=BOTS, settings=SLOW)
    ana = table.host()
    ana.send(Start())
    begun = table.now
    table.wait(0)
    assert ana.is_asked
    assert table.now == begun
    assert table.state.shown_at - begun <= times.OPENING / 1000 + 1e-9
    assert {step.quick for step in ana.all(Step)} == {True}


def test_skipping_goes_to_the_next_choice_of_a_player() -> None:
    table, ana = against_bots()
    bots_turn(table, ana)
    ana.send(Skip())
    table.wait(0)
    assert ana.is_asked or table.room.phase == "over"
    assert table.state.shown_at == table.now
    assert table.state.skipped == set()


def test_what_has_been_seen_is_not_waited_for() -> None:
    table, ana = against_bots()
    bots_turn(table, ana)
    number = ana.number
    ana.send(Skip(to="now"))
    assert ana.number == number
    assert table.state.shown_at == table.now
    assert table.alarm is not None
    assert table.alarm > table.now


def test_with_friends_all_have_to_skip() -> None:
    table = CoreTable("Ana", bots=BOTS, settings=SLOW)
    ana, ben = table.host(), table.join("Ben")
    table.start()
    bots_turn(table, ana, ben)
    number = ana.number
    ana.send(Skip())
    table.wait(0)
    assert ana.number == number
    ben.send(Skip())
    table.wait(0)
    assert ana.is_asked or ben.is_asked
