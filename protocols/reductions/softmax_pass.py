"""One pass through an attention layer by two parties, of whom one finishes, field by field."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine.schedule import Conclusion, Field, Known, Step, StepFunction
from ccsim.errors import InputError
from ccsim.models import SequenceModel
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import SequenceTask, Words
from protocols.reductions.max_logit.parts import OTHER, Part, printed_fields_hold

Look = Callable[[str, Array, Known], Array]

MOST_BITS = 30


def require_layer(argument: str, model: Any) -> OneLayerTransformer:
    """The model, if it is one attention layer whose sums fit in 62 bits."""
    if not isinstance(model, OneLayerTransformer):
        raise InputError(argument, model, "a OneLayerTransformer: with more layers the sums of one do not suffice")
    ties = getattr(model.tables.weighting, "ties", "average")
    if ties != "average":
        raise InputError(argument, ties, "weights that do not depend on the order of the positions")
    if model.precision.bits > MOST_BITS:
        expected = f"a precision of at most {MOST_BITS} bits, so that sums of twice as many fit in 62"
        raise InputError(argument, model.precision.bits, expected)
    if not printed_fields_hold(model):
        expected = "a precision with exponentials up to 1 in p bits, and weighted sums in 2p bits"
        raise InputError(argument, str(model.precision), expected)
    return model


def chain_task(models: Sequence[SequenceModel], symbols: Sequence[Hashable], first: int, ranks: Array) -> SequenceTask:
    """What several passes answer on words of these symbols, each of them appending its answer to what it has read.

    ``first`` is the rank of the token that stands behind every word, and ``ranks`` those of the answers, by code.
    """

    def evaluate(words: Array) -> Array:
        begun = np.full((*words.shape[:-1], 1), first, dtype=np.int64)
        text = np.concatenate([words.astype(np.int64), begun], axis=-1)
        for model in models:
            codes = model.codes(text)
            text = np.concatenate([text, ranks[codes][..., None]], axis=-1)
        return np.asarray(codes)

    length = models[0].length
    assert length is not None
    words, name = Words.over(symbols, length - 1), f"{len(models)} passes of {models[0].name}"
    return SequenceTask(name, words, models[0].answers, evaluate, note="the last token of a chain of thought")


@dataclass(frozen=True, eq=False)
class Pass:
    """A pass in which the helper sends its sums and the finisher ends up with what the layer answers.

    Fields, with p bits of precision, H heads, values of v numbers, N positions and L(N) = ceil(log2 N):
    the helper's largest logits, H p; the largest logits of both, H p; the finisher's sums of exponentials and the
    helper's, H (p + L(N)) each; the helper's weighted sums, 2 H v p. Exact arithmetic makes the answer the model's.

    Attributes:
        model: the layer.
        helper: who sends its sums.
        parts: each party's positions.
        symbols: the ranks of the symbols at a party's positions: (questions, positions).
        query: the rank of the symbol at the last position: (questions,).
        tag: what the names of the fields begin with.
    """

    model: OneLayerTransformer
    helper: str
    parts: dict[str, Part]
    symbols: Look
    query: Look
    tag: str = ""

    @property
    def finisher(self) -> str:
        """Who answers."""
        return OTHER[self.helper]

    def steps(self) -> list[Step]:
        """The fields, in three rounds: helper, finisher, helper."""
        precision, heads = self.model.precision, self.model.heads
        whole = 1 << precision.bits
        room = whole << (self.model.length - 1).bit_length()
        helper, finisher, low = self.helper, self.finisher, precision.low
        sums_bounds = (1 << 2 * precision.bits,) * (heads * self._width)

        def own_maximum(rows: Array, known: Known) -> Array:
            return np.asarray(self._maxima(helper, rows, known) - low)

        def largest(rows: Array, known: Known) -> Array:
            said = known[self._name("own")].reshape(-1, heads)
            return np.asarray(np.maximum(said, self._maxima(finisher, rows, known) - low))

        def sums(rows: Array, known: Known) -> Array:
            return np.asarray(self._sums(helper, rows, known).reshape(len(rows), -1) - self._low)

        return [
            self._field(helper, "own", "largest logit", (whole,) * heads, own_maximum),
            self._field(finisher, "largest", "largest logit of both", (whole,) * heads, largest),
            Conclusion(self._name("maximum"), lambda known: known[self._name("largest")].reshape(-1, heads) + low),
            self._field(finisher, "rest", "sum of exponentials", (room,) * heads, self._normaliser(finisher)),
            self._field(helper, "part", "sum of exponentials", (room,) * heads, self._normaliser(helper)),
            Conclusion(self._name("normaliser"), self._total),
            self._field(helper, "sums", "weighted sum of values", sums_bounds, sums),
        ]

    def answer(self, rows: Array, known: Known) -> Array:
        """What the layer answers, as a code, for the finisher."""
        said = known[self._name("sums")].reshape(len(rows), self.model.heads, self._width) + self._low
        whole = said + self._sums(self.finisher, rows, known)
        return self.model.finish(self.query(self.finisher, rows, known), whole)

    @property
    def formula(self) -> str:
        """The bits of the fields, in H, p, v and N."""
        return "H*(2*p + 2*(p + L(N)) + 2*v*p)"

    @property
    def _width(self) -> int:
        return self.model.head_width

    @property
    def _low(self) -> int:
        return -(1 << 2 * self.model.precision.bits - 1)

    def _name(self, what: str) -> str:
        return f"{self.tag}{what}"

    def _field(self, sender: str, what: str, label: str, bounds: tuple[int, ...], numbers: StepFunction) -> Field:
        return Field(sender, self._name(what), f"{self.tag}all heads: {label}", bounds, numbers)

    def _asked(self, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        return self.symbols(role, rows, known), self.query(role, rows, known)

    def _maxima(self, role: str, rows: Array, known: Known) -> Array:
        return np.asarray(
            self.parts[role].logits(*self._asked(role, rows, known)).max(axis=1, initial=self.model.precision.low)
        )

    def _exponentials(self, role: str, rows: Array, known: Known) -> Array:
        return self.parts[role].exponentials(*self._asked(role, rows, known), known[self._name("maximum")])

    def _normaliser(self, role: str) -> StepFunction:
        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(self._exponentials(role, rows, known).sum(axis=-1))

        return numbers

    def _total(self, known: Known) -> Array:
        return np.asarray((known[self._name("rest")] + known[self._name("part")]).reshape(-1, self.model.heads))

    def _sums(self, role: str, rows: Array, known: Known) -> Array:
        exponentials = self._exponentials(role, rows, known)
        return self.parts[role].sums(self.symbols(role, rows, known), exponentials, known[self._name("normaliser")])
