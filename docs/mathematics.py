"""Formulas as MathML, which browsers typeset by themselves: pages need no network, and nothing is shipped with them."""

import re
from html import escape
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

NAME = r"\\(?:log|ln|exp|cosh|cos|sin|min|max)(?![a-z])"
BEFORE = re.compile(rf"(?:(?<=[\d)}}\]])|(?<=[^A-Za-z\\][A-Za-z])|(?<=^[A-Za-z]))\s*(?={NAME})")
LONG = 20  # characters of a formula that may be wider than a telephone
AFTER = re.compile(rf"({NAME}(?:_\w|_\{{[^}}]*\}})?(?:\^\w)?)\s*(?=[A-Za-z0-9]|\\lceil|\\lfloor|\\log)")


def markup(formula: str, display: str = "inline") -> str:
    """A formula, with a little room around the names of functions, as they are set in print."""
    made = convert(AFTER.sub(r"\1\\,", BEFORE.sub(r"\\,", formula)), display=display)
    return re.sub(
        r'<mo(?: stretchy="false")?>(&#x0002F;|&#x0007C;)</mo>',
        r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>',
        made,
    )


def inline(translator: Any, node: Any) -> None:
    """A formula in a line; a long one scrolls where a screen is narrow."""
    formula = node.astext()
    made = markup(formula)
    translator.body.append(f'<span class="formula">{made}</span>' if len(formula) > LONG else made)
    raise nodes.SkipNode


def displayed(translator: Any, node: Any) -> None:
    """A formula, or several, each on a line of its own; it can be reached by its label."""
    named = f' id="{escape(node["ids"][0])}"' if node["ids"] else ""
    lines = re.split(r"\\\\\s*\n", node.astext())
    made = "".join(markup(line, "block") for line in lines if line.strip())
    translator.body.append(f'<div class="math"{named}>{made}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Offer it to Sphinx as ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
