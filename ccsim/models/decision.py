"""How the scores of a model become an answer: a rule that is part of the task, and that is said."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError
from ccsim.models.model import NO_ANSWER, largest_score

ANOTHER_SET = "another set"
"""The answer of a model that chooses a set which is none of the task's answers."""

HALF, LOG_2 = 0.5, log(2)
CLOSE = 1e-3  # sums of probabilities, in whatever format, are no further from 1


class Decision:
    """From scores (..., outputs) to answer codes.

    The second of two answers is given where a single score is above a threshold. Where the answers are sets (frozen
    sets of symbols, or tuples of 0 and 1), each output says whether its symbol is in the set, by the same threshold. Of
    other scores the largest counts. Without a threshold it is 0.5 if all scores that were met lie in [0, 1], else 0,
    and :class:`~ccsim.errors.InputError` is raised where that makes a difference on a word that was met.

    Attributes:
        answers: of the task, in the order of the scores.
        threshold: which was asked for, or None.
        members: where answers are sets, which outputs are in each, (answers, outputs); else None.

    >>> one = Decision((0, 1), "ab", None)
    >>> one.codes(np.array([[0.2], [0.9]])).tolist(), one.rule
    ([0, 1], '1 where the single score is above 0.5 (no threshold was given, and all scores met lie in [0, 1])')
    """

    def __init__(self, answers: Sequence[Hashable], alphabet: Sequence[Hashable], threshold: float | None) -> None:
        real = isinstance(threshold, int | float) and not isinstance(threshold, bool) and abs(threshold) < np.inf
        if threshold is not None and not real:
            raise InputError("threshold", threshold, "a number")
        self.answers, self.threshold = tuple(answers), threshold
        self.members = members_of(self.answers, alphabet)
        self._outside: float | None = None  # a score outside [0, 1] that was met
        self._between: float | None = None  # one on which 0 and 0.5 differ
        self._between_logs: float | None = None  # one on which 0 and log 0.5 differ
        self._positive = False  # whether a score above 0 was met
        self._outputs, self._sums = 0, set[str]()

    def fits(self, outputs: int) -> bool:
        """Whether so many scores can be read."""
        as_sets = self.members is not None and outputs == self.members.shape[1]
        return as_sets or outputs == len(self.answers) or (outputs == 1 and len(self.answers) == 2)

    @property
    def wanted(self) -> str:
        """How many scores can be read, for people."""
        sets = "" if self.members is None else f"{self.members.shape[1]} outputs, one for each symbol of a set, or "
        return f"{sets}{len(self.answers)} outputs, one for each answer{', or a single one' * (len(self.answers) == 2)}"

    @property
    def _are_sets(self) -> bool:
        """Whether each output speaks of one symbol."""
        return self.members is not None and self._outputs == self.members.shape[1]

    @property
    def is_largest(self) -> bool:
        """Whether the largest score counts, not a threshold."""
        return not self._are_sets and (self._outputs != 1 or len(self.answers) != 2)

    @property
    def level(self) -> float:
        """The threshold."""
        return HALF if self.threshold is None else float(self.threshold)

    @property
    def settled(self) -> float:
        """The threshold that the rule says, after scores were met."""
        return self.level if self.threshold is not None or self._outside is None else 0.0

    def codes(self, scores: Array) -> Array:
        """Answer codes (...) of scores (..., outputs); ``NO_ANSWER`` where one of them is NaN."""
        self._outputs = scores.shape[-1]
        if self.is_largest:
            if self.threshold is not None:
                raise InputError("threshold", self.threshold, f"none: of {self._outputs} scores the largest counts")
            self._sums |= _kinds(scores)
            return largest_score(scores)
        if self.threshold is None:
            self._meet(scores)
        above = scores > self.level
        if self.members is None or not self._are_sets:
            codes = above[..., 0].astype(np.int64)
        else:
            same = (above[..., None, :] == self.members).all(axis=-1)
            codes = np.where(same.any(axis=-1), same.argmax(axis=-1), len(self.answers))
        return np.where(np.isnan(scores).any(axis=-1), NO_ANSWER, codes)

    def margins(self, scores: Array) -> Array:
        """By how much scores would have to move for another answer, (...)."""
        self._outputs = scores.shape[-1]
        if self.is_largest:
            ordered = np.sort(scores, axis=-1)
            return np.asarray(ordered[..., -1] - ordered[..., -2] if scores.shape[-1] > 1 else ordered[..., 0] + np.inf)
        levels = np.array([0.0, HALF] if self.threshold is None else [self.threshold])
        return np.asarray(np.abs(scores[..., None] - levels).min(axis=(-1, -2)))

    def _meet(self, scores: Array) -> None:
        """Remember scores on which the two usual rules differ; both kinds at once leave no rule."""
        outside, between = (scores < 0) | (scores > 1), (scores > 0) & (scores <= HALF)
        if self._outside is None and outside.any():
            self._outside = float(scores[outside][0])
        if self._between is None and between.any():
            self._between = float(scores[between][0])
        logs = (scores > -LOG_2) & (scores <= 0)
        self._positive |= bool((scores > 0).any())
        if self._between_logs is None and logs.any():
            self._between_logs = float(scores[logs][0])
        if self._outside is not None and self._between is not None:
            met = f"{self._between:.4g} and {self._outside:.4g} were met"
            expected = (
                f"--threshold (threshold=): what a single score means is not clear. {met}: of the first, 'above 0' and"
                " 'above 0.5' are different answers, and the second is no probability. Say 0 for logits (and for"
                " targets -1 and 1), 0.5 for targets 0 and 1"
            )
            raise InputError("threshold", None, expected)

    def require_clear(self) -> None:
        """Raises :class:`~ccsim.errors.InputError` if all scores may be logarithms of probabilities, and it matters."""
        negative = self._outside is not None and not self._positive
        if self.threshold is None and negative and self._between_logs is not None:
            expected = (
                f"--threshold (threshold=): no score that was met is above 0, and {self._between_logs:.4g} is above the"
                " logarithm of 0.5. Say 0 for logits, -0.6931 for logarithms of probabilities"
            )
            raise InputError("threshold", None, expected)

    @property
    def rule(self) -> str:
        """How scores became answers so far, in words."""
        if not self._outputs:
            return ""
        if self.is_largest:
            return f"the largest of {self._outputs} scores{_told(self._sums)}"
        what = "its own score is" if self._are_sets else "the single score is"
        who = "each symbol is in the set" if self._are_sets else f"{self.answers[1]}"
        return f"{who} where {what} {self._level_text}"

    @property
    def _level_text(self) -> str:
        if self.threshold is not None:
            return f"above {self.threshold:g}, as was asked for"
        if self._outside is None:
            return "above 0.5 (no threshold was given, and all scores met lie in [0, 1])"
        return "above 0 (no threshold was given; above 0.5 is the same for all scores met)"


def _kinds(scores: Array) -> set[str]:
    """What scores seem to be, by their sums."""
    if not np.isfinite(scores).all() or not scores.size:
        return {"scores"}
    inside, below = bool(((scores >= 0) & (scores <= 1)).all()), bool((scores <= 0).all())
    if inside and bool((np.abs(scores.sum(axis=-1) - 1) < CLOSE).all()):
        return {"probabilities"}
    if below and bool((np.abs(np.exp(scores).sum(axis=-1) - 1) < CLOSE).all()):
        return {"log-probabilities"}
    return {"numbers in [0, 1]"} if inside else {"scores"}


def _told(kinds: set[str]) -> str:
    if kinds == {"probabilities"} or kinds == {"log-probabilities"}:
        return f", which are {next(iter(kinds))}"
    if kinds <= {"probabilities", "numbers in [0, 1]"}:
        return ", all in [0, 1], which do not add up to 1"
    return ""


def members_of(answers: Sequence[Hashable], alphabet: Sequence[Hashable]) -> Array | None:
    """Where all answers are sets: which outputs are in each, (answers, outputs); else None.

    Tuples of 0 and 1 say it themselves. Of frozen sets the outputs are the symbols of the alphabet in its order, behind
    them whatever else is in a set, such as an end of the word.

    >>> members_of((frozenset("("), frozenset("()")), "()").tolist()
    [[True, False], [True, True]]
    """
    if not all(isinstance(answer, tuple | frozenset) for answer in answers):
        return None
    if all(isinstance(answer, frozenset) for answer in answers):
        sets: list[Any] = list(answers)
        inside = {each for answer in sets for each in answer}
        symbols = [*alphabet, *sorted(inside - set(alphabet), key=str)]
        if inside and all(type(each) is int for each in inside - set(alphabet)) and not inside & set(alphabet):
            symbols = list(range(max(inside) + 1))  # the numbers of the outputs
        return np.array([[symbol in answer for symbol in symbols] for answer in sets])
    tuples: list[Any] = list(answers)
    alike = len({len(answer) for answer in tuples}) == 1 and all(isinstance(answer, tuple) for answer in answers)
    whole = alike and all(each in (0, 1) for answer in tuples for each in answer)
    return np.array(tuples, dtype=bool) if whole and len(tuples[0]) else None
