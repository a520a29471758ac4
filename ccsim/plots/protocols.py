"""A protocol as a tree over the matrix that it cuts up, and a run as a message-sequence chart."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.engine.model import Message, Transcript
from ccsim.engine.run import Run
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.plots.matrix import as_matrix, matrix_picture, thumbnail
from ccsim.plots.picture import Picture, gathered
from ccsim.plots.scene import (
    ALICE,
    BOB,
    INK,
    PALETTE,
    PAPER,
    SOFT,
    Box,
    Circle,
    Point,
    Shape,
    Stroke,
    Text,
    shortened,
)
from ccsim.problems.function import Subject

MOST_THUMBNAILS = 20  # leaves of a tree whose nodes are drawn as matrices
WIDEST = 900


def tree_picture(tree: ProtocolTree) -> Picture:
    """The tree from the root down: at each node the inputs that reach it, on each edge the message.

    Of trees of up to 20 leaves, each node is a small matrix with its rectangle; in larger ones leaves are dots, the
    lower the more bits, and full where the answer is 1. Alice's edges are blue and whole, Bob's brown and dashed.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree_picture(trivial(equality(2)).explore().tree).alt
    'protocol tree of 8 leaves, 3 bits deep'
    """
    if len(tree.function.parties) != 2:
        raise InputError("tree", tree.function.name, "a tree of two parties")
    leaves = len(tree.leaves)
    small = leaves <= MOST_THUMBNAILS
    between = 62.0 if small else max(WIDEST / leaves, 1.5)
    sides = _sides(tree) if small else (0.0, 0.0)
    down = 48 + sides[1] if small else max(14.0, min(44.0, 420 / max(tree.depth, 1)))
    places = _places(tree, between, down, small)
    parts = [p for number in range(len(tree.nodes)) for p in _edges(tree, number, places, small, between, sides[1])]
    for node, place in zip(tree.nodes, places, strict=True):
        parts += _node(tree, node, *place, small, sides)
    width = max(leaves * between + 20, 280 if small else 460)
    height = max(y for _, y in places) + (sides[1] + 36 if small else 28)
    alt = f"protocol tree of {counted(leaves, 'leaf')}, {counted(tree.depth, 'bit')} deep"
    return Picture((*parts, *_key(height + 8, small)), width, height + 16, alt)


def _sides(tree: ProtocolTree) -> tuple[float, float]:
    """Width and height of the small matrices, in pixels."""
    rows, columns = tree.function.shape
    scale = 48 / max(rows, columns)
    return max(columns * scale, 14), max(rows * scale, 14)


def _places(tree: ProtocolTree, between: float, down: float, small: bool) -> list[tuple[float, float]]:
    nodes = tree.nodes
    order: dict[int, int] = {}
    level, stack = [0] * len(nodes), [0]
    while stack:
        number = stack.pop()
        if nodes[number].is_leaf:
            order[number] = len(order)
        for child in reversed(nodes[number].children):
            level[child] = level[number] + 1
            stack.append(child)
    across = [0.0] * len(nodes)
    for number in reversed(range(len(nodes))):
        ends = [across[child] for child in nodes[number].children]
        across[number] = (ends[0] + ends[-1]) / 2 if ends else 10 + (order[number] + 0.5) * between
    depth = [level[number] if small else nodes[number].bits for number in range(len(nodes))]
    return [(across[number], 16 + depth[number] * down) for number in range(len(nodes))]


def _edges(
    tree: ProtocolTree, number: int, places: list[tuple[float, float]], small: bool, between: float, below: float
) -> list[Shape]:
    node, (x, y) = tree.nodes[number], places[number]
    parts: list[Shape] = []
    start, thick = y + below, 1.8 if small or between > 6 else 0.4
    for message, child in zip(node.messages, node.children, strict=True):
        to_x, to_y = places[child]
        parts.append(_edge(((x, start), (to_x, to_y)), node.speaker == "alice", thick))
        bits = str(message)
        if small and len(bits) <= 8:
            at_x, at_y = x + 0.5 * (to_x - x), start + 0.5 * (to_y - start)
            room = 7.4 * len(bits) + 6
            parts.append(Box(at_x - room / 2, at_y - 8, room, 16, fill=PAPER))
            parts.append(Text(at_x, at_y + 4, bits, 12, mono=True))
    return parts


def _edge(line: Sequence[Point], alice: bool, thick: float) -> Shape:
    """What Alice sends is blue and solid, what Bob sends is brown and dashed."""
    return Stroke((line,), stroke=ALICE if alice else BOB, dash=() if alice else (6, 3), thick=thick)


def _node(tree: ProtocolTree, node: Node, x: float, y: float, small: bool, sides: tuple[float, float]) -> list[Shape]:
    if not small:
        return [_dot(x, y, tree.answer(node) in (1, True))] if node.is_leaf else []
    codes = as_matrix(tree.function).codes  # type: ignore[arg-type]
    corner = x - sides[0] / 2, y
    drawn: list[Shape] = [Box(*corner, *sides, fill=PAPER)]
    drawn += thumbnail(codes, node.sets["alice"], node.sets["bob"], *corner, *sides)
    if node.is_leaf:
        answer = tree.answer(node)
        named = "by input" if answer is None else shortened(str(answer), 8)
        drawn.append(Text(x, y + sides[1] + 14, named, bold=True))
    return drawn


def _dot(x: float, y: float, full: bool) -> Shape:
    return Circle(x, y, 2, fill=INK if full else PAPER, stroke=INK, thick=0.6)


def _key(y: float, small: bool) -> list[Shape]:
    key: list[Shape] = []
    for at, full, name in () if small else ((270.0, True, "answer 1"), (350.0, False, "another answer")):
        key += [_dot(at, y - 4, full), Text(at + 10, y, name, 12, "start", fill=SOFT)]
    for at, name in ((10.0, "alice speaks"), (140.0, "bob speaks")):
        key += [_edge(((at, y - 4), (at + 26, y - 4)), at < 100, 2), Text(at + 32, y, name, 12, "start", fill=SOFT)]
    return key


def tree_over_matrix(tree: ProtocolTree, subject: Subject | None = None) -> Picture:
    """The tree above the matrix cut into the rectangles of its leaves; a ``subject`` names its rows and columns.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree_over_matrix(trivial(equality(1)).explore().tree).alt
    'protocol tree of 4 leaves, 2 bits deep, over a matrix of 2 rows and 2 columns'
    """
    above = tree_picture(tree)
    leaves = [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in tree.leaves]
    below = matrix_picture(tree.function if subject is None else subject, rectangles=leaves)  # type: ignore[arg-type]
    rows, columns = tree.function.shape
    alt = f"{above.alt}, over a matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    return gathered([above, below], 1, alt, gap=20)


STEP, HEAD, BETWEEN = 40, 44, 300
FIRST, LAST = 40, 8  # messages that are shown of a long conversation


def sequence_picture(conversation: Transcript | Run) -> Picture:
    """A message-sequence chart, downwards in time: bits above each arrow, the running total at the right.

    Of more than 50 messages the first 40 and the last 8 are shown.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> sequence_picture(trivial(equality(2)).run("01", "01")).alt
    'message-sequence chart: 3 bits in 2 messages, 2 rounds; answer 1'
    """
    transcript = conversation.transcript if isinstance(conversation, Run) else conversation
    parties = list(conversation.answers) if isinstance(conversation, Run) else []
    for message in transcript:
        parties += [role for role in (message.sender, *message.receivers) if role not in parties]
    parties = sorted(dict.fromkeys(parties), key=lambda role: (role not in ("alice", "bob"), role))
    total_of = {row["number"]: row["total"] for row in transcript.table()}
    numbered = list(enumerate(transcript, start=1))
    cut = len(numbered) > FIRST + LAST + 2
    shown = [*numbered[:FIRST], None, *numbered[-LAST:]] if cut else list(numbered)
    lines = {role: 70 + place * BETWEEN for place, role in enumerate(parties)}
    end = HEAD + STEP * len(shown) + 26
    width = 140 + BETWEEN * max(1, len(parties) - 1) + 60
    parts = [part for place, (role, x) in enumerate(lines.items()) for part in _party(role, x, end, PALETTE[place % 4])]
    parts.append(Text(width - 8, 22, "total", 12, "end", fill=SOFT))
    for place, entry in enumerate(shown):
        y = HEAD + STEP * (place + 1)
        if entry is None:
            parts.append(Text(width / 2, y - 8, f"… {len(numbered) - FIRST - LAST} more messages …", fill=SOFT))
            continue
        number, message = entry
        parts += _message(message, y, lines, PALETTE[parties.index(message.sender) % 4])
        parts.append(Text(8, y + 4, str(number), 12, "start", fill=SOFT))
        parts.append(Text(width - 8, y + 4, str(total_of[number]), 12, "end"))
    alt = transcript.summary() + (f"; answer {conversation.answer}" if isinstance(conversation, Run) else "")
    parts.append(Text(width / 2, end + 18, alt))
    return Picture(tuple(parts), width, end + 28, f"message-sequence chart: {alt}")


def _party(role: str, x: float, end: float, colour: str) -> list[Shape]:
    box = Box(x - 44, 6, 88, 24, 4, fill=PAPER, stroke=colour, thick=2)
    return [box, Text(x, 23, role), Stroke((((x, 30), (x, end)),), stroke=SOFT, dash=(2, 4))]


def _message(message: Message, y: float, lines: dict[str, int], colour: str) -> list[Shape]:
    begin = lines[message.sender]
    parts: list[Shape] = []
    for role in message.receivers:
        to = lines[role]
        sign = 1 if to > begin else -1
        tip = to - 2 * sign
        parts.append(Stroke((((begin, y), (tip - 8 * sign, y)),), stroke=colour, thick=2))
        head = (tip, y), (tip - 10 * sign, y - 5), (tip - 10 * sign, y + 5)
        parts.append(Stroke((head,), closed=True, fill=colour))
    nearest = min((lines[role] for role in message.receivers), key=lambda x: abs(x - begin), default=begin + BETWEEN)
    middle = begin + (BETWEEN / 2 if nearest > begin else -BETWEEN / 2)  # beside the sender, on no other party's line
    bits = str(message.bits)
    shown = bits if len(bits) <= 24 else f"{bits[:16]}… ({counted(len(bits), 'bit')})"
    parts.append(Text(middle, y - 5, shown or "(empty)", mono=True))
    return [*parts, Text(middle, y + 13, shortened(message.label, 52), 11, fill=SOFT)]
