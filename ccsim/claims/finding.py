"""What a measuring function reports: facts, and the objects that show them. The verdict is not its to give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ccsim import bounds, certificates, engine
from ccsim.claims.values import Value
from ccsim.engine.party import ProtocolBase
from ccsim.errors import InputError
from ccsim.families.family import FamilyCertificate

__all__ = ["Finding"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding:
    """What was measured at one setting of a claim.

    Attributes:
        measured: the value, in the claim's unit; not given with a bracket.
        bracket: a proved bracket: its lower side is measured for a lower bound, its upper side for an upper bound,
            and both for an exact value.
        claimed, formula: the claimed value and how it came about, for a claim without a formula of its own.
        source: where the claim is from, for a claim whose source does not say.
        exact: whether the value is the true one, and not from a sample nor one side of an open bracket.
        checked, of: how many cases (inputs, words, draws) were gone through, of how many.
        violations: whatever contradicts what must hold: counterexamples, broken rules. Any makes it broken.
        certificate: proves the value; the bracket's, if there is a bracket with a witness.
        every_length: proves a bound for every length at once, of which the value is one.
        achieved: a value that something which was run on every case attains, within every hypothesis of the statement,
            where that is less than a lower bound says: it refutes the bound.
        calculated: whether the value is a formula's, although parts of it were executed; such a value is not measured.
            A value is calculated in any case where no case was gone through and no certificate stands behind it.
        outside: which hypothesis of the statement does not hold here, if one does not: it then says nothing.
        series: for a claim about growth, each size with the value that was measured there.
        refusal: the message with which our code refused, where it must refuse.
        bites_from: from which length on a lower bound says something; found from the formula if not given.
        example: a run to show.
        protocol: a protocol to show in a run, if no example is given.
        tree: a protocol tree to show, as rectangles in a matrix; the bracket's, if it has one.
        facts: further figures for people, by name.
        note: a sentence for people.
    """

    measured: Value | None = None
    bracket: bounds.Bracket | None = None
    claimed: Value | None = None
    formula: str | None = None
    source: str = ""
    exact: bool = True
    checked: int = 0
    of: int | None = None
    violations: tuple[str, ...] = ()
    certificate: certificates.Certificate | None = None
    every_length: FamilyCertificate | None = None
    achieved: Value | None = None
    calculated: bool = False
    outside: str = ""
    series: tuple[tuple[int, Value], ...] = ()
    refusal: str | None = None
    bites_from: int | None = None
    example: engine.Run | None = None
    protocol: ProtocolBase | None = None
    tree: engine.ProtocolTree | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def __post_init__(self) -> None:
        if self.measured is not None and self.bracket is not None:
            raise InputError("measured", self.measured, "nothing beside a bracket")
        if self.series and (self.measured, self.bracket) != (None, None):
            raise InputError("measured", self.measured, "nothing beside a series, whose last value it is")

    def but(self, **changes: Any) -> Finding:
        """This finding with some attributes changed."""
        return replace(self, **changes)

    @classmethod
    def of_bracket(cls, bracket: bounds.Bracket, **more: Any) -> Finding:
        """A proved bracket, as ``ccsim.bounds`` gives it, with its certificate; all cells were gone through."""
        rows, columns = bracket.matrix.shape if bracket.matrix is not None else (0, 0)
        proved = bracket.matrix is not None and (bracket.lower_witness or bracket.upper_witness)
        facts = {"method": bracket.method, **more.pop("facts", {})}
        finding = cls(
            bracket=bracket,
            exact=bracket.exact,
            checked=rows * columns,
            of=rows * columns,
            certificate=bracket.certificate if proved else None,
            facts=facts,
        )
        return finding.but(**more)

    @classmethod
    def of_exploration(cls, found: engine.Exploration | engine.Measurement, **more: Any) -> Finding:
        """The worst-case bits of a protocol on all its inputs, with whatever rules or answers were wrong."""
        facts: dict[str, Any] = {"protocol": found.protocol.name}
        violations = [str(violation) for violation in found.violations]
        if isinstance(found, engine.Measurement):
            exact, checked, tree = found.exact, int(found.promised.sum()), None
            facts |= {"outcomes": found.outcomes}
            if not violations:
                facts |= {"average": found.average_bits(), "error": found.worst_error}
            if not violations and not found.within_claim:
                violations.append(f"error {found.worst_error} on {found.worst_input}, claimed {found.protocol.error}")
        else:
            exact, checked, tree = True, found.pairs, found.tree
            facts |= {"average": found.average_bits, "rounds": found.worst_rounds, "leaves": found.leaves}
        finding = cls(
            measured=None if isinstance(found, engine.Measurement) and found.violations else found.worst_bits,
            exact=exact,
            checked=checked,
            of=checked,
            violations=tuple(violations),
            protocol=found.protocol,
            tree=tree,
            facts={**facts, **more.pop("facts", {})},
        )
        return finding.but(**more)

    @classmethod
    def of_refusal(cls, attempt: Callable[[], Any], citing: str, **more: Any) -> Finding:
        """What happens on an attempt that must be refused with an :class:`~ccsim.errors.InputError` that cites why.

        >>> def attempt():
        ...     raise InputError("layers", 2, "one layer (Corollary 13.1)")
        >>> Finding.of_refusal(attempt, "Corollary 13.1").refusal
        'layers = 2: expected one layer (Corollary 13.1)'
        """
        try:
            attempt()
        except InputError as error:
            if citing in str(error):
                return cls(refusal=str(error), **more)
            return cls(violations=(f"refused without citing {citing}: {error}",), **more)
        return cls(violations=("not refused",), **more)
