"""Exploration: a protocol run on all inputs at once, and checked.

Inputs that reach a node form a rectangle (inputs in hand) or a cylinder intersection (on foreheads), so each party is
asked once per own view and node (Kushilevitz and Nisan 1997, chapters 1 and 6). It is asked again, in other company or
from the start: a party that looks at another's input, remembers earlier runs, or draws coins that it was not granted
contradicts itself, or leaves a leaf on which the answer is wrong. What no exploration can see is a party that tosses a
coin once and remembers it for good, or changes its ways after more questions than were asked; the tree is a correct
protocol all the same.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.model import Received
from ccsim.engine.party import (
    Answer,
    AnswerBatch,
    Batch,
    BrokenRuleError,
    ProtocolBase,
    Receive,
    Send,
    SendBatch,
    Talks,
    View,
)
from ccsim.engine.run import (
    MOST_VIOLATIONS,
    UNDETERMINED,
    Board,
    Deliver,
    Finished,
    Kind,
    Objection,
    PartyTimeout,
    Violation,
    Watch,
    message_on,
    next_event,
    violations_text,
    width_note,
)
from ccsim.engine.schedule import LevelExploration, schedule_of
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import Array, InputError, ProtocolError, require_memory
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted


@dataclass(frozen=True, eq=False)
class ViewRectangle:
    """A product of one set of views per role, which are inputs times private coins."""

    sets: Mapping[str, Array]
    players: tuple[str, ...]
    coins: tuple[int, ...]

    def inputs(self, player: int) -> Array:
        """The input index of each view of a player (with repetitions, if it has coins)."""
        views = self.sets[self.players[player]]
        return views if self.coins[player] == 1 else views // self.coins[player]

    def split(self, role: str, keys: Array) -> list[tuple[int, Region]]:
        """The parts in which this role's views have equal keys, in order of the key: only its set is divided."""
        views = self.sets[role]
        return [(key, replace(self, sets={**self.sets, role: part})) for key, part in _groups(views, keys)]

    def cells(self, table: Array) -> Array:
        return table[np.ix_(*(self.inputs(player) for player in range(len(self.players))))]

    def spread(self, role: str, values: Array) -> Array:
        """Values for each of a role's views, along its axis, so that they broadcast against :meth:`cells`."""
        if role not in self.players:
            return values.reshape((1,) * len(self.players))
        shape = [1] * len(self.players)
        shape[self.players.index(role)] = -1
        return values.reshape(shape)

    def inputs_at(self, table: Array, place: int) -> tuple[int, ...]:
        inputs = [self.inputs(player) for player in range(len(self.players))]
        digits = np.unravel_index(place, [len(part) for part in inputs])
        return tuple(int(part[digit]) for part, digit in zip(inputs, digits, strict=True))


@dataclass(frozen=True, eq=False)
class CylinderIntersection:
    """Explicit inputs (flat indices), and for each role the views that they give it."""

    sets: Mapping[str, Array]
    shape: tuple[int, ...]
    flat: Array
    seen: Mapping[str, Array]

    def split(self, role: str, keys: Array) -> list[tuple[int, Region]]:
        cell_keys = keys[np.searchsorted(self.sets[role], self.seen[role])]
        parts: list[tuple[int, Region]] = []
        for key, chosen in _groups(np.arange(len(self.flat)), cell_keys):
            seen = {name: indices[chosen] for name, indices in self.seen.items()}
            sets = {name: np.unique(indices) for name, indices in seen.items()}
            parts.append((key, replace(self, sets=sets, flat=self.flat[chosen], seen=seen)))
        return parts

    def cells(self, table: Array) -> Array:
        return table.ravel()[self.flat]

    def spread(self, role: str, values: Array) -> Array:
        return values[np.searchsorted(self.sets[role], self.seen[role])]

    def inputs_at(self, table: Array, place: int) -> tuple[int, ...]:
        return tuple(int(digit) for digit in np.unravel_index(int(self.flat[place]), self.shape))


Region = ViewRectangle | CylinderIntersection
"""Inputs with one transcript."""


def whole_region(views: Sequence[View], shape: tuple[int, ...]) -> Region:
    if any(view.together for view in views):
        # One row of indices per player, one flat index, one view per player, and what dividing them takes.
        cells = math.prod(shape)
        require_memory(8 * cells * (4 * len(shape) + 2), f"the {cells} inputs on foreheads")
        places, seen = np.indices(shape).reshape(len(shape), -1), {}
        for own, view in enumerate(views):
            others = [player for player in range(len(shape)) if player != own]
            seen[view.role] = np.ravel_multi_index(tuple(places[others]), tuple(shape[player] for player in others))
        unique = {role: np.unique(indices) for role, indices in seen.items()}
        return CylinderIntersection(unique, shape, np.arange(cells), seen)
    sets = {}
    for view in views:
        kind = next(kind for kind in (np.uint16, np.uint32, np.int64) if view.size - 1 <= np.iinfo(kind).max)
        sets[view.role] = np.arange(view.size, dtype=kind)
    players = [view for view in views if view.seen]
    return ViewRectangle(sets, tuple(view.role for view in players), tuple(view.coins for view in players))


def _groups(items: Array, keys: Array) -> list[tuple[int, Array]]:
    if len(keys) == 1 or bool((keys == keys[0]).all()):
        return [(int(keys[0]), items)]
    low, high = int(keys.min()), int(keys.max())
    if high == low + 1:
        is_low = keys == low
        return [(low, items[is_low]), (high, items[~is_low])]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.diff(ordered)) + 1
    return [(int(keys[part[0]]), items[part]) for part in np.split(order, starts)]


TIMEOUT = 30.0  # seconds that a party is given for a question
PER_TALK, PER_ROW = 1e-3, 1e-2  # seconds more for each input that it is asked about, by generators and by arrays
MOST_MESSAGES = 4096  # on one path; a conversation that is longer is taken never to end


Visit = Callable[[Region, Board, Mapping[str, Array]], None]
"""Called at a leaf with its inputs, the messages, and the answer code of each role on each of its views."""


@dataclass(frozen=True, eq=False)
class OpenNode:
    region: Region
    board: Board
    talks: Mapping[str, Talks]
    parent: int = 0
    branch: int = 0


class Walk:
    def __init__(
        self,
        protocol: ProtocolBase,
        views: Sequence[View],
        visit: Visit,
        *,
        keep_tree: bool = False,
        most_nodes: int = 4_000_000,
        progress: Callable[[int], None] | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.protocol, self.visit = protocol, visit
        self.views = {view.role: view for view in views}
        self.parties = {role: protocol.party(role) for role in protocol.model.roles}
        self.keep_tree, self.most_nodes, self.progress = keep_tree, most_nodes, progress
        self.nodes: list[Node] = []
        self.visited = self.leaves = self.questions = 0
        self.violations: list[Violation] = []
        self._watch = Watch(timeout)
        self._done: dict[tuple[str, tuple[Received, ...]], dict[int, object]] = {}

    def go(self) -> None:
        """Stops below a node that breaks a rule."""
        before = _global_random_state()
        with self._watch:
            self._visit_all()
        if _global_random_state() != before:
            note = "a party drew from the shared random generator of random or numpy.random; no coins were granted"
            self.violations.insert(0, Violation("determinism", note))

    def _visit_all(self) -> None:
        region = whole_region(list(self.views.values()), self.protocol.function.shape)
        stack = [OpenNode(region, Board.empty(self.protocol.model), {role: {} for role in self.views})]
        while stack:
            place = stack.pop()
            self.visited += 1
            if self.visited > self.most_nodes:
                raise InputError("most_nodes", self.most_nodes, "a limit that the protocol tree does not exceed")
            if self.progress and self.visited % 1024 == 0:
                self.progress(self.visited)
            number = self._keep(place)
            try:
                stack += self._expand(place, number)
            except BrokenRuleError as broken:
                shown = tuple(self.views[broken.role].show(view) if broken.role else {} for view in broken.views)
                self._report(broken.kind, broken.message, shown, place.board)
            if len(self.violations) >= MOST_VIOLATIONS:
                return

    def _keep(self, place: OpenNode) -> int:
        if not self.keep_tree:
            return 0
        transcript = place.board.transcript
        self.nodes.append(Node(place.region.sets, transcript.bits, transcript.rounds))
        number = len(self.nodes) - 1
        if number:
            before = self.nodes[place.parent].children
            self.nodes[place.parent].children = (*before[: place.branch], number, *before[place.branch + 1 :])
        return number

    def _expand(self, place: OpenNode, number: int) -> list[OpenNode]:
        """The children of a node, in reverse order for the stack; at a leaf none, after a visit."""
        region, board, talks = place.region, place.board, place.talks
        while True:
            asked = {role: self._ask(role, region.sets[role], board, talks[role]) for role in self.views}
            batches = {role: batch for role, (batch, _) in asked.items()}
            talks = {role: after for role, (_, after) in asked.items()}
            event = next_event(self.protocol.model, board, {role: _kind(batch) for role, batch in batches.items()})
            self._ask_again(region, board, batches, isinstance(event, Finished))
            if isinstance(event, Deliver):
                _check_width(event.role, batches[event.role], event.message.bits)
                board = board.deliver(event.role, event.message)
                continue
            if isinstance(event, Objection):
                self._report(event.kind, event.message, self._examples(region, event.roles), board)
                return []
            if isinstance(event, Finished):
                self._leaf(region, board, batches, number)
                return []
            if len(board.messages) >= MOST_MESSAGES:
                note = f"the conversation goes on after {MOST_MESSAGES} messages"
                self._report("endless", note, self._examples(region, self.protocol.model.players), board)
                return []
            return self._branch(replace(place, board=board, talks=talks), batches, event.role, number)

    def _ask_again(self, region: Region, board: Board, batches: Mapping[str, Batch], at_end: bool) -> None:
        """Ask each array party again about its second input alone, and about the rest backwards and in halves.

        It must do the same with every input, and after the same messages, whatever others sent to each other.
        """
        for role, batch in batches.items():
            views = region.sets[role]
            self.questions += len(views)
            if at_end or not self.parties[role].remembers:
                places = np.arange(len(views))
                rest = np.concatenate([places[:1], places[2:]])[::-1]
                for part in filter(len, (places[1:2], rest[: len(rest) // 2], rest[len(rest) // 2 :])):
                    different = _contradiction(batch, part, self._ask(role, views[part], board, {})[0])
                    if different is not None:
                        note = f"{role} does not do the same when asked again about the same input and messages"
                        raise BrokenRuleError("determinism", note, [views[different]]).by(role)
            if self.protocol.model.channels != "broadcast":
                known = self._done.setdefault((role, board.heard[role]), {})
                for place, view in enumerate(views.tolist()):
                    deed = _deed(batch, place)
                    if known.setdefault(view, deed) != deed:
                        note = f"what {role} does depends on messages that it did not hear"
                        raise BrokenRuleError("determinism", note, [view]).by(role)

    def _ask(self, role: str, views: Array, board: Board, talks: Talks) -> tuple[Batch, Talks]:
        party = self.parties[role]
        try:
            with self._watch.asking(len(views) * (PER_TALK if party.remembers else PER_ROW)):
                return party.ask(self.views[role], views, board.heard[role], self.protocol.encode, talks)
        except BrokenRuleError as broken:
            raise broken.by(role) from None
        except PartyTimeout:
            note = f"{role} sends nothing for {self._watch.seconds:g} seconds and was stopped"
            raise BrokenRuleError("endless", note, views[:1].tolist() if len(views) == 1 else []).by(role) from None
        except (Exception, SystemExit) as error:
            view = self._crashing_view(role, views, board)
            raise BrokenRuleError("crash", f"{role} raises {type(error).__name__}: {error}", [view]).by(role) from error

    def _crashing_view(self, role: str, views: Array, board: Board) -> int:
        for view in views[:4096]:
            try:
                self.parties[role].ask(self.views[role], np.array([view]), board.heard[role], self.protocol.encode, {})
            except (Exception, SystemExit):
                return int(view)
        return int(views[0])

    def _branch(self, place: OpenNode, batches: Mapping[str, Batch], speaker: str, number: int) -> list[OpenNode]:
        batch, model = batches[speaker], self.protocol.model
        assert isinstance(batch, SendBatch)
        clash = batch.prefix_clash()
        if clash:
            views = [place.region.sets[speaker][int(np.argmax(batch.keys == key))] for key in clash]
            note = f"{speaker} sends {batch.words[clash[0]]} on one input and {batch.words[clash[1]]} on another"
            raise BrokenRuleError("prefix", note, views).by(speaker)
        parts = place.region.split(speaker, batch.keys)
        words = tuple(batch.words[key] for key, _ in parts)
        if self.keep_tree:
            node = self.nodes[number]
            node.speaker, node.label, node.messages = speaker, batch.label, words
            node.children = (0,) * len(words)
        children = []
        for branch, (word, (_, part)) in enumerate(zip(words, parts, strict=True)):
            sent = Send(word, batch.label, batch.to)
            message, objection = message_on(model, place.board, speaker, sent, batches)
            if objection:
                raise BrokenRuleError("model", objection, [])
            for role in message.receivers if model.channels == "broadcast" else ():
                _check_width(role, batches[role], word)
            children.append(OpenNode(part, place.board.speak(model, message), place.talks, number, branch))
        return children[::-1]

    def _leaf(self, region: Region, board: Board, batches: Mapping[str, Batch], number: int) -> None:
        self.leaves += 1
        codes = {role: batch.codes for role, batch in batches.items() if isinstance(batch, AnswerBatch)}
        if self.keep_tree:
            known = {role: codes[role] for role in self.protocol.knowing}
            same = {role: bool((values == values[0]).all()) for role, values in known.items()}
            self.nodes[number].answers = {role: int(known[role][0]) if same[role] else known[role] for role in known}
        self.visit(region, board, codes)

    def _examples(self, region: Region, roles: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
        example: dict[str, Any] = {}
        for role in roles:
            example |= self.views[role].show(int(region.sets[role][0]))
        return (example,) if example else ()

    def _report(self, kind: str, message: str, inputs: tuple[Mapping[str, Any], ...], board: Board) -> None:
        self.violations.append(Violation(kind, message, inputs, board.transcript))


def _kind(batch: Batch) -> Kind:
    return batch if isinstance(batch, Receive) else Send if isinstance(batch, SendBatch) else Answer


def _check_width(role: str, wish: Batch, bits: Bits) -> None:
    if isinstance(wish, Receive) and (note := width_note(role, wish, bits)):
        raise BrokenRuleError("width", note, [])


def _contradiction(batch: Batch, places: Array, again: Batch) -> int | None:
    if isinstance(batch, SendBatch) and isinstance(again, SendBatch) and batch.to == again.to:
        same = SendBatch(batch.keys[places], batch.words, batch.label, batch.to).same(again)
    elif isinstance(batch, AnswerBatch) and isinstance(again, AnswerBatch):
        same = batch.codes[places] == again.codes
    else:
        return None if isinstance(batch, Receive) and batch == again else int(places[0])
    return None if same.all() else int(places[np.argmin(same)])


def _deed(batch: Batch, place: int) -> object:
    if isinstance(batch, SendBatch):
        return (batch.to, batch.words[int(batch.keys[place])])
    return int(batch.codes[place]) if isinstance(batch, AnswerBatch) else batch


def _global_random_state() -> object:
    state: Any = np.random.get_state()  # noqa: NPY002
    return random.getstate(), state[1].tobytes(), state[2]


@dataclass(frozen=True, eq=False)
class Exploration:
    """A deterministic protocol on all its inputs.

    Attributes:
        tree: the protocol tree (inputs in hand only; None on foreheads or on request).
        worst_bits, worst_rounds: the most bits, and the most rounds, on any promised input.
        total_bits, pairs: the sum of bits over all promised inputs, and how many there are.
        questions: how many (view, node) questions the parties answered, not counting repetitions.
        violations: what is wrong, at most ten of them; empty if the protocol is correct.
        protocol, leaves: what was explored, and how many leaves its tree has.
    """

    protocol: ProtocolBase = field(repr=False)
    tree: ProtocolTree | None = field(repr=False)
    leaves: int
    worst_bits: int
    total_bits: int
    pairs: int
    worst_rounds: int
    questions: int
    violations: tuple[Violation, ...]

    @property
    def correct(self) -> bool:
        """Whether no rule was broken and every answer is the function's."""
        return not self.violations

    @property
    def average_bits(self) -> Fraction:
        """Bits averaged over all promised inputs, each as likely."""
        return Fraction(self.total_bits, max(self.pairs, 1))

    def raise_if_wrong(self) -> Exploration:
        """This exploration, or a :class:`~ccsim.errors.ProtocolError` that tells its first violation."""
        if self.violations:
            raise ProtocolError(f"{self.protocol.name}: {self.violations[0]}")
        return self

    def __str__(self) -> str:
        if not self.correct:
            return f"{self.protocol.name}: {violations_text(self.violations)}"
        return (
            f"{self.protocol.name}: {counted(self.worst_bits, 'bit')} at worst, "
            f"{float(self.average_bits):.3f} on average, "
            f"{counted(self.worst_rounds, 'round')}, {counted(self.leaves, 'leaf')}, correct on all inputs"
        )


def explore(
    protocol: ProtocolBase,
    *,
    keep_tree: bool | None = None,
    most_nodes: int = 4_000_000,
    progress: Callable[[int], None] | None = None,
    timeout: float = TIMEOUT,
) -> Exploration:
    """Explore a deterministic protocol on all its inputs, and check every rule.

    A protocol with a fixed schedule is explored level by level in arrays, which keeps no tree, unless ``keep_tree``
    asks for one; every other protocol keeps its tree unless ``keep_tree`` is False. ``progress`` is called now and then
    with the number of nodes done. A party that sends nothing for ``timeout`` seconds is stopped. The formula of the
    cost is compared with the bits that were sent. Raises :class:`~ccsim.errors.TableTooLargeError` if the function's
    table cannot fit, and :class:`~ccsim.errors.InputError` for a protocol with coins (measure those) or beyond
    ``most_nodes``.
    """
    if not protocol.deterministic:
        raise InputError("protocol", protocol.name, "a deterministic protocol; measure_error() goes through the coins")
    schedule = schedule_of(protocol)
    if schedule is not None and not keep_tree and not protocol.function.is_relation:
        levels = LevelExploration(protocol, schedule, progress)
        levels.go()
        return _explored(protocol, None, levels, levels, levels.violations)
    keep_tree, check = keep_tree is not False, LeafCheck(protocol)
    limits: dict[str, Any] = {"most_nodes": most_nodes, "progress": progress, "timeout": timeout}
    walk = Walk(protocol, protocol.views(), check.visit, keep_tree=keep_tree, **limits)
    walk.go()
    none = protocol.model.forehead or protocol.function.is_relation or walk.violations
    keep = keep_tree and walk.nodes and not none
    tree = ProtocolTree(protocol.function, protocol.knowing, tuple(walk.nodes)) if keep else None
    return _explored(protocol, tree, walk, check, walk.violations + check.violations)


def _explored(
    protocol: ProtocolBase,
    tree: ProtocolTree | None,
    walked: Walk | LevelExploration,
    sums: LeafCheck | LevelExploration,
    violations: list[Violation],
) -> Exploration:
    cost, bits = protocol.cost, sums.worst_bits
    if cost is not None and sums.pairs and not violations and (bits > cost.bits or (bits < cost.bits and cost.exact)):
        note = f"{counted(bits, 'bit')} at worst, where the cost {cost} at {dict(cost.parameters)} is {cost.bits}"
        advice = "" if bits > cost.bits else "; a formula that is not reached is given as Cost(..., exact=False)"
        violations = [Violation("cost", f"{note}{advice}")]
    figures = walked.leaves, bits, sums.total_bits, sums.pairs, sums.worst_rounds, walked.questions
    return Exploration(protocol, tree, *figures, tuple(violations[:MOST_VIOLATIONS]))


class LeafCheck:
    def __init__(self, protocol: ProtocolBase) -> None:
        self.protocol = protocol
        self.table = protocol.function.codes
        self.worst_bits = self.total_bits = self.pairs = self.worst_rounds = 0
        self.violations: list[Violation] = []

    def visit(self, region: Region, board: Board, codes: Mapping[str, Array]) -> None:
        """Count the promised inputs of the leaf; every answer on them must be right and follow from the leaf."""
        cells = region.cells(self.table)
        promised = int(np.count_nonzero(cells != DONT_CARE))
        if promised:
            transcript = board.transcript
            self.worst_bits = max(self.worst_bits, transcript.bits)
            self.worst_rounds = max(self.worst_rounds, transcript.rounds)
            self.total_bits += promised * transcript.bits
            self.pairs += promised
        if len(self.violations) < MOST_VIOLATIONS:
            self._check_answers(region, board, codes, cells)

    def _check_answers(self, region: Region, board: Board, codes: Mapping[str, Array], cells: Array) -> None:
        protocol, knowing, function = self.protocol, self.protocol.knowing, self.protocol.function
        given = {role: region.spread(role, np.asarray(codes[role])) for role in knowing}
        promise = cells != DONT_CARE
        for role in knowing:
            wrong = promise & function.wrong(cells, given[role])
            if function.is_relation:
                wrong |= given[role] != given[knowing[0]]
            if not wrong.any():
                continue
            place = int(np.argmax(wrong))
            answers = {name: int(np.broadcast_to(values, cells.shape).flat[place]) for name, values in given.items()}
            kind, note = "answer", f"{role} answers {protocol.answer_text(answers[role])},"
            if len(set(answers.values())) > 1:
                shown = ", ".join(f"{name} {protocol.decode(code)!r}" for name, code in answers.items())
                kind, note = "agreement", f"the parties disagree: {shown};"
            expected = function.meaning(int(cells.flat[place]))
            self._report(kind, f"{note} expected {expected!r}", region, board, [place])
            return
        places, right = np.flatnonzero(promise), cells[promise]
        other = right != right[:1]
        if protocol.answer == "both" and not function.is_relation and other.any():
            differing = [int(places[0]), int(places[np.argmax(other)])]
            self._report("monochromatic", UNDETERMINED, region, board, differing)

    def _report(self, kind: str, message: str, region: Region, board: Board, places: list[int]) -> None:
        players, parts, shown = self.protocol.model.players, self.protocol.function.inputs, []
        for place in places:
            seen = zip(players, parts, region.inputs_at(self.table, place), strict=True)
            shown.append({player: part.show(part.value(index)) for player, part, index in seen})
        self.violations.append(Violation(kind, message, tuple(shown), board.transcript))
