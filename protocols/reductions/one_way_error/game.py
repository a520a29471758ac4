"""The least worst-case error of one message with public coins: a game, solved exactly.

One side mixes messages and answers, the other chooses a distribution on inputs (Yao 1977). Messages come from
:func:`~protocols.reductions.one_way_error.least.least_one_way_error`, which is exact, one by one as they are needed.
Floats only find which messages are mixed; the mixture, and its error on every input, are rationals. No symmetry of the
function is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ccsim.arrays import Array
from ccsim.bounds.rationals import common_integers, normalised, solve
from ccsim.bounds.solvers import matrix_game
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import TwoPartyFunction
from protocols.reductions.one_way_error.least import LeastError, least_one_way_error

MOST_CELLS = 24
MOST_ROUNDS = 400
NEAR = 1e-9  # what the solver's floats may be off by


@dataclass(frozen=True, eq=False)
class WorstError:
    """The least e such that some message of ``bits`` bits with public coins is wrong with probability e at most.

    Attributes:
        bits: how long the message is.
        error: e, exactly: ``mixture`` has it on the worst input, and no message errs less under ``distribution``.
        distribution: a probability for each input of Alice and Bob.
        mixture: the probability of each of some messages, each given as the inputs on which it is wrong.
    """

    bits: int
    error: Fraction
    distribution: Array = field(repr=False)
    mixture: tuple[tuple[Fraction, Array], ...] = field(repr=False)


def least_worst_error(function: TwoPartyFunction, bits: int) -> WorstError:
    """The least worst-case error of one message of Alice's with public coins, exactly.

    Args:
        function: total, of at most 24 pairs of inputs.
        bits: the length of the message.

    Raises :class:`~ccsim.errors.InputError` for larger functions, and where no exact solution was found.

    >>> from ccsim.problems import index, greater_than
    >>> str(least_worst_error(index(3), 2).error), str(least_worst_error(greater_than(2), 1).error)
    ('1/6', '1/4')
    """
    codes = function.codes.astype(np.int64)
    if codes.size > MOST_CELLS or (codes == DONT_CARE).any():
        raise InputError("function", function.name, f"a total function of at most {MOST_CELLS} pairs of inputs")
    shares, wrong = [Fraction(1, codes.size)] * codes.size, list[Array]()
    proved, hard = Fraction(-1), shares
    for _ in range(MOST_ROUNDS):
        weights = np.array(common_integers(shares)).reshape(codes.shape)
        best = least_one_way_error(function, bits, weights=weights)
        if best.lower > proved:
            proved, hard = best.lower, shares
        wrong.append(_wrong(best, codes, weights).ravel())
        losses = np.array(wrong).T
        game = matrix_game(losses)
        if game is None:
            break
        value, mixture, guess = game
        mixed = _vertex(losses, mixture, value)
        if mixed and max(losses @ np.array(mixed)) <= proved:
            chosen = tuple((p, w.reshape(codes.shape)) for p, w in zip(mixed, wrong, strict=True) if p)
            return WorstError(bits, proved, np.array(hard).reshape(codes.shape), chosen)
        shares = _vertex(losses.T, guess, value) or normalised(guess, 1 << 20)
    raise InputError("function", function.name, "a function whose game is solved in a few hundred rounds")


def _wrong(found: LeastError, codes: Array, weights: Array) -> Array:
    """Where the receiver is wrong (1) who gives, for each message, the answer of most weight."""
    sent, wrong = np.array(found.messages), np.zeros(codes.shape, dtype=np.int64)
    for message in set(found.messages):
        rows = np.flatnonzero(sent == message)
        for column in range(codes.shape[1]):
            here = codes[rows, column]
            held = [int(weights[rows, column][here == code].sum()) for code in range(int(codes.max()) + 1)]
            wrong[rows, column] = here != held.index(max(held))
    return wrong


def _vertex(losses: Array, mixture: Array, value: float) -> list[Fraction] | None:
    """The exact mixture of these columns that loses the same on all rows that are tight; None if it is not unique."""
    support = np.flatnonzero(mixture > NEAR)
    tight = np.flatnonzero(np.abs(losses[:, support] @ mixture[support] - value) < NEAR)
    system = np.column_stack([losses[np.ix_(tight, support)], -np.ones(len(tight), dtype=np.int64)])
    system = np.vstack([system, np.append(np.ones(len(support), dtype=np.int64), 0)])
    exact = solve(system, np.append(np.zeros(len(tight), dtype=np.int64), 1))
    if exact is None or min(exact[:-1]) < 0:
        return None
    shares = [Fraction(0)] * losses.shape[1]
    for place, share in zip(support.tolist(), exact[:-1], strict=True):
        shares[place] = share
    return shares
