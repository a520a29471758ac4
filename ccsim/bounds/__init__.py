"""What a function must cost: exact brackets, each side with a witness that an independent checker accepts.

Arranged as its theory is taught: rectangles and covers, rank, fooling sets, one message, randomised protocols,
information, the exact search over protocol trees, and what models need.
"""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
