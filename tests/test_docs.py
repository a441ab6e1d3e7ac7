"""The documentation says what the program does: its examples run, and nothing public is missing from it."""

import re
from hashlib import sha256
from typing import get_args

import msgspec
import pytest
from tests.docs.examples import PAGES, ROOT, blocks, read
from tools import website

import flip7
from flip7.cli import command_parser
from flip7.commands import COMMANDS, Command
from flip7.game import rulebook
from flip7.game.events import AnyEvent, Event, Hand
from flip7.game.game import Game
from flip7.game.notation import _usual
from flip7.game.options import Rules
from flip7.rules.rulings import IDS


def section(page: str, title: str) -> str:
    match = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert match, f"no section {title!r}"
    return match[1]


def test_the_page_of_rulings_is_the_rulebook() -> None:
    assert read("docs/rulings.md") == rulebook.page(), "run `make rulings`"


def test_the_page_of_rulings_has_a_row_for_every_ruling_in_order() -> None:
    rows = re.findall(r"^\| ([A-Z0-9]+-\d) \| (.+) \| (.+) \| (.+) \|$", read("docs/rulings.md"), re.M)
    assert tuple(row[0] for row in rows) == IDS
    assert {row[3] for row in rows if not row[0].startswith("KEEP")} == {"holds"}


def test_every_ruling_says_whose_word_it_is() -> None:
    for ruling in rulebook.RULINGS:
        assert set(re.findall(r"\b(?:book|faq|ours|scorecard)\b", ruling.source)), ruling


def test_every_card_is_explained_with_its_count_and_with_rulings_that_exist() -> None:
    assert [entry.card for entry in rulebook.CARD_ENTRIES] == list(flip7.Card)
    assert sum(entry.copies for entry in rulebook.CARD_ENTRIES) == 94
    assert {id_ for entry in rulebook.CARD_ENTRIES for id_ in entry.rulings} <= set(IDS)


def test_rulings_that_pages_mention_exist() -> None:
    known = {id_.partition("-")[0] for id_ in IDS}
    named = {
        id_
        for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
        for id_ in re.findall(r"\b[A-Z][A-Z0-9]+-\d\b", page.read_text(encoding="utf-8"))
        if id_.partition("-")[0] in known
    }
    assert named <= set(IDS)


def test_the_example_of_a_record_is_sound_and_is_what_the_library_writes() -> None:
    (example,) = blocks(read("docs/record.md"), "flip7")
    game = Game.from_record(example)
    assert game.record() == re.sub(r" +#.*", "", example)


def words_of_records() -> set[str]:
    """Every kind of word that records of all sorts of games have, with what varies taken out."""
    found = set()
    games = [Game(2, seed=seed, rules=Rules(target=60, decks=1)) for seed in range(60)]
    games += [Game(3, seed=seed, commit=True, salt="00112233", date="2026-01-01", place="x") for seed in range(3)]
    games += [Game(2, live=True), Game(3, seed=1, deck=["flip3", "freeze", "5", "5"])]
    for game in games:
        for turn in range(400):
            if (ask := game.decision) is None:
                break
            game.play(ask.options[(turn * 7 + game.rules.target) % 3 % len(ask.options)])
        for word in game.record().split():
            found.add(
                re.sub(r"^-(?=\w)", "-CARD ", re.sub(r"^>\d+", ">SEAT", re.sub(r"^\d+:$", "SEAT:", word))).split()[0]
            )
    return {word for word in found if re.match(r"[-a-z>S]", word) and "=" not in word and len(word) < 20}


def test_every_word_of_records_is_explained() -> None:
    page = re.sub(r"^```.*?^```", "", read("docs/record.md"), flags=re.M | re.S)
    explained = set(re.findall(r"[^\s`|,]+", " ".join(re.findall(r"`[^`]+`", page))))
    words = words_of_records()
    assert {"saved", "bust", "shuffle", "-CARD", ">SEAT", "SEAT:", "challenge", "revealed", "live"} <= words
    assert {word for word in words - set(flip7.Card) if not re.match(r"\d", word)} <= explained


def test_the_promise_can_be_checked_by_hand_as_the_page_says() -> None:
    page = read("docs/record.md")
    seed, salt = re.findall(r"printf 'flip7 secret (\d+) ([0-9a-f]+)'", page)[0]
    secret = sha256(f"flip7 secret {seed} {salt}".encode()).hexdigest()
    assert f"```text\n   {secret}\n   ```" in page
    game = Game(2, seed=int(seed), commit=True, salt=salt)
    assert game.secret == secret
    head = re.split(r"^commitment", game.record(), flags=re.M)[0]
    assert game.commitment == sha256(head.encode()).hexdigest()


def test_a_deck_can_be_made_again_as_the_page_says() -> None:
    """The four steps of docs/record.md, written once more from the page alone."""
    seed, first = 7, ["12", "freeze"]
    order = [card for card, copies in flip7.STANDARD.items() for _ in range(copies)]
    for text in first:
        order.remove(flip7.Card(text))
    blocks_ = (sha256(f"flip7 shuffle {seed} 1 {block}".encode()).digest() for block in range(1000))
    numbers = (int.from_bytes(block[i : i + 4], "big") for block in blocks_ for i in range(0, 32, 4))
    for last in range(len(order) - 1, 0, -1):
        limit = 2**32 // (last + 1) * (last + 1)
        place = next(number for number in numbers if number < limit) % (last + 1)
        order[last], order[place] = order[place], order[last]
    dealt = [*first, *reversed(order)]
    game = Game(3, seed=seed, deck=first)
    while len(game.rounds) < 3 and game.decision:
        game.play(game.decision.options[0])
    flipped = [event.card for event in game.events if event.kind == "card_flipped"]
    assert len(flipped) > 20
    assert flipped[:94] == dealt[: len(flipped)]


def test_positions_on_the_page_print_as_they_are_written() -> None:
    (example,) = blocks(read("docs/notation.md"), "position")
    assert str(flip7.Position(example)) == example.strip()


def test_short_positions_on_the_page_can_be_read() -> None:
    (examples,) = blocks(read("docs/notation.md"), "position-short")
    for line in examples.splitlines():
        position = flip7.Position(line)
        assert flip7.Position(str(position)) == position


def test_every_field_of_a_position_is_explained_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", section(read("docs/notation.md"), "Positions"), re.M)
    usual = {**_usual(0), "draw": "", "discard": ""}
    assert [row[0] for row in rows] == list(usual)
    for name, _, default in rows:
        if usual[name] and name != "turn":
            assert f"`{usual[name]}`" in default


def test_every_public_name_is_on_the_page_of_the_library() -> None:
    page = read("docs/library.md")
    assert [name for name in flip7.__all__ if f"flip7.{name}" not in page] == []


def test_the_reference_has_every_public_name() -> None:
    assert sorted(re.findall(r"^::: flip7\.(\w+)$", website.public_names(), re.M)) == flip7.__all__
    assert "<!-- every public name -->" in read("docs/api.md")


def test_everything_that_a_game_shows_is_on_the_page_of_the_library() -> None:
    named = set(re.findall(r"\w+", section(read("docs/library.md"), "Game")))
    game = Game(2, seed=1)
    shown = {name for name in [*dir(Game), *vars(game)] if not name.startswith("_")} - {"table"}
    seat = {name for name in dir(type(game.seats[0])) if not name.startswith("_")}
    assert shown | seat <= named
    assert set(Rules.__struct_fields__) <= set(
        re.findall(r"^\| `(\w+)`", section(read("docs/library.md"), "Rules"), re.M)
    )


def test_every_kind_of_event_and_its_fields_are_on_the_page_of_the_library() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \|(.*)\|$", section(read("docs/library.md"), "Events"), re.M)
    kinds: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}
    assert [row[0] for row in rows] == list(kinds)
    for kind, fields in rows:
        own = {field.name for field in msgspec.structs.fields(kinds[kind])} - {"seat", "card", "ruling"}
        assert own <= set(re.findall(r"\w+", fields)), kind
    assert set(Hand.__struct_fields__) <= set(re.findall(r"`(\w+)`", dict(rows)["round_scored"]))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_and_option_is_on_the_page_of_commands(command: Command) -> None:
    text = section(read("docs/commands.md"), f"flip7 {command.name}")
    for action in command_parser(command)._actions:
        for option in action.option_strings:
            if action.dest != "help":
                assert f"`{option}`" in text, option
        if not action.option_strings:
            assert str(action.metavar or action.dest) in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_option_is_in_the_usage_of_its_command(command: Command) -> None:
    """Where they are too many, the usage ends in `...`."""
    usage = section(read("docs/commands.md"), f"flip7 {command.name}").split("```")[1]
    for action in command_parser(command)._actions:
        if action.option_strings and action.dest != "help" and " ...\n" not in usage:
            assert set(re.findall(r"-[\w-]+", usage)) & set(action.option_strings), action.option_strings


def test_the_page_of_commands_has_no_command_or_option_that_is_gone() -> None:
    page = read("docs/commands.md")
    assert set(re.findall(r"^## flip7 (\S+)", page, re.M)) == {command.name for command in COMMANDS}
    known = {option for command in COMMANDS for option in command_parser(command)._option_string_actions}
    assert set(re.findall(r"`(--[\w-]+)`", page)) <= known
