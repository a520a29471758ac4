"""Peng, Narayanan and Papadimitriou 2024, On limitations of the transformer architecture: function composition."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from protocols.papers.measuring import telling_model

__all__ = ["CLAIMS", "PAPER"]

PAPER = Paper("peng2024", "Peng, Narayanan and Papadimitriou 2024")
SPEAKERS = ("f", "g")


def _least_error(length: int, bits: int, speaker: str) -> Finding:
    """The least error of one message, proved by search, and the error of the best division, counted again."""
    from ccsim.problems import function_composition
    from protocols.reductions.one_way_error import least_one_way_error, table_lookup

    function = function_composition(length) if speaker == "f" else table_lookup(length)
    found = least_one_way_error(function, bits)
    attained = _error(function.codes, found.messages)
    wrong = () if attained == found.upper else (f"error {found.upper} by search, {attained} when counted",)
    return Finding(
        measured=found.lower,
        exact=found.exact,
        achieved=attained,
        checked=function.codes.size,
        of=function.codes.size,
        violations=wrong,
        facts={"messages": 1 << bits},
    )


def _error(codes: Any, messages: tuple[int, ...]) -> Fraction:
    """How often a receiver who knows the message, and guesses what is most frequent, is wrong."""
    import numpy as np

    sent, right = np.array(messages), 0
    for message in set(messages):
        rows = codes[sent == message]
        right += sum(int(np.bincount(column).max()) for column in rows.T)
    return 1 - Fraction(right, codes.size)


def _protocol(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    from ccsim.models import OneLayerTransformer
    from protocols.reductions.composition import composition, composition_costs

    sizes: dict[str, Any] = {"length": 2 * length + 1, "width": width, "heads": heads, "head_width": width}

    def build(each: int) -> OneLayerTransformer:
        return OneLayerTransformer.random(range(length), **sizes, precision=precision, seed=each, answers=range(length))

    model = telling_model(build, seed, 2 * length + 1)
    return Finding.of_exploration(composition(model).explore(), facts=composition_costs(model))


def _chain(length: int, steps: int, width: int, precision: int, seed: int) -> Finding:
    from ccsim import Partition
    from ccsim.models import OneLayerTransformer
    from protocols.reductions.composition import chain_of_thought

    sizes: dict[str, Any] = {"width": width, "precision": precision, "seed": seed, "answers": range(length)}
    models = [OneLayerTransformer.random(range(length), length=2 * length + 1 + step, **sizes) for step in range(steps)]
    protocol = chain_of_thought(models, Partition("A" * length + "B" * length), start=0)
    found = protocol.explore()
    cost = protocol.cost
    assert cost is not None
    rounds = 3 * steps + 1
    wrong = () if found.worst_rounds == rounds else (f"{found.worst_rounds} rounds, not {rounds}",)
    violations = (*(str(violation) for violation in found.violations), *wrong)
    return Finding.of_exploration(found, claimed=cost.bits, formula=str(cost), violations=violations)


def _steps(length: int, width: int, precision: int, heads: int) -> Finding:
    """The least k for which k passes, by the count of our conversation, say the n/k bits that pointers take."""
    said = steps = 0
    while said * steps < length:
        sums = precision + (2 * length + steps).bit_length()  # of the 2n + 1 + steps tokens so far
        said += heads * (2 * precision + 2 * sums + 2 * width * precision) + (length - 1).bit_length()
        steps += 1
    return Finding(measured=steps, exact=False, facts={"bits that they say": said}, note="calculated")


ELEMENTS = Parameter("length", "n", 2, "elements of the domain", low=2)
LAYER = (
    Parameter("width", "d", 2, "width of a head"),
    Parameter("precision", "p", 6, "bits of a number", low=3),
    Parameter("heads", "H", 1, "attention heads"),
    Parameter("seed", "seed", 0, "of the weights: the first one from here on", low=0),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="peng2024-theorem-1",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem 1",
        statement="A message of b = H(d + 1)p bits about one of two composed functions errs at least this often.",
        direction=Direction.LOWER,
        formula="Max(0, (n*log(n, 2) - b)/(3*n*log(n, 2)))",
        trivial="0",
        unit="",
        hypotheses=("uniform functions and argument", "one message", "the holder of the other function answers"),
        parameters=(
            ELEMENTS,
            Parameter("bits", "b", 1, "bits of the message", low=0),
            Parameter("speaker", "speaker", "g", "whose function is told", choices=SPEAKERS),
        ),
        sizes=(
            {"bits": 0, "speaker": "g"},
            {"bits": 1, "speaker": "g"},
            {"length": 3, "bits": 2, "speaker": "g"},
            {"bits": 0, "speaker": "f"},
            {"bits": 1, "speaker": "f"},
        ),
        measure=_least_error,
        tags=("function-composition",),
    ),
    Claim(
        name="peng2024-theorem-1-message",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem 1, proof",
        statement="One layer on composed functions is a protocol of H(d + 1)p bits.",
        direction=Direction.UPPER,
        formula="H*(d + 1)*p",
        ours="L(n) + H*(2*p + 2*(p + L(2*n + 1)) + 2*d*p)",
        hypotheses=("exact: the same answer as the forward pass, bit for bit",),
        parameters=(ELEMENTS, *LAYER),
        sizes=({}, {"heads": 2, "width": 1}),
        measure=_protocol,
        tags=("function-composition", "transformer"),
    ),
    Claim(
        name="peng2024-theorem-2",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem 2",
        statement="A chain of thought that composes functions again and again has Omega(sqrt(n/(Hdp))) steps.",
        direction=Direction.LOWER,
        formula="c*sqrt(n/(H*d*p))",
        unit="steps",
        hypotheses=(
            "more pointers than rounds are followed: n/k bits in k rounds, up to a constant that is left open",
            "measured: with that constant 1, and the bits that our exact conversation says",
        ),
        parameters=(ELEMENTS, *LAYER[:3]),
        sizes=({"length": 1 << 16}, {"length": 1 << 20, "width": 64, "precision": 16, "heads": 8}),
        measure=_steps,
        tags=("pointer-chasing", "transformer"),
    ),
    Claim(
        name="peng2024-theorem-2-conversation",
        paper=PAPER,
        source=f"{PAPER.citation}, Theorem 2, proof",
        statement="A chain of thought of k steps is a conversation of 3k + 1 rounds, one pass of the layer a step.",
        direction=Direction.UPPER,
        parameters=(ELEMENTS, Parameter("steps", "k", 2, "steps of the chain"), LAYER[0], LAYER[1], LAYER[3]),
        measure=_chain,
        tags=("pointer-chasing", "transformer"),
    ),
)
