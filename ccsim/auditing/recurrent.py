"""Recurrent models on all words at once, by the product of the model's states with the task's, and by collisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ccsim.auditing.product_reachability import (
    AllApartError,
    Budget,
    Layer,
    OutOfBudgetError,
    Pairs,
    Rules,
    Side,
    Table,
    machine_of,
    model_rules,
    shortest_mistake,
    tabulate,
    task_rules,
    walk,
)
from ccsim.auditing.result import Bracket, Failure, Finding, StateCollision, count_text, known, wanted
from ccsim.auditing.sampled_words import (
    all_words,
    critical_words,
    distinguishing_suffix,
    growing,
    promised_words,
    run_words,
)
from ccsim.auditing.state_sets import bracket_by_covers, bracket_by_endings, is_followed
from ccsim.errors import Array
from ccsim.matrices import DONT_CARE
from ccsim.models.model import Comparison, uniform_words
from ccsim.models.reachability import way_back
from ccsim.models.recurrent import RecurrentModel, RecurrentStack
from ccsim.models.step_models import StepModel
from ccsim.plain_data import counted
from ccsim.problems.sequence_tasks import TaskMachine

MOST_WORDS = 1 << 14  # that are tried
FEW_WORDS = 1 << 6  # where the model is known to be wrong
ENDINGS = 1 / 6  # of the time that is left for the interval
ALONE, ALONE_SYMBOLS = 16, 1 << 10  # words of a step in tiles that are run alone, and symbols in all of them
EXACT = 1 / 3  # of the time for the exact search, where other ways to a proof follow


def decide_recurrent(pair: Comparison, symbols: list[Array], budget: Budget) -> Finding:
    """Whether a recurrent model is right on all words of a task, or where it is not.

    Of a step that is run in tiles, with what it answers on the failing word and on some others when each is run alone.
    """
    finding, model = _decided(pair, symbols, budget), pair.model
    if not isinstance(model, StepModel):
        return finding
    count = max(1, min(ALONE, ALONE_SYMBOLS // len(symbols)))
    words = pair.read(uniform_words(symbols, count, np.random.default_rng(budget.seed)))
    if finding.failure is not None:
        words = np.concatenate([model.ranks(finding.failure.word)[None], words])
    different = np.flatnonzero(model.codes(words) != model.codes_alone(words))
    alone = f"{counted(len(words), 'word')} run alone answered alike"
    if len(different):
        shown = "".join(str(model.alphabet[rank]) for rank in words[different[0]].tolist())
        alone = f"{len(different)} of {counted(len(words), 'word')} run alone answered otherwise, such as {shown}"
    how = "" if model.manner in finding.reason else f", {model.manner}"
    return replace(finding, reason=f"{finding.reason}{how}; {alone}")


def _decided(pair: Comparison, symbols: list[Array], budget: Budget) -> Finding:
    machine = machine_of(pair.task)
    if machine is None:  # every word, or else some
        why = "no machine for this task, and "
        finding = every_word(pair, budget.part(1 / 2))
        return finding or some_words(pair, None, symbols, budget.part(), why)
    assert isinstance(pair.model, RecurrentModel)
    rules = model_rules(pair)
    collider = Collider(pair, machine, symbols)
    try:
        exact = EXACT if isinstance(pair.model, RecurrentStack) else 1 / 2
        return _product(collider, rules, budget.part(exact))
    except OutOfBudgetError as error:  # too many states to go through: try words, and look for a collision
        stopped = str(error)
    count = MOST_WORDS if collider.failure is None else FEW_WORDS
    finding = try_words(pair, machine, symbols, budget.part(1 / 4), stopped, count)
    searched = dict(finding.searched)
    if collider.failure is None:
        searched |= birthday_search(collider, rules, budget.part(1 / 8 if finding.failure else 1 / 3))
    if collider.failure is not None:
        finding = finding.failed(collider.failure)
    finding = replace(finding, searched=searched)
    if not is_followed(pair.model):
        return finding
    finding = finding.narrowed(pair, bracket_by_endings(pair, machine, symbols, budget.part(ENDINGS)), "endings")
    decided = finding.failure is not None
    if finding.accuracy is not None and finding.accuracy.is_exact:
        return finding
    return finding.narrowed(pair, bracket_by_covers(pair, machine, symbols, budget.part(), decided))


def _product(collider: Collider, rules: Rules, budget: Budget) -> Finding:
    pair, symbols = collider.pair, collider.symbols
    left, right = _sides(collider, rules, budget)
    searched, shortest = {}, None
    if isinstance(left, Table) and isinstance(right, Table):
        searched = {"model_states": left.count, "task_states": right.count}
        depths = [side.depth for side in (left, right) if side.depth is not None]
        mistake = shortest_mistake(left, right, budget, min(depths, default=None))
        shortest = None if mistake is None else pair.word(mistake)
        if shortest is None or len(shortest) > len(symbols):
            how = f"{counted(left.count, 'state')} of the model with {right.count} of the task"
            how = known(pair, f"{how}, all pairs that words lead to")
            every = shortest is None and not depths
            promised: int | None = len(pair.task.alphabet) ** len(symbols)
            if (right.answers == DONT_CARE).any():
                promised = promised_words(pair, collider.machine, budget.part())
            return Finding("right", how, promised, 0, every, shortest=shortest, searched=searched)
    result = walk(left, right, symbols, budget, collider.look)
    searched["pairs"] = result.most
    how = f"by at most {counted(result.most, 'pair of states')} at one position"
    finding = Finding.of(pair, result, how, "product of model and task", shortest=shortest, searched=searched)
    return replace(finding, failure=collider.failure) if finding.failure and collider.failure else finding


def _sides(collider: Collider, rules: Rules, budget: Budget) -> tuple[Side, Side]:
    """Model and task as tables where that is possible, else as rules that are followed from position to position."""
    machine, symbols, alphabet = collider.machine, collider.symbols, len(collider.pair.task.alphabet)
    left: Side = Layer.start(rules)
    right: Side = Layer.start(task_rules(machine))
    assert isinstance(collider.pair.model, RecurrentModel)
    if collider.pair.model.is_stationary and all(len(choices) == alphabet for choices in symbols):
        try:
            left = tabulate(rules, alphabet, len(symbols), budget)
        except OutOfBudgetError as error:  # if each word has a state of its own, going by position is in vain
            if isinstance(error, AllApartError) or budget.spent > budget.seconds:
                raise
            return left, right
        if machine.every_length:
            right = tabulate(task_rules(machine), alphabet, len(symbols), budget)
    return left, right


def try_words(
    pair: Comparison,
    machine: TaskMachine | None,
    symbols: list[Array],
    budget: Budget,
    why: str,
    count: int = MOST_WORDS,
) -> Finding:
    """About ``count`` words on which small changes matter, block after block, until the model is wrong on one.

    ``why`` says why not all words were gone through.
    """
    running = budget.part(3 / 4)
    generator = np.random.default_rng(budget.seed)
    blocks = growing(critical_words(pair.task, machine, symbols, generator, count, running))
    tried = run_words(pair, blocks, running)
    accuracy = tried.accuracy(pair, machine, budget.part())
    why += f"; to read a word takes about {tried.too_long:.3g} s, so none was tried" if tried.too_long else ""
    finding = Finding("undecided", why, searched={"words_tried": tried.words})
    return finding.narrowed(pair, Bracket(accuracy, tried.first), f"trying {tried.words} words")


def every_word(pair: Comparison, budget: Budget) -> Finding | None:
    """The verdict from all words; None if there are too many."""
    try:
        result = all_words(pair, budget)
    except OutOfBudgetError:
        return None
    return Finding.of(pair, result, pair.model.manner, "all words", searched={"words_tried": result.words})


def some_words(
    pair: Comparison, machine: TaskMachine | None, symbols: list[Array], budget: Budget, why: str = ""
) -> Finding:
    """The verdict from words that were tried: wrong, or undecided."""
    size = pair.task.words.size
    late = size <= budget.words  # then it was the time that did not do
    reason = f"{why}{'out of time' if late else 'too many words'} to go through all {count_text(size)} words"
    reason += "" if late else f", budget {budget.words}"
    return try_words(pair, machine, symbols, budget, reason)


MOST_TRIES = 8  # pairs of one position that are looked at
MOST_IN_ALL = 256
FAMILY = 1 << 14  # prefixes of a family


@dataclass
class Collider:
    """Looks, position by position, for equal states of the model that go with different states of the task.

    Attributes:
        failure: the first word on which the model is wrong that was found in this way.
    """

    pair: Comparison
    machine: TaskMachine
    symbols: list[Array]
    failure: Failure | None = None
    tries: int = 0

    def look(self, pairs: Pairs) -> None:
        if self.failure is not None or self.tries >= MOST_IN_ALL:
            return
        mine, theirs = pairs.numbers
        same = np.flatnonzero(mine[1:] == mine[:-1])
        if not len(same):
            return
        for place in same[np.unique(np.linspace(0, len(same) - 1, MOST_TRIES).astype(np.int64))]:
            self.tries += 1
            states = [pairs.right.rows[theirs[pair]] for pair in (place, place + 1)]
            end = distinguishing_suffix(self.machine, states[0], states[1], pairs.read, self.symbols)
            if end is not None:
                self._collide([way_back(pairs.history, int(pair)) for pair in (place, place + 1)], end)
                return

    def _collide(self, prefixes: list[Array], end: Array) -> None:
        pair, model = self.pair, self.pair.model
        assert isinstance(model, RecurrentModel)
        one, two, last = (pair.word(part) for part in (*prefixes, end))
        states = [model.run(pair.read(prefix)[None])[0] for prefix in prefixes]
        answers = wanted(pair.task, one + last, two + last)
        if not np.array_equal(*states) or answers[0] == answers[1]:
            raise ArithmeticError("a collision that was found is not one")
        collision = StateCollision((one, two), last, (answers[0], answers[1]), tuple(states[0].tolist()))
        self.failure = Failure.by(collision, collision.words, model, pair.task, "equal states")


def birthday_search(collider: Collider, rules: Rules, budget: Budget) -> dict[str, int]:
    """Look for a collision among structured families of prefixes, where not all can be gone through.

    All prefixes are held up to some length; then each is continued with one and the same symbol, for every symbol in
    turn, and with drawn ones: what a model has read long ago tends to fade, and states that fade become equal. Tells
    how many prefixes there were, and of how many symbols.
    """
    machine, symbols = collider.machine, collider.symbols
    held = min(budget.states, FAMILY)
    trunk = Pairs.start(Layer.start(rules), Layer.start(task_rules(machine)), 1, 1)
    searched = {"prefixes": 1, "longest_prefix": 0}

    def extend(pairs: Pairs, choices: Array) -> Pairs:
        one_each = replace(pairs, counts=np.ones(len(pairs.keys), dtype=np.int64))  # how many words is no matter here
        grown = one_each.after(choices, budget)
        searched["prefixes"] += len(grown.keys)
        searched["longest_prefix"] = max(searched["longest_prefix"], grown.read)
        collider.look(grown)
        return grown

    def goes_on(pairs: Pairs) -> bool:
        return pairs.read < len(symbols) - 1 and collider.failure is None

    try:
        while goes_on(trunk) and len(trunk.keys) * len(symbols[trunk.read]) <= held:
            trunk = extend(trunk, symbols[trunk.read])
        generator = np.random.default_rng(budget.seed)
        most = max(len(choices) for choices in symbols)
        for family in range(most + 2):
            branch = trunk
            while goes_on(branch):
                choices = symbols[branch.read]
                place = family % len(choices) if family < most else int(generator.integers(0, len(choices)))
                branch = extend(branch, choices[place : place + 1])
    except OutOfBudgetError:
        pass
    return searched
