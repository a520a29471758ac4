"""What is known of functions by their names, at every size: certificates of a few bytes, and no table is looked at."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.one_message import index_randomised, keeps_entropy_bound, sender_lines
from ccsim.bounds.question import Question
from ccsim.bounds.rationals import as_text

HALF = Fraction(1, 2)
EVERYTHING = "entropy"  # the method that has as many places as there are
MOST_PLACES = 22  # of patterns that the checker counts
LARGEST = 1000  # denominator of an error whose entropy the checker compares


def known_of_a_message(question: Question, direction: str) -> Bracket | None:
    """What a message with public coins takes for INDEX, whose sender has all words; or where the places that say single
    bits show all patterns: all places, if they are few, or those whose numbers are powers of 2."""
    (name, n), error = question.function or ("", 0), question.error
    if not 0 <= error <= HALF or error.denominator > LARGEST:
        return None
    if name == "index" and direction == "alice-to-bob":
        return replace(index_randomised(n, error), upper=None, method=f"{EVERYTHING} | ")
    lines = sender_lines(question.matrix, direction)
    few = range(lines.shape[1]) if lines.shape[1] <= MOST_PLACES else ()
    for places in (few, [1 << bit for bit in range(MOST_PLACES) if 1 << bit < lines.shape[1]]):
        if places and _shattered(lines[:, list(places)]):
            bits = next(bits for bits in count() if keeps_entropy_bound(error, len(places), bits))
            of = {"kind": "shattered", "places": list(places)}
            witness: Witness = {"kind": "bits-of", "measure": "vc-dimension", "given": {}, "of": of}
            parameters = {"direction": direction, "error": as_text(error)}
            return Bracket("one-way-randomised", bits, None, "VC dimension | ", witness, None, parameters)
    return None


def _shattered(picked: npt.NDArray[np.int8]) -> bool:
    """Whether the lines show all patterns of 0 and 1 on these few places."""
    shown = picked[((picked == 0) | (picked == 1)).all(axis=1)].astype(np.int64)
    patterns = len(np.unique(shown @ (1 << np.arange(picked.shape[1]))))
    return bool(patterns == 1 << picked.shape[1])
