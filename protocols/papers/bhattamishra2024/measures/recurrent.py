"""What is measured about recurrent models: messages of their state, and tasks that need many bits."""

from __future__ import annotations

from typing import Any

from ccsim.claims import Finding
from ccsim.plots import Line, Plot
from protocols.papers.measuring import built, drawn_recall, one_way_bits, one_way_messages, reduced, telling_model

__all__ = [
    "any_order",
    "automaton",
    "dyck_at_every_length",
    "inequality",
    "lookup",
    "neighbour",
    "prefix",
    "queries",
    "queries_any_order",
    "query_table",
    "recall",
    "register",
    "separation",
    "states",
    "table",
]


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


def prefix(length: int, kind: str, width: int, precision: int, layers: int, seed: int) -> Finding:
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


def lookup(length: int) -> Finding:
    """INDEX as index lookup, checked on all inputs, and the bits of one message for it."""
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "index-lookup", n=length)
    return reduced(reduction, one_way_bits(reduction.source))


def recall(length: int) -> Finding:
    """INDEX as associative recall with keys in order, checked on all inputs, and the bits of one message for it."""
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "associative-recall", n=length)
    return reduced(reduction, one_way_bits(reduction.source))


def any_order(length: int) -> Finding:
    """Cut before the last value: what the key that waits, and the values of all others, leave to tell apart."""
    from ccsim.problems import Partition, associative_recall

    task = associative_recall(length)
    cut = Partition.prefix(2 * length + 1, 2 * length - 1)
    return Finding.of_bracket(one_way_bits(task.split(cut)), facts={"cut": str(cut)})


def queries_any_order(length: int) -> Finding:
    """Multi-query recall with keys in any order, cut before the last value that is told."""
    from ccsim.problems import Partition, multi_query_associative_recall

    pairs = length // 2
    cut = Partition.prefix(3 * pairs, 2 * pairs - 1)
    bracket = one_way_bits(multi_query_associative_recall(pairs).split(cut))
    return Finding.of_bracket(bracket, facts={"cut": str(cut)})


def register(length: int) -> Finding:
    """The shift register for index lookup: its bits of state, and whether it is right."""
    from ccsim.problems import index_lookup
    from protocols.constructions import shift_register

    model = shift_register(length)
    return built(model, index_lookup(length), model.state_bits)


def table(length: int, order: str) -> Finding:
    """The table for associative recall: its bits of state, and whether it is right."""
    from ccsim.problems import associative_recall
    from protocols.constructions import recall_table

    model, task = recall_table(length, in_order=order == "given"), associative_recall(length)
    return built(model, _ordered(task, length) if order == "given" else task, model.state_bits, drawn_recall)


def query_table(length: int, order: str) -> Finding:
    """The table for multi-query recall: its bits of state, and whether it is right."""
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


def neighbour(length: int) -> Finding:
    """INDEX as nearest neighbour, checked on all inputs, and the bits of one message for it."""
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("index", "nearest-neighbour", n=length // 2)
    return reduced(reduction, one_way_bits(reduction.source))


def queries(length: int) -> Finding:
    """The intersection problem as multi-query recall, checked on all inputs, and the bits of one message for it."""
    from protocols.reductions.task_reductions import reduce

    reduction = reduce("intersection", "multi-query-associative-recall", n=length // 2)
    return reduced(reduction, one_way_bits(reduction.source))


def _halves(length: int) -> Any:
    from ccsim.problems import Partition, inequality_of_halves

    return inequality_of_halves(length).split(Partition.prefix(length, length // 2))


def inequality(length: int) -> Finding:
    """The bits of one message for the inequality of two halves."""
    return Finding.of_bracket(one_way_bits(_halves(length)))


def states(length: int) -> Finding:
    """The classes of prefixes, counted by the least machine and, half way, by rows that differ."""
    from ccsim.problems import inequality_of_halves
    from protocols.reductions.automaton import state_bound

    bound = state_bound(inequality_of_halves(length))
    bracket = one_way_messages(_halves(length))
    wrong = () if bound.states == bracket.lower else (f"{bound.states} classes, but {bracket.lower} rows differ",)
    return Finding.of_bracket(bracket, violations=wrong, facts={"classes after each prefix": bound.classes})


def automaton(length: int, seed: int) -> Finding:
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


def dyck_at_every_length(length: int) -> Finding:
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


def separation() -> tuple[Plot, ...]:
    """Bits of state and of one layer against N, for the tasks that are cheap for one and dear for the other."""
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
