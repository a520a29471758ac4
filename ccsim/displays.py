"""What notebooks show: pictures and small tables of values, whose own modules do not import any picture.

:func:`html` returns what there is for a value. Where IPython runs, ``import ccsim`` registers all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from ccsim.auditing.result import Audit
from ccsim.bounds.bracket import Bracket
from ccsim.bounds.summaries import Summary
from ccsim.certified import CertifiedProtocol
from ccsim.claims.verdict import Verdict
from ccsim.engine.explore import Exploration
from ccsim.engine.model import Transcript
from ccsim.engine.protocol import Protocol
from ccsim.engine.randomised import Measurement
from ccsim.engine.run import Run
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import InputError
from ccsim.exercises import Reply
from ccsim.matrices import CommunicationMatrix
from ccsim.plain_data import counted
from ccsim.plots.curves import Plot, plot_picture
from ccsim.plots.drawing import bracket_picture
from ccsim.plots.formats import element
from ccsim.plots.matrix import matrix_picture
from ccsim.plots.protocols import sequence_picture, tree_picture
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction

MOST_ROWS = 512
MOST_CELLS = 64 * 64  # of a function's table that is drawn with it
MOST_LEAVES = 64  # of a tree that is drawn with an exploration


def html(value: object) -> str:
    for kind in type(value).__mro__:
        if kind in SHOWN:
            return SHOWN[kind](value)
    raise InputError("value", value, f"one of {', '.join(sorted(kind.__name__ for kind in SHOWN))}")


def load_ipython_extension(shell: Any) -> None:
    """Tell IPython how to show everything: ``%load_ext ccsim.displays``."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind, show in SHOWN.items():
        formatter.for_type(kind, show)


def matrix_html(matrix: CommunicationMatrix) -> str:
    """Up to 512 x 512 cells as a picture with a legend; undefined entries are grey."""
    rows, columns = (min(MOST_ROWS, size) for size in matrix.shape)
    part = matrix if matrix.shape == (rows, columns) else matrix.restrict(range(rows), range(columns))
    shown = "" if part is matrix else f" (the first {rows} x {columns})"
    svg = matrix_picture(part).svg if rows and columns else ""
    return f"<div>{matrix.shape[0]} x {matrix.shape[1]}{shown}<br>{svg}</div>"


def _messages(transcript: Transcript) -> str:
    head, *rows = transcript.cells()
    return element("details", element("summary", transcript.summary(), text=True) + _table(head, rows))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "") -> str:
    above = element("caption", caption, text=True) if caption else ""
    heads = "".join(element("th", name, text=True) for name in head)
    body = "".join(element("tr", "".join(element("td", cell, text=True) for cell in row)) for row in rows)
    return f"<table>{above}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def tree_html(tree: ProtocolTree) -> str:
    picture = tree_picture(tree).svg if len(tree.function.parties) == 2 and 0 not in tree.function.shape else ""
    text = element("pre", tree.draw(), text=True)
    return f"<div>{picture}{element('details', element('summary', 'as text') + text)}</div>" if picture else text


def verdict_html(verdict: Verdict) -> str:
    head = ("claim", "statement", "setting", "claimed", "measured", "verdict", "note")
    shown = verdict.bound, verdict.value, verdict.description, verdict.reason
    return _table(head, [(verdict.claim, verdict.statement, verdict.setting, *shown)])


def certified_html(certified: CertifiedProtocol) -> str:
    claimed = "-" if certified.claimed is None else f"{counted(certified.claimed, 'bit')} ({certified.formula})"
    measured = "no protocol" if certified.measured is None else counted(certified.measured, "bit")
    row = (certified.protocol, claimed, measured, str(certified.checked), certified.verdict, certified.reason)
    return _table(("protocol", "claimed", "measured", "inputs", "verdict", "note"), [row])


def protocol_html(protocol: Protocol) -> str:
    cost = protocol.cost
    rows = {
        "computes": protocol.function.name,
        "model": protocol.model.name,
        "parties": ", ".join(protocol.model.roles),
        "the answer is known to": ", ".join(protocol.knowing),
        "claimed cost": "-" if cost is None else f"{counted(cost.bits, 'bit')} = {cost.formula}",
        "coins": "none" if protocol.deterministic else f"yes; error at most {protocol.error}",
        "source": protocol.source or "-",
    }
    return _table((protocol.name, ""), rows.items())


def function_html(function: MultipartyFunction) -> str:
    sizes = " x ".join(map(str, function.shape))
    head = f"{function.name}: {sizes} inputs, answers {', '.join(map(str, function.answers[:8]))}"
    note = f"<p>{escape(function.note)}</p>" if function.note else ""
    small = isinstance(function, TwoPartyFunction) and 0 < function.shape[0] * function.shape[1] <= MOST_CELLS
    picture = matrix_picture(function).svg if isinstance(function, TwoPartyFunction) and small else ""
    return f"<div><p>{escape(head)}</p>{note}{picture}</div>"


def measurement_html(result: Exploration | Measurement) -> str:
    tree = result.tree if isinstance(result, Exploration) else None
    shown = tree_html(tree) if tree is not None and len(tree.leaves) <= MOST_LEAVES else ""
    wrong = "".join(element("li", str(violation), text=True) for violation in result.violations)
    return f"<div><p>{escape(str(result))}</p>{element('ul', wrong) if wrong else ''}{shown}</div>"


def reply_html(reply: Reply) -> str:
    colour = {True: "#009e73", False: "#d55e00", None: "#888888"}[reply.right]
    return f'<div style="border-left:.4em solid {colour};padding-left:.6em">{escape(str(reply))}</div>'


SHOWN: Mapping[type, Callable[[Any], str]] = {
    Audit: lambda audit: element("pre", str(audit), text=True),
    Bracket: lambda bracket: (
        f"<div><p>{escape(str(bracket))}</p>{picture.svg if (picture := bracket_picture(bracket)) else ''}</div>"
    ),
    CertifiedProtocol: certified_html,
    CommunicationMatrix: matrix_html,
    Exploration: measurement_html,
    Measurement: measurement_html,
    MultipartyFunction: function_html,
    Plot: lambda plot: plot_picture(plot).svg,
    Protocol: protocol_html,
    ProtocolTree: tree_html,
    Reply: reply_html,
    Run: lambda run: (
        f"<div>{sequence_picture(run).svg}{_messages(run.transcript)}<p>answer <b>{escape(str(run.answer))}</b>"
        f"{'' if run.expected is None else f' (expected {escape(str(run.expected))})'}</p></div>"
    ),
    Summary: lambda summary: _table(summary.columns, summary.cells(), summary.name),
    Transcript: lambda transcript: f"<div>{sequence_picture(transcript).svg}{_messages(transcript)}</div>",
    Verdict: verdict_html,
}
