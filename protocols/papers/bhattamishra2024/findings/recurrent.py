"""What is measured about recurrent models: messages of their state, and tasks that need many bits."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Finding
from ccsim.plots import Line, Plot
from protocols import constructions, reductions
from protocols.papers import checks
from protocols.papers.plain.automata import all_machines, answer_of
from protocols.papers.plain.certified import MESSAGE, certified
from protocols.papers.plain.recurrent import PlainModel
from protocols.papers.plain.tables import TABLES, Table
from protocols.papers.plain.words import SOLVED, check_faults, reduction_faults, unequal

__all__ = [
    "inequality",
    "lookup",
    "neighbour",
    "prefix",
    "queries",
    "recall_of_pairs",
    "separation",
    "states",
]

MANY = 512  # words that are read at once are merged where their states are the same
EVERY_MACHINE = 4  # up to so many bits of a word, all machines with too few states are gone through


def prefix(length: int, kind: str, width: int, precision: int, layers: int, seed: int) -> Finding:
    """Every place at which the word may be cut, and every word, each run bit by bit.

    The one message must be the numbers that a second computation of the model carries, each in all its bits, and the
    answer that of the second computation.
    """
    model = checks.telling_model(lambda each: _random(kind, length, width, precision, layers, each), seed, length)
    second, words = PlainModel(model), list(product(range(len(model.alphabet)), repeat=length))
    told: dict[Any, Any] = {}
    due: dict[Any, Any] = {}
    wrong: list[str] = []
    most = 0
    for split in range(1, length):
        protocol = reductions.recurrent_prefix(model, split, length=length)
        wrong += [str(violation) for violation in protocol.explore().violations]
        for word in words:
            symbols = "".join(str(model.alphabet[rank]) for rank in word)
            run = protocol.run(symbols[:split], symbols[split:])
            told[split, word] = [(message.sender, str(message.bits)) for message in run.transcript], run.answer
            due[split, word] = [("alice", second.message(word[:split]))], second.answer(word)
            most = max(most, run.bits)
    wrong += [f"{told[place]} after {place[0]} symbols of {place[1]}" for place in due if told[place] != due[place]][:3]
    wrong += [] if len({answer for _, answer in due.values()}) > 1 else ["the model gives all words one answer"]
    of = len(model.alphabet) ** length * (length - 1)
    wrong += _at_once(model, second, words)
    wrong += [] if len(told) == of else [f"only {len(told)} of {of} runs"]
    return Finding(
        measured=most,
        claimed=second.bits,
        formula="the bits of all numbers that are carried, in all layers",
        checked=len(told),
        of=of,
        violations=tuple(wrong),
        protocol=protocol,
        facts={"model": model.name, "numbers carried": len(second.precisions)},
    )


def _at_once(model: Any, second: PlainModel, words: list[tuple[int, ...]]) -> list[str]:
    """Where many words that are read at once, as long words are, end in another state or have another answer."""
    rows = np.array(words * (1 + MANY // len(words)))
    states, codes = model.pack(model.run(rows)).tolist(), model.codes(rows).tolist()
    due = {word: (int(second.message(word), 2), second.answer(word)) for word in words}
    found = {
        (tuple(row), state, model.answers[code]) for row, state, code in zip(rows.tolist(), states, codes, strict=True)
    }
    return [f"read at once: {state} and {answer}" for word, state, answer in found if due[word] != (state, answer)][:1]


def _random(kind: str, length: int, width: int, precision: int, layers: int, seed: int) -> Any:
    if kind == "table":  # with other transitions at each position
        return models.TransitionTable.random("ab", states=1 << (width * precision // 2), seed=seed, length=length)
    classes: dict[str, Any] = {
        "elman": models.Elman,
        "lstm": models.LSTM,
        "gru": models.GRU,
        "linear-attention": models.LinearAttention,
        "diagonal": models.DiagonalStateSpace,
        "selective": models.SelectiveStateSpace,
    }
    return classes[kind].random("ab", width=width, precision=precision, layers=layers, seed=seed)


def lookup(length: int) -> Finding:
    """INDEX as index lookup."""
    return _of_index("index-lookup", length)


def recall_of_pairs(length: int) -> Finding:
    """INDEX as associative recall with keys in order."""
    return _of_index("associative-recall", length)


def neighbour(length: int) -> Finding:
    """INDEX as the nearest neighbour among corners of a cube."""
    return _of_index("nearest-neighbour", length // 2)


def _of_index(task: str, n: int) -> Finding:
    """A reduction of INDEX to a task, gone through word by word, and the certified bits of one message for INDEX."""
    reduction = reductions.reduce("index", task, n=n)
    wrong = reduction_faults(reduction, SOLVED[task], lambda x, y: x[y - 1], lambda answer, _: int(answer))
    bracket = checks.one_way_bits(reduction.source)
    wrong = (*wrong, *need_faults(task, n, int(bracket.lower)))
    return _reduced(reduction, bracket, TABLES["index"](n), wrong)


def need_faults(task: str, length: int, bits: int) -> list[str]:
    """Where the bound on models says another need of a task than is certified, or draws the wrong line from it."""
    if task not in bounds.REQUIREMENTS:
        return []
    wrong = []
    for width in range(1, bits + 1):
        said, has = bounds.model("recurrent", width=width, precision=3, task=task, length=length), 3 * width
        if (said.needed_bits, said.protocol_bits, said.excluded) != (bits, has, has < bits):
            wrong.append(f"{task}: {said.needed_bits} bits are needed, {said.protocol_bits} had, {said.excluded}")
        if said.smallest_width != -(-bits // 3):
            wrong.append(f"{task}: {said.smallest_width} numbers of 3 bits for {bits} bits")
    return wrong


def queries(length: int) -> Finding:
    """The intersection problem as recall of all keys, after which Bob knows Alice's set."""
    task = "multi-query-associative-recall"
    reduction = reductions.reduce("intersection", task, n=length // 2)

    def meets(values: tuple[str, ...], own: Any) -> int:
        return int(any(value == "1" and bit for value, bit in zip(values, own, strict=True)))

    wrong = reduction_faults(reduction, SOLVED[task], lambda x, y: meets(tuple(map(str, x)), y), meets)
    return _reduced(reduction, checks.one_way_bits(reduction.source), TABLES["intersection"](length // 2), wrong)


def _reduced(reduction: Any, bracket: bounds.Bracket, table: Table, wrong: tuple[str, ...]) -> Finding:
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    return certified(bracket, table, MESSAGE, violations=(*wrong, *check_faults(reduction)), facts=facts)


def inequality(length: int) -> Finding:
    """The bits of one message for the inequality of two halves."""
    bracket = checks.one_way_bits(_halves(length))
    wrong = need_faults("inequality-of-halves", length, int(bracket.lower))
    return certified(bracket, _unequal(length), MESSAGE, violations=wrong)


def states(length: int) -> Finding:
    """How many lines of the inequality of two halves differ, half way: no machine of fewer states can be right.

    Certified by the lines; and for words of 4 bits, every machine of fewer states is run on every word.
    """
    bound = reductions.state_bound(problems.inequality_of_halves(length))
    wrong = [] if bound.states == 1 << length // 2 else [f"{bound.classes} classes after each number of symbols"]
    words, smaller = list(product((0, 1), repeat=length)), 0
    if length <= EVERY_MACHINE:
        wanted = [unequal(word) for word in words]
        for machine in (each for size in range(1, 1 << length // 2) for each in all_machines(size)):
            smaller += 1
            if all(answer_of(machine, word) == told for word, told in zip(words, wanted, strict=True)):
                wrong.append(f"{machine} is right, with {len(machine[0])} states")
    facts = {"classes after each prefix": bound.classes, "smaller machines, each wrong on some word": smaller}
    bracket = checks.one_way_messages(_halves(length))
    about = {"measure": "one-way-messages", "direction": "alice-to-bob"}
    return certified(bracket, _unequal(length), about, violations=tuple(wrong), facts=facts)


def _halves(length: int) -> Any:
    return problems.inequality_of_halves(length).split(problems.Partition.prefix(length, length // 2))


def _unequal(length: int) -> Table:
    """A row for each first half, a column for each second one: whether they differ."""
    halves = list(product((0, 1), repeat=length // 2))
    return tuple(tuple(unequal(first + second) for second in halves) for first in halves)


def separation() -> tuple[Plot, ...]:
    """Bits of state and of one layer against N, for the tasks that are cheap for one and dear for the other."""
    lengths = tuple(2**k for k in range(3, 17))
    recurrent = tuple((n, n) for n in lengths)
    layers = {n: bounds.model("transformer", width=1, precision=16, task="dyck", length=n) for n in lengths}
    halves = {n: constructions.equality_transformer(n, addresses=constructions.BinaryAddresses(n)) for n in lengths}
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
                    tuple((n, 16 * layer.smallest_width) for n, layer in layers.items() if layer.smallest_width),
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
