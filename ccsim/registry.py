"""Entry points: what packages add, and the protocols among it.

A package adds a protocol by naming, in the entry-point group ``ccsim.protocols``, a sequence of :class:`ProtocolEntry`.
An entry point that cannot be used is reported and skipped.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple, TypeVar

from ccsim.engine.protocol import Protocol
from ccsim.errors import InputError, PluginWarning
from ccsim.plain_data import meant

__all__ = ["ProtocolEntry", "find_protocol", "protocols_for", "registered_protocols"]

OWN = "ccsim"
Kind = TypeVar("Kind", bound=Any)  # with a name of its own


class Plugin(NamedTuple):
    package: str
    group: str
    name: str
    value: str

    @property
    def own(self) -> bool:
        return self.package == OWN

    def __str__(self) -> str:
        return f"{self.name} = {self.value} ({self.group}, package {self.package})"


def registered(group: str, kind: type[Kind], known: Iterable[str] = ()) -> Iterator[tuple[Plugin, Kind]]:
    """What packages name in an entry-point group, ours first; what cannot be used or is taken is warned of."""
    taken: dict[str, object] = dict.fromkeys(known, OWN)
    points = [
        (Plugin(point.dist.name if point.dist else "", group, point.name, point.value), point)
        for point in entry_points(group=group)
    ]
    for plugin, point in sorted(points, key=lambda pair: (not pair[0].own, pair[0])):
        for entry in _load(plugin, point):
            if not isinstance(entry, kind):
                _warn(plugin, f"expected {kind.__name__} objects, not {type(entry).__name__}")
            elif entry.name in taken:
                _warn(plugin, f"{entry.name} is a name of {taken[entry.name]} already")
            else:
                taken[entry.name] = plugin
                yield plugin, entry


def _load(plugin: Plugin, point: EntryPoint) -> tuple[object, ...]:
    try:
        return tuple(point.load())
    except Exception as error:  # whatever the code of others does
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames[1:] if "importlib" not in frame.filename]
        named = isinstance(error, SyntaxError) or not own  # a syntax error names its line itself
        place = "" if named else f" ({own[-1].filename}:{own[-1].lineno})"
        _warn(plugin, f"{type(error).__name__}: {error}{place}")
        return ()


def _warn(plugin: Plugin, why: str) -> None:
    warnings.warn(f"{plugin} is left out: {why}", PluginWarning, stacklevel=2)


GROUP = "ccsim.protocols"


@dataclass(frozen=True)
class ProtocolEntry:
    """A family of protocols with one size parameter: a name, the problem that it solves, and what builds size n.

    At ``sizes`` every input can be explored in about a second; ``package`` registered it, and is empty for ours.
    """

    name: str
    problem: str
    summary: str
    build: Callable[[int], Protocol] = field(repr=False)
    sizes: tuple[int, ...]
    package: str = ""


@cache
def registered_protocols() -> dict[str, ProtocolEntry]:
    """Every protocol that comes with ccsim or that a package adds, by name."""
    return {
        entry.name: replace(entry, package="" if plugin.own else plugin.package)
        for plugin, entry in registered(GROUP, ProtocolEntry)
    }


def find_protocol(name: str) -> ProtocolEntry:
    """The protocol of that name; an :class:`~ccsim.errors.InputError` names what may have been meant."""
    known = registered_protocols()
    if name not in known:
        raise InputError("protocol", name, f"one of the {len(known)} that `ccsim list` shows{meant(name, known)}")
    return known[name]


def protocols_for(problem: str) -> list[ProtocolEntry]:
    """The protocols for a problem, the shortest name first."""
    entries = [entry for entry in registered_protocols().values() if entry.problem == problem]
    return sorted(entries, key=lambda entry: (len(entry.name), entry.name))
