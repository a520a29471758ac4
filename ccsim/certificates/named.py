"""Functions that certificates may name: those of the catalogue, to be compared with their cells."""

from __future__ import annotations

from typing import Any

from ccsim.certificates import verify
from ccsim.certificates.certificate import listed_rows
from ccsim.certificates.verify.matrices import MOST_CELLS, Table
from ccsim.errors import InputError, TableTooLargeError
from ccsim.problems.catalogue import find_problem
from ccsim.problems.function import TwoPartyFunction


def known_function(name: str, n: int) -> tuple[Table, list[Any]] | None:
    """The table of codes and the labels of a function of the catalogue, as certificates have them; None if it has no
    such function, or if that is too large for one.

    >>> known_function("parity", 1)
    ([[0, 1], [1, 0]], [0, 1])
    >>> known_function("beauty", 1)
    """
    try:
        function = find_problem(name).function(n)
        if not isinstance(function, TwoPartyFunction) or function.shape[0] * function.shape[1] > MOST_CELLS:
            return None
        return verify.read_matrix(listed_rows(function.matrix))
    except (InputError, TableTooLargeError):
        return None
