"""`flip7 score` and `flip7 sheet`, as people type them."""

import io
from pathlib import Path

import pytest

import flip7
from flip7.cli import main


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def keep(monkeypatch: pytest.MonkeyPatch, lines: str, *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return main(["score", *words])


def test_a_match_is_kept_line_by_line_and_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "12 7 x2\n24\n7 7\nb\n-\n7.\n100\nu\n99\nedit 1\n\n25\n\nq\n"
    assert keep(monkeypatch, lines, "m.json", "--players", "Ana", "Ben", "Cho", "--dealer", "2") == 0
    said = capsys.readouterr().out
    assert "Cho: 7 twice" in said
    match = flip7.Match.from_json(Path("m.json").read_text())
    assert match.entries[0] == [("7", "12", "x2"), 25, "bust"]
    assert match.entries[1] == [(), ("7",), 99]
    assert match.dealer == 0
    assert keep(monkeypatch, "5\n6\n7\n", "m.json") == 0
    assert flip7.Match.from_json(Path("m.json").read_text()).totals == [43, 38, 106]
    assert "Cho leads and is 94 short of 200" in capsys.readouterr().out


def test_every_correction_has_a_word(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["1", "2", "3", "name an Anna", "add Dan 40", "leave Ben", "target 60", "dealer Cho", "9", "9", "9"]
    words += ["back Ben", "drop 2", "drop 1", "u", "r", "u", "u", "save out.csv", "save out.pdf", "save out.json", "?"]
    assert keep(monkeypatch, "\n".join(words) + "\n", "m.json", "--players", "Ana", "Ben", "Cho") == 0
    match = flip7.Match.from_json(Path("m.json").read_text())
    assert match.players == ("Anna", "Ben", "Cho", "Dan")
    assert match.rounds == [[1, 2, 3, None], [9, None, 9, 9]]
    assert match.target == 60
    assert match.dealers == [0, 2]
    assert Path("out.csv").read_text().splitlines()[1].startswith("1,Anna,Anna,points,1,1,no,")
    assert Path("out.pdf").read_bytes().startswith(b"%PDF-")
    assert flip7.Match.from_json(Path("out.json").read_text()).totals == match.totals
    said = capsys.readouterr().out
    assert "corrections" in said


def test_the_end_of_a_match_is_told_and_can_be_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "100\n100\n100\n100\n1\n2\n50\nu\nq\n"
    assert keep(monkeypatch, lines, "m.json", "--players", "Ana", "Ben") == 0
    said = capsys.readouterr().out
    assert "A tie at the top: everybody plays a playoff round" in said
    assert "Ben wins after 3 rounds, 1 of them a playoff." in said
    assert "the match is over" in said
    assert flip7.Match.from_json(Path("m.json").read_text()).winner is None


def test_what_cannot_be_read_is_told_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (
        "\nseven\n1000\n-5\nu\nr\nname Zed x\nname\nedit 1\ntarget many\nchoose 1 1\nsave x.doc\nsave no/x.csv\n12\n"
    )
    assert keep(monkeypatch, lines, "m.json", "--players", "Ana") == 0
    said = capsys.readouterr().out
    for told in (
        "an empty line",
        "'seven' is no card",
        "no hand makes 1000",
        "-5 points",
        "nothing to take back",
        "nothing was taken back",
        "'Zed' is nobody here: Ana",
        "'name' takes 2 words",
        "there are 0 rounds",
        "target 'many'",
        "there are 0",
        "ends with .json, .csv or .pdf",
        "no/x.csv: No such file or directory",
    ):
        assert told in said
    assert flip7.Match.from_json(Path("m.json").read_text()).rounds == [[12]]


@pytest.mark.parametrize("lines", ["", "q\n", "Quit\n"])
def test_no_match_is_begun_by_whoever_leaves_before_anybody_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: str
) -> None:
    assert keep(monkeypatch, lines) == 2
    assert "nobody was named, so no match was begun" in capsys.readouterr().err
    assert main(["score", "--list"]) == 0
    assert "No matches" in capsys.readouterr().out


def test_players_are_asked_for_and_matches_are_found_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["score", "--list"]) == 0
    assert "No matches yet" in capsys.readouterr().out
    assert keep(monkeypatch, "Ana Maria, Ben\n171\nb\n40\nb\nq\n") == 0
    assert main(["score", "--list"]) == 0
    assert "Ana Maria 211, Ben 0" in capsys.readouterr().out
    assert main(["score", "--statistics"]) == 0
    said = capsys.readouterr().out
    assert "Ana Maria against Ben: 1 to 0" in said
    assert "100%" in said
    (tmp_path / "data" / "flip7" / "matches" / "bad.json").write_text("{")
    assert main(["score", "--list"]) == 1
    assert "bad.json: this is no match" in capsys.readouterr().err


def test_every_hand_of_an_edited_round_is_checked_as_it_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["12 7", "24", "b", "edit 1", "7 7", "x2 x2", "12 x2", "1000", "9 x2", "9 8", "12 1", "q"]
    assert keep(monkeypatch, "\n".join(lines) + "\n", "m.json", "--players", "Ana", "Ben", "Cho") == 0
    said = capsys.readouterr().out
    assert "Ana: 7 twice" in said
    assert "Ben: no hand makes 1000" in said
    assert said.count("Ben (was 24): ") == 3  # both wrong hands are asked for again, at once
    assert flip7.Match.from_json(Path("m.json").read_text()).entries == [[("12", "x2"), ("8", "9"), ("1", "12")]]


def test_undo_help_and_leaving_work_inside_an_edit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    players = ("m.json", "--players", "Ana", "Ben")
    lines = ["12 7", "24", "edit 1", "?", "11", "u", "10", "", "edit 1", "u", "edit 1", "5", "q"]
    assert keep(monkeypatch, "\n".join(lines) + "\n", *players) == 0
    said = capsys.readouterr().out
    assert "back to the hand before" in said
    assert "round 1 stays as it was" in said
    match = flip7.Match.from_json(Path("m.json").read_text())
    assert match.entries == [[10, 24]]  # 11 was taken back, and the last edit was left
    assert match.open_round == [None, None]


def test_saving_replaces_no_file_unless_told_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("out.csv").write_text("precious")
    assert keep(monkeypatch, "save out.csv\nq\n", "m.json", "--players", "Ana") == 0
    assert "out.csv exists already: name another, or type 'save! out.csv'" in capsys.readouterr().out
    assert Path("out.csv").read_text() == "precious"
    assert keep(monkeypatch, "12\nsave! out.csv\nq\n", "m.json") == 0
    assert Path("out.csv").read_text().splitlines()[1].startswith("1,Ana,Ana,points,12,12,no,")


def test_a_damaged_file_is_refused_and_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m.json").write_text('{"format": "flip7 match", "version": 9}')
    assert keep(monkeypatch, "", "m.json") == 2
    assert "version 9 is newer" in capsys.readouterr().err
    assert "version" in Path("m.json").read_text()


def test_sheets_are_written_blank_and_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--players", "6", "--output", "a.pdf"]) == 0
    assert main(["sheet", "--names", "Ana", "Ben", "--paper", "Letter", "--output", "b.pdf"]) == 0
    match = flip7.Match(["Ana", "Ben"])
    match.enter([1, 2])
    Path("m.json").write_text(match.to_json())
    assert main(["sheet", "--match", "m.json", "--output", "c.pdf"]) == 0
    assert all(Path(name).read_bytes().startswith(b"%PDF-") for name in ("a.pdf", "b.pdf", "c.pdf"))
    assert main(["sheet", "--match", "none.json"]) == 2
    assert main(["sheet", "--players", "2", "--names", "a", "b", "c"]) == 2
    assert "3 names for 2 players" in capsys.readouterr().err
