"""What benchmarks have in common that give a rival the same seconds: what they are asked, and how a line is printed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["print_cases"]

Case = tuple[Any, ...]


def print_cases(
    description: str | None, cases: Callable[[bool], Iterable[Case]], compared: Callable[..., dict[str, Any]]
) -> None:
    """Print a line for each case.

    Args:
        description: of the command.
        cases: from whether the hard ones are wanted.
        compared: the line of a case, from what it consists of and seconds.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--long", action="store_true", help="with the hard cases")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each of both")
    arguments = parser.parse_args()
    for case in cases(arguments.long):
        found = compared(*case, arguments.seconds)
        line = json.dumps(found) if arguments.json else ", ".join(f"{name}: {value}" for name, value in found.items())
        print(line, flush=True)
