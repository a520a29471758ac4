"""What a function must cost: exact brackets, each side with a witness that an independent checker accepts.

Arranged as its theory is taught: rectangles and covers, rank, fooling sets, one message, randomised protocols,
information, the exact search over protocol trees, and what models need.
"""

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.fooling.fooling_sets import first_clash, grow_fooling_set, maximum_fooling_set
from ccsim.bounds.information.cost import InformationCost, information_cost
from ccsim.bounds.measures import MEASURES, deterministic, measure
from ccsim.bounds.models.model_size import ModelBound, model
from ccsim.bounds.models.protocol_bits import recurrent_bits, softmax_bits
from ccsim.bounds.models.task_needs import REQUIREMENTS, Requirement
from ccsim.bounds.one_message.messages import one_way, one_way_messages
from ccsim.bounds.one_message.splitting import splitting_vc_dimension
from ccsim.bounds.one_message.vc import one_way_randomised, vc_dimension
from ccsim.bounds.randomised.corruption import randomised_by_corruption, rectangle_bound
from ccsim.bounds.randomised.discrepancy import discrepancy, randomised_by_discrepancy
from ccsim.bounds.randomised.gamma2 import gamma2, gamma2_bits
from ccsim.bounds.randomised.least_discrepancy import least_discrepancy
from ccsim.bounds.randomised.public_coins import public_coin_complexity, public_coin_success
from ccsim.bounds.randomised.smooth import (
    partition_bits,
    partition_bound,
    smooth_rectangle_bits,
    smooth_rectangle_bound,
)
from ccsim.bounds.rank.brackets import leaf_rank_bracket, log_rank_bracket, rank_brackets
from ccsim.bounds.rank.over_fields import leaf_rank, rank_modulo
from ccsim.bounds.rectangles.closed import maximal_rectangles
from ccsim.bounds.rectangles.cover import cover_number, nondeterministic
from ccsim.bounds.rectangles.largest import largest_rectangle
from ccsim.bounds.rectangles.partition import partition_number
from ccsim.bounds.summary import Summary, summary

__all__ = [
    "MEASURES",
    "REQUIREMENTS",
    "Bracket",
    "InformationCost",
    "ModelBound",
    "Requirement",
    "Summary",
    "cover_number",
    "deterministic",
    "discrepancy",
    "first_clash",
    "gamma2",
    "gamma2_bits",
    "grow_fooling_set",
    "information_cost",
    "largest_rectangle",
    "leaf_rank",
    "leaf_rank_bracket",
    "least_discrepancy",
    "log_rank_bracket",
    "maximal_rectangles",
    "maximum_fooling_set",
    "measure",
    "model",
    "nondeterministic",
    "one_way",
    "one_way_messages",
    "one_way_randomised",
    "partition_bits",
    "partition_bound",
    "partition_number",
    "public_coin_complexity",
    "public_coin_success",
    "randomised_by_corruption",
    "randomised_by_discrepancy",
    "rank_brackets",
    "rank_modulo",
    "rectangle_bound",
    "recurrent_bits",
    "smooth_rectangle_bits",
    "smooth_rectangle_bound",
    "softmax_bits",
    "splitting_vc_dimension",
    "summary",
    "vc_dimension",
]
