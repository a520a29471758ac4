"""Brackets in LaTeX, and tables for papers, pages and spreadsheets."""

import csv
import io
import re

import pytest

from ccsim import CommunicationMatrix, InputError
from ccsim.bounds import BY_NAME, biclique_partition, bracket_table, brackets_of, deterministic, matrix_rank, summary
from ccsim.bounds.statements import THEOREMS, theorem_of
from ccsim.plain_data import latex, table_text
from ccsim.problems import disjointness
from ccsim.references import references


def outside(text):
    """What LaTeX reads: without comments, what is escaped, and mathematics."""
    return re.sub(r"\\[\\&%$#_{}]|\$[^$]*\$", "", re.sub(r"(?<!\\)%.*", "", text))


def require_latex(text):
    assert text.count("$") % 2 == text.count(r"\$") % 2, text
    rest = outside(text)
    assert rest.count("{") == rest.count("}"), rest
    assert not set(rest) & set("$#_^<>|%"), rest


def test_every_measure_is_stated_with_theorems_that_can_be_cited():
    known = references()
    for theorem in THEOREMS.values():
        assert known.keys() >= set(theorem.sources)
    found = summary(disjointness(2), measures=["all", *BY_NAME], bits=1)
    for bracket in (one for own in found.details.values() for one in own):
        text = bracket.latex()
        require_latex(text)
        statement, entries = text.split("\n\n")
        for keys in re.findall(r"\\cite\{([^}]*)\}", statement):
            assert all(f"{{{key}," in entries for key in keys.split(","))
        assert theorem_of(bracket)
        assert str(bracket.lower) in statement
        assert not re.search("<,?[a-z]+>", statement), statement
        assert bracket.measure == "rectangle-bound" or bracket.name.partition(" (")[0] == bracket.measure
    whole, graph = matrix_rank([[1, 2], [2, 4]]), biclique_partition([("a", "b"), ("b", "c")])
    for bracket in (whole, graph, *brackets_of([[0, 1], [1, 1]], "fractional-cover")):
        require_latex(bracket.latex())
        assert theorem_of(bracket)


def test_labels_and_open_brackets_are_escaped():
    matrix = CommunicationMatrix.from_array([["a_1", "50%"], ["50%", "[x] & {y}"]])
    brackets = brackets_of(matrix, "cover")
    require_latex(bracket_table(brackets))
    for bracket in brackets:
        require_latex(bracket.latex())
    bracket = deterministic(matrix)
    assert r"\geq" in bracket.at_least(1, "by_hand", None).latex() or bracket.exact


def test_tables_hold_the_same_cells_in_every_form():
    rows = [["a|b, c", 1, ["x", "y"]], ["-- 50%\n^ \x1b ⊥ 中", -3, '"']]
    written = table_text("csv", ["what", "n", "who"], rows)
    assert list(csv.reader(io.StringIO(written)))[1:] == [["a|b, c", "1", "x, y"], ["-- 50%\n^ \x1b ⊥ 中", "-3", '"']]
    markdown = table_text("markdown", ["what", "n", "who"], rows).splitlines()
    assert len(markdown) == 4
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 4 for line in markdown)
    assert markdown[1] == "| --- | --: | --- |"
    require_latex(table_text("latex", ["what", "n_1", "who"], rows))
    assert latex("[1]").startswith("{[}")  # after a line break a bracket would be a length
    assert table_text("latex", ["n"], []).splitlines()[-1] == r"\end{tabular}"
    with pytest.raises(InputError, match="latex, markdown, csv"):
        table_text("html", ["n"], [])
