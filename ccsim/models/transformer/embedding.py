"""Words as streams of vectors: the embedding of the symbol plus that of the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError

__all__ = ["blocks", "embed", "embedding_table", "require_words"]


def require_words(words: Any, symbols: int, length: int | None) -> IntArray:
    """Ranks of symbols as integers, shape (..., N), or an :class:`~ccsim.errors.InputError`."""
    array = np.asarray(words)
    if array.dtype.kind not in "iu":
        raise InputError("words", array.dtype.name, "an array of integers, ranks of symbols")
    if array.ndim == 0 or array.shape[-1] < 1 or (length is not None and array.shape[-1] != length):
        raise InputError("words", array.shape, f"an array of shape (..., {'N' if length is None else length})")
    if array.size and (int(array.min()) < 0 or int(array.max()) >= symbols):
        wrong = int(array.min()) if int(array.min()) < 0 else int(array.max())
        raise InputError("words", wrong, f"ranks from 0 to {symbols - 1}")
    return array


def embed(precision: Precision, tokens: IntArray, positions: IntArray, words: IntArray) -> IntArray:
    """The streams (batch, N, width) of words (batch, N): saturated sums of a row of each table of mantissas."""
    return precision.saturate(tokens[words] + positions)


def embedding_table(precision: Precision, tokens: IntArray, positions: IntArray) -> IntArray:
    """For each position and symbol, the vector there: shape (N, symbols, width)."""
    return precision.saturate(tokens[None, :, :] + positions[:, None, :])


def blocks(count: int, size: int) -> Iterator[slice]:
    """Consecutive slices of at most ``size`` places that make up ``count``."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))
