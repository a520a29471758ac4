"""Trained networks that ship with this package."""

import numpy as np
import pytest

from ccsim.models.files.float_model import float_scores
from protocols.trained import trained_model, trained_names, trained_task


@pytest.mark.parametrize("name", trained_names())
def test_our_trained_models_are_read_whole(name):
    loaded = trained_model(name)
    task = trained_task(name)
    assert loaded.unused == ()
    assert loaded.saturated == 0
    assert set(loaded.model.alphabet) == set(task.alphabet)
    assert float_scores(loaded.parts, np.zeros((1, task.length), dtype=np.int64)).shape == (1, 2)
