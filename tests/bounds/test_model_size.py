"""What communication says about the size of models: against plain counting, certificates, and every small protocol."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy

from ccsim import InputError
from ccsim.arithmetic import Precision
from ccsim.auditing import Budget
from ccsim.auditing.requirements import PrefixClasses
from ccsim.bounds import REQUIREMENTS, deterministic, least_error, model, task_certificate
from ccsim.bounds.model_size import FOOLING, as_function, spare_bits
from ccsim.bounds.protocol_bits import power_bits, recurrent_bits
from ccsim.problems import (
    associative_recall,
    dyck,
    equality_of_halves,
    index_lookup,
    multi_query_associative_recall,
)
from ccsim.problems.catalogue import find_problem
from tests.bounds.brute_force import answer_tables
from tests.printed import printed_json
from tests.slow import slow
from tests.test_cli import ccsim

__all__ = ["ccsim"]


@pytest.mark.parametrize("task", REQUIREMENTS)
@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
@pytest.mark.parametrize(("width", "precision", "heads"), [(1, 3, 1), slow(2, 8, 2), slow(8, 16, 1)])
def test_excluded_from_is_where_plain_counting_puts_it(kind, task, width, precision, heads):
    heads = heads if kind == "transformer" else 1
    step = REQUIREMENTS[task].step
    found = model(kind, width=width, precision=precision, heads=heads, task=task)
    lengths = range(max(2, step), 700 if width > 1 else 200, step)
    excluded = [
        model(kind, width=width, precision=precision, heads=heads, task=task, length=length).excluded
        for length in lengths
    ]
    if found.excluded_from is None:
        assert not any(excluded[-20:])
        assert found.vacuous
        return
    plain = max((length for length, out in zip(lengths, excluded, strict=True) if not out), default=0) + step
    assert found.excluded_from == max(plain, step)
    assert not found.vacuous


def test_known_thresholds():
    assert recurrent_bits(4, 8) == 32
    found = model("recurrent", width=4, precision=np.int64(8), task="index-lookup", length=33)
    assert (found.excluded_from, found.excluded, found.smallest_width) == (33, True, 5)
    assert model("recurrent", width=4, precision=8, task="index-lookup", length=32).vacuous
    real = model("transformer", width=128, precision=32, task="dyck", length=512)
    assert real.excluded is False
    assert real.excluded_from > 7000
    assert "vacuous at N = 512" in str(real)


def test_the_smallest_width_is_the_least_that_is_not_excluded():
    for length in (64, 256, 1024):
        least = model("transformer", width=1, precision=8, task="dyck", length=length).smallest_width
        assert not model("transformer", width=least, precision=8, task="dyck", length=length).excluded
        if least > 1:
            assert model("transformer", width=least - 1, precision=8, task="dyck", length=length).excluded
        found = model("transformer", width=1, precision=8, task="dyck", length=length)
        value = found.closed_form().subs(
            dict(zip(sorted(found.closed_form().free_symbols, key=str), (1, length, 8, 4), strict=False))
        )
        assert sympy.N(value) <= least


@pytest.mark.parametrize("precision", [Precision.fixed_point(0, 6), Precision(1000, -5, 5), Precision.polynomial(8, 2)])
def test_formulas_are_those_of_the_given_steps(precision):
    found = model("transformer", width=3, precision=precision, task="equality-of-halves", length=20000)
    sizes = {"N": 20000, "H": 1, "p": precision.bits, "s": 2, "v": 3}

    def at(expression):
        return expression.subs({symbol: sizes[symbol.name] for symbol in expression.free_symbols})

    assert at(found.equation.lhs) == found.protocol_bits
    assert found.smallest_width - 2 < sympy.N(at(found.closed_form())) <= found.smallest_width


def test_transformers_are_not_bounded_where_two_parties_need_little():
    found = model("transformer", width=1, precision=3, task="index-lookup", length=10**6)
    assert found.vacuous
    assert "vacuous at every length" in str(found)
    assert found.closed_form() is None


def test_the_inequality_is_the_exact_one():
    found = model("recurrent", width=4, precision=8, task="index-lookup", length=64)
    m, p, n = (sympy.Symbol(name, positive=True, integer=True) for name in "mpN")
    assert found.equation == (m * p >= n)


def test_bad_input_names_the_argument():
    for argument, value in [
        ("kind", "perceptron"),
        ("task", "chess"),
        ("width", 0),
        ("heads", 0),
        ("precision", 2),
        ("length", 7),
    ]:
        arguments = {"kind": "transformer", "width": 4, "precision": 8, "task": "dyck", "heads": 1, "length": 8}
        with pytest.raises(InputError, match=argument):
            model(**{**arguments, argument: value})


def test_the_length_of_a_task_is_that_of_the_formulas():
    for task, length in [
        (index_lookup(1), 1),
        (index_lookup(5, "abc"), 5),
        (associative_recall(3), 3),
        (associative_recall(3, "abcdef", "012"), 3),
        (multi_query_associative_recall(4), 4),
        (multi_query_associative_recall(4, 1), 4),
        (dyck(6), 6),
        (equality_of_halves(6), 6),
    ]:
        found = model("recurrent", width=1, precision=3, task=task)
        assert found.length == length
        if not task.name.startswith(("dyck", "equality")):
            assert found.needed_bits == length


def test_tasks_without_a_formula_are_refused():
    for task in [
        dyck(8, 1, 2),
        dyck(8, 2, 1),
        dyck(8, 3, 3),
        index_lookup(10, "0"),
        associative_recall(3, values="0"),
        multi_query_associative_recall(3, values="0"),
        None,
        5,
    ]:
        with pytest.raises(InputError, match="task"):
            model("recurrent", width=1, precision=3, task=task)


def test_brackets_need_as_many_bits_as_there_are_classes_of_prefixes():
    for length in [2, 4, 6, 8]:
        task = dyck(length)
        classes = max(PrefixClasses.of(task, Budget()).counts, default=1)
        found = model("recurrent", width=1, precision=3, task=task)
        assert found.needed_bits == (classes - 1).bit_length()


def test_bad_precisions_are_refused():
    for precision in ["8", 8.0, None, True, 1 << 13, Precision(1, 0, 0)]:
        with pytest.raises(InputError, match="precision"):
            model("recurrent", width=4, precision=precision, task="dyck")


def test_sizes_may_be_huge():
    for size in ({"width": 1 << 70}, {"width": 8, "heads": 1 << 70}, {"width": 8, "length": 1 << 60}):
        found = model("transformer", **{"width": 8, "precision": 16, "task": "dyck", **size})
        assert found.costs
    for argument in ("width", "heads", "head_width", "length"):
        with pytest.raises(InputError, match=argument):
            model("transformer", **{"width": 8, "precision": 16, "task": "dyck", argument: 1 << 90})


def test_what_only_transformers_have_is_no_size_of_a_recurrent_model():
    for argument, value in [("head_width", 3), ("heads", 3), ("window", 3)]:
        for task in ("index-lookup", "dyck"):
            with pytest.raises(InputError, match=argument):
                model("recurrent", width=1000, precision=16, task=task, **{argument: value})


def test_bits_of_powers_are_those_of_the_power():
    for base in [1, 2, 3, 5, 1023, 1024, (1 << 30) - 1, (1 << 30) + 1]:
        for exponent in (1, 2, 1000, 20_000):
            assert power_bits(base, exponent) == (base**exponent - 1).bit_length()


def _bits(values):
    return (values - 1).bit_length()


def _seen_cost(alice, bob, *, symbols, width, heads, precision):
    """The table of docs/proofs/softmax_protocol.md for parties that hold so many of the positions that are seen."""
    step = 2 ** (precision - 2)
    maxima = sum(_bits(max(1, held * symbols) ** heads) for held in (alice, bob))
    sums = sum(_bits((held * step + 1) ** heads) for held in (alice, bob))
    return _bits(symbols) + maxima + sums + _bits((step * (2**precision - 1) + 1) ** (heads * width)) + 1


def test_a_window_costs_no_less_than_the_true_numbers_of_positions():
    for window in [1, 6, 13]:
        for size in [(1, 1, 3), (2, 3, 4)]:
            for task in ["equality-of-halves", "dyck"]:
                width, heads, precision = size
                given = {"width": width, "heads": heads, "precision": precision, "task": task, "window": window}
                before, excluded = 0, {}
                for length in range(2, 62, 2):
                    seen = range(max(0, length - window), length)
                    alice = sum(place < length // 2 if task != "dyck" else place % 2 == 0 for place in seen)
                    symbols = 4 if task == "dyck" else 2
                    true = _seen_cost(
                        alice, len(seen) - alice, symbols=symbols, width=width, heads=heads, precision=precision
                    )
                    found = model("transformer", **given, length=length)
                    assert found.protocol_bits >= max(true, before)
                    if task == "dyck" or length <= window:
                        assert found.protocol_bits == true
                    before = found.protocol_bits
                    excluded[length] = found.needed_bits > true
                first = model("transformer", **given).excluded_from
                assert all(out for length, out in excluded.items() if length >= first)


def test_a_window_on_halves_may_cost_two_bits_more_than_an_even_one():
    size = {"width": 1, "heads": 1, "precision": 8}
    found = model("transformer", **size, task="equality-of-halves", window=14, length=18)
    assert found.protocol_bits == _seen_cost(5, 9, symbols=2, **size) == _seen_cost(7, 7, symbols=2, **size) + 2


def test_formulas_of_windows_are_the_bits():
    for task in ["dyck", "equality-of-halves"]:
        for window in [None, 1, 4]:
            for length in (2, 40):
                found = model("transformer", width=2, heads=3, precision=5, task=task, window=window, length=length)
                values = {"N": length, "H": 3, "p": 5, "s": 4 if task == "dyck" else 2, "v": 2}
                cost = found.equation.lhs
                assert cost.subs({symbol: values[symbol.name] for symbol in cost.free_symbols}) == found.protocol_bits


def test_what_is_out_of_reach_is_not_said_of_every_length():
    found = model("recurrent", width=1 << 79, precision=16, task="index-lookup")
    assert found.excluded_from is None
    assert f"up to {1 << 80}" in found.sentence
    assert "up to" not in model("recurrent", width=1, precision=3, task="dyck").sentence


PROVED = [name for name in REQUIREMENTS if task_certificate(name) is not None]


def test_five_needs_are_proved_for_every_length():
    assert PROVED == [
        "dyck", "equality-of-halves", "inequality-of-halves", "disjointness-of-halves", "intersection-of-halves",
    ]  # fmt: skip
    assert [name for name, need in REQUIREMENTS.items() if need.two_way] == PROVED


def test_formulas_are_what_is_proved_from_both_sides():
    for name in PROVED:
        certificate, formula = task_certificate(name), as_function(REQUIREMENTS[name].two_way)
        assert certificate.verify()
        for n in range(1, 200):
            assert certificate.lower(n) == certificate.upper(n) == formula(2 * n)


def test_they_are_of_the_tasks():
    """At small lengths, by an exact search; the halves of a word are read side by side."""
    for name in PROVED:
        certificate = task_certificate(name)
        if name == "dyck":
            functions = {1: find_problem("dyck").function(2), 2: find_problem("dyck").function(4)}
        else:
            functions = {n: find_problem(name.removesuffix("-of-halves").replace("in", "", name.startswith("ineq")))
                         .function(n) for n in (1, 2)}  # fmt: skip
        for n, function in functions.items():
            bracket = deterministic(function)
            assert bracket.lower == bracket.upper == certificate.lower(n)


def test_a_model_bound_has_its_certificate():
    assert model("transformer", width=8, precision=16, task=dyck(4)).certificate.lower(2) == 5
    assert model("recurrent", width=8, precision=16, task="dyck").certificate is None


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
    return int((answer_tables(4, 4, 2, depth) != np.ravel(table)).sum(axis=1).min())


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


def test_shares_of_long_words_are_known():
    found = least_error("dyck", "transformer", 513, 1 << 60)
    assert found.words is None
    assert 1 - found.share == Fraction(1, 1 << 64)


def test_nothing_is_said_where_nothing_is_known():
    assert least_error("dyck", "recurrent", 1, 10) is None
    assert spare_bits("index-lookup", "transformer", Fraction(1, 4)) is None
    assert least_error("equality-of-halves", "recurrent", 9, 8).share == 0
    with pytest.raises(InputError, match="above 0 and below 1/2"):
        model("recurrent", width=4, precision=8, task="index-lookup", error="1/2")
    with pytest.raises(InputError, match="a fraction"):
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
