"""What one attention layer has to say on composed functions, once or step by step: run, counted and computed again."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ccsim import engine, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import reductions

__all__ = ["chain_exact", "chain_summed_in_order", "exact_message", "message_in_order", "steps"]

MOST_SEEDS = 256
MODELS = 5  # that look at both tables: what one of them does not show another may


def message_in_order(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """One message, from a layer that adds up in order."""

    def build(each: int) -> engine.Protocol:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        model = reductions.LayerInOrder.random(length, **sizes)
        return reductions.one_message(model)

    return _explored(build, seed, 1)


def exact_message(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The same of a layer as in the rest of ccsim, which takes a common maximum off and adds up exactly."""

    def build(each: int) -> engine.Protocol:
        sizes: dict[str, Any] = {"length": 2 * length + 1, "width": width, "heads": heads, "head_width": width}
        options: dict[str, Any] = {"precision": precision, "seed": each, "answers": range(length)}
        model = models.OneLayerTransformer.random(range(length), **sizes, **options)
        costs.append(reductions.composition_costs(model))
        return reductions.composition(model)

    costs: list[dict[str, int]] = []
    finding = _explored(build, seed, 4)
    return finding.but(facts={**finding.facts, **costs[0]})


def chain_summed_in_order(length: int, steps: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """A chain of thought of layers that add up in order."""

    def build(each: int) -> engine.Protocol:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        layers = [reductions.LayerInOrder.random(length, more=number - 1, **sizes) for number in range(steps)]
        return reductions.chain_in_order(layers, length)

    return _explored(build, seed, 2 * steps)


def chain_exact(length: int, steps: int, width: int, precision: int, seed: int) -> Finding:
    """A chain of thought of layers as in the rest of ccsim; the claimed bits are added up here, step by step."""
    tokens = range(2 * length + 1, 2 * length + 1 + steps)

    def build(each: int) -> engine.Protocol:
        sizes: dict[str, Any] = {"width": width, "precision": precision, "seed": each, "answers": range(length)}
        layers = [models.OneLayerTransformer.random(range(length), length=size, **sizes) for size in tokens]
        return reductions.chain_of_thought(layers, problems.Partition("A" * length + "B" * length), start=0)

    sums = [precision + _bits_for(each) for each in tokens]
    claimed = sum(2 * precision + 2 * each + 2 * width * precision + _bits_for(length) for each in sums)
    formula = "sum over the steps of 2*p + 2*(p + L(tokens)) + 2*d*p + L(n)"
    return _explored(build, seed, 3 * steps + 1).but(claimed=claimed, formula=formula)


def steps(length: int, width: int, precision: int, heads: int) -> Finding:
    """The least number of steps that the counting proof allows, at each size, from the bits of steps that were run."""
    run = chain_summed_in_order(2, 2, width, precision, heads, 0)
    each = (run.measured or 0) // 2 - 1  # two steps on tables of two values, whose tokens take a bit
    return Finding(
        series=tuple((n, _least_steps(n, each + _bits_for(n))) for n in sizes_up_to(length, low=8)),
        calculated=True,
        checked=run.checked,
        of=run.of,
        violations=run.violations,
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


def _explored(build: Callable[[int], engine.Protocol], seed: int, rounds: int, **more: Any) -> Finding:
    """Explorations of a few layers, of which the first is shown; whatever is wrong with any of them is told."""
    shown, wrong, explored = None, list[str](), 0
    for each in range(seed, seed + MOST_SEEDS):
        protocol = build(each)
        if not _tells(protocol):
            continue
        found = protocol.explore()
        wrong += [str(violation) for violation in found.violations]
        wrong += [] if found.worst_rounds == rounds else [f"{found.worst_rounds} rounds, not {rounds}"]
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
