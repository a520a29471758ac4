"""How wrong a model must be that has too few bits: a number of words, or a share of them.

Two reasons, each for every length:

- *A fooling set* of F words. A rectangle on which one answer is given, or the words that lead to one state, holds k of
  them. Of any two of these that are answered rightly, one of the two words that mix them is answered wrongly; so at
  least k - 1 words are wrong. With m bits there are at most 2^m rectangles, and at least F - 2^m words are wrong.
- *Entropy*. A state of b bits that lets a reader know each of N independent bits with error e has (1 - H(e)) N <= b
  (Kremer, Nisan and Ron 1999). So for every e with (1 - H(e)) N > b, more than that share of all words is wrong, when
  the N bits and the place that is asked for are uniform.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ccsim.bounds.one_message.index_bound import keeps_entropy_bound
from ccsim.errors import InputError

PARTS = 1 << 9  # parts into which bits per place are cut before entropies are compared
MOST_WRITTEN = 1 << 14  # bits of a number of words that is written out
FINEST = 64  # bits to which a share of words is told, rounded down
STEPS = 200  # shares that are told apart
FOOLING: Mapping[tuple[str, str], Callable[[int], int]] = {
    ("dyck", "transformer"): lambda length: length - 1,
    **{
        (f"{name}-of-halves", kind): lambda length: length // 2
        for name in ("equality", "inequality", "disjointness", "intersection")
        for kind in ("recurrent", "transformer")
    },
}
"""For tasks and kinds of model, the logarithm of the size of a fooling set."""

ENTROPY = ("index-lookup", "associative-recall")
"""Tasks in which one of N independent bits is asked for."""


@dataclass(frozen=True)
class LeastError:
    """What every model of a size is wrong on at a length.

    Attributes:
        share: of all words, more than this share; or of as many words as the set has, at least this share. 0 if
            nothing is known.
        words: at least so many words, where that is what is known and not too long a number.
        told: the same in words.
    """

    share: Fraction
    words: int | None
    told: str

    def __str__(self) -> str:
        return self.told


def least_error(task: str, kind: str, bits: int, length: int) -> LeastError | None:
    """What a protocol, or a state, of so many bits must be wrong on; None for a task of which nothing is known here.

    >>> str(least_error("index-lookup", "recurrent", 50, 100))
    'wrong on more than 11.0% of all words (every string of 100 bits, every place asked for)'
    >>> str(least_error("dyck", "transformer", 60, 100))
    'wrong on at least 2^99 - 2^60 words; the language has 2^99'
    >>> str(least_error("equality-of-halves", "recurrent", 3, 8))
    'wrong on at least 2^4 - 2^3 words; the fooling set has 2^4'
    """
    if task in ENTROPY and kind == "recurrent":
        share, among = _share(bits, length), f"all words (every string of {length} bits, every place asked for)"
        told = f"wrong on more than {float(share):.1%} of {among}" if share else f"no share of {among} is known"
        return LeastError(share, None, told)
    if (task, kind) not in FOOLING:
        return None
    exponent = FOOLING[task, kind](length)
    spare = max(0, exponent - bits)
    whole = "the language" if task == "dyck" else "the fooling set"
    told = (
        f"wrong on at least 2^{exponent} - 2^{bits} words; {whole} has 2^{exponent}" if spare else "no error is known"
    )
    wrong = ((1 << spare) - 1) << bits if exponent <= MOST_WRITTEN else None
    return LeastError(1 - Fraction(1, 1 << min(spare, FINEST)), wrong, told)


def _share(bits: int, length: int) -> Fraction:
    """The largest error, of those told apart, that so many bits for so many places do not allow."""
    return _share_of(min(PARTS, -(-bits * PARTS // length)))


@cache
def _share_of(parts: int) -> Fraction:
    """The same for so many parts of a bit per place."""
    if parts >= PARTS:
        return Fraction(0)
    low, high = 0, STEPS // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps_entropy_bound(Fraction(middle, STEPS), PARTS, parts) else (middle, high)
    return Fraction(low, STEPS)


def require_share(task: str, error: Fraction | str) -> Fraction:
    """The share as a fraction; raises :class:`~ccsim.errors.InputError` if it is none that a model can be wrong on."""
    high = Fraction(1, 2) if task in ENTROPY else Fraction(1)
    try:
        share = Fraction(error)
    except (ValueError, TypeError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share < high or share.denominator > 1000:
        raise InputError("error", error, f"above 0 and below {high}, of denominator at most 1000, for {task}")
    return share


def spare_bits(task: str, kind: str, error: Fraction) -> Callable[[int], int] | None:
    """For each length so many bits that with fewer a model is wrong on this share at least; None if nothing is known.

    The share is of all words where any bit may be asked for, and of as many words as the fooling set has elsewhere.

    >>> [spare_bits("index-lookup", "recurrent", Fraction(1, 10))(length) for length in (10, 100, 1000)]
    [6, 53, 530]
    >>> spare_bits("dyck", "transformer", Fraction(1, 2))(100)
    99
    """
    if task in ENTROPY and kind == "recurrent":
        parts = _kept(error)
        return lambda length: -(-parts * length // PARTS)
    if (task, kind) not in FOOLING:
        return None
    exponent = FOOLING[task, kind]
    lost = 0
    while Fraction(1, 1 << lost) > 1 - error:
        lost += 1
    return lambda length: max(0, exponent(length) - lost + 1)


def _kept(error: Fraction) -> int:
    """The most parts of a bit per place that do not allow the error."""
    low, high = 0, PARTS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps_entropy_bound(error, PARTS, middle) else (middle, high)
    return low
