from .auditor import audit
from .budget import Budget, OutOfBudgetError
from .failure import Failure, StateCollision, SymbolCollision, TranscriptCollision
from .learned import Learned, learned_automaton, least_automaton
from .positions import EveryPosition, every_position
from .result import Accuracy, Audit, Need
from .sampled_words import drawn_words
from .tasks import automaton_task, function_task, modular_counting, read_task

__all__ = [
    "Accuracy",
    "Audit",
    "Budget",
    "EveryPosition",
    "Failure",
    "Learned",
    "Need",
    "OutOfBudgetError",
    "StateCollision",
    "SymbolCollision",
    "TranscriptCollision",
    "audit",
    "automaton_task",
    "drawn_words",
    "every_position",
    "function_task",
    "learned_automaton",
    "least_automaton",
    "modular_counting",
    "read_task",
]
