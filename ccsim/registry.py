"""Where the command line finds protocols: entry points, so that other packages can add theirs.

A package registers by naming, in the entry-point group ``ccsim.protocols``, a sequence of
:class:`ProtocolEntry`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from ccsim.engine.protocol import Protocol
from ccsim.errors import InputError

__all__ = ["GROUP", "ProtocolEntry", "find_protocol", "protocols_for", "registered", "registered_protocols"]

GROUP = "ccsim.protocols"
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class ProtocolEntry:
    """A family of protocols with one size parameter.

    Attributes:
        name: what the command line calls it, in lower case with hyphens.
        problem: the name of the problem that it solves.
        summary: one line for people.
        build: makes the protocol of size n.
        sizes: small sizes at which every input can be explored in about a second.
        recheck: what a second computation finds wrong, from the size, the protocol, what was measured of it, and the
            seed of what was drawn; None if there is none.
    """

    name: str
    problem: str
    summary: str
    build: Callable[[int], Protocol] = field(repr=False)
    sizes: tuple[int, ...]
    recheck: Callable[..., Iterable[str]] | None = field(default=None, repr=False)


@cache
def registered_protocols() -> dict[str, ProtocolEntry]:
    """Every registered protocol by name; two packages that claim one name are an error."""
    found: dict[str, ProtocolEntry] = {}
    for point, entry in registered(GROUP, ProtocolEntry):
        if entry.name in found:
            raise InputError("protocol", entry.name, f"a name of its own (entry point {point})")
        found[entry.name] = entry
    return found


def registered(group: str, kind: type[Kind]) -> Iterator[tuple[str, Kind]]:
    """Everything that packages name in an entry-point group, each with the name of its entry point."""
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        for entry in _load(point, kind):
            if not isinstance(entry, kind):
                raise InputError(f"entry point {point.name}", entry, f"{kind.__name__} objects only")
            yield point.name, entry


def _load(point: EntryPoint, kind: type[object]) -> Iterable[object]:
    try:
        return tuple(point.load())
    except (ImportError, AttributeError, TypeError) as error:
        expected = f"a sequence of {kind.__name__} ({error})"
        raise InputError(f"entry point {point.name}", point.value, expected) from error


def find_protocol(name: str) -> ProtocolEntry:
    """The entry of this name; the error names the nearest ones."""
    known = registered_protocols()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise InputError("protocol", name, f"one of the {len(known)} that `ccsim list` shows{hint}")
    return known[name]


def protocols_for(problem: str) -> list[ProtocolEntry]:
    """All protocols for a problem, the shortest name first."""
    entries = [entry for entry in registered_protocols().values() if entry.problem == problem]
    return sorted(entries, key=lambda entry: (len(entry.name), entry.name))
