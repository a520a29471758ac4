"""Which lengths exclude one-layer transformers, against a count from definitions."""

import inspect

import numpy as np
import pytest

from ccsim import InputError
from ccsim.families import exclusion, language, read_language
from tests.cases import cases
from tests.slow import slow


def _bits(values):
    return (values - 1).bit_length()


def _cost(alice, bob, *, symbols, width, heads, precision):
    """The table of docs/proofs/softmax_protocol.md, each power written out."""
    step = 2 ** (precision - 2)
    maxima = sum(_bits(max(1, held * symbols) ** heads) for held in (alice, bob))
    sums = sum(_bits((held * step + 1) ** heads) for held in (alice, bob))
    return _bits(symbols) + maxima + sums + _bits((step * (2**precision - 1) + 1) ** (heads * width)) + 1


def _expected(found, length, blank, size, symbols):
    """Whether some partition, with any partition of the rest of the word, needs more than the protocol costs."""
    for one in found.partitions:
        periods, rest = divmod(length, len(one.partition))
        if not periods or (rest and blank is None):
            continue
        need, least = one.lower(length - rest), periods * one.partition.count("A")
        held = range(least, least + rest + 1)
        if any(need > _cost(alice, length - alice, symbols=symbols, **size) for alice in held):
            return True
    return False


SIZES = [(1, 8, 16), (16, 1, 3)]


@pytest.mark.parametrize(
    ("expression", "blank"),
    [
        slow("(a|b|c)*aa(a|b|c)*", "_"),
        ("(ab)*", "_"),
        slow("(a|b)*abba(a|b)*", "_"),
        ("(a(ab)*b)*", None),
        slow("((a|b)(c|d))*", None),
    ],
)
def test_sizes_of_every_order_agree_with_the_count(expression, blank):
    found = language(read_language(expression), blank=blank, longest=2 + (blank is not None), rounds=1)
    letters = len(found.automaton.alphabet) + (blank is not None)
    rng = np.random.default_rng(0)
    for width, heads, precision in SIZES:
        size = {"width": width, "heads": heads, "precision": precision}
        known = found.excluded(**size)
        excluded = set(known.lengths)
        edges = [known.first or 1, known.tail[1] if known.tail else 1]
        near = {length + by for length in edges for by in range(-2, 3) if 1 <= length + by <= 8192}
        for length in {*range(1, 20), *near, *rng.integers(1, 8193, 2).tolist()}:
            assert (length in excluded) == _expected(found, length, blank, size, letters), (length, size)


def test_the_true_numbers_of_positions_count():
    found = language(read_language("(a|b|c)*aa(a|b|c)*"), blank="_", longest=2, rounds=1)
    assert found.excluded(width=1, heads=1, precision=8).tail == (1, 114)


def test_without_a_blank_odd_lengths_are_not_excluded():
    found = language(read_language("(a(ab)*b)*"), longest=2, rounds=2).excluded()
    assert found.tail == (2, 616)
    assert all(length % 2 == 0 for length in found.lengths)


def test_needs_that_come_and_go_are_told_as_they_are():
    size = {"width": 1, "heads": 1, "precision": 3, "symbols": 2, "blank": False}
    found = exclusion([("AAB", [0 if n % 2 else 9 * n for n in range(1, 2731)])], **size)
    assert found.tail == (6, 12)
    assert exclusion([("AB", [1] * 4096)], **size).first is None
    once = exclusion([("AB", [99] + [1] * 4095)], **size)
    assert (once.lengths, once.tail) == ((2,), None)


@cases("partition", ["AAAB", "ABBB"])
def test_the_rest_of_a_word_is_dealt_in_every_way(monkeypatch, partition):
    """The protocol costs the least, 18 to 20 bits at these lengths, where one party has the whole rest."""
    monkeypatch.setitem(inspect.unwrap(exclusion).__globals__, "FARTHEST", 7)
    found = exclusion([(partition, [20])], width=1, heads=1, precision=3, symbols=3, blank=True)
    assert found.lengths == (4, 5, 6)


@cases(("name", "value"), [("width", 0), ("width", -3), ("heads", 0), ("precision", 2)])
def test_what_is_no_size_is_refused(name, value):
    size = {"width": 1, "heads": 1, "precision": 3, "symbols": 2, "blank": False, name: value}
    with pytest.raises(InputError, match=name):
        exclusion([("AB", [9, 18])], **size)
