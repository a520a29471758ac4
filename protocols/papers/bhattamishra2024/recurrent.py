"""Recurrent models: one message of as many bits as the state has, and tasks that need many (sections 3, 5, C, F)."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Claim, Direction, Finding, Line, Parameter, Plot
from protocols.papers.bhattamishra2024.paper import claim
from protocols.papers.measuring import built, drawn_recall, one_way_bits, one_way_messages, reduced, telling_model

__all__ = ["CLAIMS"]

KINDS = ("elman", "lstm", "gru", "linear-attention", "retnet", "diagonal", "selective", "rwkv", "table")


def _random(kind: str, width: int, precision: int, layers: int, seed: int) -> Any:
    from ccsim import models

    if kind == "table":
        return models.TransitionTable.random("ab", states=1 << (width * precision // 2), seed=seed)
    classes: dict[str, Any] = {
        "elman": models.Elman,
        "lstm": models.LSTM,
        "gru": models.GRU,
        "linear-attention": models.LinearAttention,
        "retnet": models.RetNet,
        "diagonal": models.DiagonalStateSpace,
        "selective": models.SelectiveStateSpace,
        "rwkv": models.RWKV,
    }
    return classes[kind].random("ab", width=width, precision=precision, layers=layers, seed=seed)


def _prefix(length: int, kind: str, width: int, precision: int, layers: int, seed: int) -> Finding:
    """Every place at which the word may be cut."""
    from protocols.reductions.recurrent import recurrent_prefix

    model = telling_model(lambda each: _random(kind, width, precision, layers, each), seed, length)
    found = [recurrent_prefix(model, split, length=length).explore() for split in range(1, length)]
    violations = tuple(str(violation) for explored in found for violation in explored.violations)
    return Finding.of_exploration(
        found[-1],
        measured=max(explored.worst_bits for explored in found),
        claimed=model.state_bits,
        formula="bits of state, all layers",
        checked=sum(explored.pairs for explored in found),
        of=sum(explored.pairs for explored in found),
        violations=violations,
    )


def _lookup(length: int) -> Finding:
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "index-lookup", n=length)
    return reduced(reduction, one_way_bits(reduction.source))


def _recall(length: int) -> Finding:
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "associative-recall", n=length)
    return reduced(reduction, one_way_bits(reduction.source))


def _any_order(length: int) -> Finding:
    """Cut before the last value: what the key that waits, and the values of all others, leave to tell apart."""
    from ccsim.problems import Partition, associative_recall

    task = associative_recall(length)
    cut = Partition.prefix(2 * length + 1, 2 * length - 1)
    return Finding.of_bracket(one_way_bits(task.split(cut)), facts={"cut": str(cut)})


def _queries_any_order(length: int) -> Finding:
    from ccsim.problems import Partition, multi_query_associative_recall

    pairs = length // 2
    cut = Partition.prefix(3 * pairs, 2 * pairs - 1)
    bracket = one_way_bits(multi_query_associative_recall(pairs).split(cut))
    return Finding.of_bracket(bracket, facts={"cut": str(cut)})


def _register(length: int) -> Finding:
    from ccsim.problems import index_lookup
    from protocols.constructions import shift_register

    model = shift_register(length)
    return built(model, index_lookup(length), model.state_bits)


def _table(length: int, order: str) -> Finding:
    from ccsim.problems import associative_recall
    from protocols.constructions import recall_table

    model, task = recall_table(length, in_order=order == "given"), associative_recall(length)
    return built(model, _ordered(task, length) if order == "given" else task, model.state_bits, drawn_recall)


def _query_table(length: int, order: str) -> Finding:
    from ccsim.problems import multi_query_associative_recall
    from protocols.constructions import multi_query_recall_table

    pairs = length // 2
    model, task = multi_query_recall_table(pairs, in_order=order == "given"), multi_query_associative_recall(pairs)
    return built(model, _ordered(task, pairs) if order == "given" else task, model.state_bits)


def _ordered(task: Any, pairs: int) -> Any:
    """The same task on words whose keys come in the order of the alphabet: what the reductions ask for."""
    import numpy as np

    from ccsim.problems import SequenceTask, Words

    keys, values = task.positions[:2]
    words = Words((*(part for key in keys for part in ((key,), values)), *task.positions[2 * pairs :]))
    rank = np.array([task.alphabet.index(symbol) for symbol in words.alphabet])
    return SequenceTask(f"{task.name}, keys in order", words, task.answers, lambda rows: task.evaluate(rank[rows]))


def _neighbour(length: int) -> Finding:
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "nearest-neighbour", n=length // 2)
    return reduced(reduction, one_way_bits(reduction.source))


def _queries(length: int) -> Finding:
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("intersection", "multi-query-associative-recall", n=length // 2)
    return reduced(reduction, one_way_bits(reduction.source))


def _halves(length: int) -> Any:
    from ccsim.problems import Partition, inequality_of_halves

    return inequality_of_halves(length).split(Partition.prefix(length, length // 2))


def _inequality(length: int) -> Finding:
    return Finding.of_bracket(one_way_bits(_halves(length)))


def _states(length: int) -> Finding:
    """The classes of prefixes, counted by the least machine and, half way, by rows that differ."""
    from ccsim.problems import inequality_of_halves
    from protocols.reductions.automaton import state_bound

    bound = state_bound(inequality_of_halves(length))
    bracket = one_way_messages(_halves(length))
    wrong = () if bound.states == bracket.lower else (f"{bound.states} classes, but {bracket.lower} rows differ",)
    return Finding.of_bracket(bracket, violations=wrong, facts={"classes after each prefix": bound.classes})


def _automaton(length: int, seed: int) -> Finding:
    """The least machine for Dyck-(2, 2), and what it takes any machine of fewer bits to be wrong."""
    from ccsim.claims.values import evaluate
    from ccsim.models import TransitionTable, dyck_automaton
    from ccsim.problems import dyck
    from protocols.reductions.automaton import automaton_bits, confusion

    machine = dyck_automaton(2, 2)
    smaller = TransitionTable.random("()[]", states=1 << (machine.state_bits - 1), seed=seed)
    found = confusion(smaller, dyck(length))
    states = machine.minimise().states
    wrong = [f"{machine.states} states, where {states} are enough"] if machine.states != states else []
    wrong += [f"a machine of {smaller.state_bits} bits is not confused"] if found is None else []
    told = "" if found is None else f"{''.join(found.words[0])} and {''.join(found.words[1])}"
    return Finding(
        measured=automaton_bits(machine),
        claimed=evaluate("log(n, 2)", {"n": states}),
        formula="log(n, 2), for the n states of the minimal automaton of Dyck-(2,2)",
        exact=False,
        violations=tuple(wrong),
        facts={"two words that a random machine of 2 bits confuses": told},
    )


def _dyck_at_every_length(length: int) -> Finding:
    """Against the regular expression of the language, by a product of states: all words of so many symbols."""
    from ccsim.models import dyck_automaton, from_regular_expression
    from ccsim.models.recurrent import first_difference

    machine, symbols, flat = dyck_automaton(2, 2), "()[]", r"(\(\)|\[\])*"
    language = from_regular_expression(rf"(\({flat}\)|\[{flat}\])*", symbols)
    word = first_difference(machine, language, length)
    return Finding(
        measured=machine.state_bits,
        checked=4**length,
        of=4**length,
        violations=() if word is None else (f"wrong on {''.join(word)}",),
        facts={"states": machine.states, "method": "product of the states of two machines"},
    )


def _separation() -> tuple[Plot, ...]:
    from ccsim.bounds import model
    from protocols.constructions import BinaryAddresses, equality_transformer

    lengths = tuple(2**k for k in range(3, 17))
    recurrent = tuple((n, n) for n in lengths)
    widths = {n: model("transformer", width=1, precision=16, task="dyck", length=n).smallest_width for n in lengths}
    halves = {n: equality_transformer(n, addresses=BinaryAddresses(n)) for n in lengths}
    return (
        Plot(
            title="Who must be large: bits of state, and bits of one layer",
            x="N, length of the input",
            y="bits (width x precision x heads)",
            lines=(
                Line("index lookup, recurrent: at least N", recurrent),
                Line("Dyck-(2,2), recurrent: 3 at every length", tuple((n, 3) for n in lengths)),
                Line(
                    "Dyck-(2,2), one layer of 16-bit numbers: at least",
                    tuple((n, 16 * int(width)) for n, width in widths.items() if width),
                ),
                Line("equality of halves, recurrent: at least N/2", tuple((n, n // 2) for n in lengths)),
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


RANDOM_MODEL = (
    Parameter("kind", "kind", "lstm", "kind of model", choices=KINDS),
    Parameter("width", "m", 2, "units of a layer"),
    Parameter("precision", "p", 5, "bits of a number", low=3),
    Parameter("layers", "layers", 1, "recurrent layers"),
    Parameter("seed", "seed", 0, "of the weights: the first one from here on", low=0),
)

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Theorem 2",
        "A recurrent model is a one-way protocol of as many bits as its state has, wherever the word is cut.",
        Direction.UPPER,
        lengths=(5,),
        low=2,
        more=RANDOM_MODEL,
        sizes=tuple({"kind": kind} for kind in KINDS),
        measure=_prefix,
        tags=("recurrent",),
    ),
    claim(
        "Theorem 3",
        "A recurrent model for index lookup has N bits of state or more.",
        Direction.LOWER,
        formula="N",
        lengths=(4, 8),
        measure=_lookup,
        tags=("recurrent", "index-lookup"),
        plots=_separation,
    ),
    claim(
        "Theorem 3: shift register",
        "N bits are enough: a recurrent model that keeps the last N symbols looks up any of them.",
        Direction.CONSTRUCTION,
        formula="N",
        ours="N",
        lengths=(4, 8),
        measure=_register,
        tags=("recurrent", "index-lookup", "construction"),
    ),
    claim(
        "Proposition 9",
        "A recurrent model for associative recall of N pairs has N bits of state or more.",
        Direction.LOWER,
        formula="N",
        lengths=(4, 6),
        meaning="number of pairs",
        measure=_recall,
        tags=("recurrent", "associative-recall"),
    ),
    claim(
        "Proposition 9: keys in the order given",
        "N bits are enough if keys come in the order that the reduction writes them in: a table of values.",
        Direction.CONSTRUCTION,
        formula="N",
        ours="N",
        lengths=(4, 8),
        meaning="number of pairs",
        more=(Parameter("order", "order", "given", "of the keys", choices=("given",)),),
        measure=_table,
        tags=("recurrent", "associative-recall", "construction"),
    ),
    claim(
        "Proposition 9: keys in any order",
        "If keys may come in any order, it takes more: a key waits for its value while all other values are known.",
        Direction.LOWER,
        formula="N",
        ours="N - 1 + L(N)",
        lengths=(3, 4),
        low=2,
        meaning="number of pairs",
        measure=_any_order,
        tags=("recurrent", "associative-recall"),
    ),
    claim(
        "Proposition 9: table for any order",
        "That many bits are enough: the key that waits takes the place of its value.",
        Direction.CONSTRUCTION,
        formula="N - 1 + L(N)",
        ours="N - 1 + L(N)",
        lengths=(2, 3, 4),
        low=2,
        meaning="number of pairs",
        more=(Parameter("order", "order", "any", "of the keys", choices=("any",)),),
        measure=_table,
        tags=("recurrent", "associative-recall", "construction"),
    ),
    claim(
        "Theorem 8",
        "A recurrent model for the nearest neighbour among N/2 labelled vectors has N/2 bits of state or more.",
        Direction.LOWER,
        formula="N/2",
        lengths=(4, 8),
        low=2,
        step=2,
        measure=_neighbour,
        tags=("recurrent", "nearest-neighbour"),
    ),
    claim(
        "Theorem 8: multi-query associative recall",
        "The same for recall of N/2 pairs, all of which are asked for.",
        Direction.LOWER,
        formula="N/2",
        lengths=(4, 6),
        low=2,
        step=2,
        measure=_queries,
        tags=("recurrent", "multi-query-associative-recall"),
    ),
    claim(
        "Theorem 8: table for multi-query recall",
        "N/2 bits are enough if keys come in the order that the reduction writes them in: a table, read at each query.",
        Direction.CONSTRUCTION,
        formula="N/2",
        ours="N/2",
        lengths=(4, 6, 8),
        low=2,
        step=2,
        more=(Parameter("order", "order", "given", "of the keys that are told", choices=("given",)),),
        measure=_query_table,
        tags=("recurrent", "multi-query-associative-recall", "construction"),
    ),
    claim(
        "Theorem 8: keys in any order",
        "Here too it takes more if keys may come in any order.",
        Direction.LOWER,
        formula="N/2",
        ours="N/2 - 1 + L(N/2)",
        lengths=(6,),
        low=4,
        step=2,
        measure=_queries_any_order,
        tags=("recurrent", "multi-query-associative-recall"),
    ),
    claim(
        "Theorem 8: table for any order",
        "N/2 - 1 + L(N/2) bits are enough in any order.",
        Direction.CONSTRUCTION,
        formula="N/2 - 1 + L(N/2)",
        ours="N/2 - 1 + L(N/2)",
        lengths=(4, 6),
        low=4,
        step=2,
        more=(Parameter("order", "order", "any", "of the keys that are told", choices=("any",)),),
        measure=_query_table,
        tags=("recurrent", "multi-query-associative-recall", "construction"),
    ),
    claim(
        "Lemma 4",
        "A recurrent model that agrees with a minimal automaton of n states has log2 n bits of state or more.",
        Direction.LOWER,
        lengths=(6,),
        low=4,
        step=2,
        meaning="length of the words that are confused: from 4 on they take more than 2 bits",
        more=(Parameter("seed", "seed", 0, "of the machine that is too small", low=0),),
        measure=_automaton,
        tags=("recurrent", "dyck"),
    ),
    claim(
        "Theorem 11",
        "A recurrent model for the inequality of two halves of N bits in all has N/2 bits of state or more.",
        Direction.LOWER,
        formula="N/2",
        lengths=(4, 8, 12),
        low=2,
        step=2,
        measure=_inequality,
        tags=("recurrent", "inequality-of-halves", "equality"),
    ),
    claim(
        "Theorem 11: states",
        "An automaton for the inequality of two halves of N bits in all has 2^(N/2) states or more.",
        Direction.LOWER,
        formula="2**(N/2)",
        unit="states",
        lengths=(4, 8),
        low=2,
        step=2,
        measure=_states,
        tags=("recurrent", "inequality-of-halves", "equality"),
    ),
    claim(
        "Section 5: Dyck by a recurrent model",
        "A recurrent model of constant size (7 states and one of failure) recognises Dyck-(2,2) at every length.",
        Direction.CONSTRUCTION,
        formula="L(8)",
        ours="L(8)",
        lengths=(8, 400),
        low=2,
        step=2,
        measure=_dyck_at_every_length,
        tags=("recurrent", "dyck", "construction"),
    ),
)
