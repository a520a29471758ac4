"""What the models of brackets are made of: depths by uniform attention, partners by the latest fitting position.

A symbol is its sign (1 opens, -1 closes) and the code of its kind; a position is its number t, its parity, and
q = floor(s / t) steps, which is the weight that uniform attention gives to each of t positions. So the mean of the
signs, rounded down, is q times the depth exactly: sums of weights times values are exact, and rounded once.

Partners are found by the logits A [class fits] + A [opens] + E t. Two positions are E apart, which is where an
exponential rounds down to 0, and A is N times that: of those that fit and open, the latest has the weight 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.errors import InputError
from ccsim.models import AttentionUnit
from ccsim.problems.sequence.dyck import bracket_symbols
from protocols.constructions.addressing import answer_codes, least_format, reach
from protocols.constructions.weights import Slots, head, whole

Layer = tuple[IntArray, IntArray, str]


@dataclass(frozen=True)
class Brackets:
    """The sizes, the stream and the strengths of a model of brackets.

    Attributes:
        length: N.
        kinds: of brackets.
        depth: how many may be open.
        precision: of everything.
        slots: the parts of the stream.
    """

    length: int
    kinds: int
    depth: int
    precision: Precision
    slots: Slots

    @classmethod
    def of(
        cls, length: int, kinds: int, depth: int, precision: int | Precision | None, more: dict[str, int]
    ) -> Brackets:
        """With a stream of what every model has, and more parts; unless given, the least precision that will do.

        Raises :class:`~ccsim.errors.InputError` for a precision with fewer than N steps to 1, or a range too small.
        """
        digits = len(answer_codes(kinds)[0])
        slots = Slots(sign=1, kind=digits, one=1, place=1, share=1, depth=1, found=digits, **more)
        fraction_bits = (max(length, 2) - 1).bit_length()
        if precision is None:
            precision = least_format(fraction_bits, _largest(Precision.fixed_point(1, fraction_bits), length, depth))
        precision = as_precision(precision)
        if precision.scale < length:
            raise InputError("precision", str(precision), f"steps of at most 1/{length}")
        largest = _largest(precision, length, depth)
        if precision.high < largest or precision.low > -largest:
            raise InputError("precision", str(precision), f"one that holds {Fraction(largest, precision.scale)}")
        return cls(length, kinds, depth, precision, slots)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The opening and the closing symbol of each kind."""
        return bracket_symbols(self.kinds)

    @property
    def step(self) -> int:
        """E: how far the logits of two neighbouring positions are apart, in steps."""
        return reach(self.precision)

    def tokens(self) -> IntArray:
        """The embedding of each symbol: its sign, the code of its kind, and their product if there is room for it."""
        codes, tokens = answer_codes(self.kinds), np.zeros((2 * self.kinds, self.slots.width), dtype=np.int64)
        tokens[:, self.slots["sign"]] = [[1], [-1]] * self.kinds
        tokens[:, self.slots["kind"]] = np.repeat(codes, 2, axis=0)
        if "signed" in self.slots:
            tokens[:, self.slots["signed"]] = tokens[:, self.slots["kind"]] * tokens[:, self.slots["sign"]]
        return whole(self.precision, tokens)

    def positions(self) -> IntArray:
        """The embedding of each position: 1, its number, its share of a uniform head, its parity if there is one."""
        places = np.arange(1, self.length + 1)
        positions = np.zeros((self.length, self.slots.width), dtype=np.int64)
        positions[:, self.slots["one"]] = self.precision.scale
        positions[:, self.slots["place"]] = places[:, None] * self.precision.scale
        positions[:, self.slots["share"]] = (self.precision.scale // places)[:, None]
        if "parity" in self.slots:
            positions[:, self.slots["parity"]] = (1 - 2 * (places % 2))[:, None] * self.precision.scale
        return positions

    def uniform(self, value: str) -> AttentionUnit:
        """A head that gives each position that it sees the same weight."""
        return head(self.precision, self.slots.width, [], [], self.slots[value], Fraction(1))

    def latest(self, asked: slice, own: slice, sign: int = 1) -> AttentionUnit:
        """A head that fetches the kind of the latest opening bracket whose ``own`` is what is ``asked`` for.

        Both are parts of the stream, of which the product is 1 if they fit (times ``sign``), and 0 or -1 if not.
        """
        scale, slots, strength = self.precision.scale, self.slots, self.step * self.length
        query = [(asked, sign * strength), (slots["one"], strength), (slots["one"], self.step)]
        key = [(own, scale), (slots["sign"], scale), (slots["place"], scale)]
        return head(self.precision, slots.width, query, key, slots["kind"], Fraction(1))

    def depths(self) -> list[Layer]:
        """Dense layers that write into ``at`` which depth it is, 0 to D: from q times the depth, and q.

        relu(d - l + 1) - 2 relu(d - l) + relu(d - l - 1) is 1 if d = l, else 0; q times that, times s, is 1 or more or
        0, and min(x, 1) = relu(x) - relu(x - 1).
        """
        scale, levels, width = self.precision.scale, self.depth + 1, self.slots.width
        above = np.zeros((width, levels + 2), dtype=np.int64)
        above[self.slots["depth"]] = scale
        above[self.slots["share"]] = -scale * np.arange(-1, levels + 1)
        second = sum(part * np.eye(levels + 2, levels, -row, dtype=np.int64) for row, part in enumerate((1, -2, 1)))
        twice = np.hstack([second, second]) * scale**2
        bias = np.repeat([0, -scale], levels)
        least = np.zeros((2 * levels, width), dtype=np.int64)
        least[:, self.slots["at"]] = np.vstack([np.eye(levels), -np.eye(levels)]) * scale
        nothing = np.zeros(width, dtype=np.int64)
        return [(above, nothing[: levels + 2], "relu"), (twice, bias, "relu"), (least, nothing, "identity")]


def _largest(precision: Precision, length: int, depth: int) -> int:
    """The largest number: a logit 2 A + N E, or the weight s that makes one step 1."""
    return max(3 * reach(precision) * length, precision.scale**2, (depth + 1) * precision.scale)
