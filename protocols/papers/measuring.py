"""What the measuring functions of several papers share: reductions checked on all inputs, one-way brackets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ccsim.claims import Finding
from ccsim.errors import InputError

if TYPE_CHECKING:
    from ccsim.bounds import Bracket
    from ccsim.models import SequenceModel
    from ccsim.problems import SequenceTask, TwoPartyFunction
    from protocols.reductions.task_reductions import Reduction

__all__ = ["built", "drawn_recall", "drawn_words", "one_way_bits", "one_way_messages", "reduced", "telling_model"]

Model = TypeVar("Model", bound="SequenceModel")
MOST_SEEDS = 256
MOST_WORDS = 1 << 16  # up to so many words of a task are all tried
DRAWN = 64


def one_way_bits(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """The bits of one message from Alice after which Bob knows the answer, with a certificate."""
    from ccsim.bounds import one_way

    return replace(one_way(function.matrix, time_limit=seconds), matrix=function.matrix)


def one_way_messages(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """How many different messages that takes, with a certificate."""
    from ccsim.bounds import one_way_messages as messages

    return replace(messages(function.matrix, time_limit=seconds), matrix=function.matrix)


def reduced(reduction: Reduction, bracket: Bracket, **more: Any) -> Finding:
    """A bound for a task: the source's bracket, if the reduction is right on every input."""
    wrong = reduction.check()
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    violations = () if wrong is None else (f"{reduction.name} is wrong: {wrong}",)
    return Finding.of_bracket(bracket, violations=violations, facts={**facts, **more.pop("facts", {})}, **more)


def telling_model(build: Callable[[int], Model], seed: int, length: int) -> Model:
    """The first random model from a seed on that does not give all words one answer: such a one would show nothing.

    A model counts if the last half of a word alone does not settle its answer, nor the first half.
    """
    import numpy as np

    for each in range(seed, seed + MOST_SEEDS):
        model = build(each)
        codes = model.task(length).codes()
        table = np.asarray(codes).reshape(len(model.alphabet) ** (length // 2), -1)
        if (table != table[:1]).any() and (table != table[:, :1]).any():
            return model
    raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose model looks at both halves of a word")


def built(
    model: SequenceModel,
    task: SequenceTask,
    measured: Any,
    draw: Callable[[SequenceTask], Any] | None = None,
    **more: Any,
) -> Finding:
    """A size of a model that is right on every word of a task, or on words drawn at random if there are too many."""
    import numpy as np

    from ccsim.matrices import DONT_CARE

    size = task.words.size
    if size <= MOST_WORDS:
        mistake, checked = model.mistake(task), size
        wrong = () if mistake is None else (f"wrong on {mistake}",)
    else:
        words = (draw or drawn_words)(task)
        wanted, given = np.asarray(task.evaluate(words)), model.codes(words)
        held = wanted != DONT_CARE
        checked, place = int(held.sum()), np.array([task.answers.index(answer) for answer in model.answers])
        wrong = ("wrong on a word that was drawn",) if (place[given] != wanted)[held].any() else ()
        wrong = wrong if checked else ("no word that was drawn is promised",)
    return Finding(measured=measured, checked=checked, of=size, violations=wrong, **more)


def drawn_words(task: SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks, always the same ones; every other one repeats its first half, every fourth but for one symbol."""
    import numpy as np

    generator, positions = np.random.default_rng(0), task.positions
    rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
    choices = [np.array([rank[symbol] for symbol in symbols]) for symbols in positions]
    words = np.stack([ranks[generator.integers(len(ranks), size=count)] for ranks in choices], axis=1)
    half = len(positions) // 2
    if positions[:half] == positions[half : 2 * half]:
        places, rows = half + generator.integers(half, size=count), np.arange(count)
        kept = words[rows, places]
        words[::2, half : 2 * half] = words[::2, :half]
        words[rows[::4], places[::4]] = kept[::4]
    return words


def drawn_recall(task: SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks for associative recall: the keys in orders of their own, values and a query at random."""
    import numpy as np

    generator, pairs = np.random.default_rng(0), len(task.positions) // 2
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    words[:, 0:-1:2] = generator.permuted(np.tile(np.arange(pairs), (count, 1)), axis=1)
    words[:, 1::2] = pairs + generator.integers(len(task.answers), size=(count, pairs))
    words[:, -1] = generator.integers(pairs, size=count)
    return words
