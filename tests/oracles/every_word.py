"""A model on all words of a task, one by one."""

import numpy as np

from ccsim.matrices import DONT_CARE


def brute_force(model, task):
    """How many words are promised, and the numbers of those on which the model is wrong."""
    rows = task.words.array(task.words.indices())
    wanted = np.asarray(task.evaluate(rows))
    lookup = model.ranks_of(task.alphabet)
    given = [model.answers[code] for code in model.codes(rows if lookup is None else lookup[rows])]
    wrong = [place for place, code in enumerate(wanted) if code != DONT_CARE and given[place] != task.answers[code]]
    return int((wanted != DONT_CARE).sum()), wrong
