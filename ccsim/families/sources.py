"""Where families come from: functions of two strings, languages under periodic partitions, tasks, named languages."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ccsim.certificates.verify.families import FAMILIES
from ccsim.errors import InputError, require_integer
from ccsim.families.family import RegularFamily, plain_table
from ccsim.models.automata.automaton import Automaton, dyck_automaton
from ccsim.models.automata.expression import from_regular_expression
from ccsim.problems.sequence_tasks import Partition

NAMED_FAMILIES = tuple(FAMILIES)
MOST_PAIRS = 1 << 20  # entries of a table over pairs of blocks


def named_family(name: str) -> RegularFamily:
    """A function of two strings of n bits, for every n; also that of the halves of a word, read side by side.

    >>> named_family("greater-than").at(2)("10", "01"), NAMED_FAMILIES
    (1, ('equality', 'disjointness', 'intersection', 'greater-than', 'inner-product'))
    """
    name = name.removesuffix("-of-halves")
    if name not in FAMILIES:
        raise InputError("name", name, f"one of {', '.join(FAMILIES)}")
    table, outputs = FAMILIES[name]
    return RegularFamily(name, ("0", "1"), ("0", "1"), np.array(table), np.array(outputs), said={"function": name})


def dealt(automaton: Automaton, partition: str | Partition) -> RegularFamily:
    """What an automaton answers on words of length p n, whose positions a partition of p positions deals, repeated.

    >>> from ccsim.models.automata import from_regular_expression
    >>> family = dealt(from_regular_expression("(ab)*", "ab"), "AB")
    >>> family.at(2).matrix.codes.tolist()
    [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    owners = str(partition if isinstance(partition, Partition) else Partition(partition))
    if set(owners) != {"A", "B"}:
        raise InputError("partition", owners, "at least one position of each party")
    symbols: tuple[Any, ...] = automaton.alphabet
    size = len(symbols)
    if automaton.states * size ** len(owners) > MOST_PAIRS:
        raise InputError(
            "partition", owners, f"{automaton.states} states times {size} letters to its length: {MOST_PAIRS}"
        )
    blocks = [list(itertools.product(range(size), repeat=owners.count(owner))) for owner in "AB"]
    x, y = (np.array(part) for part in blocks)
    states = np.broadcast_to(np.arange(automaton.states)[:, None, None], (automaton.states, len(x), len(y)))
    seen = {"A": 0, "B": 0}
    for owner in owners:
        place = seen[owner]
        held = x[None, :, None, place] if owner == "A" else y[None, None, :, place]
        states = automaton.table[states, held]
        seen[owner] += 1
    joint = all(isinstance(symbol, str) and len(symbol) == 1 for symbol in symbols)  # then a block is a text
    words = ([tuple(symbols[rank] for rank in block) for block in part] for part in blocks)
    alice, bob = (tuple(map("".join, part)) if joint else tuple(part) for part in words)
    name, given = f"{automaton.name} dealt {owners}", (automaton.outputs, automaton.first, automaton.answers)
    said = {"symbols": [*map(str, symbols)], **plain_table(automaton.table, *given), "partition": owners}
    return RegularFamily(name, alice, bob, states, *given, said)


def with_blank(automaton: Automaton, blank: str = "_") -> Automaton:
    """The same language with one letter more, which may stand anywhere and means nothing.

    >>> from ccsim.models.automata import from_regular_expression
    >>> with_blank(from_regular_expression("(ab)*", "ab"))("_a__b")
    1
    """
    if blank in automaton.alphabet:
        raise InputError("blank", blank, f"a letter that is not one of {automaton.alphabet}")
    stay = np.arange(automaton.states)[:, None]
    table = np.concatenate([automaton.table, stay], axis=1)
    symbols = (*automaton.alphabet, blank)
    return Automaton.of(symbols, table, automaton.outputs, automaton.first, automaton.answers, automaton.name)


def periodic_partitions(longest: int) -> Iterator[str]:
    """The partitions of up to so many positions that are no repetition of shorter ones; Alice holds the first position.

    >>> list(periodic_partitions(3))
    ['AB', 'AAB', 'ABA', 'ABB']
    """
    for period in range(2, require_integer("longest", longest, low=2, high=16) + 1):
        for rest in itertools.product("AB", repeat=period - 1):
            owners = "A" + "".join(rest)
            if "B" in rest and owners not in (owners + owners)[1:-1]:
                yield owners


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


def _dyck(brackets: int, depth: int) -> Callable[[], Automaton]:
    return lambda: dyck_automaton(brackets, depth).minimise()


def _table(letters: str, table: list[list[int]], accepting: set[int]) -> Callable[[], Automaton]:
    outputs = [int(state in accepting) for state in range(len(table))]
    return lambda: Automaton.of(letters, table, outputs).minimise()


CORPUS: tuple[NamedLanguage, ...] = (
    NamedLanguage("parity", "an odd number of 1s", _table("01", [[0, 1], [1, 0]], {1})),
    NamedLanguage("modulo-3", "a number of a's that 3 divides", _table("ab", [[1, 0], [2, 1], [0, 2]], {0})),
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
    NamedLanguage("tomita-5", "an even number of 0s and an even number of 1s",
                  _table("01", [[1, 2], [0, 3], [3, 0], [2, 1]], {0})),
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
