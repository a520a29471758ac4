"""What is measured about recurrent models: messages of their state, and tasks that need many bits."""

from __future__ import annotations

from typing import Any

from ccsim import bounds, models, problems
from ccsim.claims import Finding
from ccsim.plots import Line, Plot
from protocols import constructions, reductions
from protocols.papers import checks

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


def prefix(length: int, kind: str, width: int, precision: int, layers: int, seed: int) -> Finding:
    """Every place at which the word may be cut, and every word: the model's state is the one message."""
    model = checks.telling_model(lambda each: _random(kind, length, width, precision, layers, each), seed, length)
    found = [reductions.recurrent_prefix(model, split, length=length).explore() for split in range(1, length)]
    return Finding(
        measured=max(each.worst_bits for each in found),
        claimed=model.state_bits,
        formula="the bits of all numbers that are carried, in all layers",
        checked=sum(each.pairs for each in found),
        of=len(model.alphabet) ** length * (length - 1),
        violations=tuple(str(violation) for each in found for violation in each.violations)[:3],
        protocol=found[-1].protocol,
        facts={"model": model.name},
    )


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
    """A reduction of INDEX to a task, on every pair of inputs, and the certified bits of one message for INDEX."""
    reduction = reductions.reduce("index", task, n=n)
    return checks.reduced(reduction, checks.one_way_bits(reduction.source))


def queries(length: int) -> Finding:
    """The intersection problem as recall of all keys, after which Bob knows Alice's set."""
    reduction = reductions.reduce("intersection", "multi-query-associative-recall", n=length // 2)
    return checks.reduced(reduction, checks.one_way_bits(reduction.source))


def inequality(length: int) -> Finding:
    """The bits of one message for the inequality of two halves."""
    return Finding.of_bracket(checks.one_way_bits(_halves(length)))


def states(length: int) -> Finding:
    """How many lines of the inequality of two halves differ, half way: no machine of fewer states can be right."""
    bound = reductions.state_bound(problems.inequality_of_halves(length))
    facts = {"classes after each prefix": bound.classes}
    return Finding.of_bracket(checks.one_way_messages(_halves(length)), facts=facts)


def _halves(length: int) -> Any:
    return problems.inequality_of_halves(length).split(problems.Partition.prefix(length, length // 2))


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
