"""From a file to an exact model: read, compared with recorded scores, quantised; :func:`build_model` has the steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import Array, InputError, require_memory
from ccsim.matrices import DONT_CARE
from ccsim.models.files.description import Description, Tensors, find_description, read_npz
from ccsim.models.files.float_model import (
    FloatModel,
    FloatTransformer,
    Quantiser,
    attention_parts,
    float_scores,
    quantised_model,
    recurrent_parts,
)
from ccsim.models.forward_models import ForwardModel
from ccsim.models.model import (
    Comparison,
    Decision,
    SequenceModel,
    affordable,
    largest_score,
    score_of_each,
    uniform_words,
)
from ccsim.models.recurrent import likely_seconds
from ccsim.problems.lookup import framed_task
from ccsim.problems.sequence_tasks import SequenceTask

SINGLE = 2.0**-24  # the relative error of one rounding to single precision
NUDGE = 2.0**-20  # relative changes of all numbers, which show how much of a rounding error arrives at the scores
ROUNDINGS = 16  # allowed for at each position of a word, and at so many positions more
BLOCK = 1 << 12
BYTES_CARRIED = 64  # for each number of a state, of which a file can claim far more than it has weights
BYTES_COMPARED = 64  # for each number of recorded words and scores, which are packed much smaller in a file
WORDS = 1 << 12  # on which scores are met
USUAL = 1 << 4  # symbols in them, where a model has no length


@dataclass(frozen=True)
class Difference:
    """How far quantisation changed what a model answers.

    Attributes:
        differing, first: on how many of the compared words the answers differ, and the first one, or None.
        compared, exact: how many words were compared, and whether these are all of the task, else they were drawn.
        float_wrong, wrong: on how many promised ones the model is wrong before it is quantised, and after.
        first_wrong: the first word on which it is then wrong, or None.
        by_answer: for each answer how many words want it, and on how many of them it is wrong before and after.
        own: what was run in place of the float model, such as "the module itself"; empty if nothing was.
    """

    differing: int
    compared: int
    exact: bool
    first: Any
    float_wrong: int
    wrong: int
    by_answer: tuple[tuple[Any, int, int, int], ...] = ()
    first_wrong: Any = None
    own: str = ""

    def __str__(self) -> str:
        answers, before = "quantised and float answers", "before quantisation"
        if self.own:
            answers, before = f"answers in fixed point and of {self.own}", self.own
        if not self.compared:
            return f"{answers} were not compared: out of time"
        which = f"all {self.compared} words" if self.exact else f"{self.compared} drawn words"
        parts = [f"on {wrong} of {count} whose answer is {answer!r}" for answer, count, _, wrong in self.by_answer]
        return (
            f"{answers} differ on {self.differing} of {which}; wrong on {self.wrong}, {before} on {self.float_wrong}"
        ) + (f" ({', '.join(parts)})" if parts and not self.exact else "")


@dataclass(frozen=True, eq=False)
class Recorded:
    """Ids of words (words, N), as a model reads them, and its scores (words, outputs) at the end, before any softmax.

    ``rounding`` is the relative error of one rounding of its arithmetic, ``after`` what was done to the scores of the
    read-out, ``expected`` what is wrong where they are not those of the tensors.
    """

    words: Array
    scores: Array
    rounding: float = SINGLE
    expected: str = "the description does not fit"
    after: Callable[[Array], Any] = np.asarray

    def __post_init__(self) -> None:
        words, scores = np.asarray(self.words), np.asarray(self.scores)
        require_memory(BYTES_COMPARED * (words.size + scores.size), "comparing the recorded scores")
        scores = scores.astype(np.float64)
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
        words: ids of tokens as your model reads them, shape (words, N).
        scores: what it gives at the last position (logits), shape (words, outputs); for one output also (words,).
    """
    recorded = Recorded(words, scores)
    np.savez(path, words=recorded.words, scores=recorded.scores)


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model from a file.

    Attributes:
        model: the quantised model; whatever is proved is proved of it.
        description, precision: of the file and of its numbers.
        parameters, saturated: how many numbers of the file it is made of; how many were out of range and were moved.
        unused: tensors of the file that were not used.
        parts: the numbers before they were quantised.
        checked, every: on how many recorded words its scores were compared, None if nothing but shapes was; and whether
            these were all words of the length.
        tolerance: how far each score could have been off there by rounding alone, shape (outputs,); or None.
        module: the forward pass of the module that was read, where it is at hand.
    """

    model: SequenceModel
    description: Description
    precision: Precision
    parameters: int
    saturated: int
    unused: tuple[str, ...]
    parts: FloatModel = field(repr=False)
    checked: int | None = None
    tolerance: Array | None = field(default=None, repr=False)
    every: bool = False
    module: ForwardModel | None = field(default=None, repr=False)

    @property
    def agreement(self) -> str:
        """Whether the model that is audited is the one that its owner runs, in words."""
        if self.checked is None or self.tolerance is None:
            return (
                "not compared with your own model: record some of its scores for that (entry check of the description)"
            )
        within = f"within {self.tolerance.max():.2g}, which rounding explains"
        if self.module is None:
            return f"its scores agree with those that were recorded of your own model on {self.checked} words, {within}"
        if self.every:
            return f"its own forward pass gives the scores that were read on all {self.checked} words, {within}"
        which = f"its own forward pass was run on {self.checked} words and gives the scores that were read, {within}"
        return f"{which}; nothing but its parts speaks of other words"

    def framed(self, task: SequenceTask) -> SequenceTask:
        """The task on words as the model reads them: between the ids ``before`` and ``after`` of its description."""
        return framed_task(task, *self.description.frame)

    def float_codes(self, words: Array) -> Array:
        """The answer codes (batch,) on words of ranks (batch, N) of the module, or of the reading in float64."""
        rows, answers, threshold = np.asarray(words), len(self.model.answers), self.parts.threshold
        if self.module is not None:
            rank = {symbol: place for place, symbol in enumerate(self.module.alphabet)}
            ranks = np.array([rank.get(symbol, 0) for symbol in self.model.alphabet])
            front, back = map(len, self.description.frame)
            return self.module.codes(ranks[rows[:, front : rows.shape[1] - back]])
        blocks = [float_scores(self.parts, rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]
        codes = [largest_score(score_of_each(scores, answers, threshold)) for scores in blocks]
        return np.concatenate([np.zeros(0, dtype=np.int64), *codes])

    def float_answer(self, word: Sequence[Hashable]) -> Any:
        """What the model answered on a word before it was quantised, in float64; None where a score is NaN."""
        return self.model.answer_of(int(self.float_codes(self.model.ranks(word)[None])[0]))

    def difference(
        self,
        task: SequenceTask,
        most: int = 1 << 14,
        seed: int = 0,
        *,
        words: Array | None = None,
        seconds: float = 60.0,
    ) -> Difference:
        """Compare with the float model: on all words of a task if they are at most so many, else on so many drawn.

        ``words`` are compared in place of uniform ones: ranks of the task, shape (words, N). Of very long words fewer
        are drawn. After so many seconds no further block of words is begun, and none at all where a recurrent model is
        likely to take longer.
        """
        exact, comparison = task.words.size <= most, Comparison.of(self.model, task)
        if exact:
            words = task.words.array(np.arange(task.words.size))
        elif words is None:
            generator = np.random.default_rng(seed)
            words = uniform_words(comparison.symbols, affordable(most, task.length), generator)
        ours, floats = self._both_codes(comparison.read(words).astype(np.int64), seconds)
        exact, words = exact and len(ours) == len(words), words[: len(ours)]
        wanted, differ = np.asarray(task.evaluate(words)).astype(np.int64), ours != floats
        bad = [(wanted != DONT_CARE) & (comparison.coded(codes) != wanted) for codes in (floats, ours)]

        def first(rows: Array) -> Any:
            return comparison.word(words[int(np.argmax(rows))]) if rows.any() else None

        return Difference(
            differing=int(differ.sum()),
            compared=len(words),
            exact=exact,
            first=first(differ),
            float_wrong=int(bad[0].sum()),
            wrong=int(bad[1].sum()),
            by_answer=tuple(
                (task.answers[code], int((wanted == code).sum()), *(int(wrong[wanted == code].sum()) for wrong in bad))
                for code in np.unique(wanted[wanted != DONT_CARE]).tolist()
            ),
            first_wrong=first(bad[1]),
            own="" if self.module is None else "the module itself",
        )

    def _both_codes(self, words: Array, seconds: float) -> tuple[Array, Array]:
        begun, done, size = time.monotonic(), 0, 1 << 5
        codes: list[tuple[Array, Array]] = [(np.zeros(0, dtype=np.int64),) * 2]
        if likely_seconds(self.model, words[:size]) > seconds:
            return codes[0]
        while done < len(words) and (not done or time.monotonic() - begun < seconds):
            block = words[done : done + size]
            codes.append((np.asarray(self.model.codes(block)), self.float_codes(block)))
            done, spent = done + size, max(time.monotonic() - begun, 1e-6)
            size = max(1, min(2 * size, BLOCK, int(done * (seconds - spent) / spent)))  # as many as likely fit
        ours, floats = zip(*codes, strict=True)
        return np.concatenate(ours), np.concatenate(floats)


def load_model(
    path: str | Path,
    *,
    precision: int | Precision | None = None,
    length: int | None = None,
    threshold: float | None = None,
) -> LoadedModel:
    """A model from a file of tensors and its description (see :func:`~ccsim.models.files.find_description`).

    Args:
        path: the description (.toml, .json), the tensors (.safetensors, .npz, .pt).
        precision: of all numbers in fixed point, in place of that of the description.
        length: N, of a transformer, without the ids ``before`` and ``after`` each word.
        threshold: above which a single score is the second of two answers, in place of that of the description.

    Raises :class:`~ccsim.errors.InputError` for files that are damaged, hold anything but numbers, or do not fit their
    description.
    """
    path = Path(path)
    description, tensors = find_description(path)
    description = description if threshold is None else replace(description, threshold=threshold)
    recorded, name = None, description.check
    if name is not None:
        if not name or Path(name).name != name or not path.with_name(name).is_file():
            raise InputError("check", name, "the name of a file in the folder of the description")
        arrays = read_npz(path.with_name(name))
        if set(arrays) != {"words", "scores"}:
            raise InputError("check", sorted(arrays), "the two arrays words and scores")
        recorded = Recorded(arrays["words"], arrays["scores"])
    return build_model(description, tensors, precision=precision, length=length, name=path.stem, recorded=recorded)


def build_model(
    description: Description,
    tensors: Tensors,
    *,
    precision: int | Precision | None = None,
    length: int | None = None,
    name: str = "",
    recorded: Recorded | None = None,
) -> LoadedModel:
    """A model from tensors that were read already, which must give the ``recorded`` scores; see :func:`load_model`."""
    numbers = description.precision if precision is None else as_precision(precision)
    if numbers is None:
        raise InputError("precision", precision, "the number of bits of a number, here or in the description")
    if not description.answers:
        raise InputError("answers", description.answers, "one answer or more")
    name = name or description.architecture
    length = None if length is None else length + sum(map(len, description.frame))
    parts: FloatModel
    if description.architecture == "transformer":
        parts = attention_parts(description, tensors, length)
    else:
        parts = recurrent_parts(description, tensors)
        sums = sum(len(layer["keys"]) * (1 + len(layer["values"])) for layer in parts.layers if "keys" in layer)
        require_memory(BYTES_CARRIED * sums, f"the state of {name}")
    tolerance = None if recorded is None else require_scores(recorded, parts, description)
    require_memory(64 * tensors.numbers, f"the model {name}")
    tensors.require_used(description.ignore, recorded is not None)
    parts, rule = with_threshold(parts, description, length)
    quantiser = Quantiser(numbers, description.saturate)
    model = quantised_model(parts, description, quantiser, name)
    model.keep_rule(rule)
    return LoadedModel(
        model=model,
        description=description,
        precision=numbers,
        parameters=tensors.numbers,
        saturated=quantiser.saturated,
        unused=tensors.unused,
        parts=parts,
        checked=None if recorded is None else len(recorded.words),
        tolerance=tolerance,
    )


def require_scores(
    recorded: Recorded, parts: FloatModel, description: Description, tolerance: Array | None = None
) -> Array:
    """How far each score may be off by rounding alone, shape (outputs,); an error if one is further off on a word.

    Every rounding changes a number by at most a part of it, ``recorded.rounding``. So much of such changes arrives at
    the scores as random relative changes of all numbers of the model show; on it, ``ROUNDINGS`` of them at each
    position are allowed for. Where the two best scores differ by more the answers are the same.

    Raises :class:`~ccsim.errors.InputError` also where no word has a best score that rounding could not have chosen.
    """
    words, ids = recorded.words, description.ids
    unknown = np.setdiff1d(words, ids).tolist()
    if unknown:
        raise InputError("check", unknown[:6], "words of tokens that the description names")
    answers, theirs = len(description.answers), recorded.scores
    rows = description.read_out.rows
    if rows is not None and theirs.shape[1] > max((answers, *rows)):
        theirs = theirs[:, list(rows)]
    single = theirs.shape[1] == 1 and answers == 2

    outputs, at_once = 1 if single else answers, affordable(BLOCK, words.shape[1])
    if theirs.shape[1] != outputs:
        raise InputError("check", recorded.scores.shape, f"{outputs} scores for each word")

    def scores(moved: Any, first: int) -> Array:
        ranks = np.searchsorted(ids, words[first : first + at_once])
        each = score_of_each(float_scores(moved, ranks), answers)
        return np.asarray(recorded.after(each[:, 1:] - each[:, :1] if single else each))

    blocks = range(0, len(words), at_once)
    ours = np.concatenate([scores(parts, first) for first in blocks])
    if tolerance is None:
        # What the roundings of one forward pass can make of each output, on these words.
        generator = np.random.default_rng(0)
        nudged = [_nudged(parts, generator) for _ in range(2)]
        moves = [np.abs(scores(each, at) - ours[at : at + at_once]).max(axis=0) for each in nudged for at in blocks]
        moved = np.max(moves, axis=0)
        tolerance = np.asarray(ROUNDINGS * (ROUNDINGS + words.shape[1]) * recorded.rounding / NUDGE * moved)
        best = np.sort(np.concatenate([ours, np.zeros_like(ours)], axis=1) if ours.shape[1] == 1 else ours, axis=1)
        if not (best[:, -1] - best[:, -2] > 2 * tolerance.max()).any():
            expected = f"some that differ more, of which rounding alone may change one by {tolerance.max():.3g}"
            raise InputError("check: scores", np.round(theirs[0], 9).tolist(), expected)
    off = np.abs(theirs - ours) / np.where(tolerance > 0, tolerance, np.finfo(float).tiny)
    if not (off <= 1).all():
        word = int(np.argmax(np.where(np.isnan(off), np.inf, off).max(axis=1)))
        symbols = " ".join(str(description.tokens[number]) for number in recorded.words[word])
        one, two = ([float(f"{score:.7g}") for score in scores[word]] for scores in (theirs, ours))
        expected = f"{two}, as the tensors are read here: {recorded.expected}"
        raise InputError(f"check: scores of the word {symbols}", one, expected)
    return tolerance


def _nudged(part: Any, generator: np.random.Generator) -> Any:
    if isinstance(part, np.ndarray):
        return part * (1 + NUDGE * generator.choice((-1.0, 1.0), part.shape)) if part.dtype.kind in "fc" else part
    if isinstance(part, tuple):
        return tuple(_nudged(each, generator) for each in part)
    if isinstance(part, Mapping):
        return {name: _nudged(each, generator) for name, each in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        changed = {each.name: _nudged(getattr(part, each.name), generator) for each in fields(part) if each.init}
        return replace(part, **changed)
    return part


def with_threshold(parts: FloatModel, description: Description, length: int | None) -> tuple[FloatModel, str]:
    """The parts with the threshold of the description, or the one that :class:`~ccsim.models.model.Decision` finds."""
    outputs = len(parts.bias)
    if outputs != 1 or len(description.answers) != 2:
        if description.threshold is not None:
            raise InputError("threshold", description.threshold, f"none: of {outputs} scores the largest counts")
        return parts, ""
    decision, scores = Decision(description.answers, description.alphabet, description.threshold), np.zeros((0, 1))
    if description.threshold is None:
        long = len(parts.positions) if isinstance(parts, FloatTransformer) else length or USUAL
        words = np.random.default_rng(0).integers(len(description.ids), size=(affordable(WORDS, long), long))
        scores = float_scores(parts, words)
    decision.codes(scores)
    return replace(parts, threshold=decision.level), decision.rule
