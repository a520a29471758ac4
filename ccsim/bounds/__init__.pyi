from .bracket import Bracket
from .factor_ranks import approximate_rank, nonnegative_rank, sign_rank
from .fooling_sets import first_clash, grow_fooling_set
from .information import InformationCost, information_cost
from .largest_fooling_sets import maximum_fooling_set
from .leaves import least_leaves
from .measures import BY_NAME, MEASURES, PRINTED, brackets_of, deterministic, main_bracket
from .model_size import REQUIREMENTS, LeastError, ModelBound, Requirement, least_error, model, task_certificate
from .multiparty import blackboard
from .one_message import (
    index_randomised,
    one_way,
    one_way_messages,
    one_way_public_coins,
    one_way_randomised,
    one_way_success,
    splitting_vc_dimension,
    vc_dimension,
)
from .protocol_bits import PRESETS, Preset, recurrent_bits, softmax_bits
from .randomised.discrepancy import discrepancy, randomised_by_discrepancy
from .randomised.gamma2 import gamma2, gamma2_bits, quantum_bits
from .randomised.least_discrepancy import least_discrepancy, randomised_by_least_discrepancy
from .randomised.public_coins import public_coin_complexity, public_coin_success
from .randomised.rectangle_bounds import (
    partition_bits,
    partition_bound,
    randomised_by_corruption,
    rectangle_bound,
    smooth_rectangle_bits,
    smooth_rectangle_bound,
)
from .rank import leaf_rank, leaf_rank_bracket, log_rank_bracket, rank_brackets, rank_modulo
from .rectangles.closed import maximal_rectangles
from .rectangles.cover import cover_number, nondeterministic, partition_number
from .summaries import Summary, summary

__all__ = [
    "BY_NAME",
    "MEASURES",
    "PRESETS",
    "PRINTED",
    "REQUIREMENTS",
    "Bracket",
    "InformationCost",
    "LeastError",
    "ModelBound",
    "Preset",
    "Requirement",
    "Summary",
    "approximate_rank",
    "blackboard",
    "brackets_of",
    "cover_number",
    "deterministic",
    "discrepancy",
    "first_clash",
    "gamma2",
    "gamma2_bits",
    "grow_fooling_set",
    "index_randomised",
    "information_cost",
    "leaf_rank",
    "leaf_rank_bracket",
    "least_discrepancy",
    "least_error",
    "least_leaves",
    "log_rank_bracket",
    "main_bracket",
    "maximal_rectangles",
    "maximum_fooling_set",
    "model",
    "nondeterministic",
    "nonnegative_rank",
    "one_way",
    "one_way_messages",
    "one_way_public_coins",
    "one_way_randomised",
    "one_way_success",
    "partition_bits",
    "partition_bound",
    "partition_number",
    "public_coin_complexity",
    "public_coin_success",
    "quantum_bits",
    "randomised_by_corruption",
    "randomised_by_discrepancy",
    "randomised_by_least_discrepancy",
    "rank_brackets",
    "rank_modulo",
    "rectangle_bound",
    "recurrent_bits",
    "sign_rank",
    "smooth_rectangle_bits",
    "smooth_rectangle_bound",
    "softmax_bits",
    "splitting_vc_dimension",
    "summary",
    "task_certificate",
    "vc_dimension",
]
