"""Dyck languages of bounded depth by a stack."""

OPENING, CLOSING = "([{<", ")]}>"


def stack_after(word: str, depth: int) -> str | None:
    """What is open after a word, or None if it cannot go on: a wrong bracket was closed, or it went too deep."""
    stack = ""
    for symbol in word:
        if symbol in OPENING:
            stack += symbol
            if len(stack) > depth:
                return None
        elif stack and OPENING.index(stack[-1]) == CLOSING.index(symbol):
            stack = stack[:-1]
        else:
            return None
    return stack


def balanced(word: str, depth: int = 2) -> int:
    """Whether a word is in the language."""
    return int(stack_after(word, depth) == "")
