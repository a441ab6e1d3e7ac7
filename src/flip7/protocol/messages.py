"""Every message between browser and server, as types: the protocol of the socket.

docs/protocol.md and the client's TypeScript types are generated from here and from `rest` (tools/wire.py).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from flip7 import Card
from flip7.game.events import AnyEvent, Hand, snake
from flip7.protocol.codes import Code, Ending
from flip7.rules.table import SEATS

PROTOCOL = 1
"""The version of this protocol. A client that speaks another one loads itself again."""

NAME_LENGTH = 24
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
Patience = Literal[0, 60, 120, 300]
"""Seconds that the others wait for a choice where there is no timer; 0 waits for ever."""
Speed = Literal["calm", "normal", "fast", "instant"]
"""How fast a table plays: the animations and the bots."""
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


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the host may set."""

    target: Target = 200
    """The total that ends the game."""
    timer: Timer = 0
    patience: Patience = 120
    """Without a timer: how long the others wait for a player who does not answer, and is then played for."""
    odds: bool = True
    """Whether bust chances are shown; hidden, nobody gets them."""
    public: bool = False
    """Whether the table is in the list of open tables."""
    speed: Speed = "normal"
    coach: bool = True
    """Whether players may ask the coach; hidden odds forbid it too."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Someone who sits down."""

    name: Name
    colour: Colour | None = None
    """A colour of the palette, by number; `null` takes one that is free."""


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
    stand_in: str | None = None
    """The id of the bot that plays for the person until they return, as the host wished."""
    waiting: bool = False
    """Whether the person has sat down for the next game; such seats come last."""


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
    daily: str | None = None
    """The day of the daily challenge that is played here: alone, once, without coach, spectators and rematch."""
    rematch: float | None = None
    """In how many seconds another game begins with whoever is still here."""


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


class GameState(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole game and a step say alike of the state that they show or lead to."""

    # A field that is added here is in both messages, and in the scenes of all clients; `views.state_of` fills it.

    number: int
    """The number of the state: how many choices have been made; -1 before the first card."""
    round: int
    dealer: int
    deck: int
    """How many cards are left to draw."""
    discard: int
    pending: tuple[Card, ...]
    """Cards that lie in front of nobody: on offer, set aside, or handed out and not yet resolved."""
    ask: Ask | None
    """The open question; `null` when the game is over."""
    odds: Odds | None
    winner: int | None
    challenge: bool | None
    """One or two players, at the end: whether they met the challenge of SOLO-1."""
    reveal: Reveal | None
    """Seed and salt, when the game is over and never before."""


class GameView(GameState, frozen=True, kw_only=True):
    """A whole game as everyone sees it at one moment."""

    id: str
    names: tuple[str, ...]
    target: int
    commitment: str
    """The hash by which the game was fixed before the first card."""
    promised: str
    """The text whose SHA-256 the commitment is; empty for a game that was promised by seed and salt alone."""
    cards: int
    """How many cards the whole deck has."""
    hands: tuple[Hand, ...]
    """What lies before each seat, and how its points add up."""
    rounds: tuple[tuple[int, ...], ...]
    """The scores of the finished rounds."""
    playoffs: int
    recent: tuple[AnyEvent, ...]
    """The events of this round, for the log."""


class ClientMessage(msgspec.Struct, frozen=True, tag_field="type", tag=snake, forbid_unknown_fields=True, kw_only=True):
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
    """In the lobby: another player on this device takes a seat (pass and play)."""

    player: Player


class RemoveSeat(ClientMessage, frozen=True):
    """The host removes a bot or a player, or a player frees a seat of their own. In play a bot goes on for it."""

    seat: Count
    """The id of the seat."""


class StandIn(ClientMessage, frozen=True):
    """In play: the host lets a bot play for a player until they return: connect again, choose, or say `back`."""

    seat: Count
    """The id of the seat."""
    bot: Id | None = None
    """The bot, by its id; with none given the server picks one."""


class Rename(ClientMessage, frozen=True):
    """In the lobby: another name or colour for a seat of one's own."""

    seat: Count
    """The id of the seat."""
    player: Player


class Start(ClientMessage, frozen=True):
    """The host begins the game. Everybody else has to be ready."""

    nonce: Nonce | None = None


class Rematch(ClientMessage, frozen=True):
    """After the end, the host calls everybody back to the lobby for another game, or begins one."""

    again: bool = False
    """Whether another game with the same options begins: at once where one device holds all seats of people, otherwise
    after some seconds (`rematch` of the table), in which the others may leave and `ready` may add a nonce."""
    nonce: Nonce | None = None


class Back(ClientMessage, frozen=True):
    """I am here again: stop playing for me. A choice says so too."""


class Skip(ClientMessage, frozen=True):
    """I need not see what comes: once all players who are here have said so, the game goes on at once."""

    to: Literal["decision", "now"] = "decision"
    """Up to the next choice of a player who is here; or only that what was told has been seen."""


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


class Advise(ClientMessage, frozen=True, kw_only=True):
    """Ask the coach what the choices of the open question are worth. It answers with `advice`, to this device alone."""

    game: Id
    number: Count
    """The state that the question belongs to."""


FromClient = (
    Hello
    | Choose
    | Ready
    | SetOptions
    | AddBot
    | AddPlayer
    | RemoveSeat
    | StandIn
    | Rename
    | Start
    | Rematch
    | Back
    | Skip
    | Leave
    | Emote
    | Advise
    | Ping
)
"""Whatever a browser may send."""


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type", tag=snake, kw_only=True):
    """A message to the browser."""


class Step(GameState, ServerMessage, frozen=True, kw_only=True):
    """One choice was made and committed; this is what followed. Steps come in order, without gaps."""

    game: str
    seat: int | None
    """Who chose; `null` for the first step of a game, the deal."""
    choice: Word | int | None
    by: By
    events: tuple[AnyEvent, ...]
    hands: tuple[Hand, ...]
    """Those hands that are different now."""
    quick: bool = False
    """Whether it is told quickly: nobody who is here had a say in the round, or has made a choice in the game, yet."""


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
    """A player shows a feeling."""

    seat: int
    """The id of the seat."""
    emotion: Emotion


class Pong(ServerMessage, frozen=True):
    """The answer to `ping`."""

    at: float


class Refused(ServerMessage, frozen=True):
    """A message was not obeyed, and nothing has changed; after `not_saved` alone that is not known."""

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


class AdvisedChoice(msgspec.Struct, frozen=True):
    """One choice, and the chance to win that it leaves when everybody plays well from then on."""

    choice: Word | int
    win: float
    low: float
    high: float
    """Where the chance is, with 95 % confidence."""


class Advice(ServerMessage, frozen=True, kw_only=True):
    """What the coach says of an open question."""

    game: str
    number: int
    seat: int
    choices: tuple[AdvisedChoice, ...]
    best: Word | int
    sure: bool
    """Whether it is clear that no other is better."""
    seats: tuple[float, ...]
    """Every seat's chance to win now, if the best choice is made; alone, to meet the challenge (SOLO-1)."""


FromServer = Welcome | RoomChanged | Started | Step | Emoted | Advice | Pong | Refused | Closed
"""Whatever the server may send."""
