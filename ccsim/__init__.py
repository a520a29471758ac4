"""ccsim: communication-complexity lower bounds that run.

Protocols are run bit by bit between parties that see only their own input, explored on all inputs at once,
and compared with what is claimed of them. See the README for a first look.
"""

import sys

from ccsim import lazy

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)


def _show_in_notebooks() -> None:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        __getattr__("displays").load_ipython_extension(shell)


_show_in_notebooks()
