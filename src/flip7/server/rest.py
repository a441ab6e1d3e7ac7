"""The REST interface: making and finding tables, finished games, bots, rules, and what operators look at."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import JSONBody, Parameter

from flip7 import __version__
from flip7.game.rulebook import RULINGS
from flip7.protocol.codes import Code as Reason
from flip7.protocol.messages import (
    Bots,
    CreateTable,
    JoinTable,
    OpenTables,
    Problem,
    PromisedSecret,
    QuickGame,
    Replay,
    RulesBody,
    RulesSection,
    RulingText,
    Seated,
    TableInfo,
)
from flip7.server.bots import BOTS, QUICK
from flip7.server.errors import Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.logs import LOG
from flip7.server.match_routes import HANDLERS as MATCH_HANDLERS
from flip7.server.metrics import CONTENT_TYPE
from flip7.server.openapi import refusals
from flip7.server.qr import link_base, picture

Code = Annotated[str, Parameter(max_length=16, description="The code of a table.")]
GameId = Annotated[str, Parameter(max_length=32, description="The id of a finished game.")]
OPERATORS = ("/healthz", "/readyz", "/metrics")
TROUBLE = "the server made a mistake; it has been noted"
AnyRequest = Request[Any, Any, State]


def _hub(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state["hub"]
    return hub


def _address(request: AnyRequest) -> str:
    return request.client.host if request.client else ""


@post("/api/tables", status_code=201, responses=refusals())
async def create_table(data: JSONBody[CreateTable], request: AnyRequest) -> Seated:
    """Make a table and sit down as its host."""
    return await _hub(request).create(
        data.players,
        data.options,
        data.bots,
        start=data.start,
        address=_address(request),
        secret=data.secret,
        nonce=data.nonce,
    )


@post("/api/quick", status_code=201, responses=refusals())
async def quick_game(data: JSONBody[QuickGame], request: AnyRequest) -> Seated:
    """Play against bots at once."""
    bots = data.bots or QUICK
    return await _hub(request).create(
        (data.player,),
        data.options,
        bots,
        start=True,
        address=_address(request),
        secret=data.secret,
        nonce=data.nonce,
    )


@post("/api/secrets", status_code=201, responses=refusals())
async def promise_secret(request: AnyRequest) -> PromisedSecret:
    """Choose the secret of a table's first game, before whoever opens it adds a nonce."""
    return PromisedSecret(_hub(request).promises.offer())


@get("/api/tables", responses=refusals())
async def open_tables(request: AnyRequest) -> OpenTables:
    """The public tables."""
    return await _hub(request).open_tables()


@get("/api/tables/{code:str}", responses=refusals(404))
async def table_info(code: Code, request: AnyRequest) -> TableInfo:
    """One table, before sitting down."""
    return await _hub(request).info(code)


@post("/api/tables/{code:str}/join", status_code=201, responses=refusals(404, 409))
async def join_table(code: Code, data: JSONBody[JoinTable], request: AnyRequest) -> Seated:
    """Sit down at a table."""
    return await _hub(request).join(code, data.players, data.nonce)


@get("/api/tables/{code:str}/qr.svg", media_type="image/svg+xml", responses=refusals(404))
async def table_qr(code: Code, request: AnyRequest) -> Response[bytes]:
    """The link to a table as a QR code, to be pointed at with a phone."""
    info = await _hub(request).info(code)
    return Response(picture(f"{link_base(request)}/t/{info.code}"), media_type="image/svg+xml")


@get("/api/games/{id:str}", responses=refusals(404))
async def replay(id: GameId, request: AnyRequest) -> Replay:
    """A finished game, step by step."""
    return await _hub(request).replay(id, _address(request))


@get("/api/games/{id:str}/record", media_type=MediaType.TEXT, responses=refusals(404))
async def record(id: GameId, request: AnyRequest) -> Response[str]:
    """The record of a finished game, as `flip7 check` reads it."""
    play = await _hub(request).finished(id, _address(request))
    headers = {"content-disposition": f'attachment; filename="flip7-{play.data.date}-{play.id}.txt"'}
    return Response(play.game.record(), media_type=MediaType.TEXT, headers=headers)


@get("/api/bots", responses=refusals())
async def bots() -> Bots:
    """The bots that can take a seat."""
    return Bots(BOTS)


@get("/api/rules", responses=refusals())
async def rules() -> RulesBody:
    """All rules in words, with the rulings that events name."""
    sections: dict[str, list[RulingText]] = {}
    for ruling in RULINGS:
        sections.setdefault(ruling.section, []).append(RulingText(ruling.id, ruling.text, ruling.source))
    return RulesBody(tuple(RulesSection(title, tuple(texts)) for title, texts in sections.items()))


@get("/healthz", media_type=MediaType.TEXT, include_in_schema=False)
async def healthz(request: AnyRequest) -> Response[str]:
    """Tell whether the server is well: whether it can write down what happens."""
    hub = _hub(request)
    problem = "closing" if hub.closing else await hub.membership.check()
    return Response(f"{problem or 'ok'}\n", status_code=503 if problem else 200)


@get("/readyz", media_type=MediaType.TEXT, include_in_schema=False)
async def readyz(request: AnyRequest) -> Response[str]:
    """Tell load balancers whether new visitors may be sent here."""
    hub = _hub(request)
    full = len(hub.connections) >= hub.settings.connections
    problem = "closing" if hub.closing else "full" if full else await hub.membership.check()
    return Response(f"{problem or 'ready'}\n", status_code=503 if problem else 200)


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def metrics(request: AnyRequest) -> Response[str]:
    """Numbers for Prometheus."""
    return Response(_hub(request).metrics.text(), headers={"content-type": CONTENT_TYPE})


def _problem(status: int, code: Reason, text: str) -> Response[Problem]:
    return Response(Problem(code, text), status_code=status, media_type=MediaType.JSON)


def _on_refusal(request: AnyRequest, refusal: Refusal) -> Response[Problem]:
    return _problem(refusal.status, refusal.code, refusal.text)


def _on_store_error(request: AnyRequest, error: StoreError) -> Response[Problem]:
    LOG.error("store", extra={"problem": str(error)})
    return _problem(503, "not_saved", "the server cannot reach its store; try again in a moment")


def _on_http(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    text = error.detail
    if isinstance(error.extra, list) and error.extra:
        text = "; ".join(f"{item.get('key', 'body')}: {item.get('message')}" for item in error.extra)
    codes: dict[int, Reason] = {404: "unknown_address", 405: "unknown_address", 413: "too_large"}
    return _problem(error.status_code, codes.get(error.status_code, "unreadable"), text or "the request is refused")


def _on_unreadable(request: AnyRequest, error: Exception) -> Response[Problem]:
    return _problem(400, "unreadable", str(error))


def _internal_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    LOG.error("internal error", extra={"path": request.scope["path"]}, exc_info=error)
    _hub(request).metrics.errors.inc()
    return _problem(500, "trouble", TROUBLE)


def make_rest(hub: Hub) -> Litestar:
    """The REST application of a hub."""

    async def limited(request: AnyRequest) -> Response[Problem] | None:
        if hub.requests.take(_address(request)) or request.scope["path"] in OPERATORS:
            return None
        hub.metrics.refusals.labels("too_many").inc()
        return _problem(429, "too_many", "too many requests; wait a little")

    handlers = [
        promise_secret,
        create_table,
        quick_game,
        open_tables,
        table_info,
        join_table,
        table_qr,
        replay,
        record,
        bots,
        rules,
    ]
    return Litestar(
        route_handlers=[*handlers, *MATCH_HANDLERS, healthz, readyz, metrics],
        state=State({"hub": hub}),
        before_request=limited,
        request_max_body_size=hub.settings.body_bytes,
        openapi_config=OpenAPIConfig(
            title="flip7",
            version=__version__,
            description="Tables, finished games and shared matches. What goes over the sockets: docs/protocol.md.",
            path="/api/schema",
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        exception_handlers={
            Refusal: _on_refusal,
            StoreError: _on_store_error,
            HTTPException: _on_http,
            msgspec.DecodeError: _on_unreadable,
            UnicodeError: _on_unreadable,
            RecursionError: _on_unreadable,
            Exception: _internal_error,
        },
        logging_config=None,
    )
