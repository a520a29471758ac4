"""One message for every length: words of the sender that all differ, searched for and proved."""

from __future__ import annotations

from ccsim.certificates.verify import Refused
from ccsim.errors import InputError
from ccsim.families.certificate import FamilyCertificate
from ccsim.families.family import RegularFamily
from ccsim.families.parties import letter_parties

DIRECTIONS = ("alice-to-bob", "bob-to-alice")


def one_way_bound(family: RegularFamily, direction: str = "alice-to-bob") -> FamilyCertificate:
    """Bits of one message for every n, from below by words over as many letters of the sender as are found to differ.

    Letters are let in as long as the checker accepts that all words over them differ for the receiver. The upper side
    is there if it is the sender who says letters in :func:`~ccsim.families.letter_parties`.

    >>> from ccsim.families import named_family
    >>> one_way_bound(named_family("disjointness")).statements()
    {'lower': '>= n bits for all n >= 1', 'upper': '<= n bits for all n >= 1'}
    """
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    parameters, kept = {"direction": direction}, list[int]()
    letters = family.merged.alice if direction == DIRECTIONS[0] else family.merged.bob
    for letter in letters:
        try:
            FamilyCertificate.of(family, "one-way", parameters, lower=_over([*kept, letter]))
        except Refused:
            continue
        kept.append(letter)
    parties = letter_parties(family)
    upper = parties.witness() if direction.startswith(parties.speaker) else None
    return FamilyCertificate.of(family, "one-way", parameters, lower=_over(kept), upper=upper)


def _over(letters: list[int]) -> dict[str, object]:
    lines = {"steps": [[[letter, 0] for letter in letters]], "accepting": [0], "first": 0}
    return {"kind": "regular-distinct-lines", "lines": lines}
