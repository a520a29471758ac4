"""Reductions: models become protocols, and problems become tasks."""

from protocols.reductions.automaton import Confusion, StateBound, automaton_bits, confusion, state_bound
from protocols.reductions.feedforward_kernel import KernelCollision, feedforward_kernel
from protocols.reductions.max_logit import max_logit_softmax, printed_bound, softmax_costs
from protocols.reductions.recurrent import recurrent_prefix

__all__ = [
    "Confusion",
    "KernelCollision",
    "StateBound",
    "automaton_bits",
    "confusion",
    "feedforward_kernel",
    "max_logit_softmax",
    "printed_bound",
    "recurrent_prefix",
    "softmax_costs",
    "state_bound",
]
