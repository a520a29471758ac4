"""The table of what the sources contain names every claim on them, and none that there is not."""

import re
from pathlib import Path

from ccsim.claims import registered_claims

TABLE = (Path(__file__).parents[2] / "docs" / "sources.md").read_text(encoding="utf-8")
SOURCES = ("bhattamishra2024", "sanford2023", "peng2024", "svete2024", "nowak2024", "strobl2024")


def test_the_table_of_sources_names_every_claim_on_them_and_no_other():
    known = registered_claims()
    rows = [line for line in TABLE.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9-]+)`", row.split("|")[2])}
    full = {name if name in known else f"bhattamishra2024-{name}" for name in named}
    assert full <= set(known)
    assert {name for name, claim in known.items() if claim.paper.name in SOURCES} <= full


def test_an_item_without_a_claim_says_so():
    for row in TABLE.splitlines():
        cells = row.split(" | ")
        if row.startswith("| ") and cells[0] not in ("| item", "|---") and len(cells) > 2:
            assert "`" in cells[1] or cells[1].startswith(("missing", "not executed")), row
