"""The table of planted faults: each names what is there, and a fault of each kind is found."""

import pytest

from tests.faults import FAULTS, TESTS, is_found


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.owner} {fault.attribute}")
def test_a_fault_names_code_and_a_test_that_are_there(fault):
    fault.found()
    path, _, name = fault.tests.partition("::")
    assert f"def {name}(" in (TESTS / path).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(FAULTS), 10))
def test_a_fault_is_found_by_its_test(number):
    assert is_found(number)
