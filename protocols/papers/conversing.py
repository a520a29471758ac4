"""What one attention layer has to say on composed functions, once or step by step: run, counted and computed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols.papers.measuring import telling_model

if TYPE_CHECKING:
    from ccsim.engine.protocol import Protocol
    from ccsim.models import OneLayerTransformer
    from protocols.reductions.sums_in_order import LayerInOrder

__all__ = ["chain_exact", "chain_summed_in_order", "exact_message", "message_in_order", "steps"]

MOST_SEEDS = 256
MOST_PLAIN = 64  # words that are computed a second time, number by number


def message_in_order(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """One message, from a layer that adds up in order."""
    from protocols.reductions import sums_in_order

    def build(each: int) -> Protocol:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        model = sums_in_order.LayerInOrder.random(length, **sizes)
        faults.append(_plain_faults([(model, 0)], length, 1))
        return sums_in_order.one_message(model)

    faults: list[tuple[str, ...]] = []
    return _explored(_telling_protocol(build, seed), 1, tuple(fault for each in faults for fault in each))


def exact_message(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The same of a layer as in the rest of ccsim, which takes a common maximum off and adds up exactly."""
    from protocols.reductions.composition import composition, composition_costs

    sizes: dict[str, Any] = {"length": 2 * length + 1, "width": width, "heads": heads, "head_width": width}

    def build(each: int) -> OneLayerTransformer:
        from ccsim.models import OneLayerTransformer

        return OneLayerTransformer.random(range(length), **sizes, precision=precision, seed=each, answers=range(length))

    model = telling_model(build, seed, 2 * length + 1)
    costs = composition_costs(model)
    return _explored(composition(model), 4, _exact_faults([model], length), facts=costs)


def chain_summed_in_order(length: int, steps: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """A chain of thought of layers that add up in order."""
    from protocols.reductions import sums_in_order

    def build(each: int) -> Protocol:
        sizes = {"width": width, "precision": precision, "heads": heads, "seed": each}
        models = [sums_in_order.LayerInOrder.random(length, more=number - 1, **sizes) for number in range(steps)]
        faults.append(_plain_faults([(model, number) for number, model in enumerate(models)], length, 0))
        return sums_in_order.chain_in_order(models, length)

    faults: list[tuple[str, ...]] = []
    return _explored(_telling_protocol(build, seed), 2 * steps, tuple(fault for each in faults for fault in each))


def chain_exact(length: int, steps: int, width: int, precision: int, seed: int) -> Finding:
    """A chain of thought of layers as in the rest of ccsim; the claimed bits are added up here, step by step."""
    from ccsim import Partition
    from ccsim.models import OneLayerTransformer
    from protocols.reductions.composition import chain_of_thought

    tokens = range(2 * length + 1, 2 * length + 1 + steps)

    def build(each: int) -> Protocol:
        sizes: dict[str, Any] = {"width": width, "precision": precision, "seed": each, "answers": range(length)}
        models = [OneLayerTransformer.random(range(length), length=size, **sizes) for size in tokens]
        faults.append(_exact_faults(models, length))
        return chain_of_thought(models, Partition("A" * length + "B" * length), start=0)

    faults: list[tuple[str, ...]] = []
    protocol = _telling_protocol(build, seed)
    sums = [precision + _bits_for(each) for each in tokens]
    claimed = sum(2 * precision + 2 * each + 2 * width * precision + _bits_for(length) for each in sums)
    formula = "sum over the steps of 2*p + 2*(p + L(tokens)) + 2*d*p + L(n)"
    wrong = tuple(fault for each in faults for fault in each)
    return _explored(protocol, 3 * steps + 1, wrong, claimed=claimed, formula=formula)


def steps(length: int, width: int, precision: int, heads: int) -> Finding:
    """The least number of steps that the counting proof allows, at each size, from the bits of steps that were run."""
    from ccsim.claims import sizes_up_to

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


def _telling_protocol(build: Callable[[int], Protocol], seed: int) -> Protocol:
    """The first from a seed on whose answer depends on what each party holds; another one would show nothing."""
    for each in range(seed, seed + MOST_SEEDS):
        protocol = build(each)
        table = protocol.function.codes
        if (table != table[:1]).any() and (table != table[:, :1]).any():
            return protocol
    raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose layers look at both tables")


def _explored(protocol: Protocol, rounds: int, wrong: tuple[str, ...], **more: Any) -> Finding:
    """An exploration, if it takes so many rounds; and the same of one run, message by message."""
    from protocols.classical.rechecks import finds_planted_error

    found = protocol.explore()
    run = protocol.run(*(part.value(part.size - 1) for part in protocol.function.inputs))
    said = sum(len(message.bits) for message in run.transcript)
    if found.worst_rounds != rounds:
        wrong += (f"{found.worst_rounds} rounds, not {rounds}",)
    if said != found.worst_bits or not run.correct:
        wrong += (f"{said} bits in a run with answer {run.answer}, {found.worst_bits} in all",)
    if protocol.cost is None or protocol.cost.bits != found.worst_bits:
        wrong += (f"a cost of {protocol.cost} for {found.worst_bits} bits",)
    if not finds_planted_error(protocol):
        wrong += ("a wrong answer that was planted on the last input was not found",)
    if found.pairs != math.prod(protocol.function.shape):
        wrong += (f"{found.pairs} pairs of inputs were gone through, not all",)
    violations = (*(str(violation) for violation in found.violations), *wrong)
    return Finding.of_exploration(found, violations=violations, **more)


def _plain_faults(models: Sequence[tuple[LayerInOrder, int]], n: int, arguments: int) -> tuple[str, ...]:
    """Whether registers, quotients and answers are those of sums in order, number by number.

    Each layer reads so many tokens after the mark.
    """
    import numpy as np

    from protocols.papers.plain.summed_in_order import InOrder

    for model, more in models:
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


def _exact_faults(models: Sequence[OneLayerTransformer], n: int) -> tuple[str, ...]:
    """Whether sums and outputs are what the weights of the layers say, number by number."""
    import numpy as np

    from protocols.papers.plain.attention import PlainTransformer

    for model in models:
        words = list(product(range(n), repeat=model.length))[-MOST_PLAIN:]
        sums, outputs = model.tables.head_sums(np.array(words)).tolist(), model.outputs(np.array(words)).tolist()
        plain = PlainTransformer(model)
        for word, found, out in zip(words, sums, outputs, strict=True):
            again = [list(head.sums(range(model.length))) for head in plain.heads(word)]
            if again != found or list(plain.outputs(word)) != out:
                return (f"{model.name} computes otherwise than its weights say on {word}",)
    return ()
