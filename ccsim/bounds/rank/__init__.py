"""Rank over fields, and what it says about leaves."""

from ccsim.bounds.rank.over_fields import leaf_rank as leaf_rank  # under its old address, for one release
