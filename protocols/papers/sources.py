"""The papers whose claims are measured, each with its claims in the order in which its module declares them."""

from __future__ import annotations

from ccsim.claims import Paper, Role, Source

COMMUNICATION = Source(Paper("communication", "Communication problems"))
BHATTAMISHRA_2024 = Source(Paper("bhattamishra2024", "Bhattamishra, Hahn, Blunsom and Kanade 2024"))
SANFORD_2023 = Source(Paper("sanford2023", "Sanford, Hsu and Telgarsky 2023"))
PENG_2024 = Source(Paper("peng2024", "Peng, Narayanan and Papadimitriou 2024"))
SVETE_2024 = Source(Paper("svete2024", "Svete and Cotterell 2024"))
NOWAK_2024 = Source(Paper("nowak2024", "Nowak and others 2024"))
STROBL_2024 = Source(Paper("strobl2024", "Strobl and others 2024"))
SANFORD_2024 = Source(Paper("sanford2024", "Sanford, Hsu and Telgarsky 2024"))
CHEN_2024 = Source(Paper("chen2024", "Chen, Peng and Wu 2024"))
KOZACHINSKIY_2024 = Source(Paper("kozachinskiy2024", "Kozachinskiy 2024"))
OURS = Source(Paper("ccsim", "This project"), Role.RESULT)
"""What this project proves and builds itself, each beside the statement of a source that it sharpens."""

SOURCES = (
    COMMUNICATION,
    BHATTAMISHRA_2024,
    SANFORD_2023,
    PENG_2024,
    SVETE_2024,
    NOWAK_2024,
    STROBL_2024,
    SANFORD_2024,
    CHEN_2024,
    KOZACHINSKIY_2024,
    OURS,
)

SLIDES = "as printed in the slides of Mallick and Paul 2025"


def lengths(*values: int) -> tuple[dict[str, int], ...]:
    """Settings of a claim by their length alone."""
    return tuple({"length": value} for value in values)
