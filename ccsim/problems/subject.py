"""What bounds and pictures are about: a function of two parties, its matrix, or a table of its cells."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.cells import Cells
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction

Subject = CommunicationMatrix | TwoPartyFunction | Cells
"""A matrix, a function that has one, or rows of labels: lists of lists, an array, a table of pandas; None is free."""


def matrix_of(subject: Subject) -> CommunicationMatrix:
    """The matrix that is meant; :class:`~ccsim.errors.InputError` for what is none.

    >>> matrix_of([[1, 0], [0, 1]]).labels
    (0, 1)
    >>> import numpy as np
    >>> from ccsim.problems import equality
    >>> matrix_of(equality(1)) == matrix_of(np.eye(2, dtype=int))
    True
    """
    if isinstance(subject, CommunicationMatrix):
        return subject
    if isinstance(subject, TwoPartyFunction):
        return subject.matrix
    if hasattr(subject, "__array__") or (isinstance(subject, Sequence) and not isinstance(subject, str | bytes)):
        return CommunicationMatrix.from_array(subject)
    raise InputError("subject", subject, "a communication matrix, a two-party function, or rows of cells")
