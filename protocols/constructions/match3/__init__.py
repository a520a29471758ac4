"""Relatives of Match3 that attention computes, and Match3 itself by attention of third order."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
