"""Where floating point loses the unique maximum on which hard attention rests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError

Places = npt.NDArray[np.int64]

FAR = 256
"""Positions further away are not compared; :func:`_require_reach` shows that they need not be."""

BLOCK = 1 << 8


def first_lost_maximum(dtype: npt.DTypeLike, limit: int = 1 << 18) -> int | None:
    """The first position t at which some position j < t has a score as large as t itself in this floating-point type.

    Scores are those of :func:`ngram_by_heads` for h = 0: products of the unit vectors (sqrt(1/t), sqrt(1 - 1/t)), each
    operation rounded to the type, and numbers are compared as they are. With exact numbers t always has the largest
    score alone: it leads its neighbour by about 1/(8 t^3). None if there is no such t up to ``limit``.

    >>> [first_lost_maximum(kind) for kind in ("float16", "float32", "float64")]
    [8, 123, 79684]
    """
    kind, limit = _floating(dtype), require_integer("limit", limit, low=1)
    for start in range(1, limit + 1, BLOCK):
        places = np.arange(start, min(start + BLOCK, limit + 1))[:, None]
        _require_reach(kind, int(places[-1, 0]))
        others = places - np.arange(1, FAR + 1)
        lost = ((_scores(kind, places, np.maximum(others, 1)) >= _scores(kind, places, places)) & (others >= 1)).any(
            axis=1
        )
        if lost.any():
            return int(places[np.argmax(lost), 0])
    return None


def _floating(dtype: npt.DTypeLike) -> np.dtype[Any]:
    try:
        kind = np.dtype(dtype)
    except TypeError as error:
        raise InputError("dtype", dtype, "float16, float32 or float64") from error
    if kind not in (np.float16, np.float32, np.float64):
        raise InputError("dtype", kind.name, "float16, float32 or float64")
    return kind


def _scores(kind: np.dtype[Any], places: Places, others: Places) -> Array:
    """The products of the unit vectors of positions, every step rounded to the type."""
    one = np.ones(1, dtype=kind)
    shares, other_shares = one / places.astype(kind), one / others.astype(kind)
    cosines = np.sqrt(shares) * np.sqrt(other_shares)
    return np.asarray(cosines + np.sqrt(one - shares) * np.sqrt(one - other_shares))


def _require_reach(kind: np.dtype[Any], limit: int) -> None:
    """Refuse positions at which one more than ``FAR`` away could have the score of t itself.

    Position t - w is behind by 1 - cos of an angle of at least w / (2 t^(3/2)), which is more than w^2 / (16 t^3);
    rounding moves a score by less than 8 units of 2^-p, where 1 + 2^-p is the next number of the type after 1.
    """
    step = float(np.finfo(kind).eps)
    if limit > FAR and 256 * step * limit**3 > (FAR + 1) ** 2:
        raise InputError("limit", limit, f"at most {int(((FAR + 1) ** 2 / (256 * step)) ** (1 / 3))} for {kind.name}")
