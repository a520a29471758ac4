"""Measuring in this process, where it does not matter that there are others."""

import pytest

from ccsim.claims.running import JobResult


class Here:
    """Does each job at once, in this process."""

    def __init__(self, jobs=1, seconds=None):
        self.jobs, self.seconds, self._waiting = jobs, seconds, []

    @property
    def free(self):
        return not self._waiting

    idle = free

    def submit(self, key, job):
        self._waiting.append((key, job))

    def next(self, timeout):
        if not self._waiting:
            return None
        key, job = self._waiting.pop()
        try:
            return JobResult(key, job())
        except Exception as error:
            return JobResult(key, failure=str(error))

    def close(self):
        self._waiting = []


@pytest.fixture(scope="module")
def measured_here():
    """Commands measure in this process."""
    with pytest.MonkeyPatch.context() as patch:
        for place in ("ccsim.claims.Pool", "ccsim.claims.running.Pool"):  # the face keeps what it once looked up
            patch.setattr(place, Here)
        yield
