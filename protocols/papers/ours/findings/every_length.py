"""What is measured at every length at once: certificates for all n, beside exact searches at small ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ccsim import bounds, models, problems
from ccsim.certificates.verify import Refused
from ccsim.claims import Finding
from ccsim.families import (
    LINEAR,
    LOGARITHMIC,
    FamilyCertificate,
    classification,
    fooling_search,
    landmarks,
    parties,
    reductions,
    sources,
)
from ccsim.families.monoid import transition_monoid
from ccsim.models.automata import Automaton
from ccsim.problems import Partition

__all__ = ["blanks", "classes", "dyck"]

SMALL = 4  # symbols of a word, at which the complexity is looked for as well
FAR = 1 << 12  # turns at which a bound that grows is asked for


def dyck(length: int) -> Finding:
    """The bits for Dyck-(2,2) at every even length up to one, from below and from above by one certificate."""
    certificate = bounds.task_certificate("dyck")
    assert certificate is not None
    wrong = list[str]()
    for n in range(1, length // 2 + 1):
        low, high = certificate.lower(n), certificate.upper(n)
        wrong += [] if low == high else [f"from {low} to {high} bits at N = {2 * n}"]
    for even in range(2, min(length, SMALL) + 1, 2):
        bracket = bounds.deterministic(problems.sequence.dyck(even).split(Partition.odd_even(even)))
        wrong += [] if bracket.lower == certificate.lower(even // 2) else [f"{bracket.lower} bits at N = {even}"]
    lengths = length // 2
    return Finding(
        measured=certificate.lower(lengths),
        checked=lengths,
        of=lengths,
        violations=tuple(wrong),
        every_length=certificate,
    )


def blanks(length: int) -> Finding:
    """The exact bits for (ab)* with blanks at a small length, Alice holding the odd positions, beside what the set that
    is found proves for all lengths."""
    language = {0: {"a": 1, "_": 0}, 1: {"b": 0, "_": 1}}
    task = problems.sequence.regular_language(length, language, 0, {0}, "ab_")
    family = sources.dealt(Automaton.from_transitions(language, 0, {0}, "ab_"), "AB")
    words = fooling_search.regular_fooling_set(family, 1)
    assert words is not None
    certificate = FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()})
    bracket = bounds.deterministic(task.split(Partition.odd_even(length)))
    found, proved = words.counts(length // 2)[-1], certificate.lower(length // 2) or 0
    expected = (3 ** (length // 2) + (-1) ** (length // 2)) // 2
    wrong = [f"{found} words, not {expected}"] if found != expected else []
    wrong += [f"{proved} bits proved, {bracket.upper} enough"] if proved > (bracket.upper or 0) else []
    return Finding.of_bracket(bracket, violations=tuple(wrong), every_length=certificate)


def classes(states: int) -> Finding:
    """The share of languages of automata of so many states over two letters whose class is proved for every n."""
    tables = product(product(range(states), repeat=2), repeat=states)
    every = {
        Automaton.of("ab", table, outputs).minimise() for table in tables for outputs in product((0, 1), repeat=states)
    }
    kinds = [_proved(automaton) for automaton in every]
    wrong = tuple(kind for kind in kinds if kind.startswith("not"))
    facts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    share = Fraction(len(every) - len(wrong), len(every))
    return Finding(measured=share, checked=len(every), of=len(every), violations=wrong, facts=facts)


def _proved(automaton: models.automata.Automaton) -> str:
    """The class of a language with blanks, once a certificate for every n shows it."""
    monoid = transition_monoid(automaton)
    kind = classification.classify(monoid).deterministic
    try:
        if kind == LINEAR:
            found = reductions.linear_reduction(automaton, monoid)
            lower = FamilyCertificate.of(found.family, lower=found.witness).lower(FAR) or 0
            return kind if lower > FAR // (2 * found.block) else f"not {kind}: {lower} bits at {FAR} turns"
        if kind == LOGARITHMIC:
            family, words = reductions.logarithmic_set(automaton, monoid)
            witness = {"kind": "regular-fooling-set", "words": words.to_json()}
            lower = FamilyCertificate.of(family, lower=witness).lower(FAR) or 0
            upper = landmarks.landmark_protocol(automaton, monoid)
            if upper is None or not upper.protocol(1).explore().correct:
                return f"not {kind}: no logarithmic protocol"
            return kind if lower >= FAR.bit_length() - 2 else f"not {kind}: {lower} bits at {FAR} turns"
        constant = parties.commuting_parties(automaton, monoid, "AB")
        FamilyCertificate.of(constant.family, upper=constant.witness())
        return kind if not constant.block_bits else f"not {kind}: bits at each block"
    except Refused as error:
        return f"not {kind}: {error}"
