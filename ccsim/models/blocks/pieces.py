"""What several blocks are made of: norms, short convolutions, heads, shares of the last input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.models.operations import Operations

__all__ = [
    "Carried",
    "Parts",
    "Shapes",
    "State",
    "convolved",
    "heads_of",
    "joined",
    "mixed",
    "normed",
    "scaled",
    "stabilised",
]

Parts = Mapping[str, Any]
"""Arrays by name; and settings, which are plain numbers or texts and are never rounded."""

Carried = tuple[tuple[int, ...], str]
"""The shape of something that is carried for a word, and what: "numbers", sums ("memory"), or a "flag" of one bit."""

Shapes = Mapping[str, tuple[str | int, ...]]
"""For each array of a block its shape, by names of sizes."""

State = tuple[Array, ...]
"""What a block carries: arrays with an axis for the words in front."""


def normed(a: Operations, vectors: Array, epsilon: float, centred: bool) -> Array:
    """Vectors along the last axis of mean square 1; if centred, of mean 0 as well."""
    vectors = a.centred(vectors) if centred else vectors
    return a.normalised(vectors, epsilon, vectors.shape[-1])


def scaled(a: Operations, vectors: Array, gain: Array, bias: Array | None = None) -> Array:
    """Vectors times a gain, plus a bias, rounded once."""
    return a.multiply(vectors, gain) if bias is None else a.products((vectors, gain), (bias, a.number(1)))


def heads_of(vectors: Array, heads: int) -> Array:
    """Vectors (batch, numbers) as (batch, heads, numbers of a head)."""
    return vectors.reshape(len(vectors), heads, vectors.shape[1] // heads)


def joined(vectors: Array) -> Array:
    """The opposite: (batch, numbers)."""
    return vectors.reshape(len(vectors), vectors.shape[1] * vectors.shape[2])


def convolved(a: Operations, carried: Array, inputs: Array, kernel: Array, bias: Array) -> tuple[Array, Array]:
    """The inputs to carry, and the convolution of each channel over this input and the last few, plus a bias.

    What is carried has shape (batch, positions less one, channels), the oldest first; the kernel (channels, positions).
    """
    held = np.concatenate([carried, inputs[:, None]], axis=1)
    pairs = ((held[:, place], kernel[:, place]) for place in range(held.shape[1]))
    return held[:, 1:], a.products(*pairs, (bias, a.number(1)))


def mixed(a: Operations, inputs: Array, change: Array, share: Array) -> Array:
    """The inputs plus a share of what the last ones differ from them."""
    return a.products((inputs, a.number(1)), (change, share))


def stabilised(a: Operations, enter: Array, forget: Array, largest: Array, fresh: Array) -> tuple[Array, Array, Array]:
    """Gates exp(enter) and sigmoid(forget), both divided by exp of a running maximum: (maximum, admit, keep).

    Where nothing was carried before (``fresh``) the maximum is ``enter``.
    """
    one, less = a.number(1), a.number(-1)
    kept = a.subtract(a.number(0), a.apply("softplus", a.subtract(a.number(0), forget)))
    maximum = np.where(fresh, enter, np.maximum(enter, a.add(kept, largest)))
    kept, largest = np.where(fresh, 0, kept), np.where(fresh, maximum, largest)
    admit = a.fade((enter, one), (maximum, less))
    return maximum, admit, a.fade((kept, one), (largest, one), (maximum, less))
