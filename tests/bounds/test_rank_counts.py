"""How many 0/1 matrices have each rank, against published counts."""

import math
from collections import Counter

import numpy as np
import pytest

from ccsim.bounds.rank import LARGE_PRIME, rank_modulo
from ccsim.engine import draw

# OEIS A064230 (Zivkovic 2006) and A286331.
REAL = {4: [1, 225, 6750, 36000, 22560], 5: [1, 961, 118800, 3159750, 17760600, 12514320]}


def matrices(size, numbers):
    for number in numbers:
        yield np.array([number >> place & 1 for place in range(size * size)]).reshape(size, size)


@pytest.mark.slow
def test_counts_of_all_four_by_four_matrices_by_rational_rank():
    counts = Counter(rank_modulo(table, LARGE_PRIME) for table in matrices(4, range(1 << 16)))
    assert [counts[rank] for rank in range(5)] == REAL[4]


def test_shares_of_five_by_five_matrices_by_rational_rank():
    """4000 matrices from a fixed seed: each share within five standard deviations of the published one."""
    drawn = 4000
    numbers = [draw(1 << 25, 5, "matrix", number) for number in range(drawn)]
    counts = Counter(rank_modulo(table, LARGE_PRIME) for table in matrices(5, numbers))
    for rank, published in enumerate(REAL[5]):
        share = published / 2**25
        spread = math.sqrt(drawn * share * (1 - share))
        assert abs(counts[rank] - drawn * share) <= 5 * spread + 1
