"""What ``ccsim audit --draw`` draws: what a model seems to have learnt, and the collision that it fails by."""

from __future__ import annotations

from pathlib import Path

import ccsim as cc
from ccsim.errors import InputError
from ccsim.models.model import SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
from ccsim.plots import Picture, collision_picture, gathered, learned_picture
from ccsim.problems import SequenceTask
from ccsim.writing import require_place


def require_picture(path: Path | None) -> None:
    """Whether a picture could be written there; :class:`~ccsim.errors.InputError` if not."""
    if path is not None:
        if path.suffix != ".svg":
            raise InputError("--draw", str(path), "a name that ends in .svg")
        require_place("--draw", path)


def draw_audit(
    path: Path | None, found: cc.auditing.Audit, model: SequenceModel, task: SequenceTask, tolerance: float, seed: int
) -> tuple[Path | None, list[str]]:
    """Write the picture, if one is asked for and there is something to draw: where it is, and what is said of it."""
    if path is None:
        return None, []
    pictures, said = [], []
    if isinstance(model, RecurrentModel):
        try:
            learned = cc.auditing.learned_automaton(model, task, tolerance=tolerance, seed=seed)
            pictures.append(learned_picture(learned))
            said.append(_learned_line(learned, model.state_bits))
        except InputError as error:
            said.append(f"not drawn: what it has learnt ({error})")
    else:
        said.append("not drawn: what it has learnt, as only recurrent models have states")
    if found.failure is not None and found.failure.collision is not None:
        pictures.append(collision_picture(found.failure.collision))
    if not pictures:
        return None, said
    whole: Picture = gathered(pictures, 1, "; ".join(picture.told for picture in pictures))
    return whole.save(path), [*said, f"drawn in {path}"]


def _learned_line(learned: cc.auditing.Learned, carried: int) -> str:
    """What was told apart, which proves nothing."""
    least, apart = (
        learned.least,
        f"{learned.states} told apart at {learned.tolerance:g} ({learned.effective_bits:.3g} bits of {carried})",
    )
    task = "the task has no automaton" if least is None else f"the task needs {least.states}"
    agrees = f"it agrees with the model on {float(learned.agrees):.1%} of drawn words"
    learnt = counted(learned.automaton.states, "state")
    return f"seems to have learnt an automaton of {learnt} ({task}), from {apart}; {agrees}"
