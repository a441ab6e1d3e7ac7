"""How a request is refused over HTTP: in a word to programs, with a readable page to people who open an address."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from html import escape
from typing import Any

import msgspec

from flip7.catalogue import chosen, texts
from flip7.protocol.rest import Problem
from flip7.server.connection import Send
from flip7.server.errors import Refusal

Headers = Sequence[tuple[bytes, bytes]]

_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>{name}</title>
<body style="max-width: 32rem; margin: 16vh auto; padding: 0 1rem; font: 1.15rem/1.5 system-ui, sans-serif">
<h1>{name}</h1><p>{words}</p><p lang="en" style="opacity: 0.7">{text}</p></body></html>
"""


async def refuse(scope: MutableMapping[str, Any], send: Send, refusal: Refusal, headers: Headers = ()) -> None:
    """Say why a request is refused, or a socket not opened; a request that is one too many ends its connection."""
    more = [*headers]
    if refusal.seconds is not None:
        more.append((b"retry-after", str(refusal.seconds).encode()))
    if refusal.status == 429 and scope["type"] == "http":
        more.append((b"connection", b"close"))
    told = dict(scope["headers"])
    if b"text/html" in told.get(b"accept", b"") and scope["type"] == "http":
        body = page(refusal, told.get(b"accept-language", b"").decode("latin-1"))
        await answer(
            scope, send, refusal.status, body.encode(), [*more, (b"content-type", b"text/html; charset=utf-8")]
        )
    else:
        await tell(scope, send, refusal.status, refusal.problem, more)


async def tell(
    scope: MutableMapping[str, Any], send: Send, status: int, problem: Problem, headers: Headers = ()
) -> None:
    """Say what is wrong, as programs read it."""
    await answer(scope, send, status, msgspec.json.encode(problem), [*headers, (b"content-type", b"application/json")])


async def answer(scope: MutableMapping[str, Any], send: Send, status: int, body: bytes, headers: Headers) -> None:
    """Answer a request, or answer instead of opening a socket."""
    kind = "websocket." if scope["type"] == "websocket" else ""
    await send({"type": f"{kind}http.response.start", "status": status, "headers": [*headers]})
    await send({"type": f"{kind}http.response.body", "body": body})


def page(refusal: Refusal, languages: str) -> str:
    """Return a page that says what is wrong, in the language that is asked for."""
    language = chosen(languages)
    words = texts(language)
    wait = refusal.code == "too_many" and refusal.seconds is not None
    why = words("error.too_many.wait", n=refusal.seconds) if wait else words(f"error.{refusal.code}")
    return _PAGE.format(language=language, name=words("app.name"), words=escape(why), text=escape(refusal.text))
