"""Dyck languages of bounded depth by transformers of constant width: recognised, and modelled symbol by symbol."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
