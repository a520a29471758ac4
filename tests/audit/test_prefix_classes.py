"""What a state of so many bits must be wrong on: counted by classes of prefixes, and compared with all divisions."""

import itertools
import json
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from ccsim.auditing.product_reachability import Budget
from ccsim.auditing.requirements import PrefixClasses
from ccsim.auditing.tasks import automaton_task
from ccsim.bounds import softmax_bits
from ccsim.certificates import Certificate
from ccsim.cli.app import run_app
from ccsim.models.automata import Automaton
from ccsim.problems import majority_of_word, multi_query_associative_recall
from tests.printed import printed_json


def majority_classes(length, read):
    """How many prefixes have each number of ones that still matters, the largest first."""
    half, sizes = length // 2 + 1, Counter()
    for ones in range(read + 1):
        sizes[min(max(ones, half - (length - read) - 1), half)] += comb(read, ones)
    return sorted(sizes.values(), reverse=True)


OF_MAJORITY = max(sum(majority_classes(31, read)[8:]) for read in range(1, 31))
"""Wrong words with 8 states."""


def classes_of(task):
    return PrefixClasses.of(task, Budget())


def least(table, states):
    """The fewest wrong cells if each row takes one of so many rows of answers, by all ways to divide the rows."""
    found = table.size
    for division in itertools.product(range(states), repeat=len(table)):
        parts = [table[np.array(division) == part] for part in range(states)]
        found = min(found, sum(int(np.minimum((part == 0).sum(0), (part == 1).sum(0)).sum()) for part in parts))
    return found


def test_no_division_of_the_prefixes_is_wrong_on_fewer():
    for seed in range(12):
        generator = np.random.default_rng(seed)
        states, length = 2 + seed % 4, 3 + seed % 2
        outputs = generator.integers(0, 2, states)
        task = automaton_task(Automaton.of("ab", generator.integers(0, states, (states, 2)), outputs), length)
        found, codes = classes_of(task), np.asarray(task.codes(), dtype=np.int64)
        assert [len(each) for each in found.sizes] == found.counts, seed
        assert [sum(each) for each in found.sizes] == [2**read for read in range(1, length)], seed
        for read, bits in itertools.product(range(1, length), range(2)):
            table = codes.reshape(2**read, -1)
            assert len({tuple(row) for row in table.tolist()}) == len(found.sizes[read - 1]), seed
            assert sum(found.sizes[read - 1][1 << bits :]) <= least(table, 1 << bits), seed


def test_majority():
    found = classes_of(majority_of_word(5))
    assert found.sizes == ((1, 1), (2, 1, 1), (3, 3, 1, 1), (6, 5, 5))
    assert [found.least_wrong(bits) for bits in range(3)] == [10, 5, 0]
    assert found.worst == (3, 4)


def test_a_promise_has_no_classes():
    assert classes_of(multi_query_associative_recall(2)) is None


def test_sizes_for_any_task(capsys):
    for arguments, code, told in [
        (
            ["recurrent", "--task", "majority-of-word", "-n", "31"],
            1,
            f"wrong on {OF_MAJORITY} of {2**31} words or more",
        ),
        (["recurrent", "--task", "re:(ab)*", "-n", "40"], 0, "CAN: "),
        (["transformer", "--task", "mod:3", "-n", "6"], 0, "two parties with"),
        (["recurrent", "--task", "mod:3"], 2, "--length"),
        (["recurrent", "--task", "mod:3", "-n", "6", "--error", "1/4"], 0, "at most 0 bits of state"),
        (["recurrent", "--task", "re:a*", "-n", "4", "--error", "1/4"], 0, "no model has to be wrong on 1/4"),
        (["recurrent", "--task", "mod:3", "-n", "6", "--error", "2"], 2, "above 0 and below 1"),
        (["recurrent", "--task", "mod:3", "-n", "6", "--head-width", "2"], 2, "only transformers have it"),
        (["transformer", "--task", "mod:3", "-n", "6", "--error", "1/4"], 2, "a recurrent model"),
        (["recurrent", "--task", "mod:3", "-n", "60", "--save", "needs.json"], 2, "at most 16384 words"),
        (["recurrent", "--task", "match2", "-n", "6"], 2, "classes of prefixes"),
    ]:
        assert run_app(["size", *arguments, "--width", "1", "--precision", "3"]) == code, arguments
        out, err = capsys.readouterr()
        assert told in out + err, arguments
    share = ["--task", "mod:3", "-n", "6", "--error", "1/4", "--width", "1", "--precision", "3", "--json"]
    assert run_app(["size", "recurrent", *share]) == 0
    assert json.loads(capsys.readouterr().out)["wrong_up_to_bits"] == 0


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_what_a_size_lacks_is_plain_data_with_a_certificate(capsys, tmp_path, kind):
    file = tmp_path / "needs.json"
    arguments = ["size", kind, "--task", "majority-of-word", "-n", "9", "--width", "1", "--precision", "3", "--json"]
    code = run_app([*arguments, "--save", str(file)])
    told = printed_json("size", capsys.readouterr().out)
    assert code == told["excluded"] == (told["protocol_bits"] < told["needed_bits"])
    assert Certificate.load(file).verify() == told["certificate"]


def test_the_bits_with_which_every_model_fails_on_a_share():
    found = classes_of(majority_of_word(5))  # wrong on 10, 5 and 0 of 32 words with 0, 1 and 2 bits
    shares = Fraction(1, 3), Fraction(10, 32), Fraction(9, 32), Fraction(5, 32), Fraction(1, 32)
    assert [found.bits_that_fail(share) for share in shares] == [None, 0, 0, 1, 1]


def test_a_window_on_halves_may_be_rounded_up(capsys):
    bits = {}
    squares = "|".join(format(number, "04b") * 2 for number in range(16))
    for window in (6, 8):
        arguments = ["size", "transformer", "--task", f"re:{squares}", "-n", "8", "--width", "1", "--precision", "3"]
        run_app([*arguments, "--window", str(window), "--json"])
        told = json.loads(capsys.readouterr().out)
        assert "two halves" in told["reason"]
        bits[window] = told["protocol_bits"]
    size = {"head_width": 1, "heads": 1, "precision": 3, "length": 8, "symbols": 2}
    assert bits == {6: softmax_bits(**size, window=6) + 2, 8: softmax_bits(**size)}
