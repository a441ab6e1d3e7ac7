"""The engine: found when it is installed, prepared once, asked in processes of its own, absent without a fuss."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from flip7.server.engine import NOTE_SECONDS, WAITING, Engine, Thinking
from flip7.server.errors import Refusal
from flip7.server.jobs import JobFailed, Worker
from flip7.server.thinker import AdviseOn, Prepare

from .inside import FAST, FakeEngine, make_hub, use_engine

ECHO = """
import json, os
from flip7.server.jobs import serve

def work(body, report):
    job = json.loads(body)
    position = job.get("position")
    if position == "end":
        os._exit(3)
    if position == "no":
        raise LookupError("nobody is asked here")
    report(0.5)
    print("this is no answer")
    return b"x" * (5 << 20) if position == "long" else json.dumps(job).encode()

serve(work, 0)
"""
ECHOING = (sys.executable, "-c", ECHO)
"""A process that answers as a thinker does, and thinks nothing: the real one has its tests with the reviews."""


def engine(tmp_path: Path, *, wanted: bool = True, installed: bool = True) -> Engine:
    return Engine(wanted=wanted, note=tmp_path / "note.json", installed=lambda: installed, command=ECHOING)


async def test_an_engine_is_prepared_by_whoever_asks_first_and_then_ready(tmp_path: Path) -> None:
    one = engine(tmp_path)
    assert one.status().state == "compiling"
    with pytest.raises(Refusal, match="getting ready") as refused:
        one.check()
    assert refused.value.code == "no_engine"
    await one.ready()
    assert one.status().state == "ready"
    await one.stop()


@pytest.mark.parametrize(("wanted", "installed"), [(False, True), (True, False)])
async def test_where_it_is_not_wanted_or_not_installed_it_is_absent(
    tmp_path: Path, wanted: bool, installed: bool
) -> None:
    one = engine(tmp_path, wanted=wanted, installed=installed)
    assert one.status().state == "absent"
    with pytest.raises(Refusal, match="not installed"):
        await one.ready()


async def test_while_it_is_being_installed_it_says_so_and_is_found_afterwards(tmp_path: Path) -> None:
    note = tmp_path / "note.json"
    there: list[bool] = []
    one = Engine(wanted=True, note=note, installed=lambda: bool(there), command=ECHOING)
    note.write_text(json.dumps({"state": "installing", "share": 0.25, "text": "", "hash": "…"}))
    assert (one.status().state, one.status().share) == ("installing", 0.25)
    there.append(True)
    assert one.status().state == "installing"  # half of it may be there
    note.write_text(json.dumps({"state": "ready", "share": 1.0}))
    await one.ready()
    assert one.is_ready
    await one.stop()


async def test_once_it_is_installed_it_is_compiled_though_nobody_asks(tmp_path: Path) -> None:
    engine = FakeEngine(tmp_path)
    note = tmp_path / "note.json"
    note.write_text(json.dumps({"state": "installing"}))
    hub = make_hub(msgspec.structs.replace(FAST, data=tmp_path))
    use_engine(hub, engine)
    await hub.open()
    await hub._sweep()
    before = engine._prepared
    note.write_text(json.dumps({"state": "ready"}))
    await hub._sweep()
    assert before is None
    assert engine._prepared is not None
    await engine._prepared
    assert engine.is_ready
    assert engine.jobs("prepare") == 1
    await hub.close()


async def test_a_set_up_that_was_ended_is_no_promise(tmp_path: Path) -> None:
    note = tmp_path / "note.json"
    note.write_text(json.dumps({"state": "installing"}))
    old = time.time() - 2 * NOTE_SECONDS
    os.utime(note, (old, old))
    assert engine(tmp_path, installed=False).status().state == "failed"
    note.write_text("{")
    assert engine(tmp_path, installed=False).status().state == "absent"


async def test_an_engine_that_cannot_be_prepared_has_failed_and_says_why(tmp_path: Path) -> None:
    one = Engine(wanted=True, note=tmp_path / "note.json", installed=lambda: True, command=(sys.executable, "-c", ""))
    with pytest.raises(Refusal):
        await one.ready()
    assert one.status().state == "failed"
    assert "try again" in one.status().text


async def test_one_that_could_not_be_made_ready_does_not_say_that_it_is_not_installed(tmp_path: Path) -> None:
    one = Engine(wanted=True, note=tmp_path / "note.json", installed=lambda: True, command=(sys.executable, "-c", ""))
    with pytest.raises(Refusal, match="could not be made ready"):
        await one.ready()


async def test_who_only_looks_does_not_have_it_prepared(tmp_path: Path) -> None:
    one = engine(tmp_path)
    assert one.is_there
    assert one._prepared is None
    assert not engine(tmp_path, installed=False).is_there


async def test_a_process_reports_and_answers_and_survives_what_cannot_be_done() -> None:
    thinking = Thinking(ECHOING)
    shares: list[float] = []
    answer = await thinking.do(AdviseOn("0:5/0:7 turn@0", 0.5), shares.append)
    assert json.loads(answer)["position"] == "0:5/0:7 turn@0"
    assert shares == [0.5]
    with pytest.raises(Refusal, match="nobody is asked here"):
        await thinking.do(AdviseOn("no", 0.5))
    with pytest.raises(Refusal, match="did not answer"):
        await thinking.do(AdviseOn("end", 0.5))
    assert json.loads(await thinking.do(Prepare())) == {"job": "prepare"}  # in a new process
    assert len(await thinking.do(AdviseOn("long", 0.5))) == 5 << 20  # the review of a long game is as long
    await thinking.stop()


async def test_a_process_takes_only_so_many_jobs() -> None:
    thinking = Thinking(ECHOING)
    jobs = [asyncio.create_task(thinking.do(Prepare())) for _ in range(WAITING + 1)]
    done = await asyncio.gather(*jobs, return_exceptions=True)
    assert [type(one) for one in done] == [bytes] * WAITING + [Refusal]
    await thinking.stop()


async def test_an_answer_that_nobody_understands_ends_the_process_and_not_the_server() -> None:
    nonsense = "import sys; sys.stdin.buffer.read(4); sys.stdout.write('hello, world'); sys.stdout.flush()"
    worker = Worker((sys.executable, "-c", nonsense), waiting=1, idle_seconds=60)
    with pytest.raises(JobFailed, match="frame of"):
        await worker.do(b"job", seconds=10)
    assert not worker.is_running


SLOW = "import time; from flip7.server.jobs import serve; serve(lambda job, report: (report(0.5), time.sleep(60)), 0)"


async def test_a_job_that_takes_too_long_or_is_given_up_ends_the_process() -> None:
    worker = Worker((sys.executable, "-c", SLOW), waiting=1, idle_seconds=60)
    with pytest.raises(JobFailed, match="Timeout"):
        await worker.do(b"job", seconds=0.2)
    assert not worker.is_running
    begun = asyncio.Event()
    task = asyncio.create_task(worker.do(b"job", seconds=60, report=lambda share: begun.set()))
    await begun.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not worker.is_running


async def test_a_process_that_is_stopped_at_its_job_ends_and_whoever_waits_is_told() -> None:
    worker = Worker((sys.executable, "-c", SLOW), waiting=1, idle_seconds=60)
    begun = asyncio.Event()
    task = asyncio.create_task(worker.do(b"job", seconds=60, report=lambda share: begun.set()))
    await begun.wait()
    await worker.stop()
    with pytest.raises(JobFailed):
        await task
    assert not worker.is_running


async def test_an_idle_process_ends_and_another_is_started_when_it_is_needed() -> None:
    worker = Worker(ECHOING, waiting=1, idle_seconds=0.05)
    for _ in range(2):
        assert await worker.do(b"{}", seconds=10) == b"{}"
        process = worker._process
        assert process is not None
        async with asyncio.timeout(10):
            await process.wait()


PREPARED = """
from flip7.server.thinker import prepare
from flip7.strategy import engine, policies
from flip7.strategy.solver.stage import compiled

prepare(lambda share: None)
deep = vars(engine.compiled((policies.DEEP,))["deep"])
needed = [*compiled().values(), deep["think"]]
print(sum(not function.signatures for function in needed))
"""


def test_an_engine_that_is_ready_can_solve_and_play_for_bots_too() -> None:
    """Compiling takes longer than one waits for the coach, who tells exact points alone, or than a table for a bot."""
    done = subprocess.run([sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == "0"
