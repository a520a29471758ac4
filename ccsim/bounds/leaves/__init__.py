"""Protocols of few leaves, and how few there can be: of functions and of relations."""
