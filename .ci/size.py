"""How large the product is, by room, against ``budget.toml``: ``python .ci/size.py``, exit code 1 above the budget.

A room is a package of ``ccsim`` or ``protocols`` (a module that lies beside them counts to the room named after its
parent). Of each room count code tokens and public names. Tokens are names, numbers, strings and
operators, not comments, brackets, commas and colons, outside of docstrings, imports and ``__all__``: they do not
change when lines are joined, split or documented, so that nobody gains by squeezing. A public name is one that a
face imports in its ``__init__.pyi``.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOKEN = re.compile(
    r"""
    [\s()\[\]{},:\\]+ | \#.*
    | ( [^\W\d]\w* (?![\w"'])
    | \.\.\. | -> | := | (?: \*\* | // | << | >> | [-+*/%&|^@<>=!] ) =? | \.(?!\d) | [~;]
    | 0[xXbBoO]\w+ | (?: \d[\d_]*\.?[\d_]* | \.\d[\d_]* ) (?: [eE][+-]?\d+ )? [jJ]?
    | [rbufRBUF]{0,2} (?: \"{3} (?s:\\.|[^\\])*? \"{3} | '{3} (?s:\\.|[^\\])*? '{3} )
    | [rbufRBUF]{0,2} (?: " (?:\\(?s:.)|[^"\\\n])* " | ' (?:\\(?s:.)|[^'\\\n])* ' ) )
    """,
    re.VERBOSE,
)  # an f-string is one token, as it is in ``tokenize`` up to Python 3.11
PRODUCT = "ccsim", "protocols"


def room_of(path: Path) -> str:
    """The room of a file, such as ``ccsim/bounds``."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """A module or statement, and all statements inside it."""
    yield node
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, block, ()):
            yield from statements(child)


def code_tokens(text: str) -> int:
    """How many tokens of code a module has."""
    left_out: set[int] = set()
    for node in statements(ast.parse(text)):
        body = getattr(node, "body", None)
        named = isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets)
        if isinstance(node, ast.Import | ast.ImportFrom) or named:
            left_out |= set(range(node.lineno, node.end_lineno + 1))
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and body and ast.get_docstring(node) is not None:
            left_out |= set(range(body[0].lineno, body[0].end_lineno + 1))
    lines = (line for number, line in enumerate(text.split("\n"), start=1) if number not in left_out)
    return sum(token != "" for token in TOKEN.findall("\n".join(lines)))


def public_names(text: str) -> int:
    """How many names a face offers: what its stub imports."""
    return sum(len(node.names) for node in ast.parse(text).body if isinstance(node, ast.ImportFrom))


def measured() -> dict[str, Counter[str]]:
    """Lines, files, tokens and public names of each room."""
    listed = subprocess.run(["git", "ls-files", *PRODUCT], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    paths = [ROOT / name for name in listed.splitlines()] or [p for room in PRODUCT for p in (ROOT / room).rglob("*")]
    rooms: dict[str, Counter[str]] = {}
    for path in sorted(path for path in paths if path.suffix in (".py", ".pyi") and path.exists()):
        text, room = path.read_text(encoding="utf-8"), rooms.setdefault(room_of(path), Counter())
        room.update(lines=text.count("\n"), files=1, tokens=code_tokens(text))
        if path.name == "__init__.pyi":
            room["names"] += public_names(text)
    return rooms


def above_budget(rooms: dict[str, Counter[str]], budget: dict[str, dict[str, int]]) -> list[str]:
    """What is larger than it may be, in words."""
    found = [f"{room} has no budget" for room in rooms if room not in budget]
    for room, allowed in budget.items():
        for what in ("tokens", "names"):
            if rooms.get(room, Counter())[what] > allowed[what]:
                found.append(f"{room} has {rooms[room][what]} {what}, and may have {allowed[what]}")
    return found


def main() -> int:
    """Print a table; 1 if a room is above its budget."""
    rooms = measured()
    budget = tomllib.loads((ROOT / ".ci" / "budget.toml").read_text(encoding="utf-8"))
    print(f"{'room':<26}{'lines':>8}{'files':>7}{'tokens':>9}{'budget':>9}{'names':>7}")
    for room, size in sorted(rooms.items()):
        allowed = budget.get(room, {"tokens": 0})["tokens"]
        print(f"{room:<26}{size['lines']:>8}{size['files']:>7}{size['tokens']:>9}{allowed:>9}{size['names']:>7}")
    total = sum(rooms.values(), Counter())
    print(f"{'all':<26}{total['lines']:>8}{total['files']:>7}{total['tokens']:>9}{'':>9}{total['names']:>7}")
    above = above_budget(rooms, budget)
    print(*above, sep="\n", end="\n" if above else "")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
