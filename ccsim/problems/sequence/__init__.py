"""Tasks on words, which become two-party functions when the positions are dealt out."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
