"""Zonotopes hold whatever the exact operations give on any of their members."""

import numpy as np
import pytest

from ccsim.arithmetic import FUNCTIONS, Precision, Zonotopes, elementary, sum_of_products
from ccsim.arithmetic.zonotopes import DERIVATIVES, SLOPE_BITS, UNIT, slope_table
from ccsim.auditing.state_sets import cluster_numbers, joined
from ccsim.models import GRU, LSTM, DiagonalStateSpace, Elman, SelectiveStateSpace
from tests.cases import cases
from tests.slow import slow

KINDS = (Elman, LSTM, GRU, DiagonalStateSpace, SelectiveStateSpace)


def some(generator, batch, units, low, high, width, generators=3):
    """Zonotopes within bounds, and members (batch, members, units) of each."""
    centre = generator.integers(max(low, -400) + width, min(high, 400) - width, (batch, units)) * UNIT
    sides = generator.integers(-width, width + 1, (batch, units, generators)) * UNIT // (2 * generators)
    radius = np.full((batch, units), UNIT)
    own = generator.uniform(-1, 1, (batch, 60, generators))
    own[:, :20] = np.sign(own[:, :20])
    real = (centre[:, None] + np.einsum("buk,bmk->bmu", sides, own)) / UNIT
    return Zonotopes(centre, sides, radius).saturated(low, high), np.clip(np.rint(real).astype(np.int64), low, high)


def holds(zonotopes, members, generator):
    """Whether all members are within the bounds, and within the zonotope in many directions."""
    if (members < zonotopes.low[:, None]).any() or (members > zonotopes.high[:, None]).any():
        return False
    ways = generator.integers(-5, 6, (members.shape[-1], 40))
    reach = np.abs(np.einsum("buk,uw->bwk", zonotopes.generators, ways)).sum(axis=2)
    reach += zonotopes.radius @ np.abs(ways)
    away = members @ ways * UNIT - (zonotopes.centre @ ways)[:, None]
    return bool((np.abs(away) <= reach[:, None]).all())


@pytest.mark.parametrize("bits", [8, slow(16)])
@cases("kind", KINDS)
def test_steps_of_models_stay_inside(kind, bits):
    generator = np.random.default_rng(bits)
    model = kind.random("abc", width=3, layers=2, precision=bits, seed=bits, answers=(0, 1, 2))
    ends = model.state_precisions[0]
    states, members = some(generator, 20, model.units, ends.low, ends.high, 40)
    for position in range(1, 6):
        symbols = generator.integers(0, 3, len(states))
        each = np.repeat(symbols, members.shape[1])
        flat = members.reshape(-1, model.units)
        scores = model.scored(states, symbols)
        assert holds(scores, model.scored(flat, each).reshape(*members.shape[:2], -1), generator)
        states = model.step(states, symbols, position)
        members = model.step(flat, each, position).reshape(members.shape)
        assert holds(states, members, generator)


@cases("name", FUNCTIONS)
def test_functions_stay_inside(name):
    generator = np.random.default_rng(3)
    for precision in (Precision.of(12), Precision.fixed_point(0, 7)):
        function = elementary(name, precision, precision)
        for width in (2, 60):
            numbers, members = some(generator, 60, 2, precision.low, precision.high, width)
            assert holds(function(numbers), function(members), generator)


def test_what_numbers_have_in_common_is_kept():
    """x - x is nothing, and so is x y - y x but for what products leave."""
    generator = np.random.default_rng(0)
    numbers, _ = some(generator, 5, 2, -2048, 2047, 300)
    assert (numbers - numbers).high.max() <= 2 * UNIT // UNIT
    one, two = numbers[:, :1], numbers[:, 1:]
    both = sum_of_products((one, two), (-1 * np.ones((5, 1), dtype=np.int64), sum_of_products((two, one))))
    assert (both.high < sum_of_products((one, two)).high - sum_of_products((one, two)).low).all()


@cases("name", DERIVATIVES)
def test_slopes_hold_between_all_mantissas(name):
    precision = Precision.of(10)
    table = slope_table(name, precision.scale, precision.low, precision.high)
    values = elementary(name, precision, Precision.fixed_point(20, precision.scale.bit_length() - 1))
    generator = np.random.default_rng(1)
    ends = np.sort(generator.integers(precision.low, precision.high + 1, (2, 4000)), axis=0)
    least, most = table.between(*ends)
    width, rise = ends[1] - ends[0], (values(ends[1]) - values(ends[0])) << SLOPE_BITS
    assert (rise < most * width + (1 << SLOPE_BITS)).all()
    assert (rise > least * width - (1 << SLOPE_BITS)).all()


def test_a_zonotope_around_others_holds_them():
    generator = np.random.default_rng(7)
    for kept in (0, 2, 6):
        members, points = some(generator, 90, 3, -2048, 2047, 60)
        classes = generator.integers(0, 3, 90)
        numbers = cluster_numbers(members.low * 1.0, members.high * 1.0, classes, np.ones(90), 12)
        assert numbers.max() == 11
        around, grouping = joined(members, numbers, kept)
        assert around.count == 3 + kept
        for place, group in zip(grouping.order, grouping.groups, strict=True):
            assert classes[place] == classes[grouping.order[grouping.starts[group]]]
            assert holds(around[group : group + 1], points[place : place + 1], generator)


def test_no_rounding_of_its_sides_is_lost():
    """Points far apart: some of them lie on the sides of what is put around them."""
    generator = np.random.default_rng(11)
    points = generator.integers(-30000, 30000, (40, 6, 3)) // generator.integers(1, 400, (40, 1, 3))
    around, _ = joined(Zonotopes.points(points.reshape(-1, 3), 1), np.repeat(np.arange(40), 6), 0)
    sides = around.generators
    reach = np.abs(np.einsum("buk,buw->bwk", sides, sides)).sum(axis=2)
    reach += np.einsum("bu,buw->bw", around.radius, np.abs(sides))
    away = np.einsum("bmu,buw->bmw", points * UNIT - around.centre[:, None], sides)
    assert (np.abs(away) <= reach[:, None]).all()


def test_zonotopes_are_no_array():
    with pytest.raises(TypeError, match="no array"):
        np.asarray(Zonotopes.points(np.zeros((1, 1)), 1))
