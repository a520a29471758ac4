"""Match2 as a transformer of one layer that reads a blank symbol before the word, and answers at its last position."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.models import Affine, AttentionUnit, Block, OneLayerTransformer
from ccsim.problems.sequence.match import match2
from ccsim.problems.sequence.task import SequenceTask
from ccsim.problems.words import Words
from protocols.constructions.match2 import match2_unit
from protocols.constructions.size import size_of, with_size

BLANK = "blank"


def blank_match2(length: int, modulus: int) -> SequenceTask:
    """``match2(length, modulus, row=length)`` on words with a blank symbol before them.

    >>> blank_match2(3, 5)(("blank", 4, 0, 1)), blank_match2(3, 5)(("blank", 1, 0, 1))
    (1, 0)
    """
    task = match2(length, modulus, row=length)
    words = Words(((BLANK,), *task.positions))

    def evaluate(rows: IntArray) -> IntArray:
        return task.evaluate(rows[..., 1:].astype(np.int64) - 1)

    return SequenceTask(f"{task.name} after a blank", words, (0, 1), evaluate, note=task.note)


def match2_transformer(
    length: int, modulus: int, *, precision: int | Precision | None = None, factor: int | None = None
) -> OneLayerTransformer:
    """The unit of :func:`~protocols.constructions.match2_unit` as a one-layer transformer for :func:`blank_match2`.

    It has the same numbers and the same arithmetic. Its stream has a fourth number, to which attention is added and
    which is compared with 1/4. In this form it is what the max-logit softmax protocol runs.

    >>> model = match2_transformer(3, 5)
    >>> model(("blank", 4, 0, 1)), model(("blank", 1, 0, 1)), model.width, model.key_width
    (1, 0, 4, 3)
    """
    single = match2_unit(length, modulus, precision=precision, factor=factor, row=length)
    unit: Any = single.layers[0].attention
    assert isinstance(unit, AttentionUnit)
    numbers, four = unit.precision, np.eye(4, dtype=np.int64)
    tokens = np.pad(unit.embed(np.arange(modulus + 1)[:, None]), ((0, 0), (0, 1)))
    block = Block.from_arrays(
        precision=numbers,
        query=four[None, :, :3],
        key=four[None, :, :3] * [1, -1, -1],
        value=four[None, :, 2:3],
        output=four[3:],
        logit_scale=unit.logit_scale,
    )
    read_out = Affine(numbers, four[:, 2:] * [0, 1] * numbers.scale, np.array([numbers.scale // 4, 0]))
    model = OneLayerTransformer(
        name=f"match2 transformer({length}, {modulus}, {numbers.bits} bits)",
        alphabet=(*range(modulus), BLANK),
        answers=(0, 1),
        token_embedding=tokens,
        position_embedding=np.zeros((length + 1, 4), dtype=np.int64),
        block=block,
        read_out=read_out,
    )
    return with_size(model, size_of(single))
