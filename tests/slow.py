"""A case of a table that is left to the slow tests."""

from typing import Any

import pytest


def slow(*values: Any) -> Any:
    """The values of one case, marked as slow."""
    return pytest.param(*values, marks=pytest.mark.slow)
