"""A protocol as a tree over the matrix that it cuts up, and a run as a message-sequence chart."""

from __future__ import annotations

from ccsim.engine.model import Message, Transcript
from ccsim.engine.run import Run
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.plots.matrix import as_matrix, matrix_picture, thumbnail
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, gathered, shortened, words

MOST_THUMBNAILS = 20  # leaves of a tree whose nodes are drawn as matrices
WIDEST = 900


def tree_picture(tree: ProtocolTree) -> Picture:
    """The tree from the root down: at each node the inputs that reach it, on each edge the message.

    Of trees of up to 20 leaves, each node is a small matrix with its rectangle; in larger ones leaves are dots, the
    lower the more bits, and full where the answer is 1. Alice's nodes and edges are blue and whole, Bob's orange and
    dashed.

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
    down = 96.0 if small else max(14.0, min(44.0, 420 / max(tree.depth, 1)))
    places = _places(tree, between, down, small)
    parts = [_edges(tree, number, places, small, between) for number in range(len(tree.nodes))]
    parts += [_node(tree, node, *place, small) for node, place in zip(tree.nodes, places, strict=True)]
    width = max(leaves * between + 20, 280 if small else 460)
    height = max(y for _, y in places) + (84 if small else 28)
    alt = f"protocol tree of {counted(leaves, 'leaf')}, {counted(tree.depth, 'bit')} deep"
    return Picture("".join(parts) + _key(height + 8, small), width, height + 16, alt)


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


def _edges(tree: ProtocolTree, number: int, places: list[tuple[float, float]], small: bool, between: float) -> str:
    node = tree.nodes[number]
    x, y = places[number]
    start = y + (48 if small else 0)
    parts = []
    for message, child in zip(node.messages, node.children, strict=True):
        to_x, to_y = places[child]
        colour, dash = (PALETTE[0], "") if node.speaker == "alice" else (PALETTE[1], ' stroke-dasharray="6 3"')
        parts.append(
            f'<path d="M{x:.4g} {start:.4g}L{to_x:.4g} {to_y:.4g}" stroke="{colour}" fill="none" '
            f'stroke-width="{1.8 if small or between > 6 else 0.4}"{dash}/>'
        )
        bits = str(message)
        if small and len(bits) <= 8:
            at_x, at_y = x + 0.62 * (to_x - x), start + 0.62 * (to_y - start)
            room = 7.4 * len(bits) + 6
            parts.append(
                f'<rect x="{at_x - room / 2:.4g}" y="{at_y - 9:.4g}" width="{room:.4g}" height="15" fill="#fff"/>'
            )
            parts.append(words(at_x, at_y + 3, bits, size=12, more='font-family="monospace"'))
    return "".join(parts)


def _node(tree: ProtocolTree, node: Node, x: float, y: float, small: bool) -> str:
    if not small:
        return _dot(x, y, tree.answer(node) in (1, True)) if node.is_leaf else ""
    codes = as_matrix(tree.function).codes  # type: ignore[arg-type]
    scale = 48 / max(codes.shape)
    width, height = max(codes.shape[1] * scale, 14), max(codes.shape[0] * scale, 14)
    drawn = f'<rect x="{x - 24:g}" y="{y:g}" width="48" height="48" fill="#fff"/>'
    drawn += thumbnail(codes, node.sets["alice"], node.sets["bob"], x - width / 2, y + 24 - height / 2, width, height)
    if node.is_leaf:
        answer = tree.answer(node)
        drawn += words(x, y + 62, "by input" if answer is None else str(answer), size=13, more='font-weight="bold"')
    return drawn


def _dot(x: float, y: float, full: bool) -> str:
    fill = INK if full else "#ffffff"
    return f'<circle cx="{x:.5g}" cy="{y:.4g}" r="2" fill="{fill}" stroke="{INK}" stroke-width="0.6"/>'


def _key(y: float, small: bool) -> str:
    dots = "" if small else "".join(
        _dot(at, y - 4, full) + words(at + 10, y, name, size=12, anchor="start", colour=SOFT)
        for at, full, name in ((270.0, True, "answer 1"), (350.0, False, "another answer"))
    )  # fmt: skip
    return dots + (
        f'<path d="M10 {y - 4:g}h26" stroke="{PALETTE[0]}" stroke-width="2"/>'
        + words(42, y, "alice speaks", size=12, anchor="start", colour=SOFT)
        + f'<path d="M140 {y - 4:g}h26" stroke="{PALETTE[1]}" stroke-width="2" stroke-dasharray="6 3"/>'
        + words(172, y, "bob speaks", size=12, anchor="start", colour=SOFT)
    )


def tree_over_matrix(tree: ProtocolTree) -> Picture:
    """The tree above the matrix cut into the rectangles of its leaves.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree_over_matrix(trivial(equality(1)).explore().tree).alt
    'protocol tree of 4 leaves, 2 bits deep, over a matrix of 2 rows and 2 columns'
    """
    above = tree_picture(tree)
    leaves = [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in tree.leaves]
    below = matrix_picture(tree.function, rectangles=leaves)  # type: ignore[arg-type]
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
    parts = [_party(role, x, end, PALETTE[place % 4]) for place, (role, x) in enumerate(lines.items())]
    parts.append(words(width - 8, 22, "total", size=12, anchor="end", colour=SOFT))
    for place, entry in enumerate(shown):
        y = HEAD + STEP * (place + 1)
        if entry is None:
            parts.append(words(width / 2, y - 8, f"… {len(numbered) - FIRST - LAST} more messages …", colour=SOFT))
            continue
        number, message = entry
        parts.append(_message(message, y, lines, PALETTE[parties.index(message.sender) % 4]))
        parts.append(words(8, y + 4, str(number), size=12, anchor="start", colour=SOFT))
        parts.append(words(width - 8, y + 4, str(total_of[number]), size=12, anchor="end"))
    alt = transcript.summary() + (f"; answer {conversation.answer}" if isinstance(conversation, Run) else "")
    parts.append(words(width / 2, end + 18, alt, size=13))
    return Picture("".join(parts), width, end + 28, f"message-sequence chart: {alt}")


def _party(role: str, x: float, end: float, colour: str) -> str:
    return (
        f'<rect x="{x - 44}" y="6" width="88" height="24" rx="4" fill="#ffffff" stroke="{colour}" stroke-width="2"/>'
        + words(x, 23, role)
        + f'<path d="M{x} 30V{end}" stroke="{SOFT}" stroke-dasharray="2 4" fill="none"/>'
    )


def _message(message: Message, y: float, lines: dict[str, int], colour: str) -> str:
    begin = lines[message.sender]
    parts = []
    for role in message.receivers:
        to = lines[role]
        sign = 1 if to > begin else -1
        tip = to - 2 * sign
        parts.append(
            f'<path d="M{begin} {y}H{tip - 8 * sign}" stroke="{colour}" stroke-width="2" fill="none"/>'
            f'<path d="M{tip} {y}l{-10 * sign} -5v10z" fill="{colour}"/>'
        )
    nearest = min((lines[role] for role in message.receivers), key=lambda x: abs(x - begin), default=begin + BETWEEN)
    middle = begin + (BETWEEN / 2 if nearest > begin else -BETWEEN / 2)  # beside the sender, on no other party's line
    bits = str(message.bits)
    shown = bits if len(bits) <= 24 else f"{bits[:16]}… ({counted(len(bits), 'bit')})"
    parts.append(words(middle, y - 5, shown or "(empty)", size=13, colour=INK, more='font-family="monospace"'))
    parts.append(words(middle, y + 13, shortened(message.label, 52), size=11, colour=SOFT))
    return "".join(parts)
