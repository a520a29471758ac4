"""Collisions: two words that look the same to a model, and what the task wants of them."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.auditing.failure import Collision, StateCollision, SymbolCollision, show
from ccsim.plots.svg import INK, PALETTE, Picture, element, shortened, words

LETTER, LINE, MARGIN, BOX = 8.0, 26.0, 14.0, 30.0
MOST = 48  # characters of a word


def collision_picture(collision: Collision) -> Picture:
    """Two words on the left, what is the same of both in the middle, and what the task wants on the right.

    >>> from ccsim.auditing import StateCollision
    >>> two = StateCollision((("0", "1"), ("1", "0")), ("0", "1"), (1, 0), (3,))
    >>> collision_picture(two).told
    'after 01 and after 10 the model is in the same state; followed by 01 they want 1 and 0'
    """
    left, middle, right = _columns(collision)
    left, right = ([shortened(line, MOST) for line in lines] for lines in (left, right))
    wide = [max(map(len, lines)) * LETTER for lines in (left, [middle], right)]
    height = 2 * MARGIN + 2 * LINE + BOX
    centre = height / 2
    box = (MARGIN + wide[0] + 50, centre - BOX / 2, wide[1] + 24)
    ends = box[0] + box[2]
    parts = [
        _box(*box),
        words(box[0] + box[2] / 2, centre + 5, middle),
    ]
    for line, answer, y in zip(left, right, (centre - LINE, centre + LINE), strict=True):
        parts.append(words(MARGIN, y + 5, line, anchor="start", more='font-family="monospace"'))
        parts.append(_line(MARGIN + len(line) * LETTER + 8, y, box[0], centre))
        parts.append(_line(ends, centre, ends + 42, y))
        parts.append(words(ends + 50, y + 5, answer, anchor="start", more='font-family="monospace"'))
    return Picture("".join(parts), ends + 50 + wide[2] + MARGIN, height, str(collision))


def _columns(collision: Collision) -> tuple[Sequence[str], str, Sequence[str]]:
    """Two lines on the left, one in the middle, two on the right."""
    if isinstance(collision, StateCollision):
        end = show(collision.suffix)
        ends = [f"{end} → {answer!r} is wanted" for answer in collision.answers]
        return [show(prefix) for prefix in collision.prefixes], "one state", ends
    left = [show(word) for word in collision.words]
    if isinstance(collision, SymbolCollision):
        return left, f"row {collision.row} sees the same", [f"{answer!r} is wanted" for answer in collision.answers]
    same, other = collision.answers[0], collision.answers[2]
    right = [f"{same!r} is wanted of both", f"{show(collision.cross)} → {other!r} is wanted"]
    return left, "one transcript", right


def _box(x: float, y: float, width: float) -> str:
    left, top, wide, high = (f"{number:g}" for number in (x, y, width, BOX))
    return element(
        "rect", x=left, y=top, width=wide, height=high, rx="6", fill="#ffffff", stroke=PALETTE[1], stroke_width="2"
    )


def _line(x: float, y: float, u: float, v: float) -> str:
    return element("line", x1=f"{x:.1f}", y1=f"{y:.1f}", x2=f"{u:.1f}", y2=f"{v:.1f}", stroke=INK)
