"""One-layer transformers on all words of a task.

A transformer is run on every word, on all sums that its attention can make, or on words of a fooling set. For each
head three exact integers reach the last position: the largest logit, the sum of exponentials, and the weighted sum of
values. Every possible pair of the first two is taken as a guess, and a word is counted under the one guess that is
right for it. Given the guess, each coordinate of a head is a sum of one entry per position, held as a decision diagram,
whose nodes are the classes of prefixes that no suffix distinguishes (Bryant 1986). Each number of each later layer gets
a diagram of its own, made from those before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

import numpy as np

from ccsim.arithmetic import floor_divide
from ccsim.auditing.product_reachability import (
    OTHER_BRANCH,
    Budget,
    Layer,
    OutOfBudgetError,
    Rules,
    Subject,
    Verdicts,
    machine_of,
    task_rules,
    walk,
)
from ccsim.auditing.recurrent import every_word, some_words
from ccsim.auditing.result import Failure, Outcome, TranscriptCollision, transcripts
from ccsim.auditing.sampled_words import accepted_words
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.affine import Affine, Tokenwise
from ccsim.models.block import LayerNorm
from ccsim.models.reachability import different_rows, suffix_classes
from ccsim.models.transformer import OneLayerTransformer, first_largest


@dataclass(frozen=True, eq=False)
class Diagram:
    """From a start and a word to a row of ``values`` (nodes, units), by ``successors`` (nodes, symbols)."""

    starts: Array
    successors: tuple[Array, ...]
    values: Array

    def apply(self, function: Callable[[Array], Array]) -> Diagram:
        return _reduced(self.starts, self.successors, function(self.values))


def sum_of_entries(starts: Array, tables: Sequence[Array], budget: Budget) -> Diagram:
    """For each start, a number and one entry of the table (starts, symbols) of each position, added up."""
    rows, _, nodes = different_rows(np.stack([np.arange(len(starts)), starts], axis=1))
    first, successors = nodes, []
    for position, table in enumerate(tables, start=1):
        budget.require_time(f"sums over {position} symbols")
        after = rows[:, 1:] + table[rows[:, 0]]
        every = np.stack([np.repeat(rows[:, 0], table.shape[1]), after.reshape(-1)], axis=1)
        rows, _, nodes = different_rows(every)
        budget.require_states(len(rows), "nodes of a sum", f"{position} symbols")
        successors.append(nodes.reshape(-1, table.shape[1]))
    return _reduced(first, tuple(successors), rows[:, 1:])


def combined(one: Diagram, two: Diagram, function: Callable[[Array, Array], Array], budget: Budget) -> Diagram:
    size = int(two.starts.max()) + 1
    keys, first = np.unique(one.starts * size + two.starts, return_inverse=True)
    successors = []
    for position, (left, right) in enumerate(zip(one.successors, two.successors, strict=True), start=1):
        budget.require_time(f"diagrams of {position} symbols")
        mine, theirs = np.divmod(keys, size)
        size = int(right.max()) + 1
        after = left[mine] * size + right[theirs]
        keys, places = np.unique(after, return_inverse=True)
        budget.require_states(len(keys), "pairs of nodes", f"{position} symbols")
        successors.append(places.reshape(after.shape))
    mine, theirs = np.divmod(keys, size)
    return _reduced(first.reshape(-1), tuple(successors), function(one.values[mine], two.values[theirs]))


def joint(parts: Sequence[Diagram], budget: Budget) -> Diagram:
    return reduce(lambda one, two: combined(one, two, lambda x, y: np.concatenate([x, y], axis=1), budget), parts)


def _reduced(starts: Array, successors: tuple[Array, ...], values: Array) -> Diagram:
    kept, classes = zip(*suffix_classes(successors, np.asarray(values, dtype=np.int64)), strict=True)
    return Diagram(classes[-1][starts], kept[:0:-1], kept[0])


WORD_BOUND = 1 << 62


def answer_diagram(model: OneLayerTransformer, last: Array, heads: list[Diagram], budget: Budget) -> Diagram:
    """The answer codes: ``last`` is the last symbol's rank for each start, ``heads`` the exact sums of each head."""
    finish, block, embedded = _Finish(model, budget), model.block, np.asarray(model.embedding_table[-1], np.int64)[last]
    rounded, norms = [head.apply(model.precision.round_down) for head in heads], block.norms
    none = [np.zeros((len(last), table.shape[1]), dtype=np.int64) for table in heads[0].successors]
    states = Budget(states=max(1, len(last)))
    stream = [sum_of_entries(column, none, states) for column in embedded.T]  # of the start alone
    stream = finish.norm(norms.after_attention, finish.joined(stream, finish.affine(block.output, rounded)))
    if block.tokenwise is not None:
        inner = finish.tokenwise(block.tokenwise, finish.norm(norms.before_tokenwise, stream))
        stream = finish.joined(stream, inner)
    stream = finish.norm(norms.last, finish.norm(norms.after_tokenwise, stream))
    return joint(finish.affine(model.read_out, stream), budget).apply(lambda rows: first_largest(rows)[:, None])


@dataclass(frozen=True, eq=False)
class _Finish:
    model: OneLayerTransformer
    budget: Budget

    def affine(
        self, map_: Affine, numbers: list[Diagram], activate: Callable[[Array], Array] | None = None
    ) -> list[Diagram]:
        if map_.bound >= WORD_BOUND:
            raise OutOfBudgetError("numbers beyond 62 bits")
        known: dict[bytes, Diagram] = {}
        outputs = []
        for column, bias in zip(map_.weights.T.astype(np.int64), map_.bias.tolist(), strict=True):
            key = column.tobytes() + bias.to_bytes(8, "little", signed=True)
            if key not in known:
                known[key] = self._output(column, bias, numbers, activate)
            outputs.append(known[key])
        return outputs

    def _output(
        self, column: Array, bias: int, numbers: list[Diagram], activate: Callable[[Array], Array] | None
    ) -> Diagram:
        precision = self.model.precision
        result = numbers[0].apply(lambda values: 0 * values)
        for place in np.flatnonzero(column):
            weight, part = int(column[place]), numbers[place]
            result = combined(result, part, lambda x, y, weight=weight: x + weight * y, self.budget)  # type: ignore[misc]

        def rounded(sums: Array) -> Array:
            numbers = precision.saturate(floor_divide(sums, precision.scale) + bias)
            return numbers if activate is None else activate(numbers)

        return result.apply(rounded)

    def joined(self, stream: list[Diagram], parts: list[Diagram]) -> list[Diagram]:
        if not self.model.block.residual:
            return parts
        saturate = self.model.precision.saturate
        return [combined(*pair, lambda x, y: saturate(x + y), self.budget) for pair in zip(stream, parts, strict=True)]

    def whole(self, stream: list[Diagram], function: Callable[[Array], Array]) -> list[Diagram]:
        rows = joint(stream, self.budget).apply(function)
        return [rows.apply(lambda values, unit=unit: values[:, unit : unit + 1]) for unit in range(len(stream))]  # type: ignore[misc]

    def norm(self, norm: LayerNorm | None, stream: list[Diagram]) -> list[Diagram]:
        return stream if norm is None else self.whole(stream, norm)

    def tokenwise(self, part: Tokenwise, stream: list[Diagram]) -> list[Diagram]:
        if part.function is not None:
            return self.whole(stream, part)
        for layer in part.layers:
            if isinstance(layer.activation, str):
                stream = self.affine(layer.affine, stream, layer.activate)
            else:
                stream = self.whole(self.affine(layer.affine, stream), layer.activate)
        return stream


DEAD = -1


def count_by_sums(pair: Subject, budget: Budget) -> Verdicts:
    """Raises ``OutOfBudgetError`` if too many sums can occur, or a diagram on the way has too many nodes."""
    model, machine = pair.model, pair.machine
    assert isinstance(model, OneLayerTransformer)
    if model.length * model.largest_head_sum >= 1 << 62:
        raise OutOfBudgetError("sums beyond 62 bits")
    sums = _Sums(model, pair)
    try:
        guesses = sums.guesses(budget)
    except InputError as error:  # a rule whose ties depend on places has no exponentials to add up
        raise OutOfBudgetError("attention whose weights depend on places") from error
    diagram = answer_diagram(model, guesses.last, sums.head_sums(guesses, budget), budget)
    result = walk(Layer.start(sums.rules(guesses, diagram)), Layer.start(task_rules(machine)), pair.symbols, budget)
    if result.words != pair.task.words.size:
        raise ArithmeticError("some word was counted twice, or not at all")
    return result


@dataclass(frozen=True, eq=False)
class _Guesses:
    last: Array
    maxima: Array
    normalisers: Array


@dataclass(frozen=True, eq=False)
class _Sums:
    model: OneLayerTransformer
    pair: Subject

    def guesses(self, budget: Budget) -> _Guesses:
        starts = self._starts(budget)
        rules = self.rules(starts)
        states = Layer.after(rules, self.pair.symbols[:-1], budget)[0].rows
        rows = rules.step(states, self._symbols_of(starts.last[states[:, 0]]), len(self.pair.symbols))
        rows = different_rows(rows[rows[:, 1] == (1 << self.model.heads) - 1])[0]
        return _Guesses(starts.last[rows[:, 0]], starts.maxima[rows[:, 0]], rows[:, 2:])

    def head_sums(self, guesses: _Guesses, budget: Budget) -> list[Diagram]:
        """The exact sum for each head and number of it, given a guess, which tells the entry of the last symbol."""
        every = np.column_stack([guesses.last, guesses.maxima])
        numbers, entries = np.arange(len(every)), []
        last = self._symbols_of(guesses.last)[:, None]
        for position, choices in enumerate([*self.pair.symbols[:-1], None], start=1):
            read = last if choices is None else np.tile(choices, (len(every), 1))
            rows = np.repeat(numbers, read.shape[1])
            exponentials, _ = self._exponentials(every[rows], read.reshape(-1), position)
            weights = self.model.weights(exponentials, guesses.normalisers[rows])
            values = self.model.value_table[:, position - 1, self.pair.read(read.reshape(-1))]
            entries.append((weights.T[:, :, None] * values).reshape(self.model.heads, *read.shape, -1))
        return [
            sum_of_entries(entries[-1][head, :, 0, unit], [part[head, :, :, unit] for part in entries[:-1]], budget)
            for head in range(self.model.heads)
            for unit in range(self.model.head_width)
        ]

    def rules(self, guesses: _Guesses, diagram: Diagram | None = None) -> Rules:
        """States: number of the guess, heads that reached their logit, sums so far, node of the diagram."""
        heads, every = self.model.heads, np.column_stack([guesses.last, guesses.maxima])
        sums = slice(2, 2 + heads)
        place = np.zeros((len(self.pair.symbols), len(self.pair.task.alphabet)), dtype=np.int64)
        for row, choices in zip(place, self.pair.symbols, strict=True):
            row[choices] = np.arange(len(choices))

        def step(states: Array, read: Array, position: int) -> Array:
            exponentials, reached = self._exponentials(every[states[:, 0]], read, position)
            after = states.copy()
            after[:, 1] |= reached
            after[:, sums] += exponentials
            beyond = (after[:, sums] > guesses.normalisers[states[:, 0]]).any(axis=1)
            after[(reached == DEAD) | beyond, 1] = DEAD
            if diagram is not None and position <= len(diagram.successors):  # the guess knows the last symbol
                after[:, -1] = diagram.successors[position - 1][states[:, -1], place[position - 1, read]]
            return after

        def last(states: Array, read: Array, position: int) -> Array:
            assert diagram is not None
            rows = step(states, read, position)
            own = (rows[:, 1] == (1 << heads) - 1) & (guesses.last[rows[:, 0]] == self.pair.read(read))
            own &= (rows[:, sums] == guesses.normalisers[rows[:, 0]]).all(axis=1)
            answers = np.full(len(rows), OTHER_BRANCH, dtype=np.int64)
            answers[own] = self.pair.coded(diagram.values[rows[own, -1], 0])
            return answers

        starts = np.zeros((len(every), 2 + heads + (diagram is not None)), dtype=np.int64)
        starts[:, 0] = np.arange(len(every))
        if diagram is not None:
            starts[:, -1] = diagram.starts
        return Rules(starts, step, last, lambda rows: rows[:, 1] == DEAD)

    def _symbols_of(self, ranks: Array) -> Array:
        own = self.pair.read(self.pair.symbols[-1])
        order = np.argsort(own)
        return np.asarray(self.pair.symbols[-1][order[np.searchsorted(own[order], ranks)]])

    def _starts(self, budget: Budget) -> _Guesses:
        rows: list[tuple[int, ...]] = []
        read = [self.pair.read(choices) for choices in self.pair.symbols]
        for last in np.sort(read[-1]):
            table = self.model.logit_table[:, last]
            least = table[:, -1, last]
            occurring = [sorted({int(x) for place, own in enumerate(read) for x in head[place, own]}) for head in table]
            choices = [[x for x in own if x >= low] for own, low in zip(occurring, least, strict=True)]
            budget.require_states(len(rows) + math.prod(map(len, choices)), "largest logits", "no symbols")
            rows += [(int(last), *maxima) for maxima in product(*choices)]
        last, *maxima = np.array(rows).T
        return _Guesses(last, np.column_stack(maxima), np.full((len(rows), len(maxima)), np.iinfo(np.int64).max))

    def _exponentials(self, guess: Array, read: Array, position: int) -> tuple[Array, Array]:
        """Exponentials (batch, heads); as bits which heads reach the guessed logit, or DEAD if one exceeds it."""
        table = self.model.logit_table[:, guess[:, 0], position - 1, self.pair.read(read)].T
        differences = table - guess[:, 1:]
        reached = ((differences == 0) << np.arange(differences.shape[1])).sum(axis=1)
        reached[(differences > 0).any(axis=1)] = DEAD
        return self.model.exponentials(np.minimum(differences, 0)), reached


MOST_WORDS = 1 << 16
MOST_SYMBOLS = 1 << 23  # in all of them
MOST_GROUPS = 256
BLOCK = 1 << 12  # words whose transcripts are worked out at once


def fooling_words(pair: Subject, count: int, generator: np.random.Generator, budget: Budget) -> tuple[Array, str]:
    """The task's fooling set, or words of the rarer answer, with odd positions for Alice; and the partition."""
    machine, length, codes = pair.machine, len(pair.symbols), len(pair.task.answers)
    if machine.fooling is not None:
        if machine.fooling_bits < 62 and 1 << machine.fooling_bits <= count:
            bits = np.arange(1 << machine.fooling_bits)[:, None] >> np.arange(machine.fooling_bits) & 1
        else:
            bits = generator.integers(0, 2, (count, machine.fooling_bits))
        half = length // 2
        return different_rows(machine.fooling(bits))[0], "A" * half + "B" * (length - half)
    drawn = [accepted_words(pair.task, code, count, generator, budget) for code in range(min(codes, 8))]
    candidates = [different_rows(words)[0] for words in drawn if words is not None]
    if codes == 2:
        candidates = candidates[-1:]
    return min(candidates, key=len, default=np.zeros((0, length), dtype=np.int64)), ("AB" * length)[:length]


def transcript_search(pair: Subject, budget: Budget) -> tuple[Failure | None, dict[str, int]]:
    searched = {"fooling_words": 0, "transcripts": 0}
    count = min(budget.words, MOST_WORDS, max(1, MOST_SYMBOLS // len(pair.symbols)))
    words, owners = fooling_words(pair, count, np.random.default_rng(budget.seed), budget)
    if not len(words):
        return None, searched
    try:
        rows = []
        for first in range(0, len(words), BLOCK):
            budget.require_time("some transcripts")
            rows.append(transcripts(pair.model, pair.read(words[first : first + BLOCK]), owners))
    except (OutOfBudgetError, InputError):  # a rule whose ties depend on places has no exponentials to add up
        return None, searched
    whole = np.concatenate(rows)
    if whole.dtype == object:
        return None, searched
    different, _, numbers = different_rows(whole)
    searched = {"fooling_words": len(words), "transcripts": len(different)}
    order = np.argsort(numbers, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
    for group in [group for group in groups if len(group) > 1][:MOST_GROUPS]:
        failure = _cross(pair, words[group[:8]], owners)
        if failure is not None:
            return failure, searched
    return None, searched


def _cross(pair: Subject, group: Array, owners: str) -> Failure | None:
    task, model, alice = pair.task, pair.model, np.array([owner == "A" for owner in owners])
    codes = np.asarray(task.evaluate(group))
    for one, two in product(range(len(group)), repeat=2):
        cross = np.where(alice, group[one], group[two])
        code = int(np.asarray(task.evaluate(cross[None]))[0])
        if code in (DONT_CARE, codes[one]) or codes[one] != codes[two]:
            continue
        first, second, crossed = (pair.word(word) for word in (group[one], group[two], cross))
        answers = task.answers[codes[one]], task.answers[codes[two]], task.answers[code]
        transcript = tuple(map(int, transcripts(model, pair.read(group[one : one + 1]), owners)[0]))
        collision = TranscriptCollision(owners, (first, second), crossed, answers, transcript)
        return Failure.by(collision, (crossed, second), model, task, "equal transcripts")
    return None


def decide_transformer(pair: Subject, budget: Budget) -> Outcome:
    finding, stopped = every_word(pair, budget.part(1 / 4)), ""
    if finding is None and machine_of(pair.task) is not None:
        try:
            result = count_by_sums(pair, budget.part(1 / 3))
            how = "by the sums that attention can make, merged where the answer is the same"
            finding = Outcome.of(pair, result, how, "sums of attention")
        except OutOfBudgetError as error:
            stopped = f"{error}; "
    if finding is not None and finding.verdict == "right":
        return finding
    finding = finding or some_words(pair, budget.part(1 / 4), stopped)
    if machine_of(pair.task) is None:
        return finding
    failure, searched = transcript_search(pair, budget.part(1 / 8 if finding.failure else 1 / 3))
    if failure is not None:
        finding = finding.failed(failure)
    return replace(finding, searched={**finding.searched, **searched})
