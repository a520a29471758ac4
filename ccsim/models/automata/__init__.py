"""Finite automata as recurrent models: made from transitions, regular expressions and tasks, and made minimal."""

from ccsim.models.automata.automaton import Automaton
from ccsim.models.automata.dyck import dyck_automaton
from ccsim.models.automata.expression import from_regular_expression
from ccsim.models.automata.myhill_nerode import from_task

__all__ = [
    "Automaton",
    "dyck_automaton",
    "from_regular_expression",
    "from_task",
]
