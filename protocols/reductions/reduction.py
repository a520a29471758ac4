"""Reductions: how a protocol for one function, or for one task on words, becomes a protocol for another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from ccsim.engine import AnswerEach, ArrayParty, Cost, GeneratorParty, Party, Protocol, array_party
from ccsim.engine.schedule import Conclusion, Field, Known, Note, Schedule, Step, StepFunction, schedule_of, squeezed
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import Partition, SequenceTask, SplitTask, TwoPartyFunction
from ccsim.problems.inputs import Words

NO_ANSWER = -2
"""The code of something that the source never answers."""
BLOCK_CELLS = 1 << 18  # how many cells of a target are evaluated at once
MOST_CELLS = 1 << 26
"""The most inputs that :meth:`Reduction.check` goes through."""

Encode = Callable[[Any], Any]
Other = TypeVar("Other", bound="Reduction")


def unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Counterexample:
    """Inputs on which a reduction is wrong.

    Attributes:
        x, y: Alice's and Bob's inputs to the source.
        encoded: what they become, Alice's and Bob's.
        answer: the target's answer there, None off its promise.
        decoded: what that is decoded to.
        expected: the source's answer.
    """

    x: Hashable
    y: Hashable
    encoded: tuple[Any, Any]
    answer: Hashable
    decoded: Hashable
    expected: Hashable


@dataclass(frozen=True, eq=False, kw_only=True)
class Reduction(ABC):
    """source(x, y) = decode(target(encode_alice(x), encode_bob(y))) for all x and y.

    Encoding takes no communication, so whatever a protocol for the target costs is enough for the source: every lower
    bound on the source holds for the target.

    Attributes:
        name, note, citation: what it is called, one line for people, and where it is from.
        source: the function that is reduced.
        encode_alice, encode_bob: a party's input to the source, as its input to the target.
        decode: an answer of the target as an answer of the source.
        reader: who can decode: ``both``, or the one party whose own source input ``decode`` takes as its
            second argument. Then only that party learns the source's answer.
    """

    name: str
    source: TwoPartyFunction
    encode_alice: Encode = field(repr=False)
    encode_bob: Encode = field(repr=False)
    decode: Callable[..., Any] = field(default=unchanged, repr=False)
    reader: str = "both"
    note: str = field(default="", repr=False)
    citation: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.reader not in ("both", "alice", "bob"):
            raise InputError("reader", self.reader, "'both', 'alice' or 'bob'")

    @property
    @abstractmethod
    def target(self) -> TwoPartyFunction:
        """The function that it is reduced to."""

    def alice(self, x: Hashable) -> Any:
        """Alice's input to the target when she holds ``x``."""
        return self._encoded(0, x)

    def bob(self, y: Hashable) -> Any:
        """Bob's input to the target when he holds ``y``."""
        return self._encoded(1, y)

    def _encoded(self, party: int, value: Hashable) -> Any:
        part = self.source.inputs[party]
        encode, wanted = (self.encode_alice, self.encode_bob)[party], self.target.inputs[party]
        encoded = encode(part.value(part.index(value)))
        return wanted.word(encoded) if isinstance(wanted, Words) else encoded

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """For each party, the index in the target's inputs of each of its source inputs, in order."""
        places = []
        for party, (part, wanted) in enumerate(zip(self.source.inputs, self.target.inputs, strict=True)):
            indices = [wanted.index(self._encoded(party, value)) for value in part]
            places.append(np.array(indices, dtype=object if wanted.size > 1 << 62 else np.int64))
        return places[0], places[1]

    def read(self, answer: Hashable, own: Hashable) -> Any:
        """A target answer decoded by a reader who holds ``own`` (which is not looked at if both can read)."""
        return self.decode(answer) if self.reader == "both" else self.decode(answer, own)

    def check(self) -> Counterexample | None:
        """The first promised input on which the reduction is wrong, or None: every input is tried.

        Raises :class:`~ccsim.errors.InputError` for a source with more than 2^26 inputs.
        """
        rows, columns = self.source.shape
        if rows * columns > MOST_CELLS:
            raise InputError("source", self.source.name, f"at most {MOST_CELLS} inputs to try, not {rows * columns}")
        step = max(1, BLOCK_CELLS // columns)
        for start in range(0, rows, step):
            codes, decoded = self._block(start, min(start + step, rows))
            expected = self.source.codes[start : start + step]
            wrong = np.argwhere((expected != DONT_CARE) & (decoded != expected))
            if len(wrong):
                row, column = (int(place) for place in wrong[0])
                x, y = self.source.alice.value(start + row), self.source.bob.value(column)
                code = int(codes[row, column])
                answer = None if code == DONT_CARE else self.target.answers[code]
                read = None if answer is None else self.read(answer, x if self.reader == "alice" else y)
                return Counterexample(x, y, (self.alice(x), self.bob(y)), answer, read, self.source(x, y))
        return None

    def _block(self, start: int, stop: int) -> tuple[Array, Array]:
        x, y = self.places
        target, columns = self.target, self.source.shape[1]
        evaluated = target.evaluate(target.alice.array(x[start:stop])[:, None], target.bob.array(y)[None, :])
        codes = np.broadcast_to(evaluated, (stop - start, columns)).astype(np.int64)
        own = np.arange(start, stop)[:, None] if self.reader == "alice" else np.arange(columns)[None, :]
        return codes, decoded_codes(self, target.answers, codes, np.broadcast_to(own, codes.shape))

    def pull(self, protocol: Protocol, claim: str = "source", shared: Iterable[str] = ()) -> Protocol:
        """A protocol for the source out of one for the target: the same messages, at the same cost.

        Args:
            protocol: between Alice and Bob, for the target, or for what a model computes on words of the same length.
            claim: ``"source"`` if the result claims to compute the source, so that exploring it finds an input
                where a wrong model does not; ``"model"`` if it claims what the protocol's own function gives on
                the encodings, decoded, right or wrong.
            shared: names of first fields of the protocol's schedule that are the same for every source input, so
                that both know them and they are not sent; the cost is less by their bits.

        Raises :class:`~ccsim.errors.InputError` for a protocol that does not fit, and for fields that are not shared.
        """
        if protocol.model.roles != ("alice", "bob") or protocol.model.forehead:
            raise InputError("protocol", protocol.model.name, "a protocol of Alice and Bob, inputs in hand")
        function, target = protocol.function, self.target
        if isinstance(function, SplitTask) and isinstance(target, SplitTask) and function.partition != target.partition:
            raise InputError("protocol", function.partition, f"the partition {target.partition}")
        if not set(function.answers) <= set(target.answers):
            raise InputError("protocol", function.answers[:6], f"answers among those of {target.name}")
        if self.reader != "both" and protocol.answer not in ("both", self.reader):
            raise InputError("protocol", protocol.answer, f"a protocol after which {self.reader} knows the answer")
        if claim not in ("source", "model"):
            raise InputError("claim", claim, "'source' or 'model'")
        pulls = {role: Pull(self, protocol, number) for number, role in enumerate(protocol.model.roles)}
        parties, cost = _parties(protocol, pulls, tuple(shared))
        return replace(
            protocol,
            name=f"{self.source.name} through {protocol.name}",
            function=self.source if claim == "source" else _instead(self, protocol, pulls),
            parties=parties,
            answer=protocol.answer if self.reader == "both" else self.reader,
            cost=cost,
        )

    def then(self, other: Other) -> Other:
        """This reduction and then one of its target: source -> target -> the other's target."""
        mine, its = self.target, other.source
        same = mine.inputs == its.inputs and mine.answers == its.answers
        if not same or (mine.name != its.name and not np.array_equal(mine.codes, its.codes)):
            raise InputError("other", other.name, f"a reduction of {mine.name}, not of {its.name}")
        reader = other.reader if self.reader == "both" else self.reader
        if "both" not in (self.reader, other.reader) and self.reader != other.reader:
            raise InputError("other", other.name, f"a reduction that {self.reader} can decode")
        encode = self.bob if reader == "bob" else self.alice

        def decode(answer: Hashable, *own: Hashable) -> Any:
            if not own:
                return self.decode(other.decode(answer))
            return self.read(other.read(answer, encode(own[0])), own[0])

        return replace(
            other,
            name=f"{self.name}, then {other.name}",
            source=self.source,
            encode_alice=lambda x: other.encode_alice(self.alice(x)),
            encode_bob=lambda y: other.encode_bob(self.bob(y)),
            decode=decode,
            reader=reader,
            note=f"{self.note}; {other.note}" if self.note else other.note,
            citation=other.citation or self.citation,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class FunctionReduction(Reduction):
    """A reduction of one two-party function to another, ``onto``; see :class:`Reduction`."""

    onto: TwoPartyFunction

    @property
    def target(self) -> TwoPartyFunction:
        """The function ``onto``."""
        return self.onto


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskReduction(Reduction):
    """A reduction of a two-party function to a task on words; see :class:`Reduction`.

    Alice and Bob encode their inputs to the symbols at their positions of a word, in order, by ``partition``; the
    answer of ``task`` on that word, decoded, is the function's answer.

    >>> from protocols.reductions.task_reductions import reduce
    >>> lookup = reduce("index", "index-lookup", n=3)
    >>> lookup.word("011", 2), lookup.check() is None
    (('0', '1', '1', 2), True)
    """

    task: SequenceTask
    partition: Partition

    @cached_property
    def target(self) -> TwoPartyFunction:
        """The task, split among the parties."""
        return self.task.split(self.partition)

    def word(self, x: Hashable, y: Hashable) -> Any:
        """The word that Alice and Bob write together when they hold ``x`` and ``y``."""
        return self.task.words.word(self.partition.join(tuple(self.alice(x)), tuple(self.bob(y))))


def negation(source: TwoPartyFunction, target: TwoPartyFunction) -> FunctionReduction:
    """A Boolean function from its opposite on the same inputs: the answer is turned round.

    >>> from ccsim.problems import disjointness, intersection
    >>> negation(disjointness(2), intersection(2)).check() is None
    True
    """
    if not source.is_boolean or not target.is_boolean or source.inputs != target.inputs:
        raise InputError("target", target.name, f"a Boolean function on the inputs of {source.name}")
    return FunctionReduction(
        name=f"not {target.name}",
        source=source,
        onto=target,
        encode_alice=unchanged,
        encode_bob=unchanged,
        decode=lambda answer: 1 - answer,
        note="the opposite answer",
    )


def decoded_codes(reduction: Reduction, answers: Sequence[Hashable], codes: Array, own: Array) -> Array:
    """The source's codes for codes among ``answers``, given the reader's input (``own``); -1 stays, -2 is no answer."""
    if reduction.reader == "both":
        own = np.zeros_like(codes)
    part = reduction.source.inputs[reduction.reader == "bob"]
    width = int(own.max(initial=0)) + 1
    pairs, places = np.unique((codes + 2) * width + own, return_inverse=True)  # codes start at -2
    table = []
    for pair in pairs.tolist():
        code = pair // width - 2
        if code < 0:
            table.append(code)
            continue
        held = None if reduction.reader == "both" else part.value(pair % width)
        decoded = reduction.read(answers[code], held)
        table.append(reduction.source.places.get(decoded, NO_ANSWER if decoded is not None else DONT_CARE))
    return np.array(table, dtype=np.int64)[places].reshape(codes.shape)


class Pull:
    """One party's inputs to the source (``held``) become inputs to the protocol (``wanted``), and answers come back."""

    def __init__(self, reduction: Reduction, protocol: Protocol, number: int) -> None:
        self.reduction, self.protocol, self.number = reduction, protocol, number
        self.held, self.wanted = reduction.source.inputs[number], protocol.function.inputs[number]
        self.reads = reduction.reader in ("both", ("alice", "bob")[number])

    @cached_property
    def places(self) -> Array:
        target = self.reduction.target.inputs[self.number]
        if self.wanted == target:
            return self.reduction.places[self.number]
        indices = [self.wanted.index(target.value(int(place))) for place in self.reduction.places[self.number]]
        return np.array(indices, dtype=object if self.wanted.size > 1 << 62 else np.int64)

    def own(self, inputs: Any) -> Array:
        return np.asarray(self.held.places(inputs), dtype=np.int64)

    def own_each(self, inputs: Array) -> Array:
        row_shape = self.held.array(np.zeros(1, dtype=np.int64)).shape[1:]
        leading = inputs.shape[: inputs.ndim - len(row_shape)]
        return self.own(inputs.reshape(-1, *row_shape)).reshape(leading)

    def rows(self, inputs: Any) -> Array:
        return np.asarray(self.all_rows[self.own(inputs)])

    @cached_property
    def all_rows(self) -> Array:
        return self.wanted.array(self.places)

    def on_source(self, function: StepFunction) -> StepFunction:
        return lambda inputs, known: function(self.rows(inputs), known)

    def answers(self, codes: Any, inputs: Any) -> Array:
        """Codes of the protocol's answers as codes of the source's; -1 for a party that cannot decode."""
        own = self.own(inputs)
        given = np.asarray(DONT_CARE if codes is None or not self.reads else codes, dtype=np.int64)
        return decoded_codes(self.reduction, self.protocol.function.answers, np.broadcast_to(given, own.shape), own)


def _instead(reduction: Reduction, protocol: Protocol, pulls: Mapping[str, Pull]) -> TwoPartyFunction:
    alice, bob = pulls["alice"], pulls["bob"]
    inner = protocol.function

    def evaluate(x: Array, y: Array) -> Array:
        mine, yours = np.broadcast_arrays(alice.own_each(x), bob.own_each(y))
        rows = alice.all_rows[mine.ravel()], bob.all_rows[yours.ravel()]
        codes = np.asarray(inner.evaluate(*rows), dtype=np.int64)
        own = mine if reduction.reader == "alice" else yours
        return decoded_codes(reduction, inner.answers, codes, own.ravel()).reshape(mine.shape)

    source = reduction.source
    name = f"{source.name} as {inner.name} has it"
    return TwoPartyFunction(name, source.inputs, source.answers, evaluate, returns="codes")


def _parties(
    protocol: Protocol, pulls: Mapping[str, Pull], shared: tuple[str, ...]
) -> tuple[dict[str, Party], Cost | None]:
    schedule = schedule_of(protocol)
    if schedule is not None:
        return _scheduled(schedule, protocol, pulls, shared)
    if shared:
        raise InputError("shared", shared, "none: the protocol has no schedule whose fields have names")
    cost = replace(protocol.cost, exact=False) if protocol.cost else None
    return {role: _party(protocol.party(role), pull) for role, pull in pulls.items()}, cost


def _party(inner: Party, pull: Pull) -> Party:
    if isinstance(inner, ArrayParty):

        @array_party
        def in_arrays(inputs: Any, heard: Any, **coins: Any) -> Any:
            step = inner.function(pull.rows(inputs), heard, **coins)
            return AnswerEach(pull.answers(step.codes, inputs)) if isinstance(step, AnswerEach) else step

        return in_arrays
    if not isinstance(inner, GeneratorParty):
        raise InputError("protocol", inner, "parties that are generator functions, array parties, or of one schedule")

    def one_by_one(value: Hashable, **coins: Any) -> Any:
        answer = yield from inner.function(pull.wanted.value(int(pull.places[pull.held.index(value)])), **coins)
        return pull.reduction.read(answer, value) if answer is not None and pull.reads else None

    return GeneratorParty(one_by_one)


def _scheduled(
    schedule: Schedule, protocol: Protocol, pulls: Mapping[str, Pull], shared: tuple[str, ...]
) -> tuple[dict[str, Party], Cost | None]:

    def pulled(step: Step) -> Step:
        if isinstance(step, Conclusion):
            return step
        if isinstance(step, Note):
            return replace(step, value=pulls[step.owner].on_source(step.value))
        return replace(step, numbers=pulls[step.sender].on_source(step.numbers))

    def answered(role: str) -> StepFunction:
        inner = pulls[role].on_source(schedule.answers[role])
        return lambda inputs, known: pulls[role].answers(inner(inputs, known), inputs)

    steps: list[Step] = []
    known: dict[str, Array] = {}
    left, saved = list(shared), 0
    for step in schedule.steps:
        if not left or isinstance(step, Note):
            steps.append(pulled(step))
            continue
        if isinstance(step, Field) and step.name in left:
            left.remove(step.name)
            saved += step.width
        known[step.name] = _shared(step, known, pulls, shared)
        steps.append(Conclusion(step.name, partial(lambda value, known: value, known[step.name])))
    if left:
        names = tuple(field.name for field in schedule.fields)
        raise InputError("shared", shared, f"names of first fields of the protocol, of {names[:6]}")
    answers = {role: answered(role) for role in schedule.answers if pulls[role].reads}
    cost = protocol.cost
    if cost and saved:
        cost = replace(cost, formula=f"{cost.formula} - shared", parameters={**cost.parameters, "shared": saved})
    return Schedule(tuple(steps), answers).parties(), cost


def _shared(
    step: Field | Conclusion, known: dict[str, Array], pulls: Mapping[str, Pull], shared: tuple[str, ...]
) -> Array:
    if isinstance(step, Conclusion):
        return np.asarray(step.value(Known(known)))
    rows = pulls[step.sender].all_rows
    numbers = step.table(rows, Known(known, np.zeros(len(rows), dtype=np.int64)), len(rows))
    if step.name not in shared or (numbers != numbers[0]).any():
        raise InputError("shared", shared, f"first fields that no input changes, which {step.name!r} is not")
    return squeezed(step, numbers[:1])
