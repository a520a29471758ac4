"""Settings for every test."""

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A process that has no tests left takes some from another: the long ones at the end wait for nobody."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.option.dist == "load" else None
