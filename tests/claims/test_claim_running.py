"""Claims measured by processes: late, crashing and raising ones do not stop the others."""

import json
import os
import threading
import time

import pytest

from ccsim.claims import Finding, Word
from ccsim.claims.running import Cell, Pool, cells_of, grid_of, run_cells, settings_on
from ccsim.claims.store import Store
from ccsim.errors import InputError
from tests.claims.conftest import Here
from tests.claims.made import made
from tests.speed import patient


def local(body):
    """A function by value: a worker must not have to import the tests."""
    namespace = {"Finding": Finding}
    exec(f"def measure(length):\n    {body}\n    return Finding(measured=length + 1, checked=1, of=1)", namespace)
    return namespace["measure"]


@pytest.mark.slow
def test_late_crashing_raising_and_printing_claims_do_not_stop_the_others():
    bodies = {
        "late": "import time; time.sleep(60)",
        "killed": "import os; os.kill(os.getpid(), 9)",
        "ending": "import sys; sys.exit(3)",
        "raising": "raise RuntimeError('no such luck')",
        "printing": "print('noise on stdout' * 100)",
        "fine": "pass",
    }
    claims = [made(name, measure=local(body)) for name, body in bodies.items()]
    limit, start = patient(2.5), time.monotonic()
    verdicts = run_cells(cells_of(claims), workers=Pool(2, seconds=limit))
    found = {row.claim: (row.word, row.reason) for row in verdicts}
    assert time.monotonic() - start < patient(30)
    assert list(found) == list(bodies)
    assert found["late"] == (Word.NOT_MEASURED, f"out of time after {limit:g} s")
    assert found["killed"] == (Word.BROKEN, "its process died twice (exit code -9)")
    assert found["ending"][0] is Word.BROKEN
    assert found["raising"][0] is Word.BROKEN
    assert found["raising"][1].startswith("RuntimeError: no such luck (")
    assert found["printing"][0] is found["fine"][0] is Word.TIGHT


@pytest.mark.slow
def test_what_cannot_be_sent_back_is_a_failure_and_stops_nothing():
    with Pool(1) as pool:
        pool.submit("key", lambda: 10**5000)
        assert pool.next(patient(20)).failure.startswith("ValueError")
        pool.submit("key", lambda: 7)
        assert pool.next(patient(20)).data == 7


@pytest.mark.slow
def test_each_job_has_its_own_second_chance_whatever_its_key(tmp_path):
    def dies_once(name):
        body = f"import os; p = {str(tmp_path / name)!r}; os.path.exists(p) or (open(p, 'w').close(), os._exit(9))"
        measure = local(body)
        return lambda: measure(1).measured

    with Pool(1) as pool:
        for name in ("one", "two"):
            pool.submit("key", dies_once(name))
            assert pool.next(patient(30)).data == 2


@pytest.mark.slow
def test_no_process_outlives_its_pool(tmp_path):
    note = tmp_path / "pid"
    body = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    pool, measure = Pool(1), local(body)
    pool.submit("key", lambda: measure(3))
    deadline = time.monotonic() + patient(20)
    while not (note.exists() and note.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    pool.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_what_a_store_has_is_not_measured_again_and_the_order_is_the_wanted_one(tmp_path):
    log = tmp_path / "log"
    log.touch()
    claim = made(measure=local(f"with open({str(log)!r}, 'a') as log: log.write(f'{{length}} ')"))
    cells = [Cell(claim, {"length": length}) for length in (5, 3, 4, 1, 2)]
    with Store(tmp_path / "store.sqlite3") as store:
        run_cells(cells[:3], workers=Pool(1), store=store)
    with Store(tmp_path / "store.sqlite3") as store:
        told = []
        verdicts = run_cells(cells, workers=Here(), store=store, progress=lambda done, name: told.append(done))
        assert [row.parameters["length"] for row in verdicts] == [5, 3, 4, 1, 2]
        assert [row.measured for row in verdicts] == [6, 4, 5, 2, 3]
    assert sorted(log.read_text().split()) == list("12345")
    assert (told[0] >= 3, told[-1]) == (True, 5)


@pytest.mark.slow
def test_a_claim_that_cannot_be_handed_over_is_broken_and_stops_nothing():
    lock = threading.Lock()
    claims = [made("locked", measure=lambda length: lock.acquire()), made("fine", measure=local("pass"))]
    locked, fine = run_cells(cells_of(claims), workers=Pool(1))
    assert (locked.word, fine.word) == (Word.BROKEN, Word.TIGHT)
    assert "cannot be handed to a process" in locked.reason


def test_given_parameters_take_the_place_of_defaults_and_double_settings_are_one():
    claim = made(measure=local("pass"))
    keys = [cell.key for cell in cells_of([claim], {"length": 9, "width": 3})]
    assert keys == [("a-claim", json.dumps({"length": 9}))]


def test_a_grid_has_both_its_ends():
    claim = made(measure=local("pass"))
    for text, expected in (("4:12:4", [4, 8, 12]), ("3", [3]), ("2:3", [2, 3]), ("7,1", [7, 1])):
        assert [each["length"] for each in settings_on(claim, grid_of([f"length={text}"], claim))] == expected


WRONG = ("length", "length=", "=3", "length=5:2", "length=1:9:0", "length=1,,2", "width=3", "length=0:3", "length=a")


@pytest.mark.parametrize("texts", [*([text] for text in WRONG), ["length=3", "length=4"], ["length=1:100000000"]])
def test_a_grid_that_makes_no_sense_is_an_input_error(texts):
    claim = made(measure=local("pass"))
    with pytest.raises(InputError):
        settings_on(claim, grid_of(texts, claim))
