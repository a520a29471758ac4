"""Claims of papers, measured: what is claimed beside what was found, and the verdict that follows."""

from ccsim.claims.claim import Claim, Constant, Direction, Paper, Parameter, Role
from ccsim.claims.finding import Finding
from ccsim.claims.growth import sizes_up_to
from ccsim.claims.measuring import measure_claim
from ccsim.claims.registry import registered_claims
from ccsim.claims.series import Line, Plot
from ccsim.claims.verdict import Verdict, Word

__all__ = [
    "Claim",
    "Constant",
    "Direction",
    "Finding",
    "Line",
    "Paper",
    "Parameter",
    "Plot",
    "Role",
    "Verdict",
    "Word",
    "measure_claim",
    "registered_claims",
    "sizes_up_to",
]
