"""Tasks to audit: from expressions, automata, brackets, counting, functions; and at every position of a word."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.auditing.product_reachability import Subject, machine_of
from ccsim.auditing.result import EVERYWHERE
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.families.language import read_language
from ccsim.matrices import DONT_CARE
from ccsim.models.automata import Automaton
from ccsim.models.forward_models import ForwardModel
from ccsim.models.model import SequenceModel
from ccsim.plain_data import counted, meant, printable
from ccsim.problems.catalogue import full_name, registered_problems
from ccsim.problems.inputs import Words
from ccsim.problems.languages import dyck, run_table
from ccsim.problems.sequence_tasks import SequenceTask, table_machine
from ccsim.tables import order_key

MOST_WORDS = 1 << 16  # on which a function is asked what its answers are
FORMS = "a name of `ccsim list problems`, re:EXPRESSION, automaton.json, dyck:KINDS,DEPTH, mod:M, or file.py:name"


def automaton_task(automaton: Automaton, length: int) -> SequenceTask:
    """What an automaton answers on words of so many symbols.

    >>> from ccsim.models import from_regular_expression
    >>> automaton_task(from_regular_expression("(ab)*", "ab"), 400)("ab" * 200)
    1
    """
    length = require_integer("length", length, low=1)
    table, outputs = np.asarray(automaton.table), np.asarray(automaton.outputs)

    def evaluate(words: Array) -> Array:
        return np.asarray(outputs[run_table(table, automaton.first, words)])

    words, name = Words.over(automaton.alphabet, length), f"{automaton.name or 'automaton'} on {length} symbols"
    note = f"what an automaton of {counted(automaton.states, 'state')} answers"
    machine = table_machine(table, automaton.first, outputs)
    return SequenceTask(name, words, automaton.answers, evaluate, note=note, machine=machine)


def modular_counting(length: int, modulus: int, alphabet: Iterable[Hashable] = "01") -> SequenceTask:
    """How often the last symbol of an alphabet is in a word, modulo a number.

    >>> modular_counting(5, 3)("11011")
    1
    """
    symbols, modulus = require_symbols("alphabet", alphabet), require_integer("modulus", modulus, low=1)
    states = np.arange(modulus)
    table = np.stack([states] * (len(symbols) - 1) + [(states + 1) % modulus], axis=1)
    name = f"count of {symbols[-1]} modulo {modulus}"
    return automaton_task(Automaton.of(symbols, table, states, 0, tuple(range(modulus)), name), length)


def function_task(
    function: Callable[[Any], Hashable],
    alphabet: Iterable[Hashable],
    length: int,
    answers: Iterable[Hashable] | None = None,
    name: str = "",
) -> SequenceTask:
    """A function of one word, a text if all symbols are single characters, else a tuple; None is outside the promise.

    Without ``answers`` they are those that it gives on all words, of which there must be few, in order: numbers and
    texts by value, sets by size and then by their elements.

    >>> task = function_task(lambda word: word.count("ab"), "ab", 4)
    >>> task.answers, task("abab")
    ((0, 1, 2), 2)
    """
    words = Words.over(require_symbols("alphabet", alphabet), require_integer("length", length, low=1))
    if answers is None:
        if words.size > MOST_WORDS:
            raise InputError("answers", None, f"the answers, as there are more than {MOST_WORDS} words to see them on")
        given_answers = dict.fromkeys(_answer(function, words.value(index)) for index in range(words.size))
        answers = sorted((answer for answer in given_answers if answer is not None), key=order_key)
    given = require_symbols("answers", answers)
    codes = {answer: code for code, answer in enumerate(given)} | {None: -1}

    def code(row: Array) -> int:
        answer = _answer(function, words.word([words.alphabet[rank] for rank in row]))
        if answer not in codes:
            raise InputError("answers", answer, f"one of the answers {given[:6]}, or None outside the promise")
        return codes[answer]

    def evaluate(rows: Array) -> Array:
        flat = np.asarray(rows).reshape(-1, words_length)
        return np.array([code(row) for row in flat], dtype=np.int64).reshape(np.shape(rows)[:-1])

    words_length = len(words.positions)
    return SequenceTask(name or getattr(function, "__name__", "function"), words, given, evaluate)


def _answer(function: Callable[[Any], Hashable], word: Any) -> Hashable:
    try:
        answer = function(word)
    except (Exception, SystemExit) as error:  # whatever people's own code raises
        raise InputError("word", word, f"an answer of the task's function ({printable(repr(error))[:300]})") from error
    try:
        hash(answer)
    except TypeError as error:
        expected = "an answer that can be hashed, such as a tuple in place of a list, a frozenset in place of a set"
        raise InputError(f"answer on {word!r}", answer, expected) from error
    return answer


def read_task(given: str, length: int, alphabet: Sequence[str] | None = None) -> SequenceTask:
    """A task from its text: one of the catalogue's names, ``re:(ab)*``, ``automaton.json`` (with alphabet, table,
    outputs and first), ``dyck:KINDS,DEPTH``, ``mod:M``, or ``file.py:name``.

    The last one runs the file, for a task, a function from the length to a task, or a function of one word with an
    attribute ``alphabet`` (and ``answers``). ``alphabet`` are the symbols of an expression, or of ``mod``.

    >>> read_task("re:(a|b)*abb", 40).machine.every_length, read_task("mod:3", 6).answers
    (True, (0, 1, 2))
    """
    kind, colon, rest = given.partition(":")
    if kind == "re" and colon:
        return automaton_task(read_language(rest, alphabet), length)
    if kind == "dyck" and colon:
        return dyck(length, *_whole_numbers(given, rest, 2))
    if kind == "mod" and colon:
        return modular_counting(length, _whole_numbers(given, rest, 1)[0], alphabet or "01")
    if given.endswith(".json"):
        return automaton_task(read_language(given), length)
    if kind.endswith(".py") and rest:
        read = object_in_file(given)
        if callable(read) and not isinstance(read, SequenceTask):
            if hasattr(read, "alphabet"):
                return function_task(read, read.alphabet, length, getattr(read, "answers", None))
            read = read(length)
        if not isinstance(read, SequenceTask):
            form = "a task, a function from the length to a task, or a function of a word with an attribute alphabet"
            raise InputError("task", read, form)
        if read.length != length:
            raise InputError("length", length, f"{read.length}, the length of {read.name}")
        return read
    if colon:
        raise InputError("task", given, FORMS)
    known, name = registered_problems(), full_name(given)
    expected = FORMS if name in known else FORMS + meant(name, known)
    if name in known:
        built = known[name].build(length)
        if isinstance(built, SequenceTask):
            return built
        longer = [each for each in known if each.startswith(f"{name}-of-")]  # of a function of two parties, on words
        hint = f"; did you mean {' or '.join(longer)}?" if longer else ", such as dyck or index-lookup"
        expected = f"a task on words{hint}"
    raise InputError("task", name, expected)


def object_in_file(given: str) -> Any:
    """What ``file.py:name`` names; the file is run, with all that it does."""
    path, _, name = given.rpartition(":")
    file = Path(path)
    if not file.is_file() or not name.isidentifier():
        raise InputError("file", given, "file.py:name, a file of Python that exists and a name in it")
    spec = importlib.util.spec_from_file_location(f"_ccsim_file_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as dataclasses and pickles look there
    sys.path.insert(0, str(file.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever people's own code raises
        raise InputError("file", given, f"a file that runs ({printable(repr(error))[:300]})") from error
    finally:
        sys.path.remove(str(file.resolve().parent))
    if not hasattr(module, name):
        names = [each for each in vars(module) if not each.startswith("_")]
        raise InputError("file", given, f"a name in {file.name}, such as {', '.join(names[:6]) or 'none'}")
    return getattr(module, name)


def _whole_numbers(given: str, text: str, count: int) -> list[int]:
    numbers = re.fullmatch(",".join([r"(\d{1,6})"] * count), text)
    if numbers is None:
        raise InputError("task", given, FORMS)
    return [int(number) for number in numbers.groups()]


class EveryPosition(SequenceModel):
    """Where a model is first wrong, if it is asked after every symbol what the task wants of the word so far.

    Its answers are "right at every position", and then the positions, counted from 1.

    Args:
        model, task: any sequence model, and a task with a machine.
        before: symbols that the model reads first.
    """

    def __init__(self, model: SequenceModel, task: SequenceTask, before: Sequence[Hashable] = ()) -> None:
        machine = machine_of(task)
        if machine is None or not machine.every_length:
            raise InputError("task", task.name, "one that asks the same of words of every length")
        if model.length is not None:
            expected = "a model of words of every length, or the module itself, which is run at every position"
            raise InputError("model", model.length, expected)
        self.model, self._machine, self._pair = model, machine, Subject.of(model, task)
        front = model.ranks_of(tuple(before))
        self._before = np.arange(len(before)) if front is None else front
        self.name, self.alphabet, self.length = model.name, task.alphabet, task.length
        self.answers = (EVERYWHERE, *range(1, task.length + 1))
        self.is_exact = model.is_exact  # type: ignore[misc]

    @property
    def arithmetic(self) -> str:
        return self.model.arithmetic

    @property
    def rule(self) -> str:
        return self.model.rule

    @property
    def manner(self) -> str:
        return self.model.manner

    def codes(self, words: Array) -> Array:
        """The position of the first wrong answer, counted from 1, or 0, for words (..., N) of ranks."""
        rows = np.asarray(words).reshape(-1, np.shape(words)[-1])
        given, wanted = self.given(rows), self.wanted(rows)
        wrong = (wanted != DONT_CARE) & (given != wanted)
        first = np.where(wrong.any(axis=1), wrong.argmax(axis=1) + 1, 0)
        return np.asarray(first, dtype=np.int64).reshape(np.shape(words)[:-1])

    def given(self, rows: Array) -> Array:
        """The answer codes of the task that the model gives after each symbol, shape (words, N)."""
        read = self._pair.read(rows)
        if isinstance(self.model, ForwardModel):
            codes = self.model.codes_at_every_position(read)
        else:
            front = np.broadcast_to(self._before, (len(rows), len(self._before)))
            fed = np.concatenate([front, read], axis=1)
            lengths = range(front.shape[1] + 1, fed.shape[1] + 1)
            codes = np.stack([self.model.codes(fed[:, :end]) for end in lengths], axis=1)
        return self._pair.coded(codes)

    def wanted(self, rows: Array) -> Array:
        """What the task wants there."""
        states, wanted = np.repeat(np.asarray(self._machine.start)[None], len(rows), axis=0), []
        for place in range(rows.shape[1]):
            states = self._machine.step(states, rows[:, place], place + 1)
            wanted.append(self._machine.codes(states))
        return np.stack(wanted, axis=1)


def every_position(
    model: SequenceModel, task: SequenceTask, *, before: Sequence[Hashable] = ()
) -> tuple[EveryPosition, SequenceTask]:
    """A model and a task for an audit of the answers at all positions: what is wanted is that none is wrong.

    A network that runs on whole words is run once on each, and has to look back only. Any other model is asked about
    every prefix. ``before`` are symbols in front of each word, such as BOS (a model that is run has its own).

    >>> import ccsim as cc
    >>> from ccsim.models import ForwardModel
    >>> from ccsim.problems import parity_of_word
    >>> late = ForwardModel(lambda ids: (ids.cumsum(axis=1) % 2 * (ids.cumsum(axis=1) < 3))[:, :, None], "01")
    >>> found = cc.audit(*every_position(late, parity_of_word(4)))
    >>> found.verdict, "".join(found.failure.word), found.failure.answer, found.wrong_words
    ('wrong', '0111', 4, 5)
    """
    checked, name = EveryPosition(model, task, before), f"{task.name} at every position"
    note = "no answer of a word is wrong"
    right = SequenceTask(name, task.words, checked.answers, lambda rows: np.zeros(np.shape(rows)[:-1], int), note=note)
    return checked, right
