from .coins import Coins, draw, fresh_seed
from .cost import Cost
from .explore import Exploration, explore
from .model import (
    CommunicationModel,
    blackboard,
    number_on_forehead,
    one_way,
    point_to_point,
    rounds,
    simultaneous,
    two_way,
)
from .node import Node
from .party import ArrayParty, GeneratorParty, Party, array_party
from .protocol import Protocol
from .randomised import Interval, Measurement, measure_error
from .reshape import balanced, binary, composed
from .run import Run
from .steps import AnswerEach, Receive, Send, SendEach
from .transcript import Message, Said, Transcript
from .tree import ProtocolTree
from .walk import Violation

__all__ = [
    "AnswerEach",
    "ArrayParty",
    "Coins",
    "CommunicationModel",
    "Cost",
    "Exploration",
    "GeneratorParty",
    "Interval",
    "Measurement",
    "Message",
    "Node",
    "Party",
    "Protocol",
    "ProtocolTree",
    "Receive",
    "Run",
    "Said",
    "Send",
    "SendEach",
    "Transcript",
    "Violation",
    "array_party",
    "balanced",
    "binary",
    "blackboard",
    "composed",
    "draw",
    "explore",
    "fresh_seed",
    "measure_error",
    "number_on_forehead",
    "one_way",
    "point_to_point",
    "rounds",
    "simultaneous",
    "two_way",
]
