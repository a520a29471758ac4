"""An automaton as states on a circle, and two words that look the same to a model."""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ccsim.auditing.learned import Learned
from ccsim.auditing.result import Collision, StateCollision, SymbolCollision, show
from ccsim.models.automata import Automaton
from ccsim.plain_data import counted
from ccsim.plots.svg import INK, PALETTE, Picture, gathered, shortened, words

RADIUS, MARGIN = 16.0, 80.0
MOST_LETTERS = 4  # of an answer in a circle
ASIDE = 1.2  # radians between a loop and the arrow to the first state


def automaton_picture(automaton: Automaton) -> Picture:
    """The states of an automaton, the accepting ones with two rings, and a labelled arrow for each pair that is joined.

    Of an automaton with other answers than 0 and 1 each state shows its answer.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> automaton_picture(from_regular_expression("(ab)*", "ab")).alt
    'an automaton of 3 states, of which 1 accepts'
    """
    count = automaton.states
    ring = max(50.0, 26.0 * count)
    middle = (ring + MARGIN) * (1 + 1j)
    places = [middle - cmath.rect(ring, 2 * math.pi * state / count) for state in range(count)]
    accepts = tuple(automaton.answers) == (0, 1)
    labels: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, row in enumerate(automaton.table.tolist()):
        for symbol, after in zip(automaton.alphabet, row, strict=True):
            labels[state, after].append(str(symbol))
    parts = [_arrow(places[start], places[end], ", ".join(of), middle) for (start, end), of in labels.items()]
    for state, place in enumerate(places):
        answer = str(automaton.answers[automaton.outputs[state]])
        rings = (RADIUS, RADIUS - 4) if accepts and automaton.outputs[state] else (RADIUS,)
        parts += [_circle(place, radius, "#ffffff") for radius in rings]
        parts.append(words(place.real, place.imag + 4, str(state) if accepts else shortened(answer, MOST_LETTERS)))
    first = places[automaton.first]  # the arrow to it comes from outside, next to its loop
    out = cmath.rect(1.0, cmath.phase(first - middle) - ASIDE)
    near = first + out * (RADIUS + 2)
    parts.append(_path(first + out * (RADIUS + 26), "L", near) + _head(near, -out))
    accepting = int((automaton.outputs == 1).sum())
    answers = [str(automaton.answers[code]) for code in automaton.outputs]
    what = f"of which {accepting} accept{'s' * (accepting == 1)}" if accepts else f"which answer {', '.join(answers)}"
    return Picture(
        "".join(parts), 2 * middle.real, 2 * middle.imag, f"an automaton of {counted(count, 'state')}, {what}"
    )


def learned_picture(learned: Learned) -> Picture:
    """The automaton that a model seems to have learnt, and the minimal one of its task if that is known."""
    parts = [("learnt", learned.automaton), *([("the task", learned.least)] if learned.least is not None else [])]
    pictures = []
    for name, automaton in parts:
        picture = automaton_picture(automaton)
        body = words(picture.width / 2, 18, name) + picture.moved(0, 24)
        pictures.append(Picture(body, picture.width, picture.height + 24, f"{name}: {picture.alt}"))
    return gathered(pictures, len(pictures), "; ".join(picture.alt for picture in pictures))


def _circle(middle: complex, radius: float, fill: str) -> str:
    place = f'cx="{middle.real:.1f}" cy="{middle.imag:.1f}"'
    return f'<circle {place} r="{radius:g}" fill="{fill}" stroke="{INK}"></circle>'


def _arrow(start: complex, end: complex, label: str, middle: complex) -> str:
    """An arrow that bends to its right, so that two in opposite directions do not meet; a loop points outwards."""
    if start == end:
        out = _unit(start - middle)
        loop = start + out * (RADIUS + 12)
        at = loop + 26 * out
        return _circle(loop, 13, "none") + words(at.real, at.imag + 4, label)
    way = _unit(end - start)
    bend = (start + end) / 2 + 22j * way
    begin, tip = _towards(start, bend), _towards(end, bend)
    at = bend + 4j * way
    return _path(begin, f"Q {_point(bend)}", tip) + _head(tip, _unit(tip - bend)) + words(at.real, at.imag + 4, label)


def _unit(way: complex) -> complex:
    return way / (abs(way) or 1.0)


def _towards(place: complex, other: complex) -> complex:
    return place + _unit(other - place) * (RADIUS + 2)


def _point(place: complex, between: str = " ") -> str:
    return f"{place.real:.1f}{between}{place.imag:.1f}"


def _path(begin: complex, between: str, end: complex) -> str:
    return f'<path d="M {_point(begin)} {between} {_point(end)}" fill="none" stroke="{INK}"></path>'


def _head(tip: complex, way: complex) -> str:
    corners = (tip, tip + (-9 + 4j) * way, tip + (-9 - 4j) * way)
    return f'<polygon points="{" ".join(_point(corner, ",") for corner in corners)}" fill="{INK}"></polygon>'


LETTER, ROW, EDGE, BOX = 8.0, 26.0, 14.0, 30.0
MOST = 48  # characters of a word


def collision_picture(collision: Collision) -> Picture:
    """Two words on the left, what is the same of both in the middle, and what the task wants on the right.

    >>> from ccsim.auditing import StateCollision
    >>> two = StateCollision((("0", "1"), ("1", "0")), ("0", "1"), (1, 0), (3,))
    >>> collision_picture(two).alt
    'after 01 and after 10 the model is in the same state; followed by 01 they want 1 and 0'
    """
    left, middle, right = _columns(collision)
    left, right = ([shortened(text, MOST) for text in side] for side in (left, right))
    wide = [max(map(len, side)) * LETTER for side in (left, [middle], right)]
    height = 2 * EDGE + 2 * ROW + BOX
    centre, start = height / 2, EDGE + wide[0] + 50
    stop = start + wide[1] + 24
    box = f'x="{start:g}" y="{centre - BOX / 2:g}" width="{stop - start:g}" height="{BOX:g}"'
    parts = [
        f'<rect {box} rx="6" fill="#ffffff" stroke="{PALETTE[1]}" stroke-width="2"></rect>',
        words((start + stop) / 2, centre + 5, middle),
    ]
    for text, answer, y in zip(left, right, (centre - ROW, centre + ROW), strict=True):
        look: Any = {"anchor": "start", "more": 'font-family="monospace"'}
        parts.append(words(EDGE, y + 5, text, **look) + _segment(EDGE + len(text) * LETTER + 8, y, start, centre))
        parts.append(_segment(stop, centre, stop + 42, y) + words(stop + 50, y + 5, answer, **look))
    return Picture("".join(parts), stop + 50 + wide[2] + EDGE, height, str(collision))


def _columns(collision: Collision) -> tuple[Sequence[str], str, Sequence[str]]:
    if isinstance(collision, StateCollision):
        end = show(collision.suffix)
        wanted = [f"{end} → {answer!r} is wanted" for answer in collision.answers]
        return [show(prefix) for prefix in collision.prefixes], "one state", wanted
    left = [show(word) for word in collision.words]
    if isinstance(collision, SymbolCollision):
        return left, f"row {collision.row} sees the same", [f"{answer!r} is wanted" for answer in collision.answers]
    same, other = collision.answers[0], collision.answers[2]
    right = [f"{same!r} is wanted of both", f"{show(collision.cross)} → {other!r} is wanted"]
    return left, "one transcript", right


def _segment(x: float, y: float, u: float, v: float) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}" stroke="{INK}"></line>'
