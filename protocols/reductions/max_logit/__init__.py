"""One-layer transformers as two-way protocols: the max-logit softmax protocol, for any partition of the positions.

Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4. Whoever holds the last position announces its row; per head,
the parties exchange their largest logits, then the sums of their exponentials, then their weighted sums of values.
Everything else is local, and exact arithmetic makes the sums independent of who holds what.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
