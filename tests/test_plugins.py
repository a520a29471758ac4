"""What other packages register is found; what of it cannot be used is told in a line, and hurts nothing else."""

import json
import os
import subprocess
import sys

import pytest

from tests.slow import slow

GOOD = """
from ccsim.claims import Claim, Direction, Finding, Paper, Parameter
from ccsim.problems import TwoPartyFunction, equality
from ccsim.problems.catalogue import Problem
from ccsim.registry import ProtocolEntry
from protocols.classical import trivial

def my_function(n):
    return equality(n)

PROBLEMS = (Problem("my-function", "equality once more", my_function),)
PROTOCOLS = (ProtocolEntry("my-protocol", "my-function", "it is sent", lambda n: trivial(my_function(n)), (2,)),)
"""


@pytest.fixture
def package(tmp_path):
    """Make a package of this name, with a module and entry points, and what calls ``ccsim`` beside it."""

    def make(name, code, points):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        told = tmp_path / f"{name}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        text = "".join(f"[ccsim.{group}]\nadded = {name}:{what}\n" for group, what in points.items())
        (told / "entry_points.txt").write_text(text, encoding="utf-8")

    def call(*arguments):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
        command = [sys.executable, "-m", "ccsim", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)

    return make, call


def test_problems_and_protocols_of_another_package_are_found_under_its_name(package):
    make, call = package
    make("mine", GOOD, {"problems": "PROBLEMS", "protocols": "PROTOCOLS"})
    bounds = call("bounds", "my-function", "-n", "2", "--measure", "deterministic", "--json")
    assert json.loads(bounds.stdout)["lower"] == 3
    (row,) = json.loads(call("certify", "my-protocol", "--json").stdout)
    assert (row["paper"], row["verdict"]) == ("mine", "tight")
    assert bounds.stderr == ""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        slow("x = 1\n1 / 0", "mine.py:2)"),
        slow("import nothing_of_the_kind", "ModuleNotFoundError: No module named 'nothing_of_the_kind' ("),
        slow("def f(:", "SyntaxError"),
        slow("CLAIMS = (5,)", "expected Claim objects, not int"),
        slow("CLAIMS = 5", "not iterable"),
        slow("OTHERS = ()", "AttributeError"),
        slow("from protocols.papers import CLAIMS", "is a name of"),
    ],
)
def test_a_package_that_cannot_be_used_is_a_warning_and_nothing_more(package, code, said):
    make, call = package
    make("mine", code, {"claims": "CLAIMS"})
    done = call("certify", "communication-equality", "-n", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["verdict"] == "tight"
    first = done.stderr.splitlines()[0]
    assert first.startswith("ccsim: warning: added = mine:CLAIMS (ccsim.claims, package mine) is left out: ")
    assert said in first
