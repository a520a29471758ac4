"""Theorem 4 and its variants: protocols run on layers, and each number that is sent worked out a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.claims.values import compare, evaluate
from ccsim.errors import InputError
from protocols import reductions
from protocols.papers.bhattamishra2024.findings.layers import formats, layers, spread_layer, words_of
from protocols.papers.plain.attention import PlainTransformer, output_faults

__all__ = [
    "compact",
    "executed",
    "kept_compact",
    "most_compact",
    "one_sided",
    "printed_steps",
    "sent_one_way",
    "theorem_4",
]

Word = tuple[int, ...]
MOST_EXPLORED = 1 << 14
RUN = 2  # words of each answer on which a protocol is run, where there are too many to explore


@dataclass
class Executed:
    """What came of running variants of a protocol on layers.

    Attributes:
        bits: the most bits of each variant.
        balanced: the same, at odd and even positions alone.
        words, of: how many words were gone through, of how many, over all layers, partitions and variants.
        faults: whatever was wrong.
    """

    bits: dict[str, int] = field(default_factory=dict)
    balanced: dict[str, int] = field(default_factory=dict)
    words: int = 0
    of: int = 0
    faults: list[str] = field(default_factory=list)


def executed(models: Sequence[Any], variants: Sequence[str], ways: Sequence[Any] = ()) -> Executed:
    """Run variants for each layer and partition: on all words if they are few, else on words drawn from a seed.

    The layer's own outputs are first compared with a second computation, word by word (on drawn words, if there are
    more than a thousand); then the protocol's answers with the layer's. Where all words are gone through, a task that
    differs from the layer on the last word alone must be told from it by the same exploration. Drawn words are given to
    the last variant alone in all partitions but the first.
    """
    found, telling = Executed(), False
    for model in models:
        words, plain = words_of(model.length, len(model.alphabet)), PlainTransformer(model)
        outputs = {word: plain.outputs(word) for word in words}
        answers = {word: row.index(max(row)) for word, row in outputs.items()}
        found.faults += output_faults(model, outputs)
        telling |= len(set(answers.values())) > 1
        everything = len(model.alphabet) ** model.length <= MOST_EXPLORED
        for place, way in enumerate(ways or _ways_of(model.length)):
            for variant in variants if everything or not place else variants[-1:]:
                _run(found, model, way, variant, answers, everything)
        if everything:
            found.faults += _canary(model, variants[-1])
    if not telling:
        raise InputError("precision", str(models[-1].precision), "numbers with which some layer tells words apart")
    return found


def _ways_of(length: int) -> list[Any]:
    """All partitions of a short word; else odd and even positions, and one in which little is regular."""
    if length <= 4:
        return list(problems.Partition.all(length))
    uneven = [place for place in range(1, length + 1) if place * place % 7 in (2, 4)]
    return [problems.Partition.odd_even(length), problems.Partition.of(length, alice=uneven)]


def _run(found: Executed, model: Any, way: Any, variant: str, answers: dict[Word, int], everything: bool) -> None:
    protocol, size = reductions.max_logit_softmax(model, way, variant=variant), len(model.alphabet) ** model.length
    if everything:
        explored = protocol.explore()
        found.faults += [str(violation) for violation in explored.violations]
        bits, count = explored.worst_bits, explored.pairs
        if count != size:
            found.faults.append(f"{count} words explored of {size}")
    else:
        deal = model.task().split(way).deal
        runs = {word: protocol.run(*deal(word)) for word in _told_apart(answers)}
        wrong = [word for word, run in runs.items() if set(run.answers.values()) != {model.answers[answers[word]]}]
        found.faults += [f"{protocol.name} answers wrongly on {word}" for word in wrong[:1]]
        found.faults += [f"{protocol.name}: one party does not answer" for run in runs.values() if len(run.answers) < 2]
        bits, count = max(run.bits for run in runs.values()), len(runs)
    if protocol.cost is None or protocol.cost.bits != bits:
        found.faults.append(f"{protocol.name} says {bits} bits, not {protocol.cost}")
    found.bits[variant] = max(found.bits.get(variant, 0), bits)
    if way == problems.Partition.odd_even(model.length):
        found.balanced[variant] = max(found.balanced.get(variant, 0), bits)
    if variant == "compact" and bits > (most := _most(model, way)):
        found.faults.append(f"{protocol.name} says {bits} bits, more than {most}")
    found.words, found.of = found.words + count, found.of + size


def _most(model: Any, way: Any) -> int:
    """The most bits of the compact protocol of a layer of this size."""
    numbers, held = model.precision, (len(way.alice), len(way.bob))
    return most_compact(held, len(model.alphabet), numbers.scale, numbers.bits, model.heads, model.head_width)


def _told_apart(answers: dict[Word, int]) -> list[Word]:
    """Some words with each answer."""
    return [word for code in set(answers.values()) for word in [w for w in answers if answers[w] == code][:RUN]]


def _canary(model: Any, variant: str) -> list[str]:
    """A function that differs from the layer on its last word alone, which the exploration must tell from it."""
    own, last = model.task(), len(model.alphabet) - 1

    def evaluate(words: Any) -> Any:
        codes = own.evaluate(words)
        return codes ^ (words == last).all(axis=-1).astype(codes.dtype)

    wrong = problems.SequenceTask("another function", own.words, own.answers, evaluate)
    way = problems.Partition.odd_even(model.length)
    explored = reductions.max_logit_softmax(model, way, variant=variant, task=wrong).explore()
    return [] if explored.violations else ["a function that differs on the last word is taken for the layer's own"]


def most_compact(held: Sequence[int], symbols: int, scale: int, bits: int, heads: int, width: int) -> int:
    """The most bits of the compact protocol for parties with so many positions each, two answers, any weights.

    The last symbol; each party's place among its logits; each party's sum of exponentials; one party's sums of weights
    times values; the answer back. Each field numbers its values for all heads together.
    """
    each_head = [max(1, k * symbols) for k in held] + [k * scale + 1 for k in held]
    sums = (scale * ((1 << bits) - 1) + 1) ** width
    fields: list[int] = [symbols, *(values**heads for values in (*each_head, sums))]
    return sum((values - 1).bit_length() for values in fields) + 1


def _finding(done: Executed, variant: str, models: Sequence[Any], **more: Any) -> Finding:
    """The most bits of one variant; every word counts as one case of those that were to be gone through."""
    facts = {"layers": len(models), **{f"bits, {name}": bits for name, bits in done.bits.items()}}
    return Finding(
        measured=done.bits[variant],
        checked=done.words,
        of=done.of,
        violations=(*done.faults, *more.pop("violations", ())),
        facts={**facts, **more.pop("facts", {})},
        **more,
    )


def kept_compact(length: int, width: int, precision: int, heads: int, symbols: int, seed: int) -> Finding:
    """The compact protocol, on layers drawn and made, for several partitions; what naming the symbols costs beside."""
    models = layers(length, width, heads, precision, symbols, seed)
    done = executed(models, ("cheapest", "compact"))
    most, wrong = _counted(length, width, precision, heads, symbols)
    enough = length * symbols <= 1 << precision  # numbers for each position and symbol to have one of its own
    told = done.balanced["compact"]
    if told > most or (enough and 2 * told <= most):
        wrong.append(f"the compact protocol says {told} bits at odd and even positions, not {most} or a little less")
    less = done.bits["cheapest"] < done.bits["compact"]
    facts = {"fewer bits name all symbols of one party": done.bits["cheapest"]} if less else {}
    return _finding(done, "compact", models, violations=tuple(wrong), facts=facts)


def _counted(length: int, width: int, precision: int, heads: int, symbols: int) -> tuple[int, list[str]]:
    """The most bits of the compact protocol at odd and even positions, and whether the library counts otherwise."""
    most = most_compact((-(-length // 2), length // 2), symbols, 1 << precision - 2, precision, heads, width)
    found = bounds.softmax_bits(head_width=width, heads=heads, precision=precision, length=length, symbols=symbols)
    return most, [] if found == most else [f"softmax_bits is {found}, not {most}"]


def compact(length: int, width: int, precision: int, heads: int, symbols: int) -> Finding:
    """The compact protocol of a layer that uses its numbers to the full, at odd and even positions."""
    models = [spread_layer(length, width, heads, numbers, symbols) for numbers in formats(length, precision)]
    done = executed(models, ("compact",), [problems.Partition.odd_even(length)])
    _, wrong = _counted(length, width, precision, heads, symbols)
    return _finding(done, "compact", models, violations=tuple(wrong))


def one_sided(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed steps with the weighted sums sent one way only, and the answer back."""
    models = [model for model in layers(length, width, heads, precision, 2, seed) if model.precision.bits == precision]
    done = executed(models, ("one-sided",))
    done.faults += _miscounted(done, "one-sided", printed_steps(length, width, precision, heads, 1) + 1)
    return _finding(done, "one-sided", models)


def printed_steps(length: int, width: int, precision: int, heads: int, ways: int) -> int:
    """x_N once; for each head two largest logits, two sums of exponentials, and weighted sums in so many ways."""
    longer = precision + (length - 1).bit_length()
    return width * precision + heads * (2 * precision + 2 * longer + ways * width * 2 * precision)


def _miscounted(done: Executed, variant: str, bits: int) -> list[str]:
    return [] if done.bits[variant] == bits else [f"{done.bits[variant]} bits, not {bits} ({variant})"]


def theorem_4(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed protocol, every message of it, for several partitions."""
    models = [model for model in layers(length, width, heads, precision, 2, seed) if model.precision.bits == precision]
    done = executed(models, ("literal",))
    done.faults += _miscounted(done, "literal", printed_steps(length, width, precision, heads, 2))
    facts = {"bits if the party with fewer symbols names them, at odd and even positions": length // 2 + 1}
    return _finding(done, "literal", models, facts=facts)


def sent_one_way(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed steps with the sums of the last sent one way; within the printed total just where it must be."""
    found = one_sided(length, width, precision, heads, seed)
    values = {"N": length, "m": width, "p": precision, "H": heads}
    room = compare(evaluate("3*m*H*log(N, 2) - H*(4*p + 2*L(N)) - 1", values), 0) >= 0
    within = compare(found.measured, evaluate("3*m*(p + log(N, 2))*H", values)) <= 0
    wrong = () if room == within else (f"{found.measured} bits, within the printed total: {within}",)
    literal = printed_steps(length, width, precision, heads, 2)
    facts = {**found.facts, "bits with sums sent both ways, as printed": literal}
    return found.but(violations=(*found.violations, *wrong), facts=facts)
