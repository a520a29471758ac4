"""Where the command line finds claims: entry points, so that other packages can add theirs.

A package registers by naming, in the entry-point group ``ccsim.claims``, a sequence of
:class:`~ccsim.claims.Claim`. Every registered protocol is a claim too.
"""

from __future__ import annotations

from ccsim import registry
from ccsim.certified import certify_protocol
from ccsim.claims.claim import Claim, Direction, Finding, Paper, Parameter
from ccsim.errors import InputError
from ccsim.plain_data import meant
from ccsim.plugins import registered
from ccsim.registry import ProtocolEntry

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
        raise InputError("claim", name, f"a claim or a family that `ccsim list claims` shows{meant(name, names)}")
    return family


CLASSICAL = Paper("classical", "Classical protocols")


def claim_of(entry: ProtocolEntry) -> Claim:
    """The claim that a protocol computes its function at every size, at the cost that it states.

    >>> from ccsim.registry import find_protocol
    >>> from ccsim.claims import check
    >>> verdict = check(claim_of(find_protocol("two-way-index")), length=5)
    >>> verdict.formula, verdict.claimed, verdict.measured, verdict.told
    ('L(n) + 1', 4, 4, 'tight')
    """

    def measure(length: int, samples: int, seed: int) -> Finding:
        protocol = entry.build(length)
        found = certify_protocol(protocol, n=length, samples=samples, seed=seed)
        coins = protocol.public.size if protocol.public else 1
        names = ("protocol", "function", "average", "error", "claimed_error", "outcomes")
        return Finding(
            measured=found.measured,
            claimed=found.claimed,
            formula=found.formula,
            source=found.source,
            exact=found.exact,
            checked=found.checked * found.outcomes,
            of=found.checked * coins,
            violations=(found.reason,) if found.verdict == "broken" else (),
            protocol=protocol,
            facts={name: getattr(found, name) for name in names},
        )

    return Claim(
        name=entry.name,
        paper=Paper(entry.package, f"Protocols of {entry.package}") if entry.package else CLASSICAL,
        source="",
        statement=entry.summary,
        direction=Direction.UPPER,
        measure=measure,
        parameters=(
            Parameter("length", "n", entry.sizes[0], "size of the problem", low=0),
            Parameter("samples", "samples", 256, "draws of public coins that are too many to enumerate"),
            Parameter("seed", "seed", 0, "of those draws", low=0),
        ),
        sizes=tuple({"length": size} for size in entry.sizes),
        tags=(entry.problem,),
    )
