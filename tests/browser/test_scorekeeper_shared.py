"""A match on several phones, with a network and without."""

from __future__ import annotations

from playwright.async_api import expect
from tests.browser.driver import MISSING, Stage, controlled
from tests.browser.scoring import enter_round, has_totals, kept, leave_live, new_match, share, totals
from tests.browser.test_pages import picture


async def test_entries_without_a_network_are_sent_when_it_is_back(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    links = await share(page)
    other = await stage.page(links["watch"])
    await expect(other.locator(".board")).to_be_visible()
    await controlled(page)
    await page.wait_for_function("() => 'flip7.rules' in localStorage")  # live mode explains itself without a network
    await kept(page)
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
    await leave_live(page)
    await expect(page.get_by_text("This round is being followed card by card.")).to_be_visible()
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
    await has_totals(page, {"Änne": 12})


async def test_two_phones_that_enter_at_once_keep_both_until_one_is_chosen(stage: Stage) -> None:
    one = await new_match(stage, ["Ana", "Ben"])
    links = await share(one)
    two = await stage.page(links["enter"])
    await two.get_by_role("button", name="I enter for everybody").click()
    await two.context.set_offline(True)
    await expect(two.locator(".status")).to_contain_text("offline")
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


async def test_every_player_enters_on_their_own_phone_and_no_half_tapped_hand_vanishes(stage: Stage) -> None:
    one = await new_match(stage, ["Ana", "Ben", "Cho"])
    links = await share(one)
    two = await stage.page(links["enter"])
    await two.get_by_role("button", name="Ben", exact=True).last.click()
    await expect(two.locator(".entry h3")).to_contain_text("Ben")
    for card in ("12", "9"):
        await two.locator(f'.entry [data-tap="{card}"]').click()

    await enter_round(one, [["10"], ["11"]])
    await expect(two.get_by_text("Another device has entered 11 for Ben")).to_be_visible()
    await expect(two.get_by_test_id("sum")).to_have_text("21")
    await two.reload()
    await expect(two.get_by_test_id("sum")).to_have_text("21")
    await enter_round(one, [["8"]])
    await expect(two.get_by_text("Ben, round 1: 12 9 were tapped here")).to_be_visible()
    await expect(two.locator(".entry h3")).to_contain_text("Ben")
    await two.get_by_role("button", name="Correct the round").click()
    await expect(two.locator("dialog").get_by_test_id("sum")).to_have_text("21")
    await two.locator("dialog .go .accent").click()
    await two.get_by_role("button", name="Save", exact=True).click()
    await expect(one.locator('[data-player="Ben"] .total')).to_have_text("21")

    await enter_round(two, [["5"]])
    await expect(two.get_by_text("Ben is in. Still missing: Ana, Cho")).to_be_visible()
    await two.get_by_role("button", name="Players").click()
    await two.get_by_label("This phone enters for").select_option("everybody")
    await two.get_by_role("button", name="Close").click()
    await expect(two.locator(".entry h3")).to_contain_text("Ana")


async def test_two_tabs_of_one_browser_are_in_step_and_undo_says_what_it_took_back(stage: Stage) -> None:
    one = await new_match(stage, ["Ana", "Ben", "Cho"])
    await share(one)
    two = await one.context.new_page()
    await two.goto(one.url)
    await enter_round(one, [["12"]])
    await expect(two.locator(".entry h3")).to_contain_text("Ben")
    await enter_round(two, [["11"]])
    await expect(one.locator(".entry h3")).to_contain_text("Cho")
    await enter_round(one, [["10"]])
    for page in (one, two):
        await expect(page.locator(".entry h3")).to_contain_text("Ana")
        await has_totals(page, {"Ana": 12, "Ben": 11, "Cho": 10})
    await two.get_by_role("button", name="Undo").click()  # the last step of this browser, whichever tab made it
    await expect(two.locator(".status")).to_contain_text("Took back: 10 for Cho")
    await expect(one.locator(".entry h3")).to_contain_text("Cho")
    await two.get_by_role("button", name="Redo").click()
    await expect(two.locator(".status")).to_contain_text("Brought back: 10 for Cho")
    await kept(two)
    await two.reload()
    for page in (one, two):
        await expect(page.locator('[data-player="Cho"] .total')).to_have_text("10")
        await expect(page.get_by_role("alert")).to_have_count(1)  # the empty one of the form


async def test_followers_look_on_and_cannot_enter(stage: Stage) -> None:
    page = await new_match(stage, ["Ana", "Ben"])
    links = await share(page)
    follower = await stage.page(links["watch"])
    await expect(follower.get_by_text("You are following this match.")).to_be_visible()
    answer = await follower.reload()
    assert answer is not None
    assert answer.status == 200
    await expect(follower.locator(".entry")).to_have_count(0)
    tv = await stage.page(links["watch"] + "?tv=1", (1920, 1080))
    await enter_round(page, [["12", "11"], ["+8"]])
    for watching in (follower, tv):
        await expect(watching.locator('[data-player="Ana"] .total')).to_have_text("23")
    await expect(tv.get_by_role("button")).to_have_count(0)
    await picture(tv, "score-tv")
    stage.harmless += (MISSING,)
    lost = await stage.page("/m/nothing-here")
    await expect(lost.get_by_text("This link leads nowhere")).to_be_visible()
