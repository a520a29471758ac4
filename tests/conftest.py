"""Settings for every test."""

import os

import pytest

if "PYTEST_XDIST_WORKER" in os.environ:  # several processes share the cores, so none of them should use them all
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A process that has no tests left takes some from another: the long ones at the end wait for nobody."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.option.dist == "load" else None
