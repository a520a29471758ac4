"""Circuits of constant depth for transformers with leftmost hard attention (after Hao, Angluin and Frank 2022)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ccsim.arrays import Array
from ccsim.models import SequenceModel

Gate = tuple[str, tuple[int, ...]]


@dataclass
class Circuit:
    """Gates not, and, or of any number of inputs, each (kind, the numbers of earlier gates); inputs are gates too."""

    gates: list[Gate] = field(default_factory=list)

    def add(self, kind: str, inputs: Sequence[int] = ()) -> int:
        """A gate; its number."""
        self.gates.append((kind, tuple(inputs)))
        return len(self.gates) - 1

    @property
    def size(self) -> int:
        """How many gates there are besides the inputs."""
        return sum(kind != "input" for kind, _ in self.gates)

    @property
    def depth(self) -> int:
        """The most gates, not counting inputs, on a way to the last gate."""
        depths: list[int] = []
        for kind, inputs in self.gates:
            depths.append(max((depths[source] for source in inputs), default=0) + (kind != "input"))
        return depths[-1]

    def values(self, words: Array) -> Array:
        """The last gate's values (batch,) on words of bits (batch, N): input gates are these, in order."""
        found: list[Array] = []
        for kind, inputs in self.gates:
            match kind:
                case "input":
                    found.append(words[:, len(found)].astype(bool))
                case "not":
                    found.append(~found[inputs[0]])
                case "and":
                    found.append(np.logical_and.reduce([found[source] for source in inputs]))
                case _:
                    found.append(np.logical_or.reduce([found[source] for source in inputs]))
        return found[-1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class TabulatedHardAttention(SequenceModel):
    """One head of leftmost hard attention in each layer, with any scores, on content that is one of two symbols.

    Attributes:
        length: N.
        scores: integers, shape (layers, N, 2, N, 2): of position i with content a for position j with content b.
        update: 0 or 1, shape (layers, 2, 2): the next content, from a position's own and from what it chose.

    The answer is the content of the last position.
    """

    length: int
    scores: Array = field(repr=False)
    update: Array = field(repr=False)
    name: str = "tabulated hard attention"
    alphabet: tuple[Hashable, ...] = ("0", "1")
    answers: tuple[Hashable, ...] = (0, 1)

    @classmethod
    def random(cls, length: int, layers: int, seed: int) -> TabulatedHardAttention:
        """Scores with many ties, and any update that looks at what was chosen."""
        generator = np.random.default_rng(seed)
        scores = generator.integers(0, 4, size=(layers, length, 2, length, 2))
        kinds = np.array([[[0, 1], [1, 0]], [[0, 0], [0, 1]], [[0, 1], [1, 1]], [[0, 1], [0, 1]], [[1, 0], [0, 0]]])
        return cls(length, scores, kinds[generator.integers(0, len(kinds), size=layers)])

    def codes(self, words: Array) -> Array:
        """The answers on words of bits (..., N)."""
        content = np.asarray(words).reshape(-1, self.length)
        for scores, update in zip(self.scores, self.update, strict=True):
            columns = []
            for place in range(self.length):
                own = content[:, place]
                seen = scores[place][own[:, None], np.arange(self.length), content]
                chosen = np.take_along_axis(content, seen.argmax(axis=1)[:, None], axis=1)[:, 0]
                columns.append(update[own, chosen])
            content = np.stack(columns, axis=1)
        return np.asarray(content[:, -1].reshape(np.shape(words)[:-1]))

    def circuit(self) -> Circuit:
        """A circuit of depth at most 3 layers + 2 with the same answers.

        Position j with content b is chosen iff it is there and nothing is there that comes before it in the order of
        scores, leftmost first: one and-gate. The next content is an or of these. Depth does not depend on N.
        """
        circuit = Circuit()
        ones = [circuit.add("input") for _ in range(self.length)]
        wires = [[circuit.add("not", [one]), one] for one in ones]
        for scores, update in zip(self.scores, self.update, strict=True):
            absent = [[circuit.add("not", [wire]) for wire in pair] for pair in wires]
            wires = [self._next(circuit, wires, absent, place, scores[place], update) for place in range(self.length)]
        circuit.add("or", [wires[-1][1]])
        return circuit

    def _next(
        self,
        circuit: Circuit,
        wires: list[list[int]],
        absent: list[list[int]],
        place: int,
        scores: Array,
        update: Array,
    ) -> list[int]:
        """The or-gates of the next content at a position."""
        cases: list[list[int]] = [[], []]
        pairs = [(j, b) for j in range(self.length) for b in (0, 1)]
        for own in (0, 1):
            order = sorted(pairs, key=lambda pair: (-scores[own][pair], pair[0]))
            for rank, (j, b) in enumerate(order):
                better = [absent[k][c] for k, c in order[:rank] if k != j]
                gate = circuit.add("and", [wires[place][own], wires[j][b], *better])
                cases[update[own, b]].append(gate)
        return [circuit.add("or", case) if case else circuit.add("and", wires[place]) for case in cases]
