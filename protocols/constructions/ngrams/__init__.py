"""Transformers for n-gram language models (Svete and Cotterell 2024), exact, and where floating point fails them."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
