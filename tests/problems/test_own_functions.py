"""Functions of one line: what people write gives the table that they mean, or an error that says what is wrong."""

import json
import operator
from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim import Bits, InputError
from ccsim.cli.app import run_app
from ccsim.problems import SHORT, BitStrings, find_problem
from ccsim.problems.own_functions import of_size
from tests.cases import cases

ALL = range(4)


def table(rule, rows=ALL, columns=ALL):
    return [[rule(x, y) for y in columns] for x in rows]


def plain_inner(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True)) % 2


def inner(x: Bits, y: Bits):
    return sum(a * b for a, b in zip(x, y, strict=True)) % 2


def mirrored(x: str, y: str):
    return x == y[::-1]


def named(x: "cc.Bits", y: "nowhere.Bits"):  # noqa: F821
    return plain_inner(x, y)


def at_once(x: np.ndarray, y: np.ndarray):
    return np.bitwise_count(x & y) & 1


def heavy(x: Bits, y: Bits, n):
    return sum(x) + sum(y) > n


INNER = table(lambda x, y: (x & y).bit_count() % 2)


@cases(
    ("rule", "given", "expected"),
    [
        (lambda x, y: x == y, {}, table(operator.eq)),
        (operator.eq, {}, table(operator.eq)),
        (np.equal, {}, table(operator.eq)),
        (lambda x, y: np.where(x > y, 1, 0), {}, table(operator.gt)),
        (lambda x, y: (x * y).astype(int) % 3, {}, table(lambda x, y: x * y % 3)),
        (lambda x, y, modulus=3: x * y % modulus, {}, table(lambda x, y: x * y % 3)),
        (inner, {}, INNER),
        (named, {}, INNER),
        (at_once, {}, INNER),
        (lambda x, y: (x & y).sum(axis=-1) % 2, {"inputs": "strings", "vectorised": True}, INNER),
        (plain_inner, {"inputs": "bits"}, INNER),
        (mirrored, {}, table(lambda x, y: x == (0, 2, 1, 3)[y])),
        (heavy, {}, table(lambda x, y: x.bit_count() + y.bit_count() > 2)),
        (lambda x, y: None if x == y else x < y, {}, table(lambda x, y: -1 if x == y else x < y)),
        (
            lambda x, y: np.where(x == y, np.nan, x + y).astype(float),
            {},
            table(lambda x, y: -1 if x == y else x + y - 1),
        ),
        (lambda x, y: (x > y) - (x < y), {}, table(lambda x, y: (x > y) - (x < y) + 1)),
        (lambda x, y: "more" if x > y else "less", {}, table(operator.gt)),
        (lambda x, y: Fraction(x, 2) if x == y else 0, {}, table(lambda x, y: (0, 2, 1, 3)[x] * (x == y))),
    ],
)
def test_a_rule_has_the_table_that_is_meant(rule, given, expected):
    mine = cc.function(rule, n=2, **given)
    assert mine.matrix.codes.tolist() == expected
    first = mine.meaning(int(expected[1][2]))
    assert mine(mine.alice.value(1), mine.bob.value(2)) == first


def test_inputs_may_be_listed_for_rows_and_columns():
    mine = cc.function(lambda colour, i: colour[i], inputs=(["red", "tan"], range(1, 3)))
    assert mine("tan", 1) == "a"
    assert mine.shape == (2, 2)
    assert cc.function(lambda x, y: x == y, inputs=BitStrings(2)).matrix == cc.EQ(2).matrix


def test_it_decorates():
    @cc.function(n=3)
    def same(x: int, y: int):
        return x == y

    assert same.name == "same(3)"
    assert same.matrix == cc.EQ(3).matrix


def test_python_integers_do_not_overflow():
    assert cc.function(lambda x, y: 3**x * y % 7, n=6).matrix.codes[63, 63] == 3**63 * 63 % 7
    with pytest.raises(InputError):
        cc.function(lambda x, y: 3**x * y % 7, n=6, vectorised=True)


@cases(
    ("rule", "given", "named"),
    [
        (plain_inner, {"n": 2}, "bits"),
        (lambda x, y: x[0], {"n": 2}, "strings"),
        (lambda x, y: [x, y], {"n": 2}, "tuple"),
        (lambda x, y: {"a": 1}, {"n": 2}, "hashed"),
        (lambda x, y: x / (y + 1), {"n": 2}, "Fraction"),
        (lambda x, y: (x + y).astype(float) / 2, {"n": 2}, "Fraction"),
        (lambda x, y: 1 // y, {"n": 2}, "(0, 0)"),
        (lambda x, y: None, {"n": 2}, "None"),
        (lambda x, y: x.sum() + y.sum(), {"n": 2, "vectorised": True}, "alone"),
        (lambda x, y: np.zeros((3, 3)), {"n": 2, "vectorised": True}, "(4, 4)"),
        (lambda x: x, {"n": 2}, "two inputs"),
        (lambda x, y: x == y, {}, "n=4"),
        (lambda x, y: x == y, {"n": 0}, "n = 0"),
        (lambda x, y: x == y, {"inputs": ("a", "b")}, "list of inputs"),
        (lambda x, y: x == y, {"inputs": [[1], [2]]}, "tuples"),
        (lambda x, y: x == y, {"inputs": ["a", "a"]}, "different"),
        (7, {"n": 2}, "lambda"),
    ],
)
def test_errors_say_what_to_write(rule, given, named):
    with pytest.raises(InputError) as raised:
        cc.function(rule, **given)
    assert named in str(raised.value)


def test_a_table_that_does_not_fit_is_refused_at_once():
    with pytest.raises(cc.TableTooLargeError):
        cc.function(lambda x, y: x == y, n=30)


@cases(("short", "full"), list(SHORT.items()))
def test_short_names_are_those_of_the_textbook(short, full):
    mine = getattr(cc.problems, short)(4)
    for name in (short, short.lower(), full, full.upper().replace("-", "_")):
        assert find_problem(name).function(4).matrix == mine.matrix


@cases("given", [cc.EQ, find_problem("equality"), cc.EQ(2), lambda x, y: x == y, lambda n: np.eye(1 << n, dtype=int)])
def test_what_people_have_is_a_family(given):
    assert of_size(given, 2).matrix == cc.EQ(2).matrix


@cases("given", [3, lambda n: n, "EQ"])
def test_what_is_no_family_is_refused(given):
    with pytest.raises(InputError):
        of_size(given, 2)


def majority(x: Bits):
    return sum(x) >= 2


@cases("given", ["00010111", "0001 0111\n", [0, 0, 0, 1, 0, 1, 1, 1], majority, lambda x: x in (3, 5, 6, 7)])
def test_a_game_is_made_of_values_or_of_a_rule(given):
    n = 3 if callable(given) else None
    assert cc.problems.karchmer_wigderson(given, n) == cc.problems.karchmer_wigderson("00010111")


@cases(
    ("given", "n"),
    [("01a", None), ("0110", 3), ("011", None), ("", None), (3, None), (majority, None), (lambda x: x[0], 2),
     (lambda x: 2, 2), (lambda x: 1, 2)],
)  # fmt: skip
def test_what_is_no_boolean_function_has_no_game(given, n):
    with pytest.raises(InputError):
        cc.problems.karchmer_wigderson(given, n)


def test_the_shell_plays_games_of_values_files_and_rules(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "values.txt").write_text("[0, 1\n 1, 0]")
    (tmp_path / "mine.py").write_text("def odd(x):\n    return x.bit_count() % 2\n")
    asked = ["--karchmer-wigderson", "--measure", "leaves"]
    printed = []
    for given in (["0110"], ["values.txt"], ["mine.py:odd", "-n", "2"]):
        assert run_app(["bounds", *given, *asked]) == 0
        printed.append(capsys.readouterr().out)
    assert "4" in printed[0]
    assert len(set(printed)) == 1
    for wrong in (["0110", "-n", "2:3"], ["none.txt"], ["0110", "--monotone"], ["0110", "--labels"]):
        assert run_app(["bounds", *wrong, *asked]) == 2
    assert run_app(["bounds", "EQ", "--monotone"]) == 2


def test_what_a_rule_in_a_file_prints_is_no_part_of_the_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "print('loaded')\n"
        "def chatty(x, y):\n    print('asked')\n    return x < y\n"
        "alike = lambda x, y: x == y\n"
        "def identity(n):\n    return [[int(x == y) for y in range(n)] for x in range(n)]\n"
    )
    assert run_app(["bounds", "mine.py:chatty", "-n", "1", "--measure", "leaves", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lower"] == 3
    for name in ("alike", "identity"):
        assert run_app(["bounds", f"mine.py:{name}", "-n", "2", "--measure", "leaves"]) == 0
        assert name in capsys.readouterr().out.splitlines()[0]
    assert run_app(["bounds", "mine.py:alike", "-n", "1:2", "--measure", "leaves"]) == 0
    assert capsys.readouterr().out.startswith("alike")


@cases("answer", [object(), (each for each in "a"), lambda: 1])
def test_an_answer_that_is_equal_to_itself_alone_is_refused(answer):
    with pytest.raises(InputError):
        cc.function(lambda x, y: answer, n=1)
