"""The record of a game that was followed card by card from its first card (docs/record.md)."""

import msgspec

from flip7.game.writing import BREAK, Pen, Told, is_deviation, new_pen, words_of
from flip7.rules.cards import CARDS
from flip7.rules.log import NAMES, ROUND_SCORED
from flip7.rules.rulings import IDS
from flip7.rules.scoring import challenge_met
from flip7.scorekeeper.model.people import place_of
from flip7.scorekeeper.model.sheet import Round, Sheet, playoff_count


class Page(msgspec.Struct):
    """A record while it is written: its lines, and whether it needs the newer version of the format."""

    lines: list[str]
    deviates: bool


def can_record(sheet: Sheet) -> bool:
    """Return whether every card since the first is known, so that the match is a game with a record."""
    live = sheet.live
    running = live is not None and live.started
    if len(sheet.rounds) == 0 and not running:
        return False
    if running and live is not None and live.estimate:
        return False
    for player in sheet.players:
        if player.score > 0:
            return False
    for at, played in enumerate(sheet.rounds):
        last = at + 1 == len(sheet.rounds)
        if not played.known or (not last and has_ended(sheet, played, sheet.rounds[at + 1])):
            return False
    return True


def has_ended(sheet: Sheet, played: Round, after: Round) -> bool:
    """Return whether a game to the present target would have been over after a round that another followed."""
    return not after.playoff and any(played.totals[player] >= sheet.target for player in sheet.ids)


def record_text(sheet: Sheet, first_dealer: int, date: str | None) -> str:
    """Return the record as text, one line a turn."""
    page = Page([], False)
    pen = new_pen()
    dealer = first_dealer
    for at, played in enumerate(sheet.rounds):
        tell_rows(page, pen, sheet, played.told, played)
        if at > 0 and place_of(sheet.players, played.dealer) != following(dealer, len(sheet.players)):
            page.deviates = True
        dealer = place_of(sheet.players, played.dealer)
    live = sheet.live
    if live is not None and live.started:
        tell_rows(page, pen, sheet, live.told, None)
    head = header(sheet, first_dealer, date, "2" if page.deviates else "1")
    head.extend(page.lines)
    head.append(footer(sheet))
    text = ""
    for line in head:
        text = f"{text}{line}\n"
    return text


def following(seat: int, seats: int) -> int:
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < seats else 0


def header(sheet: Sheet, dealer: int, date: str | None, version: str) -> list[str]:
    """Return the lines before the first round."""
    names = "players"
    for player in sheet.players:
        names = f"{names} {quoted(player.name)}"
    lines = [f"flip7 record {version}", names]
    if date is not None:
        lines.append(f"date {date}")
    decks = "" if sheet.decks is None else f" decks={sheet.decks}"
    lines.append(f"rules target={sheet.target} dealer={dealer} first=left{decks} reshuffle=empty")
    lines.append("live")
    return lines


def quoted(text: str) -> str:
    """Return a text in quotation marks, with the escapes of JSON."""
    found = ""
    for sign in text:
        escape = "\\" if sign == "\\" or sign == '"' else ""
        found = f"{found}{escape}{sign}"
    return f'"{found}"'


def tell_rows(page: Page, pen: Pen, sheet: Sheet, rows: list[list[int]], played: Round | None) -> None:
    """Write what happened in a round."""
    for row in rows:
        scores: list[int] = []
        totals: list[int] = []
        if row[0] == ROUND_SCORED and played is not None:
            scores = [played.scores.get(player, 0) for player in sheet.ids]
            totals = [played.totals[player] for player in sheet.ids]
        card = CARDS[row[2]] if row[2] >= 0 else ""
        told = Told(NAMES[row[0]], row[1], card, row[3], IDS[row[4]], scores, totals)
        if is_deviation(told):
            page.deviates = True
        for word in words_of(pen, told):
            if word == BREAK:
                page.lines.append("")
            else:
                last = len(page.lines) - 1
                before = page.lines[last]
                page.lines[last] = word if before == "" else f"{before} {word}"


def footer(sheet: Sheet) -> str:
    """Return the last line: who has won, or that the game was still going on."""
    if sheet.winner is None:
        return "unfinished"
    rounds = len(sheet.rounds)
    playoffs = playoff_count(sheet)
    line = f"winner {place_of(sheet.players, sheet.winner)} rounds {rounds} playoffs {playoffs}"
    if len(sheet.players) <= 2:
        met = "met" if challenge_met(rounds, playoffs) else "missed"
        return f"{line} challenge {met}"
    return line
