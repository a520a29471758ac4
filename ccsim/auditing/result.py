"""The result of an audit: verdict, accuracy, the failing word with its collision, requirements; and its plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, TypeVar, cast

import numpy as np

from ccsim.auditing.product_reachability import Subject, Verdicts
from ccsim.auditing.requirements import Need
from ccsim.errors import Array, InputError
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.models.transformer import OneLayerTransformer
from ccsim.plain_data import counted, json_text, long_integers, plain, printable
from ccsim.problems.sequence_tasks import SequenceTask


def transcripts(model: SequenceModel, words: Array, owners: str) -> Array:
    """The transcripts of the max-logit softmax protocol on words of model ranks, one row of integers each.

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
    sums_of_values = (weights.astype(kind)[..., None] * values.astype(kind)).sum(axis=2)
    parts = [*maxima, *sums, *np.moveaxis(sums_of_values, 2, 0)]
    return np.concatenate([last[:, None], *(np.asarray(part).T.reshape(count, -1) for part in parts)], axis=1)


Word = tuple[Hashable, ...]

EVERYWHERE = "right at every position"
"""What is wanted where every position is asked about; any other answer is the first position that is wrong."""


@dataclass(frozen=True)
class StateCollision:
    """Two prefixes with one state of a recurrent model; with a suffix the task has two answers, so one is wrong.

    Attributes:
        prefixes, suffix: the two prefixes, and what follows both.
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
        """Whether it does, by running the model on both prefixes, and the task on both words."""
        if not isinstance(model, RecurrentModel) or self.answers[0] == self.answers[1]:
            return False
        states = {tuple(model.run(model_ranks(model, prefix)[None])[0].tolist()) for prefix in self.prefixes}
        return states == {self.state} and wanted(task, *self.words) == self.answers

    def __str__(self) -> str:
        one, two, end = map(show, (*self.prefixes, self.suffix))
        answers = " and ".join(map(repr, self.answers))
        where = f"after {one} and after {two} the model is in the same state"
        return f"{where}; followed by {end} the right answers are {answers}"


@dataclass(frozen=True)
class TranscriptCollision:
    """Two words with one answer and one transcript of the softmax protocol, and a word made of a part of each.

    Both parties send the same on both words: the symbol at the last position, the largest logits, both sums of
    exponentials, and Alice's weighted sums. So they also send it on the word that has Alice's part of one and Bob's of
    the other, on which the model then answers the same, though the task does not.

    Attributes:
        partition: who holds which position, a letter A or B each.
        words, cross: the two words, and Alice's part of the first with Bob's of the second.
        answers: what the task wants on the first word, on the second, and on the crossed one.
        transcript: the numbers named above, in that order.
    """

    kind: ClassVar[str] = "transcript"
    partition: str
    words: tuple[Word, Word]
    cross: Word
    answers: tuple[Any, Any, Any]
    transcript: tuple[int, ...]

    def holds(self, model: SequenceModel, task: SequenceTask) -> bool:
        """Whether it does: both transcripts are worked out again, the model and the task are run on all words."""
        lengths = {len(part) for part in (self.partition, self.cross, *self.words)}
        if len(lengths) > 1 or not set(self.partition) <= set("AB"):
            return False
        owners, ranks = self.partition, np.stack([model_ranks(model, word) for word in self.words])
        crossed = tuple(self.words[owner == "B"][place] for place, owner in enumerate(owners))
        sent = {tuple(row.tolist()) for row in transcripts(model, ranks, owners)}
        given = [model(word) for word in (self.words[1], self.cross)]
        return (
            crossed == self.cross
            and sent == {self.transcript}
            and wanted(task, *self.words, self.cross) == self.answers
            and self.answers[0] == self.answers[1] != self.answers[2]
            and given[0] == given[1]
        )

    def __str__(self) -> str:
        one, two, cross = map(show, (*self.words, self.cross))
        return (
            f"on {one} and {two} the parties ({self.partition}) send the same messages, so the model answers {cross} "
            f"as the second; right are {self.answers[0]!r} and {self.answers[2]!r}"
        )


Collision = StateCollision | TranscriptCollision


@dataclass(frozen=True)
class Failure:
    """A word on which the model is wrong.

    Attributes:
        word, found_by: the word, and how it was found.
        answer, right: what the model answers (None if one of its scores is NaN), and what the task wants.
        collision: why the model had to be wrong somewhere, if that is how it was found.
    """

    word: Word
    answer: Any
    right: Any
    found_by: str
    collision: Collision | None = None

    @classmethod
    def of(
        cls, model: SequenceModel, task: SequenceTask, word: Word, found_by: str, collision: Collision | None = None
    ) -> Failure | None:
        """The failure on a word, by running model and task on it once; None if the model is right there."""
        answer, right = model(word), task(task.words.word(word))
        return None if right is None or answer == right else cls(word, answer, right, found_by, collision)

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
    return "gives no answer, as a score is NaN" if answer is None else f"answers {answer!r}"


def wanted(task: SequenceTask, *words: Word) -> tuple[Any, ...]:
    return tuple(task(task.words.word(word)) for word in words)


def show(word: Word) -> str:
    if any(isinstance(symbol, str) and not symbol.isprintable() for symbol in word):
        return show(tuple(symbol if str(symbol).isprintable() else repr(symbol) for symbol in word))
    joint = "" if all(isinstance(symbol, str) and len(symbol) == 1 for symbol in word) else " "
    text = joint.join(map(str, word)) or "nothing"
    return text if len(text) <= 120 else f"{text[:60]} ... {text[-24:]} ({len(word)} symbols)"


def model_ranks(model: SequenceModel, word: Word) -> Any:
    return np.array([*map(model.alphabet.index, word)], dtype=np.int64)


@dataclass(frozen=True)
class Accuracy:
    """What is proved of the part of all promised words of one length that a model answers rightly.

    Attributes:
        words: on how many words the task makes a promise; all words, if those cannot be counted.
        right, wrong, how: on how many of them the model is proved right, and wrong, and by what.

    >>> found = Accuracy(1 << 20, (1 << 20) - 3, 1, "an example")
    >>> found.at_most, found.is_exact
    (Fraction(1048575, 1048576), False)
    >>> print(found)
    1 - 2.87e-6 <= accuracy <= 1 - 9.53e-7 on 1048576 words: 1048573 known right, 1 known wrong (an example)
    """

    words: int
    right: int
    wrong: int
    how: str

    def __post_init__(self) -> None:
        if not (self.words > 0 <= self.right and self.wrong >= 0 and self.right + self.wrong <= self.words):
            raise ValueError(f"{self.right} right and {self.wrong} wrong of {self.words} words")

    @property
    def at_least(self) -> Fraction:
        """The lower end."""
        return Fraction(self.right, self.words)

    @property
    def at_most(self) -> Fraction:
        """The upper end."""
        return 1 - Fraction(self.wrong, self.words)

    @property
    def decided(self) -> int:
        """On how many words it is known."""
        return self.right + self.wrong

    @property
    def is_exact(self) -> bool:
        """Whether every word is decided."""
        return self.decided == self.words

    def joined(self, other: Accuracy) -> Accuracy:
        """The better lower and upper bound of two on the same words."""
        if other.words != self.words or max(self.right, other.right) + max(self.wrong, other.wrong) > self.words:
            raise ArithmeticError(f"{self} contradicts {other}")
        how = self.how if self.decided >= other.decided else other.how
        return Accuracy(self.words, max(self.right, other.right), max(self.wrong, other.wrong), how)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Accuracy:
        """From plain data; raises ``TypeError`` and ``ValueError`` for what is none."""
        words, right, wrong = _whole([data[name] for name in ("words", "right", "wrong")])
        return cls(words, right, wrong, _of_kind(str, data["how"]))

    def __str__(self) -> str:
        counts = f"{count_text(self.right)} known right, {count_text(self.wrong)} known wrong ({self.how})"
        low, high = _rounded(self.at_least, up=False), _rounded(self.at_most, up=True)
        return f"{low} <= accuracy <= {high} on {count_text(self.words)} words: {counts}"


@dataclass(frozen=True)
class AccuracyBounds:
    """An interval, and a word proved wrong, as ranks of the task, with the model's answer if known."""

    accuracy: Accuracy
    first: Array | None
    given: int | None = None

    def joined(self, known: AccuracyBounds | None) -> AccuracyBounds:
        if known is None:
            return self
        return AccuracyBounds(self.accuracy.joined(known.accuracy), known.first if self.first is None else self.first)


def _rounded(part: Fraction, up: bool) -> str:
    """A part as text, rounded outwards; of one close to 1, what is missing."""
    if part in (0, 1):
        return str(part)
    missing = part > Fraction(9, 10)
    rounding = ROUND_CEILING if up != missing else ROUND_FLOOR
    shown = 1 - part if missing else part
    digits = Context(prec=3, rounding=rounding).divide(Decimal(shown.numerator), Decimal(shown.denominator))
    text = f"{digits:.3g}" if digits > Decimal("0.0001") else f"{digits:.2e}"
    return f"1 - {text}" if missing else text


Verdict = Literal["right", "wrong", "undecided"]

FORMAT = "ccsim audit"
VERSION = 1


@dataclass(frozen=True)
class Outcome:
    """What a search finds; ``accuracy`` is None where no word is promised, and in audits saved before."""

    verdict: Verdict
    reason: str
    words: int | None = None
    wrong_words: int | None = None
    every_length: bool = False
    failure: Failure | None = None
    shortest: Word | None = None
    searched: Mapping[str, int] = field(default_factory=dict)
    accuracy: Accuracy | None = None

    def __post_init__(self) -> None:
        if self.accuracy is None and self.words and self.wrong_words is not None:
            right = self.words - self.wrong_words
            object.__setattr__(self, "accuracy", Accuracy(self.words, right, self.wrong_words, "all words counted"))

    @classmethod
    def of(cls, pair: Subject, result: Verdicts, how: str, found_by: str, **more: Any) -> Outcome:
        asked = "" if result.promised == result.words else f" ({count_text(result.promised)} of them have an answer)"
        reason = f"all {count_text(result.words)} words{asked}, {how}"
        if result.first is None:
            return cls("right", known(pair, reason), result.promised, 0, **more)
        failure = _failure(pair, result.first, found_by)
        return cls("wrong", reason, result.promised, result.wrong, failure=failure, **more)

    def failed(self, failure: Failure) -> Self:
        accuracy = self.accuracy
        if accuracy is not None and not accuracy.wrong:
            accuracy = replace(accuracy, wrong=1)
        return replace(self, verdict="wrong", failure=failure, accuracy=accuracy)

    def narrowed(self, pair: Subject, bracket: AccuracyBounds | None, found_by: str = "sets of states") -> Self:
        if bracket is None:
            return self
        accuracy, failure = bracket.accuracy, self.failure
        if self.accuracy is not None:  # of what was tried, which may not know how many words are promised
            accuracy = accuracy.joined(replace(self.accuracy, words=accuracy.words))
        if failure is not None and not accuracy.wrong:  # that word is wrong
            accuracy = replace(accuracy, wrong=1)
        elif accuracy.wrong and bracket.first is not None:
            failure = failure or _failure(pair, bracket.first, found_by, bracket.given)
        if not accuracy.is_exact:
            verdict: Verdict = "undecided" if failure is None else "wrong"
            return replace(self, verdict=verdict, failure=failure, accuracy=accuracy)
        reason = f"all {count_text(accuracy.words)} words, {accuracy.how}"
        counts: dict[str, Any] = {"words": accuracy.words, "wrong_words": accuracy.wrong, "accuracy": accuracy}
        if accuracy.wrong:
            return replace(self, verdict="wrong", reason=reason, failure=failure, **counts)
        return replace(self, verdict="right", reason=known(pair, reason), **counts)


def known(pair: Subject, reason: str) -> str:
    return f"{'proved' if pair.model.is_exact else 'run, not proved'}: {reason}"


def _failure(pair: Subject, word: Array, found_by: str, given: int | None = None) -> Failure:
    task, read = pair.task, pair.word(word)
    if given is not None:
        return Failure(read, task.answers[given], task(task.words.word(read)), found_by)
    failure = Failure.of(pair.model, task, read, found_by)
    if failure is None:
        raise InputError("model", pair.model.name, "a model that answers a word alone as it does among others")
    return failure


@dataclass(frozen=True, kw_only=True)
class Audit(Outcome):
    """Whether a model is right on a task, proved for all words, or a word on which it is not.

    Attributes:
        verdict, reason, accuracy: ``right``, ``wrong`` or ``undecided``; how, or why not; and what is known.
        words, wrong_words: how many words of the length are promised, and wrong; None if not counted.
        every_length: whether ``right`` is proved for words of every length.
        failure: a word on which the model is wrong; ``shortest`` is the shortest of any length.
        searched: how much was tried.
        model, task, length: names, and the length of the words.
        architecture: ``recurrent``, ``one-layer transformer``, or ``any``.
        size: exact sizes: bits of state or of parameters, and the numbers that they come from.
        need: what the task asks of this architecture, and what the model has.
        seconds: how long it took.
        arithmetic: what the verdict is about: how the model computes; empty where no numbers are rounded.
        rule: how scores became an answer, where a forward pass was run.
        reading: where the verdict speaks of a reading of weights, how that was compared with the model itself.
        subject: model and task themselves, for :meth:`verify`.
    """

    model: str
    task: str
    length: int
    architecture: str
    size: Mapping[str, int]
    need: Need
    seconds: float = field(compare=False)
    arithmetic: str = ""
    rule: str = ""
    reading: str = ""
    subject: tuple[SequenceModel, SequenceTask] | None = field(default=None, repr=False, compare=False)

    @property
    def error_rate(self) -> Fraction | None:
        """The part of all promised words on which the model is wrong, exact; None if they were not counted."""
        if not self.words or self.wrong_words is None:
            return None
        return Fraction(self.wrong_words, self.words)

    def verify(self, model: SequenceModel | None = None, task: SequenceTask | None = None) -> bool:
        """Whether the failing word fails, and its collision is one, by running model and task again.

        An audit that was loaded needs both. Raises :class:`~ccsim.errors.InputError` where there is nothing to check.
        """
        own = self.subject or (None, None)
        model, task = model or own[0], task or own[1]
        if model is None or task is None:
            raise InputError("model, task", None, f"the model {self.model} and the task {self.task}")
        if self.failure is None:
            raise InputError("audit", self.verdict, "an audit with a failing word; a proof is verified by repeating it")
        return self.failure.holds(model, task)

    def with_failure(self, word: Word, found_by: str) -> Audit:
        """The same with a word of the task on which the model is wrong, if none was known; run on it once more."""
        if self.failure is not None or self.subject is None:
            return self
        failure = Failure.of(*self.subject, word, found_by)
        return self if failure is None else self.failed(failure)

    def to_json(self) -> dict[str, Any]:
        """Plain data; symbols and answers that JSON does not know are written as text."""
        data = {name: as_data(value) for name, value in vars(self).items() if name != "subject"}
        with long_integers():
            data["error_rate"] = None if self.error_rate is None else str(self.error_rate)
            if self.accuracy is not None:
                data["accuracy"] |= {"at_least": str(self.accuracy.at_least), "at_most": str(self.accuracy.at_most)}
        return {"format": FORMAT, "version": VERSION, **data}

    def save(self, path: str | Path) -> None:
        """Write it as JSON."""
        with long_integers():
            text = json_text(self.to_json())
        Path(path).write_text(f"{text}\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, task: SequenceTask) -> Audit:
        """Read it from JSON; the task tells which symbols and answers are meant."""
        try:
            with long_integers():
                data = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise InputError("path", str(path), f"an audit in JSON ({error})") from error
        return cls.from_json(data, task)

    @classmethod
    def from_json(cls, data: Any, task: SequenceTask) -> Audit:
        """From plain data, as :meth:`to_json` makes it; the task tells which symbols and answers are meant."""
        if not isinstance(data, dict) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
            raise InputError("data", type(data).__name__, f"an object with format {FORMAT!r} and version {VERSION}")
        if data.get("invariant") is not None:
            expected = "null (boxes of states were checked up to commit 1c13397; audit again)"
            raise InputError("invariant", "boxes of states", expected)
        left_out = "format", "version", "error_rate", "invariant"  # the last was None in most audits of before
        try:
            read = _readers(task)
            known = {name: value for name, value in data.items() if name not in left_out}
            known["need"] = Need(**data["need"])
            known |= {name: data[name] and read[name](data[name]) for name in ("failure", "shortest")}
            if data.get("accuracy") is not None:  # audits of before know none
                known["accuracy"] = Accuracy.from_json(data["accuracy"])
            audit = cls(**known)
            audit._require_consistent()
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InputError("data", sorted(data), f"an audit of {task.name} ({error!r})") from error
        return audit

    def _require_consistent(self) -> None:
        wrong = self.wrong_words
        agrees = {
            "right": self.failure is None and wrong == 0,
            "wrong": self.failure is not None and (wrong is None or 0 < wrong <= (self.words or 0)),
            "undecided": self.failure is None and wrong is None,
        }
        part = self.accuracy
        if part is not None and wrong is not None:
            agrees[self.verdict] &= (part.words, part.right, part.wrong) == (self.words, part.words - wrong, wrong)
        elif part is not None:
            agrees[self.verdict] &= part.right < part.words and (not part.wrong or self.verdict == "wrong")
        if not agrees.get(self.verdict, False):
            raise ValueError(f"{self.verdict!r} with {wrong} wrong words and the failing word {self.failure}")

    def __str__(self) -> str:
        size = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.size.items())
        why = "why" if self.verdict == "undecided" else "how"
        lines = [self.headline, f"  {why}: {self.reason}"]
        lines += [f"  answer: {self.rule}"] if self.rule else []
        if self.failure is not None:
            lines += [f"  {part}" for part in (self.failure, self.failure.collision) if part is not None]
        if self.shortest is not None:
            long = counted(len(self.shortest), "symbol")
            which = f"shortest wrong word, of {long}:"
            if self.verdict == "right":
                which = f"at other lengths it is wrong: the shortest wrong word, of {long}, is"
            lines.append(f"  {which} {show(self.shortest)}")
        if self.error_rate is None and self.accuracy is not None:
            lines.append(f"  {self.accuracy}")
        lines += [f"  size: {size}"] if size else []
        lines += [f"  arithmetic: {self.arithmetic}"] if self.arithmetic else []
        lines.append(f"  {self.need}")
        lines += [f"  {self.reading}"] if self.reading else []
        return "\n".join(map(printable, lines))

    @property
    def headline(self) -> str:
        """The verdict in one sentence."""
        read, rate = ", as read," if self.reading else "", self.error_rate
        if self.verdict == "right":
            words = "words" if self.words is None else f"{count_text(self.words)} words"
            known = f"{words} of {counted(self.length, 'symbol')}"
            which = f"words of every length, also the {known}," if self.every_length else known
            return f"right: {self.model}{read} is right on all {which} of {self.task}"
        if self.verdict == "undecided":
            return f"undecided: whether {self.model}{read} is right on all words of {self.task}"
        if rate is None:
            return f"wrong: {self.model}{read} is wrong on {self.task}; on how many words is not known"
        counts = f"{count_text(self.wrong_words)} of {count_text(self.words)} words"
        return f"wrong: {self.model}{read} is wrong on {counts} of {self.task} (error {float(rate):.4g})"


def as_data(value: Any) -> Any:
    if not is_dataclass(value):
        return plain(value)
    kind = {"kind": value.kind} if hasattr(value, "kind") else {}
    return kind | {each.name: as_data(getattr(value, each.name)) for each in fields(value)}


def _readers(task: SequenceTask) -> dict[str, Callable[[Any], Any]]:
    symbols, answers = ({_key(plain(value)): value for value in values} for values in (task.alphabet, task.answers))
    kinds: dict[str, Any] = {each.kind: each for each in (StateCollision, TranscriptCollision)}

    def word(data: Any) -> Word:
        return tuple(symbols[_key(symbol)] for symbol in _of_kind(list, data))

    def pair(data: Any) -> tuple[Word, Word]:
        one, two = map(word, _of_kind(list, data))
        return one, two

    def made(kind: Any, data: Any) -> Any:
        return kind(**{each.name: read[each.name](data[each.name]) for each in fields(kind)})

    def collision(data: Any) -> Collision | None:
        if data is None:
            return None
        if len(data["answers"]) != (3 if data["kind"] == TranscriptCollision.kind else 2):
            raise ValueError(f"a collision with the answers {data['answers']}")
        return cast(Collision, made(kinds[data["kind"]], data))

    read: dict[str, Callable[[Any], Any]] = {
        "failure": lambda data: made(Failure, data),
        "collision": collision,
        "answer": lambda data: answers.get(_key(data), data),  # a model may know others
        "right": lambda data: answers[_key(data)],
        "answers": lambda data: tuple(answers[_key(answer)] for answer in _of_kind(list, data)),
        **dict.fromkeys(("found_by", "partition"), partial(_of_kind, str)),
        **dict.fromkeys(("word", "shortest", "suffix", "cross"), word),
        **dict.fromkeys(("prefixes", "words"), pair),
        **dict.fromkeys(("state", "transcript"), _whole),
    }
    return read


T = TypeVar("T")


def _of_kind(kind: type[T], data: Any) -> T:
    if type(data) is not kind:
        raise TypeError(f"{kind.__name__}, not {type(data).__name__}")
    return data


def _whole(data: Any) -> tuple[int, ...]:
    return tuple(_of_kind(int, number) for number in _of_kind(list, data))


def count_text(number: int | None) -> str:
    return str(number) if number is None or number < 10**12 else f"≈{Decimal(number):.3g}"


def _key(value: Any) -> Any:
    """Hashable, and different for 1, True and the text of 1."""
    return tuple(_key(item) for item in value) if isinstance(value, list) else (type(value).__name__, value)
