"""Sequence models in exact finite precision: what they answer and how many bits they carry is the same everywhere."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
