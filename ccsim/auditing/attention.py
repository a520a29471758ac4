"""One-layer transformers and bare attention units on all words of a task.

A transformer is run on every word, on all sums that its attention can make, or on words of a fooling set: two parties
that run it cannot tell apart two words with one transcript, and crossing them makes a word on which it is wrong. A unit
is wrong where two symbols are the same to it in the row that is read.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ccsim.auditing.attention_sums import count_by_sums
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.failure import Failure, SymbolCollision, TranscriptCollision, transcripts
from ccsim.auditing.product_reachability import machine_of
from ccsim.auditing.recurrent import every_word, some_words
from ccsim.auditing.result import Finding, Need
from ccsim.auditing.sampled_words import accepted_words
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison, uniform_words
from ccsim.models.encoded import EncodedUnit
from ccsim.models.reachability import different_rows
from ccsim.problems.sequence.task import TaskMachine

MOST_WORDS = 1 << 16
MOST_SYMBOLS = 1 << 23  # in all of them
MOST_GROUPS = 256
BLOCK = 1 << 12  # words whose transcripts are worked out at once


def fooling_words(
    machine: TaskMachine,
    symbols: list[Array],
    codes: int,
    count: int,
    generator: np.random.Generator,
    budget: Budget,
) -> tuple[Array, str] | None:
    """Different words of one answer whose parts, crossed, should not have it, and the partition; None if none is known.

    The fooling set that the task names; or words of the rarer answer, of which Alice gets the odd positions.
    """
    length = len(symbols)
    if machine.fooling is not None:
        if machine.fooling_bits < 62 and 1 << machine.fooling_bits <= count:
            bits = np.arange(1 << machine.fooling_bits)[:, None] >> np.arange(machine.fooling_bits) & 1
        else:
            bits = generator.integers(0, 2, (count, machine.fooling_bits))
        half = length // 2
        return different_rows(machine.fooling(bits))[0], "A" * half + "B" * (length - half)
    drawn = [accepted_words(machine, symbols, code, count, generator, budget) for code in range(min(codes, 8))]
    found = [different_rows(words)[0] for words in drawn if words is not None]
    if not found:
        return None
    return found[-1] if codes == 2 else min(found, key=len), ("AB" * length)[:length]


def transcript_search(
    beside: Comparison, machine: TaskMachine, symbols: list[Array], budget: Budget
) -> tuple[Failure | None, dict[str, int]]:
    """A word on which the model is wrong because two words of a fooling set have one transcript; and what was tried."""
    searched = {"fooling_words": 0, "transcripts": 0}
    model, task = beside.model, beside.task
    count = min(budget.words, MOST_WORDS, max(1, MOST_SYMBOLS // len(symbols)))
    drawn = fooling_words(machine, symbols, len(task.answers), count, np.random.default_rng(budget.seed), budget)
    if drawn is None:
        return None, searched
    words, owners = drawn
    try:
        rows = []
        for first in range(0, len(words), BLOCK):
            budget.require_time("some transcripts")
            rows.append(transcripts(model, beside.read(words[first : first + BLOCK]), owners))
    except (OutOfBudgetError, InputError):  # a rule whose ties depend on places has no exponentials to add up
        return None, searched
    said = np.concatenate(rows)
    if said.dtype == object:
        return None, searched
    different, _, numbers = different_rows(said)
    searched = {"fooling_words": len(words), "transcripts": len(different)}
    alice, order = np.array([owner == "A" for owner in owners]), np.argsort(numbers, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
    for group in [group for group in groups if len(group) > 1][:MOST_GROUPS]:
        failure = _cross(beside, words[group[:8]], alice, owners)
        if failure is not None:
            return failure, searched
    return None, searched


def _cross(beside: Comparison, group: Array, alice: Array, owners: str) -> Failure | None:
    """Cross the words of a group with one transcript, until the task tells a crossed word apart."""
    task, model = beside.task, beside.model
    whole = np.asarray(task.evaluate(group))
    for one in range(len(group)):
        for two in range(len(group)):
            cross = np.where(alice, group[one], group[two])
            code = int(np.asarray(task.evaluate(cross[None]))[0])
            if code in (DONT_CARE, whole[one]) or whole[one] != whole[two]:
                continue
            first, second, crossed = (beside.word(word) for word in (group[one], group[two], cross))
            answers = tuple(task.answers[number] for number in (whole[one], whole[two], code))
            said = transcripts(model, beside.read(group[one : one + 1]), owners)[0]
            collision = TranscriptCollision(
                owners, (first, second), crossed, (answers[0], answers[1], answers[2]), tuple(map(int, said))
            )
            return Failure.by(collision, (crossed, second), model, task, "equal transcripts")
    return None


def decide_transformer(beside: Comparison, symbols: list[Array], budget: Budget) -> Finding:
    """Whether a one-layer transformer is right on all words of a task, or where it is not.

    A failing word is a crossed one of two fooling words with equal transcript, if such are found.
    """
    machine = machine_of(beside.task)
    found = every_word(beside, budget.part(1 / 4))
    stopped = ""
    if found is None and machine is not None:
        try:
            result = count_by_sums(beside, machine, symbols, budget.part(1 / 3))
            how = "by the sums that attention can make, merged where the answer is the same"
            found = Finding.of(beside, result, how, "sums of attention")
        except OutOfBudgetError as error:
            stopped = f"{error}; "
    if found is not None and found.verdict == "right":
        return found
    found = found or some_words(beside, machine, symbols, budget.part(1 / 4), stopped)
    if machine is None:
        return found
    left = budget.part(1 / 8 if found.failure else 1 / 3)
    failure, searched = transcript_search(beside, machine, symbols, left)
    if failure is not None:
        found = found.failed(failure)
    return replace(found, searched={**found.searched, **searched})


CONTEXTS = 256  # words in which symbols are exchanged
MOST_EXCHANGED = 1 << 12


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
    _, _, codes = _by_symbol(beside, symbols, 0)
    settled = codes[:, (codes != DONT_CARE).all(axis=0)]
    if not settled.shape[1]:
        return Need(None, f"row {model.row}", "no word of the promise allows every symbol there", has, False, None)
    told = len(different_rows(settled)[0])
    bits = (told - 1).bit_length()
    reason = f"{told} symbols in row {model.row} that some words tell apart"
    return Need(bits, f"row {model.row} and the rest", reason, has, has < bits, None)


def _by_symbol(beside: Comparison, symbols: list[Array], seed: int) -> tuple[Array, Array, Array]:
    """Symbols of the row, words in which they are put there, and what the task wants, shape (symbols, words)."""
    model = beside.model
    assert isinstance(model, EncodedUnit)
    contexts = uniform_words(symbols, CONTEXTS, np.random.default_rng(seed))
    choices = symbols[model.row - 1][:MOST_EXCHANGED]
    codes = np.empty((len(choices), len(contexts)), dtype=np.int64)
    for place, symbol in enumerate(choices):
        contexts[:, model.row - 1] = symbol
        codes[place] = beside.task.evaluate(contexts)
    return choices, contexts, codes


def _exchange(beside: Comparison, symbols: list[Array], budget: Budget) -> Failure | None:
    """Two words that differ in two such symbols alone, on one of which the unit is wrong."""
    model, task = beside.model, beside.task
    assert isinstance(model, EncodedUnit)
    choices, contexts, codes = _by_symbol(beside, symbols, budget.seed)
    seen = model.seen()[beside.read(choices)]
    groups = different_rows(seen)[2]
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
