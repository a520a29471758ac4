"""Rank over fields, and what it says about leaves."""
