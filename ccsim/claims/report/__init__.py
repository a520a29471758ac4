"""One self-contained page of verdicts: tables, plots, and everything behind each claim."""

from ccsim.claims.report.page import render
from ccsim.claims.report.plots import plots_of
from ccsim.claims.report.story import story_picture

__all__ = ["plots_of", "render", "story_picture"]
