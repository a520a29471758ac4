"""A model that was read from weights: its audit says so, and the module itself is run beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ccsim.auditing.result import Audit
from ccsim.models.files import LoadedModel


def as_read(found: Audit, loaded: LoadedModel, run: Callable[[], Audit] | None) -> Audit:
    """The audit of a reading, with what is known of the reading; that of the module itself if only that is wrong.

    Args:
        found: the audit of ``loaded.model``.
        loaded: what was read.
        run: audits the forward pass of the module, where it is at hand.
    """
    found = replace(found, reading=loaded.agreement)
    if run is None or found.verdict == "wrong":
        return found
    own = run()
    if own.verdict == "wrong":
        read = f"as read, in {found.arithmetic}, it is {found.verdict}: {found.reason}"
        return replace(own, reason=f"{own.reason}; {read}", need=found.need, size=found.size)
    searched = own.searched.get("words_tried", 0)
    return replace(found, reading=f"{found.reading}; run as it is, it is right on {searched} words of the task")
