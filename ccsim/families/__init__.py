"""Functions for every length at once, given by finite automata, and what holds of them for every n."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(
    __name__, __file__, {"dealt": "partitioned", "Dealt": "PartitionBounds", "Reduction": "LinearReduction"}
)
