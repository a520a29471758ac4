"""ccsim: communication-complexity lower bounds that run.

Protocols are run bit by bit between parties that see only their own input, explored on all inputs at once,
and compared with what is claimed of them. See the README for a first look.
"""

import sys
from typing import TYPE_CHECKING, Any

from ccsim import bounds, engine, problems
from ccsim.bits import BitReader, Bits
from ccsim.certified import certify, certify_protocol
from ccsim.engine import (
    AnswerEach,
    Coins,
    CommunicationModel,
    Cost,
    Exploration,
    Measurement,
    Protocol,
    ProtocolTree,
    Receive,
    Run,
    Send,
    SendEach,
    Transcript,
    Violation,
    array_party,
    balanced,
    binary,
    blackboard,
    composed,
    explore,
    measure,
    number_on_forehead,
    one_way,
    point_to_point,
    rounds,
    simultaneous,
    two_way,
)
from ccsim.errors import InputError, PartyError, ProtocolError, TableTooLargeError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems import MultipartyFunction, Partition, SequenceTask, TwoPartyFunction

if TYPE_CHECKING:
    from ccsim import arithmetic, displays, models, plots
    from ccsim.auditing import audit

__all__ = [
    "AnswerEach",
    "BitReader",
    "Bits",
    "Coins",
    "CommunicationMatrix",
    "CommunicationModel",
    "Cost",
    "Exploration",
    "InputError",
    "Measurement",
    "MultipartyFunction",
    "Partition",
    "PartyError",
    "Protocol",
    "ProtocolError",
    "ProtocolTree",
    "Receive",
    "Run",
    "Send",
    "SendEach",
    "SequenceTask",
    "TableTooLargeError",
    "Transcript",
    "TwoPartyFunction",
    "Violation",
    "arithmetic",
    "array_party",
    "audit",
    "balanced",
    "binary",
    "blackboard",
    "bounds",
    "certify",
    "certify_protocol",
    "composed",
    "displays",
    "engine",
    "explore",
    "measure",
    "models",
    "number_on_forehead",
    "one_way",
    "plots",
    "point_to_point",
    "problems",
    "rounds",
    "simultaneous",
    "two_way",
]

LAZY = ("arithmetic", "displays", "models", "plots")  # rooms that take time to enter


def __getattr__(name: str) -> Any:
    if name in LAZY:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name == "audit":
        from ccsim.auditing import audit

        return audit
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _show_in_notebooks() -> None:
    """Where IPython runs, tell it how to show everything."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        from ccsim.displays import load_ipython_extension

        load_ipython_extension(shell)


_show_in_notebooks()
