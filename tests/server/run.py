"""Runs a server with the settings and on the port that are given; tests start it as a process of its own."""

import socket
import sys
from pathlib import Path
from typing import Any

import msgspec

from flip7.server.app import App
from flip7.server.logs import set_up
from flip7.server.serve import run
from flip7.server.settings import Settings

if __name__ == "__main__":
    options: dict[str, Any] = msgspec.json.decode(sys.argv[2])
    set_up("info")
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=4096)
    run(App(Settings(**options | {"data": Path(options["data"])})), listener)
