"""Fooling sets: cells that need a leaf each."""
