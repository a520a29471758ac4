"""What a report shows of a finding, as plain data: the certificate, one run, and the matrix with its rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.bounds.bracket import Bracket
from ccsim.claims.finding import Finding
from ccsim.engine.base import ProtocolBase
from ccsim.engine.protocol import Protocol
from ccsim.engine.run import Run
from ccsim.engine.tree import ProtocolTree
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction

__all__ = ["attachments"]

MOST_LINES = 64  # rows or columns of a matrix that is drawn
MOST_RECTANGLES = 1024


def attachments(finding: Finding) -> dict[str, Any]:
    """The parts that there are: ``certificate``, ``transcript``, ``picture``."""
    tree = finding.tree or _bracket_tree(finding.bracket)
    run = finding.example or _worst_run(tree, finding.protocol)
    found = {
        "certificate": None if finding.certificate is None else finding.certificate.to_json(),
        "transcript": None if run is None else _transcript(run),
        "picture": _picture(finding, tree),
    }
    return {name: part for name, part in found.items() if part is not None}


def _bracket_tree(bracket: Bracket | None) -> ProtocolTree | None:
    witness = {} if bracket is None else bracket.upper_witness or {}
    if bracket is None or bracket.matrix is None or witness.get("kind") != "protocol-tree":
        return None
    return bracket.protocol_tree if max(bracket.matrix.shape) <= MOST_LINES else None


def _worst_run(tree: ProtocolTree | None, protocol: ProtocolBase | None) -> Run | None:
    """A run that costs the most bits if a tree tells one; else one on the first inputs."""
    if isinstance(protocol, Protocol):
        runs, places = protocol, [0] * len(protocol.function.parties)
    elif tree is not None:
        runs = Protocol.of_tree(tree)
    else:
        return None
    if tree is not None:
        deepest = max(tree.leaves, key=lambda leaf: leaf.bits)
        places = [int(deepest.sets[player][0]) for player in tree.function.parties]
    return runs.run(*(part.value(place) for part, place in zip(runs.function.inputs, places, strict=True)), seed=0)


def _transcript(run: Run) -> dict[str, Any]:
    return {
        "inputs": [str(value) for value in run.inputs],
        "messages": run.transcript.table(),
        "answer": str(run.answer),
        "expected": str(run.expected),
    }


def _picture(finding: Finding, tree: ProtocolTree | None) -> dict[str, Any] | None:
    """The matrix, with a protocol's rectangles or a fooling set's cells."""
    if finding.bracket is not None and finding.bracket.matrix is not None:
        matrix = finding.bracket.matrix
        cells = (finding.bracket.lower_witness or {}).get("cells", [])
        return _drawn(matrix, tree, cells if finding.bracket.measure == "fooling-set" else [])
    if tree is not None and len(tree.function.parties) == 2 and max(tree.function.shape) <= MOST_LINES:
        return _drawn(tree.function.matrix, tree, []) if isinstance(tree.function, TwoPartyFunction) else None
    return None


def _drawn(matrix: CommunicationMatrix, tree: ProtocolTree | None, cells: list[Any]) -> dict[str, Any] | None:
    if max(matrix.shape) > MOST_LINES:
        return None
    leaves = [] if tree is None else tree.leaves
    return {
        "codes": np.asarray(matrix.codes).tolist(),
        "labels": [str(label) for label in matrix.labels],
        "rectangles": [[leaf.sets["alice"].tolist(), leaf.sets["bob"].tolist()] for leaf in leaves[:MOST_RECTANGLES]],
        "cells": [list(cell) for cell in cells],
    }
