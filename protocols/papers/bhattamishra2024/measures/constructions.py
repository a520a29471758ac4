"""What is measured about the constructions: are they right, and how large are they."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ccsim.claims import Finding
from protocols.papers.measuring import built, drawn_recall, drawn_words

if TYPE_CHECKING:
    from ccsim.models import SequenceModel
    from ccsim.problems import SequenceTask

__all__ = [
    "PRINTED_SCALING",
    "equality",
    "index_lookup",
    "printed_constants",
    "recall_addresses",
    "retrieval",
    "scaling",
    "thresholds",
    "uniform",
    "weight",
]

PRINTED_SCALING = "log(N) + K*log(2*N)"


def _sized(model: SequenceModel, task: SequenceTask, quantity: str, **facts: Any) -> Finding:
    """The size of a model that was built, right on every word or on as many as can be tried."""
    from protocols.constructions import size_of

    size = size_of(model)
    facts |= {"width": size.width, "precision": size.precision, "heads": size.heads, "layers": size.layers}
    facts["representation in bits"] = size.representation_bits
    draw = drawn_recall if task.name.startswith("associative_recall") else drawn_words
    return built(model, task, size.width if quantity == "width" else size.precision, draw, facts=facts)


def index_lookup(length: int, quantity: str) -> Finding:
    """The transformer of Theorem 1 on index lookup: its width or precision, and whether it is right."""
    from ccsim.problems import index_lookup
    from protocols.constructions import index_lookup_transformer

    return _sized(index_lookup_transformer(length), index_lookup(length), quantity)


def weight(length: int) -> Finding:
    """What the printed strength leaves to the position that is looked for, in numbers of 12 bits after the point."""
    from ccsim.arithmetic import Precision
    from protocols.constructions import printed_index_strength, smallest_sign_vectors
    from protocols.constructions.addressing import weight_of_target

    precision, addresses = Precision.fixed_point(6, 12), smallest_sign_vectors(length, Fraction(1, 4))
    strength = int(printed_index_strength(length, 12) * precision.scale)
    weight = weight_of_target(precision, addresses, strength, others=length)
    return Finding(measured=Fraction(weight, precision.scale), exact=False)


def equality(length: int, quantity: str) -> Finding:
    """The two layers of Theorem 6 on equality of halves: their width or precision, and whether they are right."""
    from ccsim.problems import equality_of_halves
    from protocols.constructions import equality_transformer

    return _sized(equality_transformer(length), equality_of_halves(length), quantity)


def scaling(formula: str, satisfied: str) -> Callable[[int, int], Finding]:
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


def retrieval(length: int, task: str, quantity: str) -> Finding:
    """The two layers of Theorem 7 and 8 on a retrieval task: their width or precision, and whether they are right."""
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


def printed_constants(length: int, inverse: int, constants: str) -> Finding:
    """Whether a printed set of constants satisfies the inequalities that the proof of Theorem 7 needs."""
    from protocols.constructions import printed_recall_constants

    rows = printed_recall_constants(Fraction(1, inverse), length)
    row = next(row for row in rows if row["constants"].startswith(constants))
    held = sum(row[line] for line in ("points", "self", "labels"))
    wrong = () if row["inequalities"] else ("the nearest point is not 4/5 of the margin ahead",)
    return Finding(measured=held, achieved=held, exact=False, violations=wrong, facts=row)


def recall_addresses(length: int) -> Finding:
    """The addresses of the model for the nearest of four directions, whose margin is 1."""
    from protocols.constructions import nearest_neighbour_transformer, size_of, smallest_sign_vectors

    pairs = length // 2
    addresses = smallest_sign_vectors(length + 1, Fraction(2, 9), two_sided=True)
    model = nearest_neighbour_transformer(pairs, [(1, 0), (0, 1), (-1, 0), (0, -1)], addresses=addresses)
    return Finding(measured=addresses.dimension, facts={"width": size_of(model).width})


def thresholds(length: int, function: str, quantity: str) -> Finding:
    """The two layers of Theorem 13 on a threshold of sparse features: their width or precision, and whether right."""
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


def uniform(task: str) -> Callable[[int], Finding]:
    """What measures the one layer of linear width for a task: its width, and whether it is right."""

    def measure(length: int) -> Finding:
        from ccsim import problems
        from protocols import constructions

        model = getattr(constructions, f"{task.split('_')[0]}_by_uniform_attention")(length)
        return built(model, getattr(problems, task)(length), model.width, facts={"precision": model.precision.bits})

    return measure
