"""`Game`: one whole game, from the first card to the winner."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flip7.game import names, record, view
from flip7.game import promise as promises
from flip7.game.choices import answer, read_choice, whole
from flip7.game.deviating import deviate, is_deviation
from flip7.game.errors import IllegalChoice
from flip7.game.events import CardFlipped, Event, take_events
from flip7.game.options import Rules, as_card
from flip7.game.position import Position, table_view
from flip7.game.shoe import Shoe
from flip7.rules.cards import Card
from flip7.rules.deviations import begin_round_without
from flip7.rules.inputs import begin_round, reveal
from flip7.rules.scoring import challenge_met
from flip7.rules.table import AWAIT_CARD, GAME_OVER, LEFT, ROUND_OVER, Table


class Step(NamedTuple):
    """One step of a game that has been played: a choice, or whatever else a table was given."""

    position: Position
    """The position before it."""
    decision: view.Decision | None
    """The question that was open; `None` where a round was about to begin."""
    choice: view.Choice | None
    """What was answered; `None` where a round began."""
    events: list[Event]
    """What followed from it."""


class Game(view.TableView):
    """A game of Flip 7. Ask `decision`, answer with `play`, until `decision` is `None`.

    With the same arguments it is the same game everywhere. `seed=None` takes a seed that nobody can guess. `deck` are
    cards that come up first. With `live=True` the game has no deck: it asks for every card that came up (CHOICE-1), and
    takes deviations from the rules as they happened, such as "!shuffle" (docs/library.md). With `commit=True` the
    game publishes `commitment` at the start, the hash of `promised`, and reveals seed and salt only when it is over;
    others may have had a share in the deck by their `nonces`. To follow such a game from outside, play it live with its
    commitment as `promise`, and its `secret` and `nonces`. A promise that is given has to be the one that is made.
    `date` (YYYY-MM-DD), `place` and `id` go into the record.
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
        id: str | None = None,
        promise: str | None = None,
        secret: str | None = None,
        nonces: Sequence[str] = (),
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
        self.id = promises.read_id(id) if id is not None else None
        self.nonces = promises.read_nonces(nonces)
        self.secret = self._secret(secret)
        self._plan: dict[int, tuple[int | None, tuple[int, ...]]] = {}
        self._events: list[Event] = []
        self._commitment = self._promise(promise)
        self._start = table
        self._deal()

    @classmethod
    def at(
        cls,
        position: Position | str,
        *,
        seed: int | None = None,
        players: Sequence[str] | None = None,
        live: bool = False,
    ) -> Game:
        """Return a game that goes on from a position.

        The cards to come follow from the seed; a live game asks for them. Such a game has no record, since a record
        begins with the first card of the first round.
        """
        table = table_view(position).table.copy()
        if players is not None and len(players) != table.seats:
            raise ValueError(f"{len(players)} players for a position with {table.seats} seats")
        if live and seed is not None:
            raise ValueError("a live game has no deck of its own: seed does not go with it")
        game = cls.__new__(cls)
        game._players = names.names(table.seats if players is None else players)
        game.rules = Rules.of(table)
        game.live = live
        game.date = game.place = game.id = game.salt = game.secret = game._commitment = None
        game.nonces = ()
        game._plan = {}
        game.deck = ()
        game.seed = None if live else _seed(seed)
        table.shuffles = 1  # the pile is shuffled here, however often it was before: the text does not say
        game._start = table
        game._deal()
        return game

    def _secret(self, given: str | None) -> str | None:
        """Return the hash of seed and salt, published before anybody's nonce."""
        if self.seed is not None and self.salt:
            made = promises.secret_hash(self.seed, self.salt)
            if given not in (None, made):
                raise ValueError("seed and salt do not give the secret")
            return made
        if given is None and self.nonces:
            raise ValueError("nonces go with commit=True, or with the secret of a game that is followed")
        if given is not None and not self.live:
            raise ValueError("secret goes with live=True and a promise")
        return promises.read_hash("secret", given) if given is not None else None

    def _promise(self, given: str | None) -> str | None:
        """Return the hash of what is fixed before the first card. Raises `ValueError` if another one was given."""
        if given is not None:
            promises.read_hash("promise", given)
            if not (self.live or self.salt):
                raise ValueError("promise goes with live=True or commit=True")
        if self.secret is None:
            return given
        if given is None and self.live:
            raise ValueError("the secret of a game that is followed goes with its promise")
        made = promises.sha256(record.promised(self))
        if given in (None, made):
            return made
        alone = not self.nonces and self.id is None
        if alone and self.seed is not None and self.salt and given == promises.deck_promise(self.seed, self.salt):
            self.secret = None  # the promise of version 1
            return given
        raise ValueError("players, date, place, game, rules, secret and nonces do not give the commitment")

    def _deal(self) -> None:
        """Start from the beginning."""
        self._table = self._start.copy()
        self._shoe = None
        if self.seed is not None:
            self._shoe = Shoe(promises.deck_seed(self.seed, self.nonces), [card.face for card in self.deck])
        self._choices: list[view.Choice] = []
        self._events = []
        self._rounds: list[list[int]] = []
        self._go_on()

    def _begin_round(self, table: Table) -> None:
        """Start the next round; at a real table with those who are there, and with the dealer that was named."""
        dealer, away = self._plan.get(table.round + 1, (None, _absent(table)))
        if dealer is None and not away:
            begin_round(table)
        else:
            begin_round_without(table, _next_dealer(table, away) if dealer is None else dealer, list(away))

    def _go_on(self) -> None:
        """Turn cards up and start rounds until a player has to be asked."""
        table = self._table
        while True:
            if table.waiting == AWAIT_CARD:
                card = self._next_card()
                if card is None:
                    break
                reveal(table, card)
            elif table.waiting == ROUND_OVER:
                self._note_round()
                self._begin_round(table)
            else:
                break
        self._note_round()
        self._events += take_events(table)
        self._decision = view.decision(table)

    def _next_card(self) -> int | None:
        return self._shoe.deal(self._table) if self._shoe is not None else None

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

    def play(self, option: view.Choice) -> list[Event]:
        """Answer the decision; returns the events that followed.

        Raises `InvalidChoice` for what cannot be read and `IllegalChoice` for what is not allowed now. Then nothing
        has changed.
        """
        deviates = self.live and self._decision is not None and is_deviation(option)
        choice = option if deviates else read_choice(option, self._decision)
        before = len(self._events)
        _take(self._table, choice)
        self._choices.append(choice)
        self._go_on()
        return self._events[before:]

    @property
    def events(self) -> list[Event]:
        """Everything that has happened since the start, in order."""
        return self._events[:]

    @property
    def choices(self) -> tuple[view.Choice, ...]:
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
        """The hash that was published before the first card, if the game commits to its deck."""
        return self._commitment

    @property
    def promised(self) -> str | None:
        """The text whose hash the commitment is: all that is fixed before the first card. `None` in version 1."""
        return record.promised(self) if self.secret is not None else None

    def copy(self) -> Game:
        """Return an independent game in the same position, which will go on with the same cards."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._table = self._table.copy()
        twin._shoe = self._shoe.copy() if self._shoe else None
        twin._choices = self._choices[:]
        twin._events = self._events[:]
        twin._rounds = self.rounds
        twin._plan = dict(self._plan)
        return twin

    def undo(self) -> None:
        """Take back the last choice and everything that followed from it. At the start: `IllegalChoice`."""
        if not self._choices:
            raise IllegalChoice("there is no choice to take back yet")
        choices = self._choices[:-1]
        self._deal()
        for choice in choices:
            self.play(choice)

    def steps(self, *, cards: bool = False) -> Iterator[Step]:
        """Play the game so far once more, step by step: every choice with the position before it and what followed.

        With `cards` every card that came up is a step of its own, and so is the beginning of every round.
        """
        whole: Step | None = None
        for step in self._inputs():
            asked = step.decision is not None and (step.decision.kind != "card" or self.live)
            if cards or whole is None or asked:
                if whole is not None:
                    yield whole
                whole = step
            else:
                whole.events.extend(step.events)
        if whole is not None:
            yield whole

    def _inputs(self) -> Iterator[Step]:
        """Give a new table everything that the game's was given so far, and yield it step by step."""
        came_up = iter([event.card for event in self._events if isinstance(event, CardFlipped)])
        made = iter(self._choices)
        table = self._start.copy()
        while table.waiting != GAME_OVER:
            before, ask = Position.of(table), view.decision(table)
            choice: view.Choice | None = None
            if table.waiting == ROUND_OVER:
                self._begin_round(table)
            else:
                choice = next(came_up if table.waiting == AWAIT_CARD and not self.live else made, None)
                if choice is None:
                    return
                _take(table, choice)
            yield Step(before, ask, choice, take_events(table))

    def seat_round(self, number: int, dealer: int, away: Sequence[int] = ()) -> None:
        """Agree, for a live game, who deals a round that has not begun, and who is not at the table for it (KEEP-7).

        Without that the deal goes to the left, and who has left stays away. For round 1 it begins the game again.
        """
        seats = range(len(self.players))
        if not self.live or (number <= self._table.round and (number != 1 or self._choices)):
            raise IllegalChoice(f"round {number}: only a round of a live game that has not begun can be agreed on")
        if dealer not in seats or dealer in away or not set(away) < set(seats):
            raise IllegalChoice(f"dealer {dealer}, away {list(away)}: somebody is at the table, the dealer too")
        self._plan[number] = (dealer, tuple(sorted(away)))
        if number == 1:
            self._deal()

    def record(self) -> str:
        """Return the whole game as text (docs/record.md)."""
        if self._start.round:
            raise ValueError("a game that goes on from a position has no record")
        return record.write(self)

    @classmethod
    def from_record(cls, text: str) -> Game:
        """Play a record back, checking every card and every score. Raises `RecordError` at the first wrong line."""
        return record.read(cls, text)

    def __repr__(self) -> str:
        state = f"won by {self.players[self.winner]!r}" if self.winner is not None else f"round {self._table.round}"
        return f"<Game {', '.join(self.players)}: {state}>"


def _take(table: Table, choice: view.Choice) -> None:
    """Give a table an answer, or a deviation from what it waits for."""
    if is_deviation(choice):
        deviate(table, str(choice))
    else:
        answer(table, choice)


def _absent(table: Table) -> tuple[int, ...]:
    """Return the seats that have left the table."""
    return tuple(seat for seat in range(table.seats) if table.status[seat] == LEFT)


def _next_dealer(table: Table, away: tuple[int, ...]) -> int:
    """Return who deals next: the seat to the left, past those who are not there (END-3)."""
    seat = (table.dealer + 1) % table.seats if table.round else table.dealer
    while seat in away:
        seat = (seat + 1) % table.seats
    return seat


def _seed(seed: object) -> int:
    return secrets.randbits(128) if seed is None else whole("seed", seed, 0, (1 << 256) - 1)


def _salt(salt: object) -> str:
    return secrets.token_hex(16) if salt is None else promises.read_salt("salt", salt)


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
