"""One message at every length, beside the number of different lines at small ones."""

import random

import pytest

from ccsim import InputError
from ccsim.bounds import one_way
from ccsim.families import dealt, named_family, one_way_bound, with_blank
from ccsim.models.automata import dyck_automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.families.test_families import random_family


@pytest.mark.parametrize("direction", ["alice-to-bob", "bob-to-alice"])
def test_one_message_needs_what_is_proved_at_small_n(direction):
    rng = random.Random(3)
    families = [named_family(name) for name in ("greater-than", "inner-product")]
    families += [random_family(rng, free=0.2) for _ in range(6)]
    families.append(dealt(with_blank(from_regular_expression("(ab)*", "ab")), "AB"))
    for family in families:
        certificate = one_way_bound(family, direction)
        for n in (1, 2):
            exact = one_way(family.at(n).matrix, direction=direction)
            assert certificate.lower(n) <= exact.lower == exact.upper
            if certificate.upper(n) is not None:
                assert exact.upper <= certificate.upper(n)


@pytest.mark.parametrize(("name", "bits"), [("equality", 5), ("disjointness", 5), ("greater-than", 5)])
def test_named_functions_need_all_their_bits(name, bits):
    certificate = one_way_bound(named_family(name))
    assert certificate.lower(5) == certificate.upper(5) == bits


def test_brackets_and_directions():
    assert one_way_bound(dealt(dyck_automaton(2, 2), "AB")).lower(3) >= 3
    with pytest.raises(InputError, match="direction"):
        one_way_bound(named_family("equality"), "to-bob")
