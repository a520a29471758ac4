"""What transformers and recurrent models can do: models built weight by weight, and run (sections 3, 5, C, F, G)."""

from __future__ import annotations

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.construction_steps import STEPS
from protocols.papers.bhattamishra2024.findings import constructions as findings
from protocols.papers.bhattamishra2024.findings import representation, retrieval
from protocols.papers.bhattamishra2024.paper import claim
from protocols.papers.checks import near

__all__ = ["CLAIMS"]

QUANTITY = Parameter("quantity", "quantity", "width", "what is counted", choices=("width", "precision"))

LOOKED_AT = (
    "every word up to 2^14 of them, beyond these words drawn at random and neighbours with different answers",
    "sizes, strengths and signs worked out a second time; outputs on all words of the first length as well",
)

FUNCTIONS = ("majority", "intersection", "equality", "formula", "drawn")

TASKS = ("nearest-neighbour", "associative-recall", "multi-query-associative-recall")

TASK = Parameter("task", "task", TASKS[0], "what is retrieved", choices=TASKS)

FUNCTION = Parameter("function", "function", FUNCTIONS[0], "which one", choices=FUNCTIONS)

PROOF = "docs/proofs/nearly_orthogonal.md"

NUMBERS = Constant("4", f"steps of 1/(N+1) or less, numbers up to twice ln(2N) ({PROOF})")

HALF = "8 ln(N(N-1)/2) + 1 signs are enough for products within a half (Hoeffding)"

STATEMENTS: tuple[Claim, ...] = (
    claim(
        "Theorem 1",
        "For every N there is a transformer with one layer, of width O(log N), that looks symbols up by position.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=Constant("24", f"2k + 1 numbers for k signs, and {HALF} ({PROOF})"),
        ours="2*(floor(8*log(N*(N - 1)/2)) + 1) + 1",
        ours_exact=False,
        unit="numbers",
        lengths=(512,),
        low=8,
        measure=lambda length: findings.index_lookup(length, "width"),
        tags=("transformer", "index-lookup", "construction"),
        hypotheses=(*LOOKED_AT, "an alphabet of two symbols; shorter words up to N = 9, with the same weights"),
    ),
    claim(
        "Theorem 1: precision",
        "Its precision is O(log N) as well.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=NUMBERS,
        lengths=(512,),
        low=8,
        measure=lambda length: findings.index_lookup(length, "precision"),
        tags=("transformer", "index-lookup", "construction"),
        hypotheses=LOOKED_AT,
    ),
    claim(
        "Theorem 6",
        "For every N there is a transformer with two layers and two heads, of width O(log N), that decides whether the "
        "halves of a word are equal.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=Constant("26", f"2k + 5 numbers for k signs, and {HALF} ({PROOF})"),
        ours="2*(floor(8*log(N*(N - 1)/2)) + 1) + 5",
        ours_exact=False,
        unit="numbers",
        lengths=(512,),
        low=8,
        step=2,
        measure=lambda length: findings.equality(length, "width"),
        tags=("transformer", "two-layers", "equality-of-halves", "construction"),
        hypotheses=LOOKED_AT,
    ),
    claim(
        "Theorem 6: precision",
        "Its precision is O(log N) as well.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=NUMBERS,
        lengths=(512,),
        low=8,
        step=2,
        measure=lambda length: findings.equality(length, "precision"),
        tags=("transformer", "two-layers", "equality-of-halves", "construction"),
        hypotheses=LOOKED_AT,
    ),
    claim(
        "Theorem 6: representation",
        "All its weights together are O((log N)^3) bits (section 5.1), if addresses are made when they are needed.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)**3",
        constant=Constant("4500", f"4mk + 17m + 4 numbers for width m and k signs ({PROOF})"),
        lengths=(1024,),
        low=16,
        step=2,
        measure=representation.equality,
        tags=("transformer", "two-layers", "equality-of-halves", "construction"),
        hypotheses=("the rule that makes addresses is a hash with a seed of 64 bits",),
    ),
    claim(
        "Theorem 7",
        "For every N there is a transformer with two layers, of width O(log N), that answers with the label of the "
        "nearest of N points, if it is nearer than others by a margin of N^-c; and so it recalls the value of a key.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=Constant("70", f"a code of e signs and three addresses of s: e + 3s + 2 numbers ({PROOF})"),
        unit="numbers",
        more=(TASK,),
        lengths=(384,),
        low=12,
        step=2,
        meaning="points and labels before the query",
        sizes=tuple({"task": task} for task in TASKS),
        measure=lambda length, task: retrieval.retrieval(length, task, "width"),
        tags=("transformer", "two-layers", *TASKS, "construction"),
        hypotheses=(
            *LOOKED_AT,
            "nearest-neighbour: whole points of a sphere, margin at least 1/N; labels copy their points, unlike in G.2",
            "recall: keys are signs with products within a half; the query fetches the address of the label, as in G.2",
            "one head, where the theorem allows two",
        ),
    ),
    claim(
        "Theorem 7: precision",
        "Its precision is O(log N) as well.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=Constant("5", f"numbers up to R^2 ln(2N + 2) for a margin of 1/R, R up to N ({PROOF})"),
        more=(TASK,),
        lengths=(384,),
        low=12,
        step=2,
        meaning="points and labels before the query",
        sizes=tuple({"task": task} for task in TASKS[:2]),
        measure=lambda length, task: retrieval.retrieval(length, task, "precision"),
        tags=("transformer", "two-layers", *TASKS, "construction"),
        hypotheses=LOOKED_AT,
    ),
    claim(
        "Theorem 7: representation",
        "All its weights together are O((log N)^3) bits (section 5.2), if addresses and keys are made when needed.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)**3",
        constant=Constant("20000", f"m(2e + 6s + 8) + 2 numbers for width m = e + 3s + 2 ({PROOF})"),
        lengths=(512,),
        low=16,
        step=2,
        meaning="keys and values before the query",
        measure=representation.recall,
        tags=("transformer", "two-layers", "associative-recall", "construction"),
        hypotheses=("the rules that make addresses and keys are hashes with seeds of 64 bits",),
    ),
    claim(
        "Theorem 13",
        "For every threshold of at most N features of k bits there is a transformer with two layers and k heads, of "
        "width O(log N), that computes it, for constant k.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=Constant("50", f"(k + 1) r + 2^k + k + 3 numbers for r signs and k up to 3 ({PROOF})"),
        unit="numbers",
        more=(FUNCTION,),
        lengths=(256,),
        low=8,
        step=2,
        sizes=tuple({"function": each} for each in FUNCTIONS),
        measure=lambda length, function: findings.thresholds(length, function, "width"),
        tags=("transformer", "two-layers", "thresholds", "construction"),
        hypotheses=(*LOOKED_AT, "k is 1 for majority, 3 for features that are drawn at random, else 2"),
    ),
    claim(
        "Theorem 13: precision",
        "Its precision is O(log N) as well.",
        Direction.CONSTRUCTION,
        formula="c*log(N, 2)",
        constant=NUMBERS,
        more=(FUNCTION,),
        lengths=(256,),
        low=8,
        step=2,
        sizes=({"function": "drawn"},),
        measure=lambda length, function: findings.thresholds(length, function, "precision"),
        tags=("transformer", "two-layers", "thresholds", "construction"),
        hypotheses=LOOKED_AT,
    ),
)

CLAIMS: tuple[Claim, ...] = (*map(near, STATEMENTS), *STEPS)
