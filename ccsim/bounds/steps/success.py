"""The success of one message with public coins, for so many bits."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.one_message import DIRECTIONS, one_way_success
from ccsim.bounds.question import LATE, Question, Steps
from ccsim.errors import InputError

USUAL = 60.0  # seconds for each, where nobody sets a limit


def success_steps(question: Question) -> Steps:
    """Either way, with so many bits; if nobody says how many, from none to as many as name a line."""
    matrix, unknown = question.matrix, dict[Hashable, Bracket]()
    for direction, lines in zip(DIRECTIONS, matrix.shape, strict=True):
        asked = range((lines - 1).bit_length() + 1) if question.bits is None else (question.bits,)
        for bits in asked:
            parameters = {"direction": direction, "bits": bits}
            trivial = Bracket("one-way success", 0, Fraction(1), "trivial | trivial", None, None, parameters, "")
            unknown[direction, bits] = trivial
    yield unknown
    yield None
    for place, (key, trivial) in enumerate(unknown.items()):
        direction, bits = trivial.parameters["direction"], trivial.parameters["bits"]
        share = question.clock.share(len(unknown) - place)
        try:
            found = one_way_success(matrix, bits, direction, seconds=USUAL if share is None else share)
        except InputError:  # too many lines, or none that are promised
            yield key, trivial, True
            continue
        late = share is not None and found.seconds >= share and not found.exact
        yield key, replace(found, method=found.method + LATE) if late else found, True
