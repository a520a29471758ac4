"""Formal languages by attention, in exact arithmetic: hard, averaging and soft, circuits, and chains of thought."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
