"""Largest fooling sets: for each answer, and mixed."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.bounds.fooling_sets import degenerate_order, exclusion_graph
from ccsim.bounds.largest_fooling_sets import FoolingBracket, maximum_fooling_set
from ccsim.bounds.question import Question, Steps
from ccsim.bounds.steps.common import plain_enough, timely
from ccsim.bounds.steps.trivial import trivial_fooling
from ccsim.certificates.verify import Refused, check
from ccsim.matrices import CommunicationMatrix

SHORT = 2.0  # seconds of a search that the checker can surely repeat


def fooling_steps(question: Question) -> Steps:
    """Per answer, then mixed; if both know, cells of different answers exclude each other: a mixed set is a union."""
    matrix, answer, clock = question.matrix, question.answer, question.clock
    present = [code for code in question.labels if (matrix.codes == code).any()]
    known: dict[int | None, tuple[FoolingBracket, dict[str, Any] | None]] = {}
    codes: tuple[int | None, ...] = (*question.labels, *(() if answer == "both" else (None,)))
    trivial = trivial_fooling(matrix, answer, question.sets)
    yield dict(trivial)

    def union() -> tuple[FoolingBracket, dict[str, Any] | None]:
        parts = [known[code][0] for code in question.labels]
        cells = tuple(sorted(cell for part in parts for cell in part.cells))
        reasons = " and ".join(dict.fromkeys(part.upper_by for part in parts))
        witness = {"kind": "parts", "parts": [known[code][1] for code in present]}
        proved = all(known[code][1] for code in present)
        whole = FoolingBracket(cells, sum(part.upper for part in parts), reasons, None, answer)
        return whole, witness if proved else None

    start = time.perf_counter()
    for quick in (True, False):
        for place, code in enumerate(codes):
            if not quick and known[code][0].exact and known[code][1]:
                continue
            if plain_enough(question, trivial[code]):
                known[code] = _seen(matrix, trivial[code]), trivial[code].upper_witness
                yield code, trivial[code], True
                continue
            began = time.perf_counter()
            found = maximum_fooling_set(
                matrix, code, answer=answer, time_limit=0.0 if quick else clock.share(len(codes) - place)
            )
            if not quick and found.lower < known[code][0].lower:
                found = known[code][0]
            seconds = time.perf_counter() - began
            if code is None and found.upper >= (whole := union())[0].upper:
                known[code] = replace(found, upper=whole[0].upper, upper_by=whole[0].upper_by), whole[1]
            else:
                if found.upper_by in ("search", "symmetries"):  # the checker's own search may take long
                    yield code, _fooling_bracket(found, None, seconds), False
                known[code] = found, _fooling_upper(matrix, found, seconds)
            bracket = _fooling_bracket(*known[code], seconds)
            yield code, bracket if quick else timely(question, bracket), bracket.exact or not quick
        if answer == "both":
            bracket = _fooling_bracket(*union(), time.perf_counter() - start)
            yield None, bracket if quick else timely(question, bracket), bracket.exact or not quick
        if quick:
            yield None


def _seen(matrix: CommunicationMatrix, known: Bracket) -> FoolingBracket:
    """What a glance settled: as many cells as there are rows or columns with the answer."""
    code, answer = known.parameters["code"], known.parameters["answer"]
    cells = [(row, column) for row, column in (known.lower_witness or {})["cells"]]
    rows = int((matrix.codes == code).any(axis=1).sum()) == known.upper
    return FoolingBracket(tuple(cells), len(cells), "rows" if rows else "columns", code, answer)


def _fooling_upper(matrix: CommunicationMatrix, found: FoolingBracket, seconds: float) -> dict[str, Any] | None:
    """The witness of an upper side: a count of lines, or that the checker's own search finds none.

    Where our search took long, the checker's may take longer than it allows itself: then it is tried first, and if it
    fails, the upper side has no certificate.
    """
    if found.upper_by in ("rows", "columns", "cells") and found.code is not None:
        return {"kind": "lines"}
    if found.witness is not None:
        return found.witness
    cells, graph = exclusion_graph(matrix, found.code, found.answer)
    ordered = [list(cells[place]) for place in degenerate_order(graph)]
    witness = {"kind": "fooling-search", "at_most": found.upper, "cells": ordered}
    if found.symmetries is not None:
        witness = {**witness, "kind": "fooling-orbits", "symmetries": found.symmetries}
    if seconds > SHORT:
        try:
            parameters = {"code": found.code, "answer": found.answer}
            check(matrix.codes.tolist(), "fooling-set", "upper", parameters, witness)
        except Refused:
            return None
    return witness


def _fooling_bracket(found: Any, upper_witness: dict[str, Any] | None, seconds: float) -> Bracket:
    cells = [list(cell) for cell in found.cells]
    return Bracket(
        "fooling-set",
        found.lower,
        found.upper,
        f"fooling set | {found.upper_by}{'' if upper_witness else ', without certificate'}",
        {"kind": "fooling-set", "cells": cells} if cells else None,
        upper_witness,
        {"code": found.code, "answer": found.answer},
        "cells",
        seconds,
    )
