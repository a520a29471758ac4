"""The documentation: its examples and commands run as printed, and what is generated is what the program says."""

import doctest
import importlib
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ccsim
import protocols
from ccsim.certificates.verify import MEASURES, PROVES
from ccsim.cli.app import run_app
from ccsim.problems import dyck

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WRITTEN = sorted(path for path in DOCS.rglob("*.md") if path.name not in ("command_line.md", "claims_table.md"))
PAGES = [path for path in WRITTEN if ">>> " in path.read_text(encoding="utf-8")]
INSTALLS = re.compile(r"^(python -m (pip|venv)|\. )")


def commands_of(path):
    blocks = re.findall(r"^```console\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


COMMANDS = {path: found for path in [*WRITTEN, ROOT / "CONTRIBUTING.md"] if (found := commands_of(path))}


def load_generator():
    specification = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_examples_print_what_they_say(path):
    options = doctest.NORMALIZE_WHITESPACE
    assert doctest.testfile(str(path), module_relative=False, optionflags=options).failed == 0


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_commands_run_as_printed(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for room in ("ccsim", "protocols"):
        (tmp_path / room).symlink_to(ROOT / room)
    for command in COMMANDS[path]:
        if command.startswith("ccsim "):
            wanted = int("# exit code 1" in command)
            assert run_app(shlex.split(command, comments=True)[1:]) == wanted, command
            assert capsys.readouterr().out, command
        elif not INSTALLS.match(command):
            program = command.replace("python ", f"{shlex.quote(sys.executable)} ", 1)
            assert subprocess.run(program, shell=True, check=False, capture_output=True).returncode == 0, command


def test_the_claim_of_the_page_on_claims_is_measured(tmp_path, monkeypatch):
    """The module that the page shows is one, and its claim holds."""
    text = (DOCS / "registering_claims.md").read_text(encoding="utf-8")
    (tmp_path / "my_claims.py").write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    (claim,) = importlib.import_module("my_claims").CLAIMS
    assert claim.check().told == "tight"


def test_the_command_line_is_described_as_it_is():
    made = load_generator().command_line()
    assert made == (DOCS / "command_line.md").read_text(encoding="utf-8"), "run python docs/generate.py"


def test_the_claims_table_is_made_from_verdicts():
    rows = [ccsim_claim("communication-equality").check().to_json()]
    made = load_generator().claims_table(rows)
    assert "`communication-equality`" in made
    committed = (DOCS / "claims_table.md").read_text(encoding="utf-8")
    assert all(line in committed for line in made.splitlines() if line.startswith("| `"))
    assert "broken" not in committed


def ccsim_claim(name):
    from ccsim.claims.registry import registered_claims

    return registered_claims()[name]


def test_every_kind_of_witness_has_its_proof():
    kinds = {kind for checkers in PROVES.values() for kind in checkers}
    proved = set(re.findall(r"^### (\S+)$", (DOCS / "theory.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert proved == kinds


def test_every_measure_is_defined():
    (table,) = re.findall(r"^\| measure \|.*?\n\n", (DOCS / "theory.md").read_text(encoding="utf-8"), re.M | re.DOTALL)
    rows = [row.split("|")[1] for row in table.splitlines()[2:] if row]
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == set(MEASURES)


@pytest.mark.parametrize(("length", "brackets"), [(2, 1), (2, 3), (4, 1), (4, 2), (4, 3), (6, 1)])
def test_dyck_costs_what_its_proof_says(length, brackets):
    words = brackets * (2 * brackets) ** (length // 2 - 1)
    function = dyck(length, brackets, 2).split(ccsim.Partition.odd_even(length))
    found = ccsim.bounds.deterministic(function, seconds=20)
    assert found.lower == found.upper == words.bit_length() + 1  # the logarithm of words + 1, rounded up, and 1


def test_the_reference_lists_every_package():
    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "reference.md").read_text(encoding="utf-8"), re.MULTILINE))
    found = {
        module.name
        for package in (ccsim, protocols)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if module.ispkg and getattr(importlib.import_module(module.name), "__all__", ())
    }
    assert found <= listed | {"ccsim"}
    assert all(importlib.import_module(name) for name in listed)


def test_every_citation_has_an_entry_and_every_page_its_place():
    entries = set(re.findall(r"^@\w+\{(\w+),", (DOCS / "references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    cited = {
        key
        for path in WRITTEN
        for keys in re.findall(r"\{cite\}`([\w,]+)`", path.read_text(encoding="utf-8"))
        for key in keys.split(",")
    }
    assert cited <= entries
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert "proofs/*" in index
    pages = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md") if path.parent.name != "proofs"}
    pages -= {"index"}
    assert pages == {line for line in index.splitlines() if line in pages}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sphinx-build") is None, reason="needs the extra docs")
def test_the_documentation_builds_without_a_warning(tmp_path):
    built = subprocess.run(["sphinx-build", "-W", "-q", str(DOCS), str(tmp_path)], capture_output=True, check=False)
    assert built.returncode == 0, built.stderr.decode()
