"""The store: what is in it stays, and whoever measures holds a lease."""

import json
import os
import sqlite3
import subprocess
import sys
import time

import pytest

from ccsim.claims import Verdict, Word
from ccsim.claims.store import DAY, Store
from ccsim.errors import InputError

KEYS = [("a-claim", "{}"), ("a-claim", '{"length": 2}'), ("b-claim", "{}")]


def coded(keys, code="code"):
    return dict.fromkeys(keys, code)


def kept(path):
    with sqlite3.connect(path) as opened:
        found = opened.execute("SELECT verdict FROM results ORDER BY claim, parameters, code").fetchall()
    return [json.loads(verdict)["measured"] for (verdict,) in found]


def verdict(claim, word=Word.TIGHT, **more):
    about = dict.fromkeys(("paper", "source", "statement", "role", "direction", "unit"), "It is so.")
    return Verdict(claim=claim, **about, parameters={}, word=word, **more)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite3"


def test_what_was_saved_is_there_when_it_is_opened_again(path):
    with Store(path) as store:
        store.add(coded(KEYS))
        store.save(KEYS[1], verdict("a-claim", measured=5, attachments={"transcript": {"answer": "1"}}))
    with Store(path) as store:
        store.add(coded(KEYS[:2]))
        (found,) = store.verdicts()
        assert (found.measured, found.attachments) == (5, {"transcript": {"answer": "1"}})
        assert store.unfinished() == 1
        assert [store.take(), store.take()] == [KEYS[0], None]


def test_two_runs_never_lease_the_same(path):
    with Store(path) as one, Store(path) as other:
        one.add(coded(KEYS))
        other.add(coded(reversed(KEYS)))
        assert {one.take(), other.take(), one.take()} == set(KEYS)
        assert one.take() is None
        assert other.take() is None
        assert one.unfinished() == other.unfinished() == 3


def test_a_lease_ends_when_its_run_closes_when_it_is_not_renewed_and_not_before(path):
    with Store(path, lease=1000) as other:
        other.add(coded(KEYS))
        closing = Store(path)
        closing.add(coded(KEYS[:1]))
        assert closing.take() == KEYS[0]
        assert other.take() == KEYS[1]
        closing.close()
        assert other.take() == KEYS[0]
        with Store(path, lease=0.0) as short, Store(path) as late:
            short.add(coded(KEYS))
            late.add(coded(KEYS))
            assert short.take() == KEYS[2]
            assert late.take() == KEYS[2]
            late.renew()
            assert short.take() is None


def test_the_lease_of_a_process_that_was_killed_is_void_at_once(path):
    code = (
        "import os, sys; from ccsim.claims.store import Store; store = Store(sys.argv[1], lease=1000); "
        "store.add({('a-claim', '{}'): 'code'}); store.take(); print('taken', flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("taken\n", -9)
    with Store(path) as store:
        store.add(coded(KEYS[:1]))
        assert store.take() == KEYS[0]


def test_the_lease_of_another_machine_is_respected(path):
    with Store(path) as store:
        store.holder = f"elsewhere:{os.getpid()}:0"
        store.add(coded(KEYS[:1]))
        store.take()
        with Store(path) as other:
            other.add(coded(KEYS[:1]))
            assert other.take() is None


def test_the_first_result_stays(path):
    with Store(path) as store:
        store.add(coded(KEYS))
        store.save(KEYS[0], verdict("a-claim", measured=5))
        store.save(KEYS[0], verdict("a-claim", measured=6))
        assert [found.measured for found in store.verdicts()] == [5]


def test_what_ran_out_of_time_is_done_again_with_more_time_only():
    with Store() as store:
        store.add(coded(KEYS[:1]))
        store.save(KEYS[0], verdict("a-claim", Word.NOT_MEASURED), seconds=2.0)
        assert store.take(2.0) is None
        assert store.unfinished(1.0) == 0
        assert store.take(3.0) == KEYS[0]
        store.save(KEYS[0], verdict("a-claim", measured=5))
        assert store.take(None) is None
        assert [found.word for found in store.verdicts()] == [Word.TIGHT]


def test_results_of_other_code_are_kept_apart_for_a_day(path, monkeypatch):
    with Store(path) as store:
        store.add(coded(KEYS[:1], "old code"))
        store.save(KEYS[0], verdict("a-claim", measured=5))
    with Store(path) as store:
        store.add(coded(KEYS[:1]))
        assert (store.before, store.take()) == (0, KEYS[0])
        store.save(KEYS[0], verdict("a-claim", measured=6))
    assert kept(path) == [6, 5]
    tomorrow = time.time() + 2 * DAY
    monkeypatch.setattr("ccsim.claims.store.time.time", lambda: tomorrow)
    with Store(path) as store:
        store.add(coded(KEYS[:1]))
    assert kept(path) == [6]


@pytest.mark.parametrize("word", [Word.BROKEN, Word.NOT_MEASURED])
def test_what_may_be_due_to_the_machine_is_forgotten_by_the_next_run(path, word):
    with Store(path) as store:
        store.add(coded(KEYS[:2]))
        store.save(KEYS[0], verdict("a-claim", word))
        store.save(KEYS[1], verdict("a-claim", measured=5))
        assert store.unfinished() == 0
    with Store(path) as store:
        store.add(coded(KEYS[:2]))
        assert (store.before, store.take(), store.take()) == (1, KEYS[0], None)
        store.add(coded(KEYS[:2]), again=True)
        assert store.take() == KEYS[1]


def test_what_is_measured_while_code_is_changed_is_forgotten(path, monkeypatch):
    with Store(path) as store:
        store.add(coded(KEYS[:1]))
        monkeypatch.setattr("ccsim.claims.store.code_has_changed", lambda: True)
        store.save(KEYS[0], verdict("a-claim", measured=5))
        assert [found.measured for found in store.verdicts()] == [5]
    with Store(path) as store:
        store.add(coded(KEYS[:1]))
        assert store.take() == KEYS[0]


def executed(path, statement):
    with sqlite3.connect(path) as other:
        other.execute(statement)


def of_a_later_schema(path):
    Store(path).close()
    executed(path, "PRAGMA user_version = 7")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.write_text("this is no database, but as long as one\n" * 40), "not a database"),
        (lambda path: path.mkdir(), "unable to open"),
        (lambda path: executed(path, "CREATE TABLE results (x)"), "another program"),
        (of_a_later_schema, "schema 6, not 7"),
    ],
)
def test_what_is_no_store_of_this_schema_is_refused_in_one_line_and_left_as_it_is(path, damage, said):
    damage(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(InputError, match=said) as caught:
        Store(path)
    assert "\n" not in str(caught.value)
    assert before is None or path.read_bytes() == before


def test_a_store_that_was_damaged_or_filled_by_others_is_refused(path):
    with Store(path) as store:
        store.add(coded(KEYS))
        store.save(KEYS[0], verdict("a-claim"))
    executed(path, "UPDATE results SET verdict = '{}' WHERE verdict IS NOT NULL")
    with Store(path) as store:
        store.add(coded(KEYS))
        with pytest.raises(InputError):
            store.verdicts()
    whole = path.read_bytes()
    executed(path, "ALTER TABLE results RENAME COLUMN verdict TO other")
    with pytest.raises(InputError):
        Store(path)
    path.write_bytes(whole[:4096] + bytes([255]) * (len(whole) - 4096))
    with pytest.raises(InputError):
        Store(path)


def test_a_store_in_no_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="a folder that exists"):
        Store(tmp_path / "nowhere" / "store.sqlite3")
