"""The leaderboard: what its page says is what its script finds, on the cells that take no time."""

import importlib.util
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccsim import InputError
from protocols.trained import KINDS, LENGTHS, TASKS, leaderboard_model
from tests.oracles.every_word import brute_force

DOCS = Path(__file__).parents[2] / "docs"


def load_script():
    specification = importlib.util.spec_from_file_location("docs_leaderboard", DOCS / "leaderboard.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


SCRIPT = load_script()
PAGE = (DOCS / "leaderboard.md").read_text(encoding="utf-8")


def cells():
    """The texts of the tables: kind, task, length."""
    found = {}
    for length, part in re.findall(r"^## (\d+) symbols\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^\| (.*) \|$", part, re.MULTILINE):
            name, *texts = line.split(" | ")
            found |= {(name, task, int(length)): text for task, text in zip(TASKS, texts, strict=True)}
    return found


def test_every_cell_is_there_and_every_interval_has_its_ends_in_order():
    found = cells()
    assert {(name, task, length) for name in KINDS.values() for task in TASKS for length in LENGTHS} <= set(found)
    for (name, task, length), text in found.items():
        if name == "kind" or text == "**right**":
            continue
        ends = [float(end.strip("<> ")) for end in text.split(" to ")]
        assert 0 <= ends[0] <= ends[-1] <= 1, (name, task, length)


@pytest.mark.parametrize("cell", [("parity", "elman"), ("equality", "elman"), ("modulo", "lstm"), ("equality", "gru")])
def test_cells_that_take_no_time_are_found_again(cell):
    assert SCRIPT.cell(SCRIPT.audited(*cell, 10)) == cells()[KINDS[cell[1]], cell[0], 10]


def test_a_decided_cell_counts_the_words():
    model, task = leaderboard_model("equality", "elman", 8).model, TASKS["equality"](8)
    SCRIPT.STATES[8] = 1 << 16
    right = 256 - len(brute_force(model, task)[1])
    assert SCRIPT.audited("equality", "elman", 8).accuracy.at_least == Fraction(right, 256)


@pytest.mark.parametrize("task", TASKS)
def test_constant_answers_are_counted(task):
    asked = TASKS[task](8)
    counts = np.bincount(asked.evaluate(asked.words.array(np.arange(256))))
    assert SCRIPT.constant(task, 8) == SCRIPT.part(Fraction(int(counts.max()), 256), up=False)


def test_other_names_are_refused():
    with pytest.raises(InputError, match="task"):
        leaderboard_model("sorting", "lstm", 8)
    with pytest.raises(InputError, match="kind"):
        leaderboard_model("parity", "perceptron", 8)
