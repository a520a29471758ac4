"""Automata from regular expressions, as Python's ``re.fullmatch`` reads them.

Python's own parser makes a tree of the expression, and the tree becomes an automaton here: what is not understood is
refused by name. A *place* takes a letter of a set and goes on, forks without a letter, or holds a condition. A
condition such as ``$`` looks at what has not been read yet. It is kept as a promise: the set of ways in which the rest
of the word may still go on, of which there are four (:attr:`Conditions.ANY`). A promise that is broken ends the path.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from importlib import import_module
from typing import Any

from ccsim.errors import InputError, require_symbols
from ccsim.models.automata import Automaton
from ccsim.models.reachability import reached

MOST_WORK = 400_000
MOST_STATES = 1 << 12
NEVER_EMPTY = re.fullmatch(r"\B", "") is None
Rest = frozenset[str]
Item = tuple[int, Rest]


class TooMuchWorkError(Exception):
    pass


def is_word(symbol: str) -> bool:
    return symbol.isalnum() or symbol == "_"


class Conditions:
    """What may follow at a position of a word: nothing, a newline and nothing more, anything else that begins with a
    character of words, or with another one."""

    END = frozenset({"end"})
    LAST_LINE = frozenset({"end", "newline"})
    WORD = frozenset({"word"})
    OTHER = frozenset({"end", "newline", "other"})
    ANY = WORD | OTHER

    @classmethod
    def at_boundary(cls, before: str | None) -> Rest:
        return cls.OTHER if before is not None and is_word(before) else cls.WORD

    @classmethod
    def inside(cls, before: str | None) -> Rest:
        r"""Whether ``\B`` matches the empty word depends on Python's version."""
        return cls.ANY - cls.at_boundary(before) - (cls.END if before is None and NEVER_EMPTY else frozenset())

    @classmethod
    def after(cls, rest: Rest, symbol: str) -> Rest:
        if symbol != "\n":
            return cls.ANY if ("word" if is_word(symbol) else "other") in rest else frozenset()
        last: Rest = cls.END if "newline" in rest else frozenset()
        return last | (cls.ANY - cls.END if "other" in rest else frozenset())


class Moves:
    """Places, numbered from 0, the accepting one; ``letters`` is None where no letter is taken."""

    accept = 0

    def __init__(self, symbols: tuple[str, ...]) -> None:
        self.symbols = symbols
        self.letters: list[frozenset[str] | None] = [frozenset()]
        self.following: list[list[int]] = [[]]
        self.conditions: dict[int, Callable[[str | None], Rest]] = {}
        self.matched: dict[str, frozenset[str]] = {}
        self.work = 0

    def spend(self, steps: int = 1) -> None:
        self.work += steps
        if self.work > MOST_WORK:
            raise TooMuchWorkError

    def place(self, letters: frozenset[str] | None, following: list[int]) -> int:
        self.letters.append(letters)
        self.following.append(following)
        return len(self.following) - 1

    def alike(self) -> list[list[str]]:
        sets = {letters for letters in self.letters if letters}
        kinds: dict[object, list[str]] = {}
        for symbol in self.symbols:
            around = (is_word(symbol), symbol == "\n") if self.conditions else None
            kinds.setdefault((frozenset(one for one in sets if symbol in one), around), []).append(symbol)
        return list(kinds.values())

    def closed(self, items: Iterable[Item], before: str | None) -> frozenset[Item]:
        """The places that take a letter, or accept, which are reached without one after a character."""
        ahead, seen = list(items), set[Item]()
        while ahead:
            item = place, rest = ahead.pop()
            if item in seen or not rest:
                continue
            self.spend()
            seen.add(item)
            if self.letters[place] is None:
                if place in self.conditions:
                    rest &= self.conditions[place](before)
                ahead += [(after, rest) for after in self.following[place]]
        return frozenset(item for item in seen if self.letters[item[0]] is not None)

    def step(self, items: frozenset[Item], symbol: str) -> frozenset[Item]:
        self.spend(len(items) + 1)
        after = [
            (self.following[place][0], Conditions.after(rest, symbol))
            for place, rest in items
            if symbol in (self.letters[place] or ())
        ]
        return self.closed(after, symbol)

    def sequence(self, tree: Any, following: int) -> int:
        for operation, argument in reversed(list(tree)):
            self.spend(1)
            following = self.element(operation, argument, following)
        return following

    def element(self, operation: Any, argument: Any, following: int) -> int:
        name = operation.name
        if name == "SUBPATTERN":
            return self.sequence(argument[-1], following)
        if name == "BRANCH":
            return self.place(None, [self.sequence(part, following) for part in argument[1]])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):  # which is tried first does not matter where the whole word must match
            return self.repeat(argument, following)
        if name == "AT":
            place = self.place(None, [following])
            self.conditions[place] = CONDITIONS[argument.name]
            return place
        return self.place(self.taken(operation, argument), [following])

    def repeat(self, argument: Any, following: int) -> int:
        least, most, inside = argument
        if most is parser.MAXREPEAT:
            first = self.place(None, [following])
            self.following[first].append(self.sequence(inside, first))
        else:
            first = following
            for _ in range(most - least):
                self.spend(1)
                first = self.place(None, [self.sequence(inside, first), following])
        for _ in range(least):
            self.spend(1)
            first = self.sequence(inside, first)
        return first

    def taken(self, operation: Any, argument: Any) -> frozenset[str]:
        """The symbols that an element of one letter matches, by Python's own matcher; equal elements are asked once."""
        element = repr((operation, argument))
        if element not in self.matched:
            alone = compiler.compile(parser.SubPattern(parser.State(), [(operation, argument)]), re.UNICODE)
            self.matched[element] = frozenset(filter(alone.fullmatch, self.symbols))
        return self.matched[element]


def determined(moves: Moves, first: int) -> Automaton:
    kinds = moves.alike()
    start = moves.closed([(first, Conditions.ANY)], None)
    states, table = reached([start], lambda items: [moves.step(items, symbol) for symbol, *_ in kinds], MOST_STATES)
    if len(states) > MOST_STATES:
        raise TooMuchWorkError
    outputs = [any(place == moves.accept and "end" in rest for place, rest in items) for items in states]
    minimal = Automaton.of(range(len(kinds)), table, outputs).minimise()
    kind = {symbol: place for place, alike in enumerate(kinds) for symbol in alike}
    return Automaton.of(moves.symbols, minimal.table[:, [kind[symbol] for symbol in moves.symbols]], minimal.outputs)


# No public name of Python gives the tree, or compiles a part of it; tests compare what is made of it with re.
parser: Any = import_module("re._parser")
compiler: Any = import_module("re._compiler")

MOST_LETTERS = 256
SHORTENED = 4  # neighbours in an alphabet from which on it is written as a range
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
CONDITIONS: dict[str, Callable[[str | None], frozenset[str]]] = {
    **dict.fromkeys(
        ("AT_BEGINNING", "AT_BEGINNING_STRING"), lambda before: Conditions.ANY if before is None else frozenset()
    ),
    "AT_END": lambda before: Conditions.LAST_LINE,
    "AT_END_STRING": lambda before: Conditions.END,
    "AT_BOUNDARY": Conditions.at_boundary,
    "AT_NON_BOUNDARY": Conditions.inside,
}


def from_regular_expression(expression: str, alphabet: Iterable[str] | None = None) -> Automaton:
    r"""The minimal automaton that answers 1 iff the whole word matches a regular expression, else 0.

    The syntax is that of Python's ``re``. Without an alphabet it is every character that the expression names; where it
    has ``.``, ``[^...]``, ``\d``, ``\s`` or ``\w``, an alphabet is needed, and their meaning is restricted to it.

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
        minimal = determined(moves, moves.sequence(tree, moves.accept))
    except TooMuchWorkError as error:
        expected = "an expression that takes less work: fewer or smaller repeats, and fewer inside each other"
        raise InputError("expression", expression, expected) from error
    except RecursionError as error:
        raise InputError("expression", expression, "fewer groups inside each other") from error
    name = f"{expression!r} over {alphabet_text(moves.symbols)}"
    return Automaton.of(moves.symbols, minimal.table, minimal.outputs, name=name)


def _parsed(expression: str) -> Any:
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
    named = set[str]()
    for low, high in _named(tree):
        if high - low >= MOST_LETTERS or len(named) > MOST_LETTERS:
            raise InputError("expression", expression, f"at most {MOST_LETTERS} characters in ranges and all together")
        named |= {chr(code) for code in range(low, high + 1)}
    if alphabet is None:
        if part := _open(tree):
            expected = f"the letters (--alphabet LETTERS), as {part} represents any of them"
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
        expected = f"all characters that {expression!r} names: it lacks {alphabet_text(missing)}"
        raise InputError("alphabet", "".join(symbols), expected)
    return tuple(symbols)


def alphabet_text(symbols: Iterable[Hashable]) -> str:
    """An alphabet for people, with ranges shortened and signs in quotes."""
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
    for name, argument in _elements(tree):
        if name in ("LITERAL", "NOT_LITERAL"):
            yield argument, argument
        elif name == "RANGE":
            yield argument


def _open(tree: Any) -> str | None:
    """The first part of a tree that represents characters which it does not name."""
    for name, argument in _elements(tree):
        if name == "ANY":
            return "'.'"
        if name in ("NEGATE", "NOT_LITERAL"):
            return "a set '[^...]'"
        if name == "CATEGORY":
            named = argument.name.removeprefix("CATEGORY_")  # such as NOT_DIGIT
            return rf"'\{named[4] if named.startswith('NOT_') else named[0].lower()}'"
    return None
