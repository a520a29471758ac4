"""Small HTML for notebooks: a matrix as coloured cells, a transcript as a table. Standard library only."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccsim.engine.run import Run
    from ccsim.engine.transcript import Transcript
    from ccsim.matrices import CommunicationMatrix

__all__ = ["matrix_html", "run_html", "transcript_html"]

COLOURS = ("#f7f7f7", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
FREE = "#bbbbbb"
MOST_CELLS = 64


def matrix_html(matrix: CommunicationMatrix) -> str:
    """Up to 64 x 64 cells as an SVG picture with a legend; free cells are grey."""
    codes = matrix.codes[:MOST_CELLS, :MOST_CELLS]
    side = max(4, min(24, 480 // max(1, *codes.shape)))
    squares = "".join(
        f'<rect x="{column * side}" y="{row * side}" width="{side}" height="{side}" '
        f'fill="{FREE if code < 0 else COLOURS[code % len(COLOURS)]}" stroke="#888" stroke-width="0.5"/>'
        for row, line in enumerate(codes.tolist())
        for column, code in enumerate(line)
    )
    height, width = codes.shape[0] * side, codes.shape[1] * side
    names = [(COLOURS[code], str(label)) for code, label in enumerate(matrix.labels[: len(COLOURS)])]
    legend = " ".join(
        f'<span style="border:1px solid #888;border-left:1.2em solid {colour};padding:0 .5em">{escape(name)}</span>'
        for colour, name in names + ([] if matrix.is_total else [(FREE, "free")])
    )
    part = "" if codes.shape == matrix.shape else f" (the first {codes.shape[0]} x {codes.shape[1]})"
    return (
        f"<div>{matrix.shape[0]} x {matrix.shape[1]}{part} {legend}<br>"
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'aria-label="communication matrix">{squares}</svg></div>'
    )


def transcript_html(transcript: Transcript) -> str:
    """One row per message, with running totals."""
    head = "".join(f"<th>{name}</th>" for name in ("#", "channel", "bits", "total", "message", "meaning"))
    rows = "".join(
        f"<tr><td>{row['number']}</td><td>{escape(message.direction)}</td><td>{row['bits']}</td>"
        f"<td>{row['total']}</td><td><code>{row['message']}</code></td><td>{escape(message.label)}</td></tr>"
        for row, message in zip(transcript.table(), transcript, strict=True)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{transcript.summary()}</p>"


def run_html(run: Run) -> str:
    """The transcript and the answer."""
    return f"{transcript_html(run.transcript)}<p>answer <b>{escape(str(run.answer))}</b></p>"
