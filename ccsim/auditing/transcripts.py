"""One-layer transformers: words of a fooling set that two parties cannot tell apart, and the word that they make."""

from __future__ import annotations

import numpy as np

from ccsim.arrays import Array
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.failure import Failure, TranscriptCollision
from ccsim.auditing.said import BLOCK, transcripts
from ccsim.auditing.words import accepted_words
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.comparison import Comparison
from ccsim.models.reachability import different_rows
from ccsim.problems.sequence.machine import TaskMachine

MOST_WORDS = 1 << 16
MOST_SYMBOLS = 1 << 23  # in all of them
MOST_GROUPS = 256


def fooling_words(
    machine: TaskMachine,
    symbols: list[Array],
    codes: int,
    count: int,
    generator: np.random.Generator,
    budget: Budget | None = None,
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
        return _different(machine.fooling(bits)), "A" * half + "B" * (length - half)
    rarest: Array | None = None
    for code in range(min(codes, 8)):
        drawn = accepted_words(machine, symbols, code, count, generator, budget)
        if drawn is not None:
            different = _different(drawn)
            rarest = different if rarest is None or len(different) < len(rarest) else rarest
            if code == 1 and codes == 2:
                rarest = different
    return None if rarest is None else (rarest, ("AB" * length)[:length])


def _different(words: Array) -> Array:
    return different_rows(words)[0]


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
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    alice = np.array([owner == "A" for owner in owners])
    tried = 0
    for first, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
        if stop - first < 2:
            continue
        tried += 1
        if tried > MOST_GROUPS:
            break
        group = words[order[first : min(stop, first + 8)]]
        failure = _cross(beside, group, alice, owners)
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
