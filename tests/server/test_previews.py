"""Pages say what they are: status, title, description and a picture, for people and for programs that preview links."""

from __future__ import annotations

import asyncio
import io
import re
import time
from pathlib import Path

import msgspec
import pytest
from PIL import Image, ImageChops

from flip7.server import previews
from flip7.server.drawing import SIZE, draw
from flip7.server.previews import PAGES, listed

from .client import Client, Process
from .inside import FAST, serving
from .test_tables import create

ROOT = Path(__file__).resolve().parents[2]


def head(server: Process, path: str, language: str = "en") -> tuple[int, dict[str, str]]:
    """The status of a page, and what its head says."""
    answer = server.get(path, **{"accept-language": language})
    found = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)"', answer.text))
    found["title"] = "".join(re.findall(r"<title>(.*?)</title>", answer.text))
    return answer.status_code, found


def test_the_server_knows_the_pages_of_the_client() -> None:
    source = (ROOT / "web" / "src" / "App.svelte").read_text("utf-8")
    plain = re.findall(r"^    '(/[\w/]*)': \(\) =>", source, re.M)
    patterns = re.findall(r"pattern: /\^\\/(\w+)\\/", source)
    assert len(plain) >= 7
    assert len(patterns) >= 6
    assert [path for path in ["/", *plain] if not PAGES.fullmatch(path)] == []
    assert [name for name in patterns if not PAGES.fullmatch(f"/{name}/ABCDE")] == []


@pytest.mark.parametrize(
    "path", ["/nowhere", "/t/", "/t/QQQQQ", "/replay/nothing", "/review/nothing", "/score/a/b", "/m/", "/m/NOTHING"]
)
def test_what_is_not_there_is_answered_with_404_and_the_page_that_says_so(server: Process, path: str) -> None:
    status, told = head(server, path)
    assert status == 404
    assert told["title"] == "Flip 7"
    assert "og:image" not in told


@pytest.mark.parametrize("path", ["/", "/pass", "/rules", "/settings", "/score", "/score/sheet", "/daily", "/profile"])
def test_what_is_there_is_answered_with_200(server: Process, path: str) -> None:
    status, told = head(server, path)
    assert status == 200
    assert told["title"]
    assert told["description"]


def test_an_invitation_is_previewed_in_the_language_of_the_reader(server: Process) -> None:
    code, _ = create(server, '<b>"Ana"')
    status, told = head(server, f"/t/{code}")
    assert status == 200
    assert told["og:title"] == "&lt;b&gt;&quot;Ana&quot; invites you to Flip 7"
    assert "is at the table" in told["og:description"]
    assert "lädt dich" in head(server, f"/t/{code}", "de-AT,de;q=0.9")[1]["title"]
    assert told["og:image"].startswith("http://")
    picture = server.get(f"/api/previews/t/{code}?language=de")
    assert picture.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(picture.content)).size == SIZE
    assert server.get("/api/previews/t/QQQQQ").status_code == 404


async def test_games_reviews_and_the_day_are_previewed(server: Process) -> None:
    seated = server.seat("/api/quick", {"player": {"name": "Ana"}, "bots": ["carl"], "options": {"target": 20}})
    async with Client(server, seated.code, seated.token) as ana:
        await ana.open()
        game = (await ana.play()).game
    for kind, words in (("replay", "A game of Flip 7: "), ("review", "Review: ")):
        status, told = head(server, f"/{kind}/{game}")
        assert status == 200
        assert told["title"].startswith(words)
        assert server.get(f"/api/previews/{kind}/{game}").status_code == 200
    assert head(server, "/daily")[1]["title"] == "Flip 7 #1: the daily challenge"
    assert server.get("/api/previews/daily").status_code == 200
    assert server.get("/api/previews/settings").status_code == 404


@pytest.mark.parametrize(("path", "kind"), [("/favicon.ico", "image/"), ("/robots.txt", "text/plain")])
def test_browsers_and_robots_find_what_they_look_for(server: Process, path: str, kind: str) -> None:
    answer = server.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)


def test_any_text_can_be_drawn() -> None:
    for text in ("", "W" * 300, "word " * 100, "Ünïcödé 🂡"):
        assert Image.open(io.BytesIO(draw(text, text, text[:40]))).size == SIZE


@pytest.mark.parametrize("text", ["Maximiliane von Hohenloh vous invite à Flip 7", "i" * 200, "W" * 200, "il " * 100])
def test_words_keep_off_the_cards_beside_them(text: str) -> None:
    bare, told = (Image.open(io.BytesIO(draw(words, words))) for words in ("", text))
    words = ImageChops.difference(bare, told).getbbox()
    ink = bare.crop((300, 0, *SIZE)).point([255 * (level < 40) for level in range(256)] * 3).convert("L").getbbox()
    assert words
    assert ink
    assert words[2] + 36 <= 300 + ink[0]


def test_words_keep_off_the_last_line() -> None:
    title, foot = "Maximiliane-Alexandrina von Hohenloh lädt dich ein " * 3, "ABCDE"
    bare, told = (Image.open(io.BytesIO(draw(title, text, foot))) for text in ("", "Wort " * 100))
    words = ImageChops.difference(bare, told).getbbox()
    assert words
    assert words[3] < 510


def test_the_longest_name_is_written_whole() -> None:
    one, other = (Image.open(io.BytesIO(draw(f"Maximiliane-Alexandrina{end}", ""))) for end in "ei")
    assert ImageChops.difference(one, other).getbbox()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["Ana"], "Ana"),
        (["Ana", "Ben"], "Ana and Ben"),
        (["Ana", "Ben", "Cy"], "Ana, Ben and Cy"),
        (list("ABCDEF"), "A, B, C and 3 more"),
    ],
)
def test_names_are_listed_as_people_list_them(names: list[str], expected: str) -> None:
    assert listed(names, "en") == expected


async def test_pictures_are_drawn_one_at_a_time_and_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, drawn = 0, []

    def slowly(title: str, text: str, foot: str) -> bytes:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        drawn.append(title)
        time.sleep(0.02)
        at_once -= 1
        return title.encode()

    monkeypatch.setattr(previews, "draw", slowly)
    async with serving(msgspec.structs.replace(FAST, data=tmp_path)) as hub:
        pictures = [hub.previews.picture("/daily", language) for language in ("en", "de", "en", "de")]
        english, german, *again = await asyncio.gather(*pictures)
    assert again == [english, german]
    assert len(drawn) == 2
