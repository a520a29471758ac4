"""Where float64 carries whole numbers it is exact, and where it could not be, it is not used."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.arithmetic import Precision
from ccsim.models import Affine, OneLayerTransformer
from ccsim.models.attention import shares

SMALL = [Precision.of(5), Precision.of(16), Precision.of(24), Precision(3, -10, 4), Precision(1000, -(10**7), 10**6)]


def by_hand(affine, rows):
    """The affine map on Python integers."""
    precision, weights, bias = affine.precision, affine.weights.tolist(), affine.bias.tolist()

    def entry(row, j):
        total = sum(x * w[j] for x, w in zip(row, weights, strict=True))
        return min(max(total // precision.scale + bias[j], precision.low), precision.high)

    return [[entry(row, j) for j in range(len(bias))] for row in rows]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([*SMALL, Precision.of(26), Precision.of(34)]), st.integers(1, 6), st.integers(1, 4), st.data())
def test_affine_maps_in_floats_and_integers(precision, inputs, outputs, data):
    """Mantissas near the ends make the largest products."""
    mantissas = st.one_of(
        st.sampled_from([precision.low, precision.low + 1, -1, 0, 1, precision.high - 1, precision.high]),
        st.integers(precision.low, precision.high),
    )

    def array(*shape):
        size = int(np.prod(shape))
        return np.array(data.draw(st.lists(mantissas, min_size=size, max_size=size))).reshape(shape)

    affine, rows = Affine(precision, array(inputs, outputs), array(outputs)), array(3, inputs)
    expected = by_hand(affine, rows.tolist())
    assert affine(rows).tolist() == expected
    assert affine.exact_in_floats or precision not in SMALL
    if affine.exact_in_floats:
        assert affine(rows.astype(np.float64)).tolist() == expected


def test_too_large_products_stay_integers():
    precision = Precision.of(40)
    high = precision.high
    affine = Affine(precision, np.array([[high], [high], [-high]]), np.array([1]))
    rows = np.array([[high, 1, high], [high, high, high], [precision.low, 1, 0]])
    assert not affine.exact_in_floats
    assert affine(rows).tolist() == by_hand(affine, rows.tolist())
    with pytest.raises(AssertionError):
        affine(rows.astype(np.float64))
    # the bound itself: 2^53 - 1 is not exceeded, 2^53 is
    plain = Precision(1, -(1 << 40), 1 << 40)
    for weight, exact in ((1 << 12, True), (1 << 13, False)):
        assert Affine(plain, np.array([[weight]]), np.array([0])).exact_in_floats is exact


def test_shares_are_rounded_down_exactly():
    for exponential, normaliser, scale in [
        ((1 << 53) + 1, 1, 1),  # not a float64
        ((1 << 31) - 1, (1 << 31) + 7, 1 << 31),  # the product is above 2^53
        (3 * (1 << 40) + 1, 5 * (1 << 40), (1 << 40) + 9),  # and above 2^63
        (((1 << 26) - 1) // 3 * 3, 3, 1 << 25),
        (12345, 67890, 1 << 20),
    ]:
        result = shares(np.array([exponential]), np.array([normaliser]), scale)
        assert result.tolist() == [exponential * scale // normaliser], (exponential, normaliser)


@given(st.integers(1, 1 << 26), st.integers(1, 1 << 26))
def test_shares_just_below_and_at_an_integer(scale, quotient):
    """Numerators quotient * b - 1 and quotient * b over b, where a rounded quotient would be wrong."""
    for numerator in (quotient * scale - 1, quotient * scale):
        assert shares(np.array([numerator]), np.array([scale]), 1).tolist() == [numerator // scale]


def test_sums_that_saturate_are_finished_alike_in_floats_and_integers():
    """No sum of a model's own is so large, but whoever finishes may be handed any."""
    model = OneLayerTransformer.random("ab", length=3, width=4, heads=2, precision=12, seed=0)
    random = np.random.default_rng(0)
    for size in (1 << 12, 1 << 22, 1 << 40, 1 << 60):
        sums, last = random.integers(-size, size, (50, 2, 2)), random.integers(0, 2, 50)
        heads = model.precision.round_down(sums).reshape(50, 4)
        expected = model.read_out(model.block.finish(model.embedding_table[-1][last], heads))
        np.testing.assert_array_equal(model.finish_outputs(last, sums), expected)
        np.testing.assert_array_equal(model.finish_outputs(last, sums.astype(object)), expected)


def test_tables_in_floats_and_the_rest_in_integers():
    """With 34 bits the weights fit float64 and the affine maps do not."""
    model = OneLayerTransformer.random("abc", length=4, width=4, heads=2, precision=34, seed=0)
    words = np.random.default_rng(0).integers(0, 3, (30, 4))
    assert model.sums_in_floats
    assert not model.block.exact_in_floats
    np.testing.assert_array_equal(model.outputs(words), model.outputs_plain(words))
    wide = OneLayerTransformer.random("abc", length=4, width=4, heads=2, precision=40, seed=0)
    assert not wide.sums_in_floats
    np.testing.assert_array_equal(wide.outputs(words), wide.outputs_plain(words))
