"""What can go wrong, as types: bad input, too large a table, a protocol that breaks its rules."""

from __future__ import annotations


class InputError(ValueError):
    """An argument that cannot be used: names the argument, the value, and what was expected."""

    def __init__(self, argument: str, value: object, expected: str) -> None:
        try:
            shown = repr(value)
        except ValueError:  # an integer of thousands of digits is not written out
            shown = f"a {type(value).__name__}"
        if " object at 0x" in shown:  # nothing but where it is kept
            shown = f"a {type(value).__name__}"
        if "\n" in shown:  # one line
            shown = " ".join(shown.split())
        if len(shown) > 120:
            shown = shown[:117] + "..."
        super().__init__(f"{argument} = {shown}: expected {expected}")
        self.argument, self.value, self.expected = argument, value, expected

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.argument, self.value, self.expected))


class TableTooLargeError(ValueError):
    """A table that would not fit in memory; says how much it would need. Nothing was allocated."""


class ProtocolError(ValueError):
    """A protocol that broke the rules of its communication model, or disagreed with itself, in a run."""


class PluginWarning(UserWarning):
    """Something that a package names in an entry point cannot be used."""


class PartyError(RuntimeError):
    """A party raised an error or ended the program, or its process died or stalled; no process is left behind."""
