"""Work beside a search: it has its turns, and what it finds ends the search."""

from __future__ import annotations

import math

import pytest

from ccsim.bounds.tree_search import beside
from ccsim.bounds.tree_search.beside import FoundBesideError, Meanwhile, finished


class Ticking:
    """A time that moves only when it is told to."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


def work(clock, log, name, pieces, seconds, tree=None):
    for _ in range(pieces):
        clock.now += seconds
        log.append(name)
        yield
    return tree


@pytest.fixture
def clock(monkeypatch):
    ticking = Ticking()
    monkeypatch.setattr(beside, "time", ticking)
    return ticking


def test_each_work_has_its_share_of_the_time_of_the_search(clock):
    log = []
    works = Meanwhile([(work(clock, log, "long", 1000, 0.4), 1.0), (work(clock, log, "short", 1000, 0.1), 0.5)])
    for step in range(100):
        clock.now += 0.1
        works.go_on(math.inf)
        searched = max(0.0, (step + 1) / 10 - beside.ALONE)
        assert abs(0.4 * log.count("long") - searched) <= 0.4 + 1e-6
        assert abs(0.1 * log.count("short") - searched / 2) <= 0.1 + 1e-6


def test_a_work_that_is_at_its_end_leaves_its_time_to_the_search(clock):
    log = []
    works = Meanwhile([(work(clock, log, "ends", 2, 0.1), 1.0), (work(clock, log, "goes on", 1000, 0.1), 1.0)])
    for _ in range(100):
        clock.now += 0.1
        works.go_on(math.inf)
    assert log.count("ends") == 2
    assert 0.1 * log.count("goes on") == pytest.approx(10 - beside.ALONE, abs=0.2)


def test_what_is_found_ends_the_search_and_what_gives_up_does_not(clock):
    works = Meanwhile([(work(clock, [], "gives up", 1, 0.1), 1), (work(clock, [], "finds", 5, 0.1, {"answer": 0}), 1)])
    clock.now += 10
    with pytest.raises(FoundBesideError) as found:
        works.go_on(math.inf)
    assert found.value.tree == {"answer": 0}


def test_nothing_is_done_after_the_end(clock):
    log = []
    works = Meanwhile([(work(clock, log, "late", 5, 0.1), 1.0)])
    clock.now += 10
    works.go_on(10)
    assert not log
    assert finished(work(clock, log, "late", 5, 0.1)) is None
