"""What attention, recurrent and feed-forward networks must have: reductions, and the protocols that they are."""

from __future__ import annotations

from ccsim.claims import Claim, Direction, Finding, Parameter
from protocols.papers.sanford2023.paper import PAPER

__all__ = ["CLAIMS"]

SEEDS = 8


def _disjointness(length: int) -> Finding:
    from ccsim.bounds import deterministic
    from protocols.papers.measuring import reduced
    from protocols.reductions.task_reductions import intersection_to_sparse_averaging

    reduction = intersection_to_sparse_averaging(length)
    return reduced(reduction, deterministic(reduction.source))


def _query(length: int, keys: int, precision: int) -> Finding:
    """The unit that averages q rows, built weight by weight: right on every pair of sets."""
    import numpy as np

    from ccsim.problems import intersection
    from protocols.constructions.sparse_averaging import sparse_averaging_unit
    from protocols.reductions.attention_query import attention_query, attention_query_costs

    average = sparse_averaging_unit(2 * length + 1, length, dimension=keys, precision=precision)
    protocol = attention_query(average.unit, length, row=average.row)
    costs = attention_query_costs(average.unit, length, average.row)
    found = Finding.of_exploration(protocol.explore(), facts=costs)
    if not np.array_equal(protocol.function.codes, intersection(length).codes):
        return found.but(violations=(*found.violations, "the unit does not tell whether the sets meet"))
    return found


def _unit_width(length: int, precision: int) -> Finding:
    """The least width of keys whose protocol, of (k + 2) p + 1 bits, says as many as two sets of q take."""
    return Finding(measured=max(1, -(-length // precision) - 2), exact=False, facts={"bits that it takes": length + 1})


def _recurrent(length: int) -> Finding:
    from protocols.papers.measuring import one_way_bits, reduced
    from protocols.reductions.task_reductions import index_to_sparse_averaging

    reduction = index_to_sparse_averaging(length - 1)
    return reduced(reduction, one_way_bits(reduction.source))


def _feedforward(length: int, q: int, seed: int) -> Finding:
    """A pair of inputs that no network of one unit less can tell apart, for several networks."""
    from ccsim.models import FeedForward
    from protocols.reductions.feedforward_kernel import feedforward_kernel

    wrong = []
    for each in range(seed, seed + SEEDS):
        network = FeedForward.random(inputs=length, width=length - 1, seed=each)
        collision = feedforward_kernel(network, length=length, q=q)
        if not (collision.verify() and collision.is_too_much):
            wrong.append(f"seed {each}: no collision")
    return Finding(measured=length, exact=False, checked=SEEDS, violations=tuple(wrong))


def _kernel(length: int, q: int) -> Finding:
    """For every direction with small whole entries, a network of N - 1 units whose only kernel it is, and a pair."""
    from itertools import product

    from ccsim.models import FeedForward
    from protocols.reductions.feedforward_kernel import feedforward_kernel

    wrong, count = [], 0
    for vector in product(range(-1, 3), repeat=length):
        place = next((place for place, entry in enumerate(vector) if entry), None)
        if place is None:
            continue
        rows = [[0] * length for _ in range(length - 1)]
        for row, other in zip(rows, (each for each in range(length) if each != place), strict=True):
            row[other], row[place] = vector[place], -vector[other]
        collision, count = feedforward_kernel(FeedForward.of(rows), length=length, q=q), count + 1
        if not (collision.verify() and collision.is_too_much):
            wrong.append(f"no pair in the kernel {vector}")
    return Finding(measured=1, checked=count, of=count, violations=tuple(wrong[:3]), note="entries from -1 to 2")


def _match3(length: int, encoding: str) -> Finding:
    from ccsim.bounds import deterministic
    from protocols.papers.measuring import reduced
    from protocols.reductions.task_reductions import intersection_to_match3

    reduction = intersection_to_match3((length - 1) // 2, encoding)
    return reduced(reduction, deterministic(reduction.source))


def _layer_width(length: int, precision: int, heads: int) -> Finding:
    """The least width of a head whose layer, by the count of the compact protocol, says as many bits as it takes."""
    from ccsim.bounds import softmax_bits

    needed, width = (length - 1) // 2 + 1, 1
    sizes = {"heads": heads, "precision": precision, "length": length, "symbols": length + 1}
    while softmax_bits(head_width=width, **sizes) < needed:
        width += 1
    return Finding(measured=width, exact=False, facts={"bits that it takes": needed})


def _open() -> Finding:
    return Finding(exact=False, note="no execution at a size can settle it")


SETS = Parameter("length", "q", 2, "size of a set: what a row averages")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        name="sanford2023-sparse-averaging-from-below",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for q-sparse averaging",
        statement="Whoever computes q-sparse averages to within 1/(2q) decides whether two sets of q meet: q bits.",
        direction=Direction.LOWER,
        formula="q",
        ours="q + 1",
        hypotheses=("d' = 1", "N of at least 2q + 1 rows"),
        parameters=(SETS,),
        sizes=({"length": 2}, {"length": 3}),
        measure=_disjointness,
        tags=("q-sparse-averaging", "intersection"),
    ),
    Claim(
        name="sanford2023-sparse-averaging-message",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for q-sparse averaging, as in the slides",
        statement="An attention unit is a protocol for it in which Alice sends only the query of her row: kp bits.",
        direction=Direction.UPPER,
        formula="k*p",
        ours="(k + 2)*p + 1",
        hypotheses=("both parties learn the answer",),
        parameters=(
            SETS,
            Parameter("keys", "k", 18, "width of keys"),
            Parameter("precision", "p", 16, "bits of a number", low=8),
        ),
        sizes=({}, {"length": 3, "keys": 27}),
        measure=_query,
        tags=("q-sparse-averaging", "attention"),
    ),
    Claim(
        name="sanford2023-sparse-averaging-width",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for q-sparse averaging",
        statement="An attention unit that computes q-sparse averages to within 1/(2q) has width Omega(q/p).",
        direction=Direction.LOWER,
        formula="c*q/p",
        unit="",
        hypotheses=("measured: by the bits of our protocol for a unit, (k + 2)p + 1",),
        parameters=(
            Parameter("length", "q", 1024, "size of a set: what a row averages"),
            Parameter("precision", "p", 16, "bits of a number"),
        ),
        sizes=({"length": 1024}, {"length": 65536}),
        measure=_unit_width,
        tags=("q-sparse-averaging", "attention"),
    ),
    Claim(
        name="sanford2023-sparse-averaging-recurrent",
        paper=PAPER,
        source=f"{PAPER.citation}, recurrent networks and q-sparse averaging",
        statement="A recurrent model for 1-sparse averaging of N rows has (N - 1)/2 bits of state or more.",
        direction=Direction.LOWER,
        formula="(N - 1)/2",
        ours="N - 1",
        hypotheses=("q = 1", "d' = 1"),
        parameters=(Parameter("length", "N", 5, "rows", low=2),),
        sizes=({"length": 4}, {"length": 6}),
        measure=_recurrent,
        tags=("q-sparse-averaging", "recurrent"),
    ),
    Claim(
        name="sanford2023-sparse-averaging-feedforward",
        paper=PAPER,
        source=f"{PAPER.citation}, feed-forward networks and q-sparse averaging",
        statement="A feed-forward network for q-sparse averaging has a first layer of width N d'/2 or more.",
        direction=Direction.LOWER,
        formula="N/2",
        unit="units",
        hypotheses=("d' = 1", "error at most 1/(2q)"),
        parameters=(
            Parameter("length", "N", 8, "rows", low=4),
            Parameter("q", "q", 2, "size of a set"),
            Parameter("seed", "seed", 0, "of the first network", low=0),
        ),
        sizes=({"length": 8}, {"length": 16, "q": 4}),
        measure=_feedforward,
        tags=("q-sparse-averaging", "feedforward"),
    ),
    Claim(
        name="sanford2023-sparse-averaging-feedforward-kernel",
        paper=PAPER,
        source=f"{PAPER.citation}, feed-forward networks and q-sparse averaging",
        statement="A kernel of more than N/2 dimensions holds two inputs whose averages differ too much.",
        direction=Direction.UPPER,
        formula="floor(N/2) + 1",
        ours="1",
        unit="dimensions",
        hypotheses=("d' = 1", "N of at least 2q", "ours: any kernel does, so every width below N fails"),
        parameters=(Parameter("length", "N", 4, "rows", low=2), Parameter("q", "q", 2, "size of a set")),
        sizes=({"length": 4}, {"length": 5}),
        measure=_kernel,
        tags=("q-sparse-averaging", "feedforward"),
    ),
    Claim(
        name="sanford2023-match3",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for Match3",
        statement="Match3 at one row of N numbers tells whether two sets of (N - 1)/2 meet: it costs as many bits.",
        direction=Direction.LOWER,
        formula="(N - 1)/2",
        ours="(N - 1)/2 + 1",
        parameters=(
            Parameter("length", "N", 5, "numbers in the word", low=5, step=2),
            Parameter("encoding", "encoding", "wide", "how sets become numbers", choices=("wide", "tight")),
        ),
        sizes=({"encoding": "wide"}, {"encoding": "tight"}, {"length": 9, "encoding": "wide"}),
        measure=_match3,
        tags=("match3", "intersection"),
    ),
    Claim(
        name="sanford2023-match3-width",
        paper=PAPER,
        source=f"{PAPER.citation}, lower bound for Match3",
        statement="One layer of H heads that computes Match3 has width Omega(N/(p H log log N)).",
        direction=Direction.LOWER,
        formula="c*N/(p*H*log(log(N, 2), 2))",
        unit="",
        hypotheses=(
            "the constant, and the step that gives log log N, are not in the source that was read",
            "measured: by the bits of our protocol for a layer",
        ),
        parameters=(
            Parameter("length", "N", 4097, "numbers in the word, below N + 1", low=5, step=2),
            Parameter("precision", "p", 16, "bits of a number", low=3),
            Parameter("heads", "H", 1, "attention heads"),
        ),
        sizes=({"length": 4097}, {"length": 65537}),
        measure=_layer_width,
        tags=("match3", "transformer"),
    ),
    Claim(
        name="sanford2023-conjecture",
        paper=PAPER,
        source=f"{PAPER.citation}, conjecture",
        statement="Match3 by D layers needs mHD = Omega(N/log N).",
        direction=Direction.OPEN,
        formula="c*N/log(N, 2)",
        unit="",
        parameters=(Parameter("length", "N", 1024, "numbers in the word", low=3),),
        measure=lambda length: _open(),
        tags=("match3", "transformer"),
    ),
)
