"""Regular languages that papers on transformers and recurrent models use, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ccsim.errors import InputError
from ccsim.models.automata.automaton import Automaton
from ccsim.models.automata.dyck import dyck_automaton
from ccsim.models.automata.expression import from_regular_expression


@dataclass(frozen=True)
class NamedLanguage:
    """A regular language with a name.

    Attributes:
        name: lower case, with hyphens.
        about: which words it has, in a line.
        automaton: makes its minimal automaton.
        blank: whether a blank that may stand anywhere is dealt, too; else words are dealt as they are.
        longest: periodic partitions up to this period are looked at.
    """

    name: str
    about: str
    automaton: Callable[[], Automaton] = field(repr=False)
    blank: bool = True
    longest: int = 4


def _expression(expression: str, letters: str) -> Callable[[], Automaton]:
    return lambda: from_regular_expression(expression, letters)


def _counting(modulus: int) -> Callable[[], Automaton]:
    table = [[(state + 1) % modulus, state] for state in range(modulus)]
    return lambda: Automaton.of("ab", table, [int(state == 0) for state in range(modulus)])


def _dyck(brackets: int, depth: int) -> Callable[[], Automaton]:
    return lambda: dyck_automaton(brackets, depth).minimise()


def _table(letters: str, table: list[list[int]], accepting: set[int]) -> Callable[[], Automaton]:
    outputs = [int(state in accepting) for state in range(len(table))]
    return lambda: Automaton.of(letters, table, outputs).minimise()


def _even_and_even() -> Automaton:
    table = [[state ^ 1, state ^ 2] for state in range(4)]
    return Automaton.of("01", table, [1, 0, 0, 0]).minimise()


CORPUS: tuple[NamedLanguage, ...] = (
    NamedLanguage("parity", "an odd number of 1s", _table("01", [[0, 1], [1, 0]], {1})),
    NamedLanguage("modulo-3", "a number of a's that 3 divides", _counting(3)),
    NamedLanguage("even-length", "(aa)*", _expression("(aa)*", "a")),
    NamedLanguage("some-a", "a somewhere", _expression("(a|b)*a(a|b)*", "ab")),
    NamedLanguage("last-a", "a at the end", _expression("(a|b)*a", "ab")),
    NamedLanguage("first-a", "a at the beginning", _expression("a(a|b)*", "ab")),
    NamedLanguage("flip-flop", "of the letters a and b (set) and i (ignore), a is the last one set",
                  _expression("(a|b|i)*ai*", "abi"), longest=3),
    NamedLanguage("a-then-b", "a*b*", _expression("a*b*", "ab")),
    NamedLanguage("one-2", "(0|1|2)*02*", _expression("(0|1|2)*02*", "012"), longest=3),
    NamedLanguage("contains-aa", "aa somewhere", _expression("(a|b)*aa(a|b)*", "ab")),
    NamedLanguage("contains-ab-as-subword", "a, and later b", _expression("(a|b)*a(a|b)*b(a|b)*", "ab")),
    NamedLanguage("pairs", "(aa|bb)*", _expression("(aa|bb)*", "ab"), longest=3),
    NamedLanguage("tomita-1", "1*", _expression("1*", "01")),
    NamedLanguage("tomita-2", "(10)*", _expression("(10)*", "01")),
    NamedLanguage("tomita-3", "no odd run of 0s right after an odd run of 1s",
                  _table("01", [[0, 1], [2, 0], [3, 4], [2, 1], [4, 4]], {0, 1, 3})),
    NamedLanguage("tomita-4", "no three 0s in a row", _expression("(1|01|001)*(0|00)?", "01")),
    NamedLanguage("tomita-5", "an even number of 0s and an even number of 1s", _even_and_even),
    NamedLanguage("tomita-6", "as many 0s as 1s modulo 3", _table("01", [[1, 2], [2, 0], [0, 1]], {0})),
    NamedLanguage("tomita-7", "0*1*0*1*", _expression("0*1*0*1*", "01")),
    NamedLanguage("dyck-1-1", "(ab)*: brackets of one kind, depth 1", _expression("(ab)*", "ab")),
    NamedLanguage("dyck-1-2", "(a(ab)*b)*: brackets of one kind, depth 2", _expression("(a(ab)*b)*", "ab")),
    NamedLanguage("dyck-1-3", "brackets of one kind, depth 3", _expression("(a(a(ab)*b)*b)*", "ab"), longest=3),
    NamedLanguage("dyck-2-1", "brackets of two kinds, depth 1", _dyck(2, 1), blank=False, longest=3),
    NamedLanguage("dyck-2-2", "brackets of two kinds, depth 2", _dyck(2, 2), blank=False, longest=2),
    NamedLanguage("dyck-3-2", "brackets of three kinds, depth 2", _dyck(3, 2), blank=False, longest=2),
    NamedLanguage("permutations-of-3", "words of (1 2 3) and (1 2) that move nothing of three things",
                  _table("ab", [[1, 1], [2, 0], [0, 2]], {0})),
)  # fmt: skip
"""Languages of experiments: Tomita's seven (1982), bounded Dyck languages, counting, and star-free ones."""


def named_language(name: str) -> NamedLanguage:
    """The language of the corpus with this name.

    >>> named_language("tomita-4").automaton().states
    4
    """
    found = next((one for one in CORPUS if one.name == name), None)
    if found is None:
        raise InputError("name", name, f"one of {', '.join(one.name for one in CORPUS)}")
    return found
