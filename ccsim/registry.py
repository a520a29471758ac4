"""Where the command line finds protocols: entry points, so that other packages can add theirs.

A package registers by naming, in the entry-point group ``ccsim.protocols``, a sequence of
:class:`ProtocolEntry`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from ccsim.engine.protocol import Protocol
from ccsim.errors import InputError
from ccsim.plain_data import meant
from ccsim.plugins import registered

GROUP = "ccsim.protocols"


@dataclass(frozen=True)
class ProtocolEntry:
    """A family of protocols with one size parameter.

    Attributes:
        name: what the command line calls it, in lower case with hyphens.
        problem: the name of the problem that it solves.
        summary: one line for people.
        build: makes the protocol of size n.
        sizes: small sizes at which every input can be explored in about a second.
        package: the package that registered it; filled in when it is found, empty for ccsim's own.
    """

    name: str
    problem: str
    summary: str
    build: Callable[[int], Protocol] = field(repr=False)
    sizes: tuple[int, ...]
    package: str = ""


@cache
def registered_protocols() -> dict[str, ProtocolEntry]:
    return {
        entry.name: replace(entry, package="" if plugin.own else plugin.package)
        for plugin, entry in registered(GROUP, ProtocolEntry)
    }


def find_protocol(name: str) -> ProtocolEntry:
    """The entry of this name; the error names the nearest ones."""
    known = registered_protocols()
    if name not in known:
        raise InputError("protocol", name, f"one of the {len(known)} that `ccsim list` shows{meant(name, known)}")
    return known[name]


def protocols_for(problem: str) -> list[ProtocolEntry]:
    """All protocols for a problem, the shortest name first."""
    entries = [entry for entry in registered_protocols().values() if entry.problem == problem]
    return sorted(entries, key=lambda entry: (len(entry.name), entry.name))
