"""Formal languages by attention, in exact arithmetic: hard, averaging and soft, circuits, and chains of thought."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models import SequenceModel, Transformer
from ccsim.models.automata import Automaton
from ccsim.models.language_models import HardAttentionLanguageModel
from protocols.constructions.ngrams import NGramModel, ngram_by_heads


@dataclass(frozen=True)
class Always:
    """True at every position."""


@dataclass(frozen=True)
class Symbol:
    symbol: str


@dataclass(frozen=True)
class Position:
    """True at the positions, counted from 1, that leave this remainder."""

    modulus: int
    remainder: int


@dataclass(frozen=True)
class Not:
    formula: Formula


@dataclass(frozen=True)
class And:
    left: Formula
    right: Formula


@dataclass(frozen=True)
class Since:
    """True at i if ``then`` holds at some j < i and ``held`` at every position between j and i, neither included."""

    held: Formula
    then: Formula


Formula = Always | Symbol | Position | Not | And | Since


def previous(formula: Formula) -> Formula:
    return Since(Not(Always()), formula)


def before(formula: Formula) -> Formula:
    return Since(Always(), formula)


def parts_of(formula: Formula) -> list[Formula]:
    return [part for part in vars(formula).values() if isinstance(part, Formula)]


def nesting(formula: Formula) -> int:
    return max(map(nesting, parts_of(formula)), default=0) + isinstance(formula, Since)


Unit = tuple[int, dict[int, int], int]


@dataclass(frozen=True, eq=False)
class MaskedHardAttention(SequenceModel):
    """Rightmost hard attention over the positions strictly before, on content of 0s and 1s, read at an end mark.

    ``given`` has the formula that fills each number of the content at the start, or None. A layer has heads (where it
    writes, its keys' weights, its value) and then relu units (where it writes, weights by place of the content, bias).
    """

    name: str
    alphabet: tuple[Hashable, ...]
    given: tuple[Formula | None, ...] = field(repr=False)
    layers: tuple[tuple[tuple[tuple[int, int, int], ...], tuple[Unit, ...]], ...] = field(repr=False)
    accepting: int
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    def codes(self, words: Array) -> Array:
        words = np.asarray(words)
        marked = np.pad(words, [(0, 0)] * (words.ndim - 1) + [(0, 1)], constant_values=len(self.alphabet))
        content = np.zeros((*marked.shape, len(self.given)), dtype=np.int64)
        for place, formula in enumerate(self.given):
            match formula:
                case Symbol(symbol):
                    content[..., place] = marked == self.alphabet.index(symbol)
                case Position(modulus, remainder):
                    content[..., place] = np.arange(1, marked.shape[-1] + 1) % modulus == remainder
        for heads, units in self.layers:
            for place, blocked, value in heads:
                content[..., place] = attended(-content[..., blocked], content[..., value])
            for place, weights, bias in units:
                total = sum(weight * content[..., source] for source, weight in weights.items())
                content[..., place] = np.maximum(total + bias, 0)
        return np.asarray(content[..., -1, self.accepting])


def attended(scores: Array, values: Array) -> Array:
    """For each position the value at the rightmost of those before it with the largest score; 0 at the first."""
    outputs = np.zeros_like(values)
    best, held = scores[..., 0], values[..., 0]
    for place in range(1, scores.shape[-1]):
        outputs[..., place] = held
        better = scores[..., place] >= best
        best, held = np.where(better, scores[..., place], best), np.where(better, values[..., place], held)
    return outputs


def hard_attention(formula: Formula, alphabet: str) -> MaskedHardAttention:
    """The transformer that accepts a word iff a formula holds at the end mark behind it (Angluin et al. 2023).

    The head of ``held since then`` scores -1 where held is true and then is not, and 0 elsewhere: the rightmost 0 is
    where the search backwards stops, and its value is whether then is true; if all scores are -1, then is false
    everywhere.
    """
    number: dict[Formula, int] = {}  # of each formula, after those that it is made of

    def enter(formula: Formula) -> None:
        for part in parts_of(formula):
            enter(part)
        number.setdefault(formula, len(number))

    enter(formula)
    blocked = {part: len(number) + place for place, part in enumerate(f for f in number if isinstance(f, Since))}
    layers = []
    for level in range(nesting(formula) + 1):
        now = [part for part in number if nesting(part) == level]
        heads = tuple((number[f], blocked[f], number[f.then]) for f in now if isinstance(f, Since))
        units = [_unit(part, number) for part in now if not isinstance(part, Symbol | Position | Since)]
        later = [f for f in blocked if nesting(f) == level + 1]
        units += [(blocked[f], {number[f.held]: 1, number[f.then]: -1}, 0) for f in later]
        layers.append((heads, tuple(units)))
    given = tuple(part if isinstance(part, Symbol | Position) else None for part in number)
    symbols = require_symbols("alphabet", alphabet)
    return MaskedHardAttention(
        "hard attention", symbols, given + (None,) * len(blocked), tuple(layers), number[formula]
    )


def _unit(formula: Formula, number: dict[Formula, int]) -> Unit:
    match formula:
        case Not(inner):
            return number[formula], {number[inner]: -1}, 1
        case And(left, right) if left != right:
            return number[formula], {number[left]: 1, number[right]: 1}, -1
        case And(left, _):
            return number[formula], {number[left]: 1}, 0
    return number[formula], {}, 1


Gate = tuple[str, tuple[int, ...]]


@dataclass
class Circuit:
    """Gates not, and, or of any number of inputs, each (kind, the numbers of earlier gates); inputs are gates too."""

    gates: list[Gate] = field(default_factory=list)

    def add(self, kind: str, inputs: Sequence[int] = ()) -> int:
        self.gates.append((kind, tuple(inputs)))
        return len(self.gates) - 1

    @property
    def size(self) -> int:
        return sum(kind != "input" for kind, _ in self.gates)

    @property
    def depth(self) -> int:
        depths: list[int] = []
        for kind, inputs in self.gates:
            depths.append(max((depths[source] for source in inputs), default=0) + (kind != "input"))
        return depths[-1]

    def values(self, words: Array) -> Array:
        values: list[Array] = []
        for kind, inputs in self.gates:
            if kind == "input":
                values.append(words[:, len(values)].astype(bool))
            elif kind == "not":
                values.append(~values[inputs[0]])
            else:
                join = np.logical_and if kind == "and" else np.logical_or
                values.append(join.reduce([values[source] for source in inputs]))
        return values[-1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class TabulatedHardAttention(SequenceModel):
    """One head of leftmost hard attention in each layer, on content of two symbols; the last position's is the answer.

    ``scores`` are integers (layers, N, 2, N, 2), of position i with content a for j with b; ``update`` is the next
    content (layers, 2, 2), from a position's own and the one it chose.
    """

    length: int
    scores: Array = field(repr=False)
    update: Array = field(repr=False)
    name: str = "tabulated hard attention"
    alphabet: tuple[Hashable, ...] = ("0", "1")
    answers: tuple[Hashable, ...] = (0, 1)

    @classmethod
    def random(cls, length: int, layers: int, seed: int) -> TabulatedHardAttention:
        generator = np.random.default_rng(seed)
        scores = generator.integers(0, 4, size=(layers, length, 2, length, 2))
        kinds = np.array([[[0, 1], [1, 0]], [[0, 0], [0, 1]], [[0, 1], [1, 1]], [[0, 1], [0, 1]], [[1, 0], [0, 0]]])
        return cls(length, scores, kinds[generator.integers(0, len(kinds), size=layers)])

    def codes(self, words: Array) -> Array:
        content = np.asarray(words).reshape(-1, self.length)
        for scores, update in zip(self.scores, self.update, strict=True):
            columns = []
            for place in range(self.length):
                own = content[:, place]
                seen = scores[place][own[:, None], np.arange(self.length), content]
                chosen = np.take_along_axis(content, seen.argmax(axis=1)[:, None], axis=1)[:, 0]
                columns.append(update[own, chosen])
            content = np.stack(columns, axis=1)
        return np.asarray(content[:, -1].reshape(np.shape(words)[:-1]))

    def circuit(self) -> Circuit:
        """A circuit of depth at most 3 layers + 2 with the same answers: choices are ands."""
        circuit = Circuit()
        ones = [circuit.add("input") for _ in range(self.length)]
        wires = [[circuit.add("not", [one]), one] for one in ones]
        for scores, update in zip(self.scores, self.update, strict=True):
            absent = [[circuit.add("not", [wire]) for wire in pair] for pair in wires]
            places = range(self.length)
            wires = [_next_content(circuit, wires, absent, place, scores[place], update) for place in places]
        circuit.add("or", [wires[-1][1]])
        return circuit


def _next_content(
    circuit: Circuit, wires: list[list[int]], absent: list[list[int]], place: int, scores: Array, update: Array
) -> list[int]:
    cases: list[list[int]] = [[], []]
    pairs = [(j, b) for j in range(len(wires)) for b in (0, 1)]
    for own in (0, 1):
        order = sorted(pairs, key=lambda pair: (-scores[own][pair], pair[0]))
        for rank, (j, b) in enumerate(order):
            better = [absent[k][c] for k, c in order[:rank] if k != j]
            gate = circuit.add("and", [wires[place][own], wires[j][b], *better])
            cases[update[own, b]].append(gate)
    return [circuit.add("or", case) if case else circuit.add("and", wires[place]) for case in cases]


def choices_of_heads(length: int) -> list[Array]:
    """All ways in which one head that reads a word of bits at a mark behind it can choose a position.

    Scores put the pairs (position, bit) into an order, and the head chooses the first that the word has. Each way is an
    array of the pair 2 i + b for word number w (bit i of w is b). A list ends behind both pairs of a position.
    """
    words = np.arange(1 << length)
    has = [(words >> place & 1) == bit for place in range(length) for bit in (0, 1)]
    return [np.select([has[pair] for pair in pairs], pairs, -1) for pairs in _lists(2 * length, ())]


def _lists(pairs: int, begun: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if begun and begun[-1] ^ 1 in begun[:-1]:
        yield begun
        return
    for pair in range(pairs):
        if pair not in begun:
            yield from _lists(pairs, (*begun, pair))


def determines_parity(length: int, heads: Sequence[Array]) -> bool:
    parity = np.bitwise_count(np.arange(1 << length)).astype(np.int64) & 1
    known = np.zeros(1 << length, dtype=np.int64)
    for head in heads:
        known = known * (2 * length) + head
    return len(np.unique(known)) == len(np.unique(2 * known + parity))


def averaged(values: Array, weights: Array) -> Array:
    """Soft attention of one query: the exact average of values (..., T), as fractions, by positive integer weights."""
    total = (np.asarray(values).astype(object) * weights.astype(object)).sum(axis=-1)
    return np.asarray(total * Fraction(1, int(weights.sum())), dtype=object)


def averaging(width: int, longest: int, blocks: Sequence[dict[str, Any]], **rest: Any) -> Transformer:
    """Heads whose queries and keys are 0, and no positions: each averages what is up to it.

    With steps of 1/s for a root of s above N the least share of a share, floor(s/N)^2/s steps, is a step or more.
    """
    heads = [{"query": np.zeros((1, width, 1)), "key": np.zeros((1, width, 1)), **block} for block in blocks]
    precision = Precision.fixed_point(1, 2 * longest.bit_length())
    return Transformer.from_arrays(
        precision=precision, position_embedding=lambda length: np.zeros((length, width)), blocks=heads, **rest
    )


def majority_transformer(longest: int) -> Transformer:
    """More 1s than 0s, up to a length: a head averages 1 and -1 (Perez, Marinkovic and Barcelo 2019)."""
    block = {"value": [[[1]]], "output": [[1]], "residual": False}
    return averaging(1, longest, [block], alphabet="01", token_embedding=[[-1], [1]], read_out=[[0, 1]])


def shuffled_dyck_transformer(kinds: int, longest: int) -> Transformer:
    """Words balanced kind by kind, up to a length (Bhattamishra, Ahuja and Goyal 2020, after Strobl et al. 2024).

    A position averages, for each kind, 1 for an opening and -1 for a closing bracket, and adds up what relu leaves of
    minus these and of these. The last averages the former: 0 iff no prefix closes too much. Symbol 2k opens kind k.
    """
    kinds, longest = require_integer("kinds", kinds, low=1, high=4), require_integer("longest", longest, low=1)
    unit = np.eye(2 * kinds + 2)
    averages = unit[:, kinds : 2 * kinds]
    split = (np.hstack([-averages, averages]), None, "relu"), (unit[2 * kinds :].repeat(kinds, 0),)
    first = {"value": [unit[:, :kinds]], "output": averages.T, "tokenwise": split}
    second = {"value": [unit[:, 2 * kinds : -1]], "output": unit[2 * kinds : -1]}
    return averaging(
        len(unit),
        longest,
        [first, second],
        alphabet="()[]{}<>"[: 2 * kinds],
        token_embedding=unit[:kinds].repeat(2, 0) * np.tile([1, -1], kinds)[:, None],
        read_out=unit[:, 2 * kinds :].sum(axis=1)[:, None] * [1, 0],
        read_out_bias=[0, Fraction(1, 4 ** longest.bit_length())],  # a step, which only words without a fault are below
    )


class ParityBySoftAttention(SequenceModel):
    """Whether a word has an odd number of 1s, by two layers of soft attention (Chiang and Cholak 2022).

    A mark at position 0 comes before the word; n = N + 1 positions are encoded by i/n and (-1)^i. The first layer
    averages k/n for k 1s, and 1/n from the mark; relu units make 1/n at position k and 0 elsewhere. Two heads with the
    scores (-1)^i ln(ratio)/2 and -(-1)^i ln(ratio)/2 average that: position k adds more to the head of its own parity.
    A stand-in: the averages are exact fractions by the weights that heads have, without queries and keys.
    """

    name = "parity by soft attention"
    layers = 2
    alphabet: tuple[Hashable, ...] = ("0", "1")
    answers: tuple[Hashable, ...] = (0, 1)
    length: int | None = None

    def __init__(self, ratio: int = 3) -> None:
        self.ratio = require_integer("ratio", ratio, low=2)

    def differences(self, words: Array) -> Array:
        marked = np.pad(np.asarray(words), [(0, 0)] * (np.ndim(words) - 1) + [(1, 0)])
        n = marked.shape[-1]
        uniform, even = np.ones(n, dtype=np.int64), np.arange(n) % 2 == 0
        places = np.array([Fraction(i, n) for i in range(n)], dtype=object)
        ones, mark = averaged(marked, uniform), averaged((np.arange(n) == 0).astype(np.int64), uniform)
        gap = np.asarray(ones, dtype=object)[..., None] - places
        bump = np.maximum(gap - mark, 0) - 2 * np.maximum(gap, 0) + np.maximum(gap + mark, 0)
        leaning = [averaged(bump, np.where(side, self.ratio, 1)) for side in (even, ~even)]
        return np.asarray(leaning[0] - leaning[1], dtype=object)

    def codes(self, words: Array) -> Array:
        return np.asarray(self.differences(words) < 0).astype(np.int64)


Pair = tuple[str, int]


@dataclass(frozen=True)
class ProbabilisticAutomaton:
    """States that emit a symbol and move (``weights[state][symbol][next]``), or end; weights are integers."""

    symbols: str
    weights: tuple[tuple[tuple[int, ...], ...], ...]
    final: tuple[int, ...]


def probabilistic_chain(automaton: ProbabilisticAutomaton) -> HardAttentionLanguageModel:
    """One head in one layer over pairs (symbol, state): a bigram model, and strings have the sum of their chains."""
    states = range(len(automaton.final))
    pairs: tuple[Pair, ...] = tuple(product(automaton.symbols, states))

    def row(state: int) -> tuple[int, ...]:
        emitted = (automaton.weights[state][automaton.symbols.index(symbol)][after] for symbol, after in pairs)
        return (*emitted, automaton.final[state])

    counts: dict[tuple[int, ...], tuple[int, ...]] = {(0,): row(0)}
    counts |= {(rank,): row(state) for rank, (_, state) in enumerate(pairs, start=1)}
    return ngram_by_heads(NGramModel(2, pairs, counts))


def string_probabilities(model: HardAttentionLanguageModel, symbols: str, length: int) -> dict[str, Fraction]:
    sums = dict.fromkeys(map("".join, product(symbols, repeat=length)), Fraction(0))
    chains = np.array(list(product(range(len(model.symbols)), repeat=length)), dtype=np.int64)
    chains = chains.reshape(len(model.symbols) ** length, length)
    for chain, probability in zip(chains.tolist(), model.probabilities(chains), strict=True):
        sums["".join(str(model.symbols[rank][0]) for rank in chain)] += probability  # type: ignore[index]
    return sums


class StateChain:
    """A stand-in for a language model that writes, after a word and an end mark, its states and in the end the answer.

    Positions p are encoded by p and p^2. The first layer finds the end mark, at m. The second scores j by 2(p - m + 1)
    j - j^2, largest at the symbol that is read next, or at the end mark. The rest is the automaton's table.
    """

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.mark = len(automaton.alphabet)

    def next_tokens(self, tokens: Array) -> Array:
        places = np.arange(1, tokens.shape[1] + 1)
        mark = _chosen(tokens == self.mark, places)
        target = places[-1] - mark + 1
        scores = 2 * target[:, None] * places - places**2
        symbol = _chosen(scores, tokens)
        last = tokens[:, -1]
        state = np.where(last == self.mark, self.automaton.first, last - self.mark - 1)
        following = self.mark + 1 + self.automaton.table[state, np.minimum(symbol, self.mark - 1)]
        answer = self.mark + 1 + self.automaton.states + self.automaton.outputs[state]
        return np.where(symbol == self.mark, answer, following)

    def extend(self, words: Array) -> tuple[Array, Array]:
        """The tokens written after each word of ranks (batch, N), at most 2N + 2, and the codes of the answers."""
        words = np.asarray(words)
        most = 3 * (words.shape[1] + 1)
        tokens = np.pad(words, ((0, 0), (0, 1)), constant_values=self.mark)
        first_answer = self.mark + 1 + self.automaton.states
        while tokens.shape[1] < most and (tokens[:, -1] < first_answer).all():
            tokens = np.concatenate([tokens, self.next_tokens(tokens)[:, None]], axis=1)
        return tokens[:, words.shape[1] + 1 :], tokens[:, -1] - first_answer


def _chosen(scores: Array, values: Array) -> Array:
    """The value at the position with the largest score, the leftmost of several, in each row."""
    best = np.asarray(scores).astype(np.int64).argmax(axis=1)
    return np.asarray(np.broadcast_to(values, scores.shape)[np.arange(len(best)), best])


Transition = tuple[str, str, int]
BLANK = "_"


@dataclass(frozen=True)
class TuringMachine:
    """One tape, infinite both ways; rules go to (state, what is written, move), ``yes`` and ``no`` halt."""

    rules: Mapping[tuple[str, str], Transition]
    start: str


class TuringChain:
    """A stand-in for a language model that writes, after a word and a blank, steps (state, what was written, move).

    The average of the moves, times their number, is the place of the machine's head after a step; before it, the cell
    where that step wrote. The second layer scores position j by -(cell of j - place of the head)^2, rightmost of
    several: what was written there last, or blank if the cell is another (after Perez et al. 2021; Nowak et al. 2024).
    """

    def __init__(self, machine: TuringMachine) -> None:
        self.machine = machine

    def next_token(self, word: str, steps: list[Transition]) -> Transition:
        tape = [*word, BLANK]
        moves = np.array([0] * len(tape) + [move for _, _, move in steps], dtype=object)
        counts = np.arange(1, len(moves) + 1)
        averages = np.cumsum(moves) * np.array([Fraction(1, int(count)) for count in counts], dtype=object)
        after = 1 + averages * counts.astype(object)
        cells = np.where(counts <= len(tape), counts, after - moves)
        place, written = after[-1], [*tape, *(symbol for _, symbol, _ in steps)]
        scores = -((cells - place) ** 2)
        chosen = len(scores) - 1 - int(np.argmax(scores[::-1]))  # the rightmost of the largest
        symbol = written[chosen] if cells[chosen] == place else BLANK
        state = steps[-1][0] if steps else self.machine.start
        if (state, symbol) not in self.machine.rules:
            raise InputError("rules", (state, symbol), "a rule")
        return self.machine.rules[state, symbol]

    def run(self, word: str, most: int = 1 << 10) -> list[Transition]:
        require_integer("most", most, low=1)
        steps: list[Transition] = []
        while not steps or steps[-1][0] not in ("yes", "no"):
            if len(steps) == most:
                raise InputError("most", most, "enough tokens for the machine to halt")
            steps.append(self.next_token(word, steps))
        return steps
