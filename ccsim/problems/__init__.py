"""What is computed: two-party functions, tasks on words, and the inputs that parties hold."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
