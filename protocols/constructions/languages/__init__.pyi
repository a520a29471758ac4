from .averages import MajorityByAverages, ParityBySoftAttention, ShuffledDyckByAverages
from .circuits import Circuit, TabulatedHardAttention
from .decision_lists import choices_of_heads, settles_parity
from .formulas import Always, And, Formula, Not, Position, Since, Symbol, before, nesting, previous
from .masked_attention import MaskedHardAttention, hard_attention
from .probabilistic_chain import ProbabilisticAutomaton, probabilistic_chain, string_probabilities
from .state_chain import StateChain
from .turing_chain import TuringChain, TuringMachine

__all__ = [
    "Always",
    "And",
    "Circuit",
    "Formula",
    "MajorityByAverages",
    "MaskedHardAttention",
    "Not",
    "ParityBySoftAttention",
    "Position",
    "ProbabilisticAutomaton",
    "ShuffledDyckByAverages",
    "Since",
    "StateChain",
    "Symbol",
    "TabulatedHardAttention",
    "TuringChain",
    "TuringMachine",
    "before",
    "choices_of_heads",
    "hard_attention",
    "nesting",
    "previous",
    "probabilistic_chain",
    "settles_parity",
    "string_probabilities",
]
