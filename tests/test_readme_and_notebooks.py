"""The README and the notebooks are executed as they stand."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path
from time import monotonic

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from ccsim.cli.app import run_app
from tests.notebook_solutions import SOLUTIONS
from tests.slow import slow
from tests.speed import patient

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (ccsim .*)\n((?:(?!\$ |```).*\n)*)", README, flags=re.MULTILINE)
LONG = ("bounds", "certify", "report", "sweep", "verify")
OPEN = re.compile(r"^\w+(?:, \w+)* = \.\.\.(?:, \.\.\.)?$", flags=re.MULTILINE)
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_readme_examples_print_what_they_say():
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False).failed == 0


@pytest.mark.parametrize("whole", [False, slow(True)])
def test_readme_commands_print_what_they_say(whole, capsys, tmp_path, monkeypatch):
    """One after the other, in one folder, so that one can read what another wrote; those that search are slow."""
    monkeypatch.chdir(tmp_path)
    for command, printed in COMMANDS:
        if not whole and command.split()[1] in LONG:
            continue
        assert run_app(shlex.split(command, comments=True)[1:]) == 0, command
        out = capsys.readouterr().out
        assert out, command
        assert printed in ("", out), command


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_agrees_with_its_source(path):
    notebook = nbformat.read(path, as_version=4)
    source = jupytext.read(path.with_suffix(".py"))
    assert [cell.source for cell in notebook.cells] == [cell.source for cell in source.cells]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", list(map(slow, NOTEBOOKS)), ids=lambda path: path.stem)
def test_notebook_runs_as_it_was_run(path):
    notebook = nbformat.read(path, as_version=4)
    committed = [_shown(cell) for cell in notebook.cells]
    exercises = [cell for cell in notebook.cells if cell.cell_type == "code" and OPEN.search(cell.source)]
    for cell, solution in zip(exercises, SOLUTIONS.get(path.stem, []), strict=True):
        assert "no answer yet" in _printed(cell)
        cell.source = OPEN.sub(lambda _, code=solution: code, cell.source)
    begun = monotonic()
    options = {"timeout": round(patient(60)), "resources": {"metadata": {"path": str(path.parent)}}}
    NotebookClient(notebook, **options).execute()
    assert monotonic() - begun < patient(60)
    for cell, before in zip(notebook.cells, committed, strict=True):
        assert cell in exercises or _shown(cell) == before, cell.source
    for cell in exercises:
        assert re.search(r"\bright\b", _printed(cell)), cell.source
        assert not re.search("not yet|no answer yet", _printed(cell)), cell.source


SECONDS = re.compile(r"<td>[^<]*</td><td>\d+\.\d+(?=</td></tr>)")  # and which of two methods was the first to say so


def _shown(cell):
    """The outputs of a cell without seconds and methods, prints in one piece; of figures, that they are there."""
    found = []
    for out in cell.get("outputs", ()):
        parts = {"text": out["text"]} if "text" in out else dict(out.data)
        parts |= {"image/png": "a figure"} if "image/png" in parts else {}
        if found and "text" in parts and "text" in found[-1]:
            found[-1]["text"] += SECONDS.sub("", parts["text"])
            continue
        found.append({kind: SECONDS.sub("", value) for kind, value in parts.items()})
    return found


def _printed(cell):
    """What a cell shows, as text."""
    return "".join(out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.outputs)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_notebooks_are_made_from_scripts(tmp_path):
    script = tmp_path / "small.py"
    script.write_text("# %% [markdown]\n# # Sum\n\n# %%\n1 + 1\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(ROOT / "notebooks" / "execute.py"), str(script)], check=False)
    assert done.returncode == 0
    made = nbformat.read(script.with_suffix(".ipynb"), as_version=4)
    assert [cell.id for cell in made.cells] == ["cell-1", "cell-2"]
    assert _printed(made.cells[1]) == "2"


def test_no_lecture_depends_on_how_fast_a_machine_is():
    assert not [path.name for path in NOTEBOOKS if "out of time" in path.read_text(encoding="utf-8")]


def test_every_lecture_has_exercises():
    assert set(SOLUTIONS) == {path.stem for path in NOTEBOOKS if path.stem[:1].isdigit()}
    assert all(len(solutions) >= 3 for solutions in SOLUTIONS.values())


def test_the_map_of_the_readme_is_short_and_its_places_exist():
    section = README[README.index("## Map") :]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert len(rows) <= 12
    assert all((ROOT / name).exists() for row in rows for name in re.findall(r"`(.*?)`", row))
