"""What a command says while its user waits: that something is compiled, and how far the work is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flip7.commands import CommandError, streams

SOON = 1.0  # seconds: what takes less needs no words
EVERY = 0.1


@contextmanager
def thinking(*, quiet: bool = False) -> Iterator[Callable[[float], None] | None]:
    """Give the block what to call with the share that is done; it shows on a terminal when the work takes longer.

    Says beforehand if the rollouts have to be compiled. Raises `CommandError` where they cannot be.
    """
    from flip7.strategy.thinking import compiled_before

    try:
        ready = compiled_before("surveys", "survey")
    except ImportError as error:
        raise CommandError(str(error)) from None
    if not ready and not quiet:
        streams.complain("flip7: compiling the rollouts for this machine, once; this takes about half a minute ...")
    with progress("thinking", quiet=quiet) as show:
        yield show


@contextmanager
def progress(word: str, *, quiet: bool = False) -> Iterator[Callable[[float], None] | None]:
    """Give the block what to call with the share that is done; on a terminal it shows when the work takes longer."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    began = shown = time.monotonic()

    def show(share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - began > SOON and now - shown > EVERY:
            shown = now
            print(f"\r{word}, {100 * min(share, 1.0):.0f} %", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown > began:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
