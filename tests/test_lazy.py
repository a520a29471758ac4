"""Public names: each is imported at first use, and those of before warn."""

import ast
import pickle
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from ccsim import lazy
from ccsim.errors import NotInstalledError

ROOT = Path(__file__).parents[1]
FACES = sorted(path.parent for room in ("ccsim", "protocols") for path in (ROOT / room).rglob("__init__.pyi"))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a function named like its module, and one that was named otherwise."""
    folder = tmp_path / "taught"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from ccsim import lazy\n"
        "__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__, {'dealt': 'partition'})\n"
    )
    (folder / "__init__.pyi").write_text(
        "from . import plain as plain\n"
        "from .partition import Split as Split\n"
        "from .partition import limited as limited\n"
        "from .partition import partition as partition\n"
    )
    (folder / "plain.py").write_text("")
    (folder / "partition.py").write_text(
        "from ccsim.lazy import Renamed\n"
        "def partition(): return 'partition'\n"
        "def limited(label, *, seconds=1): return label, seconds\n"
        "class Split:\n    parts = 2\n    told = Renamed('parts')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("taught")
    for name in [name for name in sys.modules if name.partition(".")[0] == "taught"]:
        del sys.modules[name]


@pytest.mark.parametrize("face", FACES, ids=lambda path: path.name)
def test_a_package_offers_what_its_stub_lists(face):
    module = import_module(".".join(face.relative_to(ROOT).parts))
    stub = ast.parse((face / "__init__.pyi").read_text(encoding="utf-8"))
    listed = [alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert module.__all__ == dir(module) == sorted(listed)
    assert all(hasattr(module, name) for name in listed)


def test_names_are_imported_at_first_use(package):
    assert "taught.partition" not in sys.modules
    assert package.partition() == "partition"
    assert package.plain is import_module("taught.plain")
    with pytest.raises(AttributeError, match=r"'taught'.*'other'"):
        package.other  # noqa: B018


def test_a_module_does_not_hide_the_function_of_its_name(package):
    import_module("taught.partition")
    assert package.partition() == "partition"
    assert pickle.loads(pickle.dumps(package)) is package


def test_old_names_warn_where_they_are_used_and_give_what_has_the_new_name(package):
    with pytest.warns(DeprecationWarning, match=r"taught\.dealt.*taught\.partition") as caught:
        assert package.dealt is package.partition
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(DeprecationWarning, match=r"Split\.told.*Split\.parts") as caught:
        assert package.Split().told == 2
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(DeprecationWarning, match=r"limited\(\w+=\.\.\.\) is now limited\((label|seconds)=") as caught:
        assert package.limited(code=0, time_limit=2.0) == (0, 2.0)
    assert [warning.filename for warning in caught] == [__file__, __file__]
    with pytest.raises(TypeError, match="limit"):
        package.limited(0, limit=2)


def test_a_library_is_imported_when_it_is_used(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text("import sys\nsys.slow = 'imported'\nvalue = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "slow", "not yet", raising=False)
    library = lazy.load("slow_to_import")
    assert sys.slow == "not yet"
    assert (library.value, sys.slow) == (3, "imported")
    assert lazy.load("slow_to_import") is library
    del sys.modules["slow_to_import"]
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        lazy.load("no_such_library")


def test_a_library_of_an_extra_that_is_missing_is_named_with_its_extra_when_it_is_used():
    library = lazy.load("no_such_library", extra="files")
    assert not hasattr(library, "__wrapped__")  # what tools look for
    with pytest.raises(NotInstalledError, match=r"no_such_library.*pip install 'ccsim\[files\]'") as caught:
        library.read()
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ImportError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_each_extra_that_is_named_is_one():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    paths = [path for room in ("ccsim", "protocols", "docs") for path in (ROOT / room).rglob("*.[pm][yd]")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*paths, ROOT / "README.md"])
    named = re.findall(r"ccsim\[(\w+)\]", text) + re.findall(r'lazy\.load\("[\w.]+", extra="(\w+)"\)', text)
    assert {"files", "plot", "cluster"} <= set(named) <= project["optional-dependencies"].keys()
    developed = set(project["optional-dependencies"]["dev"])
    assert all(
        set(project["optional-dependencies"][name]) <= developed for name in ("files", "plot", "onnx", "cluster")
    )
