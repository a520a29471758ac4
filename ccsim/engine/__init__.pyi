from .explore import Exploration, explore
from .model import (
    Coins,
    CommunicationModel,
    Cost,
    Message,
    Said,
    Transcript,
    blackboard,
    draw,
    fresh_seed,
    number_on_forehead,
    one_way,
    point_to_point,
    rounds,
    simultaneous,
    two_way,
)
from .party import ArrayParty, GeneratorParty, Party, array_party
from .protocol import Protocol
from .randomised import Interval, Measurement, measure_error
from .reshape import balanced, binary, composed
from .run import Run
from .steps import AnswerEach, Receive, Send, SendEach
from .tree import Node, ProtocolTree
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
