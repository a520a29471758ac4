"""What is spoiled under claims for every length."""

from __future__ import annotations

from dataclasses import replace

from tests.claims.spoilings.spoiling import Spoiling

CERTIFICATE = "ccsim.families.certificate:FamilyCertificate"


def more(original):
    return lambda self, n: original(self, n) + 2


def without_words(original):
    def wrong(automaton, monoid):
        family, words = original(automaton, monoid)
        return family, replace(words, accepting=frozenset())

    return wrong


SPOILINGS = {
    "ccsim-dyck-every-length": (
        Spoiling("more bits from below", CERTIFICATE, "lower", more),
        Spoiling("more bits from above", CERTIFICATE, "upper", more),
    ),
    "ccsim-blanks-every-length": (Spoiling("more bits than are enough", CERTIFICATE, "lower", more, {"length": 4}),),
    "ccsim-classes-every-length": (
        Spoiling("no words", "ccsim.families.reductions", "logarithmic_set", without_words, {"states": 2}),
    ),
}
