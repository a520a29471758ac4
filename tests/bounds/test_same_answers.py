"""The same command gives the same brackets and the same certificates, whatever order sets of a process have."""

import json
import os
import subprocess
import sys

from tests.test_cli import ccsim

__all__ = ["ccsim"]

COMMAND = ["bounds", "clique-independent-set", "-n", "4", "--measure", "cover", "--json", "--save", "saved.json"]


def without_seconds(text):
    return json.loads(text, object_hook=lambda data: {key: data[key] for key in data if key != "seconds"})


def saved(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_brackets_and_certificates_do_not_depend_on_the_process(tmp_path, monkeypatch, ccsim):
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
    monkeypatch.chdir(here)
    code, printed, _ = ccsim(*COMMAND)
    assert code == 0
    seed = {**os.environ, "PYTHONHASHSEED": "77"}
    ran = subprocess.run(
        [sys.executable, "-m", "ccsim", *COMMAND], cwd=elsewhere, env=seed, capture_output=True, check=True
    )
    assert without_seconds(printed) == without_seconds(ran.stdout)
    assert len(saved(here)) > 1
    assert saved(here) == saved(elsewhere)
