"""Functions for every length n: an automaton reads the letters of the two parties side by side.

Families come from functions of two strings, from languages under periodic partitions, and by name; certificates bound
their measures for every n.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ccsim.certificates import verify
from ccsim.certificates.certificate import SavedCertificate
from ccsim.certificates.verify.claims import bits_for
from ccsim.certificates.verify.families import FAMILIES, Count, values_of
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models.automata import Automaton, dyck_automaton
from ccsim.models.reachability import kinds_of_rows, leading_to, reached
from ccsim.models.regular_expressions import from_regular_expression
from ccsim.problems.function import TwoPartyFunction
from ccsim.problems.inputs import Words
from ccsim.problems.sequence_tasks import Partition


@dataclass(frozen=True, eq=False)
class RegularFamily:
    """The functions f_n of n letters of Alice and n of Bob, for every n >= 1, given by one automaton over pairs.

    Attributes:
        alice, bob: the letters of each party; a letter may represent a block of symbols.
        table: ``table[state, x, y]`` is the next state, by the places of the two letters.
        outputs: for each state, the code of the answer if it is the last one; -1 where the answer is undefined.
        answers: every possible answer; an answer's place is its code.
        source: how a certificate names it, as plain data; the table itself if that is empty.
        name, first: what it is called, and the state to begin in.

    >>> from ccsim.families import named_family
    >>> named_family("equality").at(2).matrix.codes.tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """

    name: str
    alice: tuple[Hashable, ...]
    bob: tuple[Hashable, ...]
    table: Array = field(repr=False)
    outputs: Array = field(repr=False)
    first: int = field(default=0, repr=False)
    answers: tuple[Hashable, ...] = (0, 1)
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for argument in ("alice", "bob", "answers"):
            object.__setattr__(self, argument, require_symbols(argument, getattr(self, argument)))
        table, outputs = (np.asarray(values, dtype=np.int64) for values in (self.table, self.outputs))
        if table.ndim != 3 or not len(table) or table.shape[1:] != (len(self.alice), len(self.bob)):
            raise InputError("table", table.shape, f"(states, {len(self.alice)}, {len(self.bob)})")
        if table.min() < 0 or table.max() >= len(table):
            raise InputError("table", int(table.max()), f"states from 0 to {len(table) - 1}")
        if outputs.shape != (len(table),) or outputs.min() < -1 or outputs.max() >= len(self.answers):
            raise InputError("outputs", outputs.shape, f"a code from -1 to {len(self.answers) - 1} for each state")
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "outputs", outputs)
        object.__setattr__(self, "first", require_integer("first", self.first, low=0, high=len(table) - 1))

    @property
    def states(self) -> int:
        """How many states the automaton has."""
        return len(self.table)

    def at(self, n: int) -> TwoPartyFunction:
        """The function of n letters each."""
        n = require_integer("n", n, low=1)
        table, outputs = self.table, self.outputs

        def evaluate(x: Array, y: Array) -> Array:
            states = np.full(np.broadcast_shapes(x.shape[:-1], y.shape[:-1]), self.first)
            for place in range(n):
                states = table[states, x[..., place], y[..., place]]
            return np.asarray(outputs[states])

        inputs = (Words.over(self.alice, n), Words.over(self.bob, n))
        return TwoPartyFunction(f"{self.name}, n = {n}", inputs, self.answers, evaluate, returns="codes")

    def to_json(self) -> dict[str, Any]:
        """As certificates have it."""
        return dict(self.source) or plain_table(self.table, self.outputs, self.first, self.answers)

    @cached_property
    def merged(self) -> MergedFamily:
        """The least automaton, with letters that always do the same taken together."""
        flat = self.table.reshape(self.states, -1)
        codes = self.outputs + 1  # undefined entries are an answer of their own
        automaton = Automaton.of(range(flat.shape[1]), flat, codes, self.first, ("free", *range(len(self.answers))))
        least = automaton.minimise()
        table = least.table.reshape(least.states, len(self.alice), len(self.bob))
        (rows, row_class), (columns, column_class) = (
            kinds_of_rows(np.moveaxis(table, axis, 0).reshape(table.shape[axis], -1)) for axis in (1, 2)
        )
        small = RegularFamily(
            self.name,
            tuple(self.alice[row] for row in rows),
            tuple(self.bob[column] for column in columns),
            table[:, rows][:, :, columns],
            np.asarray(least.outputs) - 1,
            least.first,
            self.answers,
        )
        return MergedFamily(small, *(tuple(part.tolist()) for part in (rows, columns, row_class, column_class)))


def plain_table(table: Array, outputs: Array, first: int, answers: Iterable[Hashable]) -> dict[str, Any]:
    labels = [label if type(label) is int else str(label) for label in answers]
    return {"table": table.tolist(), "outputs": outputs.tolist(), "first": int(first), "labels": labels}


class MergedFamily(NamedTuple):
    """A least family; for each of its letters the place of one that it represents, and for each letter its class.

    Attributes:
        family: the least family.
        alice, bob: for each letter of it the place of one that it represents.
        alice_class, bob_class: for each letter of before, its place in the least family.
    """

    family: RegularFamily
    alice: tuple[int, ...]
    bob: tuple[int, ...]
    alice_class: tuple[int, ...]
    bob_class: tuple[int, ...]


Edge = tuple[int, ...]  # Alice's letter, Bob's letter (or that of one party alone), next state


@dataclass(frozen=True)
class PairAutomaton:
    """A deterministic automaton over pairs of letters, complete or not.

    ``steps`` has for each state its steps (x, y, next state), at most one for each pair of letters.

    Attributes:
        steps: a tuple for each state.
        accepting, first: the states that accept, and the one to begin in.

    >>> same = PairAutomaton((((0, 0, 0), (1, 1, 0)),), frozenset([0]), 0)
    >>> same.counts(4)
    [2, 4, 8, 16]
    """

    steps: tuple[tuple[Edge, ...], ...]
    accepting: frozenset[int]
    first: int = 0

    def counts(self, longest: int) -> list[int]:
        """How many words are accepted, of lengths 1 to ``longest``."""
        ways, counts = Counter({self.first: 1}), []
        for _ in range(longest):
            after = Counter[int]()
            for state, number in ways.items():
                for *_, other in self.steps[state]:
                    after[other] += number
            ways = after
            counts.append(sum(ways[state] for state in self.accepting))
        return counts

    def trimmed(self) -> PairAutomaton:
        """Without the states that are on no path to an accepting one, numbered in the order of search."""
        useful = leading_to(self.accepting, [[after for *_, after in listed] for listed in self.steps])
        kept = [[step for step in listed if step[-1] in useful] for listed in self.steps]
        return _explored(self.first, kept.__getitem__, self.accepting.__contains__)

    def to_json(self) -> dict[str, Any]:
        """As certificates have it."""
        return {
            "steps": [[list(step) for step in listed] for listed in self.steps],
            "accepting": sorted(self.accepting),
            "first": self.first,
        }


def united(parts: Iterable[PairAutomaton]) -> PairAutomaton:
    """The words of any of several automata; ``None`` in a state represents one that has failed.

    >>> same = PairAutomaton((((0, 0, 0), (1, 1, 0)),), frozenset([0]), 0)
    >>> other = PairAutomaton((((0, 1, 1),), ((0, 0, 1),)), frozenset([1]), 0)
    >>> united([same, other]).counts(3)
    [3, 5, 9]
    """
    every = list(parts)
    first: tuple[int | None, ...] = tuple(part.first for part in every)

    def steps(states: tuple[int | None, ...]) -> list[tuple[Any, ...]]:
        own = [{} if s is None else {(x, y): t for x, y, t in p.steps[s]} for p, s in zip(every, states, strict=True)]
        pairs = dict.fromkeys(itertools.chain.from_iterable(own))
        return [(*pair, tuple(one.get(pair) for one in own)) for pair in pairs]

    def accepts(states: tuple[int | None, ...]) -> bool:
        return any(s in part.accepting for part, s in zip(every, states, strict=True))

    return _explored(first, steps, accepts).trimmed()


def _explored(
    first: Hashable, steps: Callable[[Any], list[tuple[Any, ...]]], accepts: Callable[[Any], bool]
) -> PairAutomaton:
    """The automaton of the states that are reached by steps, which are letters and the next state."""
    order, rows = reached([first], lambda state: [after for *_, after in steps(state)])
    numbered = tuple(
        tuple((*step[:-1], after) for step, after in zip(steps(state), row, strict=True))
        for state, row in zip(order, rows, strict=True)
    )
    return PairAutomaton(numbered, frozenset(place for place, state in enumerate(order) if accepts(state)))


def count_at(count: Count, n: int) -> int:
    """A count at one length, from its first values and its recurrence.

    >>> count_at(([1, 2], [1, 1]), 6)
    13
    """
    return values_of(count, n)[n - 1]


Witness = dict[str, Any]


@dataclass(frozen=True, eq=False)
class FamilyCertificate(SavedCertificate):
    """A bound on a measure of a family for every n, from below, from above, or both.

    Attributes:
        measure: ``deterministic``, ``fooling-set``, ``rank``, ``one-way-messages`` or ``one-way``.
        parameters: what the claim needs besides the family.
        proofs: for each side, what is proved (a count, or bits per block and at the end) and its witness.

    >>> from ccsim.families import named_family
    >>> diagonal = {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}
    >>> certificate = FamilyCertificate.of(
    ...     named_family("equality"), "fooling-set", {"code": 1, "answer": "both"},
    ...     lower={"kind": "regular-fooling-set", "words": diagonal})
    >>> certificate.verify()
    'fooling-set >= 2^n cells for all n >= 1 (label 1, both know) of equality, n bits each (sha256 12c22abb1f67):
    lower by regular-fooling-set'
    >>> certificate.lower(10)
    1024
    """

    family: dict[str, Any] = field(repr=False)
    measure: str
    parameters: dict[str, Any]
    proofs: dict[str, tuple[Any, Witness]] = field(repr=False)

    @classmethod
    def of(
        cls,
        family: RegularFamily,
        measure: str = "deterministic",
        parameters: dict[str, Any] | None = None,
        *,
        lower: Witness | None = None,
        upper: Witness | None = None,
    ) -> FamilyCertificate:
        """What witnesses prove; raises :class:`~ccsim.certificates.verify.Refused` if one proves nothing."""
        if lower is None and upper is None:
            raise InputError("lower", lower, "a witness for one side at least")
        parameters = {"answer": "both"} if parameters is None else parameters
        proofs = {}
        for side, witness in (("lower", lower), ("upper", upper)):
            if witness is not None:
                proved = verify.certificates.proved_always(family.to_json(), measure, side, parameters, witness)
                proofs[side] = (proved, witness)
        return cls(family.to_json(), measure, parameters, proofs)

    @classmethod
    def from_json(cls, data: Any) -> FamilyCertificate:
        """From plain data; :class:`~ccsim.certificates.verify.Refused` if it is none, or proves nothing."""
        verify.certificates.report_family(data)
        proofs = {proof["side"]: (tuple(proof["value"]), proof["witness"]) for proof in data["proofs"]}
        return cls(data["family"], data["measure"], data["parameters"], proofs)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as the checker reads it."""
        return {
            "format": verify.families.FAMILY_FORMAT,
            "version": verify.certificates.VERSION,
            "family": self.family,
            "measure": self.measure,
            "unit": verify.families.FAMILY_MEASURES[self.measure][0][0],
            "parameters": self.parameters,
            "proofs": [
                {"side": side, "value": list(value), "witness": witness}
                for side, (value, witness) in self.proofs.items()
            ],
        }

    def statements(self) -> dict[str, str]:
        """For each side, the bound for every n in words, such as ``>= n + 1 bits for all n >= 1``."""
        return {
            side: verify.certificates.statement(self.measure, side, value) for side, (value, _) in self.proofs.items()
        }

    def lower(self, n: int) -> int | None:
        """The lower bound at one n, in the measure's unit; None if there is none."""
        return self._at("lower", n)

    def upper(self, n: int) -> int | None:
        """The upper bound at one n, in the measure's unit; None if there is none."""
        return self._at("upper", n)

    def _at(self, side: str, n: int) -> int | None:
        if side not in self.proofs:
            return None
        n, value = require_integer("n", n, low=1), self.proofs[side][0]
        if verify.families.FAMILY_MEASURES[self.measure][0] != ("bits",):
            return count_at(value, n)
        if side == "lower":
            return bits_for(count_at(value, n))
        per_block, at_end = value
        return int(per_block) * n + int(at_end)


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
    return RegularFamily(name, ("0", "1"), ("0", "1"), np.array(table), np.array(outputs), source={"function": name})


def partitioned(automaton: Automaton, partition: str | Partition) -> RegularFamily:
    """The function of an automaton on words of length p n under a partition of p positions, repeated.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> family = partitioned(from_regular_expression("(ab)*", "ab"), "AB")
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
    places = {"A": itertools.count(), "B": itertools.count()}
    for owner in owners:
        place = next(places[owner])
        held = x[None, :, None, place] if owner == "A" else y[None, None, :, place]
        states = automaton.table[states, held]
    joint = all(isinstance(symbol, str) and len(symbol) == 1 for symbol in symbols)  # then a block is a text
    words = ([tuple(symbols[rank] for rank in block) for block in part] for part in blocks)
    alice, bob = (tuple(map("".join, part)) if joint else tuple(part) for part in words)
    name, given = f"{automaton.name} split {owners}", (automaton.outputs, automaton.first, automaton.answers)
    source = {"symbols": [*map(str, symbols)], **plain_table(automaton.table, *given), "partition": owners}
    return RegularFamily(name, alice, bob, states, *given, source)


def with_blank(automaton: Automaton, blank: str = "_") -> Automaton:
    """The same language with one letter more, which may occur anywhere and means nothing.

    >>> from ccsim.models import from_regular_expression
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
    """A regular language with a name, which words it has, and what makes its minimal automaton.

    Attributes:
        blank: whether words may have a blank anywhere; else they are taken as they are.
        longest: periodic partitions up to this period are looked at.
        name, about, automaton: for the command line, for people, and a function without arguments.
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
    known = {one.name: one for one in CORPUS}
    if name not in known:
        raise InputError("name", name, f"one of {', '.join(known)}")
    return known[name]
