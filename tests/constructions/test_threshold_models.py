"""Thresholds of sparse features by two layers, and the formulas that they are given as."""

import itertools
import pickle
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.models import Transformer
from ccsim.problems import (
    disjointness_of_halves,
    equality_of_halves,
    inequality_of_halves,
    intersection_of_halves,
    majority_of_word,
)
from protocols.constructions import (
    BinaryAddresses,
    ConstructionSize,
    NormalForm,
    SparseFeature,
    SparseThreshold,
    StartedTransformer,
    equality_transformer,
    growth_table,
    size_of,
    smallest_sign_vectors,
    threshold_transformer,
)
from protocols.constructions.formulas import GROWING
from tests.refusals import refuse
from tests.slow import slow

HALVES = {
    "equality": (lambda a, b: a == b, "all", equality_of_halves),
    "inequality": (lambda a, b: a != b, "any", inequality_of_halves),
    "intersection": (lambda a, b: a and b, "any", intersection_of_halves),
    "disjointness": (lambda a, b: not (a and b), "all", disjointness_of_halves),
}


def test_functions_of_two_halves_on_every_word():
    for length, (function, how, task) in product((2, 4, 8), HALVES.values()):
        threshold = SparseThreshold.halves(length, function, how)
        model = threshold_transformer(threshold)
        assert model.mistake(task(length)) is None, threshold
        assert model.mistake(threshold.task()) is None, threshold
        assert (model.layers, model.heads, threshold.sparsity) == (2, 2, 2)


def test_majority_on_every_word():
    for length in (1, 2, 3, 5, 8):
        model = threshold_transformer(SparseThreshold.majority(length))
        assert model.mistake(majority_of_word(length)) is None, length
        assert model.heads == 1


formulas = st.integers(1, 5).flatmap(
    lambda length: st.builds(
        NormalForm,
        st.sampled_from(["cnf", "dnf"]),
        st.just(length),
        st.lists(
            st.lists(
                st.integers(1, length).flatmap(lambda bit: st.sampled_from([bit, -bit])), min_size=1, max_size=4
            ).map(tuple),
            min_size=1,
            max_size=length,
        ).map(tuple),
    )
)


def holds(formula, bits):
    literal = lambda number: bits[abs(number) - 1] == (number > 0)  # noqa: E731
    inner, outer = (any, all) if formula.kind == "cnf" else (all, any)
    return outer(inner(literal(number) for number in part) for part in formula.parts)


@settings(max_examples=18, deadline=None)
@given(formulas)
def test_formulas_on_every_word(formula):
    task = formula.threshold().task()
    for bits in product((0, 1), repeat=formula.length):
        assert task("".join(map(str, bits))) == holds(formula, bits)
    model = threshold_transformer(formula)
    assert model.mistake(task) is None
    assert model.heads == max(1, formula.width)
    if formula.length > 1:
        assert threshold_transformer(formula, addresses=BinaryAddresses(formula.length + 1)).is_right(task)
    read = NormalForm.parse(str(formula), formula.length)
    assert all(holds(read, bits) == holds(formula, bits) for bits in product((0, 1), repeat=formula.length))


def test_formulas_are_written_in_several_ways():
    assert NormalForm.parse("x1|~x2").parts == ((1,), (-2,))
    assert NormalForm.parse("x1|~x2").kind == "dnf"
    assert NormalForm.parse("( x1 & !x10 ) | x2") == NormalForm("dnf", 10, ((1, -10), (2,)))
    assert NormalForm.parse("(x1 | x2)").kind == "cnf"
    assert NormalForm.parse("x3", length=5) == NormalForm("dnf", 5, ((3,),))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_thresholds_of_any_features_on_every_word(data):
    length = data.draw(st.integers(1, 6))
    features = []
    for _ in range(data.draw(st.integers(1, length))):
        places = data.draw(st.lists(st.integers(1, length), unique=True, max_size=3))
        table = data.draw(st.lists(st.integers(0, 1), min_size=1 << len(places), max_size=1 << len(places)))
        features.append(SparseFeature(tuple(places), tuple(table)))
    threshold = SparseThreshold(length, tuple(features), data.draw(st.integers(0, len(features))))
    assert threshold_transformer(threshold).mistake(threshold.task()) is None


@pytest.mark.parametrize("length", [64, slow(1024)])
def test_long_words_on_either_side_of_the_bound(length):
    generator, half = np.random.default_rng(length), length // 2
    threshold = SparseThreshold.halves(length, lambda a, b: a and b, "any")
    first = generator.integers(0, 2, (40, half))
    words = np.hstack([first, 1 - first])  # disjoint, and as full as can be
    places = generator.integers(0, half, 20)
    words[np.arange(20), places] = words[np.arange(20), half + places] = 1
    assert threshold_transformer(threshold).codes(words).tolist() == [1] * 20 + [0] * 20
    most = np.zeros((4, length), dtype=np.int64)
    for row, ones in enumerate((half - 1, half, half + 1, length)):
        most[row, generator.permutation(length)[:ones]] = 1
    model = threshold_transformer(SparseThreshold.majority(length))
    assert model.codes(most).tolist() == [0, 0, 1, 1]


def test_sizes_count_a_list_of_features_unless_there_is_a_rule():
    rule = SparseThreshold.halves(16, lambda a, b: a != b, "any")
    listed = SparseThreshold(rule.length, rule.features, rule.bound)
    by_rule, by_list = (size_of(threshold_transformer(threshold)) for threshold in (rule, listed))
    assert by_list.representation_bits - by_rule.representation_bits == 8 * (2 * 4 + 4) == listed.description_bits
    assert by_list.stored_bits == by_rule.stored_bits
    assert by_rule.heads == 2
    model = threshold_transformer(rule)
    assert model.width == 3 * model.transformer.blocks[0].maps[0][0].outputs + 4 + 2 + 3


def test_the_start_symbol_stays_inside():
    model = threshold_transformer(SparseThreshold.majority(3))
    assert (model.alphabet, model.length, model.transformer.length) == (("0", "1"), 3, 4)
    with pytest.raises(InputError, match="ranks from 0 to 1"):
        model.codes(np.array([[0, 2, 1]]))
    with pytest.raises(InputError, match="last symbol"):
        StartedTransformer(Transformer.random("ab", length=3, width=2, layers=1, precision=8, seed=0))


def test_bad_arguments_are_refused():
    most = SparseThreshold.majority(9)
    refuse(
        (lambda: NormalForm.parse("x1 & x2 | x3"), "one sign between"),
        (lambda: NormalForm.parse("(x1 & x2) & x3"), "within brackets"),
        (lambda: NormalForm.parse("x1 & y2"), "literals"),
        (lambda: NormalForm.parse("x1 & (x2 | x3"), "one sign between"),
        (lambda: NormalForm.parse("x1 & (x2"), "literals"),
        (lambda: NormalForm.parse(""), "literals"),
        (lambda: NormalForm("cnf", 2, ((3,),)), "literal"),
        (lambda: NormalForm("cnf", 2, ((0,),)), "literal"),
        (lambda: NormalForm("cnf", 2, ()), "one or more"),
        (lambda: NormalForm("xor", 2, ((1,),)), "kind"),
        (lambda: NormalForm("cnf", 2, ((1,), (2,), (1,))).threshold(), "from 1 to 2 features"),
        (lambda: SparseFeature((1, 1), (0, 0, 0, 1)), "positions"),
        (lambda: SparseFeature((1,), (0, 2)), "table"),
        (lambda: SparseThreshold(2, (SparseFeature((3,), (0, 1)),), 0), "positions"),
        (lambda: SparseThreshold(2, (SparseFeature((1,), (0, 1)),), 2), "bound"),
        (lambda: SparseThreshold.halves(3, lambda a, b: a, "any"), "even"),
        (lambda: SparseThreshold.halves(4, lambda a, b: a, "every"), "how = 'every'"),
        (lambda: SparseFeature.of_literals([1, -2], "ANY"), "how = 'ANY'"),
        (lambda: SparseThreshold.majority("x"), "length"),
        (lambda: SparseThreshold(2, ("x1",), 1), "features"),
        (lambda: NormalForm.parse(5), "text"),
        (lambda: growth_table(["nothing"]), "names"),
        (lambda: growth_table(exponents=[1]), "exponents"),
        (lambda: threshold_transformer("x1"), "SparseThreshold"),
        (lambda: threshold_transformer(most, precision=Precision.fixed_point(7, 3)), "1/10"),
        (lambda: threshold_transformer(most, precision=Precision.fixed_point(1, 5)), "queries"),
        (
            lambda: threshold_transformer(most, precision=Precision.fixed_point(5, 5), strength=Fraction(1, 2)),
            "strength",
        ),
    )


@pytest.mark.parametrize("exponents", [(4, 7, 9), slow(range(4, 15, 2))])
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
    for row in growth_table(["equality"], [4, 8]):
        assert row["width"] == 5 + 2 * smallest_sign_vectors(row["N"]).dimension
    for row in growth_table(["equality, binary addresses"], [4, 6]):
        assert row["width"] == 5 + 2 * log2(row["N"]) == 5 + 2 * BinaryAddresses(row["N"]).dimension


def test_sizes_survive_being_stored():
    model = equality_transformer(8)
    assert isinstance(size_of(model), ConstructionSize)
    assert size_of(pickle.loads(pickle.dumps(model))) == size_of(model)
