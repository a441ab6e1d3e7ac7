"""The scorekeeper on a phone: tapped rounds, corrections, people who come and go, files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from playwright.async_api import expect
from tests.browser.driver import Stage
from tests.browser.scoring import enter_points, enter_round, has_totals, kept, new_match, start, tap_twice, totals
from tests.browser.test_pages import picture

import flip7

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
    await has_totals(page, {"Ana": 94, "Ben": 84, "Cho": 41, "Dan": 35, "Eve": 10, "Fay": 10})
    await expect(page.locator(".status")).to_contain_text("Cho deals")
    await picture(page, "score-two-rounds")

    await page.get_by_role("button", name="Correct round 1").click()
    await page.locator("dialog").get_by_role("button", name="Ben").last.click()
    for card in ("12", "x2"):
        await page.locator(f'dialog [data-tap="{card}"]').click()
    await expect(page.locator("dialog .error").first).to_contain_text("No ×2 is left")
    await page.locator("dialog .go .accent").click()
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.locator('[data-player="Ben"] .total')).to_have_text("96")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator('[data-player="Ben"] .total')).to_have_text("84")
    await page.get_by_role("button", name="Redo").click()

    await page.get_by_role("radio", name="Points").check()
    await enter_points(page, [106, 104, 2, 2, 2, 2])
    await has_totals(page, {"Ana": 200, "Ben": 200, "Cho": 43, "Dan": 37, "Eve": 12, "Fay": 12})
    await expect(page.get_by_role("status")).to_contain_text("Playoff")
    await picture(page, "score-playoff")
    await enter_points(page, [0, 0, 171, 0, 0, 0])
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
        await page.locator(".entry input[inputmode=none]").fill(points)
        await page.locator(".entry .go .accent").click()
        await expect(problem).to_contain_text(reason)
    await has_totals(page, {"Ana": 0, "Ben": 0})
    await page.locator(".entry input[inputmode=none]").fill("20")
    await page.locator(".entry .go .accent").click()
    await has_totals(page, {"Ana": 37, "Ben": 20})


async def test_a_second_tap_of_the_same_finger_scores_nobody_and_an_empty_hand_needs_its_own_tap(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben", "Cho", "Dan"])
    for player, button in (("Ana", ".accent"), ("Ben", ".danger")):
        await expect(page.locator(".entry h3")).to_contain_text(player)
        await page.locator('.entry [data-tap="12"]').click()
        await tap_twice(page, f".entry .go {button}")
    await expect(page.locator(".entry h3")).to_contain_text("Cho")
    await page.locator('.entry [data-tap="7"]').click()  # at once: a card always counts
    await expect(page.get_by_test_id("sum")).to_have_text("7")
    for player, entered in (("Ana", "+12"), ("Ben", "✕")):
        await expect(page.locator(f'[data-player="{player}"]')).to_contain_text(entered)
    await page.get_by_role("button", name="Take 7 back").click()
    await page.locator(".entry .go .accent").click()
    await expect(page.locator(".entry .error")).to_contain_text("tap “No cards”")
    await expect(page.locator(".entry h3")).to_contain_text("Cho")
    await tap_twice(page, ".entry .nothing")
    await expect(page.locator(".entry h3")).to_contain_text("Dan")
    await expect(page.locator('[data-player="Cho"]')).to_contain_text("+0")
    await page.get_by_role("radio", name="Points").check()
    for digit in "245":
        await page.locator(f'[data-digit="{digit}"]').click()
    await page.get_by_role("button", name="Delete the last digit").click()
    await tap_twice(page, ".entry .go .accent")
    await has_totals(page, {"Ana": 12, "Ben": 0, "Cho": 0, "Dan": 24})
    await expect(page.locator(".entry h3")).to_contain_text("Ana")
    await page.get_by_role("button", name="Dan, round 1: 24. Correct it").click()
    await expect(page.locator("dialog input[inputmode=none]")).to_have_value("24")


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
    await has_totals(page, {"Ana": 12, "Benno": 11, "Late": 9})
    await expect(page.locator(".entry h3")).to_contain_text("Benno")
    await enter_round(page, [["10"], ["12"]])
    await has_totals(page, {"Ana": 12, "Benno": 21, "Late": 21})
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
    await page.get_by_label("Name 2", exact=True).fill("Eve")
    for target in ("0", "2x", "1000001"):
        await page.get_by_label("Target").fill(target)
        await page.get_by_role("button", name="Start", exact=True).click()
        await expect(page.get_by_role("alert")).to_contain_text("from 1 to 1000000")


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
    assert [(row["player"], row["entry"], row["total"], row["target"]) for row in rows] == [
        ("Ana", "12 x2", "24", "200"),
        ("Ben", "bust", "0", "200"),
    ]
    assert {row["date"] for row in rows} == {match.date}

    match.enter([100, 171])
    match.enter([0, 40])
    path.write_text(match.to_json())
    other = await stage.page("/score")
    await other.locator("input[type=file]").set_input_files(path)
    await expect(other.locator(".status h2")).to_have_text("Ben wins!")
    await other.goto(f"{stage.url}/score/statistics")
    await expect(other.get_by_text("Ana 0 : 1 Ben")).to_be_visible()
    await other.goto(f"{stage.url}/score")
    await start(other, ["Cho"])
    await other.goto(f"{stage.url}/score")
    async with other.expect_download() as waiting:
        await other.get_by_role("button", name="Back up all matches").click()
    backup = tmp_path / "matches.json"
    await (await waiting.value).save_as(backup)
    third = await stage.page("/score")
    await third.locator("input[type=file]").set_input_files(backup)
    await expect(third.get_by_text("2 matches are here again.")).to_be_visible()
    await expect(third.get_by_text("Ana 124 · Ben 211")).to_be_visible()
    for text, reason in (("{", "damaged"), (json.dumps({"format": "flip7 match", "version": 9}), "newer version")):
        path.write_text(text)
        await other.locator("input[type=file]").set_input_files(path)
        await expect(other.get_by_role("alert")).to_contain_text(reason)


async def test_the_end_has_a_podium_a_picture_a_rematch_and_statistics(stage: Stage, tmp_path: Path) -> None:
    page = await new_match(stage, ["Ana", "Ben"], target="20")
    await page.clock.set_fixed_time("2031-05-06T12:00:00")
    await enter_round(page, [["12", "9"], ["7"]])
    podium = page.locator(".podium li")
    await expect(podium.first).to_contain_text("Ana")
    await expect(page.get_by_text("Ana 21 (round 1)")).to_be_visible()
    await expect(page.get_by_text("The challenge for one or two is met")).to_be_visible()
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Picture of the result").click()
    await (await waiting.value).save_as(tmp_path / "result.png")
    assert (tmp_path / "result.png").read_bytes().startswith(b"\x89PNG")
    await page.get_by_role("button", name="Step by step").click()
    await expect(page.locator("dialog")).to_contain_text("The match begins")
    await page.get_by_role("button", name="One step on").click()
    await expect(page.locator("dialog")).to_contain_text("9 12 for Ana")
    await page.get_by_role("button", name="Close").click()

    await page.get_by_role("button", name="Rematch").click()
    await expect(page.locator(".status")).to_contain_text("Ben deals")
    await enter_round(page, [["3"], []])
    await page.get_by_role("button", name="Players").click()
    await page.get_by_label("New name for Ben").fill("Ana")
    await page.get_by_label("New name for Ben").press("Enter")
    await expect(page.locator("dialog").get_by_role("alert")).to_contain_text("Ana is at this table already")
    await page.get_by_role("button", name="We stop here").click()
    await expect(page.locator(".status h2")).to_have_text("Stopped")
    await kept(page)
    await page.goto(f"{stage.url}/score")
    await expect(page.get_by_text("2031-05-06")).to_have_count(1)  # the rematch has its own date
    await page.goto(f"{stage.url}/score/statistics")
    await page.get_by_role("link", name="Ana").click()
    await expect(page.locator("main")).to_contain_text("1 (100%)")
    await expect(page.locator("main")).to_contain_text("Points a round, match by match")


async def test_a_match_that_is_not_here_says_so(stage: Stage) -> None:
    page = await stage.page("/score/abcdef")
    await expect(page.get_by_text("There is no such match on this device")).to_be_visible()
