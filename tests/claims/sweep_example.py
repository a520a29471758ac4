"""A sweep in a process of its own, to be killed: python sweep_example.py STORE LOG [SECONDS] [CLUSTER]."""

import sys
from pathlib import Path

from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from ccsim.claims.running import Cell, Pool, Store, grid_of, run_cells, settings_on

GRID = ("length=1:6", "width=2,4,8,16")
SIZE = 24


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


def cells_noting(log: str, seconds: float) -> list[Cell]:
    claim = claim_noting(log, seconds)
    return [Cell(claim, setting) for setting in settings_on(claim, grid_of(GRID, claim))]


def main(store: str, log: str, seconds: float = 0.02, cluster: str | None = None) -> None:
    workers = Pool(2)
    if cluster is not None:
        from ccsim.claims.running import Cluster

        workers = Cluster(cluster)
    with Store(Path(store)) as opened:
        run_cells(cells_noting(log, seconds), workers=workers, store=opened)


if __name__ == "__main__":
    main(*sys.argv[1:3], *(float(text) for text in sys.argv[3:4]), *sys.argv[4:5])
