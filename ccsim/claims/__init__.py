"""Claims of papers, measured: what is claimed, what was measured, and the verdict that follows."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
