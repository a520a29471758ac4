"""What attention can do: units and layers built weight by weight, and run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from ccsim.claims import Claim, Direction, Finding, Parameter
from ccsim.claims.claim import Setting
from protocols.papers.measuring import built
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS"]

MOST_SUBSETS = 1 << 10


def _subsets(length: int, q: int) -> Iterator[tuple[int, ...]]:
    return islice(combinations(range(1, length + 1), q), MOST_SUBSETS)


def _averaging(quantity: str) -> Callable[[int, int], Finding]:
    """A unit whose error is below 1/(2q) for every set that it may be asked for and all values, exactly."""

    def measure(length: int, q: int) -> Finding:
        from math import comb

        from protocols.constructions import sparse_averaging_unit

        unit = sparse_averaging_unit(length, q)
        errors = unit.worst_errors(_subsets(length, q))
        step = Fraction(1, unit.precision.scale)  # what rounding the sum adds
        worst = max(errors) + step
        wrong = () if worst <= unit.error else (f"error {worst}, above {unit.error}",)
        measured = unit.width if quantity == "width" else unit.precision.bits
        facts = {"worst error": worst, "accuracy": unit.error, "precision": unit.precision.bits, "width": unit.width}
        return Finding(measured=measured, checked=len(errors), of=comb(length, q), violations=wrong, facts=facts)

    return measure


def _dual_vectors(length: int, q: int) -> Finding:
    """Each dual vector is proved in fractions: 1 on the set, at most 1/2 off it."""
    from math import comb

    from protocols.constructions import sparse_averaging_unit

    duals = sparse_averaging_unit(length, q).duals
    norms = [duals.of(subset).norm for subset in _subsets(length, q)]
    return Finding(measured=max(norms), checked=len(norms), of=comb(length, q))


def _match2(length: int, modulus: int) -> Finding:
    from ccsim.problems import match2
    from protocols.constructions import match2_unit

    model = match2_unit(length, modulus)
    return _sized(model, match2(length, modulus))


def _match2_precision(length: int, modulus: int) -> Finding:
    """Bits for which the margins are proved for all words, in integers."""
    from protocols.constructions import match2_unit

    return Finding(measured=match2_unit(length, modulus).precision.bits)


def _bigram(length: int, modulus: int) -> Finding:
    from ccsim.problems import match3_bigram
    from protocols.constructions import match3_bigram_transformer

    return _sized(match3_bigram_transformer(length, modulus), match3_bigram(length, modulus))


def _local(length: int, modulus: int, window: int) -> Finding:
    from ccsim.problems import match3_local
    from protocols.constructions import match3_local_unit, size_of

    model = match3_local_unit(length, modulus, window)
    return built(model, match3_local(length, modulus, window), size_of(model).width)


def _tensor(length: int, modulus: int) -> Finding:
    from ccsim.problems import match3
    from protocols.constructions import match3_tensor

    return _sized(match3_tensor(length, modulus), match3(length, modulus))


def _assisted(length: int, modulus: int) -> Finding:
    from protocols.constructions import assisted_match3, assisted_match3_transformer

    return _sized(assisted_match3_transformer(length, modulus), assisted_match3(length, modulus))


def _sized(model: Any, task: Any) -> Finding:
    """The width of what its layers call queries and keys."""
    width = max(layer.attention.query.weights.shape[1] for layer in model.layers)
    return built(model, task, width, facts={"layers": len(model.layers), "precision": model.precision.bits})


def _claim(
    name: str,
    source: str,
    statement: str,
    formula: str,
    measure: Callable[..., Finding],
    parameters: tuple[Parameter, ...],
    sizes: tuple[Setting, ...],
    **more: Any,
) -> Claim:
    return Claim(
        name=f"{PAPER.name}-{name}",
        paper=PAPER,
        source=f"{PAPER.citation}, {source}",
        statement=statement,
        formula=formula,
        measure=measure,
        parameters=parameters,
        sizes=sizes,
        **{
            "direction": Direction.CONSTRUCTION,
            "unit": "",
            "tags": (*({"match2"} if "match2" in name else {"match3"}), "attention", "construction"),
            **more,
        },
    )


AVERAGED = (Parameter("length", "N", 8, "rows", low=2), Parameter("q", "q", 2, "size of a set"))
AVERAGES: dict[str, Any] = {"tags": ("q-sparse-averaging", "attention", "construction")}
SETS: tuple[Setting, ...] = ({"length": 8}, {"length": 16, "q": 3}, {"length": 32})
WORD = (Parameter("length", "N", 4, "numbers in the word"), Parameter("modulus", "M", 7, "the modulus", low=2))
LARGER: tuple[Setting, ...] = ({"length": 3, "modulus": 11}, {"length": 4, "modulus": 7}, {"length": 5, "modulus": 5})

CLAIMS: tuple[Claim, ...] = (
    _claim(
        "sparse-averaging-construction",
        "upper bound for q-sparse averaging",
        "One attention unit of width O(d' + q log N) averages over any q rows.",
        "c*(1 + q*log(N, 2))",
        _averaging("width"),
        AVERAGED,
        SETS,
        hypotheses=("d' = 1", "error at most 1/(2q)"),
        **AVERAGES,
    ),
    _claim(
        "sparse-averaging-precision",
        "upper bound for q-sparse averaging",
        "Numbers of O(log((q/eps) log N)) bits are enough for it.",
        "c*log(2*q**2*log(N, 2), 2)",
        _averaging("precision"),
        AVERAGED,
        SETS,
        hypotheses=("d' = 1", "error at most 1/(2q)"),
        **{**AVERAGES, "unit": "bits"},
    ),
    _claim(
        "sparse-averaging-dual-vectors",
        "upper bound for q-sparse averaging, after Candes and Tao 2005",
        "The dual vector of a set of q keys is at most 2 sqrt(q) long: its square is at most 4q.",
        "4*q",
        _dual_vectors,
        AVERAGED,
        SETS,
        **{**AVERAGES, "direction": Direction.UPPER},
    ),
    _claim(
        "match2",
        "Match2",
        "One attention unit whose queries and keys have width 3 computes Match2.",
        "3",
        _match2,
        WORD,
        LARGER,
    ),
    _claim(
        "match2-precision",
        "Match2",
        "Numbers of O(log M) bits are enough for it.",
        "c*log(M, 2)",
        _match2_precision,
        WORD,
        ({"modulus": 7}, {"modulus": 16}, {"modulus": 32}),
        unit="bits",
    ),
    _claim(
        "match3-bigram",
        "Match3Bigram",
        "Two layers whose queries and keys have width 3 compute Match3 for neighbours.",
        "3",
        _bigram,
        WORD,
        LARGER,
    ),
    _claim(
        "match3-local",
        "Match3Local",
        "One layer of width O(K log N) computes Match3 for positions at most K away.",
        "c*K*log(N, 2)",
        _local,
        (*WORD, Parameter("window", "K", 1, "how far away", low=1)),
        ({"length": 5, "modulus": 5}, {"length": 5, "modulus": 5, "window": 2}),
    ),
    _claim(
        "match3-third-order",
        "third-order tensor attention",
        "One unit of third-order attention of constant width computes Match3.",
        "c",
        _tensor,
        WORD,
        LARGER,
    ),
    _claim(
        "match3-assisted",
        "assisted Match3",
        "Two layers of constant width compute Match3 if each symbol comes with the position of a partner.",
        "c",
        _assisted,
        WORD,
        ({"length": 3, "modulus": 5}, {"length": 3, "modulus": 7}),
        hypotheses=("our reading of the assistance, on which the source is silent",),
    ),
)
