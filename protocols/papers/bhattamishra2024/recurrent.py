"""Recurrent models, and bounded Dyck languages by few bits, units and numbers (sections 3 to 5)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice, permutations, product
from math import factorial, perm
from typing import Any

import numpy as np

from ccsim import auditing, bounds, models, problems
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.models.reachability import reached
from ccsim.plots import Line, Plot
from protocols import constructions, reductions
from protocols.papers.bhattamishra2024.constructions import EVERY_WORD, Case, growth, linear, sized
from protocols.papers.checks import compared, drawn_until, every_word, looks_at_both, one_way_bits, reduced
from protocols.papers.sources import BHATTAMISHRA_2024, OURS, built_here, lengths

KINDS: dict[str, Any] = {
    "elman": models.Elman,
    "lstm": models.LSTM,
    "gru": models.GRU,
    "linear-attention": models.LinearAttention,
    "diagonal": models.DiagonalStateSpace,
    "selective": models.SelectiveStateSpace,
}
"""Recurrent models that are drawn."""

LENGTH, EVEN = param("N", 4, "length of the input"), param("N", 4, "length of the input", low=2, step=2)
STATE = (
    "the state is of finitely many bits, mp in all; any transition and any read-out, which may depend on the position",
)
SAME = ("the transition is the same at every position",)
HALVES = ("recurrent", "inequality-of-halves", "equality")

claim = BHATTAMISHRA_2024.claim
section = partial(claim, "Section 4.1", direction=Direction.CONSTRUCTION)
needs = partial(claim, direction=Direction.LOWER, hypotheses=STATE)

# Theorem 2, and tasks of one query


@claim(
    "Theorem 2",
    direction=Direction.UPPER,
    instances="one model drawn of this kind",
    hypotheses=STATE,
    sizes=(
        *({"kind": kind} for kind in (*KINDS, "table")),
        # more layers and fewer, longer words, wider and finer states, beside every kind at one shape
        {"kind": "elman", "length": 6, "precision": 3, "layers": 1},
        {"kind": "gru", "layers": 3},
        {"kind": "diagonal", "length": 3, "width": 3, "precision": 8},
    ),
    tags=("recurrent",),
)
def prefix(
    length: int = param("N", 4, "length of the input", low=2),
    kind: str = param("kind", "lstm", "kind of model", choices=(*KINDS, "table")),
    width: int = param("m", 2, "units of a layer"),
    precision: int = param("p", 5, "bits of a number", low=3),
    layers: int = param("layers", 2, "recurrent layers"),
    seed: int = param("seed", 0, "of the weights: the first one from here on", low=0),
) -> Finding:
    """A recurrent model is a one-way protocol of as many bits as its state has, wherever the word is cut."""

    def drawn(seed: int) -> Any:
        if kind == "table":  # with other transitions at each position
            return models.TransitionTable.random("ab", states=1 << (width * precision // 2), seed=seed, length=length)
        return KINDS[kind].random("ab", width=width, precision=precision, layers=layers, seed=seed)

    def good(model: Any) -> bool:
        table = np.asarray(model.task(length).codes()).reshape(len(model.alphabet) ** (length // 2), -1)
        return looks_at_both(table)

    [model] = drawn_until(drawn, good, seed, "whose model looks at both halves of a word")
    explored = [reductions.recurrent_prefix(model, split, length=length).explore() for split in range(1, length)]
    return Finding(
        measured=max(each.worst_bits for each in explored),
        claimed=model.state_bits,
        formula="the bits of all numbers that are carried, in all layers",
        checked=sum(each.pairs for each in explored),
        of=len(model.alphabet) ** length * (length - 1),
        violations=[str(violation) for each in explored for violation in each.violations],
        protocol=explored[-1].protocol,
        facts={"model": model.name},
    )


def _separation() -> tuple[Plot, ...]:
    sizes = tuple(2**k for k in range(3, 17))
    layers = {n: bounds.model("transformer", width=1, precision=16, task="dyck", length=n) for n in sizes}
    halves = {n: constructions.equality_transformer(n, addresses=constructions.BinaryAddresses(n)) for n in sizes}
    return (
        Plot(
            title="Who must be large: bits of state, and bits of one layer",
            x="N, length of the input",
            y="bits (width x precision x heads)",
            lines=(
                Line("index lookup, recurrent: at least N", tuple((n, n) for n in sizes)),
                Line("Dyck-(2,2), recurrent: 3 at every length", tuple((n, 3) for n in sizes)),
                Line(
                    "Dyck-(2,2), one layer of 16-bit numbers: at least",
                    tuple((n, 16 * layer.smallest_width) for n, layer in layers.items() if layer.smallest_width),
                ),
                Line("equality of halves, recurrent: at least N/2", tuple((n, n // 2) for n in sizes)),
                Line(
                    "equality of halves, two layers: built, with binary addresses",
                    tuple((n, two.width * two.precision.bits * two.heads) for n, two in halves.items()),
                    measured=True,
                ),
            ),
            logarithmic=True,
            note="Each architecture has a task that is cheap for it and dear for another.",
        ),
    )


@needs("Theorem 3", formula="N", sizes=lengths(4, 8), plots=_separation, tags=("recurrent", "index-lookup"))
def lookup(length: int = LENGTH) -> Finding:
    """A recurrent model for index lookup has N bits of state or more."""
    return _of_index("index-lookup", length)


def _of_index(task: str, n: int) -> Finding:
    return reduced(reductions.reduce("index", task, n=n))


@built_here(
    "protocols.constructions.shift_register",
    name="index-lookup-register",
    sharpens="bhattamishra2024-theorem-3",
    formula="N",
    hypotheses=("two symbols",),
    sizes=lengths(4, 8),
    tags=("recurrent", "index-lookup", "construction"),
)
def lookup_by_a_register(length: int = param("N", 4, "symbols before the position")) -> Finding:
    """N bits of state are enough for index lookup: a shift register keeps the last N symbols."""
    task = problems.index_lookup(length)
    return carried(constructions.shift_register(length), task, every_word(task), task.words.size)


# Associative recall, of one key and of all

PROPOSITION_9 = "bhattamishra2024-proposition-9"
THEOREM_8 = "bhattamishra2024-theorem-8-multi-query-associative-recall"
ONE, ALL = ("recurrent", "associative-recall"), ("recurrent", "multi-query-associative-recall")
ANY_ORDER = "docs/proofs/recall_any_order.md"
AS_MANY_KEYS = ("there are as many keys as pairs, in any order",)
PAIRS = "number of pairs"
TWICE = param("N", 4, "twice the number of pairs", low=4, step=2)
one_asked = partial(built_here, sharpens=PROPOSITION_9, tags=(*ONE, "construction"))
all_asked = partial(built_here, sharpens=THEOREM_8, tags=(*ALL, "construction"))
GIVEN, ANY = (param("order", order, "of the keys", choices=(order,)) for order in ("given", "any"))


@needs("Proposition 9", formula="N", sizes=lengths(4, 6), tags=ONE)
def recall(length: int = param("N", 4, PAIRS)) -> Finding:
    """A recurrent model for associative recall of N pairs has N bits of state or more."""
    return _of_index("associative-recall", length)


@one_asked("protocols.constructions.recall_table", name="recall-in-order", formula="N", sizes=lengths(4, 8))
def recall_in_order(length: int = param("N", 4, PAIRS), order: str = GIVEN) -> Finding:
    """N bits are enough for recall of N pairs if keys come in the order in which the reduction writes them."""
    return _recalled(length, 1, order)


@OURS.claim(
    ANY_ORDER,
    name="recall-in-any-order-from-below",
    direction=Direction.LOWER,
    sharpens=PROPOSITION_9,
    formula="N - 1 + L(N)",
    hypotheses=AS_MANY_KEYS,
    sizes=lengths(3, 4),
    tags=ONE,
    proved="recall_needs_messages",
)
def recall_from_below(length: int = param("N", 3, PAIRS, low=2)) -> Finding:
    """If keys may come in any order, it takes N - 1 + L(N): a key waits for its value, all others being known."""
    return _cut(problems.associative_recall(length), length, 1)


@one_asked(
    ANY_ORDER, name="recall-in-any-order", formula="N - 1 + L(N)", hypotheses=AS_MANY_KEYS, sizes=lengths(2, 3, 4)
)
def recall_in_any_order(length: int = param("N", 2, PAIRS, low=2), order: str = ANY) -> Finding:
    """That many bits are enough in any order: the key that waits takes the place of its value."""
    return _recalled(length, 1, order)


@needs("Theorem 8", name="theorem 8 multi query associative recall", formula="N/2", sizes=lengths(4, 6), tags=ALL)
def recall_of_all(length: int = EVEN) -> Finding:
    """The same for recall of N/2 pairs, all of which are asked for."""
    return reduced(reductions.reduce("intersection", "multi-query-associative-recall", n=length // 2))


@all_asked(
    "protocols.constructions.multi_query_recall_table",
    name="multi-query-recall-in-order",
    formula="N/2",
    sizes=lengths(4, 8),
)
def recall_of_all_in_order(length: int = TWICE, order: str = GIVEN) -> Finding:
    """N/2 bits are enough for recall of N/2 pairs, all of which are asked for, if keys come in one order."""
    return _recalled(length // 2, length // 2, order)


@OURS.claim(
    ANY_ORDER,
    name="multi-query-recall-in-any-order-from-below",
    direction=Direction.LOWER,
    sharpens=THEOREM_8,
    formula="N/2 - 1 + L(N/2)",
    hypotheses=AS_MANY_KEYS,
    tags=ALL,
)
def recall_of_all_from_below(length: int = param("N", 6, "twice the number of pairs", low=4, step=2)) -> Finding:
    """Here too it takes more if keys may come in any order: N/2 - 1 + L(N/2) bits."""
    return _cut(problems.multi_query_associative_recall(length // 2), length // 2, length // 2)


@all_asked(
    ANY_ORDER,
    name="multi-query-recall-in-any-order",
    formula="N/2 - 1 + L(N/2)",
    hypotheses=AS_MANY_KEYS,
    sizes=lengths(4, 6),
)
def recall_of_all_in_any_order(length: int = TWICE, order: str = ANY) -> Finding:
    """N/2 - 1 + L(N/2) bits are enough in any order."""
    return _recalled(length // 2, length // 2, order)


def _cut(task: problems.SequenceTask, pairs: int, queries: int) -> Finding:
    cut = problems.Partition.prefix(2 * pairs + queries, 2 * pairs - 1)
    return Finding.of_bracket(one_way_bits(task.split(cut)), facts={"cut": str(cut)})


def _recalled(pairs: int, queries: int, order: str) -> Finding:
    one, in_order = queries == 1, order == "given"
    task = problems.associative_recall(pairs) if one else problems.multi_query_associative_recall(pairs)
    table = constructions.recall_table if one else constructions.multi_query_recall_table
    of = (1 if in_order else factorial(pairs)) * 2**pairs * perm(pairs, queries)
    return carried(table(pairs, in_order=in_order), task, recall_words(task, queries, in_order), of)


def recall_words(task: problems.SequenceTask, queries: int = 1, in_order: bool = False) -> Any:
    """All promised words of recall with as many keys as pairs, as ranks: keys in any order, or in that of the task."""
    rank, keys = {symbol: place for place, symbol in enumerate(task.alphabet)}, task.positions[0]
    words = [
        [rank[symbol] for symbol in (*(each for pair in zip(order, values, strict=True) for each in pair), *asked)]
        for order in ([keys] if in_order else permutations(keys))
        for values in product(task.positions[1], repeat=len(keys))
        for asked in permutations(keys, queries)
    ]
    return np.array(words)


def carried(model: Any, task: problems.SequenceTask, words: Any, of: int) -> Finding:
    """Run a model on words of ranks, of so many, with only its state kept between symbols, packed into a number."""
    inner, queries = getattr(model, "inner", model), getattr(model, "queries", 1)
    lookup = inner.ranks_of(task.alphabet)
    rows = words if lookup is None else lookup[words]
    states, most, answered = np.repeat(inner.start()[None], len(rows), axis=0), 0, []
    for place, column in enumerate(rows.T):
        if place >= rows.shape[1] - queries:
            answered.append([inner.answers[code] for code in inner.last(states, column, place + 1).tolist()])
        numbers = inner.pack(inner.step(states, column, place + 1))
        most, states = max(most, int(numbers.max())), inner.unpack(numbers)
    given = list(zip(*answered, strict=True)) if hasattr(model, "inner") else answered[0]
    wanted = [task.answers[code] for code in np.asarray(task.evaluate(words)).tolist()]
    wrong = [f"answers {one} on {[task.alphabet[rank] for rank in row]}"
             for one, other, row in zip(given, wanted, words, strict=True) if one != other]  # fmt: skip
    return Finding(measured=most.bit_length(), checked=len(words), of=of, violations=wrong)


# Other tasks


@section(
    name="section 4.1 dyck by a recurrent model",
    formula="L(7)",
    hypotheses=("any transition function (appendix E)",),
    sizes=lengths(8, 400),
    tags=("recurrent", "dyck", "construction"),
)
def dyck_at_every_length(length: int = param("N", 8, "length of the input", low=2, step=2)) -> Finding:
    """A recurrent model of constant size, log2 of 7 states rounded up, recognises Dyck-(2,2) at every length."""
    machine, flat = models.dyck_automaton(2, 2), r"(\(\)|\[\])*"
    language = models.from_regular_expression(rf"(\({flat}\)|\[{flat}\])*", "()[]")
    word = models.first_difference(machine, language, length)
    wrong = () if word is None else (f"wrong on {word}",)
    pairs = machine.states * language.states
    facts = {"states": machine.states, "pairs of states, which represent all words": pairs}
    return Finding(measured=machine.state_bits, checked=pairs, of=pairs, violations=wrong, facts=facts)


@claim(
    "Section 4.1",
    name="section 4.1 states of dyck",
    role=Role.STEP,
    direction=Direction.EXACT,
    formula="7",
    unit="states",
    hypotheses=("the state in which rejected words stay is not counted (appendix E)",),
    tags=("recurrent", "dyck"),
)
def dyck_states() -> Finding:
    """Dyck-(2,2) can be represented by a DFA with just 7 states."""
    machine = models.dyck_automaton(2, 2).minimise()
    live = machine.outputs.astype(bool)
    for _ in range(machine.states):
        live |= live[machine.table].any(axis=1)
    return Finding(measured=int(live.sum()), checked=machine.table.size, of=4 * machine.states)


@needs(
    "Theorem 8",
    formula="N/2",
    sizes=lengths(4, 8),
    hypotheses=(*STATE, "unit vectors, and a margin of 2/d for corners of a cube of d dimensions"),
    tags=("recurrent", "nearest-neighbour"),
)
def neighbour(length: int = EVEN) -> Finding:
    """A recurrent model for the nearest neighbour among N/2 labelled vectors has N/2 bits of state or more."""
    return _of_index("nearest-neighbour", length // 2)


@needs("Theorem 11", formula="N/2", sizes=lengths(4, 8, 12), tags=HALVES)
def inequality(length: int = EVEN) -> Finding:
    """A recurrent model for the inequality of two halves of N bits in all has N/2 bits of state or more."""
    return Finding.of_bracket(one_way_bits(_halves(length)))


@needs(
    "Section 4.2",
    name="section 4.2 disjointness by a recurrent model",
    formula="N/2",
    sizes=lengths(4, 8, 12),
    tags=("recurrent", "intersection", "disjointness"),
)
def meeting_halves(length: int = EVEN) -> Finding:
    """A recurrent model for Disj on two halves of N bits in all has N/2 bits of state or more."""
    halves = problems.intersection_of_halves(length).split(problems.Partition.prefix(length, length // 2))
    return Finding.of_bracket(
        one_way_bits(halves), every_length=bounds.task_certificate("intersection-of-halves", one_way=True)
    )


@claim(
    "Theorem 11",
    name="theorem 11 states",
    role=Role.STEP,
    direction=Direction.LOWER,
    formula="2**(N/2)",
    unit="states",
    sizes=lengths(4, 8),
    tags=HALVES,
)
def inequality_states(length: int = EVEN) -> Finding:
    """A DFA that agrees with the inequality of two halves on all words of N bits has 2^(N/2) states or more."""
    facts = {"classes after each prefix": reductions.state_bound(problems.inequality_of_halves(length)).classes}
    matrix = _halves(length).matrix
    return Finding.of_bracket(replace(bounds.one_way_messages(matrix, seconds=30.0), matrix=matrix), facts=facts)


def _halves(length: int) -> Any:
    return problems.inequality_of_halves(length).split(problems.Partition.prefix(length, length // 2))


# Lemma 4

FEW = 3  # states up to which all automata of two symbols are gone through
COMPARED = 4  # states up to which all smaller automata are compared as well
DRAWN = 300  # automata, where there are too many to go through all
READ_FROM_STATE = ("elman", "lstm", "gru", "copies")
"""Kinds whose answer is read from what is carried; others see the last symbol too, so only later answers count."""
SEEDS = 64  # models that are tried, till words have three classes or more
LEAST, COPIES = 5, 3  # states of the minimal automata, and how many copies each has


@needs(
    "Lemma 4",
    formula="log(n, 2)",
    instances="all automata of up to three states over two symbols, drawn ones of more",
    hypotheses=(*SAME, "the automaton is minimal, as the proof requires"),
    sizes=tuple({"states": states} for states in (3, 4, 8)),
    tags=("recurrent", "dyck"),
)
def agreeing(
    states: int = param("n", 3, "states of the automata", low=2),
    seed: int = param("seed", 0, "of automata that are drawn", low=0),
) -> Finding:
    """A recurrent model that agrees with a minimal automaton of n states has log2 n bits of state or more.

    Words of up to 2n - 3 symbols tell n states from n - 1. Of the last automaton, or of that of Dyck-(2, k) if it has
    so many states, words that lead to different states are certified to take so many messages.
    """
    every = _all_automata(states) if states <= FEW else islice(drawn_automata(states, seed), DRAWN)
    minimal = [automaton for automaton in every if automaton.minimise().states == states]
    if not minimal:
        raise InputError("seed", seed, f"a seed from which some automaton of {states} states is minimal")
    smaller = [each for size in range(1, states) for each in _all_automata(size)] if states <= COMPARED else []
    known = {_answers(each, [0], 2 * states - 3).tobytes() for each in smaller}
    wrong = [
        f"an automaton of fewer states agrees with {each.table.tolist()}, {each.outputs.tolist()}"
        for each in minimal
        if known and _answers(each, [0], 2 * states - 3).tobytes() in known
    ]
    depth = states.bit_length() - 2
    shown = models.dyck_automaton(2, depth) if depth > 0 and states == 2 << depth else minimal[-1]
    facts = {"minimal automata": len(minimal), "smaller ones, all compared": len(smaller)}
    return Finding.of_bracket(_message_bits(shown, states), violations=wrong, facts=facts)


@needs(
    "Lemma 4",
    name="lemma 4 automata of models",
    instances="one model drawn of this kind",
    hypotheses=(*SAME, "where the answer is read from the last symbol too, only answers to longer words count"),
    sizes=tuple({"kind": kind} for kind in (*KINDS, "copies")),
    tags=("recurrent",),
)
def of_a_model(
    kind: str = param("kind", "elman", "kind of model", choices=(*KINDS, "copies")),
    seed: int = param("seed", 0, "of models that are drawn: the first one from here on", low=0),
) -> Finding:
    """A recurrent model of whatever kind has log2 n bits of state or more, for the n states of the least automaton that
    agrees with it; its own automaton, of its vectors, has more.

    The model is the first from a seed on whose words have three classes or more, but fewer than its vectors; or a table
    in which every state of a minimal automaton has copies.
    """
    for each in range(seed, seed + SEEDS):
        if kind == "copies":
            minimal = next(drawn for drawn in drawn_automata(LEAST, each) if drawn.minimise().states == LEAST)
            copied = np.random.default_rng(each).integers(COPIES, size=(COPIES * LEAST, 2))
            table = np.tile(minimal.table, (COPIES, 1)) + LEAST * copied
            model: Any = models.Automaton.of((0, 1), table, [*minimal.outputs] * COPIES)
            automaton = model
        else:
            model = KINDS[kind].random((0, 1), seed=each, width=2, precision=4)
            automaton = _of_vectors(model, kind in READ_FROM_STATE)
        classes = automaton.minimise().states
        if 3 <= classes < automaton.states:
            break
    else:
        raise InputError("seed", seed, f"one of {SEEDS} from it on whose model is not minimal, nor nearly constant")
    bits, bracket = model.state_bits, _message_bits(automaton, classes)
    return Finding.of_bracket(
        bracket,
        violations=() if bits >= bracket.lower else (f"it has {bits} bits, {bracket.lower} are needed",),
        facts={"bits of state": bits, "states of the automaton": automaton.states, "of the least one": classes},
        claimed=(classes - 1).bit_length(),
        formula="log2 of the states of the least automaton, rounded up",
    )


def _all_automata(states: int) -> Iterator[models.Automaton]:
    for table in product(product(range(states), repeat=2), repeat=states):
        for outputs in product((0, 1), repeat=states):
            yield models.Automaton.of((0, 1), table, outputs)


def drawn_automata(states: int, seed: int) -> Iterator[models.Automaton]:
    generator = np.random.default_rng(seed)
    while True:
        table, outputs = generator.integers(states, size=(states, 2)), generator.integers(2, size=states)
        yield models.Automaton.of((0, 1), table, outputs)


def _answers(automaton: models.Automaton, states: Sequence[int], longest: int) -> Any:
    after, answers = np.array(states)[:, None], []
    for _ in range(longest + 1):
        answers.append(automaton.outputs[after])
        after = automaton.table[after].reshape(len(states), -1)
    return np.concatenate(answers, axis=1)


def _message_bits(automaton: models.Automaton, classes: int) -> bounds.Bracket:
    """The bits of one message that distinguishes so many classes of states, each reached by a word, by later words."""
    tables = (np.unique(_answers(automaton, range(automaton.states), longest), axis=0) for longest in count())
    matrix = CommunicationMatrix.from_array(next(table for table in tables if len(table) == classes))
    return replace(bounds.one_way(matrix), matrix=matrix)


def _of_vectors(model: Any, read_from_state: bool) -> models.Automaton:
    """The vectors that words lead to, with the answer, or those after each symbol that may follow in one number."""
    start, symbols, later = tuple(model.start().tolist()), np.arange(2), []
    own = {start: 0}

    def follow(state: tuple[int, ...]) -> list[tuple[int, ...]]:
        before = np.array([state, state])
        after, codes = [*map(tuple, model.step(before, symbols, 1).tolist())], model.last(before, symbols, 1).tolist()
        for vector, code in zip(after, codes, strict=True):
            own.setdefault(vector, code)
        later.append(codes[0] + 2 * codes[1])
        return after

    _, table = reached([start], follow)
    return models.Automaton.of((0, 1), table, [*own.values()] if read_from_state else later, answers=range(4))


# Bounded Dyck languages by simple networks, two layers and three (section 4.1)

BRACKETS = 2  # kinds
LOW = 6  # the least length, at which all 4096 words are gone through
LAYERS = "docs/proofs/dyck_layers.md"
LONG = param("N", 384, "length of the input", low=6, step=2)


@section(
    name="section-4-1-dyck-by-a-simple-network",
    formula="c",
    constant=Constant("32", "a unit for each of 8 states and 4 symbols (protocols/constructions/recurrent.py)"),
    unit="units",
    sizes=({"activation": "relu"}, {"activation": "sigmoid"}),
    tags=("recurrent", "dyck", "construction"),
    hypotheses=(
        "all words of each length, by products of states; one network for all lengths",
        "networks of ours; those that are cited have fewer units for large depth",
    ),
)
def by_a_simple_network(
    length: int = param("N", 512, "length of the input", low=2, step=2),
    activation: str = param("f", "relu", "kind of unit", choices=("relu", "sigmoid")),
) -> Finding:
    """Recurrent networks of constant width recognise Dyck-(2,2) with standard activation functions: sigmoid, ReLU."""
    network = constructions.automaton_network(models.dyck_automaton(2, 2), activation)
    audits = {size: auditing.audit(network, problems.dyck(size)) for size in sizes_up_to(length, low=2, step=2)}
    wrong = [f"{size} symbols: {each.reason}" for size, each in audits.items() if each.verdict != "right"]
    return Finding(
        series=tuple((size, network.units) for size in audits),
        checked=sum(each.words or 0 for each in audits.values()),
        of=sum(4**size for size in audits),
        violations=wrong,
        facts={"bits of state": network.state_bits},
    )


def _one_layer_and_two() -> tuple[Plot, ...]:
    built, needed = [], []
    for length in (2**k for k in range(3, 17)):
        model = constructions.dyck_transformer(length)
        least = bounds.model("transformer", width=1, precision=model.precision.bits, task="dyck", length=length)
        built.append((length, model.width * model.heads))
        needed.append((length, least.smallest_width or 1))
    return (
        Plot(
            title="Dyck-(2,2): width times heads, one layer and two",
            x="N, length of the word",
            y="width x heads",
            lines=(
                Line("two layers, built", tuple(built), measured=True),
                Line("one layer, built (uniform attention)", tuple((length, 2 * length) for length, _ in built)),
                Line("one layer, at least (in the numbers of the two)", tuple(needed)),
            ),
            logarithmic=True,
            note="Two layers are no wider for longer words; one layer is as wide as a word is long, up to a logarithm",
        ),
    )


by_two_layers = partial(
    section,
    tags=("transformer", "two-layers", "dyck", "construction"),
    hypotheses=(
        "every word of 6 symbols, beyond these words of the language and words that miss it by one or two symbols",
    ),
)


@sized(
    by_two_layers,
    {
        "name": "section-4-1-dyck-by-two-layers-precision",
        "formula": "c*log(N, 2)",
        "constant": Constant("4", f"steps of 1/N or less, numbers up to 3N ln 2N ({LAYERS})"),
    },
    "Their precision is O(log N).",
    name="section-4-1-dyck-by-two-layers",
    formula="c",
    constant=Constant("11", f"9 numbers, and two codes of one sign ({LAYERS})"),
    plots=_one_layer_and_two,
)
def two_layers(quantity: str, length: int = LONG) -> Finding:
    """Two-layer transformers can model bounded Dyck languages: two layers, of a width that does not grow with N,
    recognise Dyck-(2,2)."""
    return _recognised(length, quantity)


def _recognised(length: int, quantity: str, depth: int = 2, layers: int = 2) -> Finding:
    def case(size: int) -> Case:
        model = constructions.dyck_transformer(size, BRACKETS, depth, layers=layers)
        cut = replace(model, position_embedding=model.positions(size)[:-2])
        shorter = [(cut, problems.dyck(size - 2, BRACKETS, depth))] if size == LOW else []
        return Case(model, problems.dyck(size, BRACKETS, depth), partial(_words, depth=depth), others=shorter)

    return growth(case, length, quantity, LOW)


def _words(task: problems.SequenceTask, count: int, depth: int) -> Any:
    """Words of the language, each followed by one that misses it: a symbol, or the order of two, is changed; the last
    one is a level too deep at its beginning, if that is not too long."""
    generator, words = random.Random(task.length), list[list[int]]()
    for number in range(-(-count // 2)):
        word = _walk(generator, task.length, depth)
        other, place = list(word), generator.randrange(task.length - 1)
        if number % 2:
            other[place : place + 2] = other[place + 1], other[place]
        else:
            other[place] = generator.choice([symbol for symbol in range(2 * BRACKETS) if symbol != word[place]])
        words += [word, other]
    kind, rest = generator.randrange(BRACKETS), task.length - 2 * (depth + 1)
    if rest >= 0:
        words[-1] = [2 * kind] * (depth + 1) + [2 * kind + 1] * (depth + 1) + _walk(generator, rest, depth)
    return np.array(words)


def _walk(generator: random.Random, length: int, depth: int) -> list[int]:
    word, stack = list[int](), list[int]()
    while len(word) < length:
        if stack and (len(stack) == min(depth, length - len(word)) or generator.random() < 0.5):
            word.append(2 * stack.pop() + 1)
        else:
            stack.append(generator.randrange(BRACKETS))
            word.append(2 * stack[-1])
    return word


@by_two_layers(
    name="section-4-1-next-brackets-by-two-layers",
    formula="c*(8 + k)",
    constant=Constant("1", f"6 + k numbers, and two codes of one sign ({LAYERS})"),
    unit="numbers",
    sizes=({"depth": 2}, {"depth": 4}),
)
def next_brackets(length: int = LONG, depth: int = param("k", 2, "brackets that may be open at once")) -> Finding:
    """Two layers, of a width that does not grow with N, determine which symbols may follow each prefix of Dyck-(2,k):
    so the source that is cited models the language, for any k."""

    def case(size: int) -> Case:
        model = constructions.next_brackets_transformer(size, BRACKETS, depth)
        return Case(model, constructions.next_brackets(size, BRACKETS, depth), partial(_prefixes, depth=depth))

    model, belongs = case(LOW).model, models.dyck_automaton(BRACKETS, depth)
    words = np.indices((2 * BRACKETS,) * LOW).reshape(LOW, -1).T
    codes, wrong = model.outputs_at(words, np.arange(LOW)).argmax(axis=-1), []
    for row, given in zip(words.tolist(), codes.tolist(), strict=True):
        word = [model.alphabet[rank] for rank in row]
        allowed = [model.alphabet[::2], *(model.answers[code] for code in given)]
        if all(symbol in may for symbol, may in zip([*word, "[EOS]"], allowed, strict=True)) != belongs("".join(word)):
            wrong.append(f"{''.join(word)} is modelled wrongly")
    grown = growth(case, length, "width", LOW)
    return grown.also(wrong, checked=grown.checked + len(words), of=(grown.of or 0) + (2 * BRACKETS) ** LOW)


def _prefixes(task: problems.SequenceTask, count: int, depth: int) -> Any:
    generator, longer = random.Random(task.length), task.length + 2 * depth
    words = [_walk(generator, longer, depth)[: task.length] for _ in range(count)]
    for word in words[::4]:
        word[-1] = generator.randrange(2 * BRACKETS)
    return np.array(words)


by_layers = partial(
    OURS.claim,
    LAYERS,
    direction=Direction.CONSTRUCTION,
    sharpens="bhattamishra2024-section-4-1-dyck-by-two-layers",
    unit="numbers",
    hypotheses=("every word of 6 symbols, beyond these words of the language and words that nearly are",),
)
WORD = param("N", 384, "length of the word", low=6, step=2)


@by_layers(
    name="dyck-by-two-layers-at-depth-3",
    formula="c",
    constant=Constant("13", f"9 numbers, and four codes of one sign ({LAYERS})"),
    tags=("transformer", "two-layers", "dyck", "construction"),
)
def two_layers_at_depth_3(length: int = WORD) -> Finding:
    """Two layers, of a width that does not grow with N, recognise Dyck-(2,3)."""
    return _recognised(length, "width", depth=3)


@by_layers(
    name="dyck-by-three-layers",
    formula="c*(11 + k)",
    constant=Constant("1", f"9 + k numbers, and two codes of one sign ({LAYERS})"),
    sizes=({"depth": 4},),
    tags=("transformer", "dyck", "construction"),
)
def three_layers(length: int = WORD, depth: int = param("k", 4, "brackets that may be open at once")) -> Finding:
    """Three layers, of a width that does not grow with N, recognise Dyck-(2,k), for every k."""
    return _recognised(length, "width", depth, layers=3)


@linear(
    name="dyck-linear-width",
    sharpens="bhattamishra2024-theorem-5",
    sizes=lengths(4, 6, 8),
    tags=("transformer", "dyck", "construction"),
    hypotheses=(EVERY_WORD, "ceiling(log2(6N + 1)) bits; layers of relu units after the head"),
)
def by_one_layer(length: int = param("N", 4, "length of the input", low=2, step=2)) -> Finding:
    """One layer of width 2N with one head and uniform attention recognises Dyck-(2,2): linear width is enough."""
    model, task = constructions.dyck_by_uniform_attention(length), problems.dyck(length)
    return compared(model, task, model.width).finding(facts={"precision": model.precision.bits})
