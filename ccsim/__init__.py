"""ccsim: communication-complexity lower bounds that run.

Protocols are run bit by bit between parties that see only their own input, explored on all inputs at once,
and compared with what is claimed of them. See the README for a first look.
"""

from ccsim import engine, problems
from ccsim.bits import BitReader, Bits
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
    blackboard,
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
    "PartyError",
    "Protocol",
    "ProtocolError",
    "ProtocolTree",
    "Receive",
    "Run",
    "Send",
    "SendEach",
    "TableTooLargeError",
    "Transcript",
    "Violation",
    "array_party",
    "blackboard",
    "engine",
    "explore",
    "measure",
    "number_on_forehead",
    "one_way",
    "point_to_point",
    "problems",
    "rounds",
    "simultaneous",
    "two_way",
]
