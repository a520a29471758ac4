"""Explicit models, weight by weight."""

from protocols.constructions.recurrent import ShiftRegister, shift_register
from protocols.constructions.uniform_attention import (
    disjointness_by_uniform_attention,
    dyck_by_uniform_attention,
    equality_by_uniform_attention,
)

__all__ = [
    "ShiftRegister",
    "disjointness_by_uniform_attention",
    "dyck_by_uniform_attention",
    "equality_by_uniform_attention",
    "shift_register",
]
