"""HTML in a few functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ccsim.plots.svg import element

__all__ = ["element", "table"]


def table(
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    caption: str,
    class_: str,
    words: Sequence[str] = (),
) -> str:
    """A table of markup, whose cells know the heads of their columns; it stays one where it is shown as cards.

    ``words`` are what the rows can be filtered by, one for each.
    """
    titles = list(head)
    heads = "".join(element("th", title, text=True, scope="col", role="columnheader") for title in titles)
    body = "".join(
        element(
            "tr",
            "".join(
                element("td", cell, role="cell", data_label=title) for title, cell in zip(titles, row, strict=True)
            ),
            role="row",
            data_word=words[place] if words else "",
        )
        for place, row in enumerate(rows)
    )
    inside = (
        element("caption", caption, text=True)
        + element("thead", element("tr", heads, role="row"), role="rowgroup")
        + element("tbody", body, role="rowgroup")
    )
    return element("table", inside, role="table", class_=class_)
