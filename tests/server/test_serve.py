"""`flip7 serve` as operators meet it: where it is, how it stops, what it says when it cannot start."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest

from flip7 import Game
from flip7.cli import main
from flip7.protocol.messages import Closed, Refused, Start, Step, Welcome
from flip7.server.running import address_kept
from flip7.server.settings import Settings

from .client import Client, Process
from .test_store import fresh_database
from .test_tables import create


@contextmanager
def serving(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process, and the address that it prints."""
    command = [sys.executable, "-m", "flip7", "serve", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        line = process.stdout.readline()
        match = re.search(r"https?://\S+/", line)
        try:
            assert match, process.stderr and process.stderr.read()
            yield process, match[0]
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_serves_and_stops_when_asked(tmp_path: Path, stop: signal.Signals) -> None:
    with serving("--port", "0", "--data", str(tmp_path / "d")) as (process, address):
        assert httpx.get(f"{address}healthz").text == "ok\n"
        process.send_signal(stop)
        assert process.wait(20) == 0
        assert process.stderr
        assert process.stderr.read() == ""
    assert (tmp_path / "d" / "flip7.sqlite").exists()
    assert (tmp_path / "d").stat().st_mode & 0o077 == 0  # The seeds of running games are in there.


def test_its_address_is_kept_while_it_runs_and_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "address"
    for left_over in (False, True):
        if left_over:
            path.write_text("http://localhost:1/")
            path.chmod(0o644)
        with address_kept(tmp_path) as keep:
            keep("http://localhost:7/")
            assert path.read_text() == "http://localhost:7/"
            assert path.stat().st_mode & 0o777 == 0o600
        assert not path.exists()
    with address_kept(tmp_path / "nowhere") as keep:
        keep("http://localhost:7/")


def refused(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "flip7", "serve", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        text = refused("--host", "127.0.0.1", "--port", port, "--data", str(tmp_path))
    assert port in text
    assert "--port" in text


def test_a_host_that_is_none_of_this_machine_is_refused(tmp_path: Path) -> None:
    assert "203.0.113.7" in refused("--host", "203.0.113.7", "--port", "0", "--data", str(tmp_path))


def test_a_directory_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in refused("--port", "0", "--data", str(tmp_path / "file" / "x"))


def test_databases_that_cannot_be_used_are_refused() -> None:
    assert "postgresql://" in refused("--port", "0", "--database", "mysql://x")
    assert "cannot use the database" in refused("--port", "0", "--database", "postgresql://nobody@127.0.0.1:1/x")


def test_options_that_would_do_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--advertise", "192.0.2.7"]) == 2
    assert "--database" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--allowed-host", "https://flip7.example.org"])
    assert "flip7.example.org, or '*' for any" in capsys.readouterr().err


def test_a_second_server_on_the_same_directory_is_refused(server: Process) -> None:
    assert "another server" in refused("--port", "0", "--data", str(server.settings.data))


def test_a_server_that_runs_already_is_opened_instead(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "flip7", "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)]
    opened = tmp_path / "opened"
    env = {**os.environ, "DISPLAY": ":0", "BROWSER": f"sh -c 'echo %s >> {opened}'"}
    (tmp_path / "address").write_text("http://127.0.0.1:9/")  # of one that was killed
    with subprocess.Popen([*words, "--open"], stdout=subprocess.PIPE, text=True, env=env) as first:
        assert first.stdout
        address = first.stdout.readline().rpartition(" ")[2]
        second = subprocess.run([*words, "--open"], capture_output=True, text=True, env=env)
        assert (second.returncode, second.stderr) == (0, "")
        assert second.stdout == f"Flip 7 is running already at {address}"
        assert opened.read_text() == address * 2
        assert "another server" in refused("--port", "0", "--data", str(tmp_path))
        assert (tmp_path / "address").read_text() == address.strip()
        first.terminate()
        assert first.wait(60) == 0
    assert not (tmp_path / "address").exists()


async def test_browsers_are_told_to_come_again_when_the_server_stops(tmp_path: Path) -> None:
    with Process(Settings(data=tmp_path, pace=0)) as server:
        code, token = create(server, "Ana")
        ana = Client(server, code, token)
        await ana.open()
        assert server.process
        os.kill(server.process.pid, signal.SIGTERM)
        closed = (await ana.closed())[-1]
        assert isinstance(closed, Closed)
        assert (closed.code, closed.resume) == ("restart", True)
        assert server.process.wait(20) == 0
        server.start()
        welcome = await ana.open()
        assert welcome.seats == (1,)
        await ana.close()


async def test_a_game_goes_on_when_the_database_drops_its_connections(postgres: str, tmp_path: Path) -> None:
    url = await fresh_database(postgres)
    settings = Settings(data=tmp_path, database=url, pace=0.01, messages_per_second=1000, request_burst=1000)
    with Process(settings) as server:
        code, token = create(server, "Ana", bots=["carl", "bea"], options={"target": 60})
        operator = await asyncpg.connect(url)
        async with Client(server, code, token) as ana:
            await ana.send(Start())
            await ana.expect(Step)
            cuts = 0
            while ana.ask is not None:
                if cuts < 3 and ana.number >= 3 * (cuts + 1):
                    cuts += 1
                    await operator.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                await ana.answer(lambda ask: ask.options[-1])
                if isinstance(await ana.receive(), Refused | Welcome):
                    ana.forget_answers()
        await operator.close()
        assert cuts == 3
        record = server.get(f"/api/games/{ana.game}/record").text
        assert Game.from_record(record).winner is not None


async def test_while_the_database_is_away_the_log_says_so_in_its_own_words(postgres: str, tmp_path: Path) -> None:
    url = await fresh_database(postgres)
    name = url.split("?")[0].rpartition("/")[2]
    operator = await asyncpg.connect(postgres)
    with Process(Settings(data=tmp_path, database=url, request_burst=1000)) as server:
        await operator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await operator.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
        server.wait_until("/healthz", 503)
        await operator.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        server.wait_until("/healthz", 200)
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert {line["event"] for line in lines} >= {"cannot write", "can write again"}
    await operator.close()
