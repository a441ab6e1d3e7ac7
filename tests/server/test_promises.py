"""Before a game its secret is promised, then everybody adds a nonce, then the whole game is promised."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from flip7.game.options import Rules
from flip7.game.promise import deck_promise, deck_seed
from flip7.protocol.messages import Options, Player, Ready, Rematch, RemoveSeat, RoomView, Start, Started
from flip7.server.checking import Checking
from flip7.server.errors import Refusal
from flip7.server.inputs import Said
from flip7.server.play import GameData, Play
from flip7.server.promises import MOST, SECONDS, Promises
from flip7.server.seating import RoomData
from flip7.server.store.copying import snapshot

from .core_table import CoreTable, Person, play
from .inside import FAST, Browser, create, serving
from .test_log import sql


def began(person: Person) -> Started:
    return person.last(Started)


def test_the_secret_of_every_game_is_shown_before_its_nonces_are_known() -> None:
    table = CoreTable("Ana", bots=("bea",))
    first = table.room.secret
    host = table.host()
    ben = table.join("Ben")
    ben.send(Ready(nonce="bbbbbbbb"))
    host.send(Start(nonce="aaaaaaaa"))
    lines = began(host).game.promised.splitlines()
    assert {f"secret {first}", "nonces aaaaaaaa bbbbbbbb"} <= set(lines)
    second = table.room.secret
    assert second not in ("", first)
    play(table)
    assert table.room.secret == second
    host.send(Rematch())
    ben.send(Ready(nonce="cccccccc"))
    host.send(Start())
    assert {f"secret {second}", "nonces cccccccc"} <= set(began(host).game.promised.splitlines())


def test_the_promise_covers_names_target_dealer_date_and_id() -> None:
    table = CoreTable("Ana", "Ben")
    host = table.host()
    table.start()
    game = began(host).game
    assert game.commitment == hashlib.sha256(game.promised.encode()).hexdigest()
    assert game.promised.splitlines()[1:5] == [
        'players "Ana" "Ben"',
        "date 2026-11-18",
        f"game {game.id}",
        "rules target=200 dealer=0 first=left reshuffle=empty",
    ]


def test_only_those_who_sit_there_have_a_share_and_nobody_changes_it_during_the_game() -> None:
    table = CoreTable("Ana")
    host = table.host()
    ben = table.join("Ben")
    ben.send(Ready(nonce="bbbbbbbb"))
    ben.send(Ready(nonce="dddddddd"))
    cho = table.join("Cho")
    cho.send(Ready(nonce="cccccccc"))
    host.send(RemoveSeat(seat=cho.seats[0]))
    host.send(Start())
    assert "nonces dddddddd" in began(host).game.promised.splitlines()
    assert host.refused(Start(nonce="eeeeeeee")).code == "not_now"
    assert table.state.data.nonces == {}


def test_the_deck_follows_from_secret_and_nonces() -> None:
    table = CoreTable("Ana")
    host = table.host()
    secret = table.state.data.secret
    assert secret is not None
    host.send(Start(nonce="aaaaaaaa"))
    running = table.state.play
    assert running is not None
    seed = str(deck_seed(int(secret.seed), ["aaaaaaaa"]))
    plain = Play("x", GameData(("Ana",), seed, secret.salt, Rules(), "2026-11-18", ()))
    assert running.game.position == plain.game.position


def test_secret_and_nonces_decide_who_deals_first_and_the_server_cannot() -> None:
    dealers = set()
    for number in range(12):
        table = CoreTable("Ana", "Ben", "Cho")
        host = table.host()
        secret = table.state.data.secret
        assert secret is not None
        nonce = f"{number:08x}"
        deal = msgspec.structs.replace(table.deal(), dealer=None)
        table.feed(Said(host.connection, Start(nonce=nonce), deal))
        running = table.state.play
        assert running is not None
        dealer = running.game.rules.dealer
        text = f"flip7 dealer {secret.seed} {nonce}"
        assert dealer == int(hashlib.sha256(text.encode()).hexdigest(), 16) % 3
        dealers.add(dealer)
    assert dealers == {0, 1, 2}


async def test_a_promised_secret_that_is_gone_is_refused_and_no_other_one_taken(tmp_path: Path) -> None:
    async with serving(msgspec.structs.replace(FAST, data=tmp_path)) as hub:
        hash = hub.promises.offer()

        async def open_table(secret: str | None) -> RoomView:
            seated = await hub.create((Player(name="Ana"),), Options(), (), start=False, address="", secret=secret)
            room = next(room for room in hub.directory.rooms if room.code == seated.code)
            view: RoomView = room.state.view()
            return view

        assert (await open_table(hash)).secret == hash
        for gone in (hash, "0" * 64):
            with pytest.raises(Refusal) as refused:
                await open_table(gone)
            assert refused.value.code == "unknown_secret"
        assert (await open_table(None)).secret != hash  # whoever asks for no promise gets a new secret
        assert len(hub.directory.rooms) == 2


def test_tables_and_games_from_before_the_second_promise_go_on_as_they_were() -> None:
    old = GameData(("Ana", "Ben"), "7", "00112233", Rules(target=50), "2026-11-17", ())
    stored = {name: value for name, value in msgspec.to_builtins(old).items() if name not in ("nonces", "version")}
    data = msgspec.convert(stored, GameData)
    game = Play("id", data).game
    assert (game.commitment, game.promised) == (deck_promise(7, "00112233"), None)
    table = CoreTable("Ana", "Ben")
    host = table.host()
    table.state.data.secret = None
    assert table.room.secret == ""
    table.start()
    assert began(host).game.promised
    assert msgspec.json.decode(b'{"code": "A", "options": {}}', type=RoomData).secret is None


async def test_a_table_from_before_there_were_secrets_shows_one_as_soon_as_anybody_is_there(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(FAST, data=tmp_path)
    async with serving(settings) as hub:
        seated = await create(hub, "Ana", start=True, target=10)
        saved = await hub.store.room(seated.code)
        assert saved
    old = msgspec.structs.replace(msgspec.json.decode(saved, type=RoomData), secret=None, nonces={1: "aaaaaaaa"})
    sql(settings, ("UPDATE rooms SET data = ?", (msgspec.json.encode(old),)))
    shown = set()
    for _ in range(2):
        async with serving(settings) as hub:
            shown.add((await hub.info(seated.code)).secret)
            stored = await hub.store.room(seated.code)
            assert stored
            assert not msgspec.json.decode(stored, type=RoomData).nonces  # What was known before counts for nothing.
    assert len(shown) == 1
    wrong: list[str] = []
    async with snapshot(settings) as found:
        await Checking(found, wrong.append, lambda share: None).run()
    assert wrong == []
    async with serving(settings) as hub:
        ana = Browser(hub, seated)
        await ana.open()
        await ana.play()
        ana.say(Rematch(again=True, nonce="bbbbbbbb"))
        promised = (await ana.expect(Started)).game.promised.splitlines()
        await ana.close()
    assert {f"secret {shown.pop()}", "nonces bbbbbbbb"} <= set(promised)


def test_an_offered_secret_is_kept_for_a_while_and_given_once() -> None:
    now = [0.0]
    promises = Promises(clock=lambda: now[0])
    first = promises.offer()
    found = promises.find(first)
    assert found
    assert found.hash == first
    assert promises.find(first) is None
    late = promises.offer()
    now[0] = SECONDS + 1
    assert promises.find(late) is None
    oldest = promises.offer()
    for _ in range(MOST):
        promises.offer()
    assert promises.find(oldest) is None
    assert promises.find(None) is None
