"""Finite automata as recurrent models: made from transitions, regular expressions and tasks, and made minimal."""

from ccsim.models.automata.automaton import Automaton, dyck_automaton, from_task
from ccsim.models.automata.expression import from_regular_expression

__all__ = [
    "Automaton",
    "dyck_automaton",
    "from_regular_expression",
    "from_task",
]
