"""The middle of the table: the deck, and the card that is being turned or handed out, with what it does."""

from __future__ import annotations

from textual.content import Content

from flip7 import Card
from flip7.terminal.cards import HEIGHTS, Size
from flip7.terminal.drawn import Drawn
from flip7.terminal.table.showing import CALLOUTS, Showing, fitted


class Stage(Drawn):
    """Draws deck and card, in as many lines as it has."""

    def __init__(self) -> None:
        super().__init__(id="stage")
        self.showing: Showing | None = None

    def drawing(self) -> Content:
        """Return deck, card and words side by side."""
        showing, width, height = self.showing, self.size.width, self.size.height
        if showing is None or not width:
            return Content.empty()
        size: Size = "large" if height >= HEIGHTS["large"] else "small" if height >= HEIGHTS["small"] else "chip"
        words = self._words(showing)
        if size == "chip":
            return self._line(showing, words, width)
        deck = showing.painter.back(size, showing.scene.deck)
        blank = [Content.blank(len(deck[0]))] * len(deck)
        card = showing.painter.lines(showing.scene.shown[0], size) if showing.scene.shown else blank
        aside = showing.painter.row(self._aside(showing), "chip")
        told: list[Content] = [Content("")] * len(deck)
        for i, line in enumerate(words[: len(deck)]):
            told[(len(deck) - min(len(words), len(deck))) // 2 + i] = line
        if aside and len(deck) > len(words):
            told[-1] = Content.assemble((f"{showing.words('table.aside')}: ", "$soft"), aside[0])
        rows = [
            fitted(Content.assemble(" ", back, "  ", face, "  ", text), width)
            for back, face, text in zip(deck, card, told, strict=True)
        ]
        return Content("\n").join(rows)

    def _line(self, showing: Showing, words: list[Content], width: int) -> Content:
        scene = showing.scene
        parts: list[Content | str] = [" "]
        if scene.shown:
            parts += [showing.painter.chip(scene.shown[0]), " "]
        if not words:
            parts.append(Content.styled(showing.words("table.deck", n=scene.deck), "$soft"))
        for word in reversed(words):
            parts += [word, " "]
        if aside := self._aside(showing):
            parts += [f"{showing.words('table.aside')}: ", *showing.painter.row(aside, "chip")]
        return fitted(Content.assemble(*parts), width)

    @staticmethod
    def _aside(showing: Showing) -> list[Card]:
        """The cards set aside, but for the one on offer."""
        aside, ask = list(showing.scene.pending), showing.scene.ask
        if ask is not None and ask.card in aside:
            aside.remove(ask.card)
        return aside

    def _words(self, showing: Showing) -> list[Content]:
        """What is being told, and a call where something is to be called out."""
        scene, event = showing.scene, showing.event
        if event is None:
            return []
        told = []
        text = showing.words.event(event, scene.names, scene.seats[event.seat].points if event.seat is not None else 0)
        if text and event.kind != "round_scored":
            told.append(Content.styled(text, "$foreground"))
        if event.kind in CALLOUTS:
            told.append(Content.styled(showing.words(f"callout.{event.kind}"), CALLOUTS[event.kind]))
        return told
