"""One run of a protocol on one input per party, and the rules that explorations keep too.

A run delivers the messages, decides whose turn it is, and stops a party that takes too long for its next step.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ccsim.bits import Bits
from ccsim.engine.model import CommunicationModel, Message, Received, Transcript
from ccsim.engine.party import Answer, BrokenRuleError, Conversation, ProtocolBase, Receive, Send, Step, View
from ccsim.errors import InputError, PartyError, ProtocolError
from ccsim.plain_data import counted


class PartyTimeout(BaseException):
    """Raised within a party that takes too long; parties that catch every error do not catch it."""


class Watch:
    """Watches one thread from a second one while it asks parties, each for so many seconds; ends Python code only."""

    def __init__(self, seconds: float) -> None:
        if not seconds > 0:
            raise InputError("timeout", seconds, "a positive number of seconds")
        self.seconds = seconds
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._deadline: float | None = None

    def __enter__(self) -> Watch:
        self._thread = threading.get_ident()
        self._second = threading.Thread(target=self._go, daemon=True)
        self._second.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._second.join()

    @contextmanager
    def asking(self, more: float = 0.0) -> Generator[None, None, None]:
        """While one question is put; raises :class:`PartyTimeout` where it takes ``more`` than the limit."""
        with self._lock:
            self._late, self._deadline = False, time.monotonic() + self.seconds + more
        try:
            yield
        finally:
            with self._lock:
                self._deadline = None
                if self._late:  # what was not raised yet is not raised any more
                    self._late = False
                    _raise_in(self._thread, None)

    def _go(self) -> None:
        while not self._over.wait(min(1.0, self.seconds / 4)):
            with self._lock:
                if self._deadline is not None and not self._late and time.monotonic() > self._deadline:
                    self._late = True
                    _raise_in(self._thread, PartyTimeout)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)


@dataclass(frozen=True)
class Speak:
    role: str


@dataclass(frozen=True)
class Deliver:
    role: str
    message: Received


@dataclass(frozen=True)
class Finished:
    """Every party has answered."""


@dataclass(frozen=True)
class Objection:
    """The conversation cannot go on: which rule is broken, how, and by whom."""

    kind: str
    message: str
    roles: tuple[str, ...]


Event = Speak | Deliver | Finished | Objection
Kind = type[Send] | type[Answer] | Receive


@dataclass(frozen=True)
class Board:
    """Every message so far; for each role, what it has sent and received, in its order, and what waits for it."""

    messages: tuple[Message, ...]
    heard: Mapping[str, tuple[Received, ...]]
    waiting: Mapping[str, tuple[Received, ...]]

    @classmethod
    def empty(cls, model: CommunicationModel) -> Board:
        nothing: dict[str, tuple[Received, ...]] = dict.fromkeys(model.roles, ())
        return cls((), nothing, nothing)

    def speak(self, model: CommunicationModel, message: Message) -> Board:
        """The board after ``message``: heard at once where everybody listens, else on its way."""
        known = Received(message.sender, message.bits)
        listeners = {message.sender} | (set(message.receivers) if model.channels == "broadcast" else set())
        heard = {role: (*old, known) if role in listeners else old for role, old in self.heard.items()}
        on_the_way = set(message.receivers) - listeners
        waiting = {role: (*old, known) if role in on_the_way else old for role, old in self.waiting.items()}
        return Board((*self.messages, message), heard, waiting)

    def deliver(self, role: str, message: Received) -> Board:
        queue = list(self.waiting[role])
        queue.remove(message)
        heard = {**self.heard, role: (*self.heard[role], message)}
        return Board(self.messages, heard, {**self.waiting, role: tuple(queue)})

    @property
    def transcript(self) -> Transcript:
        return Transcript(self.messages)


def next_event(model: CommunicationModel, board: Board, kinds: Mapping[str, Kind]) -> Event:
    """What happens next, given what each role wants to do (a receive is given whole, for its sender)."""
    speakers = tuple(role for role, kind in kinds.items() if kind is Send)
    listeners = {role: kind for role, kind in kinds.items() if isinstance(kind, Receive)}
    if model.channels == "broadcast":
        if len(speakers) > 1:
            return Objection("turn", f"{' and '.join(speakers)} both want to send", speakers)
        if speakers and not listeners:
            return Objection("turn", f"{speakers[0]} sends and nobody listens", speakers)
    else:
        for role, wish in listeners.items():
            if model.channels == "referee" and role in model.players:
                return Objection("model", f"{model.name}: {role} may not receive", (role,))
            if wish.sender not in model.players or wish.sender == role:
                return Objection("model", f"{model.name}: {role} must name whom it receives from", (role,))
            message = next((sent for sent in board.waiting[role] if sent.sender == wish.sender), None)
            if message is not None:
                return Deliver(role, message)
    if speakers:
        return Speak(speakers[0])
    lost = [role for role in model.roles if board.waiting[role] and role not in listeners]
    if lost:
        return Objection("deadlock", f"{lost[0]} finished without reading a message sent to it", (lost[0],))
    if listeners:
        note = f"{' and '.join(listeners)} wait for a message that nobody sends"
        return Objection("deadlock", note, tuple(listeners))
    return Finished()


def message_on(
    model: CommunicationModel, board: Board, sender: str, sent: Send, wishes: Mapping[str, object]
) -> tuple[Message, str | None]:
    """What ``sender`` sends as a message to those who get it, and why it is not allowed, if it is not."""
    receivers: tuple[str, ...] = ()
    if model.channels == "broadcast" and sent.to is None:
        receivers = tuple(role for role, wish in wishes.items() if isinstance(wish, Receive) and role != sender)
    elif model.channels == "referee" and sent.to in (None, model.roles[-1]):
        receivers = (model.roles[-1],)
    elif model.channels == "pairs" and sent.to in model.players and sent.to != sender:
        receivers = (sent.to,)
    message = Message(sender, receivers, sent.bits, sent.label)
    if not message.receivers:
        return message, f"{model.name}: {sender} sends to {sent.to!r}"
    return message, model.objection(board.messages, message)


def width_note(role: str, wish: Receive, bits: Bits) -> str | None:
    if wish.width is None or wish.width == len(bits):
        return None
    return f"{role} expected a message of {counted(wish.width, 'bit')} and got {len(bits)} ({bits})"


MOST_VIOLATIONS = 10
UNDETERMINED = "the transcript does not determine the answer: the leaf holds inputs with different answers"


@dataclass(frozen=True)
class Violation:
    """A rule that a protocol breaks, with inputs that show it.

    ``kind`` is one of: ``turn``, ``prefix``, ``determinism``, ``deadlock``, ``endless``, ``model``, ``width``,
    ``crash``, ``agreement``, ``monochromatic``, ``answer``, ``cost``.

    Attributes:
        kind: which rule.
        message: what happened, in words.
        inputs: by party, one choice of inputs or the two that are compared.
        transcript: what was sent until then.
    """

    kind: str
    message: str
    inputs: tuple[Mapping[str, Any], ...] = ()
    transcript: Transcript = field(default_factory=Transcript)

    def __str__(self) -> str:
        shown = "; ".join(", ".join(f"{who}: {what}" for who, what in one.items()) for one in self.inputs)
        return f"{self.kind}: {self.message}" + (f" [{shown}]" if shown else "")


def breaks_rules(violations: Sequence[Violation]) -> bool:
    """Whether it is no protocol: more is wrong than an answer or the cost."""
    return any(one.kind not in ("agreement", "monochromatic", "answer", "cost") for one in violations)


def violations_text(violations: Sequence[Violation]) -> str:
    head = "WRONG, no protocol" if breaks_rules(violations) else "WRONG"
    more = "".join(f"\n  {one}" for one in violations[1:])
    return f"{head}: {violations[0]}{more}"


MOST_MESSAGES = 1 << 15  # a run that is longer is taken never to end


@dataclass(frozen=True)
class Run:
    """What happened in one run.

    Attributes:
        answers: the answer of each role that must know it.
        expected: the function's value, or None outside its promise; for a relation, all right answers.
        public, private: the outcomes of coins, if there are any.
        seed: what the coins were drawn from, or None if they were given.
        carried: for an isolated run, the bits that crossed between processes, by direction.
        relation: whether what is computed is a relation.
        inputs, transcript: the input of each party, and all messages.
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
    """Let the parties talk to the end; the messages, and the answers of those who must know."""
    model, board = protocol.model, Board.empty(protocol.model)
    steps: dict[str, Step] = {role: talk.advance() for role, talk in talks.items()}
    while True:
        kinds = {role: step if isinstance(step, Receive) else type(step) for role, step in steps.items()}
        event = next_event(model, board, kinds)
        if isinstance(event, Finished):
            break
        if isinstance(event, Objection):
            raise ProtocolError(f"{event.message}\n{board.transcript}")
        if isinstance(event, Deliver):
            board = board.deliver(event.role, event.message)
            _hand_over(talks, steps, event.role, event.message)
            continue
        if len(board.messages) >= MOST_MESSAGES:
            raise ProtocolError(f"the conversation goes on after {MOST_MESSAGES} messages")
        sender, step = event.role, steps[event.role]
        assert isinstance(step, Send)
        message, objection = message_on(model, board, sender, step, steps)
        if objection:
            raise ProtocolError(f"{objection}\n{board.transcript}")
        board = board.speak(model, message)
        steps[sender] = talks[sender].advance()
        for role in message.receivers if model.channels == "broadcast" else ():
            _hand_over(talks, steps, role, Received(sender, step.bits))
    known = {role: step.value for role, step in steps.items() if isinstance(step, Answer) and role in protocol.knowing}
    (first, right), *others = known.items()
    for role, value in others:
        if value != right:
            raise ProtocolError(f"the parties disagree: {first} answers {right!r}, {role} answers {value!r}")
    return board, known


def _hand_over(talks: Mapping[str, Conversation], steps: dict[str, Step], role: str, message: Received) -> None:
    wish = steps[role]
    assert isinstance(wish, Receive)
    if note := width_note(role, wish, message.bits):
        raise ProtocolError(note)
    steps[role] = talks[role].advance(message)


C = TypeVar("C", bound=Conversation)


@contextmanager
def conversations(
    begin: Callable[[View, int], C], views: tuple[View, ...], chosen: list[int]
) -> Generator[dict[str, C], None, None]:
    talks: dict[str, C] = {}
    try:
        for view, index in zip(views, chosen, strict=True):
            talks[view.role] = begin(view, index)
        yield talks
    finally:
        for talk in talks.values():
            talk.close()


class WatchedConversation(Conversation):
    def __init__(self, protocol: ProtocolBase, watch: Watch, view: View, index: int) -> None:
        self._role, self._watch = view.role, watch
        with errors_of(view.role):
            self._talk = protocol.party(view.role).converse(view, index, protocol.decode)

    def advance(self, received: Received | None = None) -> Step:
        try:
            with self._watch.asking(), errors_of(self._role):
                return self._talk.advance(received)
        except PartyTimeout:
            note = f"{self._role} sends nothing for {self._watch.seconds:g} seconds and was stopped"
            raise ProtocolError(note) from None

    def close(self) -> None:
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


def replay(role: str, talk: Conversation, heard: tuple[Received, ...], answers: Mapping[str, Hashable]) -> None:
    """Play a party from the start with what it sent and heard; a ProtocolError unless it does the same again."""
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
