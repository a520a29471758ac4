"""What the commands that need little import: a fresh process runs one after the other, and names what is loaded."""

import json
import subprocess
import sys

import pytest
from typer.main import get_command

from ccsim.bounds import deterministic
from ccsim.cli import main
from ccsim.cli.app import app, run_app
from ccsim.cli.commands import COMMANDS, OPTIONS, WIDEST, help_text
from ccsim.problems import equality

HEAVY = ("typing", "dataclasses", "pathlib", "inspect", "typer", "numpy", "scipy", "sympy", "networkx", "rich")
FEW = 60  # modules beside those of ccsim
RUN = """
import sys
began = set(sys.modules)
import json
from ccsim.cli import main
loaded = []
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as ended:
        names = sys.modules.keys() - began
        names = {name for name in names if "_Lazy" not in type(sys.modules[name]).__name__}  # those are not loaded yet
        others = [name for name in names if name.partition(".")[0] != "ccsim"]
        loaded.append([ended.code, len(others), [name for name in json.loads(sys.argv[2]) if name in names]])
sys.stderr.write(json.dumps(loaded))
"""


def loaded_by(*commands):
    """By a fresh process that runs them one after the other: code, how many modules, and which heavy ones."""
    command = [sys.executable, "-c", RUN, json.dumps(commands), json.dumps(HEAVY)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stderr)


def test_commands_that_need_little_import_little(tmp_path):
    path = str(tmp_path / "certificate.json")
    deterministic(equality(2)).certificate.save(path)
    for code, count, heavy in loaded_by(["--version"], ["verify", path], ["--help"]):
        assert (code or 0, heavy) == (0, [])
        assert count < FEW


def test_what_is_listed_needs_numpy_but_no_library_of_the_command_line():
    (code, _, heavy), *_ = loaded_by(["list"], ["list", "problems"])
    assert code == 0
    assert heavy == ["typing", "dataclasses", "pathlib", "inspect", "numpy"]


def test_covers_need_no_scipy(tmp_path):
    """Their linear programs are given to HiGHS directly."""
    path = tmp_path / "crown.txt"
    path.write_text("\n".join(" ".join(str(int(x != y)) for y in range(7)) for x in range(7)))
    ((code, _, heavy),) = loaded_by(["bounds", str(path), "--measure", "cover"])
    assert code == 0
    assert "scipy" not in heavy


def test_commands_do_alike_with_and_without_typer(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)
    path, other = tmp_path / "certificate.json", tmp_path / "other\n.json"
    deterministic(equality(2)).certificate.save(path)
    other.write_text("{}", encoding="utf-8")
    files = ([path], [path, other], [tmp_path / "none"], [tmp_path], [""], [])
    others = (["-h"], ["--help"], ["--version"], ["list"], ["list", "claims"], ["list", "none"])
    for arguments in [*(["verify", *map(str, some)] for some in files), *others]:
        code = run_app(arguments)
        expected = code, capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert (ended.value.code or 0, capfd.readouterr()) == expected


def test_the_page_of_help_has_the_options_and_commands_that_there_are():
    command = get_command(app)
    context = command.make_context("ccsim", [])
    options = [", ".join(sorted(one.opts, key=len)) for one in command.get_params(context)]
    assert sorted(options) == sorted(OPTIONS)
    assert list(command.commands) == list(COMMANDS)
    assert max(map(len, help_text().splitlines())) < WIDEST
