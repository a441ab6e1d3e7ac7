"""The codes by which programs tell why something was refused, or why a connection ended."""

from __future__ import annotations

from typing import Literal

Code = Literal[
    "unreadable",
    "hello_first",
    "unknown_table",
    "unknown_game",
    "unknown_match",
    "bad_match",
    "unknown_token",
    "unknown_bot",
    "unknown_seat",
    "not_yours",
    "not_host",
    "not_seated",
    "other_site",
    "not_now",
    "not_ready",
    "not_your_turn",
    "stale",
    "illegal",
    "bad_name",
    "table_full",
    "too_many",
    "too_large",
    "damaged",
    "closing",
    "not_saved",
    "trouble",
    "unknown_address",
]
"""Why a message or a request was refused."""

Ending = Literal["displaced", "left", "removed", "table_closed", "flood", "too_slow", "restart"]
"""Why a connection ended, where it is not the code of an error."""

MEANINGS: dict[Code, str] = {
    "unreadable": "the message is no JSON, or of no known type, or a field is wrong",
    "hello_first": "the first message has to be `hello`",
    "unknown_table": "there is no such table (any more)",
    "unknown_game": "there is no such game, or it is not over yet",
    "unknown_match": "there is no such match of the scorekeeper",
    "bad_match": "what is entered does not fit the match of the scorekeeper",
    "unknown_token": "the token opens no seat at this table",
    "unknown_bot": "there is no such bot",
    "unknown_seat": "there is no seat with that id",
    "not_yours": "the seat belongs to another player",
    "not_host": "only the host may do this",
    "not_seated": "spectators only watch",
    "other_site": "a page of another site asks; a socket is not opened then, and the answer is status 403",
    "not_now": "not in this phase of the table",
    "not_ready": "a player is not ready yet",
    "not_your_turn": "another player is asked",
    "stale": "the choice answers a state that has passed",
    "illegal": "the rules do not allow the choice",
    "bad_name": "the name is empty, too long, or has characters that cannot be shown",
    "table_full": "no seat is left",
    "too_many": "a limit of the server: tables, connections, messages; wait a little",
    "too_large": "the message is too long",
    "damaged": "what was saved is damaged, and was put aside for whoever runs the server",
    "closing": "the server is shutting down: connect again in a moment",
    "not_saved": "it could not be written down: look whether it has happened, and try again",
    "trouble": "the server made a mistake, which it has noted",
    "unknown_address": "there is nothing at this address, or not by this method",
}
ENDINGS: dict[Ending, str] = {
    "displaced": "the token was used on another connection",
    "left": "the player has left",
    "removed": "the host has removed the player",
    "table_closed": "everybody has left, or nobody came for a long time",
    "flood": "far too many messages",
    "too_slow": "the browser did not read; the connection breaks off without a word",
    "restart": "the server is starting again",
}
STATUS: dict[Code, int] = {
    "unknown_table": 404,
    "unknown_game": 404,
    "unknown_match": 404,
    "not_yours": 403,
    "not_host": 403,
    "not_seated": 403,
    "other_site": 403,
    "too_many": 429,
    "too_large": 413,
    "not_now": 409,
    "not_ready": 409,
    "not_your_turn": 409,
    "stale": 409,
    "table_full": 409,
    "damaged": 503,
    "closing": 503,
    "not_saved": 503,
}
"""The status of an HTTP answer that carries the code; 400 for all others."""
