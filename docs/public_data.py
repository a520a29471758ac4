"""Public data of packages, such as tables by name, for the reference: each with its description where it is made."""

import inspect
import sys
from importlib import import_module
from types import ModuleType

from sphinx.pycode import ModuleAnalyzer


def data_of(package: str) -> dict[str, list[str]]:
    """The names of a package's data that is made in another module, each with the lines about it."""
    module = import_module(package)
    things = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    found = {name: _said(package, name, thing) for name, thing in things.items() if not _is_code(thing)}
    return {name: lines for name, lines in found.items() if lines}


def _is_code(thing: object) -> bool:
    return isinstance(thing, ModuleType) or inspect.isclass(thing) or inspect.isroutine(inspect.unwrap(thing))


def _said(package: str, name: str, thing: object) -> list[str]:
    """What is below it in the module where it is made; nothing if that is the package, described as a whole."""
    ours = [module for module in list(sys.modules.values()) if _ours(module)]
    homes = [module for module in ours if vars(module).get(name) is thing]
    for home in homes:
        analyser = ModuleAnalyzer.for_module(home.__name__)
        analyser.analyze()
        lines = analyser.attr_docs.get(("", name))
        if lines:
            return [] if home.__name__ == package else list(lines)
    return ["Data."]


def _ours(module: ModuleType) -> bool:
    return module.__name__.split(".")[0] in ("ccsim", "protocols")
