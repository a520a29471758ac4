"""Where the command line finds claims: entry points, so that other packages can add theirs.

A package registers by naming, in the entry-point group ``ccsim.claims``, a sequence of
:class:`~ccsim.claims.Claim`. Every registered protocol is a claim too.
"""

from __future__ import annotations

import difflib

from ccsim import registry
from ccsim.claims.claim import Claim, Paper
from ccsim.claims.protocol_claims import claim_of
from ccsim.errors import InputError
from ccsim.plugins import registered

__all__ = ["GROUP", "claims_of", "find_claims", "find_papers", "registered_claims"]

GROUP = "ccsim.claims"


def registered_claims() -> dict[str, Claim]:
    """Every claim by name: protocols first, then each paper's claims in its own order."""
    protocols = sorted(registry.registered_protocols().values(), key=lambda entry: (entry.problem, entry.name))
    found = {entry.name: claim_of(entry) for entry in protocols}
    return found | {claim.name: claim for _, claim in registered(GROUP, Claim, found)}


def find_papers() -> dict[str, Paper]:
    """Every paper that has a claim, by name."""
    return {claim.paper.name: claim.paper for claim in registered_claims().values()}


def find_claims(names: list[str], paper: str | None = None) -> list[Claim]:
    """The claims of these names and families, in their papers' order; all if none is named; of one paper, if one is.

    Raises :class:`~ccsim.errors.InputError` for a name that nothing has, with the nearest ones.
    """
    known = registered_claims()
    chosen = {claim for name in names for claim in claims_of(name, known)} if names else set(known.values())
    if paper is not None:
        papers = {claim.paper.name for claim in known.values()}
        matching = {name for name in papers if paper.lower() in name}
        if not matching:
            raise InputError("--paper", paper, f"a part of one of {', '.join(sorted(papers))}")
        chosen = {claim for claim in chosen if claim.paper.name in matching}
    return [claim for claim in known.values() if claim in chosen]


def claims_of(name: str, known: dict[str, Claim]) -> list[Claim]:
    """The claim of this name, or the claims of this family."""
    if name in known:
        return [known[name]]
    family = [claim for claim in known.values() if name in claim.families]
    if not family:
        names = {*known, *(family for claim in known.values() for family in claim.families)}
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise InputError("claim", name, f"a claim or a family that `ccsim list claims` shows{hint}")
    return family
