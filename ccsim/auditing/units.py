"""Bare attention units: two symbols of which the unit sees the same in the row that is read."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget
from ccsim.auditing.failure import Failure, SymbolCollision
from ccsim.auditing.recurrent import Finding, every_word, some_words
from ccsim.auditing.result import Need
from ccsim.auditing.words import machine_of
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison, uniform_words
from ccsim.models.encoded import EncodedUnit
from ccsim.models.reachability import different_rows

CONTEXTS = 256  # words in which symbols are exchanged
MOST_SYMBOLS = 1 << 12


def decide_unit(beside: Comparison, symbols: list[Array], budget: Budget) -> Finding:
    """Whether a unit is right on all words, or where it is not: by symbols that it takes for one, if there are any."""
    found = every_word(beside, budget.part(1 / 2))
    if found is not None and found.verdict == "right":
        return found
    failure = _exchange(beside, symbols, budget)
    left = budget.part(1 / 8 if failure else 1)
    found = found or some_words(beside, machine_of(beside.task), symbols, left)
    return found if failure is None else found.failed(failure)


def unit_need(beside: Comparison, symbols: list[Array]) -> Need:
    """How many symbols of the row the task tells apart, as far as some words show, and what the unit sees of one.

    Whoever holds the row tells the other query, key and value, head by head (Sanford, Hsu and Telgarsky 2023, as far
    as the row itself is concerned): symbols of which the unit sees the same have one answer in every word.
    """
    model = beside.model
    assert isinstance(model, EncodedUnit)
    has = model.seen().shape[1] * model.unit.precision.bits
    codes = _by_symbol(beside, symbols, np.random.default_rng(0))
    settled = codes[:, (codes != DONT_CARE).all(axis=0)]
    if not settled.shape[1]:
        return Need(None, f"row {model.row}", "no word of the promise allows every symbol there", has, False, None)
    told = len(different_rows(settled)[0])
    bits = (told - 1).bit_length()
    reason = f"{told} symbols in row {model.row} that some words tell apart"
    return Need(bits, f"row {model.row} and the rest", reason, has, has < bits, None)


def _by_symbol(beside: Comparison, symbols: list[Array], generator: np.random.Generator) -> Array:
    """What the task wants, by symbol in the row and context: shape (symbols, contexts)."""
    model = beside.model
    assert isinstance(model, EncodedUnit)
    contexts = uniform_words(symbols, CONTEXTS, generator)
    choices = symbols[model.row - 1][:MOST_SYMBOLS]
    codes = np.empty((len(choices), len(contexts)), dtype=np.int64)
    for place, symbol in enumerate(choices):
        contexts[:, model.row - 1] = symbol
        codes[place] = beside.task.evaluate(contexts)
    return codes


def _exchange(beside: Comparison, symbols: list[Array], budget: Budget) -> Failure | None:
    """Two words that differ in two such symbols alone, on one of which the unit is wrong."""
    model, task = beside.model, beside.task
    assert isinstance(model, EncodedUnit)
    choices = symbols[model.row - 1][:MOST_SYMBOLS]
    seen = model.seen()[beside.read(choices)]
    groups = different_rows(seen)[2]
    codes = _by_symbol(beside, symbols, np.random.default_rng(budget.seed))
    contexts = uniform_words(symbols, CONTEXTS, np.random.default_rng(budget.seed))
    order = np.argsort(groups, kind="stable")
    for one, two in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
        differ = (codes[one] != codes[two]) & (codes[one] != DONT_CARE) & (codes[two] != DONT_CARE)
        if groups[one] != groups[two] or not differ.any():
            continue
        words = np.repeat(contexts[int(np.argmax(differ))][None], 2, axis=0)
        words[:, model.row - 1] = choices[[one, two]]
        first, second = (beside.word(word) for word in words)
        answers = (task(task.words.word(first)), task(task.words.word(second)))
        collision = SymbolCollision(model.row, (first, second), answers, tuple(map(int, seen[one])))
        return Failure.by(collision, (first, second), model, task, "equal symbols in the row")
    return None
