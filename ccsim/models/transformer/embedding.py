"""Words as streams of vectors: the embedding of the symbol plus that of the position."""

from __future__ import annotations

from collections.abc import Iterator

from ccsim.arithmetic import IntArray, Precision


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
