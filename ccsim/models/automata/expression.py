"""Automata from regular expressions, by the library greenery."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from ccsim.errors import InputError
from ccsim.models.automata.automaton import Automaton

__all__ = ["from_regular_expression"]


def from_regular_expression(expression: str, alphabet: Iterable[str]) -> Automaton:
    r"""The minimal automaton that answers 1 iff the whole word matches a regular expression, else 0.

    The syntax is that of Python's ``re``, as far as it describes regular languages; every symbol of the alphabet is a
    single character. Raises :class:`~ccsim.errors.InputError` for an expression that cannot be read.

    >>> automaton = from_regular_expression(r"(a|b)*abb", "ab")
    >>> automaton.states, automaton("babb"), automaton("abba")
    (4, 1, 0)
    """
    symbols = tuple(alphabet)
    for symbol in symbols:
        if not isinstance(symbol, str) or len(symbol) != 1:
            raise InputError("alphabet", symbol, "single characters")
    machine = _parsed(expression)
    states = {state: number for number, state in enumerate(sorted(machine.states))}
    table = [[states[_next(machine.map[state], symbol)] for symbol in symbols] for state in states]
    outputs = [int(state in machine.finals) for state in states]
    name = f"from_regular_expression({expression!r})"
    minimal = Automaton.of(symbols, table, outputs, states[machine.initial]).minimise()
    return Automaton.of(symbols, minimal.table, minimal.outputs, name=name)


def _parsed(expression: str) -> Any:
    """The expression as a finite state machine of greenery."""
    greenery: Any = import_module("greenery")
    try:
        return greenery.parse(expression).to_fsm()
    except Exception as error:  # the library has no error of its own, and raises many
        raise InputError("expression", expression, f"a regular expression ({error})") from error


def _next(row: Any, symbol: str) -> Any:
    """The state after a symbol, by the class of characters that it is in."""
    return next(state for characters, state in row.items() if characters.accepts(symbol))
