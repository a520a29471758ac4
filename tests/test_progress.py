"""Progress on stderr, and what an interrupt leaves behind."""

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from ccsim.cli import progress
from ccsim.cli.app import run_app
from ccsim.cli.progress import Progress, duration, shown_progress
from tests.speed import patient

LONG = [sys.executable, "-m", "ccsim", "bounds", "median", "-n", "5", "--measure", "deterministic", "--seconds", "120"]


def test_a_pipe_gets_a_line_now_and_then(capfd, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.01)
    with shown_progress("searching", total=4) as tell:
        tell("two\nlines", 2)
        time.sleep(0.1)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) > 1
    assert all(line.startswith(r"ccsim: 2 of 4, two\nlines (0 s, about 0 s left)") for line in lines[1:])


def test_what_is_quick_shows_nothing(capfd):
    with shown_progress("searching"):
        pass
    assert capfd.readouterr().err == ""


def test_estimates():
    assert Progress("x", limit=90, began=time.monotonic() - 60).line() == "x (1 min of at most 1 min 30 s)"
    assert "left" not in Progress("x", total=3).line()
    assert duration(125.2) == "2 min 5 s"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no terminals")
def test_an_interrupt_leaves_a_clean_terminal_and_what_is_proved():
    master, slave = pty.openpty()
    child = subprocess.Popen(LONG, stdout=subprocess.PIPE, stderr=slave, start_new_session=True)
    os.close(slave)
    seen = os.read(master, 1000)  # the first line of progress
    os.killpg(child.pid, signal.SIGINT)
    out, _ = child.communicate(timeout=patient(60))
    os.set_blocking(master, False)
    end = os.read(master, 10000)
    os.close(master)
    assert child.returncode == 130
    assert b"deterministic" in out
    assert b"\x1b[?25l" not in seen + end  # the cursor is never hidden
    assert b"Traceback" not in end
    assert end.rpartition(progress.CLEAR.encode())[2].startswith(b"ccsim: stopped: ")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("ccsim.families.language", ("language", "(ab)*")),
        ("ccsim.bounds.model", ("size", "recurrent", "--task", "dyck", "--width", "8", "--precision", "8")),
        ("ccsim.cli.registered.find_entry", ("run", "equality")),
        ("ccsim.cli.verify.verdicts", ("verify", "a.json")),
    ],
)
def test_every_command_ends_with_130_and_one_line(monkeypatch, capsys, function, arguments):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(function, stopped)
    assert run_app(list(arguments)) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "ccsim: stopped: nothing was kept\n"
