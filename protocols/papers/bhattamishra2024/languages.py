"""What formal languages cost two parties: Dyck-(2,2), of which Lemma 1 is, and every regular language, at every length.

Where odd positions are dealt to one party and even ones to the other, no small layer recognises what costs much.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from ccsim import bounds, families, problems
from ccsim.certificates.verify import Refused
from ccsim.claims import Direction, Finding, Role, param
from ccsim.models.automata import Automaton
from ccsim.plots import Line, Plot
from protocols.papers.sources import BHATTAMISHRA_2024, OURS, lengths

EVEN, SYMBOLS = (param("N", 4, what, low=2, step=2) for what in ("length of the input", "symbols of a word"))
BOTH = "both parties are to know the output, as Lemma 1 has it ('to each compute')"
BOTH_KNOW = ("both parties know the answer",)
FAR = 1 << 12  # turns at which a bound that grows is asked for

sharper = partial(OURS.claim, sharpens="bhattamishra2024-lemma-1")
at_every_length = partial(sharper, tags=("formal-languages", "every-length"))


def _dealt(length: int, alice: Iterable[int], kinds: int = 2) -> problems.SplitTask:
    return problems.dyck(length, kinds, 2).split(problems.Partition.of(length, alice=alice))


def _odd_even_cost(length: int, kinds: int = 2) -> Finding:
    return Finding.of_bracket(bounds.deterministic(_dealt(length, range(1, length + 1, 2), kinds)))


def _biting() -> tuple[Plot, ...]:
    """What Dyck costs, printed and measured; and from which length on a layer is too small."""
    sizes, widths = tuple(range(2, 13, 2)), tuple(2**k for k in range(3, 11))
    excluded = {
        bits: tuple(
            (m, bounds.model("transformer", width=m, precision=bits, task="dyck").excluded_from) for m in widths
        )
        for bits in (8, 16, 32)
    }
    return (
        Plot(
            title="Dyck-(2,2), odd positions against even ones",
            x="N, length of the word",
            y="bits",
            lines=(
                Line("printed: N - 1", tuple((n, n - 1) for n in sizes)),
                Line("proved here: N + 1", tuple((n, n + 1) for n in sizes)),
                Line("exact, certified", tuple((n, _upper(_odd_even_cost(n))) for n in (2, 4, 6, 8)), measured=True),
            ),
            note="The measured cost is the one that the documentation proves for every N.",
        ),
        Plot(
            title="From which length on Dyck-(2,2) is too much for one layer",
            x="width of the only head",
            y="N",
            lines=tuple(
                Line(f"{bits}-bit numbers", tuple((m, n) for m, n in points if n)) for bits, points in excluded.items()
            ),
            logarithmic=True,
            note="By formula: below its line a layer's protocol can say as many bits as the task needs.",
        ),
    )


@BHATTAMISHRA_2024.claim(
    "Lemma 1",
    direction=Direction.LOWER,
    formula="N - 1",
    ours="N + 1",
    improvement="the leaf-rank bound, which counts the leaves of both answers (docs/proofs/dyck_odd_even.md)",
    hypotheses=(BOTH,),
    sizes=lengths(4, 6, 8),
    plots=_biting,
    tags=("dyck",),
    proved="dyck_of_two_kinds_costs",
)
def dyck(length: int = EVEN) -> Finding:
    """Dyck-(2,2) costs N - 1 bits or more if one party holds the odd positions and the other the even ones."""
    return _odd_even_cost(length)


@BHATTAMISHRA_2024.claim(
    "Lemma 1",
    name="lemma 1 fooling set",
    role=Role.STEP,
    direction=Direction.LOWER,
    formula="2**(N - 1)",
    ours="2**(N - 1)",
    unit="cells",
    sizes=lengths(4, 6, 8),
    tags=("dyck", "fooling"),
    proved="dyck_fooling_set",
)
def dyck_fooling_set(length: int = EVEN) -> Finding:
    """All 2^(N-1) words of Dyck-(2,2) of length N are a fooling set.

    Every word of the language is a cell, with no search: the checker refuses what is no fooling set.
    """
    matrix = _dealt(length, range(1, length + 1, 2)).matrix
    cells = np.argwhere(matrix.codes == 1).tolist()
    below, above = {"kind": "fooling-set", "cells": cells}, {"kind": "lines"}
    about, size = {"code": 1, "answer": "both"}, len(cells)
    bracket = bounds.Bracket("fooling-set", size, size, "all words | rows", below, above, about, "cells", matrix=matrix)
    return Finding.of_bracket(bracket)


@sharper(
    "docs/proofs/dyck_odd_even.md",
    name="dyck-odd-even",
    direction=Direction.EXACT,
    formula="L((2*k)**(N/2) + 1)",
    hypotheses=BOTH_KNOW,
    sizes=({"length": 6}, {"length": 8, "kinds": 1}, {"length": 4, "kinds": 3}),
    tags=("dyck",),
    proved="dyck_odd_even_costs",
)
def dyck_of_kinds(length: int = EVEN, kinds: int = param("k", 2, "kinds of brackets")) -> Finding:
    """Dyck-(k,2), odd positions against even ones, costs ceiling(log2((2k)^(N/2) + 1)) bits: N + 1 for two kinds."""
    return _odd_even_cost(length, kinds)


@at_every_length(
    "docs/theory.md",
    name="dyck-every-length",
    direction=Direction.EXACT,
    formula="N + 1",
    hypotheses=BOTH_KNOW,
    sizes=lengths(2, 4, 100, 1000),
)
def dyck_at_every_length(length: int = SYMBOLS) -> Finding:
    """Dyck-(2,2) under the odd/even split takes exactly N + 1 bits at every even N: one certificate proves both sides
    for all of them."""
    certificate = bounds.task_certificate("dyck")
    assert certificate is not None
    sides = {2 * n: (certificate.lower(n), certificate.upper(n)) for n in range(1, length // 2 + 1)}
    return Finding(
        measured=sides[length][0],
        checked=len(sides),
        of=length // 2,
        violations=tuple(f"from {low} to {high} bits at N = {n}" for n, (low, high) in sides.items() if low != high),
        every_length=certificate,
    )


@at_every_length(
    "docs/languages.md",
    name="blanks-every-length",
    direction=Direction.LOWER,
    formula="ceiling(log(3**(N/2) + (-1)**(N/2), 2)) - 1",
    hypotheses=BOTH_KNOW,
    sizes=lengths(2, 4, 6),
)
def blanks_at_every_length(length: int = SYMBOLS) -> Finding:
    """(ab)* with blanks under the odd/even split needs ceil(log2((3^n + (-1)^n)/2)) bits at every N = 2n, by a regular
    fooling set; so no one-layer transformer of fixed size recognises it.

    Measured are the exact bits, Alice holding the odd positions; beside it, what the set that is found proves for all
    lengths.
    """
    language = {0: {"a": 1, "_": 0}, 1: {"b": 0, "_": 1}}
    task = problems.sequence.regular_language(length, language, 0, {0}, "ab_")
    family = families.dealt(Automaton.from_transitions(language, 0, {0}, "ab_"), "AB")
    words = families.regular_fooling_set(family, 1)
    assert words is not None
    certificate = families.FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()})
    bracket = bounds.deterministic(task.split(problems.Partition.odd_even(length)))
    found, expected = words.counts(length // 2)[-1], (3 ** (length // 2) + (-1) ** (length // 2)) // 2
    wrong = () if found == expected else (f"{found} words, not {expected}",)
    return Finding.of_bracket(bracket, violations=wrong, every_length=certificate)


@at_every_length(
    "docs/languages.md",
    name="classes-every-length",
    direction=Direction.EXACT,
    formula="1",
    unit="",
    hypotheses=(
        *BOTH_KNOW,
        "letters or blanks are dealt to both in turn",
        "O(log n) from above is a protocol by landmarks, proved in docs/languages.md and run at n = 1 alone",
    ),
    sizes=({"states": 1}, {"states": 2}),
)
def classes_at_every_length(states: int = param("s", 2, "states of the automata", low=1)) -> Finding:
    """For every automaton of so many states over two letters and a blank, certificates for all n show that its language
    costs a constant at most, log n at least, or n at least, up to constants: one of the three.

    Measured is the share of languages whose class is proved for every n.
    """
    every = {
        Automaton.of("ab", table, outputs).minimise()
        for table in product(product(range(states), repeat=2), repeat=states)
        for outputs in product((0, 1), repeat=states)
    }
    kinds = [_proved(automaton) for automaton in every]
    wrong = tuple(kind for kind in kinds if kind.startswith("not"))
    facts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    share = Fraction(len(every) - len(wrong), len(every))
    return Finding(measured=share, checked=len(every), of=len(every), violations=wrong, facts=facts)


def _proved(automaton: Automaton) -> str:
    """The class of a language with blanks, once a certificate for every n shows it."""
    try:
        found = families.language(automaton, longest=0)
    except Refused as error:
        return f"not proved: {error}"
    kind, proof = found.classification.deterministic, found.proof
    if kind == families.CONSTANT:
        return kind if proof.upper(FAR) == proof.upper(1) else f"not {kind}: bits at each block"
    if kind == families.LOGARITHMIC:
        above, least = families.landmark_protocol(automaton, found.monoid), FAR.bit_length() - 2
        if above is None or not above.protocol(1).explore().correct:
            return f"not {kind}: no logarithmic protocol"
    else:
        least = FAR // (2 * found.reduction.block) + 1 if found.reduction else FAR
    lower = proof.lower(FAR) or 0
    return kind if lower >= least else f"not {kind}: {lower} bits at {FAR} turns"


@BHATTAMISHRA_2024.claim(
    "Section 4.2",
    name="section 4.2 contiguous partitions",
    direction=Direction.UPPER,
    formula="L(8) + 1",
    hypotheses=("both know the answer: three bits for one of seven stacks or none, one for the answer",),
    sizes=lengths(4, 6),
    tags=("dyck",),
)
def dyck_cut_anywhere(length: int = EVEN) -> Finding:
    """Cut anywhere, a word of Dyck-(2,2) costs few bits: what is open is at most two brackets."""
    found = [Finding.of_bracket(bounds.deterministic(_dealt(length, range(1, cut + 1)))) for cut in range(1, length)]
    worst = max(found, key=_upper)
    return worst.but(facts={**worst.facts, "bits at each cut": [_upper(each) for each in found]})


def _upper(finding: Finding) -> int:
    return int((finding.bracket.upper if finding.bracket else None) or 0)
