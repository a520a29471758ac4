"""One self-contained page of verdicts: tables, plots, and everything behind each claim; and one of a language."""

from ccsim.claims.report.figures import growth_plot, plots_of, story_picture
from ccsim.claims.report.language_page import language_page
from ccsim.claims.report.page import render

__all__ = ["growth_plot", "language_page", "plots_of", "render", "story_picture"]
