"""How parties compute a function together: parties, channels, transcripts, protocols, and their exploration."""

from ccsim.engine.coins import Coins, draw, fresh_seed
from ccsim.engine.cost import Cost
from ccsim.engine.explore import Exploration, explore
from ccsim.engine.model import (
    CommunicationModel,
    blackboard,
    number_on_forehead,
    one_way,
    point_to_point,
    rounds,
    simultaneous,
    two_way,
)
from ccsim.engine.node import Node
from ccsim.engine.party import ArrayParty, GeneratorParty, Party, array_party
from ccsim.engine.protocol import Protocol
from ccsim.engine.randomised import Interval, Measurement, measure, measure_error
from ccsim.engine.reshape import balanced, binary, composed
from ccsim.engine.run import Run
from ccsim.engine.steps import AnswerEach, Receive, Send, SendEach
from ccsim.engine.transcript import Message, Said, Transcript
from ccsim.engine.tree import ProtocolTree
from ccsim.engine.walk import Violation

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
    "measure",
    "measure_error",
    "number_on_forehead",
    "one_way",
    "point_to_point",
    "rounds",
    "simultaneous",
    "two_way",
]
