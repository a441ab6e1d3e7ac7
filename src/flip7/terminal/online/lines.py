"""An online table in plain lines: for screen readers, for pipes, and for terminals that can show no screen."""

from __future__ import annotations

import asyncio
import math
import secrets
import shutil
import sys
import threading
from typing import get_args

from flip7.game.asking import read_choice, targets
from flip7.game.events import RoundStarted
from flip7.game.layout import definitions
from flip7.game.telling import Plain, Teller
from flip7.protocol.client import LinkChanged, News, ServerRefusal, TableClient
from flip7.protocol.messages import (
    AddBot,
    Ask,
    Back,
    Emote,
    Emoted,
    Emotion,
    Leave,
    Ready,
    Refused,
    RoomChanged,
    RoomView,
    SeatInfo,
    Start,
    Started,
    Step,
    Welcome,
)
from flip7.protocol.scene import Scene
from flip7.terminal import settings
from flip7.terminal.online.ending import message, offers
from flip7.terminal.online.seats import come_to, ended, next_bot
from flip7.terminal.texts import Words

HELP = (
    ("h, hit", "help.hit"),
    ("s, stay", "help.stay"),
    ("2", "help.target"),
    ("r, ready", "help.ready"),
    ("start", "help.start"),
    ("bot", "help.bot"),
    ("again", "help.again"),
    ("lobby", "help.lobby"),
    ("b, back", "help.back"),
    ("t, table", "help.table"),
    (", ".join(get_args(Emotion)), "help.emote"),
    ("leave", "help.leave"),
    ("q, quit", "help.go"),
)


def follow(address: str, code: str, name: str, *, watch: bool) -> int:
    """Play or watch until the table ends or the person goes; returns the exit status."""
    try:
        return asyncio.run(Lines(address, code, watch=watch).run(name))
    except KeyboardInterrupt:
        print()
        return 0


class Lines:
    """One table, told line by line."""

    def __init__(self, address: str, code: str, *, watch: bool) -> None:
        self._address = address
        self._code = code
        self._watch = watch
        self._words = Words(settings.load().spoken)
        self._scene: Scene | None = None
        self._teller: Teller | None = None
        self._room: RoomView | None = None
        self._sitting = ""
        """What was told last of who sits at the table before a game."""
        self._away = False
        """Whether someone else chooses for the player here."""
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    async def run(self, name: str) -> int:
        """Sit down or watch, and follow; returns 2 if there was nothing to follow."""
        try:
            place = await come_to(self._address, self._code, name, watch=self._watch)
        except ServerRefusal as refusal:
            print(f"flip7 join: {self._words.refusal(refusal.code, refusal.text)}", file=sys.stderr)
            return 2
        if place.full:
            print(self._words("join.full"), flush=True)
        threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True).start()
        async with TableClient(self._address, self._code, place.token) as client:
            typing = asyncio.create_task(self._handle_all(client))
            try:
                async for news in client:
                    self._tell(client, news)
            finally:
                typing.cancel()
            return 0 if client.room is not None else 2

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what is typed, and its end."""
        for line in sys.stdin:
            loop.call_soon_threadsafe(self._typed.put_nowait, line)
        loop.call_soon_threadsafe(self._typed.put_nowait, None)

    async def _handle_all(self, client: TableClient) -> None:
        """Do what is typed; where that ends the player goes, but whoever watches without a terminal stays."""
        while (line := await self._typed.get()) is not None:
            word = line.strip().lower()
            if word in ("q", "quit"):
                break
            await client.connected()
            told = await self._handle(client, word)
            if told:
                print(told, flush=True)
        else:
            if client.room is None:  # what is on the table is told before one goes
                await client.connected()
            if self._watch and not sys.stdin.isatty():
                return
        await client.close()

    async def _handle(self, client: TableClient, word: str) -> str:
        """Do what a word says; returns what is wrong with it, if anything."""
        emotion = next((known for known in get_args(Emotion) if known == word), None)
        ask = client.asked
        if word in ("", "?", "help"):
            told = [(key, self._words(text)) for key, text in HELP]
            return "\n".join(definitions(told, shutil.get_terminal_size().columns))
        if word in ("r", "ready"):
            own = [seat for seat in client.room.seats if seat.id in client.seats] if client.room else []
            await client.send(Ready(ready=not all(seat.ready for seat in own), nonce=secrets.token_hex(16)))
        elif word == "start":
            over = client.room is not None and client.room.phase == "over"
            await client.send(message("again") if over else Start(nonce=secrets.token_hex(16)))
        elif word == "bot":
            if client.room is not None:
                await client.send(AddBot(bot=next_bot(client.room)))
        elif word in ("again", "lobby"):
            await client.send(message(word))
        elif word in ("b", "back"):
            await client.send(Back())
        elif word == "leave":
            await client.send(Leave())
        elif word in ("t", "table"):
            return "\n".join(self._table())
        elif emotion is not None:
            await client.send(Emote(emotion=emotion))
        elif ask is None:
            return self._words("online.notasked")
        else:
            # Before its scene is told, nobody can know whom a number means.
            choice = read_choice(word, ask, self._scene.names) if self._scene is not None else None
            if choice is None:
                return self._question(ask)
            await client.choose(choice if isinstance(choice, int) else "hit" if choice == "hit" else "stay")
        return ""

    def _tell(self, client: TableClient, news: News) -> None:
        """Print what the server tells."""
        lines: list[str] = []
        match news:
            case Welcome():
                lines += self._show_room(client, news.room)
                if news.game is not None:
                    if news.room.phase != "lobby":
                        self._begin(client, Scene(news.game))
                        lines += self._table()
                    for step in news.missed:
                        lines += self._step(client, step)
                    if client.waits:
                        host = next((seat.name for seat in news.room.seats if seat.host), "")
                        lines.append(self._words("results.late", name=host))
            case RoomChanged():
                away, self._away = self._away, any(news.room.seats[seat].presence == "away" for seat in client.own)
                lines += self._show_room(client, news.room)
                if self._away and not away and news.room.phase == "playing":
                    lines.append(f"{self._words('table.backed')} {self._words('online.back')}")
            case Started():
                self._begin(client, Scene(news.game))
            case Step():
                lines += self._step(client, news)
            case Emoted():
                names = [seat.name for seat in self._room.seats if seat.id == news.seat] if self._room else []
                lines += [f"{who}: {self._words(f'emote.{news.emotion}')}" for who in names]
            case Refused():
                lines.append(self._words.refusal(news.code, news.text))
            case LinkChanged(state="retrying"):
                lines.append(self._words("banner.retrying"))
            case LinkChanged(state="ended"):
                lines.append(ended(self._address, self._code, news.code, self._words))
        # The client may know of a game already whose beginning is told next.
        told = self._scene is not None and not isinstance(news, Emoted | LinkChanged)
        if told and client.asked is not None:
            lines.append(self._question(client.asked))
        for line in lines:
            print(line, flush=True)

    def _begin(self, client: TableClient, scene: Scene) -> None:
        self._scene = scene
        self._teller = Teller(
            scene.names, Plain(), you=min(client.own) if client.own else None, language=self._words.language
        )

    def _step(self, client: TableClient, step: Step) -> list[str]:
        scene, teller = self._scene, self._teller
        if scene is None or teller is None:
            return []
        for index in range(len(step.events)):
            scene.play(step, index)
        scene.settle(step)
        lines = list(teller.story(step.events))
        if step.by == "away" and step.seat is not None and step.seat != teller.you:
            lines.insert(0, self._words("online.away", name=scene.names[step.seat]))
        if any(isinstance(event, RoundStarted) for event in step.events):
            lines = [line for line in lines if line]
        if scene.winner is not None:
            words, won = self._words, scene.seats[scene.winner]
            told = {
                "name": scene.names[scene.winner],
                "points": words("n.points", n=won.total),
                "rounds": words("n.rounds", n=len(scene.rounds)),
            }
            lines.append(words("result.won.you" if scene.winner in client.own else "result.won", **told))
        return lines

    def _show_room(self, client: TableClient, room: RoomView) -> list[str]:
        """What has changed at the table; who sits there is told before a game."""
        before, self._room = self._room, room
        words = self._words
        told: list[str] = []
        if room.notice is not None and (before is None or before.notice != room.notice):
            told.append(words(f"notice.{room.notice.kind}"))
        if room.rematch is not None and (before is None or before.rematch is None):
            told.append(words("results.counting", n=math.ceil(room.rematch)))
        if room.phase == "over" and (before is None or before.phase != "over"):
            note = words("online.over") if client.is_host else offers(client, words, None)[1]
            told += [note] if note else []
        before_it, self._sitting = self._sitting, self._lobby(client, room) if room.phase == "lobby" else ""
        return [*told, self._sitting] if self._sitting not in ("", before_it) else told

    def _lobby(self, client: TableClient, room: RoomView) -> str:
        """Who sits at the table before a game, and what to type."""
        words = self._words
        seats = [f"{seat.name} ({', '.join(self._notes(client, seat))})" for seat in room.seats]
        there = words("online.room", code=room.code, n=room.options.target, seats=", ".join(seats))
        if client.is_host:
            return f"{there} {words('online.room.start')}"
        unready = any(seat.id in client.seats and not seat.ready for seat in room.seats)
        return f"{there} {words('online.room.ready')}" if unready else there

    def _notes(self, client: TableClient, seat: SeatInfo) -> list[str]:
        words = self._words
        notes = [words("lobby.you")] if seat.id in client.seats else []
        notes += [words("lobby.host")] if seat.host else []
        if seat.bot is not None:
            return [*notes, words("lobby.bot")]
        return [*notes, words("lobby.isready" if seat.ready or seat.host else "lobby.notready")]

    def _table(self) -> list[str]:
        scene, words = self._scene, self._words
        if scene is None:
            return []
        cards = words("n.cards", n=scene.deck)
        lines = [words("online.table", n=scene.round, target=scene.target, cards=cards)]
        for name, seat in zip(scene.names, scene.seats, strict=True):
            held = " ".join(words.card(card) for card in seat.cards) or words("online.nocards")
            status = words(f"tell.status.{seat.status}")
            told = words("online.seat", name=name, cards=held, status=status, points=seat.points, total=seat.total)
            lines.append(f"  {told}")
        return lines

    def _question(self, ask: Ask) -> str:
        """Return the question, with the time there is for an answer where that is limited."""
        told = self._asking(ask)
        return told if ask.seconds is None else f"{told} {self._words('table.time', n=round(ask.seconds))}"

    def _asking(self, ask: Ask) -> str:
        scene, words = self._scene, self._words
        assert scene is not None
        if ask.kind == "turn":
            chance = "" if scene.state.odds is None else f" {words.bust(scene.state.odds.bust[ask.seat])}"
            points = words("online.turn", points=words("n.points", n=scene.seats[ask.seat].points))
            return f"{points}{chance} {words('play.turn')}"
        card = words.card(ask.card) if ask.card is not None else ""
        seats = ", ".join(f"{seat + 1} {scene.names[seat]}" for seat in targets(ask))
        return words("online.who", card=card, seats=seats)
