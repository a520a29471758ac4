"""What transformers and recurrent models can do: models built weight by weight, and run (sections 3, 5, C, F, G)."""

from __future__ import annotations

from functools import partial
from typing import Any

from ccsim.claims import Claim, Constant, Direction, Parameter
from protocols.papers.bhattamishra2024.findings import constructions as findings
from protocols.papers.bhattamishra2024.findings import retrieval, soft_lookup, soft_recall
from protocols.papers.bhattamishra2024.paper import claim

__all__ = ["CLAIMS"]

LOOKED_AT = ("every word up to 2^14 of them, beyond these words drawn at random and neighbours with different answers",)

FUNCTIONS = ("majority", "intersection", "equality", "formula", "drawn", "weighted", "cnf", "dnf")

TASKS = ("nearest-neighbour", "associative-recall", "multi-query-associative-recall")

TASK = Parameter("task", "task", TASKS[0], "what is retrieved", choices=TASKS)

FUNCTION = Parameter("function", "function", FUNCTIONS[0], "which one", choices=FUNCTIONS)

NUMBERS = "steps of 1/(N+1) or less, numbers up to twice ln(2N)"

SIGNS = "floor(8*log(N*(N - 1)/2)) + 1"

HALF = "8 ln(N(N-1)/2) + 1 signs are enough for products within a half (Hoeffding)"

# what the claims about one theorem share
LOOKUP: dict[str, Any] = {"lengths": (512,), "low": 8, "tags": ("index-lookup",)}
EQUALITY: dict[str, Any] = {"step": 2, "tags": ("two-layers", "equality-of-halves")}
SOFT: dict[str, Any] = {"lengths": (256,), "low": 4, "tags": ("index-lookup",)}
RETRIEVAL: dict[str, Any] = {
    "lengths": (384,),
    "low": 12,
    "step": 2,
    "meaning": "points and labels before the query",
    "more": (TASK,),
    "tags": ("two-layers", *TASKS),
}
RECALL: dict[str, Any] = {**RETRIEVAL, "more": (), "tags": ("two-layers", TASKS[1])}
CODES: dict[str, Any] = {**RETRIEVAL, "more": (), "tags": ("two-layers", TASKS[2])}
COPIES = "modified: labels copy their points in the first layer, where G.2 lets the query fetch an address"
MARGINS: dict[str, Any] = {
    **RETRIEVAL,
    "more": (Parameter("power", "e", 2, "the margin is N^-e or less"),),
    "sizes": ({"power": 1}, {"power": 2}),
    "built": COPIES,
    "tags": ("two-layers", TASKS[0]),
}
THRESHOLDS: dict[str, Any] = {
    "lengths": (256,),
    "low": 8,
    "step": 2,
    "more": (FUNCTION,),
    "tags": ("two-layers", "thresholds"),
}


def built(name: str, statement: str, constant: int, why: str, *, tags: tuple[str, ...], **rest: Any) -> Claim:
    """A construction whose size grows like log N, if nothing else is said, with a constant that is proved of it."""
    declared = Constant(str(constant), f"{why} (docs/proofs/nearly_orthogonal.md)")
    families = ("transformer", *tags, "construction")
    given = {"formula": "c*log(N, 2)", "hypotheses": LOOKED_AT, **rest}
    return claim(name, statement, Direction.CONSTRUCTION, constant=declared, tags=families, **given)


def width(theorem: str, statement: str, constant: int, why: str, measure: Any, *looked_at: str, **rest: Any) -> Claim:
    """The width of a construction, with what else is looked at."""
    given = {"unit": "numbers", "measure": partial(measure, quantity="width"), **rest}
    return built(theorem, statement, constant, why, hypotheses=(*LOOKED_AT, *looked_at), **given)


def precision(theorem: str, constant: int, why: str, measure: Any, **rest: Any) -> Claim:
    """The precision of the same construction."""
    said, counted = "Its precision is O(log N) as well.", partial(measure, quantity="precision")
    name = f"{theorem}{' ' if ': ' in theorem else ': '}precision"
    return built(name, said, constant, why, measure=counted, **rest)


CLAIMS: tuple[Claim, ...] = (
    width(
        "Theorem 1",
        "For every N there is a transformer with one layer, of width O(log N), that looks symbols up by position.",
        24,
        f"2k + 1 numbers for k signs, and {HALF}",
        findings.index_lookup,
        "an alphabet of two symbols; shorter words up to N = 9, with the same weights",
        ours=f"2*({SIGNS}) + 1",
        ours_exact=False,
        **LOOKUP,
    ),
    precision("Theorem 1", 4, NUMBERS, findings.index_lookup, **LOOKUP),
    width(
        "Theorem 1: soft",
        "The same with the printed attention: a weight above 3/4, not 1, and a threshold; for all words of up to N "
        "symbols (appendix C.2).",
        89,
        "2k + 1 numbers for k signs, and 32 ln(N(N-1)/2) + 1 signs are enough for products within a quarter",
        soft_lookup.index_lookup,
        "eta is the first number above 2 ln(3N); steps so fine that the weights of others do not all vanish",
        "weights up to N = 32 looked at; all shorter words up to N = 8, some of them beyond",
        **SOFT,
    ),
    precision("Theorem 1: soft", 6, "steps of 1/(16 N^(3/2)), numbers up to 2 ln 3N", soft_lookup.index_lookup, **SOFT),
    width(
        "Theorem 6",
        "For every N there is a transformer with two layers and two heads, of width O(log N), that decides whether the "
        "halves of a word are equal.",
        26,
        f"2k + 5 numbers for k signs, and {HALF}",
        findings.equality,
        ours=f"2*({SIGNS}) + 5",
        ours_exact=False,
        lengths=(512,),
        low=8,
        **EQUALITY,
    ),
    precision("Theorem 6", 4, NUMBERS, findings.equality, lengths=(512,), low=8, **EQUALITY),
    width(
        "Theorem 6: any alphabet",
        "The construction works for sequences over any finite alphabet (section 5.1).",
        28,
        f"2k + 3d + 2 numbers for k signs and codes of d up to 3, and {HALF}",
        findings.equality,
        instances="alphabets of so many symbols",
        more=(Parameter("symbols", "S", 5, "symbols of the alphabet", low=2),),
        sizes=({"symbols": 5},),
        lengths=(256,),
        low=4,
        **EQUALITY,
    ),
    width(
        "Theorem 7",
        "For every N there is a transformer with two layers, of width O(log N), that answers with the label of the "
        "nearest of N points, if it is nearer than others by a margin of N^-c; and so it recalls the value of a key.",
        70,
        "a code of e signs and three addresses of s: e + 3s + 2 numbers",
        retrieval.retrieval,
        "nearest-neighbour: whole points of a sphere, margin at least 1/N; labels copy their points, unlike in G.2",
        "recall: keys are signs with products within a half; the query fetches the address of the label, as in G.2",
        "one head, where the theorem allows two",
        instances="one family of points or keys",
        sizes=tuple({"task": task} for task in TASKS),
        **RETRIEVAL,
    ),
    precision(
        "Theorem 7",
        5,
        "numbers up to R^2 ln(2N + 2) for a margin of 1/R, R up to N",
        retrieval.retrieval,
        sizes=tuple({"task": task} for task in TASKS[:2]),
        **RETRIEVAL,
    ),
    width(
        "Theorem 7: margins",
        "The width is O(log N) for every margin g >= N^-c, whatever the constant c (section 5.2).",
        23,
        "2s + 8 numbers for points in space and addresses of s signs, and 8 ln(N(N+1)/2) + 1 signs are enough",
        retrieval.margins,
        "margins of N^-1 and N^-2; labels copy their points: the printed route needs 2N signs or more there, see "
        "docs/errata.md",
        instances="one family of points",
        **MARGINS,
    ),
    precision(
        "Theorem 7: margins",
        2,
        "numbers up to R^2 ln(2N + 2) for a margin of 1/R, R about N^e",
        retrieval.margins,
        formula="c*(2*e + 1)*log(N, 2)",
        **MARGINS,
    ),
    width(
        "Theorem 7: soft",
        "The same with the printed attention: weights above 9/10, not 1, and sigma, of relu units, which makes signs "
        "of what is fetched (appendix G.2); for recall of the value of a key.",
        70,
        "a code of e signs and three addresses of s: e + 3s + 2 numbers",
        soft_recall.recall,
        "the wanted logit is ahead by ln(18N), as by the printed eta; steps so fine that others have weight",
        "weights of both layers up to N = 48 looked at",
        **RECALL,
    ),
    precision("Theorem 7: soft", 8, "steps of 1/(4 (18N)^(3/2)), numbers of order ln N", soft_recall.recall, **RECALL),
    width(
        "Theorem 7: binary codes",
        "Symbols as normalised binary digits have a margin of 1/log N or more, so the construction does multi-query "
        "recall on them (appendix G).",
        70,
        "a code of ceiling(log2 N) - 1 signs and three addresses of s: e + 3s + 2 numbers",
        retrieval.binary_codes,
        "the query fetches the address of the label, as in G.2; as it is equal to its key, signs within a half are "
        "enough, where the printed k is of order log^3 N at this margin",
        **CODES,
    ),
    precision("Theorem 7: binary codes", 5, "numbers of order log^2 N ln N", retrieval.binary_codes, **CODES),
    width(
        "Theorem 13",
        "For every threshold of at most N features of k bits there is a transformer with two layers and k heads, of "
        "width O(log N), that computes it, for constant k.",
        50,
        "(k + 1) r + 2^k + k + 3 numbers for r signs and k up to 3",
        findings.thresholds,
        "k is 1 for majority, 2 for functions of two halves and a chain of clauses, 3 for what is drawn at random: "
        "features, features that count up to three times, clauses and terms",
        instances="eight functions",
        sizes=tuple({"function": each} for each in FUNCTIONS),
        **THRESHOLDS,
    ),
    precision("Theorem 13", 4, NUMBERS, findings.thresholds, sizes=({"function": "drawn"},), **THRESHOLDS),
)
