"""Protocol trees: what an exploration finds, and a form in which a protocol can be kept and changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.engine.node import Node
from ccsim.engine.steps import Receive, Send
from ccsim.engine.tree_json import from_json, to_json
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.problems.function import MultipartyFunction

networkx = lazy.load("networkx")


@dataclass(frozen=True, eq=False)
class ProtocolTree:
    """The tree of a deterministic protocol on a function with inputs in hand; node 0 is the root.

    A node's children always come after it in ``nodes``.
    """

    function: MultipartyFunction
    knowing: tuple[str, ...]
    nodes: tuple[Node, ...]

    def __repr__(self) -> str:
        return (
            f"<ProtocolTree of {self.function.name}: {counted(self.depth, 'bit')}, {counted(len(self.leaves), 'leaf')}>"
        )

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
        codes = {int(code) for codes in leaf.answers.values() for code in np.unique(codes)}
        if len(codes) != 1:
            return None
        code = codes.pop()
        return self.function.answers[code] if code >= 0 else None

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
            what = (
                f"answer {self.answer(node)}" if node.is_leaf else f"{node.speaker} sends {node.label or 'a message'}"
            )
            lines.append(f"{first}{what}: {size} inputs")
            last = len(node.children) - 1
            for place in range(last, -1, -1):
                elbow, bar = ("└─ ", "   ") if place == last else ("├─ ", "│  ")
                stack.append((node.children[place], f"{rest}{elbow}{node.messages[place]} → ", rest + bar))
        return "\n".join(lines)

    def to_networkx(self) -> Any:
        """A ``networkx.DiGraph``: nodes with speaker, label, bits, answer and sets; edges with their message."""
        graph = networkx.DiGraph(name=self.function.name)
        for number, node in enumerate(self.nodes):
            graph.add_node(
                number,
                speaker=node.speaker,
                label=node.label,
                bits=node.bits,
                answer=self.answer(node) if node.is_leaf else None,
                sets={player: part.tolist() for player, part in node.sets.items()},
            )
            for message, child in zip(node.messages, node.children, strict=True):
                graph.add_edge(number, child, message=str(message))
        return graph

    def to_json(self) -> dict[str, Any]:
        """The tree as plain data, in the format that :mod:`ccsim.engine.tree_json` describes."""
        return to_json(self.function, self.knowing, self.nodes)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], function: MultipartyFunction | None = None) -> ProtocolTree:
        """A tree from plain data, every part of it checked; see :func:`ccsim.engine.tree_json.from_json`."""
        return cls(*from_json(data, function))

    def walker(self, player: str) -> Callable[[Hashable], Any]:
        """A party that walks down the tree and sends what its input says."""
        inputs = self.function.inputs[self.function.parties.index(player)]

        def party(value: Hashable) -> Any:
            place, number = inputs.index(value), 0
            while not self.nodes[number].is_leaf:
                node = self.nodes[number]
                if node.speaker == player:
                    step = self._choice(node, place)
                    yield Send(node.messages[step], node.label)
                else:
                    heard = yield Receive()
                    step = node.messages.index(heard)
                number = node.children[step]
            codes = self.nodes[number].answers.get(player, -1)
            own = self.nodes[number].sets[player]
            code = (
                int(codes[np.searchsorted(own, place)]) if isinstance(codes, np.ndarray) and codes.ndim else int(codes)
            )
            return self.function.answers[code] if code >= 0 else None

        return party

    def _choice(self, node: Node, place: int) -> int:
        assert node.speaker is not None
        for step, child in enumerate(self.children(node)):
            own = child.sets[node.speaker]
            found = int(np.searchsorted(own, place))
            if found < len(own) and own[found] == place:
                return step
        raise InputError("input", place, "an input that reaches this node of the tree")
