"""The classical protocols, each spoiled in the same ways: answers, costs, messages, tables, and what checks them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from protocols.classical import PROTOCOLS
from protocols.classical.counting import ERRORS
from tests.claims.spoilings.spoiling import Spoiling, instead

NO_ERROR_AT_TWO = ("simultaneous-equality", "newman-equality")


def more(bits):
    """A property that is so much larger."""
    return lambda original: property(lambda self: original.fget(self) + bits)


def other_codes(original):
    """Every answer another one."""

    def init(self, codes):
        original(self, codes if codes is None else np.where(np.asarray(codes) == 0, 1, 0))

    return init


def last_cell(original):
    """The last promised cell of every table another one."""

    def codes(self):
        table = original.func(self).copy()
        places = np.flatnonzero(table.ravel() >= 0)
        table.reshape(-1)[places[-1]] = (table.reshape(-1)[places[-1]] + 1) % len(self.answers)
        return table

    return property(codes)


def cut(original):
    """Every message loses its last bit on the way."""

    def post_init(self):
        original(self)
        if self.width is None:
            object.__setattr__(self, "values", self.values[:, :-1])
        else:
            object.__setattr__(self, "values", self.values // 2)
            object.__setattr__(self, "width", self.width - 1)

    return post_init


def half_the_error(original):
    """What a protocol says of its error, halved."""

    def post_init(self):
        original(self)
        object.__setattr__(self, "error", self.error / 2)

    return post_init


def no_error(original):
    """Nothing is ever wrong."""
    return property(lambda self: Fraction(0))


def of(entry):
    """The spoilings of one protocol, at its smallest size, or where it first can err."""
    setting = {"length": 3} if entry.name in NO_ERROR_AT_TWO else {}
    ways = [
        ("every answer wrong", "ccsim.engine.steps:AnswerEach", "__init__", other_codes),
        ("one bit more in the formula", "ccsim.engine.cost:Cost", "bits", more(1)),
        ("one bit less in the formula", "ccsim.engine.cost:Cost", "bits", more(-1)),
        ("a bit is not counted", "ccsim.engine.transcript:Transcript", "bits", more(-1)),
        ("messages lose a bit", "ccsim.engine.steps:SendEach", "__post_init__", cut),
        ("the last cell wrong", "ccsim.problems.function:MultipartyFunction", "codes", last_cell),
    ]
    if entry.name in ERRORS:
        ways += [
            ("the error set to 0", "ccsim.engine.randomised:Measurement", "worst_error", no_error),
            ("the claimed error halved", "ccsim.engine.protocol:Protocol", "__post_init__", half_the_error),
        ]
    else:
        ways += [("nothing is checked", "ccsim.engine.explore:LeafCheck", "_check_answers", instead(None))]
    if entry.name == "newman-equality":  # which looks for outcomes of the coins until its answers are right
        ways = [way for way in ways if way[0] not in ("every answer wrong", "the last cell wrong")]
    return tuple(Spoiling(*way, setting) for way in ways)


SPOILINGS = {entry.name: of(entry) for entry in PROTOCOLS}
