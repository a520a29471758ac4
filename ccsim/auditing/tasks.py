"""Tasks that people bring: regular expressions, automata in files, brackets, counting, and functions of their own."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.families.language import read_language
from ccsim.models.automata.automaton import Automaton
from ccsim.plain_data import counted, meant, printable
from ccsim.problems.catalogue import registered_problems
from ccsim.problems.inputs import Words
from ccsim.problems.sequence.languages import dyck, run_table
from ccsim.problems.sequence.task import SequenceTask, table_machine
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
        found = dict.fromkeys(_answer(function, words.value(index)) for index in range(words.size))
        answers = sorted((answer for answer in found if answer is not None), key=order_key)
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

    The last one runs the file. The name is that of a task, of a function from the length to a task, or of a function
    of one word with an attribute ``alphabet`` (and ``answers``, if there are many words). ``alphabet`` are the symbols
    of an expression, or those among which the last one is counted.

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
        found = object_in_file(given)
        if callable(found) and not isinstance(found, SequenceTask):
            if hasattr(found, "alphabet"):
                return function_task(found, found.alphabet, length, getattr(found, "answers", None))
            found = found(length)
        if not isinstance(found, SequenceTask):
            expected = (
                "a task, a function from the length to a task, or a function of a word with an attribute alphabet"
            )
            raise InputError("task", found, expected)
        if found.length != length:
            raise InputError("length", length, f"{found.length}, the length of {found.name}")
        return found
    if colon:
        raise InputError("task", given, FORMS)
    known, name = registered_problems(), given.replace("_", "-")
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
