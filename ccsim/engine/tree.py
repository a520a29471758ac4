"""Protocol trees: what an exploration returns, as plain data, and trees made from trees.

Binary form and the balancing lemma work on *shapes*: binary trees of splits without inputs attached. A shape becomes a
protocol tree by sending the inputs down it; splits that no longer divide anything disappear on the way.

Plain data, version 1: ``format`` ("ccsim-protocol-tree"), ``version``, ``name``, ``parties``, ``sizes``
(inputs of each party), ``answers``, ``knowing``, and ``nodes``, of which the first is the root. An inner node
has ``speaker``, ``label``, ``messages`` and ``children`` (numbers of later nodes), and ``inputs``: for each
child, the indices of the speaker's inputs that send its message. A leaf has ``answer``, the code on which all
agree, or ``answers``: for each role that must know, one code per input that reaches the leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.party import Receive, Send
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.plain_data import counted
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.inputs import Integers


@dataclass(slots=True, eq=False)
class Node:
    """A node of a protocol tree.

    Attributes:
        sets: for each player, the indices of its inputs that reach the node.
        bits, rounds: what was sent on the way here.
        speaker: who speaks here, or None at a leaf.
        messages, children: for each message that can be sent here, the child that it leads to.
        answers: at a leaf, for each role that must know it, the answer code (or one per input of ``sets``).
        label: what is sent here, for people.
    """

    sets: Mapping[str, Array]
    bits: int
    rounds: int
    speaker: str | None = None
    label: str = ""
    messages: tuple[Bits, ...] = ()
    children: tuple[int, ...] = ()
    answers: Mapping[str, Array | int] = field(default_factory=dict)

    @property
    def is_leaf(self) -> bool:
        """Whether nobody speaks here."""
        return self.speaker is None

    @property
    def code(self) -> int | None:
        """The answer code at a leaf on which all agree; None if it depends on the input."""
        codes = {int(code) for values in self.answers.values() for code in np.unique(values)}
        return codes.pop() if len(codes) == 1 else None


FORMAT, VERSION = "ccsim-protocol-tree", 1
MOST_NODES = 1 << 20
MOST_INPUTS = 1 << 16
MOST_CELLS = 1 << 26


def _plain(answer: Any) -> Any:
    if isinstance(answer, (tuple, list)):
        return [_plain(part) for part in answer]
    return answer if isinstance(answer, (str, int, bool)) or answer is None else str(answer)


def _node_to_json(node: Node, nodes: Sequence[Node]) -> dict[str, Any]:
    if node.speaker is None:
        if node.code is not None:
            return {"answer": node.code}
        sizes = {role: len(node.sets[role]) for role in node.answers}
        listed = {role: np.broadcast_to(values, sizes[role]).tolist() for role, values in node.answers.items()}
        return {"answers": listed}
    return {
        "speaker": node.speaker,
        "label": node.label,
        "messages": [str(message) for message in node.messages],
        "children": list(node.children),
        "inputs": [nodes[child].sets[node.speaker].tolist() for child in node.children],
    }


FIELDS = {"format", "version", "name", "parties", "sizes", "answers", "knowing", "nodes"}
INNER = {"speaker", "label", "messages", "children", "inputs"}


def _read_head(data: Mapping[str, Any]) -> dict[str, Any]:
    if set(data) != FIELDS or (data["format"], data["version"]) != (FORMAT, VERSION):
        raise InputError("tree", list(data), f"the fields {sorted(FIELDS)}, of the format {FORMAT}, version {VERSION}")
    _integers([data["version"]], "version", VERSION, VERSION)
    (name,), parties, knowing = _texts([data["name"]], "name"), _texts(data["parties"], "parties"), data["knowing"]
    sizes = _integers(data["sizes"], "sizes", 1, MOST_INPUTS)
    if not len(parties) == len(set(parties)) == len(sizes) >= 2:
        raise InputError("parties, sizes", (parties, sizes), "two or more different parties, one size for each")
    if knowing not in (parties, *([party] for party in parties)):
        raise InputError("knowing", knowing, f"all of {parties}, or one of them")
    answers = [_hashable(answer) for answer in data["answers"]]
    if not answers or len(set(answers)) != len(answers):
        raise InputError("answers", answers, "one or more answers, all different")
    return {"name": name, "parties": parties, "sizes": sizes, "answers": answers, "knowing": knowing}


def _hashable(answer: Any) -> Any:
    if isinstance(answer, list):
        return tuple(map(_hashable, answer))
    if answer is not None and not isinstance(answer, (str, int)):
        raise InputError("answers", answer, "texts, integers, booleans, or lists of them")
    return answer


def _texts(values: Any, name: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InputError(name, values, "texts")
    return values


def _integers(values: Any, name: str, low: int, high: int) -> list[int]:
    if not isinstance(values, list) or not all(type(value) is int and low <= value <= high for value in values):
        raise InputError(name, values, f"integers from {low} to {high}")
    return values


def _read_nodes(raw: Sequence[Any], head: Mapping[str, Any]) -> list[Node]:
    """Read nodes from the root down; each gets its sets from its parent, so they cannot overlap."""
    if not 1 <= len(raw) <= MOST_NODES:
        raise InputError("nodes", len(raw), f"from 1 to {MOST_NODES} nodes")
    sets = {party: np.arange(size) for party, size in zip(head["parties"], head["sizes"], strict=True)}
    found: dict[int, tuple[Node, str | None]] = {0: (Node(sets, 0, 0), None)}  # and the speaker at its parent
    for number, fields in enumerate(raw):
        if number not in found:
            raise InputError(f"node {number}", fields, "a child of one earlier node")
        node, before = found[number]
        if "speaker" not in fields:
            node.answers = _read_answers(f"node {number}", fields, node.sets, head)
            continue
        if set(fields) != INNER or fields["speaker"] not in head["parties"]:
            raise InputError(f"node {number}", list(fields), f"a speaker (a party) and the fields {sorted(INNER)}")
        node.speaker, (node.label,) = str(fields["speaker"]), _texts([fields["label"]], f"node {number} label")
        node.messages, parts = _read_messages(f"node {number}", fields, node.sets[node.speaker])
        node.children = tuple(_integers(fields["children"], f"node {number} children", number + 1, len(raw) - 1))
        turn = node.rounds + (before != node.speaker)
        for child, message, part in zip(node.children, node.messages, parts, strict=True):
            if child in found:
                raise InputError(f"node {number} children", child, "nodes, each the child of one node")
            after = Node({**node.sets, node.speaker: part}, node.bits + len(message), turn)
            found[child] = after, node.speaker
    return [found[number][0] for number in range(len(raw))]


def _read_messages(name: str, fields: Mapping[str, Any], own: Array) -> tuple[tuple[Bits, ...], list[Array]]:
    texts = _texts(fields["messages"], f"{name} messages")
    for shorter, longer in pairwise(sorted(texts)):
        if longer.startswith(shorter):
            raise InputError(f"{name} messages", (shorter, longer), "prefix-free messages")
    parts = [np.array(sorted(_integers(part, f"{name} inputs", 0, MOST_INPUTS))) for part in fields["inputs"]]
    if not all(map(len, parts)) or not np.array_equal(np.sort(np.concatenate(parts)), own):
        raise InputError(f"{name} inputs", parts, "a partition, without empty parts, of those that reach the node")
    return tuple(map(Bits, texts)), parts


def _read_answers(name: str, fields: Mapping[str, Any], sets: Mapping[str, Array], head: Mapping[str, Any]) -> Any:
    last = len(head["answers"]) - 1
    if set(fields) == {"answer"}:
        (code,) = _integers([fields["answer"]], f"{name} answer", DONT_CARE, last)
        return dict.fromkeys(head["knowing"], code)
    if set(fields) != {"answers"} or set(fields["answers"]) != set(head["knowing"]):
        raise InputError(name, list(fields), f"a speaker, or an answer, or answers of {head['knowing']}")
    listed = {role: _integers(codes, f"{name} answers", DONT_CARE, last) for role, codes in fields["answers"].items()}
    if any(len(codes) != len(sets[role]) for role, codes in listed.items()):
        raise InputError(f"{name} answers", listed, "one code for each input that reaches the leaf")
    return {role: np.array(codes) for role, codes in listed.items()}


def _own_function(head: Mapping[str, Any], nodes: Sequence[Node]) -> MultipartyFunction:
    cells = int(np.prod(head["sizes"], dtype=object))
    if cells > MOST_CELLS:
        raise InputError("sizes", head["sizes"], f"at most {MOST_CELLS} cells, or a function given beside the tree")
    table = np.full(head["sizes"], DONT_CARE, dtype=np.int32)
    parties = head["parties"]
    for leaf in (node for node in nodes if node.is_leaf):
        grids = [
            np.asarray(codes).reshape([-1 if party == role and np.ndim(codes) else 1 for party in parties])
            for role, codes in leaf.answers.items()
        ]
        agree = np.all([grid == grids[0] for grid in np.broadcast_arrays(*grids)], axis=0)
        table[np.ix_(*(leaf.sets[party] for party in parties))] = np.where(agree, grids[0], DONT_CARE)
    inputs = tuple(Integers(size) for size in head["sizes"])
    kind = TwoPartyFunction if head["parties"] == ["alice", "bob"] else MultipartyFunction
    return kind(head["name"], inputs, tuple(head["answers"]), lambda *rows: table[rows], tuple(head["parties"]))


@dataclass(frozen=True, eq=False)
class ProtocolTree:
    """The tree of a deterministic protocol on a function with inputs in hand; node 0 is the root.

    A node's children always come after it in ``nodes``.

    Args:
        function: what is computed.
        knowing: the parties that know the answer at a leaf.
        nodes: the root first.
    """

    function: MultipartyFunction
    knowing: tuple[str, ...]
    nodes: tuple[Node, ...]

    def __repr__(self) -> str:
        size = f"{counted(self.depth, 'bit')}, {counted(len(self.leaves), 'leaf')}"
        return f"<ProtocolTree of {self.function.name}: {size}>"

    @property
    def root(self) -> Node:
        """Where the protocol begins."""
        return self.nodes[0]

    @property
    def leaves(self) -> list[Node]:
        """Where it ends."""
        return [node for node in self.nodes if node.is_leaf]

    @property
    def depth(self) -> int:
        """Worst-case bits."""
        return max(leaf.bits for leaf in self.leaves)

    @property
    def rounds(self) -> int:
        """Worst-case rounds."""
        return max(leaf.rounds for leaf in self.leaves)

    def children(self, node: Node) -> Iterator[Node]:
        """The children of a node, in the order of their messages."""
        return (self.nodes[child] for child in node.children)

    def answer(self, leaf: Node) -> Hashable:
        """The answer at a leaf on which all agree; None if it depends on the input."""
        return None if leaf.code is None or leaf.code < 0 else self.function.answers[leaf.code]

    def draw(self) -> str:
        """The tree as text, one node a line.

        >>> from ccsim.problems import equality
        >>> from protocols.classical import trivial
        >>> print(trivial(equality(1)).explore().tree.draw())
        alice sends input: 2 x 2 inputs
        ├─ 0 → bob sends answer: 1 x 2 inputs
        │  ├─ 0 → answer 0: 1 x 1 inputs
        │  └─ 1 → answer 1: 1 x 1 inputs
        └─ 1 → bob sends answer: 1 x 2 inputs
           ├─ 0 → answer 0: 1 x 1 inputs
           └─ 1 → answer 1: 1 x 1 inputs
        """
        lines: list[str] = []
        stack = [(0, "", "")]
        while stack:
            number, first, rest = stack.pop()
            node = self.nodes[number]
            size = " x ".join(str(len(part)) for part in node.sets.values())
            message = f"{node.speaker} sends {node.label or 'a message'}"
            what = f"answer {self.answer(node)}" if node.is_leaf else message
            lines.append(f"{first}{what}: {size} inputs")
            last = len(node.children) - 1
            for place in range(last, -1, -1):
                elbow, bar = ("└─ ", "   ") if place == last else ("├─ ", "│  ")
                stack.append((node.children[place], f"{rest}{elbow}{node.messages[place]} → ", rest + bar))
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The tree as plain data, in the format of :mod:`ccsim.engine.tree`; answers unknown to JSON become text."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.function.name,
            "parties": list(self.function.parties),
            "sizes": list(self.function.shape),
            "answers": [_plain(answer) for answer in self.function.answers],
            "knowing": list(self.knowing),
            "nodes": [_node_to_json(node, self.nodes) for node in self.nodes],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], function: MultipartyFunction | None = None) -> ProtocolTree:
        """A tree from plain data, checked in every part; an :class:`~ccsim.errors.InputError` states what is wrong.

        Without ``function`` the tree states itself what it computes: its function's inputs are numbers, and its
        answers are those of the leaves (inputs at a leaf on which the roles disagree are outside the promise).
        With it, sizes and answers must fit, and the tree may compute something else: explore its protocol to know.

        >>> from ccsim.problems import equality
        >>> from protocols.classical import trivial
        >>> tree = ProtocolTree.from_json(trivial(equality(2)).explore().tree.to_json())
        >>> tree.function.shape, tree.knowing, len(tree.nodes)
        ((4, 4), ('alice', 'bob'), 13)
        """
        try:
            head = _read_head(data)
            nodes = _read_nodes(data["nodes"], head)
            own = _own_function(head, nodes) if function is None else function
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError(
                "tree", type(data).__name__, f"a tree as to_json() makes it, not {error!r:.200}"
            ) from error
        fits = list(own.shape), list(own.parties), len(own.answers)
        if fits != (head["sizes"], head["parties"], len(head["answers"])):
            raise InputError("sizes, parties, answers", fits, f"those of the tree, {head['sizes'], head['parties']}")
        return cls(own, tuple(head["knowing"]), tuple(nodes))

    def walker(self, player: str) -> Callable[[Hashable], Any]:
        """A party that walks down the tree and sends the bit that its input determines."""
        inputs = self.function.inputs[self.function.parties.index(player)]

        def party(value: Hashable) -> Any:
            place, number = inputs.index(value), 0
            while not self.nodes[number].is_leaf:
                node = self.nodes[number]
                if node.speaker == player:
                    own = [child.sets[player] for child in self.children(node)]
                    ways = (step for step, part in enumerate(own) if place in part[np.searchsorted(part, place) :][:1])
                    step = next(ways, None)
                    if step is None:
                        raise InputError("input", place, "an input that reaches this node of the tree")
                    yield Send(node.messages[step], node.label)
                else:
                    heard = yield Receive()
                    step = node.messages.index(heard)
                number = node.children[step]
            leaf = self.nodes[number]
            codes = np.broadcast_to(leaf.answers.get(player, DONT_CARE), len(leaf.sets[player]))
            code = int(codes[np.searchsorted(leaf.sets[player], place)])
            return self.function.answers[code] if code >= 0 else None

        return party


Sets = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class ShapeSplit:
    """A party sends whether its input is in ``ones`` (a mask over all its inputs)."""

    speaker: str
    ones: Array
    label: str
    zero: Shape
    one: Shape
    leaves: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "leaves", self.zero.leaves + self.one.leaves)


@dataclass(frozen=True, eq=False)
class ShapeLeaf:
    answer: int
    leaves: int = 1


Shape = ShapeSplit | ShapeLeaf


def binary(tree: ProtocolTree) -> ProtocolTree:
    """The same protocol with one bit a message; messages that say nothing are left out.

    Never deeper than the tree. Needs leaves on whose answer all agree.
    """
    return _grow(tree.function, tree.knowing, _shape(tree))


def balanced(tree: ProtocolTree) -> ProtocolTree:
    """A protocol for the same function of depth at most 2 log_{3/2}(leaves), for two parties.

    A tree of l > 1 leaves has a node with between l/3 and 2l/3 leaves below it. Alice and Bob each send
    whether their input is one that reaches it; then at most 2l/3 leaves are left, below the node or without it.
    ``l`` counts the leaves of the tree in binary form (Kushilevitz and Nisan 1997, lemma 2.8).

    >>> from ccsim.engine import Protocol
    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree = trivial(equality(3)).explore().tree
    >>> Protocol.of_tree(balanced(tree)).explore().correct
    True
    """
    if len(tree.function.parties) != 2:
        raise InputError("tree", tree.function.parties, "a tree of two parties")
    return _grow(tree.function, tree.knowing, _shape(tree), rebalance=True)


def _shape(tree: ProtocolTree) -> Shape:
    """The binary shape of a tree, built from its last node to its first."""
    shapes: dict[int, Shape] = {}
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.speaker is None:
            if node.code is None:
                raise InputError("tree", f"leaf {number}", "leaves on whose answer all agree, whatever their input")
            shapes[number] = ShapeLeaf(node.code)
        else:
            size = tree.function.shape[tree.function.parties.index(node.speaker)]
            options = [
                (str(message), tree.nodes[child].sets[node.speaker], shapes.pop(child))
                for message, child in zip(node.messages, node.children, strict=True)
            ]
            shapes[number] = _bit_by_bit(node.speaker, node.label, size, options)
    return shapes[0]


Option = tuple[str, Array, Shape]  # a message, the inputs that send it, and what follows


def _bit_by_bit(speaker: str, label: str, size: int, options: list[Option]) -> Shape:
    """Splits on one bit of the message after the other; a bit that is always the same is not sent."""
    done: list[Shape] = []
    todo: list[tuple[list[Option], int, Array | None]] = [(options, 0, None)]
    while todo:
        options, place, mask = todo.pop()
        if mask is not None:  # both halves are done
            one, zero = done.pop(), done.pop()
            done.append(ShapeSplit(speaker, mask, label, zero, one))
        elif len(options) == 1:
            done.append(options[0][2])
        else:
            zeros, ones = ([option for option in options if option[0][place] == bit] for bit in "01")
            mask = np.zeros(size, dtype=bool)
            for _, inputs, _ in ones:
                mask[inputs] = True
            if zeros and ones:
                todo.append(([], 0, mask))
            todo += [(part, place + 1, None) for part in (ones, zeros) if part]
    return done[0]


def _grow(
    function: MultipartyFunction, knowing: tuple[str, ...], shape: Shape, rebalance: bool = False
) -> ProtocolTree:
    """Send the inputs down a shape; with ``rebalance``, ask first about a node in its middle."""
    sets = {party: np.arange(size) for party, size in zip(function.parties, function.shape, strict=True)}
    nodes: list[Node] = []
    todo: list[tuple[Shape, Node, Node | None]] = [(shape, Node(sets, 0, 0), None)]
    while todo:
        below, node, parent = todo.pop()
        split = _middle_split(below, node.sets) if rebalance else _real_split(below, node.sets)
        if parent:
            parent.children += (len(nodes),)
        nodes.append(node)
        if isinstance(split, ShapeLeaf):
            node.answers = dict.fromkeys(knowing, split.answer)
            continue
        node.speaker, node.label, node.messages = split.speaker, split.label, (Bits("0"), Bits("1"))
        own, turn = node.sets[split.speaker], node.rounds + (parent is None or parent.speaker != split.speaker)
        todo += [
            (after, Node({**node.sets, split.speaker: part}, node.bits + 1, turn), node)
            for after, part in ((split.one, own[split.ones[own]]), (split.zero, own[~split.ones[own]]))
        ]
    return ProtocolTree(function, knowing, tuple(nodes))


def _real_split(shape: Shape, sets: Sets) -> Shape:
    while isinstance(shape, ShapeSplit):
        ones = shape.ones[sets[shape.speaker]]
        if ones.any() and not ones.all():
            return shape
        shape = shape.one if ones.all() else shape.zero
    return shape


def _middle_split(shape: Shape, sets: Sets) -> Shape:
    while True:
        shape = _real_split(shape, sets)
        if isinstance(shape, ShapeLeaf):
            return shape
        path: list[tuple[ShapeSplit, bool]] = []
        node: Shape = shape
        while 3 * node.leaves > 2 * shape.leaves:
            assert isinstance(node, ShapeSplit)
            bit = node.one.leaves >= node.zero.leaves
            path.append((node, bit))
            node = node.one if bit else node.zero
        rest, masks = _without(path), _reaching(path, sets)
        inside = {party: masks[party][own] for party, own in sets.items()}
        if not all(mask.any() for mask in inside.values()):
            shape = rest
        elif all(mask.all() for mask in inside.values()):
            shape = node
        else:
            for party in reversed(masks):
                if not inside[party].all():  # else it is certain, and the party sends nothing
                    node = ShapeSplit(party, masks[party], "in the middle?", rest, node)
            return node


def _without(path: list[tuple[ShapeSplit, bool]]) -> Shape:
    """The shape without the node at the end of the path: its sibling takes its parent's place."""
    *above, (last, bit) = path
    shape = last.zero if bit else last.one
    for split, step in reversed(above):
        zero, one = (split.zero, shape) if step else (shape, split.one)
        shape = ShapeSplit(split.speaker, split.ones, split.label, zero, one)
    return shape


def _reaching(path: list[tuple[ShapeSplit, bool]], sets: Sets) -> dict[str, Array]:
    masks: dict[str, Array] = {}
    for party, own in sets.items():
        size = max((len(split.ones) for split, _ in path if split.speaker == party), default=int(own.max()) + 1)
        masks[party] = np.ones(size, dtype=bool)
    for split, bit in path:
        masks[split.speaker] &= split.ones if bit else ~split.ones
    return masks
