"""Any certificate of at most 4 MB is checked or refused within 30 s and 1 GB, however it was made, on a machine that is
as fast as the one on which the limit was chosen.

Most are tried with a sixteenth of the work that the checker spends, and within a sixth of the time: what it charges
for is the same, and all of them together take minutes.
"""

import json
import math
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccsim.certificates import verify as checker
from tests.certificates import adversaries
from tests.certificates.adversaries import CASES, MOST
from tests.speed import patient

SECONDS, BYTES, SHARE = 30, 1 << 30, 16
PROGRAM = """
import sys
sys.path.insert(0, {place!r})
import verify
verify.claims.MOST_WORK //= {share}
sys.exit(verify.main(["case.json"]))
"""
QUICK = ("a_fooling_search", "a_large_field", "a_split_with_one_core")


def outcome(data, folder, share=SHARE):
    """What the checker says in a process of its own, with a share of its work and of its time."""
    text = json.dumps(data, separators=(",", ":"))
    assert len(text) <= MOST
    (folder / "case.json").write_text(text)
    seconds = math.ceil(patient(SECONDS if share == 1 else SECONDS / 6, time.process_time))

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # its own seconds, whatever else the machine does
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))

    program = PROGRAM.format(place=str(Path(checker.__file__).parent.parent), share=share)
    command = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=limited, check=False)
    assert done.stderr == "", done.stderr[-500:]
    assert done.stdout.startswith(("accepted", "refused")), done.returncode
    assert "MemoryError" not in done.stdout
    return done.stdout


@pytest.mark.parametrize("name", QUICK)
def test_hard_certificates_are_soon_checked_or_refused(name, tmp_path):
    outcome(CASES[name](), tmp_path, share=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_all_hard_certificates_are_checked_or_refused_in_time(name, tmp_path):
    outcome(CASES[name](), tmp_path)


def test_every_kind_of_witness_has_its_adversary():
    kinds = {kind for checkers in checker.claims.PROVES.values() for kind in checkers}
    made = Path(adversaries.__file__).read_text(encoding="utf-8")
    assert kinds - set(re.findall(r'(?:hard\(|"kind": )"([a-z0-9-]+)"', made)) == set()
