"""Whether a model was read as its owner runs it: scores on a few words, recorded there and compared here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.floats import float_scores
from ccsim.models.files.npz import read_npz
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.model import score_of_each

SINGLE = 2.0**-24
"""The relative error of one rounding to single precision."""

NUDGE = 2.0**-20
"""Relative changes of all numbers, which show how much of a rounding error arrives at the scores."""

ROUNDINGS = 16
"""So many roundings are allowed for at each position of a word, and at so many positions more."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """Words and what a model said on them.

    Attributes:
        words: ids of tokens, shape (words, N), as the model reads them.
        scores: its read-out at the last position, shape (words, outputs), before any softmax.
        rounding: the relative error of one rounding of the arithmetic that they were computed in.
        after: what was done to the scores of the read-out, a function of arrays, or None.
        expected: what is wrong where they are not those of the tensors as they are read.
    """

    words: Array
    scores: Array
    rounding: float = SINGLE
    expected: str = "the description does not fit"
    after: Any = None

    def __post_init__(self) -> None:
        words, scores = np.asarray(self.words), np.asarray(self.scores, dtype=np.float64)
        scores = scores[:, None] if scores.ndim == 1 else scores
        if words.dtype.kind not in "iu" or words.ndim != 2 or not words.size:
            raise InputError("words", (words.shape, str(words.dtype)), "ids of tokens, integers of shape (words, N)")
        if scores.ndim != 2 or len(scores) != len(words) or not np.isfinite(scores).all():
            raise InputError("scores", scores.shape, f"finite numbers of shape ({len(words)}, outputs)")
        object.__setattr__(self, "words", words.astype(np.int64))
        object.__setattr__(self, "scores", scores)


def record_check(path: str | Path, words: Any, scores: Any) -> None:
    """Write an .npz file for the entry ``check`` of a description.

    Args:
        path: the file.
        words: ids of tokens as your model reads them, shape (words, N); NumPy arrays or lists.
        scores: what it says at the last position (logits), shape (words, outputs); for one output also (words,).
    """
    recorded = Recorded(np.asarray(words), np.asarray(scores, dtype=np.float64))
    np.savez(path, words=recorded.words, scores=recorded.scores)


def read_check(folder: Path, name: str) -> Recorded:
    """What :func:`record_check` wrote into a folder; :class:`~ccsim.errors.InputError` for anything else."""
    path = folder / name
    if Path(name).name != name or not path.is_file():
        raise InputError("check", name, "the name of a file beside the description")
    arrays = read_npz(path)
    if set(arrays) != {"words", "scores"}:
        raise InputError("check", sorted(arrays), "the two arrays words and scores")
    return Recorded(np.asarray(arrays["words"]), np.asarray(arrays["scores"]))


def require_scores(
    recorded: Recorded,
    parts: RecurrentParts | AttentionParts,
    description: Description,
    tolerance: Array | None = None,
) -> Array:
    """How far each score may be off by rounding alone, shape (outputs,); an error if one is further off on a word.

    Every rounding changes a number by at most a part of it, ``recorded.rounding``. So much of such changes arrives at
    the scores as random relative changes of all numbers of the model show; on it, ``ROUNDINGS`` of them at each
    position are allowed for. Where the two best scores are further apart than that the answers are then the same.

    Raises :class:`~ccsim.errors.InputError` that shows the first word that differs, and where no word has a best score
    that rounding could not have chosen: then nothing was compared.
    """
    place = {number: rank for rank, number in enumerate(description.ids)}
    unknown = sorted(set(recorded.words.reshape(-1).tolist()) - set(place))
    if unknown:
        raise InputError("check", unknown[:6], "words of tokens that the description names")
    ranks = np.vectorize(place.__getitem__, otypes=[np.int64])(recorded.words)
    ranks = np.roll(ranks, len(description.padding), axis=1)
    theirs = recorded.scores
    all_ours = score_of_each(float_scores(parts, ranks), len(description.answers))
    if description.read_out.rows is not None and theirs.shape[1] > all_ours.shape[1]:
        theirs = theirs[:, list(description.read_out.rows)]
    single = theirs.shape[1] == 1 and all_ours.shape[1] == 2
    ours = _told(recorded, all_ours[:, 1:] - all_ours[:, :1] if single else all_ours)
    if theirs.shape != ours.shape:
        raise InputError("check", recorded.scores.shape, f"{ours.shape[1]} scores for each word")
    if tolerance is None:
        tolerance = _tolerance(recorded, parts, ranks, len(description.answers), single)
        best = np.sort(np.concatenate([ours, np.zeros_like(ours)], axis=1) if ours.shape[1] == 1 else ours, axis=1)
        if not (best[:, -1] - best[:, -2] > 2 * tolerance.max()).any():
            told = f"of which rounding alone may change one by {tolerance.max():.3g}"
            raise InputError("check: scores", np.round(theirs[0], 9).tolist(), f"some that differ more, {told}")
    off = np.abs(theirs - ours) / np.where(tolerance > 0, tolerance, np.finfo(float).tiny)
    if not (off <= 1).all():
        word = int(np.argmax(np.where(np.isnan(off), np.inf, off).max(axis=1)))
        symbols = " ".join(str(description.tokens[number]) for number in recorded.words[word])
        one, two = ([float(f"{score:.7g}") for score in scores[word]] for scores in (theirs, ours))
        expected = f"{two}, as the tensors are read here: {recorded.expected}"
        raise InputError(f"check: scores of the word {symbols}", one, expected)
    return tolerance


def _told(recorded: Recorded, scores: Array) -> Array:
    """Scores as they are recorded."""
    return scores if recorded.after is None else np.asarray(recorded.after(scores))


def _tolerance(recorded: Recorded, parts: Any, ranks: Array, answers: int, single: bool) -> Array:
    """For each output what the roundings of one forward pass can make of it, on these words."""

    def scores(moved: Any) -> Array:
        given = score_of_each(float_scores(moved, ranks), answers)
        return _told(recorded, given[:, 1:] if single else given)

    generator, plain = np.random.default_rng(0), scores(parts)
    found = [np.abs(scores(_nudged(parts, generator)) - plain) for _ in range(2)]
    steps = ROUNDINGS * (ROUNDINGS + ranks.shape[1])
    return np.asarray(steps * recorded.rounding / NUDGE * np.max(found, axis=(0, 1)))


def _nudged(part: Any, generator: np.random.Generator) -> Any:
    """The same with a small relative change of every number in an array."""
    if isinstance(part, np.ndarray):
        return part * (1 + NUDGE * generator.choice((-1.0, 1.0), part.shape)) if part.dtype.kind in "fc" else part
    if isinstance(part, tuple):
        return tuple(_nudged(each, generator) for each in part)
    if isinstance(part, Mapping):
        return {name: _nudged(each, generator) for name, each in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        return replace(
            part, **{each.name: _nudged(getattr(part, each.name), generator) for each in fields(part) if each.init}
        )
    return part
