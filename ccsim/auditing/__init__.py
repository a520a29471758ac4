"""Audits: whether a model is right on all words of a task; if not, a word on which it is wrong, and the reason."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
