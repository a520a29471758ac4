"""Sweeps that are killed, resumed, run twice at once, and spread over a cluster."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from ccsim.claims import running
from ccsim.claims.store import Store
from ccsim.errors import InputError
from tests.speed import patient

EXAMPLE = Path(__file__).with_name("sweep_example.py")
SIZE = 24


def begin(store, log, *more):
    return subprocess.Popen([sys.executable, str(EXAMPLE), str(store), str(log), *more])


def finish(store, log, *more):
    assert begin(store, log, *more).wait(timeout=patient(100)) == 0


def rows(store):
    Store(store).close()
    with sqlite3.connect(store) as opened:
        found = opened.execute("SELECT verdict FROM results WHERE verdict IS NOT NULL ORDER BY claim, parameters")
        return [{**json.loads(verdict), "seconds": None} for (verdict,) in found]


def measured(log):
    """How often each setting was measured, and the processes that did it."""
    lines = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    return Counter(setting for setting, _ in lines), {int(process) for _, process in lines}


def gone(process, seconds=10.0):
    deadline = time.monotonic() + patient(seconds)
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{process}/stat").exists() and " Z " in Path(f"/proc/{process}/stat").read_text():
            return True
        time.sleep(0.05)
    return False


def kill_and_resume(folder, kills, most, seed):
    """Kill the sweep at random moments, the last time not; its log and its store."""
    chance = random.Random(seed)
    log, store = folder / "log", folder / "store.sqlite3"
    log.touch()
    killed = 0
    while killed < kills:
        process = begin(store, log)
        try:
            process.wait(timeout=chance.uniform(0.0, most))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
            done = len(rows(store)) if store.exists() and store.stat().st_size else 0
            assert len(measured(log)[0]) >= done
    finish(store, log)
    return log, store, killed


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted")
    finish(folder / "store.sqlite3", folder / "log")
    assert set(measured(folder / "log")[0].values()) == {1}
    found = rows(folder / "store.sqlite3")
    assert len(found) == SIZE
    return found


def check(log, store, killed, uninterrupted):
    assert rows(store) == uninterrupted
    times, processes = measured(log)
    # Whoever kills a run loses no more than the two settings that its two processes are at.
    assert SIZE <= sum(times.values()) <= SIZE + 2 * killed
    assert all(gone(process) for process in processes)


@pytest.mark.slow
def test_a_sweep_that_is_killed_at_twenty_random_moments(tmp_path, uninterrupted):
    killed, round_number = 0, 0
    while killed < 20:
        folder = tmp_path / str(round_number)
        folder.mkdir()
        log, store, kills = kill_and_resume(folder, 5, 1.6, seed=round_number)
        check(log, store, kills, uninterrupted)
        killed, round_number = killed + kills, round_number + 1


@pytest.mark.slow
def test_two_sweeps_on_one_store_share_the_work(tmp_path, uninterrupted):
    log, store = tmp_path / "log", tmp_path / "store.sqlite3"
    both = [begin(store, log, "0.1"), begin(store, log, "0.1")]
    assert [process.wait(timeout=patient(100)) for process in both] == [0, 0]
    assert rows(store) == uninterrupted
    times, processes = measured(log)
    assert set(times.values()) == {1}
    assert len(processes) > 2


def test_a_scheduler_that_is_gone_is_told_and_is_no_verdict(monkeypatch):
    class Client:
        def nthreads(self):
            raise OSError("closed")

    monkeypatch.setattr(running, "_connected", lambda address: Client())
    workers = running.Cluster("tcp://here:1")
    with pytest.raises(InputError, match="a scheduler that stays"):
        workers.free  # noqa: B018
    workers._under_way["key"] = None
    workers._done.put(("key", SimpleNamespace(status="cancelled")))
    with pytest.raises(InputError, match="a scheduler that stays"):
        workers.next(1)


@pytest.mark.parametrize("status", ["lost", "pending"])
def test_a_result_that_dies_with_its_worker_is_waited_for_again(monkeypatch, status):
    class Future:
        status = "finished"

        def add_done_callback(self, tell):
            self.tell = tell

        def result(self):
            return ("data", "", False)

    future = Future()
    client = SimpleNamespace(submit=lambda *_, **__: future)
    monkeypatch.setattr(running, "_connected", lambda address: client)
    workers = running.Cluster("tcp://here:1")
    workers.submit("key", lambda: None)
    future.status = status
    future.tell(future)
    assert workers.next(1) is None
    assert not workers.idle
    future.status = "finished"
    future.tell(future)
    assert workers.next(1).data == "data"
    assert workers.idle


@pytest.mark.slow
def test_a_sweep_on_a_cluster_survives_the_death_of_a_worker(tmp_path, uninterrupted):
    pytest.importorskip("distributed")
    log, store = tmp_path / "log", tmp_path / "store.sqlite3"
    log.touch()
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    started = []
    try:
        scheduler = subprocess.Popen(
            [*command, "--no-dashboard"], stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
        )
        started.append(scheduler)
        address = next(found[0] for line in scheduler.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        started += [subprocess.Popen([*worker, "--nthreads", "2"], **quiet) for _ in range(2)]
        sweep = begin(store, log, "0.2", address)
        started.append(sweep)
        deadline = time.monotonic() + patient(60)
        while not log.read_text() and time.monotonic() < deadline:
            time.sleep(0.05)
        started[1].kill()
        assert sweep.wait(timeout=patient(100)) == 0
        assert rows(store) == uninterrupted
        assert set(measured(log)[0].values()) <= {1, 2}
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
        scheduler.stderr.close()
