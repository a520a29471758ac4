from .checking import check, check_claim
from .claim import Claim, Constant, Direction, Paper, Parameter, Place, Role
from .cluster import Cluster
from .finding import Finding
from .growth import growth_plot, sizes_up_to
from .parts import parts_of
from .registry import claims_of, find_claims, find_papers, registered_claims
from .report import language_page, plots_of, render
from .running import Cell, Hands, Pool, Store, cells_of, grid_of, run_cells, settings_of, settings_on
from .source import Source, param
from .verdict import Verdict, Word

__all__ = [
    "Cell",
    "Claim",
    "Cluster",
    "Constant",
    "Direction",
    "Finding",
    "Hands",
    "Paper",
    "Parameter",
    "Place",
    "Pool",
    "Role",
    "Source",
    "Store",
    "Verdict",
    "Word",
    "cells_of",
    "check",
    "check_claim",
    "claims_of",
    "find_claims",
    "find_papers",
    "grid_of",
    "growth_plot",
    "language_page",
    "param",
    "parts_of",
    "plots_of",
    "registered_claims",
    "render",
    "run_cells",
    "settings_of",
    "settings_on",
    "sizes_up_to",
]
