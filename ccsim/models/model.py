"""What every sequence model is, and models of layers of rows."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from ccsim.arithmetic import IntArray, Precision
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
    """Whether its answers are the same on every machine, so that what is found on all words is proved."""

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
        """Keep alphabet and answers as tuples, or raise :class:`~ccsim.errors.InputError` if they are none."""
        for argument in ("alphabet", "answers"):
            object.__setattr__(self, argument, require_symbols(argument, getattr(self, argument)))

    def keep_rule(self, rule: str) -> None:
        """Say how its scores became an answer, where whoever made it knows that."""
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


def score_of_each(scores: Array, answers: int, threshold: float = 0.0) -> Array:
    """The scores (..., answers) from those that a model gives: one of two answers is the second's, against a threshold.

    >>> score_of_each(np.array([[-1.0], [np.inf], [np.nan]]), 2).tolist()
    [[0.0, -1.0], [0.0, inf], [0.0, nan]]
    """
    if answers != 2 or scores.shape[-1] != 1:
        return scores
    return np.concatenate([np.full_like(scores, threshold), scores], axis=-1)


def largest_score(scores: Array) -> Array:
    """The answer codes (...) of scores (..., answers): the first largest; ``NO_ANSWER`` where one of them is NaN.

    What frameworks make of NaN depends on where they are asked: ``torch.argmax`` of scores, like NumPy's and JAX's,
    takes the first NaN for the largest, of their softmax it takes the first answer, and a comparison with 0 is false.

    >>> largest_score(np.array([[1.0, 2.0], [0.0, np.inf], [0.0, np.nan]])).tolist()
    [1, 1, -1]
    """
    codes = np.asarray(scores.argmax(axis=-1), dtype=np.int64)
    return np.where(np.isnan(scores).any(axis=-1), NO_ANSWER, codes) if scores.dtype.kind == "f" else codes


def renamed_codes(renamed: Array, codes: Array) -> Array:
    """Answer codes of a model in those of others, as ``codes_among`` tells them; no answer stays none."""
    codes = np.asarray(codes)
    return np.where(codes == NO_ANSWER, NO_ANSWER, renamed[codes])


def blocks(count: int, size: int) -> Iterator[slice]:
    """Consecutive slices of at most ``size`` places that make up ``count``."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


BLOCK_NUMBERS = 1 << 20  # how many logits, and numbers of rows, are held at once
MOST_ROWS = 20  # the longest word of which all rows are read at once


class Attention(Protocol):
    """What stands in a layer: an attention unit, several heads, or attention of higher order."""

    @property
    def precision(self) -> Precision:
        """Of the outputs."""

    def __call__(self, inputs: IntArray) -> IntArray:
        """All rows of the outputs (..., N, value width), for rows (..., N, width)."""

    def output_row(self, inputs: IntArray, row: int) -> IntArray:
        """One row of the outputs, counted from 1."""


@dataclass(frozen=True, eq=False)
class RowLayer:
    """Attention, then a function of each row and what attention gives there.

    Attributes:
        attention: what mixes the rows.
        join: from rows (..., width) and outputs (..., value width), integers, to the next rows (..., next width).
    """

    attention: Attention
    join: Callable[[IntArray, IntArray], IntArray]


@dataclass(frozen=True, eq=False)
class RowModel(SequenceModel):
    """Layers of attention on the rows of a word; the last one's output at a row becomes the answer.

    Attributes:
        name: what it is called.
        alphabet: the symbols; a symbol's place is its rank.
        answers: the possible answers about one row.
        length: how many symbols a word has.
        rows: from ranks (..., N) to integers (..., rows, width): what stands for each symbol, then rows of no symbol.
        layers: one or more; what the last one's ``join`` gives is one number, the code of the answer.
        row: which row is asked, counted from 1; None asks for all N, and the answer is the tuple of theirs.
    """

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    length: int
    rows: Callable[[IntArray], IntArray] = field(repr=False)
    layers: tuple[RowLayer, ...] = field(repr=False)
    row: int | None = 1
    _base: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "alphabet", require_symbols("alphabet", self.alphabet))
        object.__setattr__(self, "layers", tuple(self.layers))
        if not self.layers:
            raise InputError("layers", self.layers, "one or more layers")
        require_integer("length", self.length, low=1)
        single = require_symbols("answers", self.answers)
        if self.row is not None:
            require_integer("row", self.row, low=1, high=self.length)
        elif self.length > MOST_ROWS:
            raise InputError("row", self.row, f"one row, as all of {self.length} have too many answers")
        answers = single if self.row is not None else tuple(itertools.product(single, repeat=self.length))
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "_base", len(single))

    @property
    def precision(self) -> Precision:
        """Of the first layer."""
        return self.layers[0].attention.precision

    def codes(self, words: Array) -> Array:
        """The answer codes (...), int64, of words (..., N)."""
        words = require_words(words, len(self.alphabet), self.length)
        flat = words.reshape(-1, self.length)
        codes = np.empty(len(flat), dtype=np.int64)
        for place in blocks(len(flat), max(1, BLOCK_NUMBERS // (self.length + 1) ** 2)):
            codes[place] = self._codes(flat[place])
        return codes.reshape(words.shape[:-1])

    def _codes(self, words: IntArray) -> IntArray:
        rows = self.layered(words)
        last = self.layers[-1]
        if self.row is not None:
            outputs = last.attention.output_row(rows, self.row)
            return np.asarray(last.join(rows[:, self.row - 1], outputs)[..., 0])
        single = last.join(rows, last.attention(rows))[:, : self.length, 0]
        powers = self._base ** np.arange(self.length)[::-1]
        return np.asarray(single @ powers)

    def layered(self, words: IntArray) -> IntArray:
        """The rows (batch, rows, width) that the last layer is given for words (batch, N)."""
        rows = self.rows(words)
        for layer in self.layers[:-1]:
            rows = layer.join(rows, layer.attention(rows))
        return rows
