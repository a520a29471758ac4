"""Reductions: models become protocols, and problems become tasks."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__, {"LeastError": "LeastOneWayError"})
