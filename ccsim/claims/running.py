"""Many claims at many settings: measured by processes, or by a cluster, with every result in a store as it comes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from ccsim.claims.checking import check_claim, not_done
from ccsim.claims.claim import Claim, Setting
from ccsim.claims.store import Key, Store
from ccsim.claims.verdict import Verdict, Word
from ccsim.claims.worker import Outcome, Pool

__all__ = ["Cell", "Hands", "cells_of", "run_cells"]

TICK = 0.2  # seconds between looks at the store while others measure


class Hands(Protocol):
    """Whatever does jobs: processes here, or a cluster."""

    seconds: float | None

    @property
    def free(self) -> bool:
        """Whether another job can begin."""

    @property
    def idle(self) -> bool:
        """Whether no job is under way."""

    def submit(self, key: Any, job: Callable[[], Any]) -> None:
        """Begin a job."""

    def next(self, timeout: float) -> Outcome | None:
        """The next outcome, or None if there is none in time."""

    def close(self) -> None:
        """Stop everything."""


@dataclass(frozen=True, eq=False)
class Cell:
    """One claim at one setting."""

    claim: Claim
    setting: Setting

    @property
    def key(self) -> Key:
        """How a store knows it."""
        return self.claim.name, json.dumps(dict(self.setting), sort_keys=True)


def cells_of(claims: Iterable[Claim], given: Setting | None = None) -> list[Cell]:
    """The claims at their default settings, with what is given put in its place where a claim has that parameter."""
    cells = []
    for claim in claims:
        known = {name: value for name, value in (given or {}).items() if claim.parameter(name)}
        cells += [Cell(claim, setting) for setting in claim.settings(known)]
    return cells


def run_cells(
    cells: Iterable[Cell],
    *,
    hands: Hands | None = None,
    store: Store | None = None,
    progress: Callable[[int, str], None] | None = None,
) -> list[Verdict]:
    """Measure the cells that the store has no result for, and return the verdicts of all, in order.

    Args:
        cells: what is wanted.
        hands: what measures; two processes if not given. Closed at the end.
        store: where results go, and come from; a run that is stopped can be resumed from it.
        progress: told now and then how many are done, and what was begun last.
    """
    hands = Pool(2) if hands is None else hands
    store = Store() if store is None else store
    wanted = {cell.key: cell for cell in cells}
    store.add(wanted)
    try:
        _work(wanted, hands, store, progress or (lambda done, name: None))
    finally:
        hands.close()
    return store.verdicts()


def _work(wanted: dict[Key, Cell], hands: Hands, store: Store, progress: Callable[[int, str], None]) -> None:
    renewed, begun = time.monotonic(), ""
    while True:
        while hands.free and (key := store.take(hands.seconds)) is not None:
            begun = key[0]
            _begin(wanted[key], hands, store)
        left = store.unfinished(hands.seconds)
        progress(len(wanted) - left, begun)
        if not left and hands.idle:
            return
        outcome = hands.next(TICK)
        if outcome is not None:
            _keep(wanted[outcome.key], outcome, hands, store)
        if time.monotonic() - renewed > store.lease / 3:
            store.renew()
            renewed = time.monotonic()


def _begin(cell: Cell, hands: Hands, store: Store) -> None:
    try:
        hands.submit(cell.key, partial(_job, cell.claim, cell.setting))
    except Exception as error:  # whatever a claim is made of that cannot be handed over
        _keep(cell, Outcome(cell.key, failure=f"it cannot be handed to a process: {error}"), hands, store)


def _keep(cell: Cell, outcome: Outcome, hands: Hands, store: Store) -> None:
    if not outcome.failure:
        data, attached = outcome.data
        store.save(cell.key, Verdict.from_json(data, attached))
        return
    word = Word.NOT_MEASURED if outcome.late else Word.BROKEN
    seconds = (hands.seconds or 0.0) if outcome.late else 0.0
    verdict = not_done(cell.claim, cell.setting, word, outcome.failure, seconds)
    store.save(cell.key, verdict, hands.seconds if outcome.late else None)


def _job(claim: Claim, setting: Setting) -> list[Any]:
    verdict = check_claim(claim, setting)
    return [verdict.to_json(), dict(verdict.attachments)]
