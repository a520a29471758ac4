"""A claim as one function: its docstring states it, its arguments are the parameters, its value is the finding."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ccsim.claims.claim import Claim, Direction, Paper, Parameter, Role
from ccsim.claims.finding import Finding
from ccsim.errors import InputError

Measure = Callable[..., Finding]


def param(symbol: str, default: int | str, meaning: str = "", **more: Any) -> Any:
    """The default of an argument of a claim's function: a :class:`~ccsim.claims.Parameter` of the argument's name.

    Args:
        symbol: how the formulas write it, such as ``"N"``.
        default: its value where none is given.
        meaning: what it is, in a few words with its unit.
        more: ``low``, ``step`` and ``choices`` of the parameter.
    """
    return Parameter("", symbol, default, meaning, **more)


class Source:
    """A paper, and the claims on it in the order in which they are declared: ``claims``.

    Args:
        paper: where the claims are from.
        role: what they are if nothing else is said; a result has the place of its proof as its source, others have the
            paper's citation before it.

    >>> from ccsim import bounds, problems
    >>> source = Source(Paper("folklore", "Folklore"))
    >>> @source.claim("Lemma 1", direction=Direction.EXACT, formula="n + 1")
    ... def equality(length: int = param("n", 3, "bits of each string")) -> Finding:
    ...     '''Equality costs n + 1 bits.'''
    ...     return Finding.of_bracket(bounds.deterministic(problems.equality(length)))
    >>> [claim.name for claim in source.claims]
    ['folklore-lemma-1']
    >>> from ccsim.claims import check
    >>> check(source.claims[0], length=2).told
    'tight'
    """

    def __init__(self, paper: Paper, role: Role = Role.STATEMENT) -> None:
        if not isinstance(paper, Paper):
            raise InputError("paper", paper, 'a paper, such as Paper("knuth1968", "Knuth 1968")')
        self.paper, self.role = paper, role
        self.claims: list[Claim] = []

    def claim(self, place: str, *, direction: Direction, name: str = "", **rest: Any) -> Callable[[Measure], Measure]:
        """Declare the decorated function as a claim, and leave the function as it is.

        The first paragraph of its docstring is the statement; how it is measured may follow.

        Args:
            place: where it stands in the paper, such as ``"Theorem 4"``.
            direction: how the formula bounds what is measured.
            name: what the command line calls it, behind the name of the paper; its place if not given.
            rest: what else a :class:`~ccsim.claims.Claim` has, such as ``formula``, ``unit``, ``sizes``; a ``source``
                stands in place of the paper's citation and ``place``.

        Raises :class:`~ccsim.errors.InputError` for a function that states nothing, or an argument that is no
        :func:`param`.
        """
        role = rest.pop("role", self.role)
        words = re.sub(r"[^a-z0-9]+", "-", (name or place).lower()).strip("-")
        source = place if role is Role.RESULT else f"{self.paper.citation}, {place}".removesuffix(", ")

        def declare(measure: Measure) -> Measure:
            if not inspect.isroutine(measure):
                raise InputError("measure", measure, "a function, whose docstring is the statement")
            statement = " ".join(inspect.cleandoc(measure.__doc__ or "").partition("\n\n")[0].split())
            if not statement:
                raise InputError(measure.__name__, measure.__doc__, "a docstring that states the claim")
            self.claims.append(
                Claim(
                    name=f"{self.paper.name}-{words}",
                    paper=self.paper,
                    statement=statement,
                    direction=direction,
                    role=role,
                    parameters=tuple(map(_parameter, inspect.signature(measure).parameters.values())),
                    measure=measure,
                    **{"source": source, **rest},
                )
            )
            return measure

        return declare


def _parameter(argument: inspect.Parameter) -> Parameter:
    if not isinstance(argument.default, Parameter):
        expected = 'a parameter as its default, such as param("n", 4, "bits of each string")'
        given = "nothing" if argument.default is argument.empty else argument.default
        raise InputError(argument.name, given, expected)
    return replace(argument.default, name=argument.name)
