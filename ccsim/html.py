"""What notebooks show: pictures and small tables of matrices, transcripts, trees, brackets and verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from ccsim.plots.svg import element

if TYPE_CHECKING:
    from ccsim.bounds.bracket import Bracket
    from ccsim.certified import CertifiedProtocol
    from ccsim.claims.verdict import Verdict
    from ccsim.engine.run import Run
    from ccsim.engine.transcript import Transcript
    from ccsim.engine.tree import ProtocolTree
    from ccsim.matrices import CommunicationMatrix

__all__ = ["bracket_html", "certified_html", "matrix_html", "run_html", "transcript_html", "tree_html", "verdict_html"]

MOST_LINES = 512


def matrix_html(matrix: CommunicationMatrix) -> str:
    """Up to 512 x 512 cells as a picture with a legend; free cells are grey."""
    from ccsim.plots.matrix import matrix_picture

    rows, columns = (min(MOST_LINES, size) for size in matrix.shape)
    part = matrix if matrix.shape == (rows, columns) else matrix.restrict(range(rows), range(columns))
    told = "" if part is matrix else f" (the first {rows} x {columns})"
    svg = matrix_picture(part).svg if rows and columns else ""
    return f"<div>{matrix.shape[0]} x {matrix.shape[1]}{told}<br>{svg}</div>"


def transcript_html(transcript: Transcript) -> str:
    """The messages as a chart, and folded below it a row for each, with running totals."""
    from ccsim.plots.talk import sequence_picture

    return f"<div>{sequence_picture(transcript).svg}{_messages(transcript)}</div>"


def run_html(run: Run) -> str:
    """The chart and the table, and the answer."""
    from ccsim.plots.talk import sequence_picture

    expected = "" if run.expected is None else f" (expected {escape(str(run.expected))})"
    answer = f"<p>answer <b>{escape(str(run.answer))}</b>{expected}</p>"
    return f"<div>{sequence_picture(run).svg}{_messages(run.transcript)}{answer}</div>"


def _messages(transcript: Transcript) -> str:
    rows = (
        (
            str(row["number"]),
            message.direction,
            str(row["bits"]),
            str(row["total"]),
            row["message"],
            message.label,
        )
        for row, message in zip(transcript.table(), transcript, strict=True)
    )
    made = _table(("#", "channel", "bits", "total", "message", "meaning"), rows)
    return element("details", element("summary", transcript.summary(), text=True) + made)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = "".join(element("th", name, text=True) for name in head)
    body = "".join(element("tr", "".join(element("td", cell, text=True) for cell in row)) for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def tree_html(tree: ProtocolTree) -> str:
    """The tree as a picture if it has two parties, and folded below it as text."""
    from ccsim.plots.trees import tree_picture

    picture = tree_picture(tree).svg if len(tree.function.parties) == 2 and 0 not in tree.function.shape else ""
    text = element("pre", tree.draw(), text=True)
    return f"<div>{picture}{element('details', element('summary', 'as text') + text)}</div>" if picture else text


def bracket_html(bracket: Bracket) -> str:
    """The bracket in a line, and what proves it as a picture."""
    from ccsim.plots.brackets import bracket_picture

    picture = bracket_picture(bracket)
    return f"<div><p>{escape(str(bracket))}</p>{picture.svg if picture else ''}</div>"


def verdict_html(verdict: Verdict) -> str:
    """The claim, what was measured, and the verdict, as a table of one row."""
    head = ("claim", "statement", "setting", "claimed", "measured", "verdict", "note")
    row = (
        verdict.claim,
        verdict.statement,
        verdict.setting,
        verdict.bound,
        verdict.value,
        verdict.told,
        verdict.reason,
    )
    return _table(head, [row])


def certified_html(found: CertifiedProtocol) -> str:
    """A protocol, what is claimed of it and what was measured, as a table of one row."""
    claimed = "-" if found.claimed is None else f"{found.claimed} bits ({found.formula})"
    row = (found.protocol, claimed, f"{found.measured} bits", str(found.checked), found.verdict, found.reason)
    return _table(("protocol", "claimed", "measured", "inputs", "verdict", "note"), [row])
