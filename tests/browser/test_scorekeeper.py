"""The scorekeeper on phones: tapped rounds, corrections, no network, two phones, live mode, paper."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.browser.driver import Stage
from tests.browser.scoring import enter_round, new_match, share, start, totals
from tests.browser.test_pages import SIDEWAYS, flaws, picture

import flip7

SMALL = """
() => [...document.querySelectorAll('.entry button')].filter((b) => b.offsetWidth < 32 || b.offsetHeight < 44).length
"""
# How far to the right anything on the page can be reached by scrolling.
REACH = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
SIX = ("Ana", "Ben", "Cho", "Dan", "Eve", "Fay")


async def test_a_match_of_six_by_tapping_with_a_correction_a_tie_and_a_playoff(stage: Stage) -> None:
    page = await new_match(stage, SIX)
    rounds: list[list[list[str] | str]] = [
        [["12", "7", "x2", "+4"], "bust", ["0", "1", "2", "3", "4", "5", "6"], ["9", "11"], ["+10"], []],
        [
            ["12", "11", "10", "9", "8", "+2"],
            ["12", "11", "10", "9", "x2"],
            ["5"],
            ["8", "7"],
            "bust",
            ["6", "4", "second"],
        ],
    ]
    for hands in rounds:
        taps = await enter_round(page, hands)
        assert taps <= sum(len(hand) for hand in hands if hand != "bust") + len(hands)
        await expect(page.locator(".entry h3")).to_contain_text("Ana")
    assert await totals(page) == {"Ana": 94, "Ben": 84, "Cho": 41, "Dan": 35, "Eve": 10, "Fay": 10}
    await expect(page.locator(".status")).to_contain_text("Cho deals")
    await picture(page, "score-two-rounds")

    await page.get_by_role("button", name="Correct round 1").click()
    await page.get_by_role("button", name="Ben").last.click()
    for card in ("12", "x2"):
        await page.locator(f'dialog [data-tap="{card}"]').click()
    await expect(page.locator("dialog .error").first).to_contain_text("No ×2 is left")
    await page.locator("dialog .go .accent").click()
    await page.get_by_role("button", name="Save", exact=True).click()
    assert (await totals(page))["Ben"] == 96
    await page.get_by_role("button", name="Undo").click()
    assert (await totals(page))["Ben"] == 84
    await page.get_by_role("button", name="Redo").click()

    await page.get_by_role("radio", name="Points").check()
    for points in ("106", "104", "1", "1", "1", "1"):
        await page.locator(".entry input[inputmode=numeric]").fill(points)
        await page.locator(".entry .go .accent").click()
    assert await totals(page) == {"Ana": 200, "Ben": 200, "Cho": 42, "Dan": 36, "Eve": 11, "Fay": 11}
    await expect(page.get_by_role("status")).to_contain_text("Playoff")
    await picture(page, "score-playoff")
    for points in ("0", "0", "171", "0", "0", "0"):
        await page.locator(".entry input[inputmode=numeric]").fill(points)
        await page.locator(".entry .go .accent").click()
    await expect(page.locator(".status h2")).to_have_text("Cho wins!")
    await expect(page.locator(".status")).to_contain_text("after 4 rounds, 1 of them a playoff")
    await expect(page.locator(".entry")).to_have_count(0)
    await picture(page, "score-winner")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".status h2")).to_have_text("Round 4")


async def test_impossible_hands_are_refused_as_one_taps_and_points_at_their_place(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    problem = page.locator(".entry .error")

    async def tap(*cards: str) -> None:
        for card in cards:
            await page.locator(f'.entry [data-tap="{card}"]').click()

    await tap("7", "7")
    await expect(problem).to_contain_text("A second 7 busts")
    await tap("0", "1", "2", "3", "4", "5")
    await expect(page.get_by_test_id("sum")).to_have_text("37")
    await tap("9")
    await expect(problem).to_contain_text("cannot be an eighth")
    await tap("freeze")
    await expect(problem).to_contain_text("cannot be in one hand")
    await page.locator(".entry .go .accent").click()
    await tap("0")
    await expect(problem).to_contain_text("No 0 is left")
    await tap("12", "11", "10", "9", "8", "7", "6")
    await expect(problem).to_contain_text("one Flip 7 at the most")
    await page.get_by_role("radio", name="Points").check()
    for points, reason in (
        ("172", "more than 171"),
        ("146", "145 and 147"),
        ("-3", "loses points"),
        ("x", "whole number"),
    ):
        await page.locator(".entry input[inputmode=numeric]").fill(points)
        await page.locator(".entry .go .accent").click()
        await expect(problem).to_contain_text(reason)
    assert await totals(page) == {"Ana": 0, "Ben": 0}
    await page.locator(".entry input[inputmode=numeric]").fill("20")
    await page.locator(".entry .go .accent").click()
    assert await totals(page) == {"Ana": 37, "Ben": 20}


async def controlled(page: Page) -> None:
    """Wait until the service worker looks after the page."""
    await page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    await page.wait_for_function("() => !!navigator.serviceWorker.controller")


async def test_entries_without_a_network_are_sent_when_it_is_back(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    links = await share(page)
    other = await stage.page(links["watch"].removeprefix(stage.url))
    await expect(other.locator(".board")).to_be_visible()
    await controlled(page)
    await page.context.set_offline(True)
    await page.reload()
    await enter_round(page, [["12", "x2"], "bust"])
    await expect(page.locator(".status")).to_contain_text("offline")
    await page.get_by_role("button", name="Live", exact=True).click()
    await expect(page.get_by_text("Which card came up for Ana?")).to_be_visible()
    await page.locator('[data-tap="9"]').click()
    await page.get_by_role("button", name="DEAL-1").first.click()
    await expect(page.get_by_role("dialog")).to_contain_text("dealer")
    await page.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Back to entering rounds").click()
    assert await totals(other) == {"Ana": 0, "Ben": 0}
    await page.context.set_offline(False)
    await expect(other.locator('[data-player="Ana"] .total')).to_have_text("24")
    await expect(page.locator(".status")).to_contain_text("shared")


async def test_the_whole_scorekeeper_opens_without_a_network_after_the_first_visit(stage: Stage) -> None:
    page = await stage.page("/", language="de")
    await controlled(page)
    await page.context.set_offline(True)
    await page.goto(f"{stage.url}/score")
    await page.get_by_label("Name 1", exact=True).fill("Änne")
    await page.get_by_role("button", name="Los").click()
    await page.locator('[data-tap="12"]').click()
    await page.locator(".entry .go .accent").click()
    assert await totals(page) == {"Änne": 12}


async def test_two_phones_that_enter_at_once_keep_both_until_one_is_chosen(stage: Stage) -> None:
    one = await new_match(stage, ["Ana", "Ben"])
    links = await share(one)
    two = await stage.page(links["enter"].removeprefix(stage.url))
    await expect(two.locator(".entry")).to_be_visible()
    await two.context.set_offline(True)
    await enter_round(one, [["10"], ["12"]])
    await enter_round(two, [["10"], ["11"]])
    await two.context.set_offline(False)
    for page in (one, two):
        await expect(page.get_by_text("Two devices disagree")).to_be_visible()
        await expect(page.get_by_text("Ben, round 1")).to_be_visible()
        await picture(page, "score-conflict")
    await one.get_by_role("button", name="Take 11").click()
    for page in (one, two):
        await expect(page.get_by_text("Two devices disagree")).to_have_count(0)
        await expect(page.locator('[data-player="Ben"] .total')).to_have_text("11")


async def test_followers_look_on_and_cannot_enter(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    links = await share(page)
    follower = await stage.page(links["watch"].removeprefix(stage.url))
    await expect(follower.get_by_text("You are following this match.")).to_be_visible()
    await expect(follower.locator(".entry")).to_have_count(0)
    tv = await stage.page(links["watch"].removeprefix(stage.url) + "?tv=1", (1920, 1080))
    await enter_round(page, [["12", "11"], ["+8"]])
    for watching in (follower, tv):
        await expect(watching.locator('[data-player="Ana"] .total')).to_have_text("23")
    await expect(tv.get_by_role("button")).to_have_count(0)
    await picture(tv, "score-tv")
    lost = await stage.page("/m/nothing-here")
    await expect(lost.get_by_text("This link leads nowhere")).to_be_visible()


async def test_live_mode_follows_a_real_game_with_a_chained_flip_three(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben", "Cho"], target="30")
    await page.get_by_role("button", name="Live", exact=True).click()

    async def tap(*cards: str) -> None:
        for card in cards:
            await page.locator(f'.live [data-tap="{card}"]').click()

    async def choose(name: str) -> None:
        await page.locator(".live").get_by_role("button", name=name, exact=True).click()

    await expect(page.locator(".live .ask")).to_contain_text("Which card came up for Ben?")
    await tap("12")
    await tap("flip3")
    await expect(page.locator(".live .ask")).to_contain_text("Cho chooses who gets Flip Three")
    await choose("Ben")
    await tap("5", "flip3", "freeze")
    await expect(page.locator(".live .ask")).to_contain_text("Ben chooses who gets Flip Three")
    await choose("Ana")
    await choose("Cho")
    await expect(page.locator(".live .ask")).to_contain_text("Which card came up for Ana?")
    await tap("second", "9", "9")
    await expect(page.locator(".live .log")).to_contain_text("A Second Chance saves Ana from another 9.")
    await expect(page.locator(".live .log")).to_contain_text("F3-1")
    await expect(page.locator('.live [data-seat="2"]')).to_contain_text("frozen")
    await expect(page.locator(".live .ask")).to_contain_text("Ana: hit or stay?")
    await expect(page.locator(".live .odds")).to_contain_text("bust")
    await picture(page, "score-live")
    await page.get_by_role("switch", name="Purist: no odds").check()
    await expect(page.locator(".live .odds")).to_have_count(0)
    await page.reload()
    await expect(page.locator(".live .ask")).to_contain_text("Ana: hit or stay?")
    await choose("Hit")
    await tap("10")
    await choose("Stay")
    await page.locator(".live").get_by_role("button", name="Undo").click()
    await choose("Hit")
    await tap("x2")
    await choose("Stay")
    await choose("Stay")
    await expect(page.locator(".status h2")).to_have_text("Ben wins!")
    assert await totals(page) == {"Ana": 19, "Ben": 34, "Cho": 0}
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Game record").click()
    path = tmp_path / "game.txt"
    await (await waiting.value).save_as(path)
    game = flip7.Game.from_record(path.read_text())
    assert game.winner == 1
    assert [seat.total for seat in game.seats] == list((await totals(page)).values())


async def test_names_people_and_the_target_can_be_changed_at_any_time(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    await enter_round(page, [["12"], ["11"]])
    await page.get_by_role("button", name="Players").click()
    await page.get_by_label("New name for Ben").fill("Benno")
    await page.get_by_label("New name for Ben").press("Enter")
    await page.get_by_label("Somebody comes late").fill("Late")
    await page.get_by_label("Starts with").fill("9")
    await page.get_by_role("button", name="Add a player").click()
    await page.get_by_role("button", name="Ana leaves").click()
    await page.get_by_label("Target").fill("20")
    await page.locator("dialog").get_by_role("button", name="Save").click()
    await page.get_by_role("button", name="Close").click()
    assert await totals(page) == {"Ana": 12, "Benno": 11, "Late": 9}
    await expect(page.locator(".entry h3")).to_contain_text("Benno")
    await enter_round(page, [["10"], ["12"]])
    assert await totals(page) == {"Ana": 12, "Benno": 21, "Late": 21}
    await expect(page.get_by_role("status")).to_contain_text("Playoff")


async def test_seats_are_reordered_by_keyboard_and_players_are_remembered(stage: Stage) -> None:
    page = await stage.page("/score")
    for i, name in enumerate(("Ana", "Ben", "Cho")):
        await page.get_by_label(f"Name {i + 1}", exact=True).fill(name)
    await page.get_by_role("button", name="Move Cho up").press("Enter")
    await page.get_by_label("Deals first: Cho").check()
    await page.get_by_role("button", name="Start", exact=True).click()
    await expect(page.locator(".status")).to_contain_text("Cho deals")
    assert list(await totals(page)) == ["Ana", "Cho", "Ben"]
    await page.goto(f"{stage.url}/score")
    await expect(page.get_by_label("Name 2", exact=True)).to_have_value("Cho")
    await page.get_by_label("Name 2", exact=True).fill("Ana")
    await page.get_by_role("button", name="Start", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("Two players are called Ana")


async def test_exports_are_what_python_reads_and_imports_bring_matches_back(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    await enter_round(page, [["12", "x2"], "bust"])
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="File (JSON)").click()
    path = tmp_path / "match.json"
    await (await waiting.value).save_as(path)
    match = flip7.Match.from_json(path.read_text())
    assert match.rounds == [[24, 0]]
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Spreadsheet").click()
    table = tmp_path / "match.csv"
    await (await waiting.value).save_as(table)
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert [(row["player"], row["entry"], row["total"]) for row in rows] == [
        ("Ana", "12 x2", "24"),
        ("Ben", "bust", "0"),
    ]

    match.enter([100, 171])
    match.enter([0, 40])
    path.write_text(match.to_json())
    other = await stage.page("/score")
    await other.locator("input[type=file]").set_input_files(path)
    await expect(other.locator(".status h2")).to_have_text("Ben wins!")
    await other.goto(f"{stage.url}/score/statistics")
    await expect(other.get_by_text("Ana 0 : 1 Ben")).to_be_visible()
    await other.goto(f"{stage.url}/score")
    for text, reason in (("{", "damaged"), (json.dumps({"format": "flip7 match", "version": 9}), "newer version")):
        path.write_text(text)
        await other.locator("input[type=file]").set_input_files(path)
        await expect(other.get_by_role("alert")).to_contain_text(reason)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_twelve_players_fit_on_the_narrowest_phone_and_axe_finds_nothing(stage: Stage, theme: str) -> None:
    names = [f"Maximiliane {i}" for i in range(12)]
    page = await stage.page("/score", (320, 568), theme=theme)
    await start(page, names)
    assert await flaws(page) == []
    assert not await page.evaluate(SIDEWAYS)
    assert await page.evaluate(SMALL) == 0
    await enter_round(page, [["12"], *[["11"]] * 10, ["x2", "+4"]])
    assert not await page.evaluate(SIDEWAYS)
    assert await flaws(page) == []
    await picture(page, f"score-12-{theme}")
    for what in ("Players", "Share", "Correct round 1"):
        await page.get_by_role("button", name=what).first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await flaws(page) == []
        await page.get_by_role("button", name="Close").click()
    await page.get_by_role("button", name="Live", exact=True).click()
    assert not await page.evaluate(SIDEWAYS)
    assert await flaws(page) == []
    for path in ("/score", "/score/statistics", "/score/sheet"):
        await page.goto(stage.url + path)
        await expect(page.locator("h1")).to_be_visible()
        assert await flaws(page) == []
        assert not await page.evaluate(SIDEWAYS)


@pytest.mark.parametrize("players", [6, 12])
@pytest.mark.parametrize("width", [320, 390])
async def test_no_page_scrolls_sideways_on_a_phone(stage: Stage, width: int, players: int) -> None:
    wide: list[str] = []

    async def look(page: Page, where: str) -> None:
        reach: int = await page.evaluate(REACH)
        if reach > width:
            wide.append(f"{where}: {reach} px")

    names = ["W" * 24, "Ben", *(f"Maximiliane-Charlotte {i}" for i in range(2, players))]
    page = await stage.page("/score", (width, 700))
    await look(page, "new")
    await start(page, names)
    await look(page, "first round")
    await enter_round(page, [["12", "11", "10", "9", "8", "7", "x2"], "bust", ["+10"], *[["12"]] * (players - 3)])
    await look(page, "second round")
    for what in ("Players", "Correct round 1"):
        await page.get_by_role("button", name=what).first.click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        await look(page, what)
        await page.get_by_role("button", name="Close").click()
    links = await share(page)
    await page.get_by_role("button", name="Share", exact=True).click()
    await expect(page.locator("dialog svg").first).to_be_visible()
    await look(page, "share")
    await page.get_by_role("button", name="Close").click()
    follower = await stage.page(links["watch"].removeprefix(stage.url), (width, 700), language="de")
    await expect(follower.locator(".board")).to_be_visible()
    await look(follower, "following")
    await page.get_by_role("button", name="Live", exact=True).click()
    for card in ("12", "flip3"):
        await page.locator(f'.live [data-tap="{card}"]').click()
        await look(page, f"live: {card}")
    await page.get_by_role("button", name="Back to entering rounds").click()
    await page.get_by_role("radio", name="Points").check()
    await look(page, "points")
    for points in (100, *[0] * (players - 1)):
        await page.locator(".entry input[inputmode=numeric]").fill(str(points))
        await page.locator(".entry .go .accent").click()
    await expect(page.locator(".status h2")).to_contain_text("wins")
    await look(page, "won")
    for path in ("/score", "/score/statistics", "/score/sheet"):
        await page.goto(stage.url + path)
        await expect(page.locator("h1")).to_be_visible()
        await look(page, path)
    assert wide == []


async def printed(page: Page, folder: Path) -> tuple[str, list[tuple[float, float]]]:
    """The page as the printer gets it: its text, and the size of each sheet in points."""
    path = folder / "print.pdf"
    await page.pdf(path=path, prefer_css_page_size=True, print_background=False)
    told = poppler("pdfinfo", "-l", "99", str(path))
    sizes = [(float(w), float(h)) for w, h in re.findall(r"size:\s+([\d.]+) x ([\d.]+)", told)]
    return poppler("pdftotext", "-layout", str(path), "-"), sizes


def poppler(*words: str) -> str:
    if shutil.which(words[0]) is None:
        pytest.skip("poppler-utils is not installed")
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("players", "paper", "size", "pages"),
    [("6", "A4", (595, 842), 1), ("12", "Letter", (792, 612), 1), ("20", "A4", (842, 595), 2)],
)
async def test_blank_sheets_are_printed(
    stage: Stage, tmp_path: Path, players: str, paper: str, size: tuple[int, int], pages: int
) -> None:
    page = await stage.page("/score/sheet", (1280, 800))
    await page.get_by_label("Players").fill(players)
    await page.get_by_role("radio", name=paper).check()
    text, sizes = await printed(page, tmp_path)
    assert [(round(w), round(h)) for w, h in sizes] == [size] * pages
    assert text.count("Double that sum") == pages
    assert "Print" not in text


async def test_a_match_is_printed_without_its_buttons(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben"], size=(1280, 800))
    await enter_round(page, [["12", "x2"], "bust"])
    text, sizes = await printed(page, tmp_path)
    assert len(sizes) == 1
    assert "24" in text
    for button in ("Undo", "Share", "Players", "Spreadsheet"):
        assert button not in text


async def test_a_match_that_is_not_here_says_so(stage: Stage) -> None:
    page = await stage.page("/score/abcdef")
    await expect(page.get_by_text("There is no such match on this device")).to_be_visible()
