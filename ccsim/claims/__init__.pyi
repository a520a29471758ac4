from .claim import Claim, Constant, Direction, Finding, Paper, Parameter, Place, Role, Source, param
from .cluster import Cluster
from .growth import sizes_up_to
from .lines import parts_of
from .registry import claims_of, find_claims, find_papers, registered_claims
from .report import growth_plot, language_page, plots_of, render
from .running import Cell, Hands, Pool, Store, cells_of, grid_of, run_cells, settings_of, settings_on
from .verdict import Verdict, Word, check, check_claim

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
