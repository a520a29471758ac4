"""Progress of a long command on stderr: a line that is rewritten on a terminal, elsewhere a line every ten seconds.

Standard library only, and no cursor is hidden: whatever stops a command, its terminal is as it was.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from ccsim.plain_data import printable

QUIET = 2.0  # seconds before anything is shown on a terminal
REDRAWN = 0.5  # seconds
EVERY = 10.0  # seconds between lines where there is no terminal
CLEAR = "\r\x1b[K"


def on_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class Progress:
    """What is being done, how much of it is done, and how long it may still take."""

    def __init__(
        self, text: str, total: int | None = None, limit: float | None = None, began: float | None = None
    ) -> None:
        self.text, self.total, self.limit, self.done = text, total, limit, 0
        self.began = time.monotonic() if began is None else began

    def __call__(self, text: str, done: int | None = None) -> None:
        self.text, self.done = text, self.done if done is None else done

    def line(self) -> str:
        """For example ``cover: from 3 to 5 rectangles (4 s of at most 30 s)``.

        >>> progress = Progress("equality", total=30, began=time.monotonic() - 60)
        >>> progress("equality", done=10)
        >>> progress.line()
        '10 of 30, equality (1 min, about 2 min left)'
        """
        spent = time.monotonic() - self.began
        took = duration(spent)
        if self.total is not None:
            left = f", about {duration(spent / self.done * (self.total - self.done))} left" if self.done else ""
            return printable(f"{self.done} of {self.total}, {self.text} ({took}{left})")
        until = " so far, no time limit" if self.limit is None else f" of at most {duration(self.limit)}"
        return printable(f"{self.text} ({took}{until})")


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{rest} s" if not minutes else f"{minutes} min" + f" {rest} s" * (rest > 0)


@contextmanager
def shown_progress(
    text: str, total: int | None = None, limit: float | None = None, began: float | None = None
) -> Iterator[Progress]:
    """Show it while the context lasts: from two seconds on, in a thread beside, and gone at the end."""
    progress, over = Progress(text, total, limit, began), Event()
    thread = Thread(target=_show, args=(progress, over), daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        over.set()
        thread.join()
        if on_terminal():
            _write(CLEAR)


def _show(progress: Progress, over: Event) -> None:
    terminal = on_terminal()
    if over.wait(QUIET if terminal else EVERY):
        return
    while True:
        line = progress.line()
        if terminal:
            _write(f"{CLEAR}{line[: os.get_terminal_size(sys.stderr.fileno()).columns - 1]}")
        else:
            _write(f"ccsim: {line}\n")
        if over.wait(REDRAWN if terminal else EVERY):
            return


def _write(text: str) -> None:
    """Past the buffers: a process that is forked meanwhile finds no lock held."""
    try:
        os.write(sys.stderr.fileno(), text.encode(sys.stderr.encoding, "replace"))
    except (OSError, ValueError):  # nobody reads it
        return
