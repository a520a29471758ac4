"""What the commands that need little import: a fresh process runs one after the other, and names what is loaded."""

import json
import subprocess
import sys

import pytest

from ccsim.bounds import deterministic
from ccsim.cli import main
from ccsim.cli.app import run_app
from ccsim.problems import equality

HEAVY = ("typer", "numpy", "scipy", "sympy", "networkx", "matplotlib", "rich")
RUN = """
import json, sys
from ccsim.cli import main
loaded = []
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as ended:
        packages = {name.partition(".")[0] for name in sys.modules if "." in name}  # a lazy one has no modules yet
        loaded.append([ended.code, [name for name in json.loads(sys.argv[2]) if name in packages]])
sys.stderr.write(json.dumps(loaded))
"""


def test_commands_that_need_little_import_little(tmp_path):
    path = tmp_path / "certificate.json"
    deterministic(equality(2)).certificate.save(path)
    commands = [["--version"], ["verify", str(path)], ["--help"], ["verify", "--help"], ["list"]]
    command = [sys.executable, "-c", RUN, json.dumps(commands), json.dumps(HEAVY)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stderr) == [
        [0, []],
        [0, []],
        [0, ["typer"]],
        [0, ["typer"]],
        [0, ["typer", "numpy"]],
    ]


def test_files_are_verified_alike_with_and_without_typer(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)
    path, other = tmp_path / "certificate.json", tmp_path / "other\n.json"
    deterministic(equality(2)).certificate.save(path)
    other.write_text("{}", encoding="utf-8")
    for files in ([path], [path, other], [tmp_path / "none"], [tmp_path], [""]):
        arguments = ["verify", *map(str, files)]
        code = run_app(arguments)
        expected = code, capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert (ended.value.code, capfd.readouterr()) == expected
