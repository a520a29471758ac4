"""``ccsim bounds FILE --graph``: how few bicliques cover or divide the edges of a graph."""

from __future__ import annotations

import re
import time
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from typer import echo

import ccsim as cc
from ccsim.bounds.bicliques import graph_of
from ccsim.cli.app import Format, print_as
from ccsim.cli.brackets import print_brackets
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.growth import SECONDS
from ccsim.cli.progress import shown_progress
from ccsim.errors import InputError

SHOWN = 8  # bicliques of each list, unless all are asked for
ROWS = 4  # of the terminal, which they are about to fill
DATA = re.compile(r"\{.*\}\s*$")  # behind an edge, as networkx.write_edgelist writes it
ENTRIES = re.compile(r"^([01])\.0*(?:[eE][+-]?00)?$")  # as numpy.savetxt writes 0 and 1
EXPECTED = (
    "a graph: a .gml file, an adjacency matrix (.npy, or a text of rows of 0 and 1), or a text with an edge a line, as"
    " two names"
)


def read_graph(path: Path) -> Any:
    """The graph in a file. Rows of 0 and 1, as many as entries in each, are an adjacency matrix."""
    if not path.is_file():
        raise InputError("subject", str(path), f"the file of {EXPECTED}")
    if path.suffix == ".npy":
        return graph_of(cc.CommunicationMatrix.load(path).codes)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    if path.suffix == ".gml":
        import networkx  # only here

        for label in ("label", "id"):  # not every file names its vertices
            try:
                return graph_of(networkx.parse_gml(text, label=label))
            except networkx.NetworkXError as error:
                problem = error
        raise InputError("subject", str(path), f"a graph in GML ({problem})")
    lines = [DATA.sub("", line.partition("#")[0]).strip() for line in text.splitlines()]
    rows = [re.split(r"[\s,;]+", line.strip(",;")) for line in lines if line]
    dense = [list(row[0]) if len(row) == 1 else [ENTRIES.sub(r"\1", entry) for entry in row] for row in rows]
    if rows and all(len(row) == len(dense) and set(row) <= {"0", "1"} for row in dense):
        return graph_of([[int(entry) for entry in row] for row in dense])
    wrong = next((" ".join(row) for row in rows if len(row) != 2), None if rows else "")
    if wrong is not None:
        raise InputError(f"line of {path.name}", wrong, EXPECTED)
    return graph_of([(one, other) for one, other in rows])


def show_graph(path: Path, seconds: float | None, began: float, everything: bool, form: Format, json: bool) -> None:
    graph = read_graph(path)
    read = f"a graph, vertices: {len(graph)}, edges: {graph.number_of_edges()}"
    limit = SECONDS if seconds is None else seconds
    if not limit > 0:
        raise InputError("--time", seconds, "more than 0 seconds")
    with shown_progress("bicliques", limit=limit, began=began) as advance:
        advance("cover by bicliques")
        cover = cc.bounds.biclique_cover(graph, time_limit=limit / 2)
        advance("partition into bicliques")
        left = max(limit / 10, limit - (time.monotonic() - began))
        partition = cc.bounds.biclique_partition(graph, time_limit=left)
    result = cc.bounds.Summary.of(path.name, [cover, partition], {})
    lists = {one.measure: (one.upper_witness or {})["bicliques"] for one in (cover, partition)}

    def report() -> Any:
        about = {"measure": ", ".join(lists), "brackets": result.rows(), "missing": {}, "saved": []}
        return {**about, "read": read, "bicliques": lists}

    if print_as(form, json, report, partial(cc.bounds.bracket_table, result.brackets)):
        return
    print_brackets(path.name, cover, result.details, everything)
    echo(wrapped(f"Read {path.name}: {read}", columns()))
    for measure, bicliques in lists.items():
        sides = [" x ".join(f"{{{', '.join(map(str, side))}}}" for side in pair) for pair in bicliques]
        fits = sum(length <= ROWS * columns() for length in accumulate(map(len, sides)))
        sides = sides if everything else sides[: max(1, min(SHOWN, fits))]
        more = f", and {len(bicliques) - len(sides)} more (--all)" if len(sides) < len(bicliques) else ""
        echo(wrapped(f"{measure}: {'; '.join(sides) or 'none'}{more}", columns(), 2))
