"""A word on which a model is wrong, and the collision of states, transcripts or symbols that made it so."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ccsim.errors import Array, InputError
from ccsim.models.encoded import EncodedUnit
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.sequence.task import SequenceTask


def transcripts(model: SequenceModel, words: Array, owners: str) -> Array:
    """What the two parties of the max-logit softmax protocol say on words of model ranks, one row of integers each.

    ``owners`` has a letter A or B for each position. A row holds the symbol at the last position; for each head the
    largest logit of Alice's positions and of Bob's, her sum of exponentials and his; and her weighted sums of values
    (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 4). Bob adds his own weighted sums and knows the answer; so on
    two words with equal rows, Alice's part of one with Bob's of the other is answered as the whole of the other.
    """
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model.name, "a one-layer transformer")
    count, places = len(words), np.arange(model.length)
    last = words[:, -1].astype(np.int64)
    logits = model.logit_table[:, last[:, None], places[None], words]  # (heads, words, positions)
    sides = [np.array([owner == letter for owner in owners]) for letter in "AB"]
    low = model.precision.low
    maxima = [logits[:, :, side].max(axis=2, initial=low) for side in sides]
    exponentials = model.exponentials(logits - np.maximum(*maxima)[:, :, None])
    sums = [exponentials[:, :, side].sum(axis=2) for side in sides]
    weights = model.weights(exponentials, (sums[0] + sums[1])[:, :, None])[:, :, sides[0]]
    values = model.value_table[:, places[None], words][:, :, sides[0]]  # (heads, words, own positions, head width)
    kind = np.int64 if model.largest_head_sum < 1 << 62 else object
    said = (weights.astype(kind)[..., None] * values.astype(kind)).sum(axis=2)
    parts = [*maxima, *sums, *np.moveaxis(said, 2, 0)]
    return np.concatenate([last[:, None], *(np.asarray(part).T.reshape(count, -1) for part in parts)], axis=1)


Word = tuple[Hashable, ...]

EVERYWHERE = "right at every position"
"""What is wanted where every position is asked about; any other answer is the first position that is wrong."""


@dataclass(frozen=True)
class StateCollision:
    """Two prefixes after which a recurrent model is in the same state, and an end for which the task tells them apart.

    Whatever the model answers, it is wrong on one of the two words.

    Attributes:
        prefixes: the two prefixes.
        suffix: what follows both.
        answers: what the task wants on the two words.
        state: the state of the model after either prefix, as mantissas.
    """

    kind: ClassVar[str] = "state"
    prefixes: tuple[Word, Word]
    suffix: Word
    answers: tuple[Any, Any]
    state: tuple[int, ...]

    @property
    def words(self) -> tuple[Word, Word]:
        """The two words."""
        return self.prefixes[0] + self.suffix, self.prefixes[1] + self.suffix

    def holds(self, model: SequenceModel, task: SequenceTask) -> bool:
        """Whether it does: the model is run on both prefixes, and the task on both words."""
        if not isinstance(model, RecurrentModel) or self.answers[0] == self.answers[1]:
            return False
        states = [model.run(model_ranks(model, prefix)[None])[0] for prefix in self.prefixes]
        return (
            all(tuple(state.tolist()) == self.state for state in states) and wanted(task, *self.words) == self.answers
        )

    def __str__(self) -> str:
        one, two, end = (show(part) for part in (*self.prefixes, self.suffix))
        told = " and ".join(map(repr, self.answers))
        return f"after {one} and after {two} the model is in the same state; followed by {end} they want {told}"


@dataclass(frozen=True)
class TranscriptCollision:
    """Two words with one answer and one transcript of the softmax protocol, and a word made of a part of each.

    Both parties say the same on both words: the symbol at the last position, the largest logits, both sums of
    exponentials, and Alice's weighted sums. So they also say it on the word that has Alice's part of one and Bob's of
    the other, on which the model then answers the same, though the task does not.

    Attributes:
        partition: who holds which position, a letter A or B each.
        words: the two words.
        cross: Alice's part of the first and Bob's of the second.
        answers: what the task wants on the first word, on the second, and on the crossed one.
        transcript: what is said: the numbers named above, in that order.
    """

    kind: ClassVar[str] = "transcript"
    partition: str
    words: tuple[Word, Word]
    cross: Word
    answers: tuple[Any, Any, Any]
    transcript: tuple[int, ...]

    def holds(self, model: SequenceModel, task: SequenceTask) -> bool:
        """Whether it does: both transcripts are worked out again, the model and the task are run on all words."""
        if len({len(part) for part in (self.partition, self.cross, *self.words)}) > 1 or not set(self.partition) <= set(
            "AB"
        ):
            return False
        owners, ranks = self.partition, np.stack([model_ranks(model, word) for word in self.words])
        crossed = tuple(self.words[owner == "B"][place] for place, owner in enumerate(owners))
        said = {tuple(row.tolist()) for row in transcripts(model, ranks, owners)}
        given = [model(word) for word in (self.words[1], self.cross)]
        return (
            crossed == self.cross
            and said == {self.transcript}
            and wanted(task, *self.words, self.cross) == self.answers
            and self.answers[0] == self.answers[1] != self.answers[2]
            and given[0] == given[1]
        )

    def __str__(self) -> str:
        one, two, cross = (show(part) for part in (*self.words, self.cross))
        return (
            f"on {one} and {two} the parties ({self.partition}) say the same, so the model answers {cross} as it "
            f"answers the second; they want {self.answers[0]!r}, it wants {self.answers[2]!r}"
        )


@dataclass(frozen=True)
class SymbolCollision:
    """Two symbols of which an attention unit sees the same in its row, and two words that differ in them alone.

    Query, key and value are the same, so is the answer; the task wants different ones.

    Attributes:
        row: the row, counted from 1.
        words: the two words.
        answers: what the task wants on them.
        seen: query, key and value of either symbol, head by head, as mantissas.
    """

    kind: ClassVar[str] = "symbol"
    row: int
    words: tuple[Word, Word]
    answers: tuple[Any, Any]
    seen: tuple[int, ...]

    def holds(self, model: SequenceModel, task: SequenceTask) -> bool:
        """Whether it does: what the unit sees is worked out again, and the task is run on both words."""
        if not isinstance(model, EncodedUnit) or model.row != self.row or self.answers[0] == self.answers[1]:
            return False
        one, two = self.words
        if len(one) != len(two):
            return False
        differ = [place for place, (a, b) in enumerate(zip(one, two, strict=True), start=1) if a != b]
        ranks = [model.alphabet.index(word[self.row - 1]) for word in self.words]
        said = [tuple(row) for row in model.seen()[ranks].tolist()]
        return differ == [self.row] and wanted(task, *self.words) == self.answers and said == [self.seen, self.seen]

    def __str__(self) -> str:
        one, two = (show(word) for word in self.words)
        told = " and ".join(map(repr, self.answers))
        return f"in row {self.row} of {one} and of {two} the unit sees the same; they want {told}"


Collision = StateCollision | TranscriptCollision | SymbolCollision


@dataclass(frozen=True)
class Failure:
    """A word on which the model is wrong.

    Attributes:
        word: the word.
        answer: what the model answers; None if it gives no answer, as one of its scores is NaN.
        right: what the task wants.
        found_by: how the word was found.
        collision: why the model had to be wrong somewhere, if that is how it was found.
    """

    word: Word
    answer: Any
    right: Any
    found_by: str
    collision: Collision | None = None

    @classmethod
    def of(
        cls,
        model: SequenceModel,
        task: SequenceTask,
        word: Word,
        found_by: str,
        collision: Collision | None = None,
    ) -> Failure | None:
        """The failure on a word, by running model and task on it once; None if the model is right there."""
        answer, right = model(word), task(task.words.word(word))
        if right is None or answer == right:
            return None
        return cls(word, answer, right, found_by, collision)

    @classmethod
    def by(
        cls, collision: Collision, words: Iterable[Word], model: SequenceModel, task: SequenceTask, found_by: str
    ) -> Failure:
        """The failure that a collision promises, on one of these words."""
        for word in words:
            failure = cls.of(model, task, word, found_by, collision)
            if failure is not None:
                return failure
        raise ArithmeticError(f"a {collision.kind} collision without a wrong answer: {collision}")

    def holds(self, model: SequenceModel, task: SequenceTask) -> bool:
        """Whether it does: model and task are run on the word once, and the collision is checked."""
        right = task(task.words.word(self.word))
        return (
            right is not None
            and right == self.right
            and model(self.word) == self.answer != right
            and (self.collision is None or self.collision.holds(model, task))
        )

    def __str__(self) -> str:
        if self.right == EVERYWHERE:
            return f"on {show(self.word)} it is wrong after {self.answer} of its symbols ({self.found_by})"
        return f"on {show(self.word)} it {answers_text(self.answer)}, not {self.right!r} ({self.found_by})"


def answers_text(answer: Any) -> str:
    """What a model does on a word, for people.

    >>> answers_text(1), answers_text(None)
    ('answers 1', 'gives no answer, as a score is NaN')
    """
    return "gives no answer, as a score is NaN" if answer is None else f"answers {answer!r}"


def wanted(task: SequenceTask, *words: Word) -> tuple[Any, ...]:
    return tuple(task(task.words.word(word)) for word in words)


def show(word: Word) -> str:
    """A word for people; of a long one, both ends.

    >>> show(tuple("abba")), show(("0", "1", 2)), len(show(tuple("ab" * 200)))
    ('abba', '0 1 2', 103)
    """
    if any(isinstance(symbol, str) and not symbol.isprintable() for symbol in word):
        return show(tuple(symbol if str(symbol).isprintable() else repr(symbol) for symbol in word))
    joint = "" if all(isinstance(symbol, str) and len(symbol) == 1 for symbol in word) else " "
    text = joint.join(map(str, word)) or "nothing"
    return text if len(text) <= 120 else f"{text[:60]} ... {text[-24:]} ({len(word)} symbols)"


def model_ranks(model: SequenceModel, word: Word) -> Any:
    """The ranks of any symbols, not only of a whole word."""
    return np.array([*map(model.alphabet.index, word)], dtype=np.int64)
