"""A sweep in a process of its own, to be killed: python sweep_example.py STORE LOG [SECONDS] [CLUSTER]."""

import sys
from pathlib import Path

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from ccsim.claims.running import Cell, Cluster, Pool, grid_of, run_cells, settings_on
from ccsim.claims.store import Store

GRID = ("length=1:6", "width=2,4,8,16")


def claim_noting(log: str, seconds: float) -> Claim:
    def measure(length: int, width: int) -> Finding:  # by value, as it is nowhere to be imported from
        import os
        import time

        time.sleep(seconds)
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{length},{width} {os.getpid()}\n")
        return Finding(measured=length * width, checked=length, of=length, facts={"square": length**2})

    return Claim(
        name="noted",
        paper=Paper("somewhere", "Somebody 2024"),
        source="",
        statement="It is so.",
        direction=Direction.UPPER,
        formula="n*w",
        parameters=(Parameter("length", "n", 1), Parameter("width", "w", 1)),
        measure=measure,
    )


def main(store: str, log: str, seconds: float = 0.02, cluster: str | None = None) -> None:
    claim = claim_noting(log, seconds)
    cells = [Cell(claim, setting) for setting in settings_on(claim, grid_of(GRID, claim))]
    with Store(Path(store)) as opened:
        run_cells(cells, workers=Pool(2) if cluster is None else Cluster(cluster), store=opened)


if __name__ == "__main__":
    main(*sys.argv[1:3], *(float(text) for text in sys.argv[3:4]), *sys.argv[4:5])
