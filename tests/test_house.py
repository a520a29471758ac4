"""The house keeps its plan: no import comes back to where it began, and none goes up."""

import ast
import re
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import cloudpickle
import networkx
import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("ccsim", "protocols")
MOST_INNER = 20


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def files():
    """Every module with its files: a face has two, what it is and what it offers."""
    found = {}
    for room in ROOMS:
        for path in sorted([*(ROOT / room).rglob("*.py"), *(ROOT / room).rglob("*.pyi")]):
            found.setdefault(module_of(path), []).append(path)
    return found


@cache
def imports():
    """Every import statement: its module and file, and whether it stands in a function."""
    return [
        (module, path, *found)
        for module, paths in files().items()
        for path in paths
        for found in statements(ast.parse(path.read_text(encoding="utf-8")), False)
    ]


def statements(node, inner):
    """The imports among the statements in a statement; expressions have none."""
    inner = inner or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, block, ()):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                yield child, inner
            elif hasattr(child, "body") or hasattr(child, "cases"):
                yield from statements(child, inner)


def imported(module, node):
    """The modules of the project that an import statement names."""
    known = files()
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name in known]
    base = ".".join(part for part in ((module if node.level else ""), node.module or "") if part)
    names = [f"{base}.{alias.name}" for alias in node.names]
    return [name if name in known else base for name in names if name in known or base in known]


@cache
def house():
    graph = networkx.DiGraph()
    graph.add_nodes_from(files())
    for module, _, node, _ in imports():
        graph.add_edges_from((module, other) for other in imported(module, node) if other != module)
    return graph


def test_no_import_comes_back_to_where_it_began():
    loop = next(iter(networkx.simple_cycles(house())), [])
    assert not loop, " -> ".join([*loop, loop[0]])


def layers():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = re.search(r"^\| layer \|.*?\n\n", text, re.MULTILINE | re.DOTALL)[0]
    rows = [line.split("|") for line in table.splitlines()[2:] if line]
    return {room: place for place, row in enumerate(rows) for room in re.findall(r"`([\w.]+)`", row[2])}


def room_of(module):
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "protocols" else parts[1]


def test_no_import_goes_up():
    plan = layers()
    inside = [module for module in house() if "." in module]
    assert {room_of(module) for module in inside} == set(plan)
    for module in inside:
        for other in house().successors(module):
            if other != "ccsim":  # the face of all, which only what stands above may use
                assert plan[room_of(other)] <= plan[room_of(module)], f"{module} imports {other}, which is above it"
            else:
                assert plan[room_of(module)] >= plan["displays"], f"{module} imports the face of ccsim"


def inner_imports():
    for _, path, node, inner in imports():
        if inner:
            lines = path.read_text(encoding="utf-8").splitlines()
            yield f"{path.relative_to(ROOT)}:{node.lineno}", "\n".join(lines[node.lineno - 3 : node.lineno])


def test_imports_stand_at_the_head_of_files_but_for_a_few_with_their_reasons():
    found = dict(inner_imports())
    assert len(found) < MOST_INNER, sorted(found)
    assert not [place for place, text in found.items() if "#" not in text and "except ImportError" not in text]


def test_no_two_classes_have_one_name():
    places = {}
    for module, paths in files().items():
        for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert not {name: modules for name, modules in places.items() if len(modules) > 1}


SOLVERS = re.compile(r"scipy\.optimize\.\w|\bpysat\b|\bhighspy\b|\bortools\b|\bcvxpy\b")


def test_solvers_of_others_are_called_in_one_place():
    """Where their own output is kept off stdout and stderr."""
    found = [path.name for paths in files().values() for path in paths if SOLVERS.search(path.read_text("utf-8"))]
    assert found == ["solvers.py"]


ABSOLUTE = re.compile(
    r"(monotonic|perf_counter|process_time|time)\(\)( - \w+)? <=? [\d(]"
    r"|\btimeout=\d|\.(wait|next|join)\(\d\d|RLIMIT_CPU, \(?\d"
)


def test_no_test_has_a_limit_in_absolute_seconds():
    """They are relative to a reference loop: ``tests.speed.patient``."""
    found = {
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / "tests").rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if ABSOLUTE.search(line) and path.name != "test_house.py"
    }
    assert found == set()


@pytest.mark.parametrize("face", ["ccsim.engine", "ccsim.problems", "protocols.constructions", "protocols.reductions"])
def test_what_leans_on_a_face_is_handed_to_another_process(face):
    """A function of a notebook goes there by value, and the faces that it leans on by name."""
    code = f"from importlib import import_module\nface = import_module({face!r})\ndef given(): return face\n"
    notebook = {"__name__": "__main__"}
    exec(code, notebook)
    assert cloudpickle.loads(cloudpickle.dumps(notebook["given"]))() is import_module(face)


@cache
def sizes():
    spec = spec_from_file_location("size", ROOT / ".ci" / "size.py")
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_no_room_is_larger_than_its_budget():
    budget = tomllib.loads((ROOT / ".ci" / "budget.toml").read_text(encoding="utf-8"))
    rooms = sizes().measured()
    assert sizes().above_budget(rooms, budget) == []
    assert set(budget) == set(rooms), "a room that is gone keeps no budget"
