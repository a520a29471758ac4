"""Trained networks that ship with this package."""

import numpy as np

from ccsim.models.files.float_model import float_scores
from protocols.trained import trained_model, trained_names, trained_task


def test_our_trained_models_are_read_whole():
    for name in trained_names():
        loaded = trained_model(name)
        task = trained_task(name)
        assert loaded.unused == (), name
        assert loaded.saturated == 0, name
        assert set(loaded.model.alphabet) == set(task.alphabet), name
        assert float_scores(loaded.parts, np.zeros((1, task.length), dtype=np.int64)).shape == (1, 2), name
