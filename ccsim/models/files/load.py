"""Models from files: read, checked, quantised, and compared with what they were before."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.memory import require_memory
from ccsim.models.comparison import Comparison, affordable, likely_seconds, uniform_words
from ccsim.models.files.attention_parts import attention_parts
from ccsim.models.files.checking import Recorded, read_check, require_scores
from ccsim.models.files.description import Description
from ccsim.models.files.difference import Difference
from ccsim.models.files.finding import find_description
from ccsim.models.files.floats import float_codes
from ccsim.models.files.linear_attention_parts import linear_attention_parts
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.files.quantised import Quantiser, quantised_model
from ccsim.models.files.recurrent_parts import recurrent_parts
from ccsim.models.files.state_space_parts import WITH_NORMS, state_space_parts
from ccsim.models.files.steps import numbers_carried
from ccsim.models.files.tensors import Tensors
from ccsim.models.files.thresholds import with_threshold
from ccsim.models.forward import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.problems.inputs import sample
from ccsim.problems.sequence.framed import framed_task
from ccsim.problems.sequence.task import SequenceTask

BLOCK = 1 << 12
BYTES_CARRIED = 64  # for each number of a state, of which a file can claim far more than it has weights


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model from a file.

    Attributes:
        model: the quantised model; whatever is proved is proved of it.
        description: what the file was said to be.
        precision: of its numbers.
        parameters: how many numbers of the file it is made of.
        saturated: how many of them were out of range and were moved to its end.
        unused: tensors of the file that were not used.
        parts: the numbers before they were quantised.
        checked: on how many recorded words its scores were compared with those of the model that it was read from, or
            None: then nothing but shapes says that it was read as it is run.
        tolerance: how far each score could have been off there by rounding alone, shape (outputs,); or None.
        every: whether these were all words of the length.
        module: the forward pass of the module that was read, where it is at hand.
    """

    model: SequenceModel
    description: Description
    precision: Precision
    parameters: int
    saturated: int
    unused: tuple[str, ...]
    parts: RecurrentParts | AttentionParts = field(repr=False)
    checked: int | None = None
    tolerance: Array | None = field(default=None, repr=False)
    every: bool = False
    module: ForwardModel | None = field(default=None, repr=False)

    @property
    def agreement(self) -> str:
        """Whether the model that is audited is the one that its owner runs, in words."""
        if self.checked is None or self.tolerance is None:
            return (
                "its reading is unchecked: no scores of your own model were recorded (entry check of the description)"
            )
        within = f"within {self.tolerance.max():.2g}, which rounding explains"
        if self.module is None:
            return f"its scores agree with those that were recorded of your own model on {self.checked} words, {within}"
        if self.every:
            return f"its own forward pass gives the scores that were read on all {self.checked} words, {within}"
        which = f"its own forward pass was run on {self.checked} words and gives the scores that were read, {within}"
        return f"{which}; nothing but its parts speaks of other words"

    @property
    def own(self) -> str:
        """What :meth:`float_codes` runs in place of the reading, if anything."""
        return "" if self.module is None else "the module itself"

    def framed(self, task: SequenceTask) -> SequenceTask:
        """The task on words as the model reads them: between the ids ``before`` and ``after`` of its description."""
        return framed_task(task, *self.description.frame)

    def float_codes(self, words: Array) -> Array:
        """The answer codes (batch,) of the model before it was quantised, on words of ranks (batch, N).

        Where its module is at hand that is run, as it is; else it is the reading in float64.
        """
        rows, answers = np.asarray(words), len(self.model.answers)
        if self.module is not None:
            return self._own_codes(rows)
        blocks = [float_codes(self.parts, rows[first : first + BLOCK], answers) for first in range(0, len(rows), BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.int64)

    def _own_codes(self, rows: Array) -> Array:
        """What the module itself answers, on words of ranks with all that is around them."""
        assert self.module is not None
        rank = {symbol: place for place, symbol in enumerate(self.module.alphabet)}
        ranks = np.array([rank.get(symbol, 0) for symbol in self.model.alphabet])
        front, back = map(len, self.description.frame)
        return self.module.codes(ranks[rows[:, front : rows.shape[1] - back]])

    def float_answer(self, word: Sequence[Hashable]) -> Any:
        """What the model answered on a word before it was quantised, in float64; None where a score is NaN."""
        rank = {symbol: place for place, symbol in enumerate(self.model.alphabet)}
        ranks = np.array([[rank[symbol] for symbol in word]], dtype=np.int64)
        return self.model.answer_of(int(self.float_codes(ranks)[0]))

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
        are drawn, so that they have about two million symbols in all. After so many seconds no further block of words
        is begun, and none at all where a recurrent model is likely to take longer.
        """
        exact, comparison = task.words.size <= most, Comparison.of(self.model, task)
        if exact:
            words = task.words.array(np.arange(task.words.size))
        elif words is None:
            generator = np.random.default_rng(seed)
            words = uniform_words(comparison.symbols(), affordable(most, task.length), generator)
        ours, floats = self._both_codes(comparison.read(words).astype(np.int64), seconds)
        exact, words = exact and len(ours) == len(words), words[: len(ours)]
        wanted, differ = np.asarray(task.evaluate(words)).astype(np.int64), ours != floats
        first = None if not differ.any() else comparison.word(words[int(np.argmax(differ))])
        bad = [(wanted != DONT_CARE) & (comparison.coded(codes) != wanted) for codes in (floats, ours)]
        by_answer = tuple(
            (task.answers[code], int((wanted == code).sum()), *(int(wrong[wanted == code].sum()) for wrong in bad))
            for code in np.unique(wanted[wanted != DONT_CARE]).tolist()
        )
        float_wrong, now_wrong = (int(wrong.sum()) for wrong in bad)
        first_wrong = None if not now_wrong else comparison.word(words[int(np.argmax(bad[1]))])
        counts = float_wrong, now_wrong, by_answer, first_wrong
        return Difference(int(differ.sum()), len(words), exact, first, *counts, self.own)

    def _both_codes(self, words: Array, seconds: float) -> tuple[Array, Array]:
        """The answers of the quantised and of the float model, on as many of these words as the time allows."""
        begun, done, size = time.monotonic(), 0, 1 << 5
        found: list[tuple[Array, Array]] = [(np.zeros(0, dtype=np.int64),) * 2]
        if likely_seconds(self.model, words[:size]) > seconds:
            return found[0]
        while done < len(words) and (not done or time.monotonic() - begun < seconds):
            block = words[done : done + size]
            found.append((np.asarray(self.model.codes(block)), self.float_codes(block)))
            done, spent = done + size, max(time.monotonic() - begun, 1e-6)
            size = max(1, min(2 * size, BLOCK, int(done * (seconds - spent) / spent)))  # as many as likely fit
        ours, floats = zip(*found, strict=True)
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
        precision: of all numbers in fixed point, in place of what the description says.
        length: N, of a transformer, without what the description says is ``before`` and ``after`` each word.
        threshold: above which a single score is the second of two answers, in place of what the description says.

    Raises :class:`~ccsim.errors.InputError` for files that are damaged, hold anything but numbers, or do not fit their
    description; it names the tensor, what was expected of it, and what it is.
    """
    description, tensors = find_description(path)
    description = description if threshold is None else replace(description, threshold=threshold)
    path = Path(path)
    recorded = None if description.check is None else read_check(path.parent, description.check)
    return build_model(
        description,
        tensors,
        precision=precision,
        length=length,
        name=path.stem,
        recorded=recorded,
    )


def build_model(
    description: Description,
    tensors: Tensors,
    *,
    precision: int | Precision | None = None,
    length: int | None = None,
    name: str = "",
    recorded: Recorded | None = None,
) -> LoadedModel:
    """A model from tensors that were read already; arguments are those of :func:`load_model`.

    ``recorded`` are words with the scores that the model gave before it was saved; a reading of the tensors that gives
    others is refused.
    """
    numbers = description.precision if precision is None else as_precision(precision)
    if numbers is None:
        raise InputError("precision", precision, "how many bits a number has; nothing says")
    length = None if length is None else length + sum(map(len, description.frame))
    tensors = tensors.renamed({description.prefix + ours: theirs for ours, theirs in description.names.items()})
    parts: RecurrentParts | AttentionParts
    if description.architecture == "transformer":
        parts = attention_parts(description, tensors, length)
    elif description.architecture in ("diagonal", "mamba"):
        parts = state_space_parts(description, tensors)
    elif description.architecture == "linear-attention":
        parts = linear_attention_parts(description, tensors)
    else:
        parts = recurrent_parts(description, tensors)
    if len(description.answers) < 1:
        raise InputError("answers", sample(description.answers), "one answer or more")
    if isinstance(parts, RecurrentParts):
        require_memory(BYTES_CARRIED * numbers_carried(parts), f"the state of {name or description.architecture}")
    tolerance = None if recorded is None else require_scores(recorded, parts, description)
    checked = None if recorded is None else len(recorded.words)
    require_memory(64 * tensors.numbers, f"the model {name}")
    norms = WITH_NORMS if description.architecture == "mamba" else ""
    tensors.require_used(description.ignore, norms, checked is not None)
    parts, rule = with_threshold(parts, description, length)
    quantiser = Quantiser(numbers, description.saturate)
    model = quantised_model(parts, description, quantiser, name or description.architecture)
    model.keep_rule(rule)
    counts = tensors.numbers, quantiser.saturated
    return LoadedModel(model, description, numbers, *counts, tensors.unused, parts, checked, tolerance)
