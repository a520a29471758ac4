"""Models from files: read, checked, quantised, and compared with what they were before."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.memory import require_memory
from ccsim.models.comparison import Comparison, affordable, uniform_words
from ccsim.models.files.attention_parts import attention_parts
from ccsim.models.files.description import Description, find_description
from ccsim.models.files.floats import float_codes
from ccsim.models.files.linear_attention_parts import linear_attention_parts
from ccsim.models.files.parts import AttentionParts, RecurrentParts
from ccsim.models.files.quantised import Quantiser, quantised_model
from ccsim.models.files.recurrent_parts import recurrent_parts
from ccsim.models.files.state_space_parts import state_space_parts
from ccsim.models.files.tensors import Tensors
from ccsim.models.model import SequenceModel
from ccsim.problems.inputs import sample
from ccsim.problems.sequence.task import SequenceTask

__all__ = ["Difference", "LoadedModel", "build_model", "load_model"]

BLOCK = 1 << 12


@dataclass(frozen=True)
class Difference:
    """How far quantisation changed what a model answers.

    Attributes:
        differing: on how many of the words that were compared the answers differ.
        compared: how many words were compared.
        exact: whether these are all words of the task, else they were drawn.
        first: the first word on which they differ, or None.
        float_wrong: on how many of the promised ones among them the model is wrong before it is quantised.
        wrong: and after it.
    """

    differing: int
    compared: int
    exact: bool
    first: Any
    float_wrong: int
    wrong: int

    def __str__(self) -> str:
        which = f"all {self.compared} words" if self.exact else f"{self.compared} drawn words"
        return (
            f"quantised and float answers differ on {self.differing} of {which}; "
            f"wrong on {self.wrong}, before quantisation on {self.float_wrong}"
        )


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
    """

    model: SequenceModel
    description: Description
    precision: Precision
    parameters: int
    saturated: int
    unused: tuple[str, ...]
    parts: RecurrentParts | AttentionParts = field(repr=False)

    def float_codes(self, words: Array) -> Array:
        """The answer codes (batch,) of the model before it was quantised, in float64, on words of ranks (batch, N)."""
        rows = np.asarray(words)
        blocks = [float_codes(self.parts, rows[first : first + BLOCK]) for first in range(0, len(rows), BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.int64)

    def difference(self, task: SequenceTask, most: int = 1 << 14, seed: int = 0) -> Difference:
        """Compare with the float model: on all words of a task if they are at most so many, else on so many drawn.

        Of very long words fewer are drawn, so that they have about two million symbols in all.
        """
        exact, comparison = task.words.size <= most, Comparison.of(self.model, task)
        if exact:
            rows = task.words.array(np.arange(task.words.size))
        else:
            generator = np.random.default_rng(seed)
            rows = uniform_words(comparison.symbols(), affordable(most, task.length), generator)
        words = comparison.read(rows).astype(np.int64)
        ours, floats = self.model.codes(words), self.float_codes(words)
        wanted = np.asarray(task.evaluate(rows)).astype(np.int64)
        promised, differ = wanted != -1, ours != floats
        first = None
        if differ.any():
            symbols = words[int(np.argmax(differ))]
            first = tuple(self.model.alphabet[rank] for rank in symbols)
        float_wrong, wrong = (int((promised & (comparison.renamed[codes] != wanted)).sum()) for codes in (floats, ours))
        return Difference(int(differ.sum()), len(rows), exact, first, float_wrong, wrong)


def load_model(path: str | Path, *, precision: int | Precision | None = None, length: int | None = None) -> LoadedModel:
    """A model from a file of tensors and its description (see :func:`~ccsim.models.files.find_description`).

    Args:
        path: the description (.toml, .json) or the tensors (.safetensors, .npz, .pt).
        precision: of all numbers, in place of what the description says.
        length: N, of a transformer.

    Raises :class:`~ccsim.errors.InputError` for files that are damaged, hold anything but numbers, or do not fit their
    description; it names the tensor, what was expected of it, and what it is.
    """
    description, tensors = find_description(path)
    return build_model(description, tensors, precision=precision, length=length, name=Path(path).stem)


def build_model(
    description: Description,
    tensors: Tensors,
    *,
    precision: int | Precision | None = None,
    length: int | None = None,
    name: str = "",
) -> LoadedModel:
    """A model from tensors that were read already; arguments are those of :func:`load_model`."""
    numbers = description.precision if precision is None else as_precision(precision)
    if numbers is None:
        raise InputError("precision", precision, "how many bits a number has; the description does not say")
    tensors = tensors.renamed({description.prefix + ours: theirs for ours, theirs in description.names.items()})
    parts: RecurrentParts | AttentionParts
    if description.architecture == "transformer":
        parts = attention_parts(description, tensors, length)
    elif description.architecture in ("diagonal", "mamba"):
        parts = state_space_parts(description, tensors)
    elif description.architecture in ("linear-attention", "retnet"):
        parts = linear_attention_parts(description, tensors)
    else:
        parts = recurrent_parts(description, tensors)
    if len(description.answers) < 1:
        raise InputError("answers", sample(description.answers), "one answer or more")
    require_memory(64 * tensors.numbers, f"the model {name}")
    quantiser = Quantiser(numbers, description.saturate)
    model = quantised_model(parts, description, quantiser, name or description.architecture)
    return LoadedModel(model, description, numbers, tensors.numbers, quantiser.saturated, tensors.unused, parts)
