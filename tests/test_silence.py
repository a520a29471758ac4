"""Solvers that print, in each of the ways in which compiled code does, are not heard; Python is."""

import ctypes
import json
import os
import subprocess
import sys
import threading

import highspy
import numpy as np
import pytest
from pysat.solvers import Solver

from ccsim.bounds.solvers import SatSolver, linear_program
from ccsim.silence import silence
from tests.speed import patient

SHOUT = """
import ctypes, os
def shout():
    os.write(1, b"NOISE by descriptor 1\\n")
    os.write(2, b"NOISE by descriptor 2\\n")
    ctypes.CDLL(None).printf(b"NOISE by C\\n")
    ctypes.CDLL(None).puts(b"NOISE by C, too")
"""
NAMESPACE = {}
exec(SHOUT, NAMESPACE)
shout = NAMESPACE["shout"]


def loud(function):
    def shouting(*arguments, **options):
        shout()
        return function(*arguments, **options)

    return shouting


def heard(capfd):
    ctypes.CDLL(None).fflush(None)
    return "".join(capfd.readouterr())


def test_what_shouts_is_heard_outside_and_not_inside(capfd):
    shout()
    assert heard(capfd).count("NOISE") == 4
    with silence(), silence():
        shout()
    assert heard(capfd) == ""
    shout()
    assert heard(capfd).count("NOISE") == 4


def test_what_fails_inside_is_heard_again_afterwards(capfd):
    with pytest.raises(ValueError, match="invalid"), silence():
        loud(int)("x")
    assert heard(capfd) == ""
    os.write(2, b"yes")
    assert heard(capfd) == "yes"


def test_linear_programs_are_not_heard(capfd, monkeypatch):
    monkeypatch.setattr(highspy.Highs, "run", loud(highspy.Highs.run))
    value, variables, weights = linear_program(np.ones(1), np.array([[2]]), 4.0, 6.0)
    assert (value, *variables, *weights) == (2, 2, 0.5)
    assert linear_program(np.ones(1), np.array([[2]]), 4.0, 3.0) is None
    assert heard(capfd) == ""


@pytest.mark.parametrize("name", ["minisat22", "glucose4", "cadical153"])
def test_solvers_of_python_sat_are_not_heard(name, capfd, monkeypatch):
    monkeypatch.setattr(Solver, "solve", loud(Solver.solve))
    with SatSolver(name) as solver:
        solver.add_clause([1])
        assert solver.solve()
        assert not solver.solve(assumptions=[-1])
    assert heard(capfd) == ""


def test_many_threads_are_silent_until_the_last_is_done(capfd):
    begun, end = threading.Barrier(9), threading.Event()

    def work():
        for _ in range(50):
            with silence():
                shout()
        with silence():
            begun.wait()
            end.wait()
            shout()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    begun.wait()
    with silence():
        end.set()
    for thread in threads:
        thread.join()
    assert heard(capfd) == ""
    shout()
    assert heard(capfd).count("NOISE") == 4


def run(program):
    done = subprocess.run(
        [sys.executable, "-c", SHOUT + program], capture_output=True, text=True, timeout=patient(60), check=True
    )
    return done.stdout, done.stderr


def test_python_is_heard_meanwhile_and_all_in_its_order():
    """As when another thread draws a progress line; and what C had in its buffer before still comes."""
    out, error = run("""
import sys
from ccsim.silence import silence
print("one"); ctypes.CDLL(None).printf(b"two\\n")
with silence():
    shout(); print("three"); print("told", file=sys.stderr); shout()
print("four"); ctypes.CDLL(None).printf(b"five\\n")
""")
    assert sorted(out.split()) == sorted(["one", "two", "three", "four", "five"])
    assert error == "told\n"


def test_a_child_made_meanwhile_by_another_thread_is_heard():
    out, _ = run("""
import threading
from ccsim.silence import silence
inside, made = threading.Event(), threading.Event()
def other():
    with silence():
        inside.set(); made.wait()
thread = threading.Thread(target=other); thread.start(); inside.wait()
child = os.fork()
if not child:
    os.write(1, b"child"); os._exit(0)
os.waitpid(child, 0); made.set(); thread.join()
""")
    assert out == "child"


def test_a_closed_stdout_stays_closed():
    out, error = run("""
import sys
os.close(1)
from ccsim.silence import silence
with silence():
    ctypes.CDLL(None).printf(b"NOISE")
try:
    os.write(1, b"x")
except OSError:
    sys.stderr.write("closed")
os._exit(0)
""")
    assert (out, error) == ("", "closed")


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "asked"), [("randomised", "run"), ("deterministic", "solve")])
def test_the_command_prints_json_and_nothing_else(measure, asked, tmp_path):
    """With a matrix for which each of these asks a solver, in a process of its own, and solvers that all shout."""
    path, calls = tmp_path / "matrix.txt", tmp_path / "calls"
    size, least = {"randomised": (5, 0), "deterministic": (14, -1)}[measure]
    cells = np.random.default_rng(5).integers(least, 2, (size, size))
    path.write_text("".join(" ".join("*" if cell < 0 else str(cell) for cell in row) + "\n" for row in cells))
    out, error = run(f"""
import sys
import highspy, pysat.solvers
def loud(function):
    def shouting(*arguments, **options):
        with open({str(calls)!r}, "a") as file:
            file.write(function.__name__ + " ")
        shout()
        return function(*arguments, **options)
    return shouting
highspy.Highs.run = loud(highspy.Highs.run)
pysat.solvers.Solver.solve = loud(pysat.solvers.Solver.solve)
from ccsim.cli.app import run_app
sys.exit(run_app(["bounds", {str(path)!r}, "--measure", {measure!r}, "--seconds", "6", "--json"]))
""")
    assert json.loads(out)["measure"] == measure
    assert error == ""
    assert asked in calls.read_text()


BUFFERED = """
import ccsim as cc
from ccsim.problems import disjointness
print("said once")
for n in (2, 3):
    cc.bounds.brackets_of(disjointness(n), "deterministic", seconds=20)
"""


def test_what_is_printed_before_comes_out_once():
    """Also where work goes to a process that inherits what is not written yet."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", BUFFERED], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "said once\n"
    assert done.stderr == ""
