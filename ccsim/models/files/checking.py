"""Whether a model was read as its owner runs it: scores on a few words, recorded there and compared here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.files.description import Description
from ccsim.models.files.floats import float_scores
from ccsim.models.files.graph_parts import GraphParts
from ccsim.models.files.npz import read_npz
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.model import score_of_each

__all__ = ["Recorded", "read_check", "record_check", "require_scores"]

TOLERANCE = 1e-3  # of the largest score; a model in single precision is far nearer, one that is read wrongly far off


@dataclass(frozen=True, eq=False)
class Recorded:
    """Words and what a model said on them.

    Attributes:
        words: ids of tokens, shape (words, N), as the model reads them.
        scores: its read-out at the last position, shape (words, outputs), before any softmax.
    """

    words: Array
    scores: Array

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
    recorded: Recorded, parts: RecurrentParts | AttentionParts | GraphParts, description: Description
) -> int:
    """How many words were compared; :class:`~ccsim.errors.InputError` that shows the first word that differs."""
    place = {number: rank for rank, number in enumerate(description.ids)}
    unknown = sorted(set(recorded.words.reshape(-1).tolist()) - set(place))
    if unknown:
        raise InputError("check", unknown[:6], "words of tokens that the description names")
    ranks = np.vectorize(place.__getitem__, otypes=[np.int64])(recorded.words)
    ranks = np.roll(ranks, len(description.padding), axis=1)
    ours = score_of_each(float_scores(parts, ranks), len(description.answers))
    theirs = recorded.scores
    if description.read_out.rows is not None and theirs.shape[1] > ours.shape[1]:
        theirs = theirs[:, list(description.read_out.rows)]
    if theirs.shape[1] == 1 and ours.shape[1] == 2:
        ours = ours[:, 1:] - ours[:, :1]
    if theirs.shape != ours.shape:
        raise InputError("check", recorded.scores.shape, f"{ours.shape[1]} scores for each word")
    apart = np.abs(theirs - ours).max(axis=1)
    if (apart > TOLERANCE * max(1.0, float(np.abs(theirs).max()))).any():
        word = int(np.argmax(apart))
        expected = f"{np.round(ours[word], 6).tolist()}, as the tensors are read here: the description does not fit"
        raise InputError(f"check: scores of word {word}", np.round(theirs[word], 6).tolist(), expected)
    return len(ours)
