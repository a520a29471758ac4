"""Sequence models: their answers on words, the rule from scores to answers, and the comparison with a task."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import log
from typing import Any, ClassVar, Self

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted
from ccsim.problems.inputs import Words, sample
from ccsim.problems.sequence_tasks import BLOCK_WORDS, SequenceTask

NO_ANSWER = -1
"""The code of a model that gives no answer on a word, as one of its scores is NaN: on no word is that right."""


class SequenceModel(ABC):
    """A model that reads a word and gives an answer, the same on every machine.

    Attributes:
        name: what it is called, with its sizes.
        alphabet: the symbols that it reads, each a single token; a symbol's place is its rank.
        answers: every possible answer; an answer's place is its code.
        length: the one length that it works on, or None if it reads words of every length.
    """

    is_exact: ClassVar[bool] = True
    """Whether its answers are the same on every machine, so that a result on all words is proved."""

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    length: int | None

    @property
    def arithmetic(self) -> str:
        """How it computes, in words; nothing where no numbers are rounded, or where it is not known."""
        return ""

    @property
    def rule(self) -> str:
        """How scores become an answer, in words; nothing where that is no question."""
        return str(vars(self).get("_rule", ""))

    def _require_symbols(self) -> None:
        for argument in ("alphabet", "answers"):
            object.__setattr__(self, argument, require_symbols(argument, getattr(self, argument)))

    def keep_rule(self, rule: str) -> None:
        """Keep how its scores became an answer."""
        vars(self)["_rule"] = rule

    @property
    def manner(self) -> str:
        """How its words are run, in words."""
        return "one by one"

    @abstractmethod
    def codes(self, words: Array) -> Array:
        """The answer codes, int64 of shape (...), on words of ranks in the alphabet, of shape (..., N).

        Where a model in floating point gives no answer, the code is ``NO_ANSWER``.
        """

    def __call__(self, word: Sequence[Hashable]) -> Any:
        """The answer on one word, a text or a tuple of symbols; None if there is none, as a score is NaN."""
        return self.answer_of(int(self.codes(self.ranks(word)[None])[0]))

    def answer_of(self, code: int) -> Any:
        """The answer of a code, or None."""
        return None if code == NO_ANSWER else self.answers[code]

    def ranks(self, word: object) -> Array:
        """The ranks in the alphabet of one word's symbols, int64 of shape (N,).

        Raises :class:`~ccsim.errors.InputError` for a symbol outside the alphabet and for a wrong length.
        """
        if not isinstance(word, Sequence):
            raise InputError("word", word, "a text, or a tuple of symbols")
        self._require_length(len(word), "word", word)
        rank = {symbol: place for place, symbol in enumerate(self.alphabet)}
        for position, symbol in enumerate(word, start=1):
            if not isinstance(symbol, Hashable) or symbol not in rank:
                expected = f"at position {position} one of {sample(self.alphabet)}, not {symbol!r}"
                raise InputError("word", word, expected)
        return np.array([rank[symbol] for symbol in word], dtype=np.int64)

    def task(self, length: int | None = None, words: Words | None = None) -> SequenceTask:
        """What the model itself computes, as a task: on all words of a length over its alphabet, or on ``words``.

        Words on which it gives no answer, as a score is NaN, are not promised.
        Raises :class:`~ccsim.errors.InputError` for a length that the model does not work on, for no length where
        it works on every one, and for words with symbols outside the alphabet.
        """
        if words is None:
            length = self.length if length is None else require_integer("length", length, low=1)
            if length is None:
                raise InputError("length", length, f"a length, as {self.name} reads words of every length")
            words = Words.over(self.alphabet, length)
        elif length not in (None, len(words.positions)):
            raise InputError("length", length, f"the {len(words.positions)} positions of the words")
        self._require_length(len(words.positions), "length", len(words.positions))
        lookup = self.ranks_of(words.alphabet)

        def evaluate(rows: Array) -> Array:
            return self.codes(rows if lookup is None else lookup[rows])

        return SequenceTask(self.name, words, self.answers, evaluate, note=f"what {self.name} answers")

    def mistake(self, task: SequenceTask) -> Any:
        """The first promised word of a task, in the order of its words, on which the model answers wrongly; or None.

        Every word is tried, in blocks. The model must read all symbols of the task.
        """
        lookup = self.ranks_of(task.alphabet)
        for start in range(0, task.words.size, BLOCK_WORDS):
            stop = min(start + BLOCK_WORDS, task.words.size)
            rows = task.words.array(np.arange(stop - start) + (start if stop < 1 << 62 else np.array(start, object)))
            wanted = np.asarray(task.evaluate(rows))
            given = self.codes(rows if lookup is None else lookup[rows])
            wrong = (wanted != DONT_CARE) & (renamed_codes(self.codes_among(task.answers), given) != wanted)
            if wrong.any():
                return task.words.value(start + int(np.argmax(wrong)))
        return None

    def is_right(self, task: SequenceTask) -> bool:
        """Whether the model's answer is the task's on every promised word."""
        return self.mistake(task) is None

    def ranks_of(self, symbols: Sequence[Hashable]) -> Array | None:
        """For each of these symbols its rank in the model's alphabet; None if the two agree as they are.

        Raises :class:`~ccsim.errors.InputError` for a symbol that the model does not read.
        """
        if tuple(symbols) == self.alphabet:
            return None
        rank = {symbol: place for place, symbol in enumerate(self.alphabet)}
        for symbol in symbols:
            if symbol not in rank:
                raise InputError("symbol", symbol, f"one that {self.name} reads: {sample(self.alphabet)}")
        return np.array([rank[symbol] for symbol in symbols], dtype=np.int64)

    def codes_among(self, answers: Sequence[Hashable]) -> Array:
        """For each of the model's answer codes, the code among these answers; -2 where they lack it."""
        places = {answer: code for code, answer in enumerate(answers)}
        return np.array([places.get(answer, -2) for answer in self.answers], dtype=np.int64)

    def _require_length(self, length: int, argument: str, value: object) -> None:
        if self.length is not None and length != self.length:
            raise InputError(argument, value, f"{counted(self.length, 'symbol')}, not {length}")


def require_words(words: Any, symbols: int, length: int | None) -> Array:
    array = np.asarray(words)
    if array.dtype.kind not in "iu":
        raise InputError("words", array.dtype.name, "an array of integers, ranks of symbols")
    if array.ndim == 0 or array.shape[-1] < 1 or (length is not None and array.shape[-1] != length):
        raise InputError("words", array.shape, f"an array of shape (..., {'N' if length is None else length})")
    if array.size and (int(array.min()) < 0 or int(array.max()) >= symbols):
        wrong = int(array.min()) if int(array.min()) < 0 else int(array.max())
        raise InputError("words", wrong, f"ranks from 0 to {symbols - 1}")
    return array


def score_of_each(scores: Array, answers: int, threshold: float = 0.0) -> Array:
    if answers != 2 or scores.shape[-1] != 1:
        return scores
    return np.concatenate([np.full_like(scores, threshold), scores], axis=-1)


def largest_score(scores: Array) -> Array:
    """The answer codes (...) of scores (..., answers): the first largest; ``NO_ANSWER`` where one of them is NaN.

    What frameworks make of NaN depends on where they are asked: of scores, of their softmax, or in a comparison.
    """
    codes = np.asarray(scores.argmax(axis=-1), dtype=np.int64)
    return np.where(np.isnan(scores).any(axis=-1), NO_ANSWER, codes) if scores.dtype.kind == "f" else codes


def renamed_codes(renamed: Array, codes: Array) -> Array:
    codes = np.asarray(codes)
    return np.where(codes == NO_ANSWER, NO_ANSWER, renamed[codes])


def blocks(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


ANOTHER_SET = "another set"
"""The answer of a model that chooses a set which is none of the task's answers."""

HALF, LOG_2 = 0.5, log(2)
NORMALISED = {"probabilities", "log-probabilities"}
CLOSE = 1e-3  # sums of probabilities, in whatever format, are no further from 1


class Decision:
    """From scores (..., outputs) to answer codes.

    The second of two answers is given where a single score is above a threshold. Where the answers are sets (frozen
    sets of symbols, or tuples of 0 and 1), each output states whether its symbol is in the set, by the same threshold.
    Of other scores the largest counts. Without a threshold it is 0.5 if all scores that were met lie in [0, 1], else 0,
    and :class:`~ccsim.errors.InputError` is raised where that makes a difference on a word that was met.
    """

    def __init__(self, answers: Sequence[Hashable], alphabet: Sequence[Hashable], threshold: float | None) -> None:
        most = sys.float_info.max  # an integer may be larger
        real = isinstance(threshold, int | float) and not isinstance(threshold, bool) and abs(threshold) <= most
        if threshold is not None and not real:
            raise InputError("threshold", threshold, "a number")
        self.answers, self.threshold = tuple(answers), threshold
        self.members = members_of(self.answers, alphabet)
        self._met = dict[str, float]()  # the first score of each kind that matters for the threshold
        self._outputs, self._sums = 0, set[str]()

    def fits(self, outputs: int) -> bool:
        as_sets = self.members is not None and outputs == self.members.shape[1]
        return as_sets or outputs == len(self.answers) or (outputs == 1 and len(self.answers) == 2)

    @property
    def wanted(self) -> str:
        sets = "" if self.members is None else f"{self.members.shape[1]} outputs, one for each symbol of a set, or "
        return f"{sets}{len(self.answers)} outputs, one for each answer{', or a single one' * (len(self.answers) == 2)}"

    @property
    def _are_sets(self) -> bool:
        return self.members is not None and self._outputs == self.members.shape[1]

    @property
    def _is_largest(self) -> bool:
        return not self._are_sets and (self._outputs != 1 or len(self.answers) != 2)

    @property
    def level(self) -> float:
        if self.threshold is not None:
            return float(self.threshold)
        return 0.0 if "outside" in self._met else HALF

    def codes(self, scores: Array) -> Array:
        self._outputs = scores.shape[-1]
        if self._is_largest:
            if self.threshold is not None:
                raise InputError("threshold", self.threshold, f"none: of {self._outputs} scores the largest counts")
            self._sums.add(_kind(scores))
            return largest_score(scores)
        if self.threshold is None:
            self._meet(scores)
        above = scores > (HALF if self.threshold is None else self.threshold)
        if self.members is None or not self._are_sets:
            codes = above[..., 0].astype(np.int64)
        else:
            same = (above[..., None, :] == self.members).all(axis=-1)
            codes = np.where(same.any(axis=-1), same.argmax(axis=-1), len(self.answers))
        return np.where(np.isnan(scores).any(axis=-1), NO_ANSWER, codes)

    def margins(self, scores: Array) -> Array:
        """By how much scores would have to move for another answer, (...)."""
        self._outputs = scores.shape[-1]
        if self._is_largest:
            ordered = np.sort(scores, axis=-1)
            return np.asarray(ordered[..., -1] - ordered[..., -2] if scores.shape[-1] > 1 else ordered[..., 0] + np.inf)
        levels = np.array([0.0, HALF] if self.threshold is None else [self.threshold])
        return np.asarray(np.abs(scores[..., None] - levels).min(axis=(-1, -2)))

    def _meet(self, scores: Array) -> None:
        """Remember scores on which the two usual rules differ; both kinds at once leave no rule."""
        kinds = {
            "outside": (scores < 0) | (scores > 1),
            "between": (scores > 0) & (scores <= HALF),  # above 0, and not above 0.5
            "logarithm": (scores > -LOG_2) & (scores <= 0),  # above log 0.5, and not above 0
            "positive": scores > 0,
        }
        for kind, where in kinds.items():
            if where.any():
                self._met.setdefault(kind, float(scores[where][0]))
        if {"outside", "between"} <= self._met.keys():
            met = f"{self._met['between']:.4g} and {self._met['outside']:.4g} were met"
            expected = (
                f"--threshold (threshold=): what a single score means is not clear. {met}: of the first, 'above 0' and"
                " 'above 0.5' are different answers, and the second is no probability. Say 0 for logits (and for"
                " targets -1 and 1), 0.5 for targets 0 and 1"
            )
            raise InputError("threshold", None, expected)

    def require_clear(self) -> None:
        if {"outside", "logarithm"} <= self._met.keys() and "positive" not in self._met:
            expected = (
                "--threshold (threshold=): no score that was met is above 0, and"
                f" {self._met['logarithm']:.4g} is above the logarithm of 0.5. Say 0 for logits, -0.6931 for logarithms"
                " of probabilities"
            )
            raise InputError("threshold", None, expected)

    @property
    def rule(self) -> str:
        if not self._outputs:
            return ""
        if self._is_largest:
            kinds = self._sums
            which = f", which are {next(iter(kinds))}" if len(kinds) == 1 and kinds <= NORMALISED else ""
            if not which and kinds <= {"probabilities", "numbers in [0, 1]"}:
                which = ", all in [0, 1], which do not add up to 1"
            return f"the largest of {self._outputs} scores{which}"
        what = "its own score is" if self._are_sets else "the single score is"
        who = "each symbol is in the set" if self._are_sets else f"{self.answers[1]}"
        if self.threshold is not None:
            level = f"{self.threshold:g}, as was asked for"
        elif "outside" in self._met:
            level = "0 (no threshold was given; above 0.5 is the same for all scores met)"
        else:
            level = "0.5 (no threshold was given, and all scores met lie in [0, 1])"
        return f"{who} where {what} above {level}"


def _kind(scores: Array) -> str:
    if not np.isfinite(scores).all() or not scores.size:
        return "scores"
    inside = bool(((scores >= 0) & (scores <= 1)).all())
    if inside and bool((np.abs(scores.sum(axis=-1) - 1) < CLOSE).all()):
        return "probabilities"
    if bool((scores <= 0).all()) and bool((np.abs(np.exp(scores).sum(axis=-1) - 1) < CLOSE).all()):
        return "log-probabilities"
    return "numbers in [0, 1]" if inside else "scores"


def members_of(answers: Sequence[Hashable], alphabet: Sequence[Hashable]) -> Array | None:
    """Where all answers are sets: which outputs, symbols in order and then other members, are in each; else None."""
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


MOST_SYMBOLS = 1 << 21  # in all words that are tried at once
FEWEST = 1 << 6


@dataclass(frozen=True, eq=False)
class Comparison:
    """A model and a task: which ranks and codes mean the same (``lookup`` is None if all ranks do)."""

    model: SequenceModel
    task: SequenceTask
    lookup: Array | None
    renamed: Array

    @classmethod
    def of(cls, model: SequenceModel, task: SequenceTask) -> Self:
        renamed, texts = model.codes_among(task.answers), set(map(_text, task.answers))
        alike = any(code < 0 and _text(answer) in texts for answer, code in zip(model.answers, renamed, strict=True))
        if alike or (renamed < 0).all():
            expected = f"answers of {task.name}, which are {', '.join(map(repr, task.answers[:6]))}"
            raise InputError("model.answers", tuple(model.answers[:6]), expected)
        return cls(model, task, model.ranks_of(task.alphabet), renamed)

    def read(self, words: Array) -> Array:
        return words if self.lookup is None else self.lookup[words]

    def given(self, words: Array) -> Array:
        return self.coded(self.model.codes(self.read(words)))

    def coded(self, codes: Array) -> Array:
        return renamed_codes(self.renamed, codes)

    def wrong(self, words: Array) -> Array:
        wanted = np.asarray(self.task.evaluate(words))
        return np.asarray((wanted != DONT_CARE) & (self.given(words) != wanted))

    @cached_property
    def symbols(self) -> list[Array]:
        return self.ranks_allowed(self.task)

    @staticmethod
    def ranks_allowed(task: SequenceTask) -> list[Array]:
        known = {choices: np.array(list(map(task.alphabet.index, choices))) for choices in set(task.positions)}
        return [known[choices] for choices in task.positions]

    def word(self, ranks: Array) -> tuple[Any, ...]:
        return tuple(self.task.alphabet[int(rank)] for rank in ranks)


def _text(answer: Any) -> Any:
    return tuple(map(_text, answer)) if isinstance(answer, tuple) else str(answer)


def affordable(count: int, length: int) -> int:
    return min(count, max(FEWEST, MOST_SYMBOLS // length))


def uniform_words(symbols: list[Array], count: int, generator: np.random.Generator) -> Array:
    parts = []
    for _, group in groupby(symbols, key=id):  # positions with the same choices at once
        alike = list(group)
        parts.append(alike[0][generator.integers(0, len(alike[0]), (len(alike), count))])
    return np.ascontiguousarray(np.concatenate(parts).T)
