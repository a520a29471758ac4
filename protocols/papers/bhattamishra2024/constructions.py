"""What transformers and recurrent models can do: models built weight by weight, and run (sections 4, 5, C, G, H)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ccsim.claims import Claim, Direction, Finding, Parameter
from protocols.papers.bhattamishra2024.paper import claim
from protocols.papers.measuring import built, drawn_recall, drawn_words

if TYPE_CHECKING:
    from ccsim.models import SequenceModel
    from ccsim.problems import SequenceTask

__all__ = ["CLAIMS"]

QUANTITY = Parameter("quantity", "quantity", "width", "what is counted", choices=("width", "precision"))
GROWTH = "c*log(N, 2)"


def _sized(model: SequenceModel, task: SequenceTask, quantity: str, **facts: Any) -> Finding:
    """The size of a model that was built, right on every word or on as many as can be tried."""
    from protocols.constructions import size_of

    size = size_of(model)
    facts |= {"width": size.width, "precision": size.precision, "heads": size.heads, "layers": size.layers}
    facts["representation in bits"] = size.representation_bits
    draw = drawn_recall if task.name.startswith("associative_recall") else drawn_words
    return built(model, task, size.width if quantity == "width" else size.precision, draw, facts=facts)


def _index_lookup(length: int, quantity: str) -> Finding:
    from ccsim.problems import index_lookup
    from protocols.constructions import index_lookup_transformer

    return _sized(index_lookup_transformer(length), index_lookup(length), quantity)


def _weight(length: int) -> Finding:
    """What the printed strength leaves to the position that is looked for, in numbers of 12 bits after the point."""
    from ccsim.arithmetic import Precision
    from protocols.constructions import printed_index_strength, smallest_sign_vectors
    from protocols.constructions.addressing import weight_of_target

    precision, addresses = Precision.fixed_point(6, 12), smallest_sign_vectors(length, Fraction(1, 4))
    strength = int(printed_index_strength(length, 12) * precision.scale)
    weight = weight_of_target(precision, addresses, strength, others=length)
    return Finding(measured=Fraction(weight, precision.scale), exact=False)


def _equality(length: int, quantity: str) -> Finding:
    from ccsim.problems import equality_of_halves
    from protocols.constructions import equality_transformer

    return _sized(equality_transformer(length), equality_of_halves(length), quantity)


def _scaling(formula: str, satisfied: str) -> Callable[[int, int], Finding]:
    """What the printed eta is to be at least; whether it is, is decided by powers of integers as well."""

    def measure(length: int, exponent: int) -> Finding:
        from ccsim.claims.values import compare, evaluate
        from protocols.constructions import equality_scaling

        symbols = {"N": length, "K": exponent}
        needed, scaling = evaluate(formula, symbols), equality_scaling(length, exponent)
        enough = compare(needed, evaluate(PRINTED_SCALING, symbols)) <= 0
        wrong = () if enough == getattr(scaling, satisfied) else ("logarithms and integers disagree",)
        return Finding(measured=needed, violations=wrong, facts={"printed eta": scaling.printed})

    return measure


def _retrieval(length: int, task: str, quantity: str) -> Finding:
    from ccsim import problems
    from protocols import constructions

    pairs = length // 2
    if task == "nearest-neighbour":
        compass = [(1, 0), (0, 1), (-1, 0), (0, -1)]
        model: Any = constructions.nearest_neighbour_transformer(pairs, compass)
        return _sized(model, problems.nearest_neighbour(pairs, compass), quantity)
    if task == "associative-recall":
        model = constructions.associative_recall_transformer(pairs)
        return _sized(model, problems.associative_recall(pairs), quantity)
    model = constructions.multi_query_recall_transformer(pairs)
    return _sized(model, problems.multi_query_associative_recall(pairs), quantity)


def _printed_constants(length: int, inverse: int, constants: str) -> Finding:
    from protocols.constructions import printed_recall_constants

    rows = printed_recall_constants(Fraction(1, inverse), length)
    row = next(row for row in rows if row["constants"].startswith(constants))
    held = sum(row[line] for line in ("points", "self", "labels"))
    wrong = () if row["inequalities"] else ("the nearest point is not 4/5 of the margin ahead",)
    return Finding(measured=held, achieved=held, exact=False, violations=wrong, facts=row)


def _recall_addresses(length: int) -> Finding:
    """The addresses of the model for the nearest of four directions, whose margin is 1."""
    from protocols.constructions import nearest_neighbour_transformer, size_of, smallest_sign_vectors

    pairs = length // 2
    addresses = smallest_sign_vectors(length + 1, Fraction(2, 9), two_sided=True)
    model = nearest_neighbour_transformer(pairs, [(1, 0), (0, 1), (-1, 0), (0, -1)], addresses=addresses)
    return Finding(measured=addresses.dimension, facts={"width": size_of(model).width})


def _thresholds(length: int, function: str, quantity: str) -> Finding:
    from protocols.constructions import NormalForm, SparseThreshold, threshold_transformer

    chosen: dict[str, Callable[[], Any]] = {
        "majority": lambda: SparseThreshold.majority(length),
        "intersection": lambda: SparseThreshold.halves(length, lambda a, b: a and b, "any"),
        "equality": lambda: SparseThreshold.halves(length, lambda a, b: a == b, "all"),
        "formula": lambda: NormalForm.parse(
            " & ".join(f"(x{place} | !x{place + 1})" for place in range(1, length))
        ).threshold(),
    }
    threshold = chosen[function]()
    return _sized(threshold_transformer(threshold), threshold.task(), quantity, k=threshold.sparsity)


def _uniform(task: str) -> Callable[[int], Finding]:
    def measure(length: int) -> Finding:
        from ccsim import problems
        from protocols import constructions

        model = getattr(constructions, f"{task.split('_')[0]}_by_uniform_attention")(length)
        return built(model, getattr(problems, task)(length), model.width, facts={"precision": model.precision.bits})

    return measure


LOOKED_AT = "built with verified inequalities, run on every word or on words drawn at random"
PRINTED_SCALING = "log(N) + K*log(2*N)"
DERIVED_SCALING = "2*log((N - 1)*(2*N**K - 1))"
ZERO_SCALING = "2*K*log(N)"
EXPONENT = Parameter("exponent", "K", 2, "K: numbers have steps of N^-K")
FUNCTIONS = ("majority", "intersection", "equality", "formula")
TASKS = ("nearest-neighbour", "associative-recall", "multi-query-associative-recall")
SCALINGS: tuple[dict[str, int], ...] = ({"exponent": 1}, {"exponent": 2}, {"length": 1024})

CLAIMS: tuple[Claim, ...] = (
    claim(
        "Theorem 1",
        "One layer of width and precision O(log N) looks symbols up by their position.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(QUANTITY,),
        lengths=(8,),
        low=2,
        sizes=({"length": 8}, {"length": 8, "quantity": "precision"}, {"length": 128}),
        measure=_index_lookup,
        tags=("transformer", "index-lookup", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
    claim(
        "Theorem 1: weight",
        "With eta above 2 ln 3N the position that is asked for gets more than 3/4 of the weight.",
        Direction.LOWER,
        formula="Rational(3, 4)",
        unit="",
        lengths=(64, 1024),
        low=2,
        measure=_weight,
        tags=("transformer", "index-lookup"),
        hypotheses=("addresses with products of at most 1/4", "12 bits after the point"),
    ),
    claim(
        "Theorem 5: linear width",
        "That is what it takes, up to a logarithm: one layer of width 2N recognises Dyck-(2,2).",
        Direction.CONSTRUCTION,
        formula="2*N",
        unit="",
        lengths=(4, 6, 8),
        low=2,
        step=2,
        measure=_uniform("dyck"),
        tags=("transformer", "dyck", "construction"),
        hypotheses=("uniform attention, layers of relu units; built here",),
    ),
    claim(
        "Theorem 6",
        "Two layers of width and precision O(log N) decide whether two halves are equal.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(QUANTITY,),
        lengths=(8,),
        low=2,
        step=2,
        sizes=({"length": 10}, {"length": 10, "quantity": "precision"}, {"length": 256}),
        measure=_equality,
        tags=("transformer", "two-layers", "equality-of-halves", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
    claim(
        "Theorem 6: printed scaling",
        "eta = ln N + K ln 2N satisfies the inequality that it is taken from, eta >= 2 ln((N - 1)(2 N^K - 1)).",
        Direction.UPPER,
        formula=PRINTED_SCALING,
        ours=DERIVED_SCALING,
        unit="",
        more=(EXPONENT,),
        lengths=(64,),
        low=3,
        sizes=SCALINGS,
        measure=_scaling(DERIVED_SCALING, "printed_satisfies_its_inequality"),
        tags=("transformer", "two-layers", "equality-of-halves"),
    ),
    claim(
        "Theorem 6: weight one",
        "With it all other weights round down to 0, which takes an eta above 2 K ln N.",
        Direction.UPPER,
        formula=PRINTED_SCALING,
        ours=ZERO_SCALING,
        unit="",
        more=(EXPONENT,),
        lengths=(64,),
        low=3,
        sizes=SCALINGS,
        measure=_scaling(ZERO_SCALING, "printed_makes_others_zero"),
        tags=("transformer", "two-layers", "equality-of-halves"),
    ),
    claim(
        "Theorem 7",
        "Two layers of width and precision O(log N) retrieve labels: by nearest neighbours, by keys, by many keys.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(Parameter("task", "task", TASKS[0], "what is retrieved", choices=TASKS), QUANTITY),
        lengths=(6,),
        low=2,
        step=2,
        meaning="points and labels",
        sizes=(
            *({"task": task} for task in TASKS),
            *({"task": task, "quantity": "precision"} for task in TASKS),
            {"length": 128, "task": "associative-recall"},
        ),
        measure=_retrieval,
        tags=("transformer", "two-layers", *TASKS, "construction"),
        hypotheses=("the margin is a constant", LOOKED_AT),
    ),
    claim(
        "Theorem 7: printed constants",
        "The printed third entries give all three bounds on logits that the text reads off them.",
        Direction.LOWER,
        formula="3",
        unit="bounds",
        more=(
            Parameter("inverse", "r", 9, "1/g, for the margin g", low=1),
            Parameter(
                "constants", "constants", "products", "where they are", choices=("embedding", "keys", "products")
            ),
        ),
        lengths=(512,),
        sizes=tuple({"constants": where} for where in ("embedding", "keys", "products")),
        measure=_printed_constants,
        tags=("transformer", "two-layers", "nearest-neighbour"),
    ),
    claim(
        "Theorem 7: addresses",
        "Addresses within g/100 of orthogonal, by Lemma 2, let the query find the nearest point (margin g = 1).",
        Direction.UPPER,
        formula="floor(80000*log(2*N)) + 1",
        ours="floor(Rational(81, 2)*log(N*(N + 1))) + 1",
        ours_exact=False,
        unit="signs",
        lengths=(16, 128),
        low=2,
        step=2,
        meaning="points and labels",
        measure=_recall_addresses,
        tags=("transformer", "two-layers", "nearest-neighbour", "vectors"),
        hypotheses=("ours: products within 2/9 are enough for the inequalities, and Hoeffding 1963",),
    ),
    claim(
        "Theorem 12: linear width",
        "That is what it takes, up to a logarithm: one layer of width 2N decides whether two halves are equal.",
        Direction.CONSTRUCTION,
        formula="2*N",
        unit="",
        lengths=(6, 10),
        low=2,
        step=2,
        measure=_uniform("equality_of_halves"),
        tags=("transformer", "equality-of-halves", "construction"),
        hypotheses=("uniform attention; built here",),
    ),
    claim(
        "Theorem 13",
        "Two layers of width and precision O(log N) compute thresholds of features of k bits, for constant k.",
        Direction.CONSTRUCTION,
        formula=GROWTH,
        unit="",
        more=(Parameter("function", "function", "majority", "which one", choices=FUNCTIONS), QUANTITY),
        lengths=(8,),
        low=4,
        step=2,
        sizes=(*({"function": each} for each in FUNCTIONS), {"quantity": "precision"}, {"length": 128}),
        measure=_thresholds,
        tags=("transformer", "two-layers", "thresholds", "construction"),
        hypotheses=(LOOKED_AT,),
    ),
)
