"""The promise: what is fixed about a game before its first card, and how anybody can see that it was kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

_HEX = re.compile(r"[0-9a-f]{8,64}")
_HASH = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_DEVICES = 36


def secret_hash(seed: int, salt: str) -> str:
    """Return the hash of a secret, shown before anyone adds a nonce; seed and salt, revealed later, must give it."""
    return sha256(f"flip7 secret {seed} {salt}")


def deck_seed(seed: int, nonces: Sequence[str]) -> int:
    """Return the number that determines the deck: the secret's own, or one that everybody's nonces have a share in."""
    return int(sha256(" ".join(["flip7 seed", str(seed), *nonces])), 16) if nonces else seed


def first_dealer(seed: int, nonces: Sequence[str], seats: int) -> int:
    """Return the seat that deals first on a server: secret and nonces decide it, as they decide the deck."""
    return int(sha256(" ".join(["flip7 dealer", str(seed), *nonces])), 16) % seats


def deck_promise(seed: int, salt: str) -> str:
    """Return the promise of records of version 1, which covers the deck alone."""
    return sha256(f"flip7 deck {seed} {salt}")


def sha256(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_hash(name: str, value: object) -> str:
    """Read a hash as it is published. Raises `ValueError` for anything else."""
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise ValueError(f"{name} {value!r}: 64 hexadecimal digits are needed")
    return value


def read_salt(name: str, value: object) -> str:
    """Read a salt or a nonce. Raises `ValueError` for anything else."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise ValueError(f"{name} {value!r}: 8 to 64 hexadecimal digits are needed")
    return value


def read_nonces(values: Sequence[str]) -> tuple[str, ...]:
    """Read what the devices have added, in the order in which they sat down. Raises `ValueError` for anything else."""
    if isinstance(values, str) or len(values) > _DEVICES:
        raise ValueError(f"nonces {values!r}: a list of at most {_DEVICES} is needed")
    return tuple(read_salt("nonce", value) for value in values)


def read_id(value: object) -> str:
    """Read the id of a game. Raises `ValueError` for anything else."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError(f"id {value!r}: 1 to 64 letters, digits, - and _ are needed")
    return value
