"""Growth over sizes: what grows as claimed passes, what grows faster fails, also if it starts far below the curve."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.claims import Claim, Constant, Direction, Finding, Parameter, Word, sizes_up_to
from ccsim.claims.growth import growth_fault
from ccsim.claims.verdict import Judgement
from tests.claims.made import made

SIZES = (8, 16, 32, 64, 128, 256, 512)
LOG, LINE, ROOT, LOG_LINE = "c*log(N, 2)", "c*N", "c*sqrt(N)", "c*N*log(N, 2)"


def claim(formula=LOG, value="45", direction=Direction.UPPER, **more):
    parameters, constant = (Parameter("length", "N", 512),), Constant(value, "declared", **more)
    return made(direction=direction, formula=formula, constant=constant, parameters=parameters, measure=Finding)


def series(function, sizes=SIZES):
    return tuple((size, function(size)) for size in sizes)


def word(own, points, **more):
    finding = Finding(series=tuple(points), checked=1, of=1, **more)
    return Judgement(own, {"length": 512}, finding).word


def log(size):
    return size.bit_length() - 1


AS_CLAIMED = [
    (LOG, log),
    (LOG, lambda size: 30 + log(size)),
    (LOG, lambda size: 3 * log(size) - 8),
    (LOG, lambda size: 7),
    (LOG, lambda size: 100 - log(size)),
    (LOG, lambda size: 2 * math.ceil(5.3 * math.log(size)) + 5),
    (LOG, lambda size: Fraction(7, 3) * log(size)),
    (LOG, lambda size: log(size) + math.ceil(math.log2(log(size)))),
    (LINE, lambda size: size),
    (LINE, lambda size: 44 * size + 3),
    (LINE, log),
    (LOG_LINE, lambda size: size * log(size)),
    (ROOT, math.isqrt),
]

SEARCHED = [  # least dimensions and precisions that were searched for: they go up and down, or set in late
    (64, 64, 101, 162, 213, 296, 296),
    (5, 64, 100, 101, 162, 213, 296),
    (7, 80, 148, 230, 289, 449, 589),
    (7, 7, 9, 15, 18, 20, 22),
    (20, 20, 20, 20, 24, 28, 32),
]

FASTER = [
    (LOG, lambda size: log(size) + math.isqrt(size)),
    (LOG, lambda size: log(size) + size // 64),
    (LOG, lambda size: Fraction(size, 4)),
    (LOG, lambda size: 30 + size // 32),
    (LOG, lambda size: 8 * log(size) + size // 4),
    (LOG, lambda size: log(size) ** 2),
    (LOG, lambda size: size),
    (LINE, lambda size: size * log(size)),
    (LINE, lambda size: size + size * size // 512),
    (ROOT, lambda size: math.isqrt(size) + size // 8),
    (LOG_LINE, lambda size: size * log(size) ** 2),
]


def test_what_grows_as_claimed_or_slower_passes():
    for place, (formula, function) in enumerate(AS_CLAIMED):
        assert word(claim(formula), series(function)) is Word.HOLDS, place


def test_what_goes_up_and_down_or_sets_in_late_passes_unless_a_steeper_line_is_added():
    for values in SEARCHED:
        assert word(claim(LOG, "200"), zip(SIZES, values, strict=True)) is Word.HOLDS
        slope = Fraction(4 * (max(values) - values[3] + 20), 512)
        steeper = [(size, value + math.floor(slope * size)) for size, value in zip(SIZES, values, strict=True)]
        assert word(claim(LOG, "10000"), steeper) is Word.BROKEN


def test_what_grows_faster_fails_however_large_the_constant():
    for place, (formula, function) in enumerate(FASTER):
        for constant in ("1", "45", "10000"):
            assert word(claim(formula, constant), series(function)) is Word.BROKEN, (place, constant)


@settings(max_examples=40)
@given(
    st.integers(1, 60), st.integers(0, 200), st.sampled_from([LOG, LINE, ROOT, LOG_LINE]), st.integers(0, 10), st.data()
)
def test_rounded_affine_functions_of_the_curve_pass(factor, offset, formula, start, data):
    sizes = tuple(size << start for size in SIZES)
    growth = {LOG: math.log2, LINE: float, ROOT: math.sqrt, LOG_LINE: lambda size: size * math.log2(size)}[formula]
    up = data.draw(st.sampled_from([math.floor, math.ceil, round]))
    points = series(lambda size: up(factor * growth(size) / 3) + offset, sizes)
    fault = growth_fault(claim(formula, "100000"), {"length": sizes[-1]}, Finding(series=points))
    assert fault == ""


@given(st.integers(0, 20), st.integers(0, 500), st.integers(1, 8), st.integers(0, 10))
def test_a_line_that_is_added_to_a_logarithm_is_seen(factor, offset, parts, start):
    """If it rises as much as the logarithm does, over the last half of the sizes, and by 8."""
    sizes = tuple(size << start for size in SIZES)
    slope = max(Fraction(parts * factor * 3, sizes[-1] - sizes[3]), Fraction(8, sizes[-1] - sizes[3]))
    points = series(lambda size: factor * log(size) + offset + math.ceil(slope * size), sizes)
    assert "rises" in growth_fault(claim(LOG, "100000"), {"length": sizes[-1]}, Finding(series=points))


@given(st.integers(1, 50), st.integers(0, 100), st.floats(1.6, 4))
def test_a_power_is_told_from_a_line(factor, offset, power):
    points = series(lambda size: round(factor * size**power) + offset)
    assert growth_fault(claim(LINE, "1000000000"), {"length": 512}, Finding(series=points)) != ""


@given(st.sampled_from(AS_CLAIMED), st.sampled_from(range(len(SIZES))))
def test_one_value_above_the_curve_is_enough(case, place):
    formula, function = case
    own = claim(formula)
    points = list(series(function))
    above = float(own.claimed({"length": SIZES[place]})) + 1
    points[place] = (SIZES[place], Fraction(above))
    assert word(own, points) is Word.BROKEN


def test_the_curve_itself_is_allowed_and_just_above_it_is_not():
    own = claim(LOG, "2")
    assert word(own, series(lambda size: 2 * log(size))) is Word.HOLDS
    assert word(own, series(lambda size: 2 * log(size) + Fraction(size == 512, 10**9))) is Word.BROKEN


# Lower bounds


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (log, ""),
        (lambda size: 20 + log(size), ""),
        (lambda size: size, ""),
        (lambda size: min(size, 64), "rises by 0, less"),
        (lambda size: 20, "rises by 0, less"),
        (lambda size: log(size) - 1, "below"),
        (lambda size: 100 - log(size), "less"),
        (lambda size: 20 + log(size) // 2, "less"),
    ],
)
def test_a_lower_bound_must_go_on_rising(function, expected):
    own = claim(LOG, "1", Direction.LOWER)
    fault = growth_fault(own, {"length": 512}, Finding(series=series(function)))
    assert (expected in fault) if expected else not fault


# Sizes


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ((8, 64, 256, 512), "needs 5 sizes over a factor of 64"),
        ((16, 32, 64, 128, 256, 512), "needs 5 sizes over a factor of 64"),
        ((512,), "two sizes or more, in order"),
        ((), "two sizes or more, in order"),
        ((8, 32, 16, 64, 512), "in order"),
        ((8, 8, 32, 64, 512), "in order"),
    ],
)
def test_sizes_are_five_over_a_factor_of_64_in_order(sizes, reason):
    assert reason in growth_fault(claim(), {"length": 512}, Finding(series=series(log, sizes)))


def test_away_from_the_default_sizes_fewer_are_enough_but_the_trend_is_looked_at():
    few = (8, 16, 32, 64)
    assert growth_fault(claim(), {"length": 64}, Finding(series=series(log, few))) == ""
    assert growth_fault(claim(), {"length": 64}, Finding(series=series(lambda size: size, few))) != ""


def test_where_seconds_do_not_allow_more_the_reason_is_given_and_values_are_compared_all_the_same():
    own = claim(short="each size takes a minute")
    assert growth_fault(own, {"length": 512}, Finding(series=series(log, (8, 16)))) == ""
    assert "above" in growth_fault(own, {"length": 512}, Finding(series=series(lambda size: 10**6, (8, 16))))
    assert "in order" in growth_fault(own, {"length": 512}, Finding(series=series(log, (16, 8))))


@given(st.integers(1, 1 << 20), st.integers(1, 64), st.integers(1, 8))
def test_sizes_up_to_a_largest_one_are_multiples_in_order_and_wide_where_they_can_be(largest, low, step):
    sizes = sizes_up_to(largest, low=low * step, step=step)
    assert list(sizes) == sorted(set(sizes))
    assert all(low * step <= size <= largest and size % step == 0 for size in sizes)
    if largest % (64 * step) == 0 and largest >= 64 * low * step:
        assert sizes[-1] == 64 * sizes[0] == largest
        assert len(sizes) == 7


def test_our_own_account_is_compared_at_every_size():
    own = Claim(**{**vars(claim()), "ours": "3*N"})
    assert word(own, series(lambda size: 3 * log(size))) is Word.BROKEN
    exact = Claim(**{**vars(claim(LINE)), "ours": "3*N + 5"})
    assert word(exact, series(lambda size: 3 * size + 5)) is Word.HOLDS
    assert word(exact, [*series(lambda size: 3 * size + 5)[:2], (32, 102), *series(lambda size: 3 * size + 5)[3:]]) is (
        Word.BROKEN
    )
