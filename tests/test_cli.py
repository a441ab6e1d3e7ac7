"""The `flip7` command: what it prints, what it refuses, and how it leaves."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import flip7
from flip7.commands import COMMANDS, parsing
from flip7.extras import advice
from flip7.game import lookup
from flip7.game.game import Game
from flip7.rules.rulings import IDS

Run = Callable[..., tuple[int, str, str]]


def start(*words: str, text: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a program of its own."""
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-W", "error", "-m", "flip7", *words]
    return subprocess.run(command, input=data, capture_output=True, env={**os.environ, **variables}, timeout=60)


def played(players: int = 3, **settings: object) -> Game:
    """A finished game in which everybody stays at 20 points."""
    game = Game(players, **settings)  # type: ignore[arg-type]
    while (ask := game.decision) is not None:
        if ask.kind == "turn":
            game.play("stay" if game.seats[ask.seat].points >= 20 else "hit")
        else:
            game.play(ask.options[-1])
    return game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.flip7"
    path.write_text(played(seed=7).record(), encoding="utf-8")
    return path


def test_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version") == (0, f"flip7 {flip7.__version__}\n", "")


def test_version_and_help_import_no_command_and_no_game() -> None:
    code = "import sys; from flip7.cli import main\ntry: main([{}])\nexcept SystemExit: pass\nprint(*sys.modules)"
    for word in ("'--version'", "'--help'", ""):
        done = subprocess.run([sys.executable, "-c", code.format(word)], capture_output=True, text=True, check=True)
        modules = done.stdout.splitlines()[-1].split()
        assert not [name for name in modules if name.startswith(("flip7.game", "flip7.rules", "msgspec"))]


def test_the_plain_commands_need_no_heavy_package() -> None:
    code = "import sys, flip7.commands.{0}\nprint(*sys.modules)"
    for name in ("play", "replay", "check", "rules"):
        done = subprocess.run([sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True)
        assert not {"numpy", "numba", "rich", "textual"} & set(done.stdout.split())


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(run: Run, words: tuple[str, ...]) -> None:
    status, out, _ = run(*words)
    assert status == 0
    for command in COMMANDS:
        assert command.name in out
        assert command.help in " ".join(out.split())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(run: Run, command: object) -> None:
    name = command.name  # type: ignore[attr-defined]
    status, out, _ = run(name, "--help")
    assert status == 0
    assert out.startswith(f"usage: flip7 {name}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chekc",), "unknown command 'chekc'; did you mean 'check'?"),
        (("REPLAY", "x"), "did you mean 'replay'?"),
        (("xyzzyx",), f"the commands are {', '.join(command.name for command in COMMANDS)}"),
        (("",), "unknown command ''"),
        (("--versoin",), "unknown option '--versoin'; did you mean '--version'?"),
        (("check", "--quite", "x"), "unknown option '--quite'; did you mean '--quiet'?"),
        (("play", "--player", "3"), "did you mean '--players'?"),
        (("play", "--xyz=3"), "unknown option '--xyz'"),
        (("play", "now", "then"), "'then' is one argument too many"),
        (("replay",), "required: FILE"),
        (("check",), "required: FILE"),
        (("replay", "x", "--round", "0"), "'0' is not a whole number from 1"),
        (("play", "--players", "0"), "'0' is not a whole number from 1 to 36"),
        (("play", "--players", "37"), "'37' is not a whole number from 1 to 36"),
        (("play", "--players", "three"), "'three' is not a whole number"),
        (("play", "--players", "٣"), "is not a whole number"),
        (("play", "--target", "0"), "'0' is not a whole number from 1"),
        (("play", "--seed", "-1"), "'-1' is not a whole number from 0"),
        (("play", "--seed", "9" * 5000), "is not a whole number from 0 to 2^256 - 1"),
        (("play", "--name", " "), "a text of 1 to"),
        (("play", "--name", "a\x1b[2J"), "cannot be printed"),
    ],
)
def test_bad_input_gets_a_helpful_error_and_status_2(run: Run, words: tuple[str, ...], message: str) -> None:
    status, out, err = run(*words)
    assert status == 2
    assert out == ""
    assert message in err
    assert err.startswith("flip7")


def test_a_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flip7.cli.COMMANDS", (COMMANDS[0]._replace(name="rules", extra="sim"),))
    monkeypatch.setitem(sys.modules, "textwrap", None)
    monkeypatch.delitem(sys.modules, "flip7.commands.rules")
    assert run("rules") == (2, "", f"flip7 rules needs the package 'textwrap': {advice('sim')}\n")


def test_a_reader_who_leaves_early_is_no_error(file: Path) -> None:
    for words in (["rules"], ["replay", str(file)]):
        program = subprocess.Popen(
            [sys.executable, "-m", "flip7", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert program.stdout
        assert program.stderr
        program.stdout.close()
        assert program.stderr.read() == b""
        program.stderr.close()
        assert program.wait(30) == 141


def test_names_outside_the_encoding_of_the_terminal_do_not_stop_the_output(tmp_path: Path) -> None:
    path = tmp_path / "game.flip7"
    path.write_text(Game(["Zoë", "林"], seed=1).record(), encoding="utf-8")
    done = start("replay", str(path), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert rb"Zo\xeb" in done.stdout


def test_check_says_that_records_are_sound(run: Run, file: Path) -> None:
    status, out, err = run("check", str(file), str(file))
    assert (status, err) == (0, "")
    assert out.count(f"{file}: sound, Player ") == 2
    assert "; deck from seed 7\n" in out


def test_check_names_the_first_wrong_line_of_each_record_and_goes_on(run: Run, file: Path, tmp_path: Path) -> None:
    lines = file.read_text().splitlines()
    number = next(i for i, line in enumerate(lines) if line.startswith("score"))
    lines[number] = "score 1 " + lines[number].partition(" ")[2].partition(" ")[2]
    wrong = tmp_path / "wrong.flip7"
    wrong.write_text("\n".join(lines))
    status, out, err = run("check", str(wrong), str(file), "--quiet")
    assert (status, err) == (1, "")
    assert out.startswith(f"{wrong}:{number + 1}: '1' should be ")
    assert len(out.splitlines()) == 1


def test_check_tells_whether_a_committed_deck_was_revealed(run: Run, tmp_path: Path) -> None:
    game = played(seed=3, commit=True, salt="00112233")
    record = game.record()
    running = Game(3, seed=3, commit=True, salt="00112233").record()
    assert "seed" not in running
    told = {"revealed": record, "running": running, "other": record.replace("seed 3 ", "seed 4 ")}
    for name, text in told.items():
        (tmp_path / name).write_text(text)
    assert (
        "; deck revealed; players, rules and deck are the ones committed to"
        in run("check", str(tmp_path / "revealed"))[1]
    )
    status, out, _ = run("check", str(tmp_path / "running"))
    assert status == 0
    assert "not revealed" in out
    status, out, _ = run("check", str(tmp_path / "other"))
    assert status == 1
    assert f"other:{len(record.splitlines())}: seed and salt do not give the secret" in out


def test_check_compares_a_record_with_the_promise_that_players_saw(run: Run, tmp_path: Path) -> None:
    game, again = played(seed=3, commit=True, salt="00112233"), played(seed=4, commit=True, salt="00112233")
    for name, text in {
        "kept": game.record(),
        "anew": again.record(),
        "plain": played(seed=3).record(),
        "silent": re.sub("revealed .*", "unrevealed", game.record()),
    }.items():
        (tmp_path / name).write_text(text)
    assert game.commitment is not None
    assert run("check", "--promise", game.commitment, str(tmp_path / "kept"))[0] == 0
    for name, words in (("anew", "made anew: its commitment is"), ("plain", "no commitment"), ("silent", "not told")):
        status, out, _ = run("check", "--promise", game.commitment, str(tmp_path / name))
        assert (status, words in out) == (1, True), out
    assert run("check", str(tmp_path / "silent"))[0] == 1


def test_check_takes_no_unfinished_game_for_proven(run: Run, tmp_path: Path) -> None:
    game = Game(["Ana", "Ben"], seed=3, commit=True, salt="00112233")
    (tmp_path / "begun").write_text(game.record())
    assert game.commitment is not None
    assert run("check", str(tmp_path / "begun"))[0] == 0
    status, out, _ = run("check", "--promise", game.commitment, str(tmp_path / "begun"))
    assert (status, "not proven: this is the promise, but seed and salt" in out) == (1, True)


def test_check_says_what_to_give_instead_of_the_hash_of_the_secret(run: Run, tmp_path: Path) -> None:
    game = played(seed=3, commit=True, salt="00112233")
    (tmp_path / "kept").write_text(game.record())
    assert game.secret is not None
    status, out, _ = run("check", "--promise", f" {game.secret.upper()} ", str(tmp_path / "kept"))
    assert (status, "hash of the secret" in out, "give the commitment" in out) == (1, True, True)
    assert "made anew" not in out


def test_check_reads_standard_input(file: Path) -> None:
    done = start("check", "-", text=file.read_text())
    assert done.returncode == 0
    assert done.stdout.startswith(b"<stdin>: sound")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\0\0", "a binary file, not text"),
        (b'flip7 record 1\nplayers "\xff"', "not UTF-8 text (line 2)"),
        (None, "No such file or directory"),
    ],
)
@pytest.mark.parametrize("command", ["check", "replay"])
def test_files_that_cannot_be_read_are_refused(
    run: Run, tmp_path: Path, command: str, data: bytes | None, message: str
) -> None:
    path = tmp_path / "file"
    if data is not None:
        path.write_bytes(data)
    assert run(command, str(path)) == (2, "", f"flip7 {command}: {path}: {message}\n")


def test_a_folder_is_no_record(run: Run, tmp_path: Path) -> None:
    assert run("check", str(tmp_path)) == (2, "", f"flip7 check: {tmp_path}: Is a directory\n")


def test_an_unreadable_file_does_not_keep_the_others_from_being_checked(run: Run, file: Path) -> None:
    status, out, err = run("check", "nowhere", str(file))
    assert status == 2
    assert "sound" in out
    assert "nowhere" in err


@pytest.mark.parametrize(
    "text", ["", "\n", "hello", "flip7 record 2\n", "flip7 record 1\n", "\x1b[2Jflip7 record \x1b[31m"]
)
def test_text_that_is_no_record_is_wrong_in_its_first_lines(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    status, out, _ = run("check", str(path))
    assert status == 1
    assert out.startswith((f"{path}:1: ", f"{path}:2: the record breaks off"))
    assert "\x1b" not in out
    assert run("replay", str(path))[0] == 2


def test_a_byte_order_mark_and_carriage_returns_are_no_fault(run: Run, file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert run("check", str(file))[0] == 0


def test_replay_shows_every_round_with_scores_and_winner(run: Run, file: Path) -> None:
    game = Game.from_record(file.read_text())
    status, out, err = run("replay", str(file))
    assert (status, err) == (0, "")
    for number in range(1, len(game.rounds) + 1):
        assert f"\nRound {number} · " in out
    assert game.winner is not None
    assert f"{game.players[game.winner]} won with {game.seats[game.winner].total} points" in out
    assert "\x1b" not in out
    flips = sum(event.kind == "card_flipped" for event in game.events)
    assert flips > 50
    assert out.count("BUST") == sum(event.kind == "player_busted" for event in game.events)


def test_replay_shows_one_round_alone(run: Run, file: Path) -> None:
    _, whole, _ = run("replay", str(file))
    _, out, _ = run("replay", str(file), "--round", "2")
    assert out.strip().startswith("Round 2 · ")
    assert out.count("Round ") == 1
    assert out in whole
    status, _, err = run("replay", str(file), "--round", "999")
    assert status == 2
    assert "round 999: this game has " in err


def test_replay_shows_the_scores_alone(run: Run, file: Path) -> None:
    _, out, _ = run("replay", str(file), "--scores")
    assert "Round 1" not in out
    game = Game.from_record(file.read_text())
    for name, total in sorted(((seat.name, seat.total) for seat in game.seats), key=lambda row: -row[1]):
        assert any(line.startswith(name) and line.endswith(f" {total}") for line in out.splitlines())


def test_replay_names_rulings_if_asked(run: Run, file: Path) -> None:
    assert "[NUM-2]" not in run("replay", str(file))[1]
    assert "BUST [NUM-2]" in run("replay", str(file), "--rulings")[1]


def test_replay_names_the_wrong_line(run: Run, file: Path) -> None:
    file.write_text(file.read_text().replace("\nwinner", "\n0 hit 7\nwinner"))
    status, out, err = run("replay", str(file))
    assert (status, out) == (2, "")
    assert err.startswith(f"flip7 replay: {file}:")


def test_replay_shows_playoffs_the_challenge_and_games_that_go_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "file"
    game = Game(2, seed=1, rules=flip7.Rules(target=5), deck=["5", "5", "9", "8"])
    for choice in ("stay", "stay"):
        game.play(choice)
    path.write_text(game.record())
    out = run("replay", str(path))[1]
    assert "The highest total is shared" in out
    assert "Unfinished, after 1 round." in out
    for choice in ("stay", "stay"):
        game.play(choice)
    path.write_text(game.record())
    out = run("replay", str(path))[1]
    assert "after 2 rounds. 1 playoff round decided it. The challenge, fewer than five rounds, was met." in out


@pytest.mark.parametrize("id_", IDS)
def test_every_ruling_is_found_by_its_id(run: Run, id_: str) -> None:
    status, out, _ = run("rules", id_.lower())
    assert status == 0
    assert id_ in out


@pytest.mark.parametrize("card", list(flip7.Card))
def test_every_card_is_found_by_its_notation(run: Run, card: flip7.Card) -> None:
    status, out, _ = run("rules", card)
    assert status == 0
    assert f"{flip7.STANDARD[card]} in a deck" in out.splitlines()[0]


@pytest.mark.parametrize(
    "words", [("Second", "Chance"), ("second chance",), ("FLIP THREE",), ("flip 3",), ("×2",), ("X2",)]
)
def test_cards_are_found_by_their_names(words: tuple[str, ...]) -> None:
    cards, rulings = lookup.look_up(" ".join(words))
    assert len(cards) == 1
    assert {ruling.id for ruling in rulings} == set(cards[0].rulings)


def test_groups_and_words_are_found() -> None:
    assert {ruling.id for ruling in lookup.look_up("sc")[1]} >= {"SC-1", "SC-5"}
    assert "GAME-2" in {ruling.id for ruling in lookup.look_up("Playoff")[1]}
    assert "NUM-3" in {ruling.id for ruling in lookup.look_up("flip 7")[1]}
    assert len(lookup.look_up("")[1]) == len(IDS)


def test_an_unknown_word_gets_a_suggestion(run: Run) -> None:
    assert run("rules", "freezing") == (2, "", "flip7 rules: nothing about 'freezing'; did you mean 'freeze'?\n")
    status, _, err = run("rules", "xyzzyx")
    assert status == 2
    assert "try a card such as" in err


def test_what_fits_nothing_is_not_guessed_at() -> None:
    assert parsing.suggest("xyzzyx", ["play", "check"]) == ""
