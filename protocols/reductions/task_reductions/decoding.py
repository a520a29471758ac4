"""Decoding many answers at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ccsim.arrays import Array
from ccsim.matrices import DONT_CARE
from protocols.reductions.task_reductions.encoding import Encoding

NO_ANSWER = -2
"""The code of something that the source never answers."""


def decoded_codes(reduction: Encoding, answers: Sequence[Hashable], codes: Array, own: Array) -> Array:
    """For codes among ``answers``, the codes of the source's answers; -1 stays, -2 is what is no answer.

    ``own`` holds, for each code, the index of the reader's source input. Each pair is decoded once.
    """
    if reduction.reader == "both":
        own = np.zeros_like(codes)
    part = reduction.source.inputs[reduction.reader == "bob"]
    width = int(own.max(initial=0)) + 1
    pairs, places = np.unique((codes + 2) * width + own, return_inverse=True)  # codes start at -2
    table = []
    for pair in pairs.tolist():
        code = pair // width - 2
        if code < 0:
            table.append(code)
            continue
        held = None if reduction.reader == "both" else part.value(pair % width)
        decoded = reduction.read(answers[code], held)
        table.append(reduction.source.places.get(decoded, NO_ANSWER if decoded is not None else DONT_CARE))
    return np.array(table, dtype=np.int64)[places].reshape(codes.shape)
