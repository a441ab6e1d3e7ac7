"""What older stores lack: the chain of hashes along the choices of each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flip7.server.chain import first_link, next_link


def chain_old_games(
    games: Iterable[tuple[str, bytes]], choices: Iterable[tuple[str, int, str, str]]
) -> Iterator[tuple[str, str, int]]:
    """Return hash, game and number of each choice, which come in order. A game with a gap gets none after the gap."""
    links = {id: (0, first_link(id, bytes(data))) for id, data in games}
    for game, number, choice, by in choices:
        expected, link = links.get(game, (-1, ""))
        if number == expected:
            link = next_link(link, number, choice, by, "")
            links[game] = (number + 1, link)
            yield link, game, number
