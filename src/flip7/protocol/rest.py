"""The bodies of the REST interface, as types: what requests bring, and what they are answered with."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flip7.protocol.codes import Code
from flip7.protocol.messages import (
    GameView,
    Hash,
    Id,
    Nonce,
    Options,
    Phase,
    Player,
    SeatInfo,
    Secret,
    Speed,
    Step,
    Word,
)
from flip7.rules.table import SEATS


class CreateTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A new table. The first player is its host; several players share this device (pass and play)."""

    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=SEATS)]
    options: Options = Options()
    bots: Annotated[tuple[Id, ...], Meta(max_length=SEATS - 1)] = ()
    """Bots that sit down at once, by their id."""
    start: bool = False
    """Whether the game begins at once, without a lobby."""
    secret: Hash | None = None
    """The secret that was promised for this table (`POST /api/secrets`); it can be used once, and soon."""
    nonce: Nonce | None = None


class QuickGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Play now, against bots: a private table that starts at once."""

    player: Player
    bots: Annotated[tuple[Id, ...], Meta(max_length=SEATS - 1)] = ()
    """Bots by their id; with none given the server picks three."""
    options: Options = Options()
    secret: Hash | None = None
    """As for a new table."""
    nonce: Nonce | None = None
    device: Secret | None = None
    """Anything that this device alone says: its new quick game replaces the oldest one of its own that nobody plays."""


class JoinTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Sit down at a table, alone or with others on the same device."""

    players: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=SEATS)]
    nonce: Nonce | None = None


class PromisedSecret(msgspec.Struct, frozen=True):
    """A secret that the server has chosen for a table that is still to be made."""

    secret: str
    """Its hash."""


class Seated(msgspec.Struct, frozen=True):
    """The answer to sitting down. Keep the token: it alone opens these seats."""

    code: str
    token: str
    seats: tuple[int, ...]
    """The ids of the seats that the token holds."""


class TableInfo(msgspec.Struct, frozen=True):
    """A table as those see it who have not sat down."""

    code: str
    phase: Phase
    host: str
    """The host's name."""
    seats: tuple[SeatInfo, ...]
    options: Options
    spectators: int
    joinable: bool
    """Whether one can sit down now; watching is always possible."""
    secret: str
    """The hash of the server's secret for the next game that begins here."""
    link: str = ""
    """The address of the table as other devices reach it, where one table is asked for."""


class OpenTables(msgspec.Struct, frozen=True):
    """Public tables, those that can be joined first."""

    tables: tuple[TableInfo, ...]
    base: str = ""
    """What links to this server begin with, so that other devices reach it."""


class Bot(msgspec.Struct, frozen=True):
    """A bot that can take a seat."""

    id: str
    name: str
    character: str
    """How it plays, in one sentence."""
    strategy: str
    """The same, as the simulator calls it."""
    strength: float | None = None
    """The share of games that it wins against a common field."""


class Bots(msgspec.Struct, frozen=True):
    """All bots. How strong they are was measured against a field of `others` bots, all `field`, on a day."""

    bots: tuple[Bot, ...]
    field: str = ""
    others: int = 0
    measured: str = ""


class RulingText(msgspec.Struct, frozen=True):
    """One ruling, in our words."""

    id: str
    text: str
    source: str


class RulesSection(msgspec.Struct, frozen=True):
    """A chapter of the rules."""

    title: str
    rulings: tuple[RulingText, ...]


class RulesBody(msgspec.Struct, frozen=True):
    """All rules. Events name the ruling that decided them."""

    sections: tuple[RulesSection, ...]


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused."""

    code: Code
    """For programs; see the list of codes."""
    text: str
    """What was wrong, and what would be right."""
    seconds: int | None = None
    """For what can be had later: how long to wait, at least."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game: its first state and every step from there to the end."""

    id: str
    date: str
    seats: tuple[SeatInfo, ...]
    game: GameView
    """The state before the first card."""
    steps: tuple[Step, ...]


Device = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class DailyDevice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which device asks. It makes its number up once, and keeps it to itself."""

    device: Device


class DailyStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A device wants to play the deck of the day, or to go on with it."""

    device: Device
    player: Player
    speed: Speed = "fast"
    """How fast cards are shown to whoever begins."""


class DailyDeck(msgspec.Struct, frozen=True):
    """The deck of one day."""

    number: int
    """1 is the first day on which this server ran."""
    date: str
    """Of the day, in UTC."""
    promise: str
    """sha256(`flip7 secret {seed} {salt}`)."""
    promised: str
    """Since when the promise has been public: the day before, or the day itself if no server ran before."""
    seed: str | None = None
    """Told the day after, half an hour after midnight, as is the salt."""
    salt: str | None = None


class DailyResult(msgspec.Struct, frozen=True):
    """How a player fared with the deck of a day."""

    name: str
    rounds: int
    total: int
    signs: str
    """A sign for each round: 💥 busted, ⬛ under 15 points, 🟨 under 30, 🟩 more, 🌟 a Flip 7."""
    game: str = ""
    """The id of the game, which can be replayed from the day after on."""


class DailyBody(msgspec.Struct, frozen=True):
    """The daily challenge (SOLO-1): alone, one deck for everybody, the target in as few rounds as possible."""

    today: DailyDeck
    tomorrow: DailyDeck
    yesterday: DailyDeck | None
    target: int
    seconds: float
    """Until the next deck."""
    players: int
    """How many have finished it."""
    begun: bool = False
    """Whether this device has begun its try."""
    spent: bool = False
    """Whether the try of this device is over without a result, because the player left: it cannot be gone on with."""
    mine: DailyResult | None = None
    mine_yesterday: DailyResult | None = None
    """The result of this device with the deck of yesterday, which could be finished a little after midnight."""
    place: int | None = None
    """The place of this device in the table."""
    table: tuple[DailyResult, ...] = ()
    """The best results; for who has finished."""
    solver: DailyResult | None = None
    """What `flip7.solve` makes of the same cards, for who has finished, once that is known."""
    solving: bool = False
    """Whether that will be known later."""


class DailyDay(msgspec.Struct, frozen=True):
    """A day that has passed: its deck, laid open, and its results."""

    deck: DailyDeck
    table: tuple[DailyResult, ...]
    solver: DailyResult | None


class EngineStatus(msgspec.Struct, frozen=True):
    """How far the engine is that coach, review and the daily comparison think with."""

    state: Literal["absent", "installing", "compiling", "ready", "failed"]
    """`absent` where it is not installed, `failed` where it could not be: then there are neither coach nor review."""
    share: float = 0.0
    """How much of what it does now is done, from 0 to 1."""
    text: str = ""
    """What it does, or why it failed, in English."""


class ReviewSeat(msgspec.Struct, frozen=True):
    """How one seat came from its first chance to its result: `start + luck + skill = result`."""

    name: str
    start: float
    luck: float
    """What cards and the choices of others brought it."""
    skill: float
    """What its own choices gave away: 0, if each was the best."""
    result: float
    """1 for the winner, 0 for everybody else; alone, whether the challenge was met (SOLO-1)."""
    choices: int


class ReviewMoment(msgspec.Struct, frozen=True):
    """One choice, or one card that came up."""

    number: int
    """Its place among the moments, from 0."""
    step: int
    """The step of the replay that it belongs to."""
    round: int
    seat: int
    """Who chose, or who got the card."""
    kind: str
    """`"turn"`, `"target"` or `"card"`."""
    choice: str | int
    """What was chosen, or which card it was."""
    card: str | None
    """With a target: the card."""
    before: tuple[float, ...]
    """Every seat's chance to win before it. Before a choice that is what the best one would leave."""
    after: tuple[float, ...]
    best: Word | int | None
    """The best choice; for a card nothing."""
    margin: float
    """How much the choice was better than the next best one, or (below 0) worse than the best."""
    points: dict[str, float] = {}
    """With a single player: the points at the end of the round, on average, after each choice."""


class ReviewBody(msgspec.Struct, frozen=True):
    """A finished game in chances to win."""

    seats: tuple[ReviewSeat, ...]
    moments: tuple[ReviewMoment, ...]
    turning_point: ReviewMoment | None
    """What changed most for any seat."""
    best: ReviewMoment | None
    """The choice that was most clearly better than the alternative."""
    worst: ReviewMoment | None
    """The choice that gave away most, if any did."""


class ReviewAnswer(msgspec.Struct, frozen=True):
    """The review of a game, or how far it is. Ask again while it is not `ready`."""

    id: str
    date: str
    seats: tuple[SeatInfo, ...]
    engine: EngineStatus
    share: float = 0.0
    """How much of it is done, once the engine is ready."""
    review: ReviewBody | None = None
