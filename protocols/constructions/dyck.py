"""Bounded Dyck languages by attention layers: whether brackets are balanced, and which may come next.

A symbol is its sign (1 opens, -1 closes) and the code of its kind; a position is its number t, its parity, and
q = floor(s / t) steps, its weight in a uniform head, whose mean of the signs is exactly q times the depth. Partners are
found by the logits A [class fits] + A [opens] + E t, where E makes exponentials 0 and A is N E: the latest that fits.

*Balanced*: no depth below 0 or too large, and each closing bracket of the kind of the latest opening one after which
the depth is one more. That takes three layers; two up to depth 2, where that one is the latest at a position of the
other parity, and at depth 3, where the codes of all that is open must add up to 0 wherever nothing is
(``docs/proofs/dyck_layers.md``; Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1, after Yao and others 2021).
*Which may come next* (Yao, Peng, Papadimitriou and Narasimhan 2021): the latest opening one after which it was the
same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_integer
from ccsim.matrices import DONT_CARE
from ccsim.models import Affine, AttentionUnit, Transformer
from ccsim.models.block import Block
from ccsim.problems import SequenceTask, Words
from ccsim.problems.languages import bracket_symbols, run_table, stack_table
from protocols.constructions.assembling import (
    Layer,
    Slots,
    Stream,
    answer_codes,
    least_format,
    measured,
    reach,
    require_number,
    require_steps,
)

SOURCE, CLAIMED = "Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1", ("1", "log(N)", "log(N)")
CHARACTERS_SOURCE = "Yao, Peng, Papadimitriou and Narasimhan 2021"
END = "[EOS]"


@dataclass(frozen=True, eq=False)
class Brackets(Stream):
    length: int
    kinds: int
    depth: int

    @classmethod
    def of(
        cls, length: int, kinds: int, depth: int, precision: int | Precision | None, more: dict[str, int]
    ) -> Brackets:
        """With a stream of what every model has, and more parts; unless given, the least precision that will do."""
        length, depth = require_integer("length", length, low=1), require_integer("depth", depth, low=1)
        kinds = require_integer("brackets", kinds, low=1)
        digits = len(answer_codes(kinds)[0])
        slots = Slots(sign=1, kind=digits, one=1, place=1, share=1, depth=1, partner=digits, **more)
        fraction_bits = (max(length, 2) - 1).bit_length()
        if precision is None:
            precision = least_format(fraction_bits, _largest(Precision.fixed_point(1, fraction_bits), length, depth))
        precision = as_precision(precision)
        require_steps(precision, length)
        largest = _largest(precision, length, depth)
        for mantissa in (largest, -largest):
            require_number(precision, mantissa, Fraction(largest, precision.scale))
        return cls(precision, slots, length, kinds, depth)

    @property
    def symbols(self) -> tuple[str, ...]:
        return bracket_symbols(self.kinds)

    @property
    def step(self) -> int:
        """E: how far the logits of two neighbouring positions are apart, in steps."""
        return reach(self.precision)

    def tokens(self) -> Array:
        codes = np.repeat(answer_codes(self.kinds), 2, axis=0)
        tokens = self.numbers(2 * self.kinds, sign=[[1], [-1]] * self.kinds, kind=codes)
        if "signed" in self.slots:
            tokens[:, self.slots["signed"]] = tokens[:, self.slots["kind"]] * tokens[:, self.slots["sign"]]
        return self.whole(tokens)

    def positions(self) -> Array:
        places, scale = np.arange(1, self.length + 1)[:, None], self.precision.scale
        positions = self.numbers(self.length, one=scale, place=places * scale, share=scale // places)
        if "parity" in self.slots:
            positions[:, self.slots["parity"]] = (1 - 2 * (places % 2)) * scale
        return positions

    def latest(self, asked: str | slice, own: str | slice, sign: int = 1) -> tuple[AttentionUnit, slice]:
        """A head for the kind of the latest opening bracket where ``asked`` times ``own`` times ``sign`` is 1."""
        strength = self.step * self.length
        parts = [(asked, own, sign * strength), ("one", "sign", strength), ("one", "place", self.step)]
        return self.head(parts, "kind", "partner", Fraction(1))

    def depths(self) -> list[Layer]:
        """Dense layers that write into ``at`` which depth it is, 0 to D: from q times the depth, and q.

        relu(d - l + 1) - 2 relu(d - l) + relu(d - l - 1) is 1 if d = l, else 0; q times s times it is cut off at 1.
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


def dyck_transformer(
    length: int,
    brackets: int = 2,
    depth: int = 2,
    *,
    layers: int | None = None,
    precision: int | Precision | None = None,
) -> Transformer:
    """A transformer for :func:`ccsim.problems.dyck`, right on all words of N symbols, and of fewer.

    Args:
        length: N.
        brackets, depth: how many kinds there are, and how many may be open at once.
        layers: 2, for a depth of at most 3, or 3; the fewest, unless given.
        precision: of everything; unless given, steps of 1/s, s >= N a power of two, and the range that it needs.

    Raises :class:`~ccsim.errors.InputError` for two layers of more depth, and for a precision that is too small.

    >>> model = dyck_transformer(6)
    >>> model("[()]()"), model("[(])()"), model.layers, model.heads, model.width, model.precision.bits
    (1, 0, 2, 2, 11, 10)
    """
    kinds, depth = require_integer("brackets", brackets, low=1), require_integer("depth", depth, low=1)
    layers = require_integer("layers", (2 if depth <= 3 else 3) if layers is None else layers, low=2, high=3)
    if layers == 2 and depth > 3:
        raise InputError("layers", layers, "3 for a depth of more than 3")
    digits = len(answer_codes(kinds)[0])
    open_codes = {"signed": digits, "open": digits} if depth == 3 else {}
    more = {"parity": 1, **open_codes} if layers == 2 else {"at": depth + 1}
    made = Brackets.of(length, kinds, depth, precision, {**more, "wrong": 1, "still": 1, "mean": 1})
    model = made.transformer(
        Transformer,
        f"Dyck-({kinds}, {depth}) of {length} symbols by {layers} layers ({made.precision.bits} bits)",
        made.symbols,
        (0, 1),
        made.tokens(),
        made.positions(),
        *_blocks(made, layers),
        # 1 if nothing is wrong, not by one step
        read_out=made.read_out(2, np.array([0, 1]), mean=[[1], [0]], still=[[1], [0]]),
    )
    return measured(model, generated=made.length * model.width, claimed=CLAIMED, source=SOURCE)


def _blocks(made: Brackets, layers: int) -> tuple[Block, ...]:
    depth, mean = made.average("sign", "depth"), made.block(made.average("wrong", "mean"))
    if layers == 3:
        levels = made.slots["at"]
        after, before = slice(levels.start, levels.stop - 1), slice(levels.start + 1, levels.stop)
        partner = made.latest(after, before)
        return made.block(depth, layers=made.depths()), made.block(partner, layers=_faults(made)), mean
    heads = [depth, made.latest("parity", "parity", sign=-1)]
    if made.depth < 3:
        return made.block(*heads, layers=_faults(made)), mean
    return made.block(*heads, made.average("signed", "open"), layers=_faults_at_depth_3(made)), mean


def _faults(made: Brackets) -> list[Layer]:
    """Into ``wrong`` 1 or more if something is wrong here, else 0; into ``still`` what is open, if that is not less."""
    scale, depth, digits = made.precision.scale, made.depth, np.eye(made.slots.size("kind"), dtype=np.int64)
    none, kinds = np.zeros((len(digits), 3), dtype=np.int64), np.hstack([digits, -digits])
    still = np.arange(3 + kinds.shape[1])[:, None] == 2
    ones = np.ones_like(kinds[:1])
    inputs = {
        "depth": np.hstack([[[-1, 1, 1]], 0 * ones]),
        "share": np.hstack([[[0, -depth, 0]], 0 * ones]),
        "kind": np.hstack([none, kinds]),
        "partner": np.hstack([none, -kinds]),
        "sign": np.hstack([[[0, 0, 0]], -ones]),
    }
    bias = np.hstack([[0, 0, 0], -scale * ones[0]])
    return made.units(inputs, bias, {"wrong": scale * ~still, "still": still})  # one step becomes 1


def _faults_at_depth_3(made: Brackets) -> list[Layer]:
    """The same, where kinds count only if something is open; if nothing is, the codes of all must add up to 0."""
    (units, bias, _), (faulty, nothing, _) = _faults(made)
    scale, slots, digits = made.precision.scale, made.slots, made.slots.size("kind")
    more = np.zeros((slots.width, 1 + 2 * digits), dtype=np.int64)
    more[slots["depth"], 0] = -(scale**2)  # 1 less the depth, times q steps times s: not above 0 if something is open
    more[slots["depth"], 1:] = -scale
    more[slots["open"], 1:] = scale * np.hstack([np.eye(digits), -np.eye(digits)])
    first = (np.hstack([units, more]), np.concatenate([bias, [scale], np.zeros(2 * digits, dtype=np.int64)]), "relu")
    kinds, none, faults = slice(3, 3 + 2 * digits), 3 + 2 * digits, 4 + 4 * digits
    gates = scale * np.eye(faults, dtype=np.int64)
    gates[none, kinds] = -2 * scale
    gates[none, none] = 0
    last = np.vstack([faulty, np.zeros((1 + 2 * digits, slots.width), dtype=np.int64)])
    last[none + 1 :, slots["wrong"]] = scale**2
    return [first, (gates, np.zeros(faults, dtype=np.int64), "relu"), (last, nothing, "identity")]


def next_brackets(length: int, brackets: int = 2, depth: int = 2) -> SequenceTask:
    """Which symbols may follow so many brackets in a word of Dyck-(brackets, depth), [EOS] if they may be all of it.

    Promised are words that can go on to a word of the language.

    >>> task = next_brackets(3)
    >>> task("(()"), task("()["), task("(((")
    (('(', '[', ')'), ('(', '[', ']'), None)
    """
    length, depth = require_integer("length", length, low=1), require_integer("depth", depth, low=1)
    symbols = bracket_symbols(brackets)
    answers = _answers(symbols, depth)
    stacks = [stack for level in range(depth + 1) for stack in product(range(brackets), repeat=level)]
    table = stack_table(brackets, len(stacks))
    # With nothing open; with each kind on top, and more that may be opened; with each kind on top, and no more.
    places = [1 + stack[-1] + (brackets if len(stack) == depth > 1 else 0) if stack else 0 for stack in stacks]
    allowed = np.array([*places, DONT_CARE])

    def evaluate(word: Array) -> Array:
        return np.asarray(allowed[run_table(table, 0, word)])

    name = f"next_brackets({length}, {brackets}, {depth})"
    note = f"which symbols may follow in a word of {brackets} kinds of brackets, nested at most {depth} deep"
    return SequenceTask(name, Words.over(symbols, length), answers, evaluate, note=note)


def _answers(symbols: tuple[str, ...], depth: int) -> tuple[tuple[str, ...], ...]:
    opening, closing = symbols[::2], symbols[1::2]
    between = [(*opening, close) for close in closing] if depth > 1 else []
    return ((*opening, END), *between, *((close,) for close in closing))


def next_brackets_transformer(
    length: int, brackets: int = 2, depth: int = 2, *, precision: int | Precision | None = None
) -> Transformer:
    """A transformer of two layers and one head for :func:`next_brackets`; at each position it answers for its prefix.

    Arguments and errors are those of :func:`dyck_transformer`.

    >>> model = next_brackets_transformer(5, depth=3)
    >>> model("([()]"), model("([(][")[-1], model.layers, model.heads, model.width
    (('(', '[', ')'), ']', 2, 1, 11)
    """
    depth = require_integer("depth", depth, low=1)
    made = Brackets.of(length, brackets, depth, precision, {"at": depth + 1})
    model = made.transformer(
        Transformer,
        f"next of {brackets} kinds of brackets to depth {depth} in {length} symbols ({made.precision.bits} bits)",
        made.symbols,
        _answers(made.symbols, depth),
        made.tokens(),
        made.positions(),
        made.block(made.average("sign", "depth"), layers=made.depths()),
        made.block(made.latest("at", "at")),
        read_out=_read_out(made),
    )
    return measured(model, generated=made.length * model.width, claimed=CLAIMED, source=CHARACTERS_SOURCE)


def _read_out(made: Brackets) -> Affine:
    """For each answer its depths, which count more than any code does, and the code of its kind."""
    codes, slots, kinds = np.array(answer_codes(made.kinds)).T, made.slots, made.kinds
    answers = len(_answers(made.symbols, made.depth))
    at, partner = np.zeros((slots.size("at"), answers), dtype=np.int64), np.zeros((len(codes), answers), dtype=np.int64)
    at[0, 0] = at[-1, answers - kinds :] = 2 * len(codes)
    at[1:-1, 1 : answers - kinds] = 2 * len(codes)
    partner[:, answers - kinds :] = codes
    partner[:, 1 : answers - kinds] = codes[:, : answers - kinds - 1]
    return made.read_out(answers, at=at.T, partner=partner.T)
