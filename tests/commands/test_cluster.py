"""A real Dask cluster of worker processes: the same result as here, also when one of them is killed on the way."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.server.client import free_port

import flip7
from flip7.cli import main
from flip7.sim import cluster as cluster_module
from flip7.sim.cluster import ClusterError, DaskCluster
from flip7.sim.results import sim_result
from flip7.sim.run import Run, SimulationError
from flip7.sim.simulate import run_games

STRATEGIES = ["points:25", "ev", "random"]
Processes = list[subprocess.Popen[bytes]]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine is no fault of the code."""
    monkeypatch.setattr(cluster_module, "PATIENCE", 120)
    monkeypatch.setattr(cluster_module, "WORKER_PATIENCE", 120)


@contextmanager
def running(workers: int) -> Iterator[tuple[str, Processes]]:
    """A scheduler and so many worker processes of one thread; its address and the workers."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    port = address.rpartition(":")[2]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    started: Processes = []
    try:
        started.append(subprocess.Popen([*scheduler, "--no-dashboard"], **quiet))  # type: ignore[call-overload]
        for _ in range(workers):
            started.append(subprocess.Popen([*worker, "--no-dashboard"], **quiet))  # type: ignore[call-overload]
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def whole(result: object) -> dict[str, object]:
    """Everything that a result says except how long it took, and who did it."""
    fields = msgspec.to_builtins(result)
    return {name: value for name, value in fields.items() if name not in ("seconds", "workers")}


def test_a_worker_that_is_killed_on_the_way_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    games = 3_000
    here = flip7.simulate(STRATEGIES, games=games, seed=5, engine="interpreted", workers=1)
    with running(2) as (address, workers):
        with DaskCluster(address) as cluster:
            cluster.wait_for(2)
            run = Run(STRATEGIES, seed=5, engine="interpreted", cluster=cluster)
            parts = 0

            def progress(run: Run, goal: int | None) -> None:
                nonlocal parts
                parts += 1
                if parts == 4:
                    os.kill(workers[0].pid, signal.SIGKILL)

            run_games(run, games, progress)
            assert workers[0].wait(10) == -signal.SIGKILL
            assert parts > 20
            assert whole(sim_result(run)) == whole(here)
        words = ["sim", *STRATEGIES, "--games", "300", "--seed", "5", "--engine", "interpreted", "--json"]
        assert main([*words, "--cluster", address]) == 0
        there = json.loads(capsys.readouterr().out)
        assert main(words) == 0
        local = json.loads(capsys.readouterr().out)
        assert there["workers"] == 1
        for name in set(there) - {"seconds", "workers", "games_per_second"}:
            assert there[name] == local[name]
        endless = Run(["hit"], rules=flip7.Rules(composition={flip7.Card.N12: 12}), seed=1, engine="interpreted")
        with DaskCluster(address) as endless.cluster, pytest.raises(SimulationError, match="may never end"):
            run_games(endless, 1)


def test_without_an_address_the_cores_here_play(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sim", "ev", "hit", "--games", "40", "--seed", "1", "--engine", "interpreted", "--json"]
    assert main([*words, "--cluster"]) == 0
    with_option = json.loads(capsys.readouterr().out)
    assert main(words) == 0
    assert with_option["wins"] == json.loads(capsys.readouterr().out)["wins"]


def test_a_cluster_that_cannot_be_used_is_an_error_that_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    assert main(["sim", "ev", "--cluster", address]) == 2
    assert f"flip7 sim: no Dask cluster answers at {address}" in capsys.readouterr().err
    with running(0) as (address, _):
        monkeypatch.setattr(cluster_module, "PATIENCE", 120)
        monkeypatch.setattr(cluster_module, "WORKER_PATIENCE", 0.1)
        with pytest.raises(ClusterError, match="has no worker; start one with: dask worker"):
            DaskCluster(address)
