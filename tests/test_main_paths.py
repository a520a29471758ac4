"""The four main paths, recorded at run time: how many files each enters, so that none grows unseen.

``python tests/test_main_paths.py`` prints the files of each in order of first entry, with the moves into it.
"""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]


class MainPath(NamedTuple):
    """What is imported and built beforehand, what is recorded, and how many files it may enter."""

    prepared: str
    recorded: str
    most: int


PATHS = {
    "matrix, bracket, certificate": MainPath(
        """
import ccsim as cc
from ccsim.problems import equality

matrix = equality(2).matrix
cc.bounds.deterministic(equality(1).matrix).certificate.verify()
""",
        "cc.bounds.deterministic(matrix).certificate.verify()",
        most=17,
    ),
    "file, model, audit": MainPath(
        """
import ccsim as cc
from ccsim.models.files import load_model
from ccsim.problems import dyck

file, task = "protocols/trained/dyck-lstm.safetensors", dyck(6)
cc.audit(load_model(file).model, dyck(4))
""",
        "cc.audit(load_model(file).model, task)",
        most=22,
    ),
    "statement, verdict": MainPath(
        """
from ccsim.claims import check
from protocols.papers import CLAIMS

claim = next(claim for claim in CLAIMS if claim.name == "bhattamishra2024-theorem-4")
setting = claim.settings()[0]
check(claim, **setting)
""",
        "assert check(claim, **setting).checked",
        most=24,
    ),
    "word, protocol, transcript": MainPath(
        """
import ccsim as cc
from protocols.reductions import max_logit_softmax

def protocol():
    model = cc.models.OneLayerTransformer.random("()[]", length=4, width=8, heads=2, precision=12, seed=0)
    return max_logit_softmax(model, cc.Partition.odd_even(4))

protocol().run("([", "])")
""",
        'protocol().run("([", "])")',
        most=18,
    ),
}

RECORDER = """
import os, sys

entered, last = {}, None


def record(frame, event, _):
    global last
    name = os.path.relpath(frame.f_code.co_filename)
    if event == "call" and name.startswith(("ccsim" + os.sep, "protocols" + os.sep)) and name != last:
        entered[name] = entered.get(name, 0) + 1
        last = name
"""


def files_entered(path: MainPath) -> dict[str, int]:
    """The files of the project in which something is called, in order of first entry, each with the moves into it."""
    parts = [RECORDER, path.prepared, "sys.setprofile(record)", path.recorded, "sys.setprofile(None)"]
    code = "\n".join([*parts, "for name in entered: print(name, entered[name])"])
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    return {name: int(moves) for name, moves in (line.rsplit(maxsplit=1) for line in ran.stdout.splitlines())}


@pytest.mark.parametrize("name", PATHS)
def test_no_main_path_enters_more_files_than_it_did(name):
    entered = files_entered(PATHS[name])
    assert 5 < len(entered) <= PATHS[name].most, "\n".join(entered)


if __name__ == "__main__":
    for name, path in PATHS.items():
        entered = files_entered(path)
        listed = ", ".join(f"{file} {moves}" for file, moves in entered.items())
        sys.stdout.write(f"{name}: {len(entered)} files, {sum(entered.values())} moves\n    {listed}\n")
