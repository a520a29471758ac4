"""The same command gives the same brackets and the same certificates, whatever order sets of a process have."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def bounds(folder, seed):
    """What is saved, and what is told without the seconds."""
    folder.mkdir()
    command = [sys.executable, "-m", "ccsim", "bounds", "clique-independent-set", "-n", "4"]
    command += ["--measure", "cover", "--json", "--save", "saved.json"]
    ran = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True
    )
    told = json.loads(ran.stdout, object_hook=lambda data: {key: data[key] for key in data if key != "seconds"})
    return told, {path.name: path.read_bytes() for path in folder.iterdir()}


def test_brackets_and_certificates_do_not_depend_on_the_process(tmp_path):
    one, other = (bounds(tmp_path / str(seed), seed) for seed in (1, 77))
    assert len(one[1]) > 1
    assert one == other
