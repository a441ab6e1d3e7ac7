"""The doors to shared matches: REST for sharing and entering, a socket for following, QR codes for the links."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter

from flip7.protocol.matches import Accepted, AddOperations, MatchBody, QrWish, SharedMatch, ShareMatch
from flip7.server.errors import Refusal
from flip7.server.matches import Matches
from flip7.server.openapi import refusals
from flip7.server.origins import address_of
from flip7.server.qr import link_base, picture

Code = Annotated[str, Parameter(max_length=32, description="The code of a shared match.")]
AnyRequest = Request[Any, Any, State]


def _matches(request: AnyRequest) -> Matches:
    matches: Matches = request.app.state["hub"].matches
    return matches


@post("/api/matches", status_code=201, responses=refusals())
async def share_match(data: JSONBody[ShareMatch], request: AnyRequest) -> SharedMatch:
    """Share a match of the scorekeeper."""
    return await _matches(request).share(data, address_of(request.scope))


@get("/api/matches/{code:str}", responses=refusals(404))
async def shared_match(code: Code, request: AnyRequest) -> MatchBody:
    """A shared match as it is now. The header `x-match-key` asks whether a key opens it for entering."""
    return await _matches(request).body(code, request.headers.get("x-match-key", ""), address_of(request.scope))


@post("/api/matches/{code:str}/operations", status_code=200, responses=refusals(403, 404, 409))
async def add_operations(code: Code, data: JSONBody[AddOperations], request: AnyRequest) -> Accepted:
    """Enter something into a shared match."""
    return await _matches(request).add(code, data, address_of(request.scope))


@post("/api/matches/{code:str}/qr", status_code=200, media_type="image/svg+xml", responses=refusals(403, 404))
async def match_qr(code: Code, data: JSONBody[QrWish], request: AnyRequest) -> Response[bytes]:
    """The link to a shared match as a QR code."""
    matches = _matches(request)
    body = await matches.body(code, data.key, address_of(request.scope))
    if data.key and not body.enter:
        raise Refusal("not_yours", "this key does not open the match for entering")
    link = f"{link_base(request)}/m/{code}" + (f"#{data.key}" if data.key else "")
    return Response(picture(link), media_type="image/svg+xml")


HANDLERS = (share_match, shared_match, add_operations, match_qr)
