"""Intervals for the accuracy of a recurrent model on all words, by sets of its states.

Zonotopes: near states with the same state of the task are enclosed in one. If the model has one answer on all of it,
the words counted in it are proved right, or wrong. A heuristic in floating point chooses which states to enclose
together; the parallelotope around them is computed in integers, with every rounding added to its radius.

Boxes: every state after t symbols lies in a box, which contains the images under each symbol of the box after t - 1
symbols; there is a box for each choice of the last few symbols. They take far less time, and are as tight where numbers
of the state do not act on each other. The last symbol alone decides if a box of all states has one answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccsim.arithmetic import Zonotopes, exact_matmul, floor_divide
from ccsim.arithmetic.zonotopes import UNIT
from ccsim.auditing.product_reachability import UNLIMITED, Budget, OutOfBudgetError, PrefixStates, Subject
from ccsim.auditing.result import Accuracy, AccuracyBounds
from ccsim.auditing.sampled_words import words_of_each_answer
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.model import SequenceModel, affordable
from ccsim.models.reachability import different_rows, numbered_blocks, trace_back
from ccsim.models.recurrent import RecurrentStack
from ccsim.models.transformer import OneLayerTransformer, Transformer
from ccsim.plain_data import counted


def possible_answers(scores: Zonotopes, renamed: Array, answers: int) -> Array:
    possible = np.zeros((len(scores), answers + 1), dtype=bool)
    for code, name in enumerate(renamed):
        wins = np.ones(len(scores), dtype=bool)
        for other in range(len(renamed)):
            if other != code:
                wins &= ~((scores[:, other] - scores[:, code]).low >= (0 if other < code else 1))
        possible[:, name if name >= 0 else answers] |= wins
    return possible


def proved(codes: Array, possible: Array) -> tuple[Array, Array, Array]:
    """Which words are promised, proved right and proved wrong, from the wanted and the possible codes."""
    asked = codes != DONT_CARE
    can = asked & possible[np.arange(len(possible)), np.maximum(codes, 0)]
    return asked, can & (possible.sum(axis=1) == 1), asked & ~can


AXIS_BITS = 12
AXIS = 1 << AXIS_BITS
LEAST_SHARE = 0.05  # clusters narrower than this part of the widest are not split in the same round


@dataclass(frozen=True, eq=False)
class Grouping:
    order: Array
    starts: Array
    groups: Array

    @classmethod
    def of(cls, numbers: Array) -> Grouping:
        order = np.argsort(numbers, kind="stable")
        starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
        sizes = np.diff(starts, append=len(order))
        return cls(order, starts, np.repeat(np.arange(len(starts)), sizes))


def cluster_numbers(low: Array, high: Array, classes: Array, weights: Array, most: int) -> Array:
    """Clusters, each of one class: the widest, weighed, are cut in their middle until there are ``most``."""
    middles, numbers, count = (low + high) / 2, classes.copy(), int(classes.max()) + 1
    while count < most:
        grouping = Grouping.of(numbers)
        order, starts = grouping.order, grouping.starts
        least, largest = np.minimum.reduceat(middles[order], starts), np.maximum.reduceat(middles[order], starts)
        width = largest - least
        unit, places = width.argmax(axis=1), np.arange(count)
        worth = width[places, unit] * np.sqrt(np.add.reduceat(weights[order], starts))
        chosen = np.argsort(-worth, kind="stable")[: most - count]
        chosen = chosen[worth[chosen] > LEAST_SHARE * worth[chosen[0]]]
        if not len(chosen):
            break
        fresh = np.full(count, -1)
        fresh[chosen] = count + np.arange(len(chosen))
        values = middles[np.arange(len(numbers)), unit[numbers]]
        beyond = values > _cuts(values, numbers, grouping)[numbers]
        numbers = np.where((fresh[numbers] >= 0) & beyond, fresh[numbers], numbers)
        count += len(chosen)
    return numbers


def _cuts(values: Array, numbers: Array, grouping: Grouping) -> Array:
    """For each group the value up to which members are left of the cut that leaves least variance (Otsu 1979)."""
    order = np.lexsort((values, numbers))
    ordered, starts, groups = values[order], grouping.starts, grouping.groups
    sizes = np.diff(starts, append=len(order))
    place = np.arange(len(order)) - starts[groups]
    centred = ordered - np.add.reduceat(ordered, starts)[groups] / sizes[groups]
    sums = np.cumsum(centred)
    sums = sums - (sums - centred)[starts][groups]
    left = place + 1.0
    between = np.where(left < sizes[groups], sums**2 / np.maximum(left * (sizes[groups] - left), 1), -1)
    between[:-1] = np.where(ordered[1:] == ordered[:-1], -1, between[:-1])
    best = np.maximum.reduceat(between, starts)
    first = np.flatnonzero(between == best[groups])
    cuts = np.empty(len(starts))
    cuts[groups[first]] = ordered[first]
    return cuts


def joined(zonotopes: Zonotopes, numbers: Array, kept: int) -> tuple[Zonotopes, Grouping]:
    """A zonotope around each group, with ``kept`` generators more than units; those alone keep their longest."""
    grouping, units = Grouping.of(numbers), zonotopes.shape[1]
    members, first = zonotopes[grouping.order], grouping.starts
    alone = np.asarray(np.diff(first, append=len(numbers)) == 1)[grouping.groups]
    generators = np.concatenate(
        [members.generators, members.radius[:, :, None] * np.eye(units, dtype=np.int64)], axis=2
    )
    by_length = np.argsort(-np.abs(generators).sum(axis=1), axis=1, kind="stable")
    generators = np.take_along_axis(generators, by_length[:, None, :], axis=2)
    own, rest = generators[:, :, :kept], generators[:, :, kept:]
    least, most = np.minimum.reduceat(members.low, first), np.maximum.reduceat(members.high, first)
    middle = np.where(alone[first][:, None], members.centre[first], (least + most) * (UNIT // 2))
    away = members.centre - middle[grouping.groups]
    spread = np.concatenate([np.where(alone[:, None, None], 0, own), rest], axis=2)
    axes = _axes(away, spread, grouping)
    centre, generators, radius = _enclosed(away, spread, axes, grouping)
    held = np.where(alone[first][:, None, None], own[first], 0)
    return Zonotopes(middle + centre, np.concatenate([held, generators], axis=2), radius, least, most), grouping


def _axes(away: Array, spread: Array, grouping: Grouping) -> Array:
    parts = spread.astype(np.float64)
    moments = np.matmul(parts, parts.transpose(0, 2, 1)) + away[:, :, None].astype(np.float64) * away[:, None, :]
    total = np.add.reduceat(moments, grouping.starts)
    total += np.eye(total.shape[1])
    return np.asarray(np.rint(np.linalg.eigh(total)[1] * AXIS), dtype=np.int64)


def _enclosed(away: Array, spread: Array, axes: Array, grouping: Grouping) -> tuple[Array, Array, Array]:
    """Centre, generators and radius of a parallelotope P y around the members, for the axes P of each group.

    With Q the transposed of P, v is P (Q v) and (1 - P Q) v: the first part gives the sides, the second, which is small
    whatever P is, goes to the radius. P and Q are integers over AXIS.
    """
    across = axes.transpose(0, 2, 1)[grouping.groups]
    places = exact_matmul(across, away[:, :, None])[:, :, 0]
    reach = np.abs(exact_matmul(across, spread)).sum(axis=2)
    least = np.minimum.reduceat(places - reach, grouping.starts)
    most = np.maximum.reduceat(places + reach, grouping.starts)
    middle, half = (least + most) >> 1, (most - least + 2) >> 1
    unit = AXIS * AXIS
    centre = floor_divide(exact_matmul(axes, middle[:, :, None])[:, :, 0], unit)
    generators = floor_divide(axes * half[:, None, :] + unit // 2, unit)
    left = unit * np.eye(axes.shape[1], dtype=np.int64) - exact_matmul(axes, axes.transpose(0, 2, 1))
    far = np.maximum.reduceat(np.abs(away) + np.abs(spread).sum(axis=2), grouping.starts)
    lost = exact_matmul(np.abs(left), far[:, :, None])[:, :, 0]
    return centre, generators, floor_divide(lost, unit) + 2 + axes.shape[1]


BLOCK_ENTRIES = 1 << 21  # numbers of generators that are stepped at once
WORD_BITS = 62
MOST_BITS = 24  # of a number: more, and products might not fit in 64 bits, nor tables in memory
FEW_SETS = 64
MOST_ENTRIES = 1 << 25  # numbers of all generators at one position, before sets are put together
MOST_UNITS = 32  # models with more units keep fewer generators
TRIAL_SETS = 1 << 10  # up to so many both ways are tried
TRIAL_SHARE = 1 / 32  # of the time, if the way before takes no more


def is_followed(model: SequenceModel) -> bool:
    if not isinstance(model, RecurrentStack):
        return False
    numbers = {model.precision, *model.state_precisions}
    if any(max(one.bits, one.scale.bit_length()) > MOST_BITS for one in numbers):
        return False
    try:
        model.scored(Zonotopes.points(model.start()[None], 1), np.zeros(1, dtype=np.int64))
    except (InputError, TypeError, AttributeError):
        return False
    return True


def bound_by_covers(pair: Subject, budget: Budget, decided: bool = False) -> AccuracyBounds | None:
    model = pair.model
    assert isinstance(model, RecurrentStack)
    each = model.units * (model.units + _kept(model.units)) * max(map(len, pair.symbols))
    limit = max(FEW_SETS, min(budget.states, MOST_ENTRIES // each))
    best: AccuracyBounds | None = None
    ways: tuple[bool, ...] = True, False  # whether sets are never put together after different last symbols
    most, idle = FEW_SETS, 0
    while True:
        before, last = budget.spent, best
        brackets: list[AccuracyBounds] = []
        try:
            for by_symbol in ways:
                early = most == FEW_SETS or budget.spent - before < TRIAL_SHARE * budget.seconds
                if not brackets or (early and not brackets[0].accuracy.is_exact):
                    brackets.append(count_by_cover(pair, most, budget, by_symbol))
                    best = brackets[-1].joined(best)
        except OutOfBudgetError:
            return best
        assert best is not None
        took = (budget.spent - before) / len(brackets)
        if most >= TRIAL_SETS or len(brackets) < len(ways):  # from now on only in the way that decides more
            ways = (ways[int(np.argmax([bracket.accuracy.decided for bracket in brackets]))],)
        before_it, words = 0 if last is None else last.accuracy.decided, best.accuracy.words
        hardly_any = last is not None and 100 * (best.accuracy.decided - before_it) < words - before_it
        idle = idle + 1 if hardly_any else 0
        more = int(most * min(4, 0.9 * (budget.seconds - budget.spent) / max(took * len(ways), 1e-6)))
        if best.accuracy.is_exact or more < 1.3 * most or most >= limit or (decided and idle >= 2):
            return best
        most = min(more, limit)


def count_by_cover(pair: Subject, most: int, budget: Budget, by_symbol: bool = False) -> AccuracyBounds:
    model, machine, symbols, history = pair.model, pair.machine, pair.symbols, list[tuple[Array, Array]]()
    assert isinstance(model, RecurrentStack)
    kept, words = _kept(model.units), math.prod(map(len, symbols))
    states, wanted = Zonotopes.points(model.start()[None], model.units + kept), np.asarray(machine.start)[None]
    counts = np.ones(1, dtype=np.int64 if words.bit_length() <= WORD_BITS else object)

    def stepped(step: Callable[[Any, Array, int], Any]) -> list[Any]:
        parts, size = [], max(1, BLOCK_ENTRIES // (4 * states.generators[0].size))
        for numbers, read in numbered_blocks(len(states), symbols[len(history)], size):
            budget.require_time(f"{len(counts)} sets of states after {len(history)} symbols")
            parts.append(step(states[numbers], pair.read(read), len(history) + 1))
        return parts

    for position, choices in enumerate(symbols[:-1], start=1):
        after: Any = np.concatenate(stepped(model.step), axis=0)
        numbers, read = next(numbered_blocks(len(counts), choices, len(counts) * len(choices)))
        wanted, counts = machine.step(wanted[numbers], read, position), counts[numbers]
        different, _, classes = different_rows(wanted)
        if by_symbol:
            classes = different_rows(np.stack([classes, read], axis=1))[2]
        budget.require_states(len(different), "states of the task", f"{position - 1} symbols")
        clusters = np.arange(len(counts))
        if len(counts) > most:
            weights = np.asarray(counts / counts.max(), dtype=np.float64)
            clusters = cluster_numbers(after.low.astype(float), after.high.astype(float), classes, weights, most)
        states, grouping = joined(after, clusters, kept)
        first = grouping.order[grouping.starts]
        wanted, counts = wanted[first], np.add.reduceat(counts[grouping.order], grouping.starts)
        history.append((first, choices))
    answers = len(pair.task.answers)
    possible = np.concatenate(
        stepped(lambda sets, read, _: possible_answers(model.scored(sets, read), pair.renamed, answers))
    )
    numbers, read = next(numbered_blocks(len(counts), symbols[-1], len(counts) * len(symbols[-1])))
    codes = machine.codes(machine.step(wanted[numbers], read, len(symbols)))
    asked, sure, refuted = proved(codes, possible)
    promised, right, wrong = (int(counts[numbers][part].astype(object).sum()) for part in (asked, sure, refuted))
    if not promised:
        raise OutOfBudgetError("no word is promised")
    how = f"by at most {counted(len(counts), 'set of states')} at one position"
    place = int(np.argmax(refuted))
    word = np.append(trace_back(history, int(numbers[place])), read[place]) if wrong else None
    return AccuracyBounds(Accuracy(promised, right, wrong, how), word)


def _kept(units: int) -> int:
    """How many generators a set keeps of its own, with one for each unit: the fewer, the more sets for the time."""
    return units if units <= MOST_UNITS else units // 2


BOXES_AT_ONCE = 1 << 9  # boxes that are stepped at once
LETTERS = 4  # so many last symbols have boxes of their own all along
MOST_BOX_ENTRIES = 1 << 23  # numbers of all boxes
MOST_SUFFIXES = 1 << 20  # of a state of the task and a suffix
Bounds = tuple[Array, Array]
"""The lower and the upper ends of boxes of states, shape (boxes, units) each."""


def bound_by_suffixes(pair: Subject, budget: Budget) -> AccuracyBounds | None:
    best: AccuracyBounds | None = None
    for long in range(1, len(pair.symbols) + 1):
        begun = budget.spent
        try:
            best = count_by_suffixes(pair, long, budget)
        except OutOfBudgetError:
            return best
        took = budget.spent - begun
        if best.accuracy.is_exact or took * max(map(len, pair.symbols)) > budget.left:
            return best
    return best


def count_by_suffixes(pair: Subject, long: int, budget: Budget) -> AccuracyBounds:
    model, symbols = pair.model, pair.symbols
    assert isinstance(model, RecurrentStack)
    count = math.prod(map(len, symbols[-long:]))
    if count * model.units > MOST_BOX_ENTRIES:
        raise OutOfBudgetError("too many endings")
    states = PrefixStates.of(pair, budget, long, MOST_SUFFIXES // count)
    start, before = model.start()[None], len(symbols) - 1
    bounds, sizes = (start, start), []
    for done, choices in enumerate(symbols[:-1], start=1):
        after = _stepped(model, bounds, pair.read(choices), budget)
        sizes.append(len(choices))
        known = min(max(min(LETTERS, long - 1), long - 1 - (before - done)), len(sizes))  # of the last symbols
        together, sizes = math.prod(sizes[: len(sizes) - known]), sizes[len(sizes) - known :]
        low, high = (part.reshape(together, -1, model.units) for part in after)
        bounds = low.min(axis=0), high.max(axis=0)
    asked, right, refuted = proved(states.codes, _possible(pair, bounds, symbols[-1], budget))
    promised, sure, wrong = (int((states.counts * part.sum(axis=1)).sum()) for part in (asked, right, refuted))
    if not promised:
        raise OutOfBudgetError("no word is promised")
    how = f"by the last {counted(long, 'symbol')}, whatever comes before"
    return AccuracyBounds(Accuracy(promised, sure, wrong, how), states.word(refuted) if wrong else None)


def _boxes(bounds: Bounds, symbols: Array, budget: Budget) -> Iterator[tuple[Any, Array]]:
    for numbers, read in numbered_blocks(len(bounds[0]), symbols, BOXES_AT_ONCE):
        budget.require_time(f"{len(bounds[0])} boxes of states")
        low, high = (part[numbers] for part in bounds)
        none = np.zeros((*low.shape, 1), dtype=np.int64)  # generators: what follows treats each number on its own
        yield Zonotopes((low + high) * (UNIT // 2), none, (high - low) * (UNIT // 2), low, high), read


def _stepped(model: RecurrentStack, bounds: Bounds, symbols: Array, budget: Budget) -> Bounds:
    parts: list[Any] = [model.step(held, read, 1) for held, read in _boxes(bounds, symbols, budget)]
    return np.concatenate([after.low for after in parts]), np.concatenate([after.high for after in parts])


def _possible(pair: Subject, bounds: Bounds, last: Array, budget: Budget) -> Array:
    model, answers = pair.model, len(pair.task.answers)
    assert isinstance(model, RecurrentStack)
    blocks = _boxes(bounds, pair.read(last), budget)
    return np.concatenate([possible_answers(model.scored(held, read), pair.renamed, answers) for held, read in blocks])


ROUNDS = 4
FEW_WORDS = 1 << 6  # words


def bound_by_last_symbol(pair: Subject, budget: Budget) -> AccuracyBounds | None:
    """The exact accuracy of a model that answers by the last symbol; None if that is not shown."""
    given, symbols = answers_by_last_symbol(pair), pair.symbols
    if given is None:
        return None
    same = len(set(given.tolist())) == 1
    why = "the model always answers the same" if same else "the last symbol tells its answer"
    how, task = f"by what the task wants: {why}, by bounds of all states of the model", pair.task
    after = np.zeros(len(task.alphabet), dtype=np.int64)
    after[symbols[-1]] = given

    def bracket(accuracy: Accuracy, first: Array | None) -> AccuracyBounds:
        code = -1 if first is None else int(after[first[-1]])  # negative as well if the task has no such answer
        return AccuracyBounds(accuracy, first, code if code >= 0 else None)

    try:
        states = PrefixStates.of(pair, budget)
    except OutOfBudgetError:
        count, generator = affordable(FEW_WORDS, len(symbols)), np.random.default_rng(budget.seed)
        for words in words_of_each_answer(task, count, generator, budget.part()):
            codes = np.asarray(task.evaluate(words))
            bad = (codes != DONT_CARE) & (codes != after[words[:, -1]])
            if bad.any():
                one = Accuracy(task.words.size, 0, 1, f"one of few drawn words, {how}")
                return bracket(one, words[int(np.argmax(bad))])
        return None
    if not states.promised:
        return None
    bad = (states.codes != DONT_CARE) & (states.codes != given)
    wrong = int((states.counts[:, None] * bad).sum())
    accuracy = Accuracy(states.promised, states.promised - wrong, wrong, f"counted {how}")
    return bracket(accuracy, states.word(bad) if wrong else None)


def answers_by_last_symbol(pair: Subject) -> Array | None:
    """The answer, in codes of the task, on words with each last symbol; None if not shown."""
    model, symbols, last, read_out = pair.model, pair.symbols, pair.symbols[-1], None
    if isinstance(model, RecurrentStack):
        read_out = model.scores
    elif isinstance(model, OneLayerTransformer | Transformer):
        read_out = model.read_out
    if read_out is not None and not read_out.weights.any():
        scores = model.scores(np.zeros((1, read_out.inputs), dtype=np.int64))  # type: ignore[attr-defined]
        return np.repeat(pair.renamed[int(np.argmax(scores))], len(last))
    if not is_followed(model) or not isinstance(model, RecurrentStack):
        return None
    low, high = (np.array([[getattr(one, end) for one in model.state_precisions]]) for end in ("low", "high"))
    for place in range(min(ROUNDS, len(symbols))):
        possible = _possible(pair, (low, high), last, UNLIMITED)
        if (possible.sum(axis=1) == 1).all():
            known = possible.argmax(axis=1)
            return np.asarray(np.where(known < len(pair.task.answers), known, pair.renamed.min()))
        if place + 1 < len(symbols):  # the state before the last symbol is one after so many steps
            read = np.unique(np.concatenate(symbols[place:-1]))
            lows, highs = _stepped(model, (low, high), pair.read(read), UNLIMITED)
            low, high = lows.min(axis=0, keepdims=True), highs.max(axis=0, keepdims=True)
    return None
