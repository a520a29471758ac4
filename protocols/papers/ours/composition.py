"""Results of this project."""

from __future__ import annotations

from ccsim.claims import Claim

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = ()
