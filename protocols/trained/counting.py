"""Words held out of training, and exact counts of the words on which a recurrent model is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import InputError
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import SequenceTask

__all__ = ["Draw", "draw_words", "held_out_words", "wrong_by_answer"]

Array = npt.NDArray[Any]

MOST_HELD_OUT = 1024  # words with each answer
MOST_LENGTH = 60  # counts are int64
HELD_OUT_SEED = 20240


class Draw:
    """Uniform integers from the raw stream of PCG64, which no version of NumPy may change."""

    def __init__(self, seed: int) -> None:
        self.bits = np.random.PCG64(seed)

    def below(self, end: int, *shape: int) -> Array:
        """Integers from 0 to end - 1; with ``end`` far below 2^64 they are as good as uniform."""
        return (self.bits.random_raw(shape) % np.uint64(end)).astype(np.int64)


def draw_words(task: SequenceTask, count: int, draw: Draw) -> Array:
    """About so many words (count, N) of ranks in the task's alphabet.

    Of an index lookup, uniform. Of Dyck-(2,2), half of them balanced, uniformly; a quarter the same with one bracket
    changed, which never is balanced; and a quarter uniform.
    """
    if task.name.startswith("index_lookup"):
        bits, tokens = (
            np.array([task.alphabet.index(symbol) for symbol in task.words.positions[place]]) for place in (0, -1)
        )
        chosen = bits[draw.below(len(bits), count, task.length - 1)]
        return np.concatenate([chosen, tokens[draw.below(len(tokens), count, 1)]], axis=1)
    if not task.name.endswith(", 2, 2)"):
        raise InputError("task", task.name, "an index lookup or dyck(N, 2, 2)")
    balanced = _balanced(task.length, count - count // 4, draw)
    changed = balanced[count // 2 :]
    places = draw.below(task.length, len(changed))
    rows = np.arange(len(changed))
    changed[rows, places] = (changed[rows, places] + 1 + draw.below(3, len(changed))) % 4
    return np.concatenate([balanced, draw.below(4, count // 4, task.length)])


def _balanced(length: int, count: int, draw: Draw) -> Array:
    """Uniform words of Dyck-(2,2): the depth is 1 after every odd position, and 0 or 2 as it likes after even ones."""
    deep = np.pad(draw.below(2, count, length // 2 - 1), ((0, 0), (1, 1)))  # whether it is 2 after position 0, 2, ...
    kinds = draw.below(2, count, length // 2 + 1)
    inner = draw.below(2, count, length // 2 + 1)
    words = np.empty((count, length), dtype=np.int64)
    outer = kinds[:, 0]
    for half in range(length // 2):
        before, after = deep[:, half], deep[:, half + 1]
        outer = np.where(before == 0, kinds[:, half], outer)
        words[:, 2 * half] = np.where(before == 0, 2 * outer, 2 * inner[:, half] + 1)
        words[:, 2 * half + 1] = np.where(after == 0, 2 * outer + 1, 2 * inner[:, half + 1])
    return words


def held_out_words(task: SequenceTask) -> Array:
    """Words (count, N) that no model is trained on, as many with either answer, all different, the same each time.

    As many as a quarter of the words with the rarer answer, and at most 1024, with each.
    """
    rarer = 1 << (task.length - 1) if task.name.startswith("dyck") else (task.length - 1) << (task.length - 2)
    quota = [min(MOST_HELD_OUT, rarer // 4)] * 2
    draw, found = Draw(HELD_OUT_SEED), dict[bytes, Array]()
    while any(quota):
        words = draw_words(task, 4 * MOST_HELD_OUT, draw)
        for word, code in zip(words, np.asarray(task.evaluate(words)), strict=True):
            if quota[code] and word.tobytes() not in found:
                found[word.tobytes()] = word
                quota[code] -= 1
    return np.stack(list(found.values()))


def wrong_by_answer(model: RecurrentModel, task: SequenceTask) -> tuple[tuple[int, int], tuple[int, int]]:
    """For each of two answers, on how many words that have it a model is wrong, and how many have it; exact.

    Counts go with the states that words lead to, not with the words, so they may be as many as 2^60. Alphabet and
    answers of the model must be those of the task.
    """
    same = (model.alphabet, model.answers) == (task.alphabet, task.answers)
    if not same or task.length > MOST_LENGTH or task.words.size >= 1 << 62:
        expected = f"a model of the same symbols and answers, and at most {MOST_LENGTH} of them"
        raise InputError("model, task", (model.name, task.name), expected)
    return _lookup(model, task) if task.name.startswith("index_lookup") else _machine(model, task)


def _lookup(model: RecurrentModel, task: SequenceTask) -> tuple[tuple[int, int], tuple[int, int]]:
    """Row 0 counts the prefixes that lead to each state, row p those among them whose symbol p is the second one."""
    length = task.length - 1
    ranks = [task.alphabet.index(symbol) for symbol in task.words.positions[0]]
    states, counts = model.start()[None], np.ones((1, 1), dtype=np.int64)
    for position in range(1, length + 1):
        after = np.concatenate([model.step(states, np.full(len(states), rank), position) for rank in ranks])
        before = counts
        states, merged = np.unique(after, axis=0, return_inverse=True)
        counts = np.zeros((position + 1, len(states)), dtype=np.int64)
        for bit, places in enumerate(merged.reshape(2, -1)):
            np.add.at(counts.T, places, np.pad(before.T, ((0, 0), (0, 1))))
            if bit:
                np.add.at(counts[position], places, before[0])
    wrong = [0, 0]
    for place, token in enumerate(task.words.positions[-1], start=1):
        symbols = np.full(len(states), task.alphabet.index(token))
        codes = model.read_out(model.step(states, symbols, task.length))
        wrong[0] += int((counts[0] - counts[place])[codes != 0].sum())
        wrong[1] += int(counts[place][codes != 1].sum())
    half = length << (length - 1)
    return (wrong[0], wrong[1]), (half, half)


def _machine(model: RecurrentModel, task: SequenceTask) -> tuple[tuple[int, int], tuple[int, int]]:
    """By pairs of a state of the model and one of the task's machine."""
    machine = task.machine
    if machine is None:
        raise InputError("task", task.name, "a task with a machine")
    states = np.concatenate([model.start(), machine.start])[None]
    counts = np.ones(1, dtype=np.int64)
    for position in range(1, task.length + 1):
        after = []
        for symbol in range(len(task.alphabet)):
            symbols = np.full(len(states), symbol)
            own = model.step(states[:, : model.units], symbols, position)
            after.append(np.concatenate([own, machine.step(states[:, model.units :], symbols, position)], axis=1))
        before = np.tile(counts, len(after))
        states, merged = np.unique(np.concatenate(after), axis=0, return_inverse=True)
        counts = np.zeros(len(states), dtype=np.int64)
        np.add.at(counts, merged.reshape(-1), before)
    codes, wanted = model.read_out(states[:, : model.units]), machine.codes(states[:, model.units :])
    wrong = [int(counts[(wanted == answer) & (codes != answer)].sum()) for answer in (0, 1)]
    words = [int(counts[wanted == answer].sum()) for answer in (0, 1)]
    return (wrong[0], wrong[1]), (words[0], words[1])
