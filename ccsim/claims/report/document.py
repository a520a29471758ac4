"""What all pages are made of: a document that needs no network, and files that it carries."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from ccsim.claims.report.markup import element

__all__ = ["document", "download", "made_by"]

MOST_CARRIED = 1 << 20  # bytes of a certificate that a page carries


def document(title: str, body: str, script: bool = False) -> str:
    """A whole page, with its style, and the script that adds filtering and sorting if it is asked for."""
    style, filtering = (_file(name) for name in ("style.css", "script.js"))
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>" + element("style", style) + (element("script", filtering) if script else "")
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _file(name: str) -> str:
    return (files("ccsim.claims.report") / name).read_text(encoding="utf-8")


def download(name: str, data: Mapping[str, Any], told: str, command: str) -> str:
    """A paragraph with a certificate to be saved; of one that is too large, the command that writes it."""
    written = (json.dumps(data, separators=(",", ":")) + "\n").encode()
    if len(written) > MOST_CARRIED:
        return element("p", f"{escape(told)} It is too large for this page: {escape(command)}.")
    uri = f"data:application/json;base64,{base64.b64encode(written).decode()}"
    link = element("a", f"Download {name}", text=True, href=uri, download=name)
    return element("p", f"{escape(told)} {link} ({len(written) / 1000:.1f} kB), and check it with ccsim verify.")


def made_by() -> str:
    """The last line of a page."""
    return element("p", f"Made by ccsim {version('ccsim')}. Every certificate is checked by ccsim verify alone.")
