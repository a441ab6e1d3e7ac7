"""Every message between browser and server, as types: the protocol of the socket and the bodies of the REST interface.

docs/protocol.md and the client's TypeScript types are generated from here (tools/wire.py).
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flip7 import Card
from flip7.game.events import AnyEvent, Hand
from flip7.protocol.codes import Code, Ending

PROTOCOL = 1
"""The version of this protocol. A client that speaks another one loads itself anew."""

NAME_LENGTH = 24
SEATS = 36
COLOURS = 12

Phase = Literal["lobby", "playing", "over"]
"""Players gather, a game is being played, or it is over and its result is shown."""
Presence = Literal["here", "lost", "away"]
"""Connected; connection lost and still waited for; or away and played for until they return."""
By = Literal["player", "bot", "away"]
"""Who made a choice: the player, a bot, or the server for a player who is away."""
Emotion = Literal["wave", "laugh", "wow", "ouch", "clap", "think"]
Timer = Literal[0, 15, 30, 60]
"""Seconds for a choice; 0 is no timer."""
Word = Literal["hit", "stay"]

Name = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Colour = Annotated[int, Meta(ge=0, lt=COLOURS)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Target = Annotated[int, Meta(ge=10, le=1000)]
Secret = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, Meta(max_length=32)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{8,64}$")]
"""What a device adds to the secret of the server, so that neither can choose the deck."""
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the host may set."""

    target: Target = 200
    """The total that ends the game."""
    timer: Timer = 0
    odds: bool = True
    """Whether bust chances are shown; hidden, nobody gets them."""
    public: bool = False
    """Whether the table is in the list of open tables."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who sits down."""

    name: Name
    colour: Colour | None = None
    """A colour of the palette, by number; `null` takes one that is free."""


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


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits where. The position in the list of seats is the seat number of the game."""

    id: int
    """Stays the same while others come and go; what the host's messages name."""
    name: str
    colour: int
    bot: str | None
    """The id of the bot that plays here, or `null` for a person."""
    presence: Presence
    ready: bool
    host: bool
    device: int
    """Seats with the same number are held by the same device; 0 for bots."""


Trouble = Literal["damaged", "outdated", "behind"]
"""The log of a game was damaged and the game could not go on; it began with older rules and could not go on;
or a player had seen more of it than the log holds, and it went on from there."""


class Notice(msgspec.Struct, frozen=True):
    """Something went wrong with a game, and everybody at the table has to know it."""

    kind: Trouble
    game: str


class RoomView(msgspec.Struct, frozen=True):
    """A table before, during and after a game: everything but the cards."""

    code: str
    phase: Phase
    options: Options
    seats: tuple[SeatInfo, ...]
    spectators: int
    game: str | None
    """The id of the present game, or of the one that has just ended."""
    secret: str
    """The hash of the server's secret for the next game that begins here."""
    notice: Notice | None = None


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


class OpenTables(msgspec.Struct, frozen=True):
    """Public tables, those that can be joined first."""

    tables: tuple[TableInfo, ...]


class Bot(msgspec.Struct, frozen=True):
    """A bot that can take a seat."""

    id: str
    name: str
    character: str
    """How it plays, in one sentence."""
    strategy: str
    """The same, as the simulator calls it."""


class Bots(msgspec.Struct, frozen=True):
    """All bots."""

    bots: tuple[Bot, ...]


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


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    code: Code
    """For programs; see the list of codes."""
    text: str
    """What was wrong, and what would be right."""


class TargetLabel(msgspec.Struct, frozen=True):
    """What the card on offer would do to a seat."""

    seat: int
    points: int | None = None
    """A Freeze: the points that it would bank."""
    bust: float | None = None
    """A Flip Three: the chance that its cards bust the seat. `null` when odds are hidden."""


class Odds(msgspec.Struct, frozen=True):
    """Exact chances from what everyone can see; absent when odds are hidden."""

    bust: tuple[float, ...]
    """For each seat: the chance that one more card busts it; 0 behind a Second Chance, and for seats that are out."""
    flip7: tuple[float, ...]
    """For each seat: the chance that one more card makes a Flip 7."""
    hit: float | None
    """What one hit changes in the points of the seat that is asked, on average."""


class Ask(msgspec.Struct, frozen=True):
    """The question that is open."""

    kind: Literal["turn", "target"]
    seat: int
    options: tuple[Word | int, ...]
    """`"hit"` and `"stay"`, or the seats that may get the card."""
    card: Card | None
    """The card on offer when a target is chosen."""
    targets: tuple[TargetLabel, ...]
    """For each possible target, what the card would do to it."""
    seconds: float | None
    """How long the seat has from the moment this was sent, or `null` without a timer."""


class Reveal(msgspec.Struct, frozen=True):
    """Told when the game is over: sha256(`flip7 secret {seed} {salt}`) is the secret that `promised` names."""

    seed: str
    """A whole number, as text because it is longer than JavaScript's."""
    salt: str


class GameView(msgspec.Struct, frozen=True):
    """A whole game as everyone sees it at one moment."""

    id: str
    number: int
    """The number of this state: how many choices have been made; -1 before the first card."""
    names: tuple[str, ...]
    target: int
    commitment: str
    """The hash by which the game was fixed before the first card."""
    promised: str
    """The text whose SHA-256 the commitment is; empty for a game that was promised by seed and salt alone."""
    cards: int
    """How many cards the whole deck has."""
    round: int
    dealer: int
    hands: tuple[Hand, ...]
    """What lies before each seat, and how its points add up."""
    deck: int
    """How many cards are left to draw."""
    discard: int
    pending: tuple[Card, ...]
    """Cards that lie in front of nobody: on offer, set aside, or handed out and not yet resolved."""
    rounds: tuple[tuple[int, ...], ...]
    """The scores of the finished rounds."""
    playoffs: int
    recent: tuple[AnyEvent, ...]
    """The events of this round, for the log."""
    ask: Ask | None
    """`null` when the game is over."""
    odds: Odds | None
    winner: int | None
    challenge: bool | None
    """One or two players, at the end: whether they met the challenge of SOLO-1."""
    reveal: Reveal | None


class ClientMessage(
    msgspec.Struct, frozen=True, tag_field="type", tag=_snake, forbid_unknown_fields=True, kw_only=True
):
    """A message from the browser."""


class Hello(ClientMessage, frozen=True):
    """The first message on every connection. Without a token one watches."""

    token: Secret | None = None
    game: Id | None = None
    """The game that this client has seen, and up to which state: it is told what it missed since."""
    number: Count = 0


class Choose(ClientMessage, frozen=True):
    """The answer to the open question. It counts only for the state whose number it carries."""

    game: Id
    number: Count
    choice: Word | Annotated[int, Meta(ge=0, lt=SEATS)]


class Ready(ClientMessage, frozen=True):
    """In the lobby: all seats of this device are ready, or not."""

    ready: bool = True
    nonce: Nonce | None = None


class SetOptions(ClientMessage, frozen=True):
    """The host sets the options: the target in the lobby only, the others at any time."""

    options: Options


class AddBot(ClientMessage, frozen=True):
    """The host lets a bot take a seat."""

    bot: Id


class AddPlayer(ClientMessage, frozen=True):
    """In the lobby: somebody else on this device takes a seat (pass and play)."""

    player: Player


class RemoveSeat(ClientMessage, frozen=True):
    """The host removes a bot or a player, or somebody frees a seat of their own. In play a bot goes on for it."""

    seat: Count
    """The id of the seat."""


class Rename(ClientMessage, frozen=True):
    """In the lobby: another name or colour for a seat of one's own."""

    seat: Count
    """The id of the seat."""
    player: Player


class Start(ClientMessage, frozen=True):
    """The host begins the game. Everybody else has to be ready."""

    nonce: Nonce | None = None


class Rematch(ClientMessage, frozen=True):
    """After the end, the host calls everybody back to the lobby for another game."""


class Back(ClientMessage, frozen=True):
    """I am here again: stop playing for me. A choice says so too."""


class Leave(ClientMessage, frozen=True):
    """Give the seats up for good; in play a bot goes on for them."""


class Emote(ClientMessage, frozen=True):
    """Show everybody a feeling."""

    emotion: Emotion
    seat: Count | None = None
    """The id of the seat that shows it, where a device holds several."""


class Ping(ClientMessage, frozen=True):
    """Is anybody there? `at` comes back as it was sent."""

    at: float = 0


FromClient = (
    Hello
    | Choose
    | Ready
    | SetOptions
    | AddBot
    | AddPlayer
    | RemoveSeat
    | Rename
    | Start
    | Rematch
    | Back
    | Leave
    | Emote
    | Ping
)
"""Whatever a browser may send."""


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type", tag=_snake, kw_only=True):
    """A message to the browser."""


class Step(ServerMessage, frozen=True):
    """One choice was made and committed; this is what followed. Steps come in order, without gaps."""

    game: str
    number: int
    """The number of the state that it leads to."""
    seat: int | None
    """Who chose; `null` for the first step of a game, the deal."""
    choice: Word | int | None
    by: By
    events: tuple[AnyEvent, ...]
    hands: tuple[Hand, ...]
    """Those hands that are different now."""
    round: int
    dealer: int
    deck: int
    discard: int
    pending: tuple[Card, ...]
    ask: Ask | None
    odds: Odds | None
    winner: int | None
    challenge: bool | None
    reveal: Reveal | None
    """Seed and salt, in the last step of a game and never before."""


class Welcome(ServerMessage, frozen=True):
    """The answer to `hello`: everything one needs to go on.

    `game` is the state that the client had seen last (or the present one, if it has seen none of it), and `missed` are
    the steps from there to now.
    """

    protocol: int
    room: RoomView
    seats: tuple[int, ...]
    """The ids of one's own seats; empty for a spectator."""
    game: GameView | None
    missed: tuple[Step, ...]


class RoomChanged(ServerMessage, frozen=True, tag="room"):
    """Something about the table has changed: seats, options, who is here."""

    room: RoomView


class Started(ServerMessage, frozen=True):
    """A game has begun. `game` is the state before its first card; the step with number 0 is the deal."""

    game: GameView


class Emoted(ServerMessage, frozen=True):
    """Somebody shows a feeling."""

    seat: int
    """The id of the seat."""
    emotion: Emotion


class Pong(ServerMessage, frozen=True):
    """The answer to `ping`."""

    at: float


class Refused(ServerMessage, frozen=True):
    """A message was not obeyed, and nothing has changed."""

    code: Code
    text: str
    about: str | None
    """The type of the message, where it could be read."""


class Closed(ServerMessage, frozen=True):
    """The last message on a connection."""

    code: Code | Ending
    """Why."""
    text: str
    resume: bool
    """Whether connecting again makes sense."""


FromServer = Welcome | RoomChanged | Started | Step | Emoted | Pong | Refused | Closed
"""Whatever the server may send."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game: its first state and every step from there to the end."""

    id: str
    date: str
    seats: tuple[SeatInfo, ...]
    game: GameView
    """The state before the first card."""
    steps: tuple[Step, ...]
