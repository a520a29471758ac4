"""The paper."""

from ccsim.claims import Paper

__all__ = ["PAPER"]

PAPER = Paper("sanford2023", "Sanford, Hsu and Telgarsky 2023")
