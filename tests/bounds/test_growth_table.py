"""Tables of growth: the brackets of each size, small ones first, whatever goes wrong at others."""

import json
from fractions import Fraction

import numpy as np
import pytest

import ccsim as cc
from ccsim import InputError
from ccsim.bounds import Bracket, Summary, growth
from ccsim.bounds.bracket import Open, Side
from ccsim.bounds.growth_table import shown
from ccsim.cli.app import run_app
from ccsim.cli.bounds import sizes_of
from tests.cases import cases


def equal(x, y):
    return x == y


@cases("family", ["EQ", "equality", cc.EQ, equal, lambda n: np.eye(1 << n, dtype=int)])
def test_a_family_is_a_rule_a_function_of_n_or_a_name(family):
    table = growth(family, [3, 1, 2], measures=["deterministic"])
    assert [(n, one.lower, one.upper) for n, one in table.by_measure()["deterministic"].items()] == [
        (1, 2, 2),
        (2, 3, 3),
        (3, 4, 4),
    ]


def test_each_size_is_reported_as_it_is_finished():
    seen = []
    growth("GT", [1, 2], measures=["cover"], finished=lambda table: seen.append(list(table.summaries)))
    assert seen == [[1], [1, 2]]


def test_a_relation_grows_too():
    table = growth("karchmer-wigderson-parity", [2, 3], measures=["leaves"])
    assert [one.lower for one in table.by_measure()["leaves"].values()] == [4, 10]


def test_sizes_without_a_function_are_missing():
    table = growth("equality-of-halves", [2, 3], measures=["cover"])
    assert list(table.summaries) == [2]
    assert "even" in table.missing[3]


@cases("family", [cc.EQ(2), [[1, 0], [0, 1]], "nothing", "equality-of-three", lambda x, y: x[0], 3])
def test_what_is_no_family_is_refused(family):
    with pytest.raises(InputError):
        growth(family, [2, 3], measures=["cover"])


def test_an_interrupt_keeps_what_is_there():
    def rule(x, y, n):
        if n == 2:
            raise KeyboardInterrupt
        return x == y

    stops = []
    table = growth(rule, [1, 2, 3], measures=["cover"], stopped=lambda: stops.append(1))
    assert (list(table.summaries), stops) == ([1], [1])


def test_tables_are_as_wide_as_they_may_be():
    table = growth("EQ", range(1, 9), measures=["rank"], seconds=None)
    for width in (30, 50, 80):
        assert max(map(len, table.text(width).splitlines()[1:])) <= width


@cases(
    ("below", "above", "text"),
    [
        (3, 3, "3"),
        (3, 5, "3..5"),
        (3, None, ">=3"),
        (Fraction(3, 8), Fraction(3, 8), "3/8"),
        (Fraction(1000, 3001), Fraction(1000, 2999), "0.333..0.334"),
        (Fraction(10007, 30011), Fraction(10007, 30011), "≈0.333"),
    ],
)
def test_rounded_sides_are_rounded_outwards(below, above, text):
    assert shown(Bracket("leaves", Side(below), Side(above))) == text


@cases(
    ("text", "sizes"),
    [("4", [4]), ("2:4", [2, 3, 4]), ("2:7:2", [2, 4, 6]), ("8,2", [8, 2]), ("3:3", [3])],
)
def test_sizes_are_written_as_ranges_or_lists(text, sizes):
    assert sizes_of(text) == sizes


@cases("text", ["", "x", "4:2", "2:", "-1", "1:1000", "2:4:0", "1.5"])
def test_other_sizes_are_refused(text):
    with pytest.raises(InputError):
        sizes_of(text)


def test_the_shell_prints_the_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def f(x, y):\n    return x == y\n")
    given = ["bounds", "mine.py:f", "-n", "1:3", "--measure", "deterministic"]
    assert run_app(given) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert "2, 3, 4 bits" in first
    assert run_app([*given, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["measures"][0]["values"]
    assert [(one["n"], one["lower"]) for one in values] == [(1, 2), (2, 3), (3, 4)]
    for wrong in (["mine.txt", "-n", "2:3"], ["EQ", "-n", "2:3", "--save", "x.json"], ["nope", "-n", "2:3"]):
        assert run_app(["bounds", *wrong]) == 2


def test_the_table_is_written_for_papers_and_spreadsheets(capsys):
    given = ["bounds", "EQ", "-n", "1:2", "--measure", "cover", "--format"]
    assert run_app([*given, "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "cover (label 1),2,4"
    assert run_app([*given, "latex"]) == 0
    assert "toprule" in capsys.readouterr().out


def test_time_that_is_left_goes_back_to_sizes_that_ran_out_of_it(monkeypatch):
    asked = []

    def late_at_first(function, **given):
        asked.append(function.name)
        side = Side(1 if function.name == "equality(1)" and len(asked) == 1 else 2, "some")
        return Summary.of("", [Bracket("cover", side, Side(2, "some"), open=Open.TIME)], {})

    monkeypatch.setattr("ccsim.bounds.growth_table.summary", late_at_first)
    table = growth(cc.EQ, [1, 2], seconds=60)
    assert asked == ["equality(1)", "equality(2)", "equality(1)"]
    assert all(one.exact for one in table.by_measure()["cover"].values())


def test_labels_in_names_are_short_and_printable():
    rule = "a\nb\t".join
    table = growth(lambda x, y: rule(["c" * 99 * (x == y)] * 3), [1], measures=["rank", "cover"], seconds=5)
    assert all(row.isprintable() and len(row) < 100 for row in table.text(99).splitlines())


@cases("seconds", ["nan", "0", "-1"])
def test_growth_needs_some_time(seconds):
    assert run_app(["bounds", "EQ", "-n", "1:2", "--seconds", seconds]) == 2
