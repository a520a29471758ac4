"""What ends in a clear error, for tables of cases."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ccsim import InputError


@contextmanager
def refused(expected: str, argument: str | None = None) -> Iterator[None]:
    """Fails, and names the case, unless the block ends in an error of the input with such a text and argument."""
    caught = None
    try:
        yield
    except InputError as error:
        caught = error
    assert caught is not None, f"not refused: {expected}, {argument}"
    assert re.search(expected, str(caught)), (expected, str(caught))
    assert argument in (None, caught.argument), (argument, caught.argument)


def refuse(*cases: tuple[Callable[[], Any], str]) -> None:
    """Each call ends in an error of the input with such a text."""
    for call, expected in cases:
        with refused(expected):
            call()
