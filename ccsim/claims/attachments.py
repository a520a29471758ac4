"""What a report shows of a finding, as plain data: the certificate, one run, and the matrix with its rectangles."""

from __future__ import annotations

from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.claims.claim import Finding
from ccsim.engine.protocol import Protocol
from ccsim.engine.run import Run
from ccsim.engine.tree import ProtocolTree
from ccsim.plots.matrix import matrix_picture
from ccsim.problems.catalogue import find_problem
from ccsim.problems.function import MultipartyFunction, Subject, TwoPartyFunction

__all__ = ["attachments"]

Rows = list[dict[str, Any]]

MOST_LINES = 64  # rows or columns of a matrix that is drawn
MOST_RECTANGLES = 1024
MOST_NAMED = 4  # inputs that a message leaves, named one by one


def attachments(finding: Finding) -> dict[str, Any]:
    """The parts that there are: ``certificate``, ``every_length``, ``transcript``, ``picture``."""
    tree = finding.tree or _bracket_tree(finding.bracket)
    named = _named(finding, tree)
    found = {
        "certificate": None if finding.certificate is None else finding.certificate.to_json(),
        "every_length": None if finding.every_length is None else finding.every_length.to_json(),
        "transcript": _transcript(finding, tree, named),
        "picture": _picture(finding, tree, named),
    }
    return {name: part for name, part in found.items() if part is not None}


def _bracket_tree(bracket: Bracket | None) -> ProtocolTree | None:
    if bracket is None or bracket.matrix is None or (bracket.upper_witness or {}).get("kind") != "protocol-tree":
        return None
    return bracket.protocol_tree if max(bracket.matrix.shape) <= MOST_LINES else None


def _named(finding: Finding, tree: ProtocolTree | None) -> MultipartyFunction | None:
    """The function whose inputs are meant: a tree that was found in a matrix only numbers them."""
    function = tree.function if tree is not None else getattr(finding.protocol, "function", None)
    if finding.bracket is not None and finding.bracket.function is not None:
        name, size = finding.bracket.function
        known = find_problem(name).function(size)
        return known if function is None or known.shape == function.shape else function
    return function


def _shown(named: MultipartyFunction, party: int, place: int) -> str:
    inputs = named.inputs[party]
    return inputs.show(inputs.value(place))


def _transcript(finding: Finding, tree: ProtocolTree | None, named: MultipartyFunction | None) -> dict[str, Any] | None:
    """An example if there is one; else a run that costs the most bits, if a tree tells one, or on the first inputs."""
    if finding.example is not None:
        return _told(finding.example, [str(value) for value in finding.example.inputs], None, None)
    if isinstance(finding.protocol, Protocol):
        runs = finding.protocol
    elif tree is not None:
        runs = Protocol.of_tree(tree)
    else:
        return None
    places = [0] * len(runs.function.parties)
    if tree is not None:
        deepest = max(tree.leaves, key=lambda leaf: leaf.bits)
        places = [int(deepest.sets[player][0]) for player in tree.function.parties]
    run = runs.run(*(part.value(place) for part, place in zip(runs.function.inputs, places, strict=True)), seed=0)
    named = runs.function if named is None or named.shape != runs.function.shape else named
    return _told(run, [_shown(named, party, place) for party, place in enumerate(places)], tree, named)


def _told(run: Run, inputs: list[str], tree: ProtocolTree | None, named: MultipartyFunction | None) -> dict[str, Any]:
    messages = run.transcript.table()
    if tree is not None and named is not None and not any(row["meaning"] for row in messages):
        messages = _with_meanings(messages, tree, named)
    return {
        "inputs": inputs,
        "parties": [] if named is None else list(named.parties),
        "messages": messages,
        "answer": str(run.answer),
        "expected": str(run.expected),
    }


def _with_meanings(messages: Rows, tree: ProtocolTree, named: MultipartyFunction) -> Rows:
    """What each message of a tree without labels says: which of the speaker's inputs it leaves."""
    node, told = tree.root, []
    for row in messages:
        after = tree.nodes[dict(zip(map(str, node.messages), node.children, strict=True))[str(row["message"])]]
        speaker = node.speaker or ""
        left, before = after.sets[speaker], node.sets[speaker]
        party = tree.function.parties.index(speaker)
        few = [_shown(named, party, int(place)) for place in left[:MOST_NAMED]]
        meaning = f"{len(left)} of {len(before)} inputs are left" if len(left) > MOST_NAMED else " or ".join(few)
        told.append({**row, "meaning": f"{speaker}'s input: {meaning}"})
        node = after
    return told


def _picture(finding: Finding, tree: ProtocolTree | None, named: MultipartyFunction | None) -> dict[str, Any] | None:
    """The matrix, with a protocol's rectangles or a fooling set's cells, as :class:`~ccsim.plots.Picture` has it."""
    bracket, cells = finding.bracket, []
    matrix = None if bracket is None else bracket.matrix
    if bracket is not None and bracket.measure == "fooling-set":
        cells = (bracket.lower_witness or {}).get("cells", [])
    if matrix is None and tree is not None and isinstance(tree.function, TwoPartyFunction):
        matrix = tree.function.matrix if max(tree.function.shape) <= MOST_LINES else None
    if matrix is None or max(matrix.shape) > MOST_LINES or 0 in matrix.shape:
        return None
    subject: Subject = matrix
    if isinstance(named, TwoPartyFunction) and named.shape == matrix.shape and named.matrix == matrix:
        subject = named
    leaves = [] if tree is None else tree.leaves
    rectangles = [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in leaves[:MOST_RECTANGLES]]
    return vars(matrix_picture(subject, rectangles=rectangles, cells=cells))
