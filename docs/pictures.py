"""The pictures of a page, drawn by the code above each: what is shown is what the code draws.

A page has ``![...](pictures/NAME.svg)`` below an example whose last value is a picture, which is drawn into the
folder.
"""

import ast
import doctest
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

PARTS = re.compile(r"^```python\n(?P<code>.*?)^```|!\[[^]]*\]\((?P<name>pictures/[\w-]+\.svg)\)", re.M | re.DOTALL)


def draw(page: Path) -> list[Path]:
    """Run the examples of a page in their order, and save the picture of the last value before each place for one."""
    names: dict[str, Any] = {}
    last, drawn = None, []
    parts = list(PARTS.finditer(page.read_text(encoding="utf-8")))
    while parts and not parts[-1]["name"]:
        parts.pop()
    for part in parts:
        if part["name"]:
            (page.parent / "pictures").mkdir(exist_ok=True)
            drawn.append(last.save(page.parent / part["name"]))
            continue
        with redirect_stdout(StringIO()):
            for example in doctest.DocTestParser().get_examples(part["code"]):
                last = _value(example.source, names)
    return drawn


def _value(source: str, names: dict[str, Any]) -> Any:
    """What the last expression is, or the value that was named last."""
    *before, final = ast.parse(source).body
    exec(compile(ast.Module(before, []), "page", "exec"), names)
    if isinstance(final, ast.Expr):
        return eval(compile(ast.Expression(final.value), "page", "eval"), names)
    exec(compile(ast.Module([final], []), "page", "exec"), names)
    return names[final.targets[0].id] if isinstance(final, ast.Assign) else None
