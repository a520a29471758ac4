"""VC dimension of the sender's inputs as concepts on the receiver's, and the randomised one-way bound it gives."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.one_message.messages import one_way, sender_lines
from ccsim.bounds.rank.over_fields import pack_rows
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.problems.subject import Subject, matrix_of


def vc_dimension(matrix: Subject, direction: str = "alice-to-bob", *, time_limit: float | None = 30.0) -> Bracket:
    """The size of a largest set of the receiver's inputs on which the sender's show all 0/1 patterns.

    Args:
        matrix: of at most two labels. Where it is partial, a pattern counts only if a line has it within the promise.
        direction: the concepts are the lines of the speaker.
        time_limit: seconds.

    Returns:
        A bracket (a pure number): below, the shattered set; above, its checker lists all shattered sets, or there
        are too few different lines.

    >>> vc_dimension([[0, 0], [0, 1], [1, 0], [1, 1]]).lower
    2
    """
    matrix = matrix_of(matrix)
    if len(matrix.labels) > 2:
        raise InputError("matrix", matrix, "at most two labels")
    start = time.monotonic()
    lines = np.unique(sender_lines(matrix, direction), axis=0).astype(np.int64)
    trivial = min(len(lines).bit_length() - 1, lines.shape[1], 16)
    having = pack_rows(lines.T == 0), pack_rows(lines.T == 1)  # at each place, the lines with each answer
    best: list[int] = []
    stack: list[tuple[list[int], int, list[int]]] = [([], 0, [(1 << len(lines)) - 1])]
    finished = True
    while stack and len(best) < trivial:
        if time_limit is not None and time.monotonic() - start > time_limit:
            finished = False
            break
        places, after, patterns = stack.pop()
        if len(places) + lines.shape[1] - after <= len(best):
            continue
        for place in range(lines.shape[1] - 1, after - 1, -1):
            wider = _with_one_more([each[place] for each in having], patterns)
            if wider:
                best = max(best, [*places, place], key=len)
                stack.append(([*places, place], place + 1, wider))
    parameters = {"direction": direction}
    table = matrix.codes.tolist()
    below: Witness = {"kind": "shattered", "places": best}
    above: Witness = {"kind": "vc-listing", "at_most": len(best) if finished else trivial}
    try:
        upper = check(table, "vc-dimension", "upper", parameters, above)
    except Refused:  # too many sets for the checker: what is known without listing
        above = {"kind": "vc-listing", "at_most": len(lines).bit_length() - 1}
        upper = check(table, "vc-dimension", "upper", parameters, above)
    lower = check(table, "vc-dimension", "lower", parameters, below)
    seconds = time.monotonic() - start
    return Bracket("vc-dimension", lower, upper, "shattered | vc-listing", below, above, parameters, "", seconds)


def _with_one_more(having: list[int], patterns: list[int]) -> list[int]:
    """For each pattern, so far and at one place more, the lines that show it, as a mask; empty if none shows some."""
    wider = []
    for lines in patterns:
        for own in having:
            if not lines & own:
                return []
            wider.append(lines & own)
    return wider


def one_way_randomised(
    matrix: Subject,
    direction: str = "alice-to-bob",
    error: Fraction | str = Fraction(1, 3),
    *,
    time_limit: float | None = 30.0,
    messages: Bracket | None = None,
) -> Bracket:
    """One-way communication with public coins and error at most ``error`` on every input, in bits.

    Below: (1 - H(error)) times the VC dimension (Kremer, Nisan, Ron 1999), rounded up to whole bits, exactly;
    above: the deterministic one-way complexity (``messages``, if it is known).

    >>> found = one_way_randomised([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> found.lower, found.upper
    (1, 2)
    """
    matrix = matrix_of(matrix)
    allowed = Fraction(error)
    if not 0 <= allowed <= Fraction(1, 2) or allowed.denominator > 1000:
        raise InputError("error", error, "from 0 to 1/2, of denominator at most 1000")
    start = time.monotonic()
    dimension = vc_dimension(matrix, direction, time_limit=time_limit)
    messages = messages or one_way(matrix, direction, time_limit=time_limit)
    parameters = {"direction": direction, "error": f"{allowed.numerator}/{allowed.denominator}"}
    witness: Witness = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": dimension.lower_witness}
    return Bracket(
        "one-way-randomised",
        check(matrix.codes.tolist(), "one-way-randomised", "lower", parameters, witness),
        messages.upper,
        "VC dimension | deterministic",
        witness,
        messages.upper_witness,
        parameters,
        "bits",
        time.monotonic() - start,
    )
