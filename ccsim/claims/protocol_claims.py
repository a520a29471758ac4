"""Every registered protocol as a claim: its cost formula, beside the bits of an exploration of all inputs."""

from __future__ import annotations

from ccsim.certified import certify_protocol
from ccsim.claims.claim import Claim, Direction, Paper, Parameter
from ccsim.claims.finding import Finding
from ccsim.registry import ProtocolEntry

__all__ = ["CLASSICAL", "claim_of"]

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
        facts = {
            "protocol": found.protocol,
            "function": found.function,
            "average": found.average,
            "error": found.error,
            "claimed_error": found.claimed_error,
            "outcomes": found.outcomes,
        }
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
            facts=facts,
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
