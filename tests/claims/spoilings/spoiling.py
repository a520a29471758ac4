"""One thing made wrong on purpose, and what must become of a claim's verdict."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from importlib import import_module
from typing import Any

from ccsim.claims import Word

# packages that keep what they once looked up in their modules
FACES = (
    "ccsim",
    "ccsim.auditing",
    "ccsim.bounds",
    "ccsim.certificates",
    "ccsim.claims",
    "ccsim.engine",
    "ccsim.models",
    "ccsim.plots",
    "ccsim.problems",
    "ccsim.problems.sequence",
    "protocols.constructions",
    "protocols.constructions.languages",
    "protocols.constructions.match3",
    "protocols.constructions.ngrams",
    "protocols.reductions",
    "protocols.reductions.max_logit",
    "protocols.reductions.one_way_error",
    "protocols.reductions.task_reductions",
)


@dataclass(frozen=True)
class Spoiling:
    """An attribute of a module or class, replaced while a claim is measured.

    Attributes:
        said: what is wrong then, in a few words.
        owner: the module, or ``module:Class``.
        attribute: what is replaced; a property is replaced by a property.
        wrap: from the original to what stands in its place.
        setting: where it is measured: put over the claim's first default setting.
        words: the verdicts that it may turn into.
        afterwards: whether the claim is measured before, and what that remembers is kept: a search for signs, say,
            that would find none while they are spoiled.
    """

    said: str
    owner: str
    attribute: str
    wrap: Callable[[Any], Any]
    setting: Mapping[str, int | str] = field(default_factory=dict)
    words: tuple[Word, ...] = (Word.BROKEN,)
    afterwards: bool = False

    def found(self):
        """The module or class, and what stands there."""
        module, _, name = self.owner.partition(":")
        owner = import_module(module)
        for part in name.split(".") if name else ():
            owner = getattr(owner, part)
        return owner, getattr(owner, self.attribute)

    @contextmanager
    def applied(self, monkeypatch):
        """While this holds, the code is spoiled."""
        owner, original = self.found()
        spoiled = self.wrap(original)
        faces = [face for face in map(import_module, FACES) if getattr(face, self.attribute, None) is original]
        if not self.afterwards:
            forget()
        try:
            with monkeypatch.context() as patched:
                for place in (owner, *faces):
                    patched.setattr(place, self.attribute, spoiled)
                yield
        finally:
            forget()


def forget():
    """Forget what functions of the code remember of their values, so that nothing spoiled lives on."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("ccsim.bounds", "ccsim.arithmetic", "protocols.")):
            for remembering in vars(module).values():
                if isinstance(remembering, _lru_cache_wrapper) and remembering.__module__ == name:
                    remembering.cache_clear()


def answers(change):
    """A function whose value is changed."""
    return lambda original: lambda *given, **options: change(original(*given, **options))


def instead(value):
    """A function that always gives this."""
    return lambda original: lambda *given, **options: value
