"""Formulas as MathML, which browsers typeset by themselves: pages need no network, and nothing is shipped with them."""

from html import escape
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def inline(translator: Any, node: Any) -> None:
    """A formula in a line."""
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def displayed(translator: Any, node: Any) -> None:
    """A formula, or several, each on a line of its own; it can be reached by its label."""
    named = f' id="{escape(node["ids"][0])}"' if node["ids"] else ""
    lines = (line.strip() for line in node.astext().split(r"\\\\"))
    made = "".join(convert(line, display="block") for line in lines if line)
    translator.body.append(f'<div class="math"{named}>{made}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Offer it to Sphinx as ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
