"""What bounds.model says of tasks is what the certificates for every length prove."""

from ccsim.bounds import REQUIREMENTS, deterministic, model, task_certificate
from ccsim.bounds.model_size import as_function
from ccsim.problems import dyck
from ccsim.problems.catalogue import find_problem

PROVED = [name for name in REQUIREMENTS if task_certificate(name) is not None]


def test_five_needs_are_proved_for_every_length():
    assert PROVED == [
        "dyck", "equality-of-halves", "inequality-of-halves", "disjointness-of-halves", "intersection-of-halves",
    ]  # fmt: skip
    assert [name for name, need in REQUIREMENTS.items() if need.two_way] == PROVED


def test_formulas_are_what_is_proved_from_both_sides():
    for name in PROVED:
        certificate, formula = task_certificate(name), as_function(REQUIREMENTS[name].two_way)
        assert certificate.verify()
        for n in range(1, 200):
            assert certificate.lower(n) == certificate.upper(n) == formula(2 * n)


def test_they_are_of_the_tasks():
    """At small lengths, by an exact search; the halves of a word are read side by side."""
    for name in PROVED:
        certificate = task_certificate(name)
        if name == "dyck":
            functions = {1: find_problem("dyck").function(2), 2: find_problem("dyck").function(4)}
        else:
            functions = {n: find_problem(name.removesuffix("-of-halves").replace("in", "", name.startswith("ineq")))
                         .function(n) for n in (1, 2)}  # fmt: skip
        for n, function in functions.items():
            bracket = deterministic(function)
            assert bracket.lower == bracket.upper == certificate.lower(n)


def test_a_model_bound_has_its_certificate():
    assert model("transformer", width=8, precision=16, task=dyck(4)).certificate.lower(2) == 5
    assert model("recurrent", width=8, precision=16, task="dyck").certificate is None
