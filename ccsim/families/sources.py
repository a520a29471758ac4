"""Where families come from: the functions of two strings, languages under periodic partitions, tasks of two halves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.certificates.verify.families import FAMILIES
from ccsim.errors import InputError
from ccsim.families.family import RegularFamily
from ccsim.models.automata.automaton import Automaton
from ccsim.problems.sequence.partition import Partition

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
    symbols, size = automaton.alphabet, len(automaton.alphabet)
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
    alice, bob = (tuple(_block(tuple(symbols[rank] for rank in block)) for block in part) for part in blocks)
    return RegularFamily(
        f"{automaton.name} dealt {owners}",
        alice,
        bob,
        states,
        automaton.outputs,
        automaton.first,
        automaton.answers,
        said=_said(automaton, owners),
    )


def _block(symbols: tuple[Any, ...]) -> Any:
    """A block as text where its symbols are characters."""
    return "".join(symbols) if all(isinstance(symbol, str) and len(symbol) == 1 for symbol in symbols) else symbols


def _said(automaton: Automaton, owners: str) -> dict[str, Any]:
    return {
        "symbols": [str(symbol) for symbol in automaton.alphabet],
        "table": automaton.table.tolist(),
        "outputs": np.asarray(automaton.outputs).tolist(),
        "first": int(automaton.first),
        "labels": [label if type(label) is int else str(label) for label in automaton.answers],
        "partition": owners,
    }


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
