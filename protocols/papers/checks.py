"""Steps that measurements of several papers share: series over sizes, reductions on all inputs, models against tasks.

Real numbers are intervals (Arb), far narrower than what is read from them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from ccsim import bounds, lazy, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.claims.claim import Value
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from protocols import reductions

flint = lazy.load("flint")


MOST_WORDS = 1 << 16  # up to so many words of a task are all tried
DRAWN = 64  # words, where a task has too many


def sizes_between(largest: int, low: int, step: int = 1) -> tuple[int, ...]:
    """Sizes of :func:`~ccsim.claims.sizes_up_to` if they span a factor of 64, enough for a trend; else the two ends."""
    sizes = sizes_up_to(largest, low, step)
    return sizes if largest >= 64 * sizes[0] else tuple(sorted({sizes[0], sizes[-1]}))


def require_growth(length: int, widths: Sequence[int]) -> None:
    """Refuse series of least widths of 1, the least there is, which show no growth."""
    if widths[-1] == widths[len(widths) // 2]:
        expected = "a length at which more than a width of 1 is needed, and at an eighth of it"
        raise InputError("length", length, expected)


def drawn_until(
    build: Callable[[int], Any], good: Callable[[Any], bool], seed: int, what: str, count: int = 1, most: int = 256
) -> list[Any]:
    drawn = list(islice(filter(good, map(build, range(seed, seed + most))), count))
    if not drawn:
        raise InputError("seed", seed, f"one of {most} seeds from it on {what}")
    return drawn


def looks_at_both(table: Any) -> bool:
    """Whether neither the row nor the column settles an entry alone: else a protocol for it would show nothing."""
    return bool((table != table[:1]).any() and (table != table[:, :1]).any())


def words_of_bits(length: int) -> Any:
    return np.array(list(product((0, 1), repeat=length)), dtype=np.int64).reshape(2**length, length)


def strings_up_to(length: int, symbols: str) -> list[str]:
    return ["".join(string) for size in range(length + 1) for string in product(symbols, repeat=size)]


def least_number(satisfied: Callable[[int], bool]) -> int:
    most = 1
    while not satisfied(most):
        most *= 2
    return bisect_left(range(most), True, lo=most // 2 + 1, key=satisfied)


class Tally(NamedTuple):
    """What came of one size: the value, how many cases were gone through, of how many, and what was wrong."""

    value: Value
    checked: int
    of: int
    wrong: Sequence[str] = ()

    def finding(self, **more: Any) -> Finding:
        return Finding(measured=self.value, checked=self.checked, of=self.of, violations=self.wrong, **more)


def grown(sizes: Iterable[int], look: Callable[[int], Tally], **more: Any) -> Finding:
    tallies = {size: look(size) for size in sizes}
    return Finding(
        series=tuple((size, each.value) for size, each in tallies.items()),
        checked=sum(each.checked for each in tallies.values()),
        of=sum(each.of for each in tallies.values()),
        violations=[f"{fault} (at {size})" for size, each in tallies.items() for fault in each.wrong],
        **more,
    )


def one_way_bits(function: problems.TwoPartyFunction, seconds: float = 30.0) -> bounds.Bracket:
    return replace(bounds.one_way(function.matrix, seconds=seconds), matrix=function.matrix)


def reduced(reduction: reductions.Reduction, bracket: bounds.Bracket | None = None, **more: Any) -> Finding:
    """A bound for a task: the bracket of the source (of one message if none is given), if the reduction is right."""
    bracket = one_way_bits(reduction.source) if bracket is None else bracket
    wrong = reduction.check()
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    violations = () if wrong is None else (f"{reduction.name} is wrong: {wrong}",)
    return Finding.of_bracket(bracket, violations=violations, facts={**facts, **more.pop("facts", {})}, **more)


def compared(
    model: models.SequenceModel,
    task: problems.SequenceTask,
    value: Any = None,
    draw: Callable[[problems.SequenceTask], Any] | None = None,
    run: Callable[[Any], Any] | None = None,
    most: int = MOST_WORDS,
) -> Tally:
    size = task.words.size
    words = every_word(task) if size <= most else (draw or drawn_words)(task)
    wanted, lookup = np.asarray(task.evaluate(words)), model.ranks_of(task.alphabet)
    codes = np.asarray((run or model.codes)(words if lookup is None else lookup[words]))
    given = np.array([task.answers.index(answer) for answer in model.answers])[codes]
    promised = int((wanted != DONT_CARE).sum())
    if not promised:
        return Tally(value, 0, size, ["no word that was drawn is promised"])
    wrong = first_difference(given, wanted)
    word = None if wrong is None else task.words.word(task.alphabet[rank] for rank in words[wrong])
    faults = [] if word is None else [f"wrong on {task.words.show(word)}"]
    return Tally(value, size if size <= most else promised, size, faults)


def first_difference(given: Any, wanted: Any) -> int | None:
    places = np.flatnonzero((given != wanted) & (wanted != DONT_CARE))
    return int(places[0]) if len(places) else None


def every_word(task: problems.SequenceTask) -> Any:
    return task.words.array(task.words.indices()).astype(np.int64)


def drawn_words(task: problems.SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks, always the same ones: half of them at random, half in pairs that differ in one symbol only.

    Every other random one repeats its first half, if it can; the last two are the first and the last word of the task.
    Pairs have different answers, so that what decides is one symbol somewhere.
    """
    generator, positions, choices = np.random.default_rng(0), task.positions, task.words.choices
    words = np.stack([ranks[generator.integers(len(ranks), size=count)] for ranks in choices], axis=1)
    half = len(positions) // 2
    if positions[:half] == positions[half : 2 * half]:
        words[::2, half : 2 * half] = words[::2, :half]
    words[-2:] = [[ranks[0] for ranks in choices], [ranks[-1] for ranks in choices]]
    codes = np.asarray(task.evaluate(words))
    first, other = np.flatnonzero(codes == codes[0]), np.flatnonzero(codes != codes[0])
    if not len(other):
        return words
    quarter = np.arange(max(1, count // 4))
    pairs = (words[place[quarter % len(place)]] for place in (first, other))
    return np.concatenate([words[: count // 2 - 2], words[-2:], *_neighbours(task, *pairs)])


def _neighbours(task: problems.SequenceTask, start: Any, end: Any) -> tuple[Any, Any]:
    """Pairs of words, one symbol apart, with different answers, on paths between words with different answers."""
    generator = np.random.default_rng(1)
    order = generator.permuted(np.tile(np.arange(start.shape[1]), (len(start), 1)), axis=1)
    turn = np.argsort(order, axis=1)  # at which step a position takes the symbol of the end
    low, high = np.zeros(len(start), dtype=np.int64), np.full(len(start), start.shape[1])

    def word(steps: Any) -> Any:
        return np.where(turn < steps[:, None], end, start)

    answer = np.asarray(task.evaluate(start))
    while (high - low > 1).any():
        middle = (low + high) // 2
        same = np.asarray(task.evaluate(word(middle))) == answer
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    assert (word(low) != word(high)).sum(axis=1).max() == 1
    return word(low), word(high)


def drawn_recall(task: problems.SequenceTask, count: int = DRAWN) -> Any:
    """Words of associative recall, keys in any order; every other is the last with the value asked for turned."""
    generator, positions = np.random.default_rng(0), task.positions
    choices, pairs, rows = task.words.choices, len(positions) // 2, range(count)
    keys, values = choices[-1], choices[1]
    held = generator.permuted(np.tile(keys, (count, 1)), axis=1)[:, :pairs]
    if len(positions[0]) == 1:  # each key has its own place
        held = np.tile(np.concatenate(choices[0:-1:2]), (count, 1))
    drawn, place = generator.integers(len(values), size=(count, pairs)), generator.integers(pairs, size=count)
    drawn[1::2], held[1::2], place[1::2] = (given[0 : count // 2 * 2 : 2] for given in (drawn, held, place))
    drawn[rows[1::2], place[1::2]] = (drawn[rows[1::2], place[1::2]] + 1) % len(values)
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    words[:, 0:-1:2], words[:, 1::2], words[:, -1] = held, values[drawn], held[rows, place]
    return words


BITS = 512  # of an interval


def interval(number: Fraction | int) -> Any:
    """A rational number as an interval; to be called under :func:`within`, as all that is computed from it."""
    return flint.arb(flint.fmpq(*Fraction(number).as_integer_ratio()))


def within(compute: Any) -> Any:
    """The value of a function, computed with intervals of 512 bits."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = BITS
        return compute()
    finally:
        flint.ctx.prec = before


def whole_part(value: Any) -> int:
    """The floor of an interval, which must have only one."""
    floor = value.floor().unique_fmpz()
    if floor is None:
        raise ArithmeticError(f"{value} has no floor of its own")
    return int(floor)
