"""Names that people give themselves, and the codes, ids and tokens that the server makes."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Container

from flip7.protocol.messages import NAME_LENGTH
from flip7.rules.naming import GOOD_NAME, name_problem
from flip7.server.errors import Refusal

LETTERS = "BCDFGHJKMNPQRSTVWXZ"
"""No vowels, so that no code is a word, and no letter that looks or sounds like another."""
CODE_LENGTH = 5


def clean_name(name: str) -> str:
    """The name as it will be shown. Raises `Refusal` for one that cannot be."""
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text or len(text) > NAME_LENGTH:
        raise Refusal("bad_name", f"a name has 1 to {NAME_LENGTH} characters")
    if name_problem([ord(sign) for sign in text], NAME_LENGTH) != GOOD_NAME:
        raise Refusal("bad_name", "the name has characters that cannot be shown; letters, digits and signs can")
    return text


def unlike(name: str, taken: Container[str]) -> str:
    """The name, numbered if another player has it already."""
    candidate, number = name, 2
    while candidate in taken:
        ending = f" {number}"
        candidate = name[: NAME_LENGTH - len(ending)].rstrip() + ending
        number += 1
    return candidate


def new_code(taken: Container[str]) -> str:
    """A code for a table that no other table has."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        if code not in taken:
            return code


def new_id() -> str:
    """A public id for a game. It opens nothing."""
    return secrets.token_hex(8)


def new_token() -> str:
    """The secret that holds seats."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
