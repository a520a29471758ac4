"""Public coins: the best success probability of k bits, and the randomised complexity of tiny matrices, exactly.

A public-coin protocol of k bits is a mixture of deterministic ones, so by the minimax theorem the best success
probability on the worst promised cell is the value of a game: one side mixes protocol trees, the other chooses
a distribution on cells (Yao 1977). The game is solved as a linear program by column generation, where the
best protocol against a distribution comes from :mod:`ccsim.bounds.randomised.yao`, in integers. Floats only search: the
mixture's success on every cell and the best protocol against the distribution are computed from rationals.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ccsim.bounds.bracket import UNKNOWN, Bracket, Open, Side, Witness, timed
from ccsim.bounds.clock import Clock
from ccsim.bounds.randomised.yao import MOST_LINES, YaoGame
from ccsim.bounds.rationals import as_text, require_error
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError, require_integer
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import Subject, matrix_of


@timed
def public_coin_success(matrix: Subject, bits: int, seconds: float = 60.0) -> Bracket:
    """The largest p such that some public-coin protocol of ``bits`` bits is right with probability p everywhere.

    Both parties know the answer at the end; bits are worst-case; "everywhere" is on every promised cell. The
    lower witness is a mixture of protocol trees, the upper one a distribution on cells under which no
    deterministic protocol does better.

    Args:
        matrix: Boolean, multi-valued or partial; about 12 x 12 after equal rows and columns are merged.
        bits: worst-case bits, at least 0.
        seconds: after so long, the bracket may be left open.

    Raises:
        InputError: for negative bits, a matrix without promised cells, or one that is too large.

    >>> equality = CommunicationMatrix.from_array([[int(x == y) for y in range(4)] for x in range(4)])
    >>> [str(public_coin_success(equality, bits).lower) for bits in range(4)]
    ['1/2', '1/2', '10/13', '1']
    """
    matrix = matrix_of(matrix)
    game = YaoGame(matrix, require_integer("bits", bits, low=0), time.monotonic() + seconds)
    game.play()
    below = Side(game.lower, "mixture of protocol trees", game.mixture_witness())
    above = Side(game.upper, "hard distribution", game.distribution_witness())
    parameters = {"answer": "both", "coins": "public", "bits": bits}
    return Bracket("public-coin success", below, above, parameters, "", open=Open.TIME)


@timed
def public_coin_complexity(matrix: Subject, error: Fraction | str, seconds: float = 60.0) -> Bracket:
    """R_error^pub: the fewest worst-case bits of a public-coin protocol that errs with at most this probability.

    Both parties know the answer. The lower witness is a distribution on which one bit less must err more, the
    upper one a mixture of protocol trees.

    Args:
        matrix: as for :func:`public_coin_success`.
        error: a rational (or text such as ``"1/3"``) of at least 0 and below 1.
        seconds: after so long, the bracket may be left open.

    >>> equality = CommunicationMatrix.from_array([[int(x == y) for y in range(4)] for x in range(4)])
    >>> str(public_coin_complexity(equality, "1/3"))
    'randomised = 2 bits (hard distribution | mixture of protocol trees)'
    """
    matrix = matrix_of(matrix)
    clock = Clock.within(seconds)
    stages = public_coin_stages(matrix, error, clock)
    found = next(stages)
    while not clock.over and (further := next(stages, None)) is not None:
        found = further
    return found


def public_coin_stages(matrix: CommunicationMatrix, error: Fraction | str, clock: Clock) -> Iterator[Bracket]:
    """As :func:`public_coin_complexity`, told whenever the clock is over or a number of bits is decided.

    It goes on from there when it is asked again, with a clock that has been moved.
    """
    allowed = require_error(error, 1)
    parameters = {"answer": "both", "coins": "public", "error": as_text(allowed)}
    rows, columns = matrix.merge().matrix.shape
    if max(rows, columns) > MOST_LINES:
        raise InputError("matrix", (rows, columns), f"at most {MOST_LINES} different rows and columns")
    below = Side(0, "hard distribution")
    for bits in range(rows + columns + len(matrix.labels)):
        game = YaoGame(matrix, bits, 0.0, 1 - allowed)
        decided = False
        while not decided:
            game.deadline = clock.end if clock.end is not None else math.inf
            game.play()
            late = time.monotonic() > game.deadline
            found = game.lower >= 1 - allowed
            hard = game.distribution_witness()
            if game.upper < 1 - allowed and below.value == bits and _is_accepted(matrix, parameters, hard):
                below = Side(bits + 1, "hard distribution", hard)
            decided = found or game.upper < 1 - allowed or not late
            above = Side(bits, "mixture of protocol trees", game.mixture_witness()) if found else UNKNOWN
            yield Bracket("randomised", below, above, parameters, open=Open.TIME)
        if found:
            return


def _is_accepted(matrix: CommunicationMatrix, parameters: dict[str, Any], witness: Witness) -> bool:
    try:
        check(matrix.codes.tolist(), "randomised", "lower", parameters, witness)
    except Refused:
        return False
    return True
