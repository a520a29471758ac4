"""What is claimed of a protocol, compared with what is measured on all its inputs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from ccsim.engine.explore import Exploration
from ccsim.engine.protocol import Protocol
from ccsim.engine.randomised import Measurement
from ccsim.engine.run import breaks_rules
from ccsim.errors import InputError
from ccsim.models.model import SequenceModel
from ccsim.plain_data import counted
from ccsim.problems.inputs import sample
from ccsim.problems.sequence_tasks import SplitTask

Verdict = Literal["tight", "holds", "broken"]


@dataclass(frozen=True)
class CertifiedProtocol:
    """A protocol at one size: claimed and measured.

    Attributes:
        protocol, function, source, n: what was built, where it is from, and the size.
        formula, claimed: the claimed worst-case bits, as a formula and as a number (None if nothing is claimed).
        measured, average: the most and the mean bits on promised inputs, over all coin outcomes that were tried.
        claimed_error, error: the worst-case probability of a wrong answer; 0 for deterministic protocols.
        exact: whether every input and every coin outcome was gone through.
        checked, outcomes: how many inputs were gone through, and public coins for each.
        verdict: ``tight`` (worst case equal to the claim), ``holds`` (not above it), ``broken``.
        reason: the counterexample; where a rule is broken, ``measured``, ``average`` and ``error`` are None.
        seconds: how long it took.
    """

    protocol: str
    function: str
    source: str
    n: int | None
    formula: str | None
    claimed: int | None
    measured: int | None
    average: Fraction | None
    claimed_error: Fraction
    error: Fraction | None
    exact: bool
    checked: int
    outcomes: int
    verdict: Verdict
    reason: str
    seconds: float

    def __str__(self) -> str:
        if self.measured is None:
            return f"{self.protocol}: no protocol: {self.reason}"
        claim = f"claimed {counted(self.claimed, 'bit')} ({self.formula})" if self.claimed is not None else "no claim"
        inputs = counted(self.checked, "input") + (
            f" under {self.outcomes} coin outcomes each" if self.outcomes > 1 else ""
        )
        error = f", error {self.error} of at most {self.claimed_error}" if self.claimed_error else ""
        reason = f": {self.reason}" if self.reason else ""
        measured = f"{self.protocol}: {claim}, measured {counted(self.measured, 'bit')} on {inputs}{error}"
        return f"{measured}: {self.verdict}{reason}"

    def to_json(self) -> dict[str, Any]:
        plain = {name: str(value) if isinstance(value, Fraction) else value for name, value in vars(self).items()}
        return {"claim": self.protocol, **plain}


def certify_protocol(
    protocol: Protocol,
    *,
    n: int | None = None,
    samples: int = 256,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> CertifiedProtocol:
    """Explore a protocol on all inputs (over its coins, if it has any) and compare with its claims.

    Public coins beyond 4096 outcomes are drawn, ``samples`` times; a claimed error is then broken only if the
    99 % interval lies above it.

    >>> from ccsim.problems import disjointness
    >>> from protocols.classical import trivial
    >>> certify_protocol(trivial(disjointness(3))).verdict
    'tight'
    """
    start = time.perf_counter()
    if protocol.deterministic:
        result: Exploration | Measurement = protocol.explore(keep_tree=False, progress=progress)
    else:
        report = (lambda done, _total: progress(done)) if progress else None
        result = protocol.measure_error(samples=samples, seed=seed, progress=report)
    verdict, reason = _judge(protocol, result)
    sound = not breaks_rules(result.violations)
    average = error = None
    if sound and isinstance(result, Measurement):
        average, error = result.average_bits(), result.worst_error
    elif sound and isinstance(result, Exploration):
        average, error = result.average_bits, Fraction(not result.correct)
    return CertifiedProtocol(
        protocol=protocol.name,
        function=protocol.function.name,
        source=protocol.source,
        n=n,
        formula=str(protocol.cost) if protocol.cost else None,
        claimed=protocol.cost.bits if protocol.cost else None,
        measured=result.worst_bits if sound else None,
        average=average,
        claimed_error=protocol.error,
        error=error,
        exact=result.exact if isinstance(result, Measurement) else True,
        checked=int(result.promised.sum()) if isinstance(result, Measurement) else result.pairs,
        outcomes=result.outcomes if isinstance(result, Measurement) else 1,
        verdict=verdict,
        reason=reason,
        seconds=round(time.perf_counter() - start, 3),
    )


def certify(protocol: Protocol, model: SequenceModel | None = None, **options: Any) -> CertifiedProtocol:
    """Explore a protocol on all inputs; with a model, against the model's own forward pass on all words.

    The protocol must then be about words under a partition of their positions, as the reductions make them, and the
    model over the same words. Options are those of :func:`certify_protocol`.

    >>> from ccsim import Partition, models
    >>> from protocols.reductions import max_logit_softmax
    >>> model = models.OneLayerTransformer.random("ab", length=4, width=4, heads=1, precision=8, seed=0)
    >>> certify(max_logit_softmax(model, Partition.odd_even(4)), model).verdict
    'tight'
    """
    if not isinstance(protocol, Protocol):
        raise InputError("protocol", protocol, "a Protocol")
    if model is None:
        return certify_protocol(protocol, **options)
    if not isinstance(model, SequenceModel):
        raise InputError("model", model, "a model of words, or None")
    if not isinstance(protocol.function, SplitTask):
        raise InputError("protocol", protocol.name, "a protocol about words under a partition of their positions")
    task, partition = protocol.function.task, protocol.function.partition
    if model.answers != task.answers:
        raise InputError("model", model.name, f"a model with the answers {sample(task.answers)} of {task.name}")
    own = model.task(words=task.words).split(partition)
    return certify_protocol(replace(protocol, function=own), **options)


def _judge(protocol: Protocol, result: Exploration | Measurement) -> tuple[Verdict, str]:
    if result.violations:
        return "broken", str(result.violations[0])
    if isinstance(result, Measurement) and not result.within_claim:
        inputs = ", ".join(
            part.show(value) for part, value in zip(protocol.function.inputs, result.worst_input, strict=True)
        )
        return "broken", f"error {result.worst_error} on ({inputs}), claimed {protocol.error}"
    if protocol.cost is None:
        return "holds", ""
    claimed, exact = protocol.cost.bits, protocol.cost.exact
    if result.worst_bits > claimed:
        return "broken", f"{counted(result.worst_bits, 'bit')} at worst, claimed {claimed}"
    if result.worst_bits == claimed:
        return "tight", ""
    sampled = isinstance(result, Measurement) and not result.exact
    if exact and not sampled:
        return "broken", f"{counted(result.worst_bits, 'bit')} at worst, claimed exactly {claimed}"
    return "holds", ""
