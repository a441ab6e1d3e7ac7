"""The process that tells finished games again: games come in, replays and records go out, until the input ends."""

from __future__ import annotations

import gzip

import msgspec

from flip7.protocol.rest import Replay
from flip7.server.catch_up import CatchUp
from flip7.server.errors import DamagedLog
from flip7.server.jobs import serve
from flip7.server.loading import Outdated, read_game
from flip7.server.store.base import StoredGame

NICENESS = 5
"""Tables come first, where there is one processor for all."""
LEVEL = 5
"""A replay has the same words over and over: a higher level takes twice as long and saves next to nothing."""


class Finished(msgspec.Struct, frozen=True, tag=True):
    """A game that is over, as it is sent: both texts are compressed by gzip."""

    date: str
    replay: bytes
    """JSON."""
    record: bytes

    @property
    def size(self) -> int:
        """How many bytes it takes to keep it."""
        return len(self.replay) + len(self.record)


class Spoiled(msgspec.Struct, frozen=True, tag=True):
    """A game of which the log is damaged."""

    problem: str


def make(stored: StoredGame) -> Finished | Spoiled:
    """Tell a game again from its first card to its last."""
    try:
        play = read_game(stored)
    except Outdated as outdated:
        play = outdated.play
    except DamagedLog as damage:
        return Spoiled(str(damage))
    play.game.salt = play.data.salt  # of the deck of a day that has passed
    first, steps = CatchUp(play, -1, odds=True).whole()
    replay = msgspec.json.encode(Replay(stored.id, play.data.date, play.data.seats, first, steps))
    record = play.game.record().encode()
    return Finished(play.data.date, gzip.compress(replay, LEVEL, mtime=0), gzip.compress(record, LEVEL, mtime=0))


def main() -> None:
    """Work until there is no more to do."""
    decode = msgspec.msgpack.Decoder(StoredGame).decode
    serve(lambda job, report: msgspec.msgpack.encode(make(decode(job))), NICENESS)


if __name__ == "__main__":
    main()
