"""Proofs in LRAT, written step by step."""

from itertools import chain

import numpy as np

from ccsim.bounds.solvers import _Flat, _written


def written(steps, given):
    """Lemmas as the checker reads them, with so many given clauses."""
    return _written(_Flat(*_flat([step.clause for step in steps]), *_flat([step.hints for step in steps])), given)


def _flat(lists):
    stops = np.cumsum(np.fromiter(map(len, lists), dtype=np.int64, count=len(lists)))
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64), stops
