"""Ranks of matrices near a function: nonnegative, sign and approximate rank, with factors for each."""
