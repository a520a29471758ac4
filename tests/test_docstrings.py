"""Everything that a face offers says what it is."""

import inspect
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
