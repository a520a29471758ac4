"""What the measuring functions of several papers share: reductions checked on all inputs, one-way brackets."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from protocols import reductions
from protocols.papers.drawing import drawn_recall, drawn_words, every_word, recall_words

__all__ = [
    "built",
    "carried",
    "compared",
    "drawn_recall",
    "drawn_words",
    "every_word",
    "first_difference",
    "least_number",
    "one_way_bits",
    "one_way_messages",
    "recall_words",
    "reduced",
    "sizes_between",
    "telling_model",
]

Model = TypeVar("Model", bound="models.SequenceModel")
MOST_SEEDS = 256
MOST_WORDS = 1 << 16  # up to so many words of a task are all tried


def one_way_bits(function: problems.TwoPartyFunction, seconds: float = 30.0) -> bounds.Bracket:
    """The bits of one message from Alice after which Bob knows the answer, with a certificate."""
    return replace(bounds.one_way(function.matrix, time_limit=seconds), matrix=function.matrix)


def one_way_messages(function: problems.TwoPartyFunction, seconds: float = 30.0) -> bounds.Bracket:
    """How many different messages that takes, with a certificate."""
    return replace(bounds.one_way_messages(function.matrix, time_limit=seconds), matrix=function.matrix)


def sizes_between(largest: int, low: int, step: int = 1) -> tuple[int, ...]:
    """The sizes of :func:`~ccsim.claims.sizes_up_to` if they span a factor of 64, else the least and the largest.

    Fewer are too few for a trend: what is small goes up and down.

    >>> sizes_between(512, 4), sizes_between(20, 4)
    ((8, 16, 32, 64, 128, 256, 512), (4, 20))
    """
    sizes = sizes_up_to(largest, low, step)
    return sizes if largest >= 64 * sizes[0] else tuple(sorted({sizes[0], sizes[-1]}))


def least_number(satisfied: Callable[[int], bool]) -> int:
    """The least positive whole number of those that satisfy something, if all larger ones do: by doubling and halving.

    >>> least_number(lambda number: number**2 > 50)
    8
    """
    most = 1
    while not satisfied(most):
        most *= 2
    return bisect_left(range(most), True, lo=most // 2 + 1, key=satisfied)


def reduced(reduction: reductions.Reduction, bracket: bounds.Bracket, **more: Any) -> Finding:
    """A bound for a task: the source's bracket, if the reduction is right on every input."""
    wrong = reduction.check()
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    violations = () if wrong is None else (f"{reduction.name} is wrong: {wrong}",)
    return Finding.of_bracket(bracket, violations=violations, facts={**facts, **more.pop("facts", {})}, **more)


def telling_model(build: Callable[[int], Model], seed: int, length: int) -> Model:
    """The first random model from a seed on that does not give all words one answer: such a one would show nothing.

    A model counts if the last half of a word alone does not settle its answer, nor the first half.
    """
    for each in range(seed, seed + MOST_SEEDS):
        model = build(each)
        codes = model.task(length).codes()
        table = np.asarray(codes).reshape(len(model.alphabet) ** (length // 2), -1)
        if (table != table[:1]).any() and (table != table[:, :1]).any():
            return model
    raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose model looks at both halves of a word")


def built(
    model: models.SequenceModel,
    task: problems.SequenceTask,
    measured: Any,
    draw: Callable[[problems.SequenceTask], Any] | None = None,
    *,
    run: Callable[[Any], Any] | None = None,
    **more: Any,
) -> Finding:
    """A size of a model whose answers are :func:`compared` with those of a task."""
    wrong, checked = compared(model, task, draw, run=run)
    return Finding(measured=measured, checked=checked, of=task.words.size, violations=wrong, **more)


def compared(
    model: models.SequenceModel,
    task: problems.SequenceTask,
    draw: Callable[[problems.SequenceTask], Any] | None = None,
    *,
    run: Callable[[Any], Any] | None = None,
    most: int = MOST_WORDS,
) -> tuple[tuple[str, ...], int]:
    """What is wrong with a model's answers, and on how many words they were looked at.

    These are all words of the task, or words that are drawn if there are more than so many: then those that count are
    the promised ones.

    Args:
        model, task: whose answers are compared.
        draw: what draws words where there are too many; :func:`drawn_words` if None.
        run: what turns words of the model's ranks into its answer codes; ``model.codes`` if None.
        most: up to so many words of a task are all gone through.
    """
    few = task.words.size <= most
    words = every_word(task) if few else (draw or drawn_words)(task)
    if few and not np.array_equal(task.words.places(words), np.arange(task.words.size)):
        return (f"not all {task.words.size} words are gone through",), len(words)
    wanted, lookup = np.asarray(task.evaluate(words)), model.ranks_of(task.alphabet)
    codes = np.asarray((run or model.codes)(words if lookup is None else lookup[words]))
    given = np.array([task.answers.index(answer) for answer in model.answers])[codes]
    promised = np.flatnonzero(wanted != DONT_CARE)
    if not len(promised):
        return ("no word that was drawn is promised",), 0
    checked = len(words) if few else len(promised)
    wrong = first_difference(given, wanted)
    return () if wrong is None else (f"wrong on {_written(task, words[wrong])}",), checked


def carried(model: Any, task: problems.SequenceTask, words: Any) -> Finding:
    """Run a model on words, with nothing kept between symbols but its state, packed into a number and unpacked again.

    ``words`` are ranks in the alphabet of the task. Measured are the bits of the largest number that is carried. A
    model for several queries has an inner one that answers each of the last symbols; answers are tuples then.
    """
    inner, queries = getattr(model, "inner", model), getattr(model, "queries", 1)
    lookup = inner.ranks_of(task.alphabet)
    rows = words if lookup is None else lookup[words]
    states, most, said = np.repeat(inner.start()[None], len(rows), axis=0), 0, []
    for place, column in enumerate(rows.T):
        if place >= rows.shape[1] - queries:
            said.append([inner.answers[code] for code in inner.last(states, column, place + 1).tolist()])
        numbers = inner.pack(inner.step(states, column, place + 1))
        most, states = max(most, int(numbers.max())), inner.unpack(numbers)
    given = list(zip(*said, strict=True)) if hasattr(model, "inner") else said[0]
    wanted = [task.answers[code] for code in np.asarray(task.evaluate(words)).tolist()]
    wrong = [f"answers {one} on {_written(task, row)}"
             for one, other, row in zip(given, wanted, words, strict=True) if one != other]  # fmt: skip
    return Finding(measured=most.bit_length(), checked=len(words), of=len(words), violations=tuple(wrong[:1]))


def first_difference(given: Any, wanted: Any) -> int | None:
    """The first place where a promised answer is not the one that is given."""
    places = np.flatnonzero((given != wanted) & (wanted != DONT_CARE))
    return int(places[0]) if len(places) else None


def _written(task: problems.SequenceTask, row: Any) -> str:
    return task.words.show(task.words.word(task.alphabet[rank] for rank in row))
