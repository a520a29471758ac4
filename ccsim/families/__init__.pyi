from .certificate import FamilyCertificate
from .classification import CONSTANT, LINEAR, LOGARITHMIC, Classification, classify
from .family import MergedFamily, RegularFamily
from .fooling_search import fooling_set_of_all, regular_fooling_set
from .monoid import Monoid, transition_monoid
from .parties import FiniteStateParties, commuting_parties, letter_parties
from .sources import NAMED_FAMILIES, dealt, named_family, periodic_partitions, with_blank
from .word_sets import PairAutomaton, count_at, united

__all__ = [
    "CONSTANT",
    "LINEAR",
    "LOGARITHMIC",
    "NAMED_FAMILIES",
    "Classification",
    "FamilyCertificate",
    "FiniteStateParties",
    "MergedFamily",
    "Monoid",
    "PairAutomaton",
    "RegularFamily",
    "classify",
    "commuting_parties",
    "count_at",
    "dealt",
    "fooling_set_of_all",
    "letter_parties",
    "named_family",
    "periodic_partitions",
    "regular_fooling_set",
    "transition_monoid",
    "united",
    "with_blank",
]
