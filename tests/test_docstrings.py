"""Everything that a face offers says what it is."""

import inspect
import re
from enum import Enum
from importlib import import_module

from tests.test_house import files


def public_objects(module):
    """Classes and functions that a face offers, with their public methods and properties."""
    for name in module.__all__:
        thing = inspect.unwrap(getattr(module, name))  # what is kept in a cache is a function, too
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for part, member in vars(thing).items():
                own = inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
                if own and not part.startswith("_") and part not in getattr(thing, "__dataclass_fields__", ()):
                    yield f"{name}.{part}", inspect.getattr_static(thing, part)


def says_nothing(name, thing):
    """Whether there is no docstring, or the one that a dataclass makes of its fields."""
    told = inspect.getdoc(getattr(thing, "__func__", thing)) or ""
    return not told or told.startswith(f"{name}(")


def test_everything_offered_has_a_docstring():
    for face in (import_module(name) for name, paths in files().items() if paths[0].stem == "__init__"):
        if getattr(face, "__all__", ()):
            assert face.__doc__, face
            assert not [place for place, thing in public_objects(face) if says_nothing(place, thing)], face


def offered_classes():
    """Classes of one's own to make: not errors, enumerations and what is only a base."""
    for face in (import_module(name) for name, paths in files().items() if paths[0].stem == "__init__"):
        for name in getattr(face, "__all__", ()):
            thing = getattr(face, name)
            if inspect.isclass(thing) and not issubclass(thing, (Exception, Enum)):
                yield thing


def test_a_class_has_a_signature_and_errors_of_its_own():
    for thing in offered_classes():
        parameters = inspect.signature(thing).parameters.values()
        assert not [one for one in parameters if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD)], thing
        maker = thing.__new__ if issubclass(thing, tuple) else thing.__init__
        assert not parameters or maker.__qualname__.startswith(f"{thing.__name__}."), thing


def test_a_class_documents_each_of_its_arguments():
    """In its docstring, that of its ``__init__``, or that of a class above it."""
    for thing in offered_classes():
        above = [one for one in thing.__mro__ if one.__module__.startswith(("ccsim", "protocols"))]
        told = re.sub(">>>.*", "", " ".join(f"{one.__doc__} {one.__init__.__doc__}" for one in above))
        missing = [name for name in inspect.signature(thing).parameters if not re.search(rf"\b{name}\b", told)]
        assert not missing, (thing, missing)
