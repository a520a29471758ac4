"""Checks for exercises: each says whether an answer is right, or why not, and never what would have been right.

What is asked is computed when it is checked, so the exercises of ``notebooks/`` have no list of answers, and a teacher
can ask the same of any other function, protocol or model. An answer that is still ``...`` is told so.
"""

from ccsim.exercises.checks import (
    check_confusion,
    check_cost,
    check_deterministic,
    check_error,
    check_fooling_set,
    check_gap,
    check_model,
    check_one_way,
    check_protocol,
    check_rectangle,
)
from ccsim.exercises.reply import Reply, check_number, check_that

__all__ = [
    "Reply",
    "check_confusion",
    "check_cost",
    "check_deterministic",
    "check_error",
    "check_fooling_set",
    "check_gap",
    "check_model",
    "check_number",
    "check_one_way",
    "check_protocol",
    "check_rectangle",
    "check_that",
]
