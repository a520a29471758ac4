"""How parties compute a function together: parties, channels, transcripts, protocols, and their exploration."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__, {"Said": "Received"})
