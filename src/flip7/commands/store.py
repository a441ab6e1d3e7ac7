"""`flip7 store`: back up, restore and check what a server keeps."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from flip7.commands import CommandError, files
from flip7.commands.serve import default_data
from flip7.commands.style import Style, printable
from flip7.commands.waiting import progress
from flip7.server.checking import Checking
from flip7.server.errors import DamagedStore, StoreError
from flip7.server.settings import Settings
from flip7.server.store import copying
from flip7.server.store.factory import check_url


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `store` takes."""
    parser.description = (
        "Look after what a server keeps: tables, games, choices and shared matches.\n\n"
        "backup\twrite all of it into FILE, also while servers run\n"
        "restore\tmake the store hold what FILE holds; no server may use it meanwhile\n"
        "check\tread all of it, or of FILE, and name what is damaged\n\n"
        "FILE is a SQLite database, whichever database it was made from: it can be restored into either."
    )
    parser.epilog = "Exit status: 0 if it is done or sound, 1 if something is damaged, 2 if it cannot be done."
    parser.add_argument("deed", choices=("backup", "restore", "check"), metavar="DEED", help="backup, restore or check")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the backup")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the directory of the database, as for serve")
    parser.add_argument("--database", metavar="URL", help="postgresql://…, where PostgreSQL is used instead")
    files.add_overwrite(parser)


def run(args: argparse.Namespace) -> int:
    """Do it."""
    settings = Settings(data=args.data or default_data(), database=args.database)
    try:
        if settings.database is not None:
            check_url(settings.database)
        if args.deed == "check":
            return check(args.file or settings)
        if args.file is None:
            raise CommandError(f"name the file: flip7 store {args.deed} FILE")
        with progress(args.deed) as show:
            copy = _back_up if args.deed == "backup" else _restore
            text = copy(args.file, settings, args.overwrite, show or (lambda share: None))
    except DamagedStore as damage:
        print(Style(sys.stdout).bad(printable(str(damage))))
        return 1
    except StoreError as error:
        raise CommandError(printable(str(error))) from None
    print(text)
    return 0


def _back_up(file: Path, settings: Settings, overwrite: bool, show: copying.Progress) -> str:
    with files.refusals(file):
        counts = asyncio.run(copying.backup(settings, file, overwrite=overwrite, progress=show))
    return f"written: {printable(str(file))}: {counts}"


def _restore(file: Path, settings: Settings, overwrite: bool, show: copying.Progress) -> str:
    counts = asyncio.run(copying.restore(file, settings, overwrite=overwrite, progress=show))
    return f"restored: {counts}"


def check(source: Settings | Path) -> int:
    """Check a store or a backup; say what is damaged as it is found. Raises `StoreError` if it cannot be read."""
    style = Style(sys.stdout)
    found: list[str] = []

    with progress("check") as show:
        counts = asyncio.run(_check(source, found.append, show or (lambda share: None)))
    for text in found:
        print(style.bad(printable(text)))
    if found:
        print(f"{len(found):,} damaged: {counts}")
    else:
        print(f"{style.good('sound')}: {counts}")
    return 1 if found else 0


async def _check(source: Settings | Path, tell: Callable[[str], None], show: copying.Progress) -> copying.Counts:
    async with copying.snapshot(source) as snapshot:
        return await Checking(snapshot, tell, show).run()
