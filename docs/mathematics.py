"""Formulas as MathML, which browsers typeset by themselves: pages need no network, and nothing is shipped with them.

Pages write formulas in TeX. A few tell in plain notation what the terminal tells, too, and theirs are found.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

from ccsim.claims.report.prose import prose_markup

PLAIN = {"claims_table", "glossary", "languages", "performance", "sources", "start_here", "verdicts"}
MADE = re.compile(r"(<math .*?</math>)")

NAME = r"\\(?:log|ln|exp|cosh|cos|sin|min|max)(?![a-z])"
BEFORE = re.compile(rf"(?:(?<=[\d)}}\]])|(?<=[^A-Za-z\\][A-Za-z])|(?<=^[A-Za-z]))\s*(?={NAME})")
AFTER = re.compile(rf"({NAME}(?:_\w|_\{{[^}}]*\}})?(?:\^\w)?)\s*(?=[A-Za-z0-9]|\\lceil|\\lfloor)")


def markup(formula: str, display: str = "inline") -> str:
    """A formula, with a little room around the names of functions, as they are set in print."""
    made = convert(AFTER.sub(r"\1\\,", BEFORE.sub(r"\\,", formula)), display=display)
    return made.replace("<mo>&#x0002F;</mo>", '<mo lspace="0" rspace="0">/</mo>')


def inline(translator: Any, node: Any) -> None:
    """A formula in a line."""
    translator.body.append(markup(node.astext()))
    raise nodes.SkipNode


def displayed(translator: Any, node: Any) -> None:
    """A formula, or several, each on a line of its own; it can be reached by its label."""
    named = f' id="{escape(node["ids"][0])}"' if node["ids"] else ""
    lines = re.split(r"\\\\\s*\n", node.astext())
    made = "".join(markup(line, "block") for line in lines if line.strip())
    translator.body.append(f'<div class="math"{named}>{made}</div>\n')
    raise nodes.SkipNode


def plain_notation(app: Any, document: Any) -> None:
    """Set the mathematics of a page that is written in plain notation."""
    if app.env.docname not in PLAIN:
        return
    for element in list(document.findall(nodes.TextElement)):
        if not isinstance(element, nodes.literal | nodes.literal_block | nodes.raw | nodes.math | nodes.comment):
            children = list(_set(element.children))
            element.clear()
            element.extend(children)


def _set(children: list[nodes.Node]) -> Iterator[nodes.Node]:
    """Text that follows each other in one, as line breaks stand apart, with its mathematics."""
    for is_text, group in groupby(children, lambda child: isinstance(child, nodes.Text)):
        if is_text:
            yield from map(_node, MADE.split(prose_markup("".join(group).replace("\n", " "), str)))
        else:
            yield from group


def _node(part: str) -> nodes.Node:
    return nodes.raw("", part, format="html") if MADE.fullmatch(part) else nodes.Text(part)


def setup(app: Any) -> None:
    """Offer it to Sphinx as ``html_math_renderer = "mathml"``."""
    app.connect("doctree-read", plain_notation)
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
