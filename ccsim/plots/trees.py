"""A protocol tree, over the matrix that it cuts up."""

from __future__ import annotations

from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import InputError
from ccsim.plain_data import counted
from ccsim.plots.cells import as_matrix, thumbnail
from ccsim.plots.matrix import matrix_picture
from ccsim.plots.svg import INK, PALETTE, SOFT, Picture, gathered, words

MOST_THUMBNAILS = 20  # leaves of a tree whose nodes are drawn as matrices
WIDEST = 900


def tree_picture(tree: ProtocolTree) -> Picture:
    """The tree from the root down: at each node the inputs that reach it, on each edge the message.

    Of trees of up to 20 leaves, each node is a small matrix with its rectangle; in larger ones leaves are dots, the
    lower the more bits, and full where the answer is 1. Alice's nodes and edges are blue and whole, Bob's orange and
    dashed.

    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree_picture(trivial(equality(2)).explore().tree).told
    'protocol tree of 8 leaves, 3 bits deep'
    """
    if len(tree.function.parties) != 2:
        raise InputError("tree", tree.function.name, "a tree of two parties")
    leaves = len(tree.leaves)
    small = leaves <= MOST_THUMBNAILS
    apart = 62.0 if small else max(WIDEST / leaves, 1.5)
    down = 96.0 if small else max(14.0, min(44.0, 420 / max(tree.depth, 1)))
    places = _places(tree, apart, down, small)
    parts = [_edges(tree, number, places, small, apart) for number in range(len(tree.nodes))]
    parts += [_node(tree, number, places[number], small) for number in range(len(tree.nodes))]
    width = max(leaves * apart + 20, 280 if small else 460)
    height = max(y for _, y in places) + (84 if small else 28)
    told = f"protocol tree of {counted(leaves, 'leaf')}, {counted(tree.depth, 'bit')} deep"
    return Picture("".join(parts) + _key(height + 8, small), width, height + 16, told)


def _places(tree: ProtocolTree, apart: float, down: float, small: bool) -> list[tuple[float, float]]:
    """Leaves side by side in the order of their messages, every other node above the middle of its children."""
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
        children = nodes[number].children
        across[number] = (
            (across[children[0]] + across[children[-1]]) / 2 if children else 10 + (order[number] + 0.5) * apart
        )
    depth = [level[number] if small else nodes[number].bits for number in range(len(nodes))]
    return [(across[number], 16 + depth[number] * down) for number in range(len(nodes))]


def _edges(tree: ProtocolTree, number: int, places: list[tuple[float, float]], small: bool, apart: float) -> str:
    node = tree.nodes[number]
    x, y = places[number]
    start = y + (48 if small else 0)
    parts = []
    for message, child in zip(node.messages, node.children, strict=True):
        to_x, to_y = places[child]
        colour, dash = _manner(node)
        parts.append(
            f'<path d="M{x:.4g} {start:.4g}L{to_x:.4g} {to_y:.4g}" stroke="{colour}" fill="none" '
            f'stroke-width="{1.8 if small or apart > 6 else 0.4}"{dash}/>'
        )
        said = str(message)
        if small and len(said) <= 8:
            at_x, at_y = x + 0.62 * (to_x - x), start + 0.62 * (to_y - start)
            room = 7.4 * len(said) + 6
            parts.append(
                f'<rect x="{at_x - room / 2:.4g}" y="{at_y - 9:.4g}" width="{room:.4g}" height="15" fill="#fff"/>'
            )
            parts.append(words(at_x, at_y + 3, said, size=12, more='font-family="monospace"'))
    return "".join(parts)


def _manner(node: Node) -> tuple[str, str]:
    first = node.speaker == "alice"
    return (PALETTE[0], "") if first else (PALETTE[1], ' stroke-dasharray="6 3"')


def _node(tree: ProtocolTree, number: int, place: tuple[float, float], small: bool) -> str:
    node = tree.nodes[number]
    x, y = place
    if not small:
        if not node.is_leaf:
            return ""
        return _dot(x, y, tree.answer(node) in (1, True))
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
    >>> tree_over_matrix(trivial(equality(1)).explore().tree).told
    'protocol tree of 4 leaves, 2 bits deep, over a matrix of 2 rows and 2 columns'
    """
    above = tree_picture(tree)
    leaves = [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in tree.leaves]
    below = matrix_picture(tree.function, rectangles=leaves)  # type: ignore[arg-type]
    rows, columns = tree.function.shape
    told = f"{above.told}, over a matrix of {counted(rows, 'row')} and {counted(columns, 'column')}"
    return gathered([above, below], 1, told, gap=20)
