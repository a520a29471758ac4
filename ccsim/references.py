"""The bibliography that comes with the package, ``references.bib``: its entries, and those that a claim's source names.

The documentation cites from the same file. Each entry is one line, with its fields in braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

BIBLIOGRAPHY = Path(__file__).with_name("references.bib")


@dataclass(frozen=True)
class Reference:
    """An entry of a bibliography: its key, its kind (``article``), and its fields as BibTeX writes them."""

    key: str
    kind: str
    fields: dict[str, str]

    @property
    def bibtex(self) -> str:
        """The entry for a ``.bib`` file.

        >>> print(references()["yao1983"].bibtex)
        @inproceedings{yao1983,
          author = {Yao, Andrew Chi-Chih},
          title = {Lower bounds by probabilistic arguments},
          booktitle = {Proceedings of the 24th Annual Symposium on Foundations of Computer Science},
          pages = {420--428},
          year = {1983}
        }
        """
        fields = ",\n".join(f"  {name} = {{{value}}}" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n{fields}\n}}"


def references() -> dict[str, Reference]:
    """Every entry of the bibliography, by its key; ``ccsim`` is the package itself.

    >>> references()["yao1983"].fields["year"]
    '1983'
    """
    found = {}
    for kind, key, fields in re.findall(r"^@(\w+)\{(\w+), (.*)\}$", BIBLIOGRAPHY.read_text("utf-8"), re.MULTILINE):
        found[key] = Reference(key, kind, dict(re.findall(r"(\w+) = \{(.*?)\}(?=, \w+ = \{|$)", fields)))
    return found


def references_in(source: str) -> list[Reference]:
    """The entries that a source in words names: keys are first author and year; semicolons separate sources.

    >>> [one.key for one in references_in("Kushilevitz and Nisan 1997, Example 1.21; Tamm 1995")]
    ['kushilevitz1997', 'tamm1995']
    """
    plain = normalize("NFKD", source).encode("ascii", "ignore").decode().lower()
    keys = [first + year for first, year in re.findall(r"(?:^|;)\s*([a-z]+)[^;]*?\b(\d{4})\b", plain)]
    known = references()
    return [known[key] for key in keys if key in known]
