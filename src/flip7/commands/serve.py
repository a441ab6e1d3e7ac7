"""`flip7 serve`: the web application, for this machine and for the phones around it."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import webbrowser
from pathlib import Path

from flip7.commands import CommandError, streams
from flip7.commands.parsing import whole
from flip7.server.app import App
from flip7.server.errors import StoreError
from flip7.server.logs import set_up
from flip7.server.network import network_address
from flip7.server.origins import allowed_name
from flip7.server.running import address_kept, running_address
from flip7.server.serve import Certificate
from flip7.server.serve import run as run_server
from flip7.server.settings import YEAR, Settings

PORT = 7007
PORTS_TO_TRY = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """Add what `serve` takes."""
    parser.description = "Serve the game to browsers on this machine and in its network, until Ctrl-C."
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen on; 127.0.0.1 is this machine alone")
    parser.add_argument("--port", type=whole(0, 65535), help=f"usually {PORT}, or the next free one; 0 is any free one")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the directory of the database")
    parser.add_argument("--database", metavar="URL", help="postgresql://…, to use PostgreSQL instead of the directory")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="serve HTTPS with this certificate (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the certificate's key, if it is in another file")
    parser.add_argument(
        "--allowed-host",
        type=_allowed_host,
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which visitors call the server, besides those of this machine; may be repeated",
    )
    parser.add_argument(
        "--advertise",
        metavar="ADDRESS",
        help="where other servers of the same database, on other machines, reach this one",
    )
    parser.add_argument(
        "--keep-games", type=whole(1, 36500), default=YEAR, metavar="DAYS", help=f"keep finished games so long: {YEAR}"
    )
    parser.add_argument(
        "--keep-matches",
        type=whole(1, 36500),
        default=YEAR,
        metavar="DAYS",
        help=f"keep shared matches so long after the last entry: {YEAR}",
    )
    parser.add_argument(
        "--no-engine", action="store_true", help="without coach, reviews and what the daily challenge is compared with"
    )
    parser.add_argument("--log", choices=("info", "warning", "error"), default="warning", help="what is logged")
    parser.add_argument("--open", action="store_true", help="open a browser; on the running server, if there is one")


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    if args.advertise is not None and args.database is None:
        raise CommandError("--advertise is for servers that share a PostgreSQL: name it with --database postgresql://…")
    set_up(args.log)
    settings = Settings(
        data=args.data or default_data(),
        database=args.database,
        advertise=args.advertise,
        allowed_hosts=tuple(args.allowed_host),
        keep_games=args.keep_games,
        keep_matches=args.keep_matches,
        engine=not args.no_engine,
    )
    tls = certificate(args.tls_cert, args.tls_key)
    if args.open and (address := running_address(settings.data)):
        print(f"Flip 7 is running already at {address}", flush=True)
        browse(address)
        return 0
    try:
        app = App(settings)
        listener = listen(args.host, args.port)
        with address_kept(settings.data) as keep:

            def started(address: str) -> None:
                keep(address)
                announce(address, args.host)
                if args.open:
                    browse(address)

            run_server(app, listener, started, tls)
    except StoreError as error:
        raise CommandError(str(error)) from None
    return 0


def _allowed_host(text: str) -> str:
    try:
        return allowed_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def default_data() -> Path:
    """Return where games are kept when no directory is named."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "flip7" / "server"


def certificate(cert: Path | None, key: Path | None) -> Certificate | None:
    """Return the files to serve HTTPS with, if any. Raises `CommandError` when they cannot be used."""
    if cert is None:
        if key is not None:
            raise CommandError("--tls-key needs the certificate too: --tls-cert FILE")
        return None
    for path in (cert, key or cert):
        try:
            path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from None
    found = Certificate(cert, key or cert)
    try:
        found.check()
    except ValueError as error:
        raise CommandError(str(error)) from None
    return found


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens: on the port asked for, or on the first usual one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + PORTS_TO_TRY) if port is None else (port,):
        try:
            return socket.create_server((host, candidate), family=family, backlog=4096)
        except OSError as error:
            reason = error.strerror or str(error)
    if port is None:
        raise CommandError(f"none of the ports {PORT} to {PORT + PORTS_TO_TRY - 1} on {host} can be used: {reason}")
    raise CommandError(f"port {port} on {host} cannot be used ({reason}); choose another with --port")


def announce(address: str, host: str) -> None:
    """Say where the game is. It is served also when nobody can read that."""
    scheme, _, place = address.rstrip("/").partition("://")
    port = place.rpartition(":")[2]
    try:
        print(f"Flip 7 is at {address}", flush=True)
        if host in ("0.0.0.0", "::") and (other := network_address()):
            print(f"Phones in the same network: {scheme}://{other}:{port}/", flush=True)
        print("Ctrl-C ends it; games go on where they were.", flush=True)
    except OSError:
        streams.give_up()


def browse(address: str) -> None:
    """Open it in a browser, where there is one to be seen."""
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
