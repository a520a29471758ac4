"""What a function must cost: exact brackets, each side with a witness that an independent checker accepts."""

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.measures import MEASURES, deterministic, measure
from ccsim.bounds.model_size import ModelBound, model
from ccsim.bounds.summary import Summary, summary

__all__ = ["MEASURES", "Bracket", "ModelBound", "Summary", "deterministic", "measure", "model", "summary"]
