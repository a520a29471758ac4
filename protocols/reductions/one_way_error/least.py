"""The least probability of error of a one-way protocol of so many bits under a distribution, as a bracket."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted
from ccsim.problems import TwoPartyFunction
from protocols.reductions.one_way_error.search import Division
from protocols.reductions.one_way_error.strategies import strategy_matrix

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
MOST_WEIGHT = 1 << 60
MOST_BITS = 16


@dataclass(frozen=True, eq=False)
class LeastError:
    """The least error of one message of ``bits`` bits lies between ``lower`` and ``upper``, both exact.

    Attributes:
        bits: how long the message is.
        lower: no one-way protocol errs with a smaller probability.
        upper: the protocol that sends ``messages`` errs with this probability.
        messages: for each of the sender's inputs, in order, the message that it sends; the receiver gives, at
            each of its inputs, the answer with the largest weight among them.
    """

    bits: int
    lower: Fraction
    upper: Fraction
    messages: tuple[int, ...] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.lower == self.upper

    def __str__(self) -> str:
        value = f"= {self.lower}" if self.exact else f"in [{self.lower}, {self.upper}]"
        return f"least error of {counted(self.bits, 'bit')} {value}"


def least_one_way_error(
    function: TwoPartyFunction, bits: int, *, direction: str = DIRECTIONS[0], weights: Any = None
) -> LeastError:
    """The least probability, over inputs, that one message of ``bits`` bits and the receiver's answer are wrong.

    The protocol is deterministic, and the receiver alone answers; under a fixed distribution coins do not help. A
    message is a class of the sender's inputs, so this is the best division into 2^bits classes, found and
    proved in integers by branch and bound. What cannot be proved in a bounded number of steps is left as a
    bracket; steps are counted, so the result is the same on every machine.

    If the symmetries of a function carry each pair of inputs to each other one, the uniform distribution is the
    hardest one (average a protocol over them), and this is also the least worst-case error with public coins.

    Args:
        function: few enough inputs; total or partial.
        bits: the length of the message, from 0 to 16.
        direction: ``"alice-to-bob"`` or ``"bob-to-alice"``.
        weights: non-negative integers, one per pair of inputs, in proportion to the distribution; None means
            uniform on the promise. Weight off the promise does not count.

    Raises :class:`~ccsim.errors.InputError` for weights that do not fit, and for functions with too many
    different strategies of the receiver.

    >>> from ccsim.problems import index
    >>> [str(least_one_way_error(index(3), bits).upper) for bits in range(4)]
    ['1/2', '1/4', '1/6', '0']
    """
    if not isinstance(function, TwoPartyFunction):
        raise InputError("function", function, "a TwoPartyFunction")
    bits = require_integer("bits", bits, low=0, high=MOST_BITS)
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    given = _weights(function, weights)
    codes = function.codes.astype(np.int64)
    if direction == DIRECTIONS[1]:
        codes, given = codes.T, given.T
    alike, classes = np.unique(np.hstack([codes, given]), axis=0, return_inverse=True)
    copies = np.bincount(classes.ravel(), minlength=len(alike))
    width = codes.shape[1]
    right = strategy_matrix(alike[:, :width], alike[:, width:] * copies[:, None])
    whole = (alike[:, width:] * copies[:, None]).sum(axis=1)
    division = Division(whole - right, 1 << bits)
    division.prove()
    total = int(whole.sum())
    sent = division.costs[division.strategies].argmin(axis=0)
    lower, upper = (Fraction(cost, total) for cost in (division.lower, division.upper))
    return LeastError(bits, lower, upper, tuple(sent[classes.ravel()].tolist()))


def _weights(function: TwoPartyFunction, weights: Any) -> Array:
    promised = function.codes != DONT_CARE
    given = promised.astype(np.int64) if weights is None else np.asarray(weights)
    whole = given.dtype.kind in "iu" and given.shape == function.shape and bool((given >= 0).all())
    if not whole or not (given * promised).any() or int(given.sum(dtype=object)) > MOST_WEIGHT:
        expected = f"non-negative integers of shape {function.shape}, some of them positive on the promise"
        raise InputError("weights", weights if weights is None else np.shape(weights), expected)
    return np.asarray(given * promised, dtype=np.int64)
