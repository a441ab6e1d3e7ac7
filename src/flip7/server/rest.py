"""The REST interface: making and finding tables, finished games, bots, rules, and what operators look at."""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import JSONBody, Parameter

from flip7 import __version__
from flip7.catalogue import chosen
from flip7.game.rulebook import rulings
from flip7.protocol.codes import Code as Reason
from flip7.protocol.rest import (
    Bots,
    CreateTable,
    DailyBody,
    DailyDay,
    DailyDevice,
    DailyStart,
    EngineStatus,
    JoinTable,
    OpenTables,
    Problem,
    PromisedSecret,
    QuickGame,
    Replay,
    ReviewAnswer,
    RulesBody,
    RulesSection,
    RulingText,
    Seated,
    TableInfo,
)
from flip7.server.bots import QUICK, offered
from flip7.server.errors import TROUBLE, UNREACHABLE, Conflict, DamagedStore, Refusal, StoreError
from flip7.server.hub import Hub
from flip7.server.logs import LOG
from flip7.server.match_routes import HANDLERS as MATCH_HANDLERS
from flip7.server.metrics import CONTENT_TYPE
from flip7.server.openapi import close_schemas, refusals
from flip7.server.origins import address_of
from flip7.server.qr import link_base, picture
from flip7.strategy.cast import ladder

Code = Annotated[str, Parameter(max_length=16, description="The code of a table.")]
GameId = Annotated[str, Parameter(max_length=32, pattern=r"^[\w-]+$", description="The id of a finished game.")]
Language = Annotated[str, Parameter(max_length=16, description="The language that is wanted, such as `de`.")]
AnyRequest = Request[Any, Any, State]


def _hub(request: AnyRequest) -> Hub:
    hub: Hub = request.app.state["hub"]
    return hub


@post("/api/tables", status_code=201, responses=refusals())
async def create_table(data: JSONBody[CreateTable], request: AnyRequest) -> Seated:
    """Make a table and sit down as its host."""
    return await _hub(request).create(
        data.players,
        data.options,
        data.bots,
        start=data.start,
        address=address_of(request.scope),
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
        address=address_of(request.scope),
        secret=data.secret,
        nonce=data.nonce,
        device=data.device,
        quick=True,
    )


@post("/api/secrets", status_code=201, responses=refusals())
async def promise_secret(request: AnyRequest) -> PromisedSecret:
    """Choose the secret of a table's first game, before whoever opens it adds a nonce."""
    return PromisedSecret(_hub(request).promises.offer())


@get("/api/tables", responses=refusals())
async def open_tables(request: AnyRequest) -> OpenTables:
    """The public tables."""
    return msgspec.structs.replace(await _hub(request).open_tables(), base=link_base(request))


@get("/api/tables/{code:str}", responses=refusals(404))
async def table_info(code: Code, request: AnyRequest) -> TableInfo:
    """One table, before sitting down."""
    info = await _hub(request).info(code)
    return msgspec.structs.replace(info, link=f"{link_base(request)}/t/{info.code}")


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
async def replay(id: GameId, request: AnyRequest) -> Response[Replay]:
    """A finished game, step by step."""
    finished = await _hub(request).replays.get(id, address_of(request.scope))
    return await _compressed(request, finished.replay, MediaType.JSON)


@get("/api/games/{id:str}/record", media_type=MediaType.TEXT, responses=refusals(404))
async def record(id: GameId, request: AnyRequest) -> Response[str]:
    """The record of a finished game, as `flip7 check` reads it."""
    finished = await _hub(request).replays.get(id, address_of(request.scope))
    name = f'attachment; filename="flip7-{finished.date}-{id}.txt"'
    return await _compressed(request, finished.record, MediaType.TEXT, {"content-disposition": name})


async def _compressed(
    request: AnyRequest, body: bytes, media_type: MediaType, headers: dict[str, str] | None = None
) -> Response[Any]:
    """Answer with a body that is compressed already, for who takes it so; for others it is unpacked beside the loop."""
    headers = {"vary": "accept-encoding"} | (headers or {})
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        body = await asyncio.to_thread(gzip.decompress, body)
    return Response(body, media_type=media_type, headers=headers)


@get("/api/games/{id:str}/review", responses=refusals(404, 503))
async def review(id: GameId, request: AnyRequest) -> ReviewAnswer:
    """The review of a finished game: everybody's chance to win, luck and skill. The first to ask has it made."""
    return await _hub(request).reviews.answer(id, address_of(request.scope))


@get("/api/daily", responses=refusals())
async def daily(request: AnyRequest) -> DailyBody:
    """The daily challenge, as everybody may see it: promises of today and tomorrow, the deck of yesterday."""
    return await _hub(request).daily.look()


@post("/api/daily", status_code=200, responses=refusals())
async def my_daily(data: JSONBody[DailyDevice], request: AnyRequest) -> DailyBody:
    """The same for one device, with its result; who has finished sees the table and the solver."""
    return await _hub(request).daily.look(data.device)


@post("/api/daily/play", status_code=201, responses=refusals(409))
async def play_daily(data: JSONBody[DailyStart], request: AnyRequest) -> Seated:
    """Begin the only try of a device at the deck of the day, or go on with it."""
    return await _hub(request).daily_try(data.device, data.player, address_of(request.scope), data.speed)


@get("/api/daily/{day:str}", responses=refusals(404))
async def past_daily(day: GameId, request: AnyRequest) -> DailyDay:
    """A day that has passed: its deck, laid open, and its results."""
    return await _hub(request).daily.past(day)


@get("/api/previews/{kind:str}", media_type="image/png", responses=refusals(404))
async def page_picture(kind: GameId, request: AnyRequest, language: Language = "en") -> Response[bytes]:
    """The picture of a page, for previews of its link."""
    return await _preview(request, f"/{kind}", language)


@get("/api/previews/{kind:str}/{id:str}", media_type="image/png", responses=refusals(404))
async def link_picture(kind: GameId, id: GameId, request: AnyRequest, language: Language = "en") -> Response[bytes]:
    """The picture of a table, a replay or a review, for previews of its link."""
    return await _preview(request, f"/{kind}/{id}", language)


async def _preview(request: AnyRequest, path: str, language: str) -> Response[bytes]:
    picture = await _hub(request).previews.picture(path, language)
    return Response(picture, media_type="image/png", headers={"cache-control": "public, max-age=300"})


@get("/api/engine", responses=refusals())
async def engine(request: AnyRequest) -> EngineStatus:
    """How far the engine is that coach and review think with; whoever asks first has it prepared."""
    return _hub(request).engine.status()


@get("/api/bots", responses=refusals())
async def bots(request: AnyRequest) -> Bots:
    """The bots that can take a seat; whoever thinks is among them where there is an engine, or will be."""
    measured = ladder()
    return Bots(offered(engine=_hub(request).engine.is_there), measured.field, measured.others, measured.date)


@get("/api/rules", responses=refusals())
async def rules(language: Language = "en") -> RulesBody:
    """All rules in words, with the rulings that events name, in a language if it is spoken here."""
    sections: dict[str, list[RulingText]] = {}
    for ruling in rulings(chosen(language)):
        sections.setdefault(ruling.section, []).append(RulingText(ruling.id, ruling.text, ruling.source))
    return RulesBody(tuple(RulesSection(title, tuple(texts)) for title, texts in sections.items()))


@get("/healthz", media_type=MediaType.TEXT, include_in_schema=False)
async def healthz(request: AnyRequest) -> Response[str]:
    """Say whether the server is well: whether it can write down what happens."""
    hub = _hub(request)
    problem = "closing" if hub.closing else await _sickness(hub)
    return Response(f"{problem or 'ok'}\n", status_code=503 if problem else 200)


@get("/readyz", media_type=MediaType.TEXT, include_in_schema=False)
async def readyz(request: AnyRequest) -> Response[str]:
    """Say to load balancers whether new visitors may be sent here."""
    hub = _hub(request)
    full = len(hub.connections) >= hub.settings.connections
    problem = "closing" if hub.closing else "full" if full else await _sickness(hub)
    return Response(f"{problem or 'ready'}\n", status_code=503 if problem else 200)


async def _sickness(hub: Hub) -> str | None:
    """Return that nothing can be written, if so; why is for those alone who can read the log."""
    return "nothing can be written: the log of the server says why" if await hub.membership.check() else None


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def metrics(request: AnyRequest) -> Response[str]:
    """Numbers for Prometheus."""
    return Response(_hub(request).metrics.text(), headers={"content-type": CONTENT_TYPE})


def _problem(status: int, code: Reason, text: str) -> Response[Problem]:
    return Response(Problem(code, text), status_code=status, media_type=MediaType.JSON)


def _on_refusal(request: AnyRequest, refusal: Refusal) -> Response[Problem]:
    headers = {"retry-after": str(refusal.seconds)} if refusal.seconds is not None else {}
    return Response(refusal.problem, status_code=refusal.status, media_type=MediaType.JSON, headers=headers)


def _on_store_error(request: AnyRequest, error: StoreError) -> Response[Problem]:
    LOG.error("store", extra={"problem": str(error)})
    if not isinstance(error, Conflict | DamagedStore):
        _hub(request).membership.failed(str(error))
    return _problem(503, "not_saved", UNREACHABLE)


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
        review,
        daily,
        my_daily,
        play_daily,
        past_daily,
        page_picture,
        link_picture,
        engine,
        bots,
        rules,
    ]
    app = Litestar(
        route_handlers=[*handlers, *MATCH_HANDLERS, healthz, readyz, metrics],
        state=State({"hub": hub}),
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
    close_schemas(app)
    return app
