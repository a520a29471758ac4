"""Audits: is a model right on all words of a task, or on which word is it wrong, and why must it be?"""

from ccsim.auditing.audit import audit
from ccsim.auditing.budget import Budget, OutOfBudgetError
from ccsim.auditing.failure import Failure, StateCollision, SymbolCollision, TranscriptCollision
from ccsim.auditing.result import Audit, Need

__all__ = [
    "Audit",
    "Budget",
    "Failure",
    "Need",
    "OutOfBudgetError",
    "StateCollision",
    "SymbolCollision",
    "TranscriptCollision",
    "audit",
]
