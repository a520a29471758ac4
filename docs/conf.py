"""How the documentation is built: ``sphinx-build -W docs build/docs``."""

import re
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.ext.napoleon.docstring import GoogleDocstring

from ccsim import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402, which stands beside this file
import pictures  # noqa: E402, likewise
import public_data  # noqa: E402, likewise

(HERE / "lectures").mkdir(exist_ok=True)  # pages must stand below this folder
for notebook in (HERE.parent / "notebooks").glob("*.ipynb"):
    shutil.copy2(notebook, HERE / "lectures")
(HERE / "generated").mkdir(exist_ok=True)
(HERE / "generated" / "options.txt").write_text(generate.options(), encoding="utf-8")
(HERE / "generated" / "public_names.txt").write_text(generate.public_names(), encoding="utf-8")
(HERE / "report").mkdir(exist_ok=True)
(HERE / "report" / "claims.html").write_text(generate.claims_page(), encoding="utf-8")
for page in (HERE / "bounds.md", HERE / "gallery.md", *sorted((HERE / "how_to").glob("*.md"))):
    pictures.draw(page)
generate.layers_picture().save(HERE / "pictures" / "layers.svg")

project = "ccsim"
author = "The ccsim developers"
copyright = "The ccsim developers"
release = __version__
html_title = f"ccsim {release}"

extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "mathematics",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build", "README.md", "report"]
templates_path = ["_templates"]
bibtex_bibfiles = ["../ccsim/references.bib"]
nb_execution_mode = "off"  # notebooks are executed by the tests
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

suppress_warnings = ["ref.python"]  # short names in annotations have several homes
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_use_ivar = True

html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_extra_path = ["report"]
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}

PAGES = re.findall(r"^   ((?:ccsim|protocols)[.\w]*)$", (HERE / "reference.md").read_text(), re.MULTILINE)
autosummary_context = {"data": {page: public_data.data_of(page) for page in PAGES}}
LITERAL = re.compile(r"``.*?``|:[a-z]+:`.*?`|`[^`]+`")
SEVERAL = re.compile(r"^\s+\w+(, \w+)+: ")  # several attributes described together
ARRAY = re.compile(r"~numpy\.ndarray\[tuple\[.*?\], ~numpy\.dtype\[.*?\]+(?=\W|$)")
FACTORY = re.compile(r"\s*=\s*<factory>")
SPECIAL = re.compile(r"([|*\\])|(?<=\w)(_)(?!\w)")


def as_plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are written for people: stars, bars and last underscores are themselves, outside literals."""
    if what != "module":
        example_first(lines)
    example = False
    for place, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            lines[place] = SEVERAL.sub(lambda found: found[0].replace(", ", ","), escaped(line))


def escaped(line: str) -> str:
    """A line with everything escaped that is no literal and no role."""
    parts, last = [], 0
    for literal in LITERAL.finditer(line):
        parts += [SPECIAL.sub(r"\\\g<0>", line[last : literal.start()]), literal.group()]
        last = literal.end()
    return "".join([*parts, SPECIAL.sub(r"\\\g<0>", line[last:])])


def documented_elsewhere(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Packages name what their rooms offer: it is described once, in the innermost package of the reference."""
    page = app.env.docname.removeprefix("generated/")
    module = getattr(obj, "__module__", None)
    if what != "module" or not isinstance(module, str) or page not in PAGES:
        return None
    homes = [home for home in PAGES if f"{module}.".startswith(f"{home}.")]
    home = max(homes, key=len, default=page)
    return True if home != page and name in getattr(import_module(home), "__all__", ()) else None


def readable(app: Any, what: str, name: str, obj: Any, options: Any, given: str | None, back: str | None) -> Any:
    """Signatures with defaults that can be read as Python, so that their types become links."""
    short = [None if part is None else ARRAY.sub("~numpy.ndarray", part) for part in (given, back)]
    return None if short[0] is None else (FACTORY.sub(" = ...", short[0]), short[1])


def whole(docstring: GoogleDocstring) -> tuple[str, list[str]]:
    """The docstring of a property is a sentence, in which a colon does not end a type."""
    return "", docstring._dedent(docstring._consume_to_end())


def returned(docstring: GoogleDocstring, *_: Any) -> list[tuple[str, str, list[str]]]:
    """What is returned is text as well: its type is in the signature."""
    return [("", "", docstring._dedent(docstring._consume_to_next_section()))]


def example_first(lines: list[str]) -> None:
    """After the first sentence comes the example that ends a docstring, then the arguments."""
    paragraphs = [part.split("\n") for part in "\n".join(lines).strip("\n").split("\n\n")]
    begin = len(paragraphs)
    while begin > 1 and paragraphs[begin - 1][0].startswith(">>>"):
        begin -= 1
    order = [paragraphs[0], *paragraphs[begin:], *paragraphs[1:begin]] if lines else []
    lines[:] = [line for paragraph in order for line in (*paragraph, "")]


def without_last_blank(app: Any, page: str, source: list[str]) -> None:
    """Examples end with a blank line for doctest, which readers need not see."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def tidy(app: Any, tree: nodes.document, page: str) -> None:
    """Classes without a base name none, and titles of the bibliography get the braces of their formulas back."""
    for line in [one for one in tree.findall(nodes.paragraph) if one.astext() == "Bases: object"]:
        line.parent.remove(line)
    for name in [one for one in tree.findall(nodes.field_name) if one.astext() == "Variables"]:
        name[0] = nodes.Text("Attributes")
    for kind in [one for one in tree.findall(nodes.emphasis) if isinstance(one[0], nodes.Text)]:
        kind[0] = nodes.Text(re.sub(r"\b(?:ccsim|collections|numpy|typing)(?:\.\w+)*\.(\w+)", r"\1", kind[0]))
    texts = list(tree.findall(nodes.Text))
    for before, text, after in zip(texts, texts[1:], texts[2:], strict=False):
        if text == "0, \\frac 12\\":
            for node, plain in ((before, before[:-2] + "{"), (text, "0, 1/2"), (after, "}" + after[1:])):
                node.parent.replace(node, nodes.Text(plain))


def setup(app: Any) -> None:
    """Before napoleon reads the docstrings."""
    app.connect("doctree-resolved", tidy)
    app.connect("source-read", without_last_blank)
    GoogleDocstring._consume_inline_attribute = whole  # type: ignore[method-assign]
    GoogleDocstring._consume_returns_section = returned  # type: ignore[method-assign]
    app.connect("autodoc-skip-member", documented_elsewhere)
    app.connect("autodoc-process-signature", readable)
    app.connect("autodoc-process-docstring", as_plain_text, priority=100)
