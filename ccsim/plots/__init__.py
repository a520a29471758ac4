"""Pictures for print and for the colour-blind, saved as SVG, PDF, PNG or TikZ.

Read :mod:`~ccsim.plots.scene` (shapes, colours) first, then a module of pictures; :mod:`~ccsim.plots.formats`
writes shapes in each format.
"""

from ccsim import lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
