"""A protocol for the target of a reduction, run by parties who hold inputs to its source."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import AnswerEach, ArrayParty, Cost, GeneratorParty, Party, Protocol, array_party
from ccsim.engine.schedule import Conclusion, Field, Known, Note, Schedule, ScheduledParty, Step, StepFunction, squeezed
from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import InputSet, SplitTask, TwoPartyFunction
from protocols.reductions.task_reductions.decoding import decoded_codes
from protocols.reductions.task_reductions.encoding import Encoding


def pulled(reduction: Encoding, protocol: Protocol, claim: str, shared: tuple[str, ...]) -> Protocol:
    """See :meth:`~protocols.reductions.task_reductions.reduction.Reduction.pull`."""
    _require_fitting(reduction, protocol)
    if claim not in ("source", "model"):
        raise InputError("claim", claim, "'source' or 'model'")
    roles = protocol.model.roles
    pulls = {role: Pull(reduction, protocol, number) for number, role in enumerate(roles)}
    parties, cost = _parties(protocol, pulls, shared)
    return replace(
        protocol,
        name=f"{reduction.source.name} through {protocol.name}",
        function=reduction.source if claim == "source" else _instead(reduction, protocol, pulls),
        parties=parties,
        answer=protocol.answer if reduction.reader == "both" else reduction.reader,
        cost=cost,
    )


def _require_fitting(reduction: Encoding, protocol: Protocol) -> None:
    if protocol.model.roles != ("alice", "bob") or protocol.model.forehead:
        raise InputError("protocol", protocol.model.name, "a protocol of Alice and Bob, inputs in hand")
    function, target = protocol.function, reduction.target
    if isinstance(function, SplitTask) and isinstance(target, SplitTask) and function.partition != target.partition:
        raise InputError("protocol", function.partition, f"the partition {target.partition}")
    if not set(function.answers) <= set(target.answers):
        raise InputError("protocol", function.answers[:6], f"answers among those of {target.name}")
    if reduction.reader != "both" and protocol.answer not in ("both", reduction.reader):
        raise InputError("protocol", protocol.answer, f"a protocol after which {reduction.reader} knows the answer")


@dataclass(frozen=True, eq=False)
class Pull:
    """One party's side: its inputs to the source become inputs to the protocol, and answers come back."""

    reduction: Encoding
    protocol: Protocol
    number: int

    @cached_property
    def held(self) -> InputSet:
        """The party's inputs to the source."""
        return self.reduction.source.inputs[self.number]

    @cached_property
    def wanted(self) -> InputSet:
        """The party's inputs to the protocol."""
        return self.protocol.function.inputs[self.number]

    @cached_property
    def places(self) -> Array:
        """The index, among the protocol's inputs, of each of the party's source inputs."""
        target = self.reduction.target.inputs[self.number]
        if self.wanted == target:
            return self.reduction.places[self.number]
        indices = [self.wanted.index(target.value(int(place))) for place in self.reduction.places[self.number]]
        return np.array(indices, dtype=object if self.wanted.size > 1 << 62 else np.int64)

    def own(self, inputs: Any) -> Array:
        """Array rows of the source as indices."""
        return np.asarray(self.held.places(inputs), dtype=np.int64)

    def own_each(self, inputs: Array) -> Array:
        """The same for rows in an array with several axes ahead of those of a row."""
        row_shape = self.held.array(np.zeros(1, dtype=np.int64)).shape[1:]
        leading = inputs.shape[: inputs.ndim - len(row_shape)]
        return self.own(inputs.reshape(-1, *row_shape)).reshape(leading)

    def rows(self, inputs: Any) -> Array:
        """Array rows of the source as array rows of the protocol."""
        return np.asarray(self.all_rows[self.own(inputs)])

    @cached_property
    def all_rows(self) -> Array:
        """The protocol's array rows of every source input."""
        return self.wanted.array(self.places)

    @property
    def reads(self) -> bool:
        """Whether this party can decode."""
        return self.reduction.reader in ("both", ("alice", "bob")[self.number])

    def answers(self, codes: Any, inputs: Any) -> Array:
        """Codes of the protocol's answers as codes of the source's; -1 for a party that cannot decode."""
        own = self.own(inputs)
        given = np.asarray(DONT_CARE if codes is None or not self.reads else codes, dtype=np.int64)
        return decoded_codes(self.reduction, self.protocol.function.answers, np.broadcast_to(given, own.shape), own)


def _instead(reduction: Encoding, protocol: Protocol, pulls: Mapping[str, Pull]) -> TwoPartyFunction:
    """What the protocol's own function gives on the encodings, decoded."""
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
    parties = {role: protocol.party(role) for role in pulls}
    schedules = [party.schedule for party in parties.values() if isinstance(party, ScheduledParty)]
    if len(schedules) == len(pulls) and all(schedule is schedules[0] for schedule in schedules):
        return _scheduled(schedules[0], protocol, pulls, shared)
    if shared:
        raise InputError("shared", shared, "none: the protocol has no schedule whose fields have names")
    cost = replace(protocol.cost, exact=False) if protocol.cost else None
    return {role: _party(party, pulls[role]) for role, party in parties.items()}, cost


def _party(inner: Party, pull: Pull) -> Party:
    if isinstance(inner, ArrayParty):
        return _array_party(inner, pull)
    if isinstance(inner, GeneratorParty):
        return _generator_party(inner, pull)
    raise InputError("protocol", inner, "parties that are generator functions, array parties, or of one schedule")


def _array_party(inner: ArrayParty, pull: Pull) -> ArrayParty:
    @array_party
    def party(inputs: Any, heard: Any, **coins: Any) -> Any:
        step = inner.function(pull.rows(inputs), heard, **coins)
        return AnswerEach(pull.answers(step.codes, inputs)) if isinstance(step, AnswerEach) else step

    return party


def _generator_party(inner: GeneratorParty, pull: Pull) -> GeneratorParty:
    def party(value: Hashable, **coins: Any) -> Any:
        answer = yield from inner.function(pull.wanted.value(int(pull.places[pull.held.index(value)])), **coins)
        return pull.reduction.read(answer, value) if answer is not None and pull.reads else None

    return GeneratorParty(party)


def _scheduled(
    schedule: Schedule, protocol: Protocol, pulls: Mapping[str, Pull], shared: tuple[str, ...]
) -> tuple[dict[str, Party], Cost | None]:
    """The schedule on source inputs, without the fields that are said to be shared."""
    steps: list[Step] = []
    known: dict[str, Array] = {}
    left, saved = list(shared), 0
    for step in schedule.steps:
        if not left or isinstance(step, Note):
            steps.append(_pulled_step(step, pulls))
            continue
        if isinstance(step, Field) and step.name in left:
            left.remove(step.name)
            saved += step.width
        value = known[step.name] = _settled(step, known, pulls, shared)
        steps.append(Conclusion(step.name, partial(_as_said, value)))
    if left:
        names = tuple(said.name for said in schedule.fields)
        raise InputError("shared", shared, f"names of first fields of the protocol, of {names[:6]}")
    answers = {role: _pulled_answer(schedule, pulls[role]) for role in schedule.answers if pulls[role].reads}
    cost = protocol.cost
    if cost and saved:
        cost = replace(cost, formula=f"{cost.formula} - shared", parameters={**cost.parameters, "shared": saved})
    return Schedule(tuple(steps), answers).parties(), cost


def _settled(
    step: Field | Conclusion, known: dict[str, Array], pulls: Mapping[str, Pull], shared: tuple[str, ...]
) -> Array:
    """What a first step gives, as one row, the same for every source input."""
    if isinstance(step, Conclusion):
        return np.asarray(step.value(Known(known)))
    rows = pulls[step.sender].all_rows
    numbers = step.table(rows, Known(known, np.zeros(len(rows), dtype=np.int64)), len(rows))
    if step.name not in shared or (numbers != numbers[0]).any():
        raise InputError("shared", shared, f"first fields that no input changes, which {step.name!r} is not")
    return squeezed(step, numbers[:1])


def _as_said(value: Array, known: Known) -> Array:
    """As one row: before anything is said there is one node."""
    return value


def _pulled_step(step: Step, pulls: Mapping[str, Pull]) -> Step:
    if isinstance(step, Conclusion):
        return step
    if isinstance(step, Note):
        return replace(step, value=_on_source(step.value, pulls[step.owner]))
    return replace(step, numbers=_on_source(step.numbers, pulls[step.sender]))


def _on_source(function: StepFunction, pull: Pull) -> StepFunction:
    def on_source(inputs: Any, known: Known) -> Array:
        return function(pull.rows(inputs), known)

    return on_source


def _pulled_answer(schedule: Schedule, pull: Pull) -> StepFunction:
    inner = _on_source(schedule.answers[("alice", "bob")[pull.number]], pull)

    def answer(inputs: Any, known: Known) -> Array:
        return pull.answers(inner(inputs, known), inputs)

    return answer
