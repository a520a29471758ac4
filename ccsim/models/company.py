"""Whether a word is answered alone as among others: a forward pass must not mix the words of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError
from ccsim.models.forward_pass import ForwardPass

MOST = 48
"""So many words are run alone."""

STEPS = 64 * 2.0**-23  # of the largest score: what rounding in single precision explains, at first sight
LOOSE = 2.0**-10  # where no copy in double precision can be run that would tell rounding from mixing
EXACT = 2.0**-30  # of the largest score, in double precision


def some_rows(words: Array) -> Array:
    """At most so many different words, from all over."""
    rows = np.unique(words, axis=0) if len(words) <= 1 << 14 else words
    found: Array = rows[np.unique(np.linspace(0, len(rows) - 1, MOST).astype(int))]
    return found


def require_alone(forward: ForwardPass, ids: Array) -> float:
    """By how much scores of the same word differ at most, by rounding alone.

    The words are run together, twice; in another order; in other company; and each alone. Differences that rounding
    does not explain raise :class:`~ccsim.errors.InputError`: in single precision beyond some last places, which a copy
    in double precision confirms where it can be made.
    """
    together = forward.run(ids)
    found = _apart(together, forward.run(ids))
    if found > STEPS:
        raise InputError(
            "forward",
            "the same words in the same order, run twice",
            "the same scores: it is random (dropout that eval() does not end), or keeps a state from call to call",
        )
    turned = np.arange(len(ids))[::-1]
    ways: list[tuple[str, Callable[[bool], Array]]] = [
        ("in another order", lambda double: forward.run(ids[turned], double)[turned]),
        ("in other company", lambda double: _in_halves(forward, ids, double)),
        ("alone", lambda double: np.concatenate([_alone(forward, row[None], double) for row in ids])),
    ]
    largest = found
    for told, run in ways:
        apart = _apart(together, run(False))
        if apart > STEPS and not _is_rounding(forward, ids, run, apart):
            raise InputError("forward", f"a word {told}", f"the scores that it has among {len(ids)}{_advice(forward)}")
        largest = max(largest, apart)
    return largest


def _in_halves(forward: ForwardPass, ids: Array, double: bool) -> Array:
    """Scores of every second word together, and of the others beside copies of the first."""
    even, odd = ids[::2], ids[1::2]
    first = forward.run(even, double)
    found = np.empty((len(ids), *first.shape[1:]))
    found[::2] = first
    if len(odd):
        found[1::2] = forward.run(np.concatenate([odd, ids[:1], ids[:1], ids[:1]]), double)[: len(odd)]
    return found


def _alone(forward: ForwardPass, row: Array, double: bool) -> Array:
    try:
        return forward.run(row, double)
    except InputError as error:
        raise InputError("forward", f"a word alone ({error.value!r})", "to run one word as it runs many") from error


def _apart(one: Array, two: Array) -> float:
    """The largest difference, as a part of the largest score; infinite where only one of them is a number."""
    same = (one == two) | (np.isnan(one) & np.isnan(two))
    if same.all():
        return 0.0
    if not (np.isfinite(one) | same).all() or not (np.isfinite(two) | same).all():
        return np.inf
    scale = np.abs(one[np.isfinite(one)]).max(initial=1e-300)
    return float(np.abs(np.where(same, 0, one - two)).max() / scale)


def _is_rounding(forward: ForwardPass, ids: Array, run: Callable[[bool], Array], apart: float) -> bool:
    """Whether in double precision the difference is gone; where that cannot be run, whether it is small."""
    if forward.module is None:
        return apart < LOOSE
    try:
        return _apart(forward.run(ids, True), run(True)) < EXACT
    except Exception:  # a copy of people's own module can fail in any way
        return apart < LOOSE


def _advice(forward: ForwardPass) -> str:
    """What may be the cause, as far as the parts of the module tell."""
    told = ": the words of a batch are mixed"
    parts: list[tuple[str, Any]] = [] if forward.module is None else list(forward.module.named_modules())
    batches = [name or "itself" for name, each in parts if getattr(each, "batch_first", None) is False]
    norms = [name for name, each in parts if getattr(each, "track_running_stats", None) is False]
    if batches and not forward.sequence_first:
        return (
            f"{told}; {batches[0]!r} has batch_first=False and takes the first axis, that of the words, for positions:"
            " set batch_first=True, or say --sequence-first (sequence_first=True) if forward takes (N, batch)"
        )
    if batches:
        return f"{told}; {batches[0]!r} has batch_first=False, and --sequence-first was said"
    return f"{told}; {norms[0]!r} has track_running_stats=False" if norms else told
