"""Every count in the README and the documentation that the code knows is the code's."""

import re
from pathlib import Path

import pytest

from ccsim.claims import registered_claims
from protocols.trained import trained_names
from protocols.trained.leaderboard import KINDS

ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path
    for path in [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "proofs" / "README.md",
        *ROOT.glob("docs/**/*.md"),
    ]
    if path.name != "claims_table.md"  # made from a run, and compared with one
}
ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER = rf"(?<![\w.^{{$-])(\d[\d,]*|{'|'.join(ONES[2:])})"
COUNTED = (
    "axioms|checkers|claims|commands|exercises|files|folders|lectures|measures|notebooks|packages|presets|problems|"
    "protocols|schemas|tasks|tests|verdicts"
)
"""What code can count: a number of these in a sentence has to be in the table."""
PHRASE = re.compile(rf"{NUMBER}(?: [a-z-]+){{0,2}}? (?:{COUNTED})\b", re.IGNORECASE)


def picture_tasks():
    return len({place.task for claim in registered_claims().values() for place in claim.places})


def lectures():
    return len(list((ROOT / "notebooks").glob("[0-9]*.py")))


def source_documents():
    """The sources page has a section for each, and for the two talks together."""
    return 2 + len(re.findall("^## (?!Beside|Lecture)", PAGES["docs/sources.md"].read_text("utf-8"), re.MULTILINE))


def trained_kinds():
    return len({name.rpartition("-")[2] for name in trained_names()})


COUNTS = [
    ("README.md", "on # tasks", picture_tasks),
    ("docs/index.md", "on # tasks", picture_tasks),
    ("README.md", "and # lectures with exercises", lectures),
    ("docs/index.md", r"\| # lectures with exercises", lectures),
    ("docs/leaderboard.md", "Small models of # kinds", lambda: len(KINDS)),
    ("docs/architecture.md", "small trained models of # kinds", trained_kinds),
    ("docs/sources.md", "table of # source documents", source_documents),
    ("docs/sources.md", "Beside the # documents", source_documents),
]
NOT_COUNTED = {
    "README.md": {"Two commands"},  # the heading above both
    "docs/proofs/other_models.md": {"four for probabilistic protocols"},
}
"""Counts in a sentence that are of the sentence's own things."""


def running_text(page):
    """A page without what is printed or typed on it, in lines without end."""
    text = re.sub(r"^```.*?^```", "", PAGES[page].read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(?<=\w)\n(?=\w)", " ", text)


def number(text):
    return int(text.replace(",", "")) if text[0].isdigit() else ONES.index(text.lower())


@pytest.mark.parametrize(("page", "pattern", "count"), COUNTS)
def test_a_count_is_that_of_the_code(page, pattern, count):
    found = re.findall(pattern.replace("#", NUMBER), running_text(page))
    assert {number(text) for text in found} == {count()}


@pytest.mark.parametrize("page", PAGES)
def test_no_other_count_stands_in_prose(page):
    text = running_text(page)
    known = [
        match
        for name, pattern, _ in COUNTS
        if name == page
        for match in re.finditer(pattern.replace("#", NUMBER), text)
    ]
    inside = [range(match.start(), match.end()) for match in known]
    others = {match.group() for match in PHRASE.finditer(text) if not any(match.start(1) in place for place in inside)}
    assert others == NOT_COUNTED.get(page, set())


@pytest.mark.parametrize("page", PAGES)
def test_the_size_of_the_code_is_not_told(page):
    """Numbers of lines and sizes of files change with each commit."""
    text = running_text(page)
    assert not re.search(r"\b(one|single|\d[\d,]*) (files?|lines) (of|in) (some |Python|OCaml|Coq|code)", text)
