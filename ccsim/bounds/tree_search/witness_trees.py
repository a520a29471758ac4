"""Protocol trees between two forms: the plain data of a witness, and the engine's trees that draw and run."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bits import Bits
from ccsim.engine.node import Node
from ccsim.engine.tree import ProtocolTree
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction

Array = npt.NDArray[Any]


def protocol_tree(matrix: CommunicationMatrix, answer: str, tree: dict[str, Any]) -> ProtocolTree:
    """The engine's tree of a witness: each party holds the number of its line.

    >>> matrix = CommunicationMatrix.from_array([[0, 1], [0, 1]])
    >>> tree = {"speaker": "bob", "ones": [1], "zero": {"answer": 0}, "one": {"answer": 1}}
    >>> from ccsim.engine import Protocol
    >>> Protocol.of_tree(protocol_tree(matrix, "both", tree)).explore().worst_bits
    1
    """
    function = TwoPartyFunction.from_matrix(matrix)
    knowing = ("alice", "bob") if answer == "both" else (answer,)
    sets = {"alice": np.arange(matrix.shape[0]), "bob": np.arange(matrix.shape[1])}
    nodes: list[Node] = []
    todo: list[tuple[dict[str, Any], dict[str, Array], int, int, str | None, int]] = [(tree, sets, 0, 0, None, 0)]
    while todo:
        data, sets, bits, rounds, before, parent = todo.pop()
        nodes.append(Node(sets, bits, rounds))
        if len(nodes) > 1:
            nodes[parent].children += (len(nodes) - 1,)
        if "speaker" not in data:
            nodes[-1].answers = {role: _answers(data, sets[role]) for role in knowing}
            continue
        speaker = data["speaker"]
        nodes[-1].speaker, nodes[-1].messages = speaker, (Bits("0"), Bits("1"))
        says_one = np.isin(sets[speaker], data["ones"])
        turn = rounds + (before != speaker)
        todo += [
            (data[name], {**sets, speaker: sets[speaker][said]}, bits + 1, turn, speaker, len(nodes) - 1)
            for name, said in (("one", says_one), ("zero", ~says_one))
        ]
    return ProtocolTree(function, knowing, tuple(nodes))


def _answers(leaf: dict[str, Any], lines: Array) -> Array | int:
    if "answer" in leaf:
        return int(leaf["answer"])
    codes = dict(leaf["answers"])
    return np.array([codes.get(line, -1) for line in lines.tolist()])
