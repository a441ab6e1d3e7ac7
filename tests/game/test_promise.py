"""The promise: what is fixed before the first card can be seen by anybody, and no word of it changed afterwards."""

from hashlib import sha256
from typing import Any

import pytest

from flip7 import Game, RecordError, Rules
from flip7.game.promise import deck_promise, deck_seed, secret_hash
from flip7.testing import stay_at

SALT = "0123456789abcdef"
SECRET: dict[str, Any] = {"seed": 11, "salt": SALT, "commit": True}


def promised(**more: Any) -> Game:
    options = {**SECRET, "rules": Rules(target=50), "date": "2026-11-18", "id": "Ab-9_", "nonces": ["00112233"], **more}
    game = Game(["Ana", "Ben"], **options)
    while game.decision is not None:
        game.play(stay_at(game, 25))
    return game


def refused(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    return str(caught.value)


def test_the_hashes_are_plain_texts_that_anybody_can_hash() -> None:
    game = promised()
    lines = game.record().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("commitment "))
    assert game.promised == "".join(lines[:at])
    assert game.commitment == sha256("".join(lines[:at]).encode()).hexdigest()
    assert game.secret == sha256(b"flip7 secret 11 0123456789abcdef").hexdigest() == secret_hash(11, SALT)
    assert deck_seed(11, ["00112233"]) == int(sha256(b"flip7 seed 11 00112233").hexdigest(), 16)
    assert deck_promise(42, "00112233") == sha256(b"flip7 deck 42 00112233").hexdigest()


def test_the_promise_covers_players_rules_dealer_date_id_secret_and_nonces() -> None:
    changes: list[dict[str, Any]] = [
        {"rules": Rules(target=51)},
        {"rules": Rules(target=50, dealer=1)},
        {"date": "2026-11-19"},
        {"date": None},
        {"place": "Kitchen"},
        {"id": "Ab-9"},
        {"seed": 12},
        {"salt": "0123456789abcdee"},
        {"nonces": ["00112234"]},
        {"nonces": ["00112233", "00112233"]},
        {"nonces": []},
    ]
    promises = {promised(**change).commitment for change in [{}, *changes]}
    promises.add(Game(["Ana", "Bea"], **SECRET).commitment)
    assert len(promises) == len(changes) + 2


def test_without_nonces_the_deck_is_that_of_the_seed_and_with_them_it_is_another() -> None:
    def cards(game: Game) -> list[str]:
        return [str(event.card) for event in game.events if event.kind == "card_flipped"]

    plain = Game(["Ana", "Ben"], seed=11, rules=Rules(target=50))
    while plain.decision is not None:
        plain.play(stay_at(plain, 25))
    assert cards(promised(nonces=())) == cards(plain)
    assert cards(promised()) != cards(plain)
    assert cards(promised()) == cards(promised()) != cards(promised(nonces=["00112234"]))


def test_no_word_and_no_line_of_a_finished_record_can_be_changed() -> None:
    record = promised(rules=Rules(target=25)).record()
    lines = [line.split(" ") for line in record.splitlines()]
    pool = ["1", "2", "stay", '"Bea"', "seed", "unfinished"]
    for i, line in enumerate(lines):
        for j, word in enumerate(line):
            for other in [*pool, word + "0", word[:-1], word[:-1] + ("0" if word[-1] != "0" else "1")]:
                if other != word:
                    changed = [*lines[:i], [*line[:j], other, *line[j + 1 :]], *lines[i + 1 :]]
                    refused("\n".join(map(" ".join, changed)))
    whole = record.splitlines()
    for i, one in enumerate(whole):
        refused("\n".join(whole[:i] + whole[i + 1 :]))
        refused("\n".join([*whole[: i + 1], one, *whole[i + 1 :]]))
        if i and whole[i - 1] != one:
            refused("\n".join([*whole[: i - 1], one, whole[i - 1], *whole[i + 1 :]]))
        for more in ('place "Oslo"', "date 2026-01-01", "deck 7", "live", "unfinished"):
            refused("\n".join([*whole[: i + 1], more, *whole[i + 1 :]]))


def test_what_was_changed_is_told_with_its_line() -> None:
    record = promised().record()
    lines = record.splitlines()
    commitment = next(i for i, line in enumerate(lines, 1) if line.startswith("commitment "))
    for old, new in (
        ('"Ana"', '"Eve"'),
        ("target=50", "target=40"),
        ("dealer=0 first", "dealer=1 first"),
        ("-18", "-17"),
    ):
        assert refused(record.replace(old, new)).startswith(f"line {commitment}: players, date, place, game, rules")
    assert refused(record.replace("seed 11 salt", "seed 12 salt")) == (
        f"line {len(lines)}: seed and salt do not give the secret: it is another deck"
    )
    assert "it is another deck" in refused(record.replace("salt 0123", "salt 3210"))
    assert refused(record.replace("record 2", "record 1")).startswith("line 1: ")
    assert refused(record.replace('players "Ana" "Ben"', "players")).startswith("line 2: ")


def test_a_record_of_version_1_still_reads_and_is_written_as_it_was() -> None:
    old = promised(id=None, nonces=(), promise=deck_promise(11, SALT))
    assert old.record().startswith("flip7 record 1\n")
    assert (old.secret, old.promised, old.commitment) == (None, None, deck_promise(11, SALT))
    assert Game.from_record(old.record()).record() == old.record()
    assert refused(old.record().replace("record 1", "record 2")).startswith("line 1: ")
    assert "do not give the commitment" in refused(old.record().replace("seed 11 salt", "seed 12 salt"))


def test_who_follows_a_game_checks_its_header_before_the_secret_is_told() -> None:
    running = Game(["Ana", "Ben"], **SECRET, nonces=["00112233"], id="x")
    followed = Game.from_record(running.record())
    assert (followed.live, followed.commitment, followed.seed) == (True, running.commitment, None)
    assert (followed.promised, followed.record()) == (running.promised, running.record())
    assert "do not give the commitment" in refused(running.record().replace("Ben", "Bob"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"nonces": ["00112233"]}, "nonces go with commit=True"),
        ({"commit": True, "nonces": ["xyz"]}, "8 to 64 hexadecimal digits"),
        ({"commit": True, "nonces": "00112233"}, "a list"),
        ({"commit": True, "id": "a b"}, "letters, digits"),
        ({"commit": True, "promise": "0" * 64}, "do not give the commitment"),
        ({"commit": True, "secret": "0" * 64}, "do not give the secret"),
        ({"promise": "0" * 64}, "promise goes with"),
        ({"live": True, "secret": "0" * 64}, "goes with its promise"),
        ({"live": True, "secret": "0" * 64, "promise": "1" * 64}, "do not give the commitment"),
        ({"secret": "0" * 64}, "secret goes with live=True"),
        ({"live": True, "promise": "12"}, "64 hexadecimal digits"),
    ],
)
def test_what_cannot_be_promised_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Game(2, **options)
