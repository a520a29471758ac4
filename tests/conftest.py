"""Settings for every test."""

import itertools
import os

import hypothesis
import pytest

hypothesis.settings.register_profile(  # no test fails because a machine is busy
    "patient", deadline=None, max_examples=50, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")

if "PYTEST_XDIST_WORKER" in os.environ:  # several processes share the cores, so none of them should use them all
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def own_store(monkeypatch, tmp_path_factory):
    """What a test measures is kept for no other: tests change code in ways of which no file knows."""
    monkeypatch.setenv("CCSIM_STORE", str(tmp_path_factory.getbasetemp() / f"store-{next(NUMBERS)}.sqlite3"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A process that has no tests left takes some from another: the long ones at the end wait for nobody."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.option.dist == "load" else None
