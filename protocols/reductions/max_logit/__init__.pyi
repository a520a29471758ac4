from .costs import PRINTED, printed_bound, softmax_costs
from .protocol import VARIANTS, max_logit_softmax

__all__ = ["PRINTED", "VARIANTS", "max_logit_softmax", "printed_bound", "softmax_costs"]
