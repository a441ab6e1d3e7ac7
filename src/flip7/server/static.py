"""The files of the built client, sent compressed where browsers take it and kept by them where names are hashed."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

from flip7.server.connection import Send
from flip7.server.previews import Page

FOLDER = Path(__file__).parent / "static"
LONGEST = 200
"""No file has a name of more bytes; systems complain about much longer ones."""
_HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}\.\w+$")
_TEXTUAL = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
_MISSING = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>flip7</title>
<p>The server runs, but the browser client has not been built: run <code>make client</code>, or install the package.</p>
</html>"""
_TITLE = b"<title>Flip 7</title>"
_DESCRIPTION = re.compile(rb'<meta name="description"[^>]*>\s*')
FindPage = Callable[[MutableMapping[str, Any]], Awaitable[Page]]
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


class File(NamedTuple):
    """One file, ready to be sent."""

    stamp: tuple[int, int]
    kind: str
    etag: str
    bodies: Mapping[str, bytes]
    """The content by encoding; "" is plain."""


class StaticFiles:
    """The files of a folder. Every path that is no file is a page of the application, which finds its way itself."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._known: dict[Path, File] = {}

    async def __call__(self, scope: MutableMapping[str, Any], send: Send, find: FindPage) -> int:
        """Answer a GET or HEAD request; `find` tells what is said of a page. Return how many bytes were sent."""
        if scope["method"] not in ("GET", "HEAD"):
            await _respond(send, 405, [(b"allow", b"GET, HEAD")], b"")
            return 0
        path = scope["path"].lstrip("/")
        file = self._find(path)
        if file is None and "." in path.rpartition("/")[2]:
            await _respond(send, 404, [(b"content-type", b"text/plain; charset=utf-8")], b"there is no such file\n")
            return 0
        headers = dict(scope["headers"])
        status = 200
        if file is None or path == "index.html":
            path, file = "index.html", self._find("index.html")
            if file is None:
                await _respond(send, 503, [(b"content-type", b"text/html; charset=utf-8")], _MISSING)
                return 0
            page = await find(scope)
            status, file = page.status, _with_head(file, page.head)
        accepted = headers.get(b"accept-encoding", b"").decode("latin-1")
        encoding = next((name for name in ("br", "gzip") if name in file.bodies and name in accepted), "")
        hashed = path.startswith("assets/") and _HASHED.search(path)
        answer = [
            (b"content-type", file.kind.encode()),
            (b"etag", file.etag.encode()),
            (b"vary", b"accept-encoding, accept-language" if path == "index.html" else b"accept-encoding"),
            (b"cache-control", b"public, max-age=31536000, immutable" if hashed else b"no-cache"),
        ]
        if status == 200 and headers.get(b"if-none-match", b"").decode("latin-1") == file.etag:
            await _respond(send, 304, answer, b"")
            return 0
        if encoding:
            answer.append((b"content-encoding", encoding.encode()))
        body = file.bodies[encoding]
        answer.append((b"content-length", str(len(body)).encode()))
        sent = body if scope["method"] == "GET" else b""
        await _respond(send, status, answer, sent)
        return len(sent)

    def _find(self, name: str) -> File | None:
        """The file with this name inside the folder, read again when it has changed."""
        if "\0" in name or len(name.encode()) > LONGEST:
            return None
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            return None
        stat = path.stat()
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = self._known.get(path)
        if known is None or known.stamp != stamp:
            known = self._known[path] = _load(path, stamp)
        return known


def _with_head(file: File, head: str) -> File:
    """Return a page with another title and description."""
    body = _DESCRIPTION.sub(b"", file.bodies[""]).replace(_TITLE, head.encode(), 1)
    return file._replace(bodies={"": body, "gzip": gzip.compress(body, mtime=0)}, etag=_etag(body))


def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def _load(path: Path, stamp: tuple[int, int]) -> File:
    plain = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    bodies = {"": plain}
    if kind.startswith(_TEXTUAL):
        for encoding, ending in (("br", ".br"), ("gzip", ".gz")):
            packed = path.with_name(path.name + ending)
            if packed.is_file():
                bodies[encoding] = packed.read_bytes()
        bodies.setdefault("gzip", gzip.compress(plain, mtime=0))
        kind += "; charset=utf-8" if kind.startswith("text/") else ""
    return File(stamp, kind, _etag(plain), bodies)


async def _respond(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
