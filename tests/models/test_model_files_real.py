"""Trained networks that ship with this package."""

import numpy as np
import pytest

from ccsim.models.files.floats import float_scores
from protocols.trained import trained_model, trained_names, trained_task


@pytest.mark.parametrize("name", trained_names())
def test_our_trained_models_are_read_whole(name):
    loaded = trained_model(name)
    task = trained_task(name)
    assert loaded.unused == ()
    assert loaded.saturated == 0
    assert set(loaded.model.alphabet) == set(task.alphabet)
    assert float_scores(loaded.parts, np.zeros((1, task.length), dtype=np.int64)).shape == (1, 2)


def test_there_is_a_model_of_every_kind_for_every_task():
    kinds = {tuple(name.split("-")) for name in trained_names()}
    everywhere = {(task, kind) for task in ("lookup", "dyck", "equality") for kind in ("lstm", "mamba", "transformer")}
    assert kinds == everywhere | {(task, kind) for task in ("lookup", "equality") for kind in ("linear", "diagonal")}
