"""Automata from regular expressions, as Python's ``re.fullmatch`` reads them.

Python's own parser makes a tree of the expression, and the tree becomes an automaton here: what is not understood is
refused by name. At each call the automaton is compared with ``re.fullmatch`` (:mod:`ccsim.models.automata.fullmatch`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from importlib import import_module
from typing import Any

from ccsim.arguments import require_symbols
from ccsim.errors import InputError
from ccsim.models.automata.automaton import Automaton
from ccsim.models.automata.fullmatch import first_difference
from ccsim.models.automata.subsets import Conditions, Moves, TooMuchWorkError, determined, is_word

parser: Any = import_module("re._parser")  # no public name of Python gives the tree; what is made of it is checked

MOST_LETTERS = 256
SHORTENED = 4  # neighbours in an alphabet from which on it is told as a range
UNREAD = {
    "GROUPREF": "back reference",
    "GROUPREF_EXISTS": "conditional group",
    "ASSERT": "look-ahead or look-behind",
    "ASSERT_NOT": "negative look-ahead or look-behind",
    "FAILURE": "negative look-ahead",
    "ATOMIC_GROUP": "atomic group",
    "POSSESSIVE_REPEAT": "possessive quantifier",
}
READ = {
    *("SUBPATTERN", "BRANCH", "MAX_REPEAT", "MIN_REPEAT", "AT"),
    *("LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "NEGATE", "CATEGORY"),
}
CATEGORIES: dict[str, tuple[str, Callable[[str], bool]]] = {
    "DIGIT": (r"\d", str.isdecimal),
    "SPACE": (r"\s", str.isspace),
    "WORD": (r"\w", is_word),
}
CONDITIONS: dict[str, Callable[[str | None], frozenset[str]]] = {
    "AT_BEGINNING": Conditions.at_beginning,
    "AT_BEGINNING_STRING": Conditions.at_beginning,
    "AT_END": lambda before: Conditions.LAST_LINE,
    "AT_END_STRING": lambda before: Conditions.END,
    "AT_BOUNDARY": Conditions.at_boundary,
    "AT_NON_BOUNDARY": Conditions.inside,
}


def from_regular_expression(expression: str, alphabet: Iterable[str] | None = None) -> Automaton:
    r"""The minimal automaton that answers 1 iff the whole word matches a regular expression, else 0.

    The syntax is that of Python's ``re``. Without an alphabet it is every character that the expression names, ranges
    expanded; where it has ``.``, ``[^...]``, ``\d``, ``\s`` or ``\w``, an alphabet is needed, and their meaning is
    restricted to it. The automaton is compared with ``re.fullmatch`` on many short words.

    Raises :class:`~ccsim.errors.InputError` for what is not regular or not understood (look-around, back references,
    flags), for a character of the expression that is not in the alphabet, and for expressions that are too large.

    >>> automaton = from_regular_expression(r"(a|b)*abb")
    >>> automaton.states, automaton("babb"), automaton("abba"), automaton.alphabet
    (4, 1, 0, ('a', 'b'))
    >>> from_regular_expression(r"[^b]*b", "abc").alphabet
    ('a', 'b', 'c')
    """
    if not isinstance(expression, str):
        raise InputError("expression", expression, "a text")
    try:
        tree = _parsed(expression)
        moves = Moves(_symbols(expression, tree, alphabet))
        first = _Maker(moves).sequence(tree, moves.accept)
        minimal = determined(moves, first)
        foreign = "" if _open(tree) else "".join(sorted(set(expression) - set(moves.symbols)))
        wrong = first_difference(expression, minimal, moves, first, foreign)
    except TooMuchWorkError as error:
        expected = "an expression that takes less work: fewer or smaller repeats, and fewer inside each other"
        raise InputError("expression", expression, expected) from error
    except RecursionError as error:
        raise InputError("expression", expression, "fewer groups inside each other") from error
    if wrong is not None:
        expected = f"an expression that is read here as re.fullmatch reads it: they differ on {wrong!r}"
        raise InputError("expression", expression, expected)
    name = f"{expression!r} over {told_letters(moves.symbols)}"
    return Automaton.of(moves.symbols, minimal.table, minimal.outputs, name=name)


def _parsed(expression: str) -> Any:
    """Python's tree of an expression without flags; its warnings (of nested sets) are errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = parser.parse(expression)
    except (re.error, OverflowError) as error:
        raise InputError("expression", expression, f"a regular expression as Python's re has them ({error})") from error
    except Warning as error:
        expected = rf"a set without another inside (write \[ for the character): {error}"
        raise InputError("expression", expression, expected) from error
    if tree.state.flags & ~re.UNICODE.value:
        flags = re.RegexFlag(tree.state.flags & ~re.UNICODE.value)
        raise InputError("expression", expression, f"no flags: {flags!r} is not supported")
    for name, argument in _elements(tree):
        if name == "SUBPATTERN" and (argument[1] or argument[2]):
            raise InputError("expression", expression, "no flags: those of a group are not supported")
        if name not in READ:
            raise InputError("expression", expression, f"no {UNREAD.get(name, name)}, which is not supported")
    return tree


def _symbols(expression: str, tree: Any, alphabet: Iterable[str] | None) -> tuple[str, ...]:
    """The alphabet as it is given, or that of the characters which the expression names."""
    named = set[str]()
    for low, high in _named(tree):
        if high - low >= MOST_LETTERS or len(named) > MOST_LETTERS:
            raise InputError("expression", expression, f"at most {MOST_LETTERS} characters in ranges and all together")
        named |= {chr(code) for code in range(low, high + 1)}
    if alphabet is None:
        if found := _open(tree):
            expected = f"the letters (--alphabet LETTERS), as {found} stands for any of them"
            raise InputError("alphabet", alphabet, expected)
        if not named:
            raise InputError("alphabet", alphabet, "letters (--alphabet LETTERS), as the expression names none")
        return tuple(sorted(named))
    symbols: Any = require_symbols("alphabet", alphabet)
    for symbol in symbols:
        if not isinstance(symbol, str) or len(symbol) != 1:
            raise InputError("alphabet", symbol, "single characters")
    if len(symbols) > MOST_LETTERS:
        raise InputError("alphabet", f"{len(symbols)} letters", f"at most {MOST_LETTERS}")
    if missing := sorted(named - set(symbols)):
        expected = f"all characters that {expression!r} names: it lacks {told_letters(missing)}"
        raise InputError("alphabet", "".join(symbols), expected)
    return tuple(symbols)


def told_letters(symbols: Iterable[Hashable]) -> str:
    """An alphabet for people: ranges are shortened, and a sign that is no letter or digit stands in quotes.

    >>> told_letters("01abcdef ,")
    "{0, 1, a-f, ' ', ','}"
    """
    parts: list[str] = []
    run: list[str] = []
    for symbol in (*map(str, symbols), ""):
        plain = len(symbol) == 1 and symbol.isalnum()
        if run and not (plain and ord(symbol) == ord(run[-1]) + 1):
            parts += [f"{run[0]}-{run[-1]}"] if len(run) >= SHORTENED else run
            run = []
        if plain:
            run.append(symbol)
        elif symbol:
            parts.append(repr(symbol) if len(symbol) == 1 else symbol)
    return f"{{{', '.join(parts)}}}"


def _elements(tree: Any) -> Iterator[tuple[str, Any]]:
    """Every element of a tree that is understood, those of sets too."""
    for operation, argument in tree:
        name = operation.name
        yield name, argument
        if name == "SUBPATTERN":
            yield from _elements(argument[-1])
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from _elements(argument[2])
        elif name == "BRANCH":
            for part in argument[1]:
                yield from _elements(part)
        elif name == "IN":
            yield from _elements(argument)


def _named(tree: Any) -> Iterator[tuple[int, int]]:
    """The characters that a tree names, as ranges."""
    for name, argument in _elements(tree):
        if name in ("LITERAL", "NOT_LITERAL"):
            yield argument, argument
        elif name == "RANGE":
            yield argument


def _open(tree: Any) -> str | None:
    """The first part of a tree that stands for characters which it does not name."""
    for name, argument in _elements(tree):
        if name == "ANY":
            return "'.'"
        if name in ("NEGATE", "NOT_LITERAL"):
            return "a set '[^...]'"
        if name == "CATEGORY":
            kind, inverse = _category(argument)
            return f"'{CATEGORIES[kind][0].upper() if inverse else CATEGORIES[kind][0]}'"
    return None


def _category(argument: Any) -> tuple[str, bool]:
    """A category's name, and whether all but it is meant."""
    name = argument.name.removeprefix("CATEGORY_")
    return name.removeprefix("NOT_"), name.startswith("NOT_")


class _Maker:
    """Makes the moves of a tree, from its end to its beginning."""

    def __init__(self, moves: Moves) -> None:
        self.moves = moves

    def sequence(self, tree: Any, following: int) -> int:
        """The place where a tree begins that goes on at another place."""
        for operation, argument in reversed(list(tree)):
            self.moves.spend(1)
            following = self.element(operation.name, argument, following)
        return following

    def element(self, name: str, argument: Any, following: int) -> int:
        """The place where an element begins."""
        if name == "SUBPATTERN":
            return self.sequence(argument[-1], following)
        if name == "BRANCH":
            return self.moves.fork([self.sequence(part, following) for part in argument[1]])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):  # which is tried first does not matter where the whole word must match
            return self.repeat(argument, following)
        if name == "AT":
            return self.moves.condition(CONDITIONS[argument.name], following)
        return self.moves.letter(filter(self.membership(name, argument), self.moves.symbols), following)

    def repeat(self, argument: Any, following: int) -> int:
        """A repetition: copies that must be, then a loop, or copies that may be."""
        least, most, inside = argument
        if most is parser.MAXREPEAT:
            first = self.moves.fork([following])
            self.moves.following[first].append(self.sequence(inside, first))
        else:
            first = following
            for _ in range(most - least):
                self.moves.spend(1)
                first = self.moves.fork([self.sequence(inside, first), following])
        for _ in range(least):
            self.moves.spend(1)
            first = self.sequence(inside, first)
        return first

    def membership(self, name: str, argument: Any) -> Callable[[str], bool]:
        """Whether a character is one of those that an element stands for."""
        if name == "ANY":
            return lambda symbol: symbol != "\n"
        if name == "LITERAL":
            return lambda symbol: ord(symbol) == argument
        if name == "NOT_LITERAL":
            return lambda symbol: ord(symbol) != argument
        if name == "RANGE":
            return lambda symbol: argument[0] <= ord(symbol) <= argument[1]
        if name == "CATEGORY":
            kind, inverse = _category(argument)
            return lambda symbol: CATEGORIES[kind][1](symbol) != inverse
        parts = [(operation.name, inside) for operation, inside in argument]
        inverse = parts[0][0] == "NEGATE"
        tests = [self.membership(*part) for part in parts[inverse:]]
        return lambda symbol: any(test(symbol) for test in tests) != inverse
