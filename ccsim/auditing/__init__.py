"""Audits: is a model right on all words of a task, or on which word is it wrong, and why must it be?"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
