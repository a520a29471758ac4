from .certificate import FamilyCertificate
from .classification import CONSTANT, LINEAR, LOGARITHMIC, Classification, classify
from .corpus import CORPUS, NamedLanguage, named_language
from .exclusion import Exclusion, exclusion
from .family import MergedFamily, RegularFamily
from .fooling_search import regular_fooling_set
from .landmarks import Landmarks, landmark_protocol
from .language import Dealt, Language, language, read_language
from .lower import lower_bound, lower_witnesses
from .messages import growth, messages
from .monoid import Monoid, transition_monoid
from .one_way import one_way_bound
from .other_models import OtherModel, other_models
from .parties import FiniteStateParties, commuting_parties, letter_parties
from .reductions import Reduction, linear_reduction, logarithmic_set
from .sources import NAMED_FAMILIES, dealt, named_family, periodic_partitions, with_blank
from .word_sets import PairAutomaton, count_at, united

__all__ = [
    "CONSTANT",
    "CORPUS",
    "LINEAR",
    "LOGARITHMIC",
    "NAMED_FAMILIES",
    "Classification",
    "Dealt",
    "Exclusion",
    "FamilyCertificate",
    "FiniteStateParties",
    "Landmarks",
    "Language",
    "MergedFamily",
    "Monoid",
    "NamedLanguage",
    "OtherModel",
    "PairAutomaton",
    "Reduction",
    "RegularFamily",
    "classify",
    "commuting_parties",
    "count_at",
    "dealt",
    "exclusion",
    "growth",
    "landmark_protocol",
    "language",
    "letter_parties",
    "linear_reduction",
    "logarithmic_set",
    "lower_bound",
    "lower_witnesses",
    "messages",
    "named_family",
    "named_language",
    "one_way_bound",
    "other_models",
    "periodic_partitions",
    "read_language",
    "regular_fooling_set",
    "transition_monoid",
    "united",
    "with_blank",
]
