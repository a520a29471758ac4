"""Any function from tokens to scores as a sequence model: a network's own forward pass, run as it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.model import SequenceModel, largest_score, require_words, score_of_each
from ccsim.plain_data import printable

__all__ = ["ForwardModel"]

BATCH = 1 << 8


class ForwardModel(SequenceModel):
    """A model that is asked by running it: a PyTorch module, or any function from ids of tokens to scores.

    What it answers is what its forward pass gives on this machine, in floating point, in batches of words; nothing is
    known of words that were not run. A PyTorch module is put into eval mode and run without gradients.

    Attributes:
        name: what it is called.
        alphabet: the symbols.
        answers: the answers, in the order of the scores; of one score for two answers the second is above 0.
        length: None; it reads words of every length that the forward pass takes.

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
        name: str = "",
    ) -> None:
        """From a forward pass.

        Args:
            forward: takes ids of shape (batch, N), int64 (a tensor for a PyTorch module, else an array), and returns
                scores of shape (batch, outputs), or (batch, N, outputs) for every position, or an object with them in
                ``logits``.
            alphabet: the symbols.
            answers: the answers, in the order of the scores.
            tokens: the id of each symbol; its place in the alphabet if it is not said.
            before: ids in front of each word, such as that of a BOS token.
            after: ids behind it, such as those of a separator and a query.
            pad: an id and a length up to which it is written behind all of that.
            position: at which position of what is fed the answer stands, counted as Python does, before ``pad``; where
                scores are for every position.
            rows: which of the outputs are the answers, such as ids of answer tokens; the first ones if not said.
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
        torch: Any = sys.modules.get("torch")  # a module of PyTorch can only be here if PyTorch is
        self._torch: Any = torch if torch is not None and isinstance(forward, torch.nn.Module) else None

    @property
    def arithmetic(self) -> str:
        """What is run."""
        return "the model's own forward pass, in floating point as this machine runs it; exact for no other machine"

    @property
    def size_bits(self) -> int | None:
        """The bits of all parameters of a PyTorch module; None of any other function."""
        if self._torch is None:
            return None
        return sum(8 * each.numel() * each.element_size() for each in self.forward.parameters())  # type: ignore[attr-defined]

    def feed(self, words: Array) -> Array:
        """The ids (batch, length) that are fed for words of ranks (batch, N)."""
        count = len(words)
        ends = (np.broadcast_to(part, (count, len(part))) for part in (self._before, self._after))
        front, back = ends
        fed = np.concatenate([front, self._tokens[words], back], axis=1)
        if self._pad is None:
            return fed
        token, length = self._pad
        if fed.shape[1] > length:
            raise InputError("pad", length, f"at least the {fed.shape[1]} ids of a word and what is around it")
        return np.concatenate([fed, np.full((count, length - fed.shape[1]), token, dtype=np.int64)], axis=1)

    def scores(self, words: Array) -> Array:
        """What the forward pass gives for each answer (batch, answers), on words of ranks (batch, N)."""
        words = require_words(words, len(self.alphabet), None)
        parts = [self._run(words[first : first + BATCH]) for first in range(0, len(words), BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.answers)))

    def codes_at_every_position(self, words: Array) -> Array:
        """The answer codes (batch, N) after each symbol of words of ranks (batch, N), by one run of each word.

        The scores of a symbol are those at its own position, which says something only of a model that looks back.
        """
        words = require_words(words, len(self.alphabet), None)
        parts = [self._run(words[first : first + BATCH], every=True) for first in range(0, len(words), BATCH)]
        found = np.concatenate(parts) if parts else np.zeros((0, words.shape[1], len(self.answers)))
        return largest_score(found)

    def codes(self, words: Array) -> Array:
        """The answer codes (...) of words (..., N) of ranks: the first largest score, and none where one is NaN."""
        words = np.asarray(words)
        rows = words.reshape(-1, words.shape[-1])
        return largest_score(self.scores(rows)).reshape(words.shape[:-1])

    def _run(self, words: Array, every: bool = False) -> Array:
        """Scores (batch, answers), or (batch, N, answers) at the positions of all symbols."""
        fed = self.feed(words)
        try:
            given = self._in_torch(fed) if self._torch is not None else self.forward(fed)
        except Exception as error:  # whatever people's own code raises
            raise InputError("forward", printable(repr(error))[:300], f"scores for ids of shape {fed.shape}") from error
        given = getattr(given, "logits", given)
        scores = np.asarray(given.detach().cpu().double().numpy() if hasattr(given, "detach") else given, dtype=float)
        length, start = words.shape[1], len(self._before)
        if every:
            if scores.ndim != 3 or scores.shape[1] < start + length:
                raise InputError("forward", scores.shape, f"scores at all of {start + length} positions or more")
            return self._chosen(scores[:, start : start + length].reshape(len(words) * length, -1), fed).reshape(
                len(words), length, -1
            )
        if scores.ndim == 3:
            scores = scores[:, self._position % (start + length + len(self._after))]
        scores = scores[:, None] if scores.ndim == 1 else scores
        if scores.ndim != 2 or len(scores) != len(words):
            raise InputError("forward", scores.shape, f"scores of shape ({len(words)}, outputs) for {fed.shape} ids")
        return self._chosen(scores, fed)

    def _chosen(self, scores: Array, fed: Array) -> Array:
        """A column for each answer, from all outputs (rows, outputs)."""
        scores = scores if self._rows is None else scores[:, self._rows]
        scores = score_of_each(scores, len(self.answers))
        if scores.shape[1] != len(self.answers):
            raise InputError("forward", scores.shape, f"{len(self.answers)} outputs, one for each answer")
        return scores

    def _in_torch(self, fed: Array) -> Any:
        self.forward.eval()  # type: ignore[attr-defined]
        device = next((each.device for each in self.forward.parameters()), None)  # type: ignore[attr-defined]
        with self._torch.no_grad():
            return self.forward(self._torch.as_tensor(fed, device=device))


def _ids(argument: str, values: Iterable[int]) -> Array:
    return np.array([require_integer(argument, value, low=0) for value in values], dtype=np.int64)
