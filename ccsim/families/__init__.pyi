from .classification import (
    CONSTANT,
    LINEAR,
    LOGARITHMIC,
    Classification,
    Exclusion,
    OtherModel,
    classify,
    exclusion,
    other_models,
)
from .family import FamilyCertificate, MergedFamily, PairAutomaton, RegularFamily, count_at, united
from .landmarks import Landmarks, landmark_protocol
from .language import Dealt, Language, language, read_language
from .lower import lower_bound, lower_witnesses, regular_fooling_set
from .monoid import Monoid, transition_monoid
from .parties import FiniteStateParties, commuting_parties, growth, letter_parties, messages, one_way_bound
from .reductions import Reduction, linear_reduction, logarithmic_set
from .sources import (
    CORPUS,
    NAMED_FAMILIES,
    NamedLanguage,
    dealt,
    named_family,
    named_language,
    periodic_partitions,
    with_blank,
)

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
