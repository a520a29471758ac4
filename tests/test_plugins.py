"""What other packages register is found; what of it cannot be used is told in a line, and hurts nothing else."""

import json
import sys

import pytest

from ccsim import registry
from ccsim.claims import check, registered_claims
from ccsim.cli.app import run_app

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
def ccsim(tmp_path, monkeypatch, capsys):
    """Make a package of one module with entry points, and what calls ``ccsim`` beside it."""

    def make(code, points):
        (tmp_path / "mine.py").write_text(code, encoding="utf-8")
        told = tmp_path / "mine-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n", encoding="utf-8")
        text = "".join(f"[ccsim.{group}]\nadded = mine:{what}\n" for group, what in points.items())
        (told / "entry_points.txt").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        registry.registered_protocols.cache_clear()

    def call(*arguments):
        code = run_app([*arguments, "--json"])
        told = capsys.readouterr()
        assert code == 0, told.err
        return json.loads(told.out), told.err

    yield make, call
    registry.registered_protocols.cache_clear()
    sys.modules.pop("mine", None)


def test_problems_and_protocols_of_another_package_are_found_under_its_name(ccsim):
    make, call = ccsim
    make(GOOD, {"problems": "PROBLEMS", "protocols": "PROTOCOLS"})
    assert call("bounds", "my-function", "-n", "2", "--measure", "deterministic")[0]["lower"] == 3
    found, warned = call("run", "my-protocol", "-n", "2")
    assert (found["protocol"], found["correct"], warned) == ("my-protocol", True, "")
    claim = registered_claims()["my-protocol"]
    assert (claim.paper.name, check(claim, length=2).word) == ("mine", "tight")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1\n1 / 0", "mine.py:2)"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named 'nothing_of_the_kind' ("),
        ("def f(:", "SyntaxError"),
        ("CLAIMS = (5,)", "expected Claim objects, not int"),
        ("CLAIMS = 5", "not iterable"),
        ("OTHERS = ()", "AttributeError"),
        ("from protocols.papers import CLAIMS", "is a name of"),
    ],
)
def test_a_package_that_cannot_be_used_is_a_warning_and_nothing_more(ccsim, code, said):
    make, call = ccsim
    make(code, {"claims": "CLAIMS"})
    listed, warned = call("list", "claims")
    assert len(listed["claims"]) > 100
    first = warned.splitlines()[0]
    assert first.startswith("ccsim: warning: added = mine:CLAIMS (ccsim.claims, package mine) is left out: ")
    assert said in first
