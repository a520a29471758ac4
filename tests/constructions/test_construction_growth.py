"""How constructions grow, and what a size says."""

import itertools
import pickle
from math import log2

import pytest

from ccsim import InputError
from protocols.constructions import (
    GROWING,
    BinaryAddresses,
    ConstructionSize,
    equality_transformer,
    growth_table,
    size_of,
    smallest_sign_vectors,
)
from tests.slow import slow


@pytest.mark.parametrize("exponents", [range(4, 11, 2), slow(range(4, 15))])
def test_constants_stay_below_a_bound_while_the_length_grows(exponents):
    rows = growth_table(exponents=exponents)
    assert {row["construction"] for row in rows} == set(GROWING)
    for row in rows:
        binary = "binary" in row["construction"]
        assert row["width/claimed"] < (4 if binary else 40), row
        assert row["precision/claimed"] < 3, row
        assert row["representation/claimed"] < (60 if binary else 6000), row
        assert row["layers"] == (1 if "index" in row["construction"] else 2)
    for name in GROWING:
        stored = [row["stored"] / row["N"] for row in rows if row["construction"] == name]
        assert all(later < 4 * earlier for earlier, later in itertools.pairwise(stored))


def test_the_width_is_that_of_the_addresses():
    for row in growth_table(["equality"], [4, 6, 8]):
        assert row["width"] == 5 + 2 * smallest_sign_vectors(row["N"]).dimension
    for row in growth_table(["equality, binary addresses"], [4, 6, 16]):
        assert row["width"] == 5 + 2 * log2(row["N"]) == 5 + 2 * BinaryAddresses(row["N"]).dimension


def test_sizes_survive_being_stored_and_other_models_have_none():
    model = equality_transformer(8)
    assert isinstance(size_of(model), ConstructionSize)
    assert size_of(pickle.loads(pickle.dumps(model))) == size_of(model)
    with pytest.raises(InputError, match="built by"):
        size_of("model")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: growth_table(["nothing"]), "names"),
        (lambda: growth_table(exponents=[1]), "exponents"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
