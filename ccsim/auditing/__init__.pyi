from .accuracy import Accuracy
from .auditor import audit
from .budget import Budget, OutOfBudgetError
from .failure import Failure, StateCollision, SymbolCollision, TranscriptCollision
from .learned import Learned, learned_automaton, least_automaton
from .result import Audit, Need
from .words import drawn_words

__all__ = [
    "Accuracy",
    "Audit",
    "Budget",
    "Failure",
    "Learned",
    "Need",
    "OutOfBudgetError",
    "StateCollision",
    "SymbolCollision",
    "TranscriptCollision",
    "audit",
    "drawn_words",
    "learned_automaton",
    "least_automaton",
]
