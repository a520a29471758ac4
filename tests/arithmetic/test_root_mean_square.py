"""Zonotopes of vectors over their root mean square: exact points stay inside, also where numbers hardly fit 64 bits."""

from fractions import Fraction
from itertools import product
from math import isqrt

import numpy as np
import pytest

from ccsim.arithmetic.root_mean_square import over_root_mean_square
from ccsim.arithmetic.zonotopes import UNIT

CASES = {  # bits of centres, of generators, of the scale, and the extra
    "short vectors": (12, 8, 16, 1 << 10),
    "vectors that may be tiny": (27, 27, 24, 16),
    "vectors whose squares do not fit": (36, 10, 24, 16),
    "vectors that just fit": (27, 20, 24, 1 << 20),
}
CORNERS = np.array([[0, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]])


def vectors(bits, spread, seed):
    """Centres (batch, 3), generators (batch, 3, 2) and radii (batch, 3)."""
    generator = np.random.default_rng(seed)
    centre = generator.integers(-(1 << bits), 1 << bits, size=(40, 3))
    generators = generator.integers(-(1 << spread), 1 << spread, size=(40, 3, 2))
    return centre, generators, generator.integers(50, size=(40, 3))


def exact(point, scale, extra):
    """s c / D of one vector in steps of 1 / UNIT, whose numbers are whole."""
    divisor = isqrt(sum(x * x for x in point) // len(point) + extra)
    return [Fraction(x * scale * UNIT, divisor) for x in point]


@pytest.mark.parametrize("name", CASES)
def test_what_is_enclosed_is_inside(name):
    """Of whole vectors at the corners and in the middle; those for which nothing is claimed are left out."""
    bits, spread, scale_bits, extra = CASES[name]
    centre, generators, radius = (part // UNIT * UNIT for part in vectors(bits, spread, 0))
    scale = 1 << scale_bits
    whole = (np.abs(centre) + np.abs(generators).sum(axis=2) + radius).astype(object) // UNIT + 1
    squares = np.zeros((40, 1), dtype=object), (whole**2).sum(axis=1)[:, None]
    middle, parts, rest, holds = over_root_mean_square(
        centre, generators, radius, squares, scale=scale, extra=extra, unit=UNIT
    )
    assert holds.any() != (name == "vectors whose squares do not fit")
    for place, corner in product(np.flatnonzero(holds), CORNERS):
        point = (centre[place] + generators[place] @ corner) // UNIT
        told, values = middle[place] + parts[place] @ corner, exact(point.tolist(), scale, extra)
        for value, near, far in zip(values, told.tolist(), rest[place].tolist(), strict=True):
            assert abs(value - near) <= far, (name, place, corner)
