"""Models that are run as they are, by their own forward pass, which must not mix the words of a batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.forward_pass import ForwardPass, ScoreAxes
from ccsim.models.model import ANOTHER_SET, Decision, SequenceModel, require_words
from ccsim.models.step_models import state_restored

BATCH = 1 << 8
CLOSE = 16.0  # margins within so many times the rounding that was seen are looked at again, word by word
LAST_PLACE = 2.0**-22
MOST_CLOSE = 1 << 10  # of such words at once


class ForwardModel(SequenceModel):
    """A model that is asked by running it: a PyTorch module, or any function from ids of tokens.

    What it answers is what its forward pass gives on this machine, in floating point, in batches of words; nothing is
    known of words that were not run. Before any answer some dozens of words are run alone, in another order and in
    other company, which must make no difference; words whose answer rounding could change are run alone. A PyTorch
    module is run in eval mode without gradients, and left as it was found.

    >>> ends_in_b = ForwardModel(lambda ids: np.stack([ids[:, -1] == 0, ids[:, -1] == 1], axis=1), "ab")
    >>> ends_in_b("abab"), ends_in_b.codes(np.array([[0, 1], [1, 0]])).tolist()
    (1, [1, 0])
    """

    length = None
    is_exact: ClassVar[bool] = False

    def __init__(
        self,
        forward: Callable[[Any], Any],
        alphabet: Iterable[Hashable],
        answers: Iterable[Hashable] = (0, 1),
        *,
        tokens: Mapping[Hashable, int] | None = None,
        before: Sequence[int] = (),
        after: Sequence[int] = (),
        pad: tuple[int, int] | None = None,
        position: int = -1,
        rows: Sequence[int] | None = None,
        threshold: float | None = None,
        sequence_first: bool = False,
        name: str = "",
    ) -> None:
        """From a forward pass.

        Args:
            forward: takes ids of shape (batch, N), int64 (a tensor for a PyTorch module, else an array), and returns
                scores of shape (batch, outputs), or (batch, N, outputs) or (batch, outputs, N) for every position,
                be it in ``logits`` of an object, in a table or first in a tuple. A PyTorch module without an embedding
                may take vectors with a single 1, or numbers, in place of ids, and ask for lengths and a first state.
            alphabet, answers: the symbols, and the answers in the order of the scores.
            tokens: the id of each symbol; its place in the alphabet if none is given.
            before, after: ids in front of each word, such as that of BOS, and behind it, such as those of a separator.
            pad: an id and a length up to which it is written behind all of that.
            position: at which position of what is fed the answer is, counted as Python does, before ``pad``; where
                scores are for every position.
            rows: which of the outputs are the answers, such as ids of answer tokens; needed if there are more outputs.
            threshold: above which a single score is the second answer, and an output of several has its symbol in the
                set; see :class:`~ccsim.models.model.Decision` for what holds without it.
            sequence_first: whether it takes ids of shape (N, batch).
            name: what it is called; the name of the class or function if empty.
        """
        if not callable(forward):
            raise InputError("forward", forward, "a PyTorch module, or a function from ids of tokens to scores")
        self.forward, self.name = forward, name or getattr(forward, "__name__", type(forward).__name__)
        self.alphabet, self.answers = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        self._before, self._after = _ids("before", before), _ids("after", after)
        self._pad, self._position = pad, position
        self._rows = None if rows is None else _ids("rows", rows)
        given = dict(zip(self.alphabet, range(len(self.alphabet)), strict=True)) if tokens is None else dict(tokens)
        if set(given) != set(self.alphabet):
            raise InputError("tokens", sorted(map(str, given)), "an id for each symbol of the alphabet")
        self._tokens = _ids("tokens", [given[symbol] for symbol in self.alphabet])
        for argument, ids in (("tokens", self._tokens), ("rows", self._rows)):
            if ids is not None and len(set(ids.tolist())) < len(ids):
                raise InputError(argument, ids.tolist(), "different ones")
        self._decision = Decision(self.answers, self.alphabet, threshold)
        if self._decision.members is not None:
            self.answers = (*self.answers, ANOTHER_SET)
        largest = int(max(*self._tokens, *self._before, *self._after, *(pad or ())[:1], 0))
        self.pass_ = ForwardPass(forward, largest, sequence_first, self._fits, self._decision.wanted)
        self._note = "" if tokens is not None else self._ids_of_embedding()
        self._rounding: dict[int, float] = {}  # by the number of ids that are fed
        self._alone = 0

    def _fits(self, outputs: int) -> bool:
        if self._rows is None:
            return self._decision.fits(outputs)
        return outputs > int(self._rows.max(initial=0)) and self._decision.fits(len(self._rows))

    @property
    def arithmetic(self) -> str:
        return "the model's own forward pass, in floating point as this machine runs it; exact for no other machine"

    @property
    def rule(self) -> str:
        return "; ".join(filter(None, (self._decision.rule, self.pass_.description, self._note)))

    def _ids_of_embedding(self) -> str:
        torch: Any = sys.modules.get("torch")
        inside = () if self.pass_.module is None else self.pass_.module.modules()
        embedding = next((each for each in inside if isinstance(each, torch.nn.Embedding)), None)
        last = len(self.alphabet) - 1
        padding = None if embedding is None else embedding.padding_idx
        if padding is not None and padding <= last:
            expected = f"an id for each symbol (--tokens): the embedding keeps the id {padding} for padding"
            raise InputError("tokens", None, expected)
        if embedding is None or embedding.num_embeddings <= last + 1:
            return ""
        return f"symbols are fed as the ids 0 to {last} of {embedding.num_embeddings} (--tokens gives others)"

    def require_clear(self) -> None:
        """Raises :class:`~ccsim.errors.InputError` if the scores that were met leave open what they mean."""
        self._decision.require_clear()

    @property
    def level(self) -> float:
        """The threshold of a single score, after all that were met."""
        return self._decision.level

    @property
    def manner(self) -> str:
        if not self._rounding:
            return "one by one"
        return f"in batches of up to {BATCH}; {self._alone} of them also alone, in another order and in other company"

    @property
    def size_bits(self) -> int | None:
        """The bits of all parameters of a PyTorch module; None of any other function."""
        module = self.pass_.module
        return None if module is None else sum(8 * each.numel() * each.element_size() for each in module.parameters())

    def feed(self, words: Array) -> Array:
        """The ids (batch, length) that are fed for words of ranks (batch, N)."""
        count = len(words)
        front, back = (np.broadcast_to(part, (count, len(part))) for part in (self._before, self._after))
        fed = np.concatenate([front, self._tokens[words], back], axis=1)
        if self._pad is None:
            return fed
        token, length = self._pad
        if fed.shape[1] > length:
            raise InputError("pad", length, f"at least the {fed.shape[1]} ids of a word and what is around it")
        return np.concatenate([fed, np.full((count, length - fed.shape[1]), token, dtype=np.int64)], axis=1)

    def scores(self, words: Array, double: bool = False) -> Array:
        """The scores (batch, outputs) of words of ranks (batch, N), or those of a copy in double precision."""
        words = require_words(words, len(self.alphabet), None)
        return self._scores(words, double=double)[:, 0]

    def codes_at_every_position(self, words: Array) -> Array:
        """The answer codes (batch, N) by the scores at each position: of prefixes, if the model only looks back."""
        return self._codes(require_words(words, len(self.alphabet), None), every=True)

    def codes(self, words: Array) -> Array:
        words = np.asarray(words)
        rows = require_words(words.reshape(-1, words.shape[-1]), len(self.alphabet), None)
        return self._codes(rows)[:, 0].reshape(words.shape[:-1])

    def _codes(self, rows: Array, every: bool = False) -> Array:
        if not len(rows):
            return np.zeros((0, rows.shape[1] if every else 1), dtype=np.int64)
        scores = self._scores(rows, every)
        seen = self._rounding.get(self.feed(rows[:1]).shape[1])
        known = seen is not None and (seen or self.pass_.module is not None)
        rounding = CLOSE * max(seen or 0.0, LAST_PLACE) if known else 0.0
        if rounding:
            finite = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
            with np.errstate(invalid="ignore"):
                close = (self._decision.margins(scores) <= rounding * finite).any(axis=-1)
            for place in np.flatnonzero(close)[:MOST_CLOSE]:
                scores[place] = self._scores(rows[place : place + 1], every)[0]
        return self._decision.codes(scores)

    def _scores(self, rows: Array, every: bool = False, double: bool = False) -> Array:
        fed = self.feed(rows)
        with state_restored(self.pass_.module):
            if len(rows):
                layout = self.pass_.axes_of(fed[:1])
                if every and layout.positions is None and fed.shape[1] > 1:
                    raise InputError("forward", layout.shape, f"scores at all of {fed.shape[1]} positions or more")
            if len(rows) > 1 and fed.shape[1] not in self._rounding:
                some = np.unique(fed, axis=0) if len(fed) <= 1 << 14 else fed  # different ones, from all over
                some = some[np.unique(np.linspace(0, len(some) - 1, MOST).astype(int))]
                self._rounding[fed.shape[1]] = require_alone(self.pass_, some)
                self._alone = max(self._alone, len(some))
            blocks = range(0, len(fed), BATCH)
            parts = [self._chosen(self.pass_.run(fed[n : n + BATCH], double), layout, rows, every) for n in blocks]
        return np.concatenate(parts) if parts else np.zeros((0, 1, len(self.answers)))

    def _chosen(self, scores: Array, layout: ScoreAxes, rows: Array, every: bool) -> Array:
        start, length = len(self._before), rows.shape[1]
        if every:
            scores = scores[:, start : start + length]
        elif layout.positions is not None:
            whole = start + length + len(self._after)
            if not -whole <= self._position < whole:
                raise InputError("position", self._position, f"from {-whole} to {whole - 1}, of what is fed")
            scores = scores[:, [self._position % whole]]
        return scores if self._rows is None else scores[..., self._rows]


def _ids(argument: str, values: Iterable[int]) -> Array:
    return np.array([require_integer(argument, value, low=0) for value in values], dtype=np.int64)


MOST = 48
"""So many words are run alone."""

STEPS = 64 * 2.0**-23  # of the largest score: what rounding in single precision explains, at first sight
LOOSE = 2.0**-10  # where no copy in double precision can be run that would tell rounding from mixing
EXACT = 2.0**-30  # of the largest score, in double precision


def require_alone(forward: ForwardPass, ids: Array) -> float:
    """By how much scores of words run together, turned, in other company and alone differ, by rounding alone."""
    together = forward.run(ids)
    largest = _difference(together, forward.run(ids))
    if largest > STEPS:
        raise InputError(
            "forward",
            "the same words in the same order, run twice",
            "the same scores: it is random (dropout that eval() does not end), or keeps a state from call to call",
        )
    turned = np.arange(len(ids))[::-1]
    ways: list[tuple[str, Callable[[bool], Array]]] = [
        ("in another order", lambda double: forward.run(ids[turned], double)[turned]),
        ("in other company", lambda double: _in_halves(forward, ids, double)),
        ("alone", lambda double: np.concatenate([_alone(forward, row[None], double) for row in ids])),
    ]
    for company, run in ways:
        difference = _difference(together, run(False))
        if difference > STEPS and not _is_rounding(forward, ids, run, difference):
            expected = f"the scores that it has among {len(ids)}: the words of a batch are mixed{_advice(forward)}"
            raise InputError("forward", f"a word {company}", expected)
        largest = max(largest, difference)
    return largest


def _in_halves(forward: ForwardPass, ids: Array, double: bool) -> Array:
    """Scores of every second word together, and of the others together with copies of the first."""
    odd, first = ids[1::2], forward.run(ids[::2], double)
    scores = np.empty((len(ids), *first.shape[1:]))
    scores[::2] = first
    if len(odd):
        scores[1::2] = forward.run(np.concatenate([odd, ids[:1], ids[:1], ids[:1]]), double)[: len(odd)]
    return scores


def _alone(forward: ForwardPass, row: Array, double: bool) -> Array:
    try:
        return forward.run(row, double)
    except InputError as error:
        raise InputError("forward", f"a word alone ({error.value!r})", "to run one word as it runs many") from error


def _difference(one: Array, two: Array) -> float:
    """The largest difference over the largest score; infinite where only one of the two is a number."""
    same = (one == two) | (np.isnan(one) & np.isnan(two))
    if same.all():
        return 0.0
    if not (np.isfinite(one) | same).all() or not (np.isfinite(two) | same).all():
        return np.inf
    scale = np.abs(one[np.isfinite(one)]).max(initial=1e-300)
    return float(np.abs(np.where(same, 0, one - two)).max() / scale)


def _is_rounding(forward: ForwardPass, ids: Array, run: Callable[[bool], Array], difference: float) -> bool:
    if forward.module is None:
        return difference < LOOSE
    try:
        return _difference(forward.run(ids, True), run(True)) < EXACT
    except Exception:  # a copy of people's own module can fail in any way
        return difference < LOOSE


def _advice(forward: ForwardPass) -> str:
    layers: list[tuple[str, Any]] = [] if forward.module is None else list(forward.module.named_modules())
    batches = [name or "itself" for name, each in layers if getattr(each, "batch_first", None) is False]
    norms = [name for name, each in layers if getattr(each, "track_running_stats", None) is False]
    if batches and not forward.sequence_first:
        return (
            f"; {batches[0]!r} has batch_first=False and takes the first axis, that of the words, for positions:"
            " set batch_first=True, or give --sequence-first (sequence_first=True) if forward takes (N, batch)"
        )
    if batches:
        return f"; {batches[0]!r} has batch_first=False, and --sequence-first was given"
    return f"; {norms[0]!r} has track_running_stats=False" if norms else ""
