"""Which symbol may come next: bounded Dyck languages as language models, by two layers, at any depth.

Yao, Peng, Papadimitriou and Narasimhan 2021 let two layers of soft attention generate a bounded Dyck language: after
each prefix they say which symbols may follow. The first layer finds the depth, the second the latest opening bracket
after which the depth was the same, which is the one to be closed.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision
from ccsim.arrays import Array
from ccsim.matrices import DONT_CARE
from ccsim.models import Transformer
from ccsim.problems import SequenceTask, Words
from ccsim.problems.sequence.dyck import bracket_symbols, stack_table
from ccsim.problems.sequence.regular import run_table
from protocols.constructions.addressing import answer_codes
from protocols.constructions.dyck.parts import Brackets
from protocols.constructions.size import ConstructionSize, with_size
from protocols.constructions.weights import affine, block

END = "[EOS]"

SOURCE = "Yao, Peng, Papadimitriou and Narasimhan 2021"


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
    allowed = np.array([_place(stack, brackets, depth) for stack in stacks] + [DONT_CARE])

    def evaluate(word: Array) -> Array:
        return np.asarray(allowed[run_table(table, 0, word)])

    name = f"next_brackets({length}, {brackets}, {depth})"
    note = f"which symbols may follow in a word of {brackets} kinds of brackets, nested at most {depth} deep"
    return SequenceTask(name, Words.over(symbols, length), answers, evaluate, note=note)


def _answers(symbols: tuple[str, ...], depth: int) -> tuple[tuple[str, ...], ...]:
    """With nothing open; with each kind on top, and more that may be opened; with each kind on top, and no more."""
    opening, closing = symbols[::2], symbols[1::2]
    between = [(*opening, close) for close in closing] if depth > 1 else []
    return ((*opening, END), *between, *((close,) for close in closing))


def _place(stack: tuple[int, ...], brackets: int, depth: int) -> int:
    """The place of the answer after a prefix that leaves these kinds open."""
    if not stack:
        return 0
    return 1 + stack[-1] + (brackets if len(stack) == depth > 1 else 0)


def next_brackets_transformer(
    length: int, brackets: int = 2, depth: int = 2, *, precision: int | Precision | None = None
) -> Transformer:
    """A transformer of two layers and one head for :func:`next_brackets`; at each position it answers for its prefix.

    Args:
        length: N.
        brackets: how many kinds there are.
        depth: how many may be open at once.
        precision: of everything; unless given, steps of 1/s, s >= N a power of two, and the range that it needs.

    Raises :class:`~ccsim.errors.InputError` for a precision that is too small.

    >>> model = next_brackets_transformer(5, depth=3)
    >>> model("([()]"), model("([(][")[-1], model.layers, model.heads, model.width
    (('(', '[', ')'), ']', 2, 1, 11)
    """
    length, depth = require_integer("length", length, low=1), require_integer("depth", depth, low=1)
    kinds = require_integer("brackets", brackets, low=1)
    made = Brackets.of(length, kinds, depth, precision, {"at": depth + 1})
    slots, levels = made.slots, made.slots["at"]
    model = Transformer(
        name=f"next of {kinds} kinds of brackets to depth {depth} in {length} symbols ({made.precision.bits} bits)",
        alphabet=made.symbols,
        answers=_answers(made.symbols, depth),
        token_embedding=made.tokens(),
        position_embedding=made.positions(),
        blocks=(
            block(made.precision, slots.width, [(made.uniform("sign"), slots["depth"])], made.depths()),
            block(made.precision, slots.width, [(made.latest(levels, levels), slots["found"])]),
        ),
        read_out=affine(made.precision, _read_out(made)),
    )
    size = ConstructionSize.measured(
        model, generated=length * model.width, claimed_width="1", claimed_bits="log(N)", source=SOURCE
    )
    return with_size(model, size)


def _read_out(made: Brackets) -> IntArray:
    """For each answer its depths, which count more than any code does, and the code of its kind."""
    codes, slots, kinds = np.array(answer_codes(made.kinds)).T, made.slots, made.kinds
    answers = len(_answers(made.symbols, made.depth))
    read_out = np.zeros((slots.width, answers), dtype=np.int64)
    at, found = read_out[slots["at"]], read_out[slots["found"]]  # views
    at[0, 0] = at[-1, answers - kinds :] = 2 * len(codes)
    at[1:-1, 1 : answers - kinds] = 2 * len(codes)
    found[:, answers - kinds :] = codes
    found[:, 1 : answers - kinds] = codes[:, : answers - kinds - 1]
    return read_out * made.precision.scale
