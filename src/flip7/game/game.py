"""`Game`: one whole game, from the first card to the winner."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from operator import index
from typing import SupportsIndex

from flip7.game import names, record, view
from flip7.game.errors import IllegalChoice, InvalidChoice
from flip7.game.events import Event, take_events
from flip7.game.options import Rules, as_card
from flip7.game.position import Position
from flip7.game.shoe import Shoe, commitment
from flip7.rules.cards import CARDS, Card
from flip7.rules.inputs import begin_round, give, hit, reveal, stay
from flip7.rules.scoring import challenge_met
from flip7.rules.table import AWAIT_CARD, GAME_OVER, ROUND_OVER, Table

_PROMISE = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{8,64}")


class Game(view.Shown):
    """A game of Flip 7. Ask `decision`, answer with `play`, until `decision` is `None`.

    With the same arguments it is the same game everywhere. `seed=None` takes a seed that nobody can guess. `deck` are
    cards that come up first. With `live=True` the game has no deck: it asks which card came up. With `commit=True` the
    game publishes `commitment` at the start and reveals seed and salt only when it is over; to follow such a game from
    outside, play it live with its commitment as `promise`. `date` (YYYY-MM-DD) and `place` go into the record.
    """

    def __init__(
        self,
        players: int | Sequence[str],
        *,
        seed: int | None = None,
        rules: Rules | None = None,
        deck: Sequence[Card | str] | None = None,
        live: bool = False,
        commit: bool = False,
        salt: str | None = None,
        date: str | None = None,
        place: str | None = None,
        promise: str | None = None,
    ) -> None:
        self._players = names.names(players)
        self.rules = rules if rules is not None else Rules()
        if not isinstance(self.rules, Rules):
            raise ValueError(f"rules {rules!r}: flip7.Rules is needed")
        self.live = live
        self.date = names.date(date)
        self.place = names.text("place", place) if place is not None else None
        table = self.rules.table(len(self.players))
        self.deck = _first_cards(deck, self.rules.deck_for(len(self.players)))
        if live and (seed is not None or deck is not None or commit):
            raise ValueError("a live game has no deck of its own: seed, deck and commit do not go with it")
        if commit and deck is not None:
            raise ValueError("a game that commits to its deck shuffles all of it: deck does not go with commit")
        self.seed: int | None = None if live else _seed(seed)
        self.salt: str | None = _salt(salt) if commit else None
        if salt is not None and not commit:
            raise ValueError("salt goes with commit=True")
        if promise is not None and not (live and _PROMISE.fullmatch(promise)):
            raise ValueError(f"promise {promise!r}: 64 hexadecimal digits are needed, and live=True")
        self._commitment = commitment(self.seed, self.salt) if self.seed is not None and self.salt else promise
        self._deal(table)

    def _deal(self, table: Table) -> None:
        """Start from the beginning."""
        self._table = table
        self._shoe = Shoe(self.seed, [card.face for card in self.deck]) if self.seed is not None else None
        self._choices: list[view.Option] = []
        self._events: list[Event] = []
        self._rounds: list[list[int]] = []
        self._go_on()

    def _go_on(self) -> None:
        """Turn cards up and start rounds until somebody has to be asked."""
        table = self._table
        while True:
            if table.waiting == AWAIT_CARD:
                card = self._next_card()
                if card is None:
                    break
                reveal(table, card)
            elif table.waiting == ROUND_OVER:
                self._note_round()
                begin_round(table)
            else:
                break
        self._note_round()
        self._events += take_events(table)
        self._decision = view.decision(table)

    def _next_card(self) -> int | None:
        if self._shoe is not None:
            return self._shoe.deal(self._table)
        possible = [card.face for card in CARDS if self._table.draw[card.face]]
        return possible[0] if len(possible) == 1 else None  # CHOICE-1

    def _note_round(self) -> None:
        """Keep the scores of a round that has just ended, while the table still shows it."""
        table = self._table
        if table.waiting in (ROUND_OVER, GAME_OVER) and table.round > len(self._rounds):
            self._events += take_events(table)
            self._rounds.append(table.scores[:])

    @property
    def players(self) -> tuple[str, ...]:
        """The names, by seat."""
        return self._players

    @property
    def decision(self) -> view.Decision | None:
        """The question that is open: who is asked, and what may be answered. `None` when the game is over."""
        return self._decision

    def play(self, option: view.Option) -> list[Event]:
        """Answer the decision; returns the events that followed.

        Raises `InvalidChoice` for what cannot be read and `IllegalChoice` for what is not allowed now. Then nothing
        has changed.
        """
        choice = self._read(option)
        before = len(self._events)
        answer(self._table, choice)
        self._choices.append(choice)
        self._go_on()
        return self._events[before:]

    def _read(self, option: object) -> view.Option:
        """The legal choice that is meant."""
        choice = _choice(option)
        ask = self._decision
        if ask is None:
            raise IllegalChoice("the game is over: no choice is left")
        if choice is None:
            raise InvalidChoice(f"{option!r} cannot be read; {_legal(ask)}")
        if choice not in ask.options or isinstance(choice, Card) != (ask.kind == "card"):
            raise IllegalChoice(f"{option!r} is not possible now; {_legal(ask)}")
        return choice

    @property
    def events(self) -> list[Event]:
        """Everything that has happened since the start, in order."""
        return self._events[:]

    @property
    def choices(self) -> tuple[view.Option, ...]:
        """Every answer that `play` has taken, in order."""
        return tuple(self._choices)

    @property
    def position(self) -> Position:
        """What everyone sees now, without the names; it does not change when the game goes on."""
        return Position.of(self._table)

    @property
    def rounds(self) -> list[list[int]]:
        """The scores of the finished rounds, one list each."""
        return [scores[:] for scores in self._rounds]

    @property
    def challenge(self) -> bool | None:
        """For one or two players at the end: whether the target was reached in fewer than 5 rounds (SOLO-1)."""
        if self.winner is None or len(self.players) > 2:
            return None
        return challenge_met(self._table.round, self._table.playoffs)

    @property
    def commitment(self) -> str | None:
        """The published hash of seed and salt, if the game commits to its deck."""
        return self._commitment

    def copy(self) -> Game:
        """An independent game in the same position, which will go on with the same cards."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._table = self._table.copy()
        twin._shoe = self._shoe.copy() if self._shoe else None
        twin._choices = self._choices[:]
        twin._events = self._events[:]
        twin._rounds = self.rounds
        return twin

    def undo(self) -> None:
        """Take back the last choice and everything that followed from it. At the start: `IllegalChoice`."""
        if not self._choices:
            raise IllegalChoice("there is no choice to take back yet")
        choices = self._choices[:-1]
        self._deal(self.rules.table(len(self.players)))
        for choice in choices:
            self.play(choice)

    def record(self) -> str:
        """The whole game as text (docs/record.md)."""
        return record.write(self)

    @classmethod
    def from_record(cls, text: str) -> Game:
        """Play a record back, checking every card and every score. Raises `RecordError` at the first wrong line."""
        return record.read(cls, text)

    def __repr__(self) -> str:
        state = f"won by {self.players[self.winner]!r}" if self.winner is not None else f"round {self._table.round}"
        return f"<Game {', '.join(self.players)}: {state}>"


def answer(table: Table, choice: view.Option) -> None:
    """Give a table the answer that it waits for, which is legal: a word, a seat or a card."""
    if choice == "hit":
        hit(table)
    elif choice == "stay":
        stay(table)
    elif isinstance(choice, Card):
        reveal(table, choice.face)
    else:
        give(table, int(choice))


def _choice(option: object) -> view.Option | None:
    """What a choice means whoever asks: a word, a card, a seat; `None` if nothing."""
    if isinstance(option, Card):
        return option
    if isinstance(option, str):
        if option in ("hit", "stay"):
            return option
        try:
            return Card(option)
        except ValueError:
            return None
    return _whole(option)


def _whole(value: object) -> int | None:
    """The whole number that a value is, if it is one; `True` is none."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # a class that has whole numbers, say
        return None


def _legal(ask: view.Decision) -> str:
    options = ", ".join(str(option) if ask.kind == "target" else repr(str(option)) for option in ask.options)
    if ask.kind == "turn":
        return f"seat {ask.seat} may answer {options}"
    if ask.kind == "target":
        return f"seat {ask.seat} may give {ask.card} to the seats {options}"
    return f"the card for seat {ask.seat} is one of {options}"


def _seed(seed: object) -> int:
    if seed is None:
        return secrets.randbits(128)
    number = _whole(seed)
    if number is None or not 0 <= number < 1 << 256:
        raise ValueError(f"seed {seed!r}: a whole number from 0 to 2^256 - 1 is needed")
    return number


def _salt(salt: object) -> str:
    if salt is None:
        return secrets.token_hex(16)
    if not isinstance(salt, str) or not _SALT.fullmatch(salt):
        raise ValueError(f"salt {salt!r}: 8 to 64 hexadecimal digits are needed")
    return salt


def _first_cards(deck: Sequence[Card | str] | None, whole: dict[Card, int]) -> tuple[Card, ...]:
    if deck is None:
        return ()
    if isinstance(deck, str):
        raise ValueError(f"deck {deck!r}: a list of cards is needed, such as ['7', 'freeze']")
    left = dict(whole)
    cards = []
    for number, text in enumerate(deck, 1):
        try:
            card = as_card(text)
        except ValueError as error:
            raise ValueError(f"card {number} of the deck: {error}") from None
        left[card] -= 1
        if left[card] < 0:
            raise ValueError(f"card {number} of the deck: {card} again, but there are only {whole[card]} of it")
        cards.append(card)
    return tuple(cards)
