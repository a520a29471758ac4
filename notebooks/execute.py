"""Make the notebooks anew from their scripts: ``python notebooks/execute.py`` for all, or with names of scripts.

The ``.py`` files are what is written; the ``.ipynb`` files beside them are these, executed (extra: notebooks).
"""

import sys
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def execute(script: Path) -> None:
    """Write the executed notebook of a script, with names of cells that do not change from run to run."""
    notebook = jupytext.read(script)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
    options = {"timeout": 60, "record_timing": False}
    NotebookClient(notebook, **options, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = joined(cell.outputs)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, script.with_suffix(".ipynb"))


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """What is printed comes in pieces, how many depends on the machine: as one piece where they follow each other."""
    found: list[nbformat.NotebookNode] = []
    for out in outputs:
        if found and out.output_type == "stream" and found[-1].get("name") == out.name:
            found[-1].text += out.text
        else:
            found.append(out)
    return found


if __name__ == "__main__":
    for chosen in map(Path, sys.argv[1:] or sorted(str(path.with_suffix(".py")) for path in HERE.glob("*.ipynb"))):
        execute(chosen)
