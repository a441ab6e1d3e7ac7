"""Who plays: players, when they are at the table, and what their names may be."""

import msgspec

from flip7.rules.naming import GOOD_NAME, NAME_LENGTH, name_problem


class Player(msgspec.Struct):
    """Someone who plays or played."""

    id: str
    name: str
    score: int
    """The points they started with."""
    joined: int
    """The first round they play."""
    away: list[tuple[int, int | None]]
    """When they are away: the first round, and the one in which they are back."""


def plays(player: Player, number: int) -> bool:
    """Return whether a player is at the table in a round."""
    if number < player.joined:
        return False
    for absence in player.away:
        back = absence[1]
        if absence[0] <= number and (back is None or number < back):
            return False
    return True


def place_of(players: list[Player], name: str) -> int:
    """Return the seat of a player by id, or -1."""
    for seat, player in enumerate(players):
        if player.id == name:
            return seat
    return -1


def good_name(name: str) -> bool:
    """Return whether a text can be a player's name."""
    return name_problem([ord(sign) for sign in name], NAME_LENGTH) == GOOD_NAME


def good_id(text: str) -> bool:
    """Return whether a text can name a match, or a device without its tab: 1 to 40 letters, digits, - or _."""
    signs = [ord(letter) for letter in text]
    for sign in signs:
        if not plain_sign(sign):
            return False
    length = len(signs)
    return 1 <= length <= 40


def plain_sign(sign: int) -> bool:
    """Return whether a character is a Latin letter, a digit, - or _."""
    if 48 <= sign <= 57 or 65 <= sign <= 90 or 97 <= sign <= 122:
        return True
    return sign == 45 or sign == 95


def good_device(text: str) -> bool:
    """Return whether a text can name a device: letters, digits, - and _, and after one `~` the same for a tab."""
    parts: list[str] = [""]
    for sign in text:
        if sign == "~":
            parts.append("")
        else:
            parts[len(parts) - 1] = parts[len(parts) - 1] + sign
    for part in parts:
        if not good_id(part):
            return False
    return len(parts) <= 2


def good_date(text: str) -> bool:
    """Return whether a text is a day of the calendar, written YYYY-MM-DD."""
    signs = [ord(letter) for letter in text]
    if len(signs) != 10 or signs[4] != 45 or signs[7] != 45:
        return False
    for at in range(10):
        sign = signs[at]
        if at != 4 and at != 7 and (sign < 48 or sign > 57):
            return False
    year = digits(signs, 0, 4)
    month = digits(signs, 5, 7)
    day = digits(signs, 8, 10)
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= days_of(year, month)


def digits(signs: list[int], first: int, last: int) -> int:
    """Return the number that some digits make."""
    number = 0
    for at in range(first, last):
        number = number * 10 + signs[at] - 48
    return number


def days_of(year: int, month: int) -> int:
    """Return how many days a month has."""
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31
