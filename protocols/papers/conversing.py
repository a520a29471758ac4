"""What one attention layer has to say on composed functions, once or step by step: run, counted and computed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ccsim import engine, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import reductions
from protocols.classical import rechecks
from protocols.papers.plain.attention import PlainTransformer
from protocols.papers.plain.summed_in_order import InOrder

__all__ = ["chain_exact", "chain_summed_in_order", "exact_message", "message_in_order", "steps"]

MOST_SEEDS = 256
MODELS = 5  # that look at both tables: what one of them does not show another may
MOST_PLAIN = 64  # words that are computed a second time, number by number

Faults = Callable[[], tuple[str, ...]]


def message_in_order(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """One message, from a layer that adds up in order."""

    def build(each: int) -> tuple[engine.Protocol, Faults]:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        model = reductions.LayerInOrder.random(length, **sizes)
        return reductions.one_message(model), lambda: _plain_faults([(model, 0)], length, 1)

    return _explored(build, seed, 1)


def exact_message(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The same of a layer as in the rest of ccsim, which takes a common maximum off and adds up exactly."""

    def build(each: int) -> tuple[engine.Protocol, Faults]:
        sizes: dict[str, Any] = {"length": 2 * length + 1, "width": width, "heads": heads, "head_width": width}
        options: dict[str, Any] = {"precision": precision, "seed": each, "answers": range(length)}
        model = models.OneLayerTransformer.random(range(length), **sizes, **options)
        costs.append(reductions.composition_costs(model))
        return reductions.composition(model), lambda: _exact_faults([model], length)

    costs: list[dict[str, int]] = []
    finding = _explored(build, seed, 4)
    both, printed = costs[0]["alice"] + costs[0]["bob"], heads * (width + 1) * precision
    as_said = (both, costs[0]["total"], costs[0]["printed"]) == (finding.measured, finding.measured, printed)
    wrong = () if as_said else (f"{costs[0]}, but {finding.measured} bits, and {printed} are printed",)
    return finding.but(violations=(*finding.violations, *wrong), facts={**finding.facts, **costs[0]})


def chain_summed_in_order(length: int, steps: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """A chain of thought of layers that add up in order."""

    def build(each: int) -> tuple[engine.Protocol, Faults]:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        layers = [reductions.LayerInOrder.random(length, more=number - 1, **sizes) for number in range(steps)]
        numbered = [(model, number) for number, model in enumerate(layers)]
        return reductions.chain_in_order(layers, length), lambda: _plain_faults(numbered, length, 0)

    return _explored(build, seed, 2 * steps)


def chain_exact(length: int, steps: int, width: int, precision: int, seed: int) -> Finding:
    """A chain of thought of layers as in the rest of ccsim; the claimed bits are added up here, step by step."""
    tokens = range(2 * length + 1, 2 * length + 1 + steps)

    def build(each: int) -> tuple[engine.Protocol, Faults]:
        sizes: dict[str, Any] = {"width": width, "precision": precision, "seed": each, "answers": range(length)}
        layers = [models.OneLayerTransformer.random(range(length), length=size, **sizes) for size in tokens]
        protocol = reductions.chain_of_thought(layers, problems.Partition("A" * length + "B" * length), start=0)
        return protocol, lambda: _exact_faults(layers, length)

    sums = [precision + _bits_for(each) for each in tokens]
    claimed = sum(2 * precision + 2 * each + 2 * width * precision + _bits_for(length) for each in sums)
    formula = "sum over the steps of 2*p + 2*(p + L(tokens)) + 2*d*p + L(n)"
    return _explored(build, seed, 3 * steps + 1).but(claimed=claimed, formula=formula)


def steps(length: int, width: int, precision: int, heads: int) -> Finding:
    """The least number of steps that the counting proof allows, at each size, from the bits of steps that were run."""
    run = chain_summed_in_order(2, 2, width, precision, heads, 0)
    each = heads * (width + 1) * precision
    said = 2 * (each + 1)  # two steps on tables of two values, whose tokens take a bit
    wrong = () if run.measured == said else (f"two steps say {run.measured} bits, not {said}",)
    return Finding(
        series=tuple((n, _least_steps(n, each + _bits_for(n))) for n in sizes_up_to(length, low=8)),
        calculated=True,
        checked=run.checked,
        of=run.of,
        violations=(*run.violations, *wrong),
        outside="" if precision >= _bits_for(length) else "p is less than log n",
        facts={"bits of a step": f"{each} + L(n)"},
    )


def _least_steps(n: int, said: int) -> int:
    """The least k with 8 k (said + 2 log n + 4) > n."""
    count = 1
    while 8 * count * (said + 4) + 16 * count * math.log2(n) <= n:
        count += 1
    return count


def _bits_for(count: int) -> int:
    return next(bits for bits in range(count + 1) if 1 << bits >= count)


def _explored(build: Callable[[int], tuple[engine.Protocol, Faults]], seed: int, rounds: int, **more: Any) -> Finding:
    """Explorations of a few layers, of which the first is shown; whatever is wrong with any of them is told."""
    shown, wrong, explored = None, [], 0
    for each in range(seed, seed + MOST_SEEDS):
        protocol, faults = build(each)
        if not _tells(protocol):
            continue
        found = protocol.explore()
        wrong += [*(str(violation) for violation in found.violations), *faults(), *_run_faults(protocol, found, rounds)]
        explored, shown = explored + 1, shown or found
        if explored == MODELS:
            break
    if shown is None:
        raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose layers look at both tables")
    return Finding.of_exploration(shown, violations=tuple(wrong), **more)


def _tells(protocol: engine.Protocol) -> bool:
    """Whether the answer depends on what each party holds; a layer where it does not would show nothing."""
    table = protocol.function.codes
    return bool((table != table[:1]).any() and (table != table[:, :1]).any())


def _run_faults(protocol: engine.Protocol, found: engine.Exploration, rounds: int) -> Iterator[str]:
    """Rounds and costs that are others, inputs that were left out, a check that sees nothing; and one run by itself."""
    run = protocol.run(*(part.value(part.size - 1) for part in protocol.function.inputs))
    said = sum(len(message.bits) for message in run.transcript)
    if found.worst_rounds != rounds:
        yield f"{found.worst_rounds} rounds, not {rounds}"
    if said != found.worst_bits or not run.correct:
        yield f"{said} bits in a run with answer {run.answer}, {found.worst_bits} in all"
    if protocol.cost is None or protocol.cost.bits != found.worst_bits:
        yield f"a cost of {protocol.cost} for {found.worst_bits} bits"
    if found.pairs != math.prod(protocol.function.shape):
        yield f"{found.pairs} pairs of inputs were gone through, not all"
    if not rechecks.finds_planted_error(protocol):
        yield "a wrong answer that was planted on the last input was not found"


def _plain_faults(layers: Sequence[tuple[reductions.LayerInOrder, int]], n: int, arguments: int) -> tuple[str, ...]:
    """Whether registers, quotients and answers are those of sums in order, number by number.

    Each layer reads so many tokens after the mark.
    """
    for model, more in layers:
        spoken = list(product(range(n), repeat=2 * n + arguments + more))[-MOST_PLAIN:]
        words = np.array([[*word[: 2 * n + arguments], n, *word[2 * n + arguments :]] for word in spoken])
        registers = model.read(model.empty(len(words)), range(model.length), words, words[:, -1])
        found = zip(registers.tolist(), model.quotients(registers).tolist(), model.codes(words).tolist(), strict=True)
        plain = InOrder(model.layer)
        for word, (sums, heads, answer) in zip(words.tolist(), found, strict=True):
            again = plain.computed(word)
            if ([*map(list, again[0])], [*map(list, again[1])], again[2]) != (sums, heads, answer):
                return (f"{model.name} is not summed in order on {word}",)
    return ()


def _exact_faults(layers: Sequence[models.OneLayerTransformer], n: int) -> tuple[str, ...]:
    """Whether sums and outputs are what the weights of the layers say, number by number."""
    for model in layers:
        words = list(product(range(n), repeat=model.length))[-MOST_PLAIN:]
        sums, outputs = model.tables.head_sums(np.array(words)).tolist(), model.outputs(np.array(words)).tolist()
        plain = PlainTransformer(model)
        for word, found, out in zip(words, sums, outputs, strict=True):
            again = [list(head.sums(range(model.length))) for head in plain.heads(word)]
            if again != found or list(plain.outputs(word)) != out:
                return (f"{model.name} computes otherwise than its weights say on {word}",)
    return ()
