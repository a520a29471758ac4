"""A claim to try things on."""

from ccsim.claims import Claim, Direction, Paper, Parameter


def made(name="a-claim", **changes):
    """An upper bound of n + 1 with one parameter; what measures it and all else is changed as wanted."""
    settings = {
        "paper": Paper("mine", "Myself 2025"),
        "source": "",
        "statement": "It is so.",
        "direction": Direction.UPPER,
        "formula": "n + 1",
        "parameters": (Parameter("length", "n", 4),),
    }
    return Claim(name=name, **{**settings, **changes})
