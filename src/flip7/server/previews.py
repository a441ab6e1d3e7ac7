"""What a link looks like before it is opened: title, description and picture, for invitations, games and the rest."""

from __future__ import annotations

import asyncio
import html
import re
from collections import OrderedDict
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import msgspec

from flip7.catalogue import chosen, texts
from flip7.server.daily import TARGET, Daily
from flip7.server.drawing import draw
from flip7.server.errors import Refusal, StoreError
from flip7.server.play import GameData
from flip7.server.seating import RoomData
from flip7.server.store.base import Store

PAGES = re.compile(
    r"/(?:|pass|how|rules|settings|daily|profile|score|score/[\w-]+|m/(?P<match>[\w-]{1,64})"
    r"|(?P<kind>t|tv|replay|review)/(?P<id>[\w-]{1,32}))"
)
"""Every page of the client; a test compares it with the client's own list."""
DRAWN = 128
"""Pictures that are kept."""
NAMED = 4
"""More names than that are counted."""


class Preview(msgspec.Struct, frozen=True):
    """What is told of a page."""

    title: str
    text: str
    foot: str = ""
    """A short last line of the picture."""


class Page(msgspec.Struct, frozen=True):
    """How a page of the client is answered."""

    status: int
    head: str
    """What stands in its head: title, description and picture."""


class Previews:
    """Finds out what is behind a link, and draws it once."""

    def __init__(self, store: Store, daily: Daily) -> None:
        self._store = store
        self._daily = daily
        self._drawn: OrderedDict[Preview, bytes] = OrderedDict()
        self._pen = asyncio.Lock()
        """One picture is drawn at a time: it takes the processor for a moment."""

    async def page(self, scope: MutableMapping[str, Any]) -> Page:
        """Return status and head of a page; one that is not there is answered with 404, and so is what it is about."""
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        language = chosen(headers.get(b"accept-language", b"").decode("latin-1"))
        path = scope["path"].rstrip("/") or "/"
        match = PAGES.fullmatch(path)
        if match is None:
            return Page(404, _head(_general(language), None))
        preview: Preview | None = _general(language)
        picture: str | None = None
        if match["kind"] or path == "/daily":
            try:
                preview = await self.about(path, language)
            except StoreError:
                preview = _general(language)
            base = f"{scope.get('scheme', 'http')}://{headers.get(b'host', b'').decode('latin-1')}"
            picture = f"{base}/api/previews{path}?language={language}"
        elif match["match"] and not await self._is_shared(match["match"]):
            preview = None
        return Page(404, _head(_general(language), None)) if preview is None else Page(200, _head(preview, picture))

    async def picture(self, path: str, language: str) -> bytes:
        """Return the picture of a page as PNG. Raises `Refusal` if there is nothing at this address."""
        preview = await self.about(path, chosen(language))
        if preview is None:
            raise Refusal("unknown_address", "there is nothing at this address")
        async with self._pen:
            drawn = self._drawn.get(preview)
            if drawn is None:
                drawn = await asyncio.to_thread(draw, preview.title, preview.text, preview.foot)
            self._drawn[preview] = drawn
            self._drawn.move_to_end(preview)
            while len(self._drawn) > DRAWN:
                self._drawn.popitem(last=False)
        return drawn

    async def about(self, path: str, language: str) -> Preview | None:
        """Return what is told of a page; `None` if what it is about is not there."""
        say = texts(language, "extra")
        match = PAGES.fullmatch(path)
        if path == "/daily":
            today = await self._daily.today()
            title = say("preview.daily", n=today.number)
            return Preview(title, say("preview.daily.text", target=TARGET), f"#{today.number} · {today.date}")
        if match is None or not match["kind"]:
            return None
        if match["kind"] in ("t", "tv"):
            return await self._table(match["id"].upper(), language)
        game = await self._store.game_head(match["id"])
        if game is None or not game.over:
            return None
        data = msgspec.json.decode(game.data, type=GameData)
        kind = match["kind"]
        title = say(f"preview.{kind}", names=listed(data.names, language))
        return Preview(title, say(f"preview.{kind}.text"), data.date)

    async def _is_shared(self, code: str) -> bool:
        """Return whether a shared match is there, or cannot be looked for now."""
        try:
            return await self._store.match(code) is not None
        except StoreError:
            return True

    async def _table(self, code: str, language: str) -> Preview | None:
        saved = await self._store.room(code)
        if saved is None:
            return None
        say = texts(language, "extra")
        data = msgspec.json.decode(saved, type=RoomData)
        names = [seat.name for seat in data.seats]
        host = next((seat.name for seat in data.seats if seat.id == data.host), names[0] if names else "Flip 7")
        key = "preview.table.text" if data.phase == "lobby" else "preview.table.watch"
        return Preview(say("preview.table", name=host), say(key, names=listed(names, language), n=len(names)), code)


def listed(names: Sequence[str], language: str) -> str:
    """Return some names as people list them."""
    say = texts(language, "extra")
    if len(names) > NAMED:
        return say("preview.more", names=", ".join(names[: NAMED - 1]), n=len(names) - NAMED + 1)
    if len(names) < 2:
        return "".join(names)
    return say("preview.and", names=", ".join(names[:-1]), last=names[-1])


def _general(language: str) -> Preview:
    return Preview("Flip 7", texts(language, "extra")("preview.app"))


def _head(preview: Preview, picture: str | None) -> str:
    title, text = html.escape(preview.title), html.escape(preview.text)
    lines = [
        f"<title>{title}</title>",
        f'<meta name="description" content="{text}" />',
        '<meta property="og:site_name" content="Flip 7" />',
        '<meta property="og:type" content="website" />',
        f'<meta property="og:title" content="{title}" />',
        f'<meta property="og:description" content="{text}" />',
    ]
    if picture:
        lines += [
            f'<meta property="og:image" content="{html.escape(picture)}" />',
            '<meta property="og:image:width" content="1200" />',
            '<meta property="og:image:height" content="630" />',
            '<meta name="twitter:card" content="summary_large_image" />',
        ]
    return "\n    ".join(lines)
