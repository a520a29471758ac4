"""One run of a protocol on one input per party."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ccsim.engine.base import ProtocolBase
from ccsim.engine.board import Board, Deliver, Kind, Objection, Speak, message_on, next_event, width_objection
from ccsim.engine.model import CommunicationModel
from ccsim.engine.party import Conversation
from ccsim.engine.steps import Answer, Receive, Send, Step
from ccsim.engine.transcript import Said, Transcript
from ccsim.errors import ProtocolError

__all__ = ["Run", "converse", "run"]

MOST_MESSAGES = 1 << 15  # a run that is longer is taken never to end


@dataclass(frozen=True)
class Run:
    """What happened in one run.

    Attributes:
        inputs: one input per player.
        transcript: every message.
        answers: the answer of each role that must know it.
        expected: the function's value, or None outside its promise.
        public: the outcome of the public coins, if there are any.
        private: the outcome of each party's private coins.
        seed: the seed that the coins were drawn from, or None if they were given.
        carried: for an isolated run, the bits that crossed between processes, by direction.
    """

    inputs: tuple[Any, ...]
    transcript: Transcript
    answers: Mapping[str, Hashable]
    expected: Hashable
    public: int | None = None
    private: Mapping[str, int] | None = None
    seed: int | None = None
    carried: Mapping[str, int] | None = None

    @property
    def answer(self) -> Hashable:
        """The answer on which all who must know it agree."""
        return next(iter(self.answers.values()))

    @property
    def bits(self) -> int:
        """How many bits were sent."""
        return self.transcript.bits

    @property
    def correct(self) -> bool:
        """Whether the answer is the function's value (anything is correct outside the promise)."""
        return self.expected is None or self.answer == self.expected

    def __str__(self) -> str:
        verdict = "outside the promise" if self.expected is None else f"expected {self.expected}"
        return f"{self.transcript}\nanswer {self.answer} ({verdict})"


def run(protocol: ProtocolBase, talks: Mapping[str, Conversation]) -> tuple[Transcript, dict[str, Hashable]]:
    """Let the parties talk to the end; the transcript and the answers of those who must know."""
    transcript, answers = converse(protocol.model, talks)
    known = {role: answers[role] for role in protocol.knowing}
    first = protocol.knowing[0]
    for role, value in known.items():
        if value != known[first]:
            raise ProtocolError(f"the parties disagree: {first} answers {known[first]!r}, {role} answers {value!r}")
    return transcript, known


def converse(model: CommunicationModel, talks: Mapping[str, Conversation]) -> tuple[Transcript, dict[str, Hashable]]:
    """Move messages between conversations under the rules of a model until everybody has answered."""
    board = Board.empty(model)
    steps: dict[str, Step] = {role: talk.advance() for role, talk in talks.items()}
    while True:
        event = next_event(model, board, {role: _kind(step) for role, step in steps.items()})
        if isinstance(event, Objection):
            raise ProtocolError(f"{event.message}\n{board.transcript}")
        if isinstance(event, Deliver):
            board = board.deliver(event.role, event.message)
            _hand_over(talks, steps, event.role, event.message)
        elif isinstance(event, Speak):
            if len(board.said) >= MOST_MESSAGES:
                raise ProtocolError(f"the conversation goes on after {MOST_MESSAGES} messages")
            board = _speak(model, board, talks, steps, event.role)
        else:
            return board.transcript, {role: step.value for role, step in steps.items() if isinstance(step, Answer)}


def _speak(
    model: CommunicationModel, board: Board, talks: Mapping[str, Conversation], steps: dict[str, Step], sender: str
) -> Board:
    step = steps[sender]
    assert isinstance(step, Send)
    message, objection = message_on(model, board, sender, step, steps)
    if objection:
        raise ProtocolError(f"{objection}\n{board.transcript}")
    board = board.speak(model, message)
    steps[sender] = talks[sender].advance()
    if model.channels == "broadcast":
        for role in message.receivers:
            _hand_over(talks, steps, role, Said(sender, step.bits))
    return board


def _hand_over(talks: Mapping[str, Conversation], steps: dict[str, Step], role: str, message: Said) -> None:
    wish = steps[role]
    assert isinstance(wish, Receive)
    objection = width_objection(role, wish, message.bits)
    if objection:
        raise ProtocolError(objection.message)
    steps[role] = talks[role].advance(message)


def _kind(step: Step) -> Kind:
    return step if isinstance(step, Receive) else type(step)
