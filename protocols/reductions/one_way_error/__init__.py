"""The least error of one message of so many bits, exactly: for INDEX, and for composing functions.

Kremer, Nisan and Ron 1999; Peng, Narayanan and Papadimitriou 2024, theorem 1.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
