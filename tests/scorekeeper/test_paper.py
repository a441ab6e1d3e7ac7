"""Exports and statistics: what they say, and that the printed sheets show what they should."""

import csv
import io
import re
from pathlib import Path

import pytest
from tests import parts

import flip7
from flip7.cli import main
from flip7.scorekeeper.export import to_csv
from flip7.scorekeeper.paper import PAPERS, Paper, blank_sheet, match_sheet
from flip7.scorekeeper.statistics import statistics
from flip7.terminal import settings


def finished(first: int, second: int, *names: str) -> flip7.Match:
    match = flip7.Match(names)
    match.enter([first, second, *["bust"] * (len(names) - 2)])
    match.enter([first, second, *["bust"] * (len(names) - 2)])
    return match


def text_of(pdf: bytes, tmp_path: Path, *options: str) -> str:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(pdf)
    return parts.poppler("pdftotext", *options, path, "-")


def page_sizes(pdf: bytes) -> list[tuple[int, int]]:
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(round(float(w)), round(float(h))) for w, h in boxes]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("players", "pages"), [(1, 1), (8, 1), (12, 1), (13, 2), (36, 3)])
def test_blank_sheets_have_the_right_paper_and_enough_pages(paper: Paper, players: int, pages: int) -> None:
    short, long = {"A4": (595, 842), "Letter": (612, 792)}[paper]
    wanted = (short, long) if players <= 8 else (long, short)
    assert page_sizes(blank_sheet(players, paper=paper))[-1] == wanted
    assert blank_sheet(players, paper=paper).count(b"/Type /Page\n") == pages


def test_a_blank_sheet_has_rows_names_and_the_rules_of_scoring(tmp_path: Path) -> None:
    text = text_of(blank_sheet(3, rounds=12, names=["Ana", "Βασίλης"]), tmp_path)
    assert {str(number) for number in range(1, 13)} <= set(text.split())
    assert "13" not in text.split()
    for told in ("Ana", "Βασίλης", "Date", "Target", "Double that sum", "add 15", "write 0", "play on"):
        assert told in text


def test_the_sheet_of_a_match_shows_every_round_and_who_won(tmp_path: Path) -> None:
    text = text_of(match_sheet(finished(101, 80, "Zoë", "Ben", "Cho")), tmp_path)
    for told in ("Zoë won with 202 points after 2 rounds", "101", "202", "160", "bust", "Target 200"):
        assert told in text


@pytest.mark.parametrize(
    ("language", "blank", "played"),
    [
        (
            "de",
            ("Punkteblatt", "Datum", "Ziel", "Verdopple diese Summe", "Das Ende"),
            ("Zoë hat gewonnen: 202 Punkte", "Ziel 200"),
        ),
        ("fr", ("Feuille", "Date"), ("Zoë a gagné avec 202 points",)),
        ("es", ("Fecha",), ("Zoë ganó con 202 puntos",)),
    ],
)
def test_sheets_speak_the_language_that_is_spoken(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    blank: tuple[str, ...],
    played: tuple[str, ...],
) -> None:
    """Nothing of the English sheet is left but what is the same in both."""
    text = text_of(blank_sheet(3, language=language), tmp_path)
    assert all(told in text for told in blank), text
    assert not any(told in text for told in ("Target", "Score", "Numbers", "Double that sum"))
    match = finished(101, 80, "Zoë", "Ben", "Cho")
    shown = text_of(match_sheet(match, language=language), tmp_path)
    assert all(told in " ".join(shown.split()) for told in played), shown
    assert "busted" not in shown
    kept = tmp_path / "match.json"
    kept.write_text(match.to_json(), "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings.save(settings.Settings(language=language))
    output = tmp_path / "of-command.pdf"
    assert main(["sheet", "--match", str(kept), "--output", str(output)]) == 0
    assert text_of(output.read_bytes(), tmp_path) == shown


def test_names_in_a_script_that_the_font_lacks_are_refused_with_their_signs(tmp_path: Path) -> None:
    with pytest.raises(flip7.MatchError, match=r"lacks 林 \(U\+6797\), さ \(U\+3055\), ん .* of the name '林さん'"):
        blank_sheet(2, names=["Ana", "林さん"])
    with pytest.raises(flip7.MatchError, match=r"lacks م \(U\+0645\)"):
        match_sheet(finished(101, 80, "Ana", "مريم"))
    assert "Zoë" in text_of(blank_sheet(2, names=["Zoe\u0308"]), tmp_path)


def test_the_same_sheet_is_the_same_file() -> None:
    assert blank_sheet(4) == blank_sheet(4)


@pytest.mark.parametrize("options", [{"players": 0}, {"players": 37}, {"rounds": 0}, {"rounds": 99}, {"paper": "A3"}])
def test_sheets_that_cannot_be_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(flip7.MatchError):
        blank_sheet(**{"players": 3, **options})  # type: ignore[arg-type]


def test_csv_has_a_line_for_each_player_and_round_and_no_formulas() -> None:
    match = flip7.Match(["=1+1", "Ben"])
    match.enter([["7", "x2"], "bust"])
    match.retire(1)
    match.enter([20])
    rows = list(csv.DictReader(io.StringIO(to_csv(match))))
    assert [row["player"] for row in rows] == ["'=1+1", "Ben", "'=1+1"]
    assert [row["entry"] for row in rows] == ["7 x2", "bust", "points"]
    assert [row["total"] for row in rows] == ["14", "0", "34"]


def test_statistics_count_wins_averages_busts_and_pairs() -> None:
    matches = [
        finished(101, 80, "Ana", "Ben", "Cho"),
        finished(80, 101, "Ana", "Ben"),
        finished(90, 101, "Ben", "Ana"),
        flip7.Match(["Ana", "Dan"]),
    ]
    found = statistics([*matches, matches[0]])
    ana = found.players["Ana"]
    assert (found.matches, ana.matches, ana.finished, ana.wins) == (4, 4, 3, 2)
    assert ana.average == (101 + 80 + 101) / 3
    assert (ana.best_round, ana.best_total) == (101, 202)
    assert found.players["Cho"].bust_rate == 1.0
    assert found.players["Dan"].win_rate == 0.0
    pair = found.between("Ben", "Ana")
    assert (pair.matches, pair.first_ahead, pair.second_ahead) == (3, 1, 2)
    assert found.between("Ana", "Ben").first_ahead == 2
    assert found.between("Ana", "Nobody").matches == 0
