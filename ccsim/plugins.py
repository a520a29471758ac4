"""What other packages add by entry points. What of theirs cannot be used is told, and nothing else is hurt by it."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple, Protocol, TypeVar

from ccsim.errors import PluginWarning

OWN = "ccsim"


class Named(Protocol):
    """What packages add: it has a name of its own."""

    @property
    def name(self) -> str:
        """What the command line calls it."""


Kind = TypeVar("Kind", bound=Named)


class Plugin(NamedTuple):
    """Where something was registered: the package, the group, and the entry point's name and value."""

    package: str
    group: str
    name: str
    value: str

    @property
    def own(self) -> bool:
        """Whether it is this package's own."""
        return self.package == OWN

    def __str__(self) -> str:
        return f"{self.name} = {self.value} ({self.group}, package {self.package})"


def registered(group: str, kind: type[Kind], known: Iterable[str] = ()) -> Iterator[tuple[Plugin, Kind]]:
    """Everything of a kind that packages name in an entry-point group, those of this package first.

    An entry point that fails, that is no sequence of such things, or that gives a name which is taken, is passed over
    with a :class:`PluginWarning` that says which package, which entry point, and the line of the error. Names that are
    ``known`` are taken from the beginning.
    """
    taken: dict[str, object] = dict.fromkeys(known, OWN)
    points = [(_plugin(point), point) for point in entry_points(group=group)]
    for plugin, point in sorted(points, key=lambda pair: (not pair[0].own, pair[0])):
        for entry in _load(plugin, point):
            if not isinstance(entry, kind):
                _warn(plugin, f"expected {kind.__name__} objects, not {type(entry).__name__}")
            elif entry.name in taken:
                _warn(plugin, f"{entry.name} is a name of {taken[entry.name]} already")
            else:
                taken[entry.name] = plugin
                yield plugin, entry


def _plugin(point: EntryPoint) -> Plugin:
    return Plugin(point.dist.name if point.dist else "", point.group, point.name, point.value)


def _load(plugin: Plugin, point: EntryPoint) -> tuple[object, ...]:
    try:
        return tuple(point.load())
    except Exception as error:  # whatever the code of others does
        _warn(plugin, f"{type(error).__name__}: {error}{_place(error)}")
        return ()


def _place(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return ""  # it names its line itself
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames[1:] if "importlib" not in frame.filename]
    return f" ({own[-1].filename}:{own[-1].lineno})" if own else ""


def _warn(plugin: Plugin, why: str) -> None:
    warnings.warn(f"{plugin} is left out: {why}", PluginWarning, stacklevel=2)
