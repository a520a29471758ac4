"""Sanford, Hsu and Telgarsky 2023, Representational strengths and limitations of transformers (arXiv 2306.02896).

It was read in two slide decks, its authors' talk of 2023 and a lecture on it of 2025. Its claims stand in its order:
those on averages of a few rows, then those on numbers that match in twos and threes.
"""

from protocols.papers.sanford2023 import averages, matches  # noqa: F401  (a module that is imported declares its claims)
