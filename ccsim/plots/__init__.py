"""Pictures as plain SVG, for print and for the colour-blind; as figures of matplotlib in :mod:`ccsim.plots.figures`."""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
