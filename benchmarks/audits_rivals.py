"""What one would do in place of an audit: PyTorch on all words or along prefixes, drawn words, automata, relaxations.

Each rival speaks of the model in single precision as PyTorch runs it. Each gets so many seconds of CPU, and says how
far it came. PyTorch is needed, AALpy (``pip install aalpy``) and auto_LiRPA (0.7, from its repository, with PyTorch
below 2.9; what PyPI has is older) if their rows are wanted.
"""

from __future__ import annotations

import contextlib
import functools
import io
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from ccsim.models.files.float_model import FloatModel, FloatRecurrent, FloatTransformer
from ccsim.problems import SequenceTask

BLOCK, MOST_STATES, MOST_BOXES = 1 << 12, 1 << 22, 1 << 8


class Unrolled(nn.Module):
    """A recurrent model of one layer, written out step by step, on inputs (batch, N, width) after the embedding."""

    def __init__(self, parts: FloatRecurrent) -> None:
        super().__init__()
        arrays = {name: torch.tensor(array, dtype=torch.float32) for name, array in parts.layers[0].items()}
        self.kind, self.width = parts.kind, arrays["weight_hh"].shape[1]
        self.embedding, (self.enter, self.turn) = (
            _tensor(parts.embedding),
            (_linear(arrays[f"weight_{each}"], arrays[f"bias_{each}"]) for each in ("ih", "hh")),
        )
        self.head = _linear(_tensor(parts.scores), _tensor(parts.bias))

    def start(self, count: int) -> Any:
        """The states (batch, units) before the first symbol: h, and then c of an LSTM."""
        return torch.zeros(count, (2 if self.kind == "lstm" else 1) * self.width)

    def step(self, state: Any, given: Any) -> Any:
        """The states after inputs (batch, width)."""
        hidden, entered = state[:, : self.width], self.enter(given)
        turned, width = self.turn(hidden), self.width
        if self.kind == "elman":
            return torch.tanh(entered + turned)
        gates = torch.sigmoid((entered + turned)[:, : 2 * width])
        if self.kind == "gru":
            new = torch.tanh(entered[:, 2 * width :] + gates[:, :width] * turned[:, 2 * width :])
            return new + gates[:, width:] * (hidden - new)
        both = entered + turned
        cell = gates[:, width:] * state[:, width:] + gates[:, :width] * torch.tanh(both[:, 2 * width : 3 * width])
        return torch.cat([torch.sigmoid(both[:, 3 * width :]) * torch.tanh(cell), cell], dim=1)

    def forward(self, inputs: Any) -> Any:
        """Scores (batch, answers)."""
        state = self.start(1) + 0 * inputs[:, 0, :1]
        for position in range(inputs.shape[1]):
            state = self.step(state, inputs[:, position])
        return self.head(state[:, : self.width])


class OneLayer(nn.Module):
    """A one-layer transformer with norms in front, on inputs (batch, N, width) after the embedding of symbols."""

    def __init__(self, parts: FloatTransformer) -> None:
        super().__init__()
        self.embedding, self.places, self.parts = _tensor(parts.tokens), _tensor(parts.positions), parts
        self.norms = {name: tuple(map(_tensor, both)) for name, both in parts.norms.items()}
        self.maps = {name: tuple(map(_tensor, getattr(parts, name))) for name in ("query", "key", "value", "output")}
        self.inner = [(_tensor(weight), _tensor(bias), name) for (weight, bias), name in parts.inner]
        self.scores, self.bias = _tensor(parts.scores.T), _tensor(parts.bias)

    def forward(self, inputs: Any) -> Any:
        """Scores (batch, answers)."""
        stream, maps = inputs + self.places, self.maps
        normed, mixed = self._normed("before_attention", stream), []
        for head in range(len(maps["query"][0])):
            query, key, value = (
                normed @ maps[name][0][head] + maps[name][1][head] for name in ("query", "key", "value")
            )
            weights = torch.softmax(query[:, -1:] @ key.transpose(1, 2) / math.sqrt(key.shape[2]), dim=-1)
            mixed.append((weights @ value)[:, 0])
        last = stream[:, -1] + torch.cat(mixed, dim=1) @ maps["output"][0] + maps["output"][1]
        hidden = self._normed("before_tokenwise", last)
        for weight, bias, name in self.inner:
            hidden = hidden @ weight + bias
            hidden = torch.relu(hidden) if name == "relu" else hidden
        return self._normed("last", last + hidden) @ self.scores + self.bias

    def _normed(self, place: str, stream: Any) -> Any:
        if place not in self.norms:
            return stream
        gain, bias = self.norms[place]
        centred = stream - stream.mean(-1, keepdim=True)
        return centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + self.parts.epsilon) * gain + bias


def rival_module(parts: FloatModel) -> Unrolled | OneLayer:
    """The model in PyTorch, in single precision."""
    if isinstance(parts, FloatTransformer):
        return OneLayer(parts)
    assert isinstance(parts, FloatRecurrent)
    return Unrolled(parts)


def every_word(module: Any, task: SequenceTask, seconds: float) -> str:
    """How many words are run in so many seconds, and on how many of them the model is wrong."""
    done, wrong, start, size = 0, 0, time.process_time(), task.words.size
    while done < size and time.process_time() - start < seconds:
        words = task.words.array(np.arange(done, min(size, done + BLOCK))).astype(np.int64)
        wrong += int((_codes(module, words) != task.evaluate(words)).sum())
        done += len(words)
    spent = time.process_time() - start
    if done == size:
        return f"wrong on {wrong} of all words, {spent:.1f} s"
    return f"{done} words in {spent:.1f} s: all would take {spent * size / done:.1e} s"


def prefix_tree(module: Any, task: SequenceTask, seconds: float) -> str:
    """The same along a tree of prefixes, every state stepped once for each symbol."""
    if not isinstance(module, Unrolled):
        return "a transformer has no state"
    machine, count, start = task.machine, len(task.alphabet), time.process_time()
    state, wanted = module.start(1), np.asarray(machine.start)[None]
    for position in range(1, task.length + 1):
        if len(state) * count > MOST_STATES or time.process_time() - start > seconds:
            spent = time.process_time() - start
            return f"all prefixes of {position - 1} symbols in {spent:.1f} s, then memory or time is over"
        read = np.tile(np.arange(count), len(state))
        with torch.no_grad():
            state = module.step(state.repeat_interleave(count, 0), module.embedding[read])
        wanted = machine.step(np.repeat(wanted, count, axis=0), read, position)
    with torch.no_grad():
        codes = module.head(state[:, : module.width]).argmax(1).numpy()
    return f"wrong on {int((codes != machine.codes(wanted)).sum())} of all words, {time.process_time() - start:.1f} s"


def drawn_words(module: Any, task: SequenceTask, seconds: float) -> str:
    """An interval of 99 % for the accuracy, by Hoeffding's inequality, from as many words as the time allows."""
    generator, start, drawn, wrong = np.random.default_rng(0), time.process_time(), 0, 0
    while not drawn or time.process_time() - start < seconds:
        words = generator.integers(len(task.alphabet), size=(BLOCK, task.length))
        wrong, drawn = wrong + int((_codes(module, words) != task.evaluate(words)).sum()), drawn + BLOCK
    margin, right = math.sqrt(math.log(2 / 0.01) / (2 * drawn)), 1 - wrong / drawn
    return f"{max(0, right - margin):.4f} to {min(1, right + margin):.4f} by {drawn} words ({wrong} wrong), no proof"


def extracted(module: Any, task: SequenceTask, seconds: float) -> str:
    """The automaton that L* of AALpy learns of the model, and on which part of all words it has the task's answer."""
    if not isinstance(module, Unrolled):
        return "a transformer of one length has no automaton"
    try:
        from aalpy.base import SUL
        from aalpy.learning_algs import run_Lstar
        from aalpy.oracles import RandomWMethodEqOracle
    except ImportError:
        return "not installed"
    start = time.process_time()

    class Asked(SUL):
        """The answer after every symbol."""

        def pre(self) -> None:
            self.state, self.last = module.start(1), None

        def post(self) -> None:
            pass

        def step(self, letter: Any) -> Any:
            if time.process_time() - start > seconds:
                raise TimeoutError
            with torch.no_grad():
                if letter is not None:
                    self.state = module.step(self.state, module.embedding[[letter]])
                return int(module.head(self.state[:, : module.width]).argmax(1)[0])

    sul, letters = Asked(), list(range(len(task.alphabet)))
    oracle = RandomWMethodEqOracle(letters, sul, walks_per_state=25, walk_len=task.length)
    try:
        machine = run_Lstar(letters, sul, oracle, automaton_type="moore", print_level=0)
    except TimeoutError:
        return f"not finished in {seconds:g} s"
    spent, states = time.process_time() - start, {state: place for place, state in enumerate(machine.states)}
    table = np.array([[states[state.transitions[letter]] for letter in letters] for state in states])
    outputs = np.array([state.output for state in states])
    agreed = _agreeing(task, table, outputs, states[machine.initial_state])
    share = agreed / len(letters) ** task.length
    return f"{len(states)} states, the task's answer on {share:.6g} of all words, {spent:.1f} s, no proof"


def relaxed(module: Any, task: SequenceTask, seconds: float) -> str:
    """On which part of all words bounds of auto_LiRPA settle the answer: words with a common prefix are one box.

    The positions behind the prefix may have any input between those of the symbols; where the bounds leave two answers
    open, the prefix gets one symbol more.
    """
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            import auto_LiRPA as lirpa
    except ImportError:
        return "not installed"
    try:
        return " | ".join(_boxes(lirpa, module, task, seconds, method) for method in ("IBP", "CROWN"))
    except AssertionError:
        return "fails at a square root in the norms"


def _boxes(lirpa: Any, module: Any, task: SequenceTask, seconds: float, method: str) -> str:
    """How far one kind of bounds gets."""
    start, count, size = time.process_time(), len(task.alphabet), task.words.size
    bounded = lirpa.BoundedModule(module, torch.zeros(1, task.length, module.embedding.shape[1]), verbose=False)
    open_boxes, settled, right = [()], 0, 0
    looked = 0
    while open_boxes and time.process_time() - start < seconds:
        looked += min(MOST_BOXES, len(open_boxes))
        taken, open_boxes = open_boxes[-MOST_BOXES:], open_boxes[:-MOST_BOXES]  # the longest prefixes first
        for prefix, code in zip(taken, _settled(lirpa, bounded, module, task, taken, method), strict=True):
            if code < 0 and len(prefix) < task.length:
                open_boxes += [(*prefix, letter) for letter in range(count)]
            elif code >= 0:
                settled += count ** (task.length - len(prefix))
                right += _endings(task)(prefix).get(code, 0)
    spent, shares = (
        time.process_time() - start,
        f"settled {settled / size:.6g} of all words, right on {right / size:.6g}",
    )
    return f"{method} {shares}, {looked} boxes in {spent:.1f} s"


def _settled(lirpa: Any, bounded: Any, module: Any, task: SequenceTask, boxes: Any, method: str) -> Iterator[int]:
    """The only answer that is possible on each box, or -1."""
    rows = module.embedding
    low = rows.min(0).values.repeat(len(boxes), task.length, 1)
    high = rows.max(0).values.repeat(len(boxes), task.length, 1)
    for box, prefix in enumerate(boxes):
        for position, letter in enumerate(prefix):
            low[box, position] = high[box, position] = rows[letter]
    around = lirpa.PerturbationLpNorm(norm=math.inf, x_L=low, x_U=high)
    answers = len(task.answers)
    ahead = torch.eye(answers)[:, None] - torch.eye(answers)[None]  # of one answer over another
    matrix = ahead.reshape(1, -1, answers).repeat(len(boxes), 1, 1)
    given = lirpa.BoundedTensor((low + high) / 2, around)
    least = bounded.compute_bounds(x=(given,), C=matrix, method=method, bound_upper=False)[0].detach()
    least = least.reshape(len(boxes), answers, answers)
    for margins in least:
        wins = [
            code for code in range(answers) if all(margins[code, rest] > 0 for rest in range(answers) if rest != code)
        ]
        yield wins[0] if wins else -1


def _codes(module: Any, words: Any) -> Any:
    with torch.no_grad():
        return module(module.embedding[torch.from_numpy(words)]).argmax(1).numpy()


def _agreeing(task: SequenceTask, table: Any, outputs: Any, first: int) -> int:
    """On how many words an automaton, whose outputs are answer codes, agrees with a task."""
    machine, counts = task.machine, {(first, tuple(np.asarray(task.machine.start).tolist())): 1}
    for position in range(1, task.length + 1):
        after: dict[Any, int] = {}
        for (state, wanted), number in counts.items():
            for letter in range(len(task.alphabet)):
                then = machine.step(np.array([wanted]), np.array([letter]), position)[0].tolist()
                key = (int(table[state, letter]), tuple(then))
                after[key] = after.get(key, 0) + number
        counts = after
    return sum(
        number for (state, wanted), number in counts.items() if outputs[state] == machine.codes(np.array([wanted]))[0]
    )


@functools.cache
def _endings(task: SequenceTask) -> Any:
    """How many of the words with a prefix want each answer, by the task's machine."""
    machine = task.machine

    @functools.cache
    def after(state: tuple[int, ...], position: int) -> Any:
        if position == task.length:
            return {int(machine.codes(np.array([state]))[0]): 1}
        found: dict[int, int] = {}
        for letter in range(len(task.alphabet)):
            then = machine.step(np.array([state]), np.array([letter]), position + 1)[0].tolist()
            for code, number in after(tuple(then), position + 1).items():
                found[code] = found.get(code, 0) + number
        return found

    def of(prefix: tuple[int, ...]) -> Any:
        state = np.asarray(machine.start)[None]
        for position, letter in enumerate(prefix, start=1):
            state = machine.step(state, np.array([letter]), position)
        return after(tuple(state[0].tolist()), len(prefix))

    return of


def _tensor(array: Any) -> Any:
    return torch.tensor(np.asarray(array), dtype=torch.float32)


def _linear(weight: Any, bias: Any) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0])
    made.weight.data, made.bias.data = weight, bias
    return made
