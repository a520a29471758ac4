"""What the syntactic monoid of a regular language says about its communication complexity.

Alice and Bob hold the letters of a word at odd and even positions; a position may hold the empty word (a *blank*). The
deterministic complexity at length n, when both know the answer, is then

- O(1) iff the syntactic monoid is commutative,
- else Theta(log n) iff it is in DO and all its subgroups are Abelian,
- else Theta(n)

(Tesson and Thérien 2005, "Complete classifications for the communication complexity of regular languages"; the problem
was posed and the first cases were settled by Raymond, Tesson and Thérien 1998). The paper classifies the probabilistic,
simultaneous, probabilistic simultaneous and Mod_p-counting complexities likewise. Non-deterministic complexity is not
classified: Ada (2007, "Non-deterministic communication complexity of regular languages", arXiv:0801.4777) shows that it
is O(1) or Omega(log n), and linear for a wide range of languages; where the line is, is open there.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccsim.families.monoid import Monoid

CONSTANT, LOGARITHMIC, LINEAR = "O(1)", "Theta(log n)", "Theta(n)"


@dataclass(frozen=True)
class Classification:
    """The class of a language, with the reason.

    Attributes:
        deterministic: ``O(1)``, ``Theta(log n)`` or ``Theta(n)``, with blanks dealt to both parties.
        reason: why, by elements of the monoid.
        properties: the varieties named here in which the monoid lies.
    """

    deterministic: str
    reason: str
    properties: tuple[str, ...]


def classify(monoid: Monoid) -> Classification:
    """The class of a language by its syntactic monoid.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> for expression in ("(b|ab*a)*", "a*b*", "(ab)*"):
    ...     print(expression, classify(transition_monoid(from_regular_expression(expression, "ab"))).deterministic)
    (b|ab*a)* O(1)
    a*b* Theta(log n)
    (ab)* Theta(n)
    """
    properties = tuple(_properties(monoid))
    if monoid.is_commutative:
        return Classification(CONSTANT, "the monoid is commutative", properties)
    if monoid.do_witness is not None:
        x, y = (monoid.spelled(element) for element in monoid.do_witness)
        reason = f"not in DO: (xy)^w (yx)^w (xy)^w is not (xy)^w for x = {x}, y = {y}"
        return Classification(LINEAR, reason, properties)
    if monoid.group_witness is not None:
        a, b = (monoid.spelled(element) for element in monoid.group_witness)
        return Classification(LINEAR, f"a subgroup is not Abelian: {a} and {b} do not commute", properties)
    a, b = _apart(monoid)
    reason = f"in DO with Abelian subgroups, and not commutative: {a} {b} is not {b} {a}"
    return Classification(LOGARITHMIC, reason, properties)


def _properties(monoid: Monoid) -> list[str]:
    named = {
        "commutative": monoid.is_commutative,
        "a group": monoid.is_group,
        "aperiodic (star-free)": monoid.is_aperiodic,
        "J-trivial (piecewise testable)": monoid.is_j_trivial,
        "in DO": monoid.do_witness is None,
        "in DA": monoid.do_witness is None and monoid.is_aperiodic,
        "Abelian subgroups": monoid.group_witness is None,
    }
    return [name for name, holds in named.items() if holds]


def _apart(monoid: Monoid) -> tuple[str, str]:
    """Two letters that do not commute."""
    return next(
        (monoid.spelled(a), monoid.spelled(b))
        for a in monoid.generators
        for b in monoid.generators
        if monoid.times(a, b) != monoid.times(b, a)
    )
