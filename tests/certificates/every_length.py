"""Certificates for every length, of every kind, and what is true of their functions at small n."""

from functools import cache
from itertools import product

from ccsim.certificates import verify as checker
from ccsim.families import (
    FamilyCertificate,
    commuting_parties,
    letter_parties,
    messages,
    named_family,
    partitioned,
    transition_monoid,
)
from ccsim.models.automata import dyck_automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.certificates.truth import holds

BOTH = {"answer": "both"}
DIAGONAL = {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}
ABOVE = {"steps": [[[0, 0, 0], [1, 0, 1], [1, 1, 0]], [[0, 1, 1]]], "accepting": [1], "first": 0}
EVERY_WORD = {"steps": [[[0, 0], [1, 0]]], "accepting": [0], "first": 0}
NO_SILENCE = {"alice": None, "bob": None}


@cache
def certificates():
    equality, greater = named_family("equality"), named_family("greater-than")
    inner, disjoint = named_family("inner-product"), named_family("disjointness")
    pairs = {"kind": "regular-fooling-set", "words": DIAGONAL}
    lines = {"kind": "regular-distinct-lines", "lines": EVERY_WORD}
    complement = {"kind": "triangular-complement", "code": 1, "words": DIAGONAL, "silent": NO_SILENCE}
    silent = {"kind": "triangular-complement", "code": 1, "words": {**DIAGONAL, "steps": [[[0, 1, 0]]]},
              "silent": {"alice": [1, 1], "bob": [0]}}  # fmt: skip
    signs, powers = {"kind": "tensor-power", "weights": [1, -1]}, {"kind": "tensor-power", "weights": [1, 0]}
    even, pairs_of_letters, ends = (from_regular_expression(text, "ab") for text in ("(b|ab*a)*", "(ab)*", "(a|b)*a"))
    parity, last = partitioned(even, "AB"), partitioned(ends, "AB")
    inside = {
        "kind": "substitution", "prefix": [], "alice": [[0], [1]], "bob": [[1], [0]], "suffixes": [[]],
        "of": {"kind": "regular-fooling-set", "words": {**DIAGONAL, "steps": [[[0, 1, 0], [1, 0, 0]]]}},
    }  # fmt: skip
    terms = [[2, [[0, 0]]], [1, [[1, 1]]]]
    modulo = {"kind": "tensor-shifts", "prime": 3, "code": 1, "weights": [1, 2], "terms": terms}
    made = [
        FamilyCertificate.of(equality, lower=inside),
        FamilyCertificate.of(named_family("inner-product"), lower=modulo),
        FamilyCertificate.of(equality, lower=pairs, upper=letter_parties(equality).witness()),
        FamilyCertificate.of(equality, "fooling-set", {"code": 1, "answer": "alice"}, lower=pairs),
        FamilyCertificate.of(equality, "one-way-messages", {"direction": "alice-to-bob"}, lower=lines),
        messages(last),
        messages(greater, "bob-to-alice"),
        FamilyCertificate.of(
            equality,
            "one-way",
            {"direction": "bob-to-alice"},
            lower=lines,
            upper={**letter_parties(equality).witness(), "speaker": "bob"},
        ),
        FamilyCertificate.of(greater, lower={**complement, "words": ABOVE}),
        FamilyCertificate.of(equality, lower=complement),
        FamilyCertificate.of(partitioned(pairs_of_letters, "AB"), lower=silent),
        FamilyCertificate.of(inner, lower=signs),
        FamilyCertificate.of(inner, "rank", {"code": 1, "field": "rational"}, lower=signs),
        FamilyCertificate.of(disjoint, "rank", {"code": 0, "field": "GF(2)"}, lower=powers),
        FamilyCertificate.of(parity, upper=commuting_parties(even, transition_monoid(even), "AB").witness()),
        FamilyCertificate.of(last, lower={"kind": "regular-fooling-set", "words": ends_in_a()}),
        FamilyCertificate.of(last, "one-way", {"direction": "alice-to-bob"}, upper=letter_parties(last).witness()),
    ]
    return [certificate.to_json() for certificate in made]


def ends_in_a():
    """(a, a) first or last: two words of the answer 1, and one of the answer 0."""
    return {"steps": [[[0, 0, 1], [1, 1, 2]], [[0, 0, 1]], []], "accepting": [1, 2], "first": 0}


def dyck():
    return partitioned(dyck_automaton(2, 2), "AB")


def table_at(family, n):
    """The codes of a family's function of n letters each, read from its plain data."""
    read = checker.families.read_family(family)

    def code(x, y):
        state = read.first
        for a, b in zip(x, y, strict=True):
            state = read.table[state][a][b]
        return read.outputs[state]

    rows, columns = (list(product(range(letters), repeat=n)) for letters in (read.alice, read.bob))
    return tuple(tuple(code(x, y) for y in columns) for x in rows)


def bound_at(data, proof, n):
    """What a proof claims at one n."""
    bits = checker.families.FAMILY_MEASURES[data["measure"]][0][0] == "bits"
    if proof["side"] == "upper" and bits:
        per_block, at_end = proof["value"]
        return per_block * n + at_end
    count = checker.families.values_of(tuple(proof["value"]), n)[n - 1]
    return checker.claims.bits_for(count) if bits else count


def true_at(data, n):
    """Whether all that a certificate claims holds at one n."""
    more = {"rounds": None, "first": None} if data["measure"] == "deterministic" else {}
    table = table_at(data["family"], n)
    return all(
        holds(table, data["measure"], {**data["parameters"], **more}, proof["side"], bound_at(data, proof, n))
        for proof in data["proofs"]
    )
