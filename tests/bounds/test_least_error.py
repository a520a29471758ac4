"""How wrong models of few bits must be: beside every protocol and every machine, at tiny sizes."""

import itertools
from fractions import Fraction
from functools import cache

import pytest

from ccsim import InputError
from ccsim.bounds import least_error, model
from ccsim.bounds.model_size import FOOLING, spare_bits
from tests.printed import printed_json
from tests.test_cli import ccsim

__all__ = ["ccsim"]

HALVES = {
    "equality": lambda x, y: x == y,
    "inequality": lambda x, y: x != y,
    "disjointness": lambda x, y: not x & y,
    "intersection": lambda x, y: bool(x & y),
}


def least_wrong_of_messages(table, messages):
    """The fewest wrong cells of any message of so many values: over all ways to sort rows into classes."""
    least = len(table) * len(table[0])
    for classes in itertools.product(range(messages), repeat=len(table)):
        wrong = 0
        for message in set(classes):
            rows = [row for row, own in zip(table, classes, strict=True) if own == message]
            wrong += sum(min(sum(column), len(rows) - sum(column)) for column in zip(*rows, strict=True))
        least = min(least, wrong)
    return least


def least_wrong_of_protocols(table, depth):
    """The fewest wrong cells of any protocol tree of a depth at whose leaves both know the answer."""

    @cache
    def best(rows, columns, left):
        ones = sum(table[row][column] for row in rows for column in columns)
        found = min(ones, len(rows) * len(columns) - ones)
        if not left or not found:
            return found
        for lines, of_alice in ((rows, True), (columns, False)):
            for size in range(1, len(lines)):
                for part in itertools.combinations(lines, size):
                    rest = tuple(line for line in lines if line not in part)
                    pair = [(part, columns), (rest, columns)] if of_alice else [(rows, part), (rows, rest)]
                    found = min(found, sum(best(*one, left - 1) for one in pair))
        return found

    return best(tuple(range(len(table))), tuple(range(len(table[0]))), depth)


def test_halves_beside_every_message_and_every_protocol():
    for name in HALVES:
        for bits in [0, 1, 2]:
            table = [[int(HALVES[name](x, y)) for y in range(4)] for x in range(4)]
            task = f"{name}-of-halves"
            assert least_error(task, "recurrent", bits, 4).words <= least_wrong_of_messages(table, 1 << bits)
            assert least_error(task, "transformer", bits, 4).words <= least_wrong_of_protocols(table, bits)


def test_index_beside_every_message():
    for length, bits in [(2, 1), (3, 0), (3, 1)]:
        table = [[word >> place & 1 for place in range(length)] for word in range(1 << length)]
        least = Fraction(least_wrong_of_messages(table, 1 << bits), length << length)
        assert 0 < least_error("index-lookup", "recurrent", bits, length).share < least


def test_what_is_wrong_from_a_length_on_is_wrong_there_and_not_claimed_before():
    for task, kind in FOOLING:
        size = {"width": 2, "precision": 8}
        for error in (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)):
            at = model(kind, **size, task=task, error=error).wrong_from
            assert model(kind, **size, task=task, length=at).error.share >= error
            assert model(kind, **size, task=task, length=at - 2).error.share < error


def test_index_is_wrong_on_the_share_from_the_length_on():
    for error in ("2/5",):
        at = model("recurrent", width=4, precision=8, task="index-lookup", error=error).wrong_from
        shares = [
            model("recurrent", width=4, precision=8, task="index-lookup", length=n).error.share for n in (at, 4 * at)
        ]
        assert shares[0] >= Fraction(error) - Fraction(1, 200)
        assert shares[1] > Fraction(error)


def test_sizes_may_be_huge():
    found = least_error("dyck", "transformer", 513, 1 << 60)
    assert found.words is None
    assert 1 - found.share == Fraction(1, 1 << 64)


def test_nothing_is_said_where_nothing_is_known():
    assert least_error("dyck", "recurrent", 1, 10) is None
    assert spare_bits("index-lookup", "transformer", Fraction(1, 4)) is None
    assert least_error("equality-of-halves", "recurrent", 9, 8).share == 0
    with pytest.raises(InputError, match="above 0 and below 1/2"):
        model("recurrent", width=4, precision=8, task="index-lookup", error="1/2")
    with pytest.raises(InputError, match="above 0 and below 1"):
        model("transformer", width=4, precision=8, task="dyck", error="often")


def test_the_command_tells_it_and_knows_public_sizes(ccsim):
    code, out, _ = ccsim("size", "--preset", "gpt2", "--task", "dyck", "-n", 30000, "--error", "1/2", "--json")
    data = printed_json("size", out)
    assert code == 1
    assert (data["preset"], data["size"]["heads"], data["wrong_from"]) == ("gpt2", 12, data["excluded_from"] + 2)
    assert data["error"]["share"] > 0.99
    told = ccsim("size", "--preset", "gpt2", "--task", "dyck")[1]
    assert "GPT-2 small" in told
    assert "openai-community/gpt2" in told
    assert ccsim("size", "--preset", "gpt5", "--task", "dyck")[0] == 2
    assert ccsim("size", "--preset", "gpt2", "--task", "dyck", "--heads", 2)[0] == 2
    recurrent = ("size", "--preset", "mamba-130m", "--task", "index-lookup", "--json", "--precision")
    half, full = (printed_json("size", ccsim(*recurrent, bits)[1])["excluded_from"] for bits in (16, 32))
    assert full - 1 == 2 * (half - 1) == 32 * 24 * 1536 * 19
    assert ccsim("size", "transformer", "--task", "dyck")[0] == 2
