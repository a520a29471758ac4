"""The four main paths, recorded at run time: how many files each enters, so that none grows unseen.

``python tests/test_main_paths.py`` prints the files of each in order of first entry, with the moves into it.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ROOMS = tuple(f"{ROOT / room}{os.sep}" for room in ("ccsim", "protocols"))


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
        most=18,
    ),
    "file, model, audit": MainPath(
        """
import ccsim as cc
from ccsim.models.files import load_model
from ccsim.problems import dyck

file, task = f"{ROOT}/protocols/trained/dyck-lstm.safetensors", dyck(6)
cc.audit(load_model(file).model, dyck(4))
""",
        "cc.audit(load_model(file).model, task)",
        most=23,
    ),
    "statement, verdict": MainPath(
        """
from ccsim.claims import check
from protocols.papers import CLAIMS

claim = next(claim for claim in CLAIMS if claim.name == "bhattamishra2024-theorem-4")
setting = {"length": 16, "width": 8, "precision": 3}
check(claim, **setting)
""",
        "check(claim, **setting)",
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
        most=19,
    ),
}


def files_entered(path: MainPath) -> Counter[str]:
    """The files of the project in which something is called, in order of first entry, each with the moves into it."""
    namespace: dict[str, object] = {"ROOT": ROOT}
    exec(path.prepared, namespace)
    entered, last = Counter[str](), [""]

    def record(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name != last[0] and name.startswith(ROOMS):
            entered[os.path.relpath(name, ROOT)] += 1
            last[0] = name

    sys.setprofile(record)
    exec(path.recorded, namespace)
    sys.setprofile(None)
    return entered


def test_no_main_path_enters_more_files_than_it_did():
    """In a process of its own: a profile of a process that other tests have used may never end in Python 3.11."""
    ran = subprocess.run([sys.executable, __file__, "--json"], capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    for name, entered in json.loads(ran.stdout).items():
        assert 5 < len(entered) <= PATHS[name].most, (name, entered)


if __name__ == "__main__":
    found = {name: files_entered(path) for name, path in PATHS.items()}
    if "--json" in sys.argv:
        sys.stdout.write(json.dumps(found))
    else:
        for name, entered in found.items():
            listed = ", ".join(f"{file} {moves}" for file, moves in entered.items())
            sys.stdout.write(f"{name}: {len(entered)} files, {sum(entered.values())} moves\n    {listed}\n")
