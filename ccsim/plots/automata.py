"""An automaton as states on a circle, and two words that look the same to a model."""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from collections.abc import Sequence

from ccsim.auditing.learned import Learned
from ccsim.auditing.result import Collision, StateCollision, show
from ccsim.models.automata import Automaton
from ccsim.plain_data import counted
from ccsim.plots.picture import Picture, gathered
from ccsim.plots.scene import INK, PALETTE, PAPER, Box, Circle, Shape, Stroke, Text, moved, shortened

RADIUS, MARGIN, LOOP = 16.0, 80.0, 25.0
MOST_LETTERS = 4  # of an answer in a circle
MOST_SYMBOLS = 24  # characters of a label
ASIDE = 1.2  # radians between a loop and the arrow to the first state


def automaton_picture(automaton: Automaton) -> Picture:
    """The states of an automaton, the accepting ones with two rings, and a labelled arrow for each pair that is joined.

    Of an automaton with other answers than 0 and 1 each state shows its answer.

    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> automaton_picture(from_regular_expression("(ab)*", "ab")).alt
    'an automaton of 3 states, of which 1 accepts'
    """
    count = automaton.states
    accepts = tuple(automaton.answers) == (0, 1)
    joined: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, row in enumerate(automaton.table.tolist()):
        for symbol, after in zip(automaton.alphabet, row, strict=True):
            joined[state, after].append(str(symbol))
    labels = {pair: shortened(", ".join(symbols), MOST_SYMBOLS) for pair, symbols in joined.items()}
    ring = max(50.0, 26.0 * count, 5.0 * max(map(len, labels.values())) + 30)
    middle = (ring + MARGIN) * (1 + 1j)
    places = [middle - cmath.rect(ring, 2 * math.pi * state / count) for state in range(count)]
    arrows = {pair: _arrow(places[pair[0]], places[pair[1]], middle) for pair in labels}
    texts = [part for pair, (_, near, out) in arrows.items() for part in _label(near, out, labels[pair])]
    parts = [part for drawn, _, _ in arrows.values() for part in drawn] + texts
    for state, place in enumerate(places):
        answer = str(automaton.answers[automaton.outputs[state]])
        rings = (RADIUS, RADIUS - 4) if accepts and automaton.outputs[state] else (RADIUS,)
        parts += [Circle(place.real, place.imag, radius, fill=PAPER, stroke=INK) for radius in rings]
        parts.append(Text(place.real, place.imag + 4, str(state) if accepts else shortened(answer, MOST_LETTERS)))
    first = places[automaton.first]  # the arrow to it comes from outside, next to its loop
    out = cmath.rect(1.0, cmath.phase(first - middle) - ASIDE)
    near = first + out * (RADIUS + 2)
    parts += [_stroke(first + out * (RADIUS + 26), near), _head(near, -out)]
    accepting = int((automaton.outputs == 1).sum())
    answers = [str(automaton.answers[code]) for code in automaton.outputs]
    what = f"of which {accepting} accept{'s' * (accepting == 1)}" if accepts else f"which answer {', '.join(answers)}"
    alt = f"an automaton of {counted(count, 'state')}, {what}"
    sides = [side for one in texts if isinstance(one, Box) for side in (one.x - 6, one.x + one.width + 6)]
    left, right = min(0, *sides), max(2 * middle.real, *sides)  # long labels beside loops reach out
    return Picture(moved(parts, -left, 0), right - left, 2 * middle.imag, alt)


def learned_picture(learned: Learned) -> Picture:
    """The automaton that a model seems to have learnt, and the minimal one of its task if that is known."""
    parts = [("learnt", learned.automaton), *([("the task", learned.least)] if learned.least is not None else [])]
    pictures = []
    for name, automaton in parts:
        picture = automaton_picture(automaton)
        shapes = (Text(picture.width / 2, 18, name), *picture.moved(0, 24))
        pictures.append(Picture(shapes, picture.width, picture.height + 24, f"{name}: {picture.alt}"))
    return gathered(pictures, len(pictures), "; ".join(picture.alt for picture in pictures))


def _label(near: complex, out: complex, text: str) -> list[Shape]:
    """A label that begins beside a place and goes outwards, on paper of its own, as other arrows may pass below it."""
    room = 7.2 * len(text) + 4
    middle = near + out * (8 + 5 * abs(out.imag)) + 0.5 * room * out.real
    return [
        Box(middle.real - room / 2, middle.imag - 8, room, 16, fill=PAPER),
        Text(middle.real, middle.imag + 4, text),
    ]


def _arrow(start: complex, end: complex, middle: complex) -> tuple[list[Shape], complex, complex]:
    """An arrow that bends to its right, so that two in opposite directions do not meet; a loop points outwards.

    With it, a place on it for its label, and the way from there on which the label is.
    """
    if start == end:
        out = _unit(start - middle)
        loop = start + LOOP * out
        head = _head(start + (16 + 8j) * out, (-0.9 - 0.44j) * out)  # where it meets the state
        return [Circle(loop.real, loop.imag, 12, stroke=INK), head], loop + 12 * out, out
    way = _unit(end - start)
    side = (start + end) / 2 + 11j * way
    bend = side + 11j * way
    begin, tip = _towards(start, bend), _towards(end, bend)
    return [_stroke(begin, bend, tip), _head(tip, _unit(tip - bend))], side, 1j * way


def _unit(way: complex) -> complex:
    return way / (abs(way) or 1.0)


def _towards(place: complex, other: complex) -> complex:
    return place + _unit(other - place) * (RADIUS + 2)


def _stroke(*points: complex) -> Shape:
    return Stroke(([(point.real, point.imag) for point in points],), stroke=INK, bent=len(points) == 3)


def _head(tip: complex, way: complex) -> Shape:
    corners = (tip, tip + (-9 + 4j) * way, tip + (-9 - 4j) * way)
    return Stroke(([(corner.real, corner.imag) for corner in corners],), closed=True, fill=INK)


LETTER, ROW, EDGE, BOX = 8.0, 26.0, 14.0, 30.0
MOST = 48  # characters of a word


def collision_picture(collision: Collision) -> Picture:
    """Two words on the left, what is the same of both in the middle, and what the task wants on the right.

    >>> from ccsim.auditing import StateCollision
    >>> two = StateCollision((("0", "1"), ("1", "0")), ("0", "1"), (1, 0), (3,))
    >>> collision_picture(two).alt
    'after 01 and after 10 the model is in the same state; followed by 01 the right answers are 1 and 0'
    """
    left, middle, right = _columns(collision)
    left, right = ([shortened(text, MOST) for text in side] for side in (left, right))
    wide = [max(map(len, side)) * LETTER for side in (left, [middle], right)]
    height = 2 * EDGE + 2 * ROW + BOX
    centre, start = height / 2, EDGE + wide[0] + 50
    stop = start + wide[1] + 24
    box = Box(start, centre - BOX / 2, stop - start, BOX, 6, fill=PAPER, stroke=PALETTE[1], thick=2)
    parts: list[Shape] = [box, Text((start + stop) / 2, centre + 5, middle)]
    for text, answer, y in zip(left, right, (centre - ROW, centre + ROW), strict=True):
        end, after = EDGE + len(text) * LETTER + 8, stop + 50
        parts += [
            _stroke(complex(end, y), complex(start, centre)),
            _stroke(complex(stop, centre), complex(stop + 42, y)),
        ]
        parts += [Text(x, y + 5, mark, anchor="start", mono=True) for x, mark in ((EDGE, text), (after, answer))]
    return Picture(tuple(parts), stop + 50 + wide[2] + EDGE, height, str(collision))


def _columns(collision: Collision) -> tuple[Sequence[str], str, Sequence[str]]:
    if isinstance(collision, StateCollision):
        end = show(collision.suffix)
        wanted = [f"{end} → {answer!r} is wanted" for answer in collision.answers]
        return [show(prefix) for prefix in collision.prefixes], "one state", wanted
    left = [show(word) for word in collision.words]
    same, other = collision.answers[0], collision.answers[2]
    right = [f"{same!r} is wanted of both", f"{show(collision.cross)} → {other!r} is wanted"]
    return left, "one transcript", right
