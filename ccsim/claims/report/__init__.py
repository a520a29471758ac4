"""One self-contained page of verdicts: tables, plots, and everything behind each claim; and one of a language."""

from ccsim.claims.report.language_page import language_page
from ccsim.claims.report.page import render
from ccsim.claims.report.plots import plots_of
from ccsim.claims.report.story import story_picture

__all__ = ["language_page", "plots_of", "render", "story_picture"]
