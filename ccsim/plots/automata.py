"""An automaton as states on a circle, with arrows between them."""

from __future__ import annotations

import cmath
import math
from collections import defaultdict

from ccsim.auditing.learned import Learned
from ccsim.models.automata.automaton import Automaton
from ccsim.plain_data import counted
from ccsim.plots.svg import INK, Picture, element, gathered, words

RADIUS, MARGIN = 16.0, 80.0
MOST_LETTERS = 4  # of an answer in a circle
ASIDE = 1.2  # radians between a loop and the arrow to the first state
Point = tuple[float, float]


def automaton_picture(automaton: Automaton) -> Picture:
    """The states of an automaton, the accepting ones with two rings, and a labelled arrow for each pair that is joined.

    Of an automaton with other answers than 0 and 1 each state shows its answer.

    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton_picture(from_regular_expression("(ab)*", "ab")).told
    'an automaton of 3 states, of which 1 accepts'
    """
    count = automaton.states
    ring = max(50.0, 26.0 * count)
    middle = ring + MARGIN
    places = [
        (middle - ring * math.cos(2 * math.pi * state / count), middle - ring * math.sin(2 * math.pi * state / count))
        for state in range(count)
    ]
    accepts = tuple(automaton.answers) == (0, 1)
    labels: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, row in enumerate(automaton.table.tolist()):
        for symbol, after in zip(automaton.alphabet, row, strict=True):
            labels[state, after].append(str(symbol))
    parts = [_arrow(places, pair, ", ".join(signs), (middle, middle)) for pair, signs in labels.items()]
    for state, (x, y) in enumerate(places):
        answer = str(automaton.answers[automaton.outputs[state]])
        rings = (RADIUS, RADIUS - 4) if accepts and automaton.outputs[state] else (RADIUS,)
        parts += [_circle(x, y, radius) for radius in rings]
        parts.append(words(x, y + 4, str(state) if accepts else _short(answer), anchor="middle"))
    parts.append(_entry(places[automaton.first], (middle, middle)))
    accepting = int((automaton.outputs == 1).sum())
    answers = [str(automaton.answers[code]) for code in automaton.outputs]
    what = f"of which {accepting} accept{'s' * (accepting == 1)}" if accepts else f"which answer {', '.join(answers)}"
    return Picture("".join(parts), 2 * middle, 2 * middle, f"an automaton of {counted(count, 'state')}, {what}")


def _short(answer: str) -> str:
    """What fits into the circle of a state."""
    return answer if len(answer) <= MOST_LETTERS else f"{answer[: MOST_LETTERS - 1]}…"


def learned_picture(learned: Learned) -> Picture:
    """The automaton that a model seems to have learnt, and beside it the least one of its task if that is known.

    >>> from ccsim.auditing import learned_automaton
    >>> from ccsim.models import LSTM
    >>> from ccsim.problems import parity_of_word
    >>> learned = learned_automaton(LSTM.random("01", width=2, precision=16, seed=0), parity_of_word(8), tolerance=0.5)
    >>> learned_picture(learned).told
    'learnt: an automaton of 2 states, of which 1 accepts; the task: an automaton of 2 states, of which 1 accepts'
    """
    parts = [("learnt", learned.automaton), *([("the task", learned.least)] if learned.least is not None else [])]
    pictures = [(name, automaton_picture(automaton)) for name, automaton in parts]
    told = "; ".join(f"{name}: {picture.told}" for name, picture in pictures)
    return gathered([_headed(name, picture) for name, picture in pictures], len(pictures), told)


def _headed(heading: str, picture: Picture) -> Picture:
    """A picture under its name."""
    body = words(picture.width / 2, 18, heading) + picture.moved(0, 24)
    return Picture(body, picture.width, picture.height + 24, picture.told)


def _circle(x: float, y: float, radius: float) -> str:
    return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}", fill="#ffffff", stroke=INK)


def _arrow(places: list[Point], pair: tuple[int, int], label: str, middle: Point) -> str:
    """An arrow that bends to its right, so that two in opposite directions do not meet; a loop points outwards."""
    (x, y), (u, v) = places[pair[0]], places[pair[1]]
    if pair[0] == pair[1]:
        dx, dy = _unit(x - middle[0], y - middle[1])
        cx, cy = x + dx * (RADIUS + 12), y + dy * (RADIUS + 12)
        ring = element("circle", cx=f"{cx:.1f}", cy=f"{cy:.1f}", r="13", fill="none", stroke=INK)
        return ring + words(cx + dx * 26, cy + dy * 26 + 4, label, anchor="middle")
    dx, dy = _unit(u - x, v - y)
    bend = (x + u) / 2 - dy * 22, (y + v) / 2 + dx * 22
    start, end = _towards((x, y), bend), _towards((u, v), bend)
    text = words(bend[0] - dy * 4, bend[1] + dx * 4 + 4, label, anchor="middle")
    return _line([start, bend, end]) + _head(end, _unit(end[0] - bend[0], end[1] - bend[1])) + text


def _entry(place: Point, middle: Point) -> str:
    """The arrow to the first state, from outside and beside its loop."""
    out = cmath.rect(1.0, math.atan2(place[1] - middle[1], place[0] - middle[0]) - ASIDE)
    far, near = ((place[0] + out.real * at, place[1] + out.imag * at) for at in (RADIUS + 26, RADIUS + 2))
    return _line([far, near]) + _head(near, (-out.real, -out.imag))


def _unit(x: float, y: float) -> Point:
    size = math.hypot(x, y) or 1.0
    return x / size, y / size


def _towards(place: Point, other: Point) -> Point:
    dx, dy = _unit(other[0] - place[0], other[1] - place[1])
    return place[0] + dx * (RADIUS + 2), place[1] + dy * (RADIUS + 2)


def _line(points: list[Point]) -> str:
    (x, y), *rest = points
    between = f"Q {rest[0][0]:.1f} {rest[0][1]:.1f} " if len(rest) > 1 else "L "
    path = f"M {x:.1f} {y:.1f} {between}{rest[-1][0]:.1f} {rest[-1][1]:.1f}"
    return element("path", d=path, fill="none", stroke=INK)


def _head(point: Point, way: Point) -> str:
    (x, y), (dx, dy) = point, way
    corners = [(x, y), (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx), (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx)]
    return element("polygon", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in corners), fill=INK)
