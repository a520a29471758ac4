"""Where log log N comes from: a sum of N exponentials, told to a factor of 1 + 2^-p by a number with an exponent."""

from __future__ import annotations

from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols.papers.growing import Looked, grown

__all__ = ["messages_of_a_normaliser", "significant"]


def messages_of_a_normaliser(length: int, precision: int) -> Finding:
    """How many messages tell a sum of N exponentials with p significant bits, for more and more rows.

    An exponential has 0 to s steps, s = 2^(p-2), and the largest is s: all sums from s to N s are gone through, each is
    cut to p significant bits, and the different numbers are counted.
    """
    if not 3 <= precision <= 12:
        raise InputError("precision", precision, "3 to 12 bits, so that all sums can be gone through")
    return grown(sizes_up_to(length, low=4), lambda rows: _counted(rows, precision))


def _counted(rows: int, precision: int) -> Looked:
    least = 1 << precision - 2
    wrong, told = [], set()
    for total in range(least, rows * least + 1):
        mantissa, exponent = significant(total, precision)
        told.add((mantissa, exponent))
        if (total - (mantissa << exponent)) << precision - 1 >= total:
            wrong.append(f"{total} is told as {mantissa} 2^{exponent}, off by 2^-{precision - 1} of it")
    return Looked(len(told), (rows - 1) * least + 1, (rows - 1) * least + 1, wrong[:1])


def significant(total: int, precision: int) -> tuple[int, int]:
    """A mantissa below 2^p and an exponent: the first p binary digits of a whole number, and how many are left out."""
    exponent = max(0, total.bit_length() - precision)
    return total >> exponent, exponent
