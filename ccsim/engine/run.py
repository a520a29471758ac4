"""One run of a protocol on one input per party."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ccsim.engine.base import ProtocolBase
from ccsim.engine.batches import BrokenRuleError
from ccsim.engine.board import Board, Deliver, Kind, Objection, Speak, message_on, next_event, width_objection
from ccsim.engine.model import CommunicationModel
from ccsim.engine.party import Conversation
from ccsim.engine.steps import Answer, Receive, Send, Step
from ccsim.engine.transcript import Said, Transcript
from ccsim.engine.watch import PartyTimeout, Watch
from ccsim.errors import InputError, PartyError, ProtocolError

MOST_MESSAGES = 1 << 15  # a run that is longer is taken never to end


@dataclass(frozen=True)
class Run:
    """What happened in one run.

    Attributes:
        inputs: one input per player.
        transcript: every message.
        answers: the answer of each role that must know it.
        expected: the function's value, or None outside its promise; for a relation, all right answers.
        public: the outcome of the public coins, if there are any.
        private: the outcome of each party's private coins.
        seed: the seed that the coins were drawn from, or None if they were given.
        carried: for an isolated run, the bits that crossed between processes, by direction.
        relation: whether what is computed is a relation.
    """

    inputs: tuple[Any, ...]
    transcript: Transcript
    answers: Mapping[str, Hashable]
    expected: Any
    public: int | None = None
    private: Mapping[str, int] | None = None
    seed: int | None = None
    carried: Mapping[str, int] | None = None
    relation: bool = False

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
        if self.relation:
            return self.answer in self.expected
        return self.expected is None or self.answer == self.expected

    def __str__(self) -> str:
        expected = sorted(self.expected, key=repr) if self.relation else self.expected
        verdict = "outside the promise" if self.expected is None else f"expected {'one of ' * self.relation}{expected}"
        return f"{self.transcript}\nanswer {self.answer} ({verdict})"


def run(protocol: ProtocolBase, talks: Mapping[str, Conversation]) -> tuple[Board, dict[str, Hashable]]:
    """Let the parties talk to the end; what was said, and the answers of those who must know."""
    board, answers = converse(protocol.model, talks)
    known = {role: answers[role] for role in protocol.knowing}
    first = protocol.knowing[0]
    for role, value in known.items():
        if value != known[first]:
            raise ProtocolError(f"the parties disagree: {first} answers {known[first]!r}, {role} answers {value!r}")
    return board, known


def converse(model: CommunicationModel, talks: Mapping[str, Conversation]) -> tuple[Board, dict[str, Hashable]]:
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
            return board, {role: step.value for role, step in steps.items() if isinstance(step, Answer)}


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


class WatchedConversation(Conversation):
    """A conversation whose party is stopped where it says nothing for too long."""

    def __init__(self, role: str, talk: Conversation, watch: Watch) -> None:
        self._role, self._talk, self._watch = role, talk, watch

    def advance(self, received: Said | None = None) -> Step:
        """The next step, if it comes in time."""
        try:
            with self._watch.asking(), errors_of(self._role):
                return self._talk.advance(received)
        except PartyTimeout:
            note = f"{self._role} says nothing for {self._watch.seconds:g} seconds and was stopped"
            raise ProtocolError(note) from None

    def close(self) -> None:
        """Give back what the party holds."""
        with errors_of(self._role):
            self._talk.close()


@contextmanager
def errors_of(role: str) -> Generator[None, None, None]:
    """While a party's own code runs: what it raises, SystemExit too, is a PartyError that names the party."""
    try:
        yield
    except (InputError, ProtocolError, PartyError):
        raise
    except BrokenRuleError as error:
        raise ProtocolError(str(error)) from None
    except (Exception, SystemExit) as error:
        raise PartyError(f"{role} raises {type(error).__name__}: {error}") from error


def replay(role: str, talk: Conversation, heard: tuple[Said, ...], answers: Mapping[str, Hashable]) -> None:
    """Play a party from the start with what it said and heard; a ProtocolError unless it does the same again."""
    step = talk.advance()
    for message in heard:
        own = message.sender == role
        if not (isinstance(step, Send) and step.bits == message.bits if own else isinstance(step, Receive)):
            break
        step = talk.advance(None if own else message)
    else:
        if isinstance(step, Answer) and (role not in answers or step.value == answers[role]):
            return
    note = "does not do the same when asked again about the same input and messages, after others had other inputs"
    raise ProtocolError(f"{role} {note}")


def _kind(step: Step) -> Kind:
    return step if isinstance(step, Receive) else type(step)
