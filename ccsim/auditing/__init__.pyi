from .accuracy import Accuracy
from .auditor import audit
from .budget import Budget, OutOfBudgetError
from .failure import Failure, StateCollision, SymbolCollision, TranscriptCollision
from .result import Audit, Need
from .words import drawn_words

__all__ = [
    "Accuracy",
    "Audit",
    "Budget",
    "Failure",
    "Need",
    "OutOfBudgetError",
    "StateCollision",
    "SymbolCollision",
    "TranscriptCollision",
    "audit",
    "drawn_words",
]
