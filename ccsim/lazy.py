"""Public names: what a package offers is imported at first use, and a name of before warns for one release.

A package's ``__init__.py`` has one line, ``__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)``; its
stub ``__init__.pyi`` lists what it offers, one name a line, as in ``from .bits import Bits as Bits``.
"""

from __future__ import annotations

import sys
import warnings
from functools import wraps
from importlib import import_module
from types import FunctionType, ModuleType

TYPE_CHECKING = False  # the one of "typing", which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class _Package(ModuleType):
    """One that offers a function named like its module: importing the module does not hide the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__all__ or value is not sys.modules.get(f"{self.__name__}.{name}"):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return import_module, (self.__name__,)  # to another process by name, as other modules


def attach_stub(
    package: str, path: str, renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the stub beside its ``__init__.py`` at ``path``.

    A key of ``renamed`` is a name of before, which warns and gives what has the new name.
    """
    homes: dict[str, str] = {}
    with open(f"{path}i", encoding="utf-8") as stub:
        for words in map(str.split, stub):
            if words and words[0] == "from":  # without "re", which takes longer to import than this to run
                homes[words[3]] = words[1][1:]

    def load(name: str) -> Any:
        if renamed and name in renamed:
            _warn(f"{package}.{name}", f"{package}.{renamed[name]}")
            return getattr(sys.modules[package], renamed[name])
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = getattr(import_module(f"{package}.{home}"), name) if home else import_module(f"{package}.{name}")
        own = getattr(value, "__module__", None) or ""
        if home and own.startswith(package.partition(".")[0]):
            value = naming_arguments(value)
            vars(sys.modules[own])[name] = vars(sys.modules[f"{package}.{home}"])[name] = value  # one everywhere
        vars(sys.modules[package])[name] = value
        return value

    if any(home.partition(".")[0] == name for name, home in homes.items()):
        sys.modules[package].__class__ = _Package
    return load, lambda: sorted(homes), sorted(homes)


WRONG = AttributeError, IndexError, KeyError, TypeError, ValueError  # what a wrong kind leads to, some calls further on


RENAMED = {"time_limit": "seconds", "code": "label"}  # arguments by names that no function has any more


def naming_arguments(offered: Any) -> Any:
    """A function that names arguments of a wrong kind; a class likewise, when it is called and in its class methods."""
    if isinstance(offered, FunctionType) or hasattr(offered, "cache_clear"):
        return _guarded(offered)
    if isinstance(offered, type) and not issubclass(offered, BaseException):
        for name, member in list(vars(offered).items()):
            if name == "__init__" and isinstance(member, FunctionType):
                setattr(offered, name, _guarded(member))
            elif isinstance(member, classmethod) and not name.startswith("_"):
                setattr(offered, name, classmethod(_guarded(member.__func__)))
    return offered


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except WRONG as error:
            old = [name for name in named if isinstance(error, TypeError) and name in RENAMED]
            for name in old:
                _warn(f"{function.__name__}({name}=...)", f"{function.__name__}({RENAMED[name]}=...)")
            if old:
                return call(*args, **{RENAMED.get(name, name): value for name, value in named.items()})
            checked = isinstance(error, ValueError) and type(error) is not ValueError  # it says already what is wrong
            wrong = None if checked else import_module("ccsim.argument_kinds").wrong_argument(function, args, named)
            if wrong is None:
                raise
            raise import_module("ccsim.errors").InputError(*wrong) from error

    for name in ("cache_clear", "cache_info"):
        if hasattr(function, name):
            setattr(call, name, getattr(function, name))
    return call


class Renamed:
    """An attribute of a class by its name of before, which warns for one release.

    >>> class Verdict:
    ...     sentence = "It holds."
    ...     told = Renamed("sentence")
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     print(Verdict().told)
    It holds.
    >>> print(caught[0].message)
    Verdict.told is now Verdict.sentence; the old name goes with the next release
    """

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.old, self.owner = name, owner.__name__

    def __get__(self, instance: object, owner: type) -> Any:
        _warn(f"{self.owner}.{self.old}", f"{self.owner}.{self.new}")
        return getattr(owner if instance is None else instance, self.new)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{old} is now {new}; the old name goes with the next release", DeprecationWarning, stacklevel=3)


class _Missing(ModuleType):
    def __init__(self, name: str, extra: str) -> None:
        super().__init__(name)
        self._extra = extra

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # tools look for these in whatever they meet
            raise AttributeError(name)
        raise import_module("ccsim.errors").NotInstalledError(self.__name__, self._extra)


def load(name: str, extra: str = "") -> Any:
    """The library of that name, which is imported when one of its attributes is used.

    One that an ``extra`` brings may be missing: its use raises :class:`~ccsim.errors.NotInstalledError`.
    """
    if name not in sys.modules:
        from importlib import util  # which takes longer to import than all of ccsim that "ccsim verify" needs

        spec = util.find_spec(name)
        if spec is None or spec.loader is None:
            if extra:
                return _Missing(name, extra)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        sys.modules[name] = util.module_from_spec(spec)
        util.LazyLoader(spec.loader).exec_module(sys.modules[name])
    return sys.modules[name]
