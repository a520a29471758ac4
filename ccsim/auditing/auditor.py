"""The audit of a model on a task: what the bounds exclude, and whether the model is right on every word."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.auditing.attention import decide_transformer
from ccsim.auditing.product_reachability import Budget, Subject, machine_of
from ccsim.auditing.recurrent import decide_recurrent, every_word, some_words
from ccsim.auditing.requirements import Need, recurrent_need, transformer_need
from ccsim.auditing.result import Audit, Outcome
from ccsim.auditing.state_sets import bound_by_last_symbol
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.models.files import LoadedModel, read_module
from ccsim.models.forward_models import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.models.step_models import as_step, is_step, recurrent_state
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems.sequence_tasks import SequenceTask

READING = 1 / 4  # of the time is for comparing a module with what was read of it
LEAST = 1 / 16  # of it is for running the module itself
FEW_WORDS = 1 << 12  # so many are gone through at once, which shows the shortest failing word as well


def audit(
    model: SequenceModel | LoadedModel | Callable[[Any], Any],
    task: SequenceTask,
    *,
    states: int = 1 << 20,
    words: int = 1 << 20,
    seconds: float = 60.0,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
    precision: int | Precision | None = None,
    threshold: float | None = None,
    sequence_first: bool = False,
) -> Audit:
    """Say whether a model is right on all words of a task, or show a word on which it is wrong.

    A recurrent model is decided for all words at once, by the reachable pairs of its states and the task's, and the
    count of wrong words is exact. A one-layer transformer is decided by all words, or by all sums that its attention
    can make; other models by all words. Where a recurrent model has too many states, sets of states are followed. Where
    that is too much, a failing word is searched for: two prefixes with equal state, two words of a fooling set with
    equal transcript of a transformer, words on which a small change matters. ``accuracy`` states on how many words the
    model is proved right and proved wrong.

    Args:
        model: any sequence model that reads the symbols of the task, also as ``load_model`` returns it; or a PyTorch
            module, or a function from ids of tokens to scores, the places of the symbols and of the answers (for other
            layouts see :class:`~ccsim.models.ForwardModel`): its forward pass is run, and the verdict is about the
            words that were run and is no proof. Or an object with ``start()`` and ``step(state, ids)``, whose states
            are explored as this machine runs it: :class:`~ccsim.models.StepModel`.
        task: a task on words; one with a machine, or one with few words, can be decided.
        states: the most states, and pairs of states, that are held at one position.
        words: the most words that are run.
        seconds: the most time for the whole audit; a step that has begun is ended.
        seed: of what is drawn.
        clock: the time in seconds: with ``time.process_time`` limits do not depend on what else runs on the machine.
        precision: of a PyTorch module whose parts can be read: it is compared with its own forward pass and audited in
            fixed point of so many bits (see :func:`~ccsim.models.files.read_module`).
        threshold: above which a single score of a forward pass means the second of two answers; see
            :class:`~ccsim.models.ForwardModel`. ``Audit.rule`` states what held.
        sequence_first: whether a forward pass takes ids of shape (N, batch).

    Raises :class:`~ccsim.errors.InputError` for a model that does not read words of that length or those symbols.

    >>> from ccsim.models import dyck_automaton
    >>> from ccsim.problems import dyck, equality_of_halves
    >>> found = audit(dyck_automaton(2, 2), dyck(400))
    >>> found.verdict, found.every_length, found.words == 4**400
    ('right', True, True)
    >>> from ccsim.models import TransitionTable
    >>> found = audit(TransitionTable.random("01", states=4, seed=0), equality_of_halves(8))
    >>> found.verdict, found.need.bits, found.need.has, found.verify()
    ('wrong', 4, 2, True)
    """
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words")
    limits: dict[str, Any] = {"states": states, "words": words, "seed": seed, "clock": clock}
    scoring: dict[str, Any] = {"threshold": threshold, "sequence_first": sequence_first}
    if precision is not None and not isinstance(model, SequenceModel | LoadedModel) and not is_step(model):
        return _of_reading(model, task, seconds, precision, limits, scoring)
    given, model = model, model_for(model, task, **scoring)
    if not isinstance(model, ForwardModel) or model is given:
        if precision is not None:
            raise InputError("precision", precision, "none for a model that has its own")
        if threshold is not None or sequence_first:
            raise InputError("threshold, sequence_first", tuple(scoring.values()), "none for a model that has its own")
    if model.length not in (None, task.length):
        raise InputError("model", model.length, f"a model of words of {task.length} symbols, as {task.name} has")
    budget, pair = Budget(**limits, seconds=seconds), Subject.of(model, task)
    architecture, size = _size(model)
    need = _requirement(pair, budget.part(1 / 4))
    outcome = _decide(pair, budget)
    if isinstance(model, ForwardModel):
        model.require_clear()
    elif outcome.verdict == "right" and need.excluded:
        raise ArithmeticError(f"{model.name} is right on {task.name}, though it {need}")
    return Audit(
        model=model.name,
        task=task.name,
        length=task.length,
        architecture=architecture,
        size=size,
        need=need,
        **vars(outcome),
        seconds=round(budget.spent, 3),
        arithmetic=model.arithmetic,
        rule=model.rule,
        subject=(model, task),
    )


def model_for(given: Any, task: SequenceTask, **scoring: Any) -> SequenceModel:
    """The sequence model that is given, or that of a file, or one that runs what is given as a step or a forward pass.

    Of the last two, symbols and answers are those of the task.
    """
    if isinstance(given, LoadedModel):
        given = given.model
    if isinstance(given, SequenceModel):
        return given
    if is_step(given):
        return as_step(given, task.alphabet, task.answers)
    if not callable(given):
        raise InputError("model", given, "a sequence model, a PyTorch module, or a function from ids to scores")
    return ForwardModel(given, task.alphabet, task.answers, **scoring)


def _of_reading(
    module: Any, task: SequenceTask, seconds: float, precision: Any, limits: dict[str, Any], scoring: dict[str, Any]
) -> Audit:
    clock, begun = limits["clock"], limits["clock"]()
    numbers = {"seed": limits["seed"], "words": limits["words"], "seconds": READING * seconds, "precision": precision}
    loaded = read_module(module, task.alphabet, task.answers, length=task.length, **numbers, **scoring)
    read = audit(loaded.model, task, seconds=seconds - (clock() - begun), **limits)
    left = max(LEAST * seconds, seconds - (clock() - begun))
    return as_read(read, loaded, partial(audit, loaded.module or module, task, seconds=left, **limits))


def as_read(read: Audit, loaded: LoadedModel, run: Callable[[], Audit] | None) -> Audit:
    """The audit of a reading of a module; if only that is wrong, the audit of its forward pass by ``run``."""
    read = replace(read, reading=loaded.agreement)
    if run is None or read.verdict == "wrong":
        return read
    own = run()
    if own.verdict == "wrong":
        note = f"as read, in {read.arithmetic}, it is {read.verdict}: {read.reason}"
        return replace(own, reason=f"{own.reason}; {note}", need=read.need, size=read.size)
    searched = own.searched.get("words_tried", 0)
    return replace(read, reading=f"{read.reading}; run as it is, it is right on {searched} words of the task")


def _size(model: SequenceModel) -> tuple[str, dict[str, int]]:
    if isinstance(model, RecurrentModel):
        return "recurrent", {"state_bits": model.state_bits, "units": model.units}
    if isinstance(model, OneLayerTransformer):
        sizes = {"width": model.width, "heads": model.heads, "head_width": model.head_width}
        return "one-layer transformer", {"parameter_bits": model.size_bits, **sizes, "precision": model.precision.bits}
    bits = getattr(model, "size_bits", None)
    return "any", {} if bits is None else {"parameter_bits": int(np.asarray(bits))}


def _requirement(pair: Subject, budget: Budget) -> Need:
    model, task = pair.model, pair.task
    if isinstance(model, RecurrentModel):
        return recurrent_need(model.state_bits, task, budget)
    if isinstance(model, OneLayerTransformer):
        return transformer_need(model, task, budget.left)
    advice = "no reduction for this architecture"
    if isinstance(model, ForwardModel):
        state = recurrent_state(model.pass_.module)
        if state is not None:  # a bound on the recurrent layers that are seen, under a condition that is named
            layers, bits = state
            condition = f"if nothing but the state of {layers} passes from symbol to symbol"
            return replace(recurrent_need(bits, task, budget), condition=condition)
        readable = "" if model.pass_.module is None else "; a module of layers that can be read takes --precision"
        advice = f"it is run, not read{readable}"
    return Need(None, "any partition", advice, 0, False, None)


def _decide(pair: Subject, budget: Budget) -> Outcome:
    if pair.task.machine is not None and pair.task.words.size > FEW_WORDS:
        bracket = bound_by_last_symbol(pair, budget.part(1 / 2))
        if bracket is not None:
            uncounted = Outcome("undecided", "out of time to count the words of each answer")
            return uncounted.narrowed(pair, bracket, "bounds of all states")
    if isinstance(pair.model, RecurrentModel):
        return decide_recurrent(pair, budget)
    if isinstance(pair.model, OneLayerTransformer):
        return decide_transformer(pair, budget)
    finding = every_word(pair, budget.part(1 / 2)) or some_words(pair, budget.part())
    return with_shortest(pair, finding, budget.part()) if isinstance(pair.model, ForwardModel) else finding


def with_shortest(pair: Subject, finding: Outcome, budget: Budget) -> Outcome:
    """Adds the shortest wrong word, if the task is the same question at every length and shorter words are few."""
    machine, symbols, length = machine_of(pair.task), len(pair.task.alphabet), pair.task.length
    if machine is None or not machine.every_length or finding.verdict == "undecided":
        return finding
    if any(len(choices) < symbols for choices in pair.symbols):
        return finding
    states, words = np.asarray(machine.start)[None], np.zeros((1, 0), dtype=np.int64)
    for place in range(1, length):
        if len(words) * symbols > budget.words or not budget.left:
            return finding
        last = np.tile(np.arange(symbols), len(words))
        words = np.column_stack([np.repeat(words, symbols, axis=0), last])
        states = machine.step(np.repeat(states, symbols, axis=0), last, place)
        codes = machine.codes(states)
        try:
            bad = (codes != DONT_CARE) & (pair.given(words) != codes)
        except InputError:  # it does not read words of this length
            return finding
        if bad.any():
            return replace(finding, shortest=pair.word(words[int(np.argmax(bad))]))
    return finding if finding.failure is None else replace(finding, shortest=finding.failure.word)
