"""What parties see and where inputs are: views, rectangles, cylinder intersections; and memory asked for beforehand."""

import math
import tracemalloc
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import (
    AnswerEach,
    Bits,
    Coins,
    Cost,
    InputError,
    Protocol,
    TableTooLargeError,
    array_party,
    number_on_forehead,
    simultaneous,
    two_way,
)
from ccsim.engine.explore import CylinderIntersection, ViewRectangle, whole_region
from ccsim.engine.party import views_of
from ccsim.problems import (
    BitStrings,
    Integers,
    MultipartyFunction,
    Subsets,
    TwoPartyFunction,
    Words,
    disjointness,
    equality,
    pointer_chasing,
)
from protocols.classical import trivial
from tests.cases import cases
from tests.strategies import PLAYERS, function_of_table

FEW = settings(max_examples=12, deadline=None)
shapes = st.tuples(*[st.integers(1, 4)] * 3)


def parity_of(shape):
    return function_of_table(np.fromfunction(lambda *rows: sum(rows) % 2, shape, dtype=int), (0, 1))


# Views


@FEW
@given(shapes, st.integers(1, 3))
def test_views_of_inputs_in_hand_number_inputs_and_coins(shape, coins):
    function = parity_of(shape)
    views = views_of(function, simultaneous(PLAYERS[:3]), {"bob": Coins(coins)}, public=4)
    assert [view.role for view in views] == ["alice", "bob", "carol", "referee"]
    assert [view.size for view in views] == [shape[0], shape[1] * coins, shape[2], 1]
    for index in range(views[1].size):
        assert views[1].arguments(index) == ((index // coins,), {"public": 4, "private": index % coins})
        shown = views[1].show(index)
        assert shown["bob"] == str(index // coins)
        assert shown["bob's coin"] == index % coins
    assert views[3].arguments(0) == ((), {"public": 4})


@FEW
@given(shapes)
def test_views_of_foreheads_number_what_is_seen(shape):
    *views, referee = views_of(parity_of(shape), replace(number_on_forehead(), channels="referee"), {})
    assert not referee.seen
    for own, view in enumerate(views):
        others = [range(size) for place, size in enumerate(shape) if place != own]
        assert view.size == math.prod(map(len, others))
        for index, values in enumerate(product(*others)):
            assert view.values(index) == values
            assert view.arguments(index) == ((values,), {})
        (arrays,), coins = view.rows(np.arange(view.size))
        assert coins == {}
        assert list(zip(*(array.tolist() for array in arrays), strict=True)) == list(product(*others))


@cases(
    "part",
    [BitStrings(3), Integers(5, low=2), Words.over("ab", 2), Subsets(4, [1, 2])],
)
def test_generator_and_array_views_show_the_same_inputs(part):
    function = TwoPartyFunction("zero", (part, part), (0,), lambda x, y: np.zeros(1, dtype=np.int8))
    view = views_of(function, two_way(), {})[0]
    (rows,), _ = view.rows(np.arange(part.size))
    assert len(rows) == part.size
    assert part.places(rows).tolist() == [part.index(view.values(index)[0]) for index in range(part.size)]
    assert not rows.flags.writeable


def test_rows_of_a_view_cannot_be_written_into():
    for private in ({}, {"alice": Coins(3)}):
        (rows,), coins = views_of(equality(3), two_way(), private)[0].rows(np.arange(4))
        for array in (rows, *(coins[name] for name in coins)):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 7


def test_a_view_may_have_more_inputs_than_an_array_can_number():
    view = views_of(equality(100), two_way(), {})[0]
    index = (1 << 99) + 5
    assert view.values(index) == (Bits.unsigned(index, 100),)
    (rows,), _ = view.rows(np.array([index], dtype=object))
    assert rows.tolist() == [index]


# Regions


@FEW
@given(shapes, st.data())
def test_a_rectangle_is_split_into_rectangles(shape, data):
    function = parity_of(shape)
    region = whole_region(views_of(function, simultaneous(PLAYERS[:3]), {}), shape)
    assert isinstance(region, ViewRectangle)
    check_splits(region, function, data, PLAYERS[:3])


@FEW
@given(shapes, st.data())
def test_a_cylinder_intersection_is_split_into_cylinder_intersections(shape, data):
    function = parity_of(shape)
    region = whole_region(views_of(function, number_on_forehead(), {}), shape)
    assert isinstance(region, CylinderIntersection)
    check_splits(region, function, data, PLAYERS[:3])


def inputs_of(region, table):
    cells = region.cells(table)
    return [region.inputs_at(table, place) for place in range(cells.size)]


def check_splits(region, function, data, players):
    """Parts are disjoint, cover the whole, and hold what the keys say; cells and spread values stay in place."""
    table = function.codes
    assert sorted(inputs_of(region, table)) == sorted(np.ndindex(table.shape))
    for _ in range(3):
        role = data.draw(st.sampled_from(players))
        size = len(region.sets[role])
        keys = np.array(data.draw(st.lists(st.integers(0, 5), min_size=size, max_size=size)))
        parts = region.split(role, keys)
        assert [key for key, _ in parts] == sorted(set(keys.tolist()))
        found = [pair for _, part in parts for pair in inputs_of(part, table)]
        assert sorted(found) == sorted(inputs_of(region, table))
        for key, part in parts:
            assert set(part.sets[role].tolist()) <= set(region.sets[role][keys == key].tolist())
            assert [table[pair] for pair in inputs_of(part, table)] == part.cells(table).ravel().tolist()
            spread = np.broadcast_to(part.spread(role, part.sets[role]), part.cells(table).shape).ravel()
            own = players.index(role)
            for pair, view in zip(inputs_of(part, table), spread, strict=True):
                if isinstance(part, ViewRectangle):
                    assert view == pair[own]
                else:
                    seen = [place for other, place in enumerate(pair) if other != own]
                    sizes = [count for other, count in enumerate(table.shape) if other != own]
                    assert view == np.ravel_multi_index(seen, sizes)
        region = parts[data.draw(st.integers(0, len(parts) - 1))][1]


def test_private_coins_repeat_the_cells_of_a_rectangle():
    function = parity_of((2, 3))
    region = whole_region(views_of(function, two_way(), {"bob": Coins(2)}), (2, 3))
    cells = region.cells(function.codes)
    assert cells.shape == (2, 6)
    assert (cells == np.repeat(function.codes, 2, axis=1)).all()
    assert region.inputs_at(function.codes, 6 + 5) == (1, 2)


# Memory


def test_exploring_a_table_that_cannot_fit_is_refused_before_anything_is_allocated():
    protocol = trivial(disjointness(20))
    tracemalloc.start()
    with pytest.raises(TableTooLargeError, match=r"the table of disjointness\(20\).* would need 1\.0 TiB"):
        protocol.explore()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@cases("function", [disjointness(40), pointer_chasing(16, 2)])
def test_larger_ones_are_refused_too(function):
    for look in (trivial(function).explore, trivial(function).measure_error, lambda: function.codes):
        with pytest.raises((TableTooLargeError, InputError), match=r"would need|at most"):
            look()


def test_exploring_foreheads_that_cannot_fit_is_refused(monkeypatch):
    from ccsim import errors

    function = MultipartyFunction(
        "zero", (Integers(64),) * 3, (0, 1), lambda x, y, z: np.zeros(1, dtype=np.int8), PLAYERS[:3]
    )

    @array_party
    def silent(others, heard):
        return AnswerEach(0)

    protocol = Protocol("forehead", function, dict.fromkeys(PLAYERS[:3], silent), number_on_forehead())
    protocol.explore().raise_if_wrong()
    monkeypatch.setattr(errors, "available_bytes", lambda: 1 << 20)  # the table takes 2^18, the list of inputs more
    with pytest.raises(TableTooLargeError):
        protocol.explore()


# Costs


def test_costs_are_formulas_with_values():
    assert Cost("n + 1", {"n": 4}).bits == 5
    assert [Cost("L(n)", {"n": n}).bits for n in (1, 2, 3, 4, 5, 8, 9, 1 << 20, (1 << 20) + 1)] == [
        0, 1, 2, 2, 3, 3, 4, 20, 21,
    ]  # fmt: skip
    assert Cost("2*k*(L(n) + 3)", {"n": 7, "k": 3}).bits == 36


def test_a_cost_that_is_no_integer_is_refused():
    with pytest.raises(InputError, match="an integer"):
        Cost("n/2", {"n": 3}).bits  # noqa: B018
    with pytest.raises(InputError, match="only n, not m"):
        Cost("n + m", {"n": 3}).bits  # noqa: B018
