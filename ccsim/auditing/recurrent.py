"""Audits of recurrent models on all words: the product of the model's states with the task's, and collisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ccsim.auditing.product_reachability import (
    Budget,
    Layer,
    OutOfBudgetError,
    ProductStates,
    Rules,
    StateSpace,
    StateTable,
    Subject,
    machine_of,
    model_rules,
    shortest_mistake,
    tabulate,
    task_rules,
    walk,
)
from ccsim.auditing.result import AccuracyBounds, Failure, Outcome, StateCollision, count_text, known, wanted
from ccsim.auditing.sampled_words import (
    all_words,
    critical_words,
    distinguishing_suffix,
    growing,
    promised_words,
    run_words,
)
from ccsim.auditing.state_sets import bound_by_covers, bound_by_suffixes, is_followed
from ccsim.errors import Array
from ccsim.matrices import DONT_CARE
from ccsim.models.model import uniform_words
from ccsim.models.reachability import trace_back
from ccsim.models.recurrent import RecurrentModel, RecurrentStack
from ccsim.models.step_models import StepModel
from ccsim.plain_data import counted

MOST_WORDS = 1 << 14  # that are tried
FEW_WORDS = 1 << 6  # where the model is known to be wrong
SUFFIXES = 1 / 6  # of the time that is left for the interval
ALONE, ALONE_SYMBOLS = 16, 1 << 10  # words of a step in tiles that are run alone, and symbols in all of them
EXACT = 1 / 3  # of the time for the exact search, where other ways to a proof follow


def decide_recurrent(pair: Subject, budget: Budget) -> Outcome:
    finding, model, symbols = _decided(pair, budget), pair.model, pair.symbols
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


def _decided(pair: Subject, budget: Budget) -> Outcome:
    if machine_of(pair.task) is None:
        finding = every_word(pair, budget.part(1 / 2))
        return finding or some_words(pair, budget.part(), "no machine for this task, and ")
    rules, collider = model_rules(pair), Collider(pair)
    try:
        return _product(collider, rules, budget.part(EXACT if isinstance(pair.model, RecurrentStack) else 1 / 2))
    except OutOfBudgetError as error:
        stopped = str(error)
    finding = try_words(pair, budget.part(1 / 4), stopped, MOST_WORDS if collider.failure is None else FEW_WORDS)
    if collider.failure is None:
        searched = birthday_search(collider, rules, budget.part(1 / 8 if finding.failure else 1 / 3))
        finding = replace(finding, searched={**finding.searched, **searched})
    if collider.failure is not None:
        finding = finding.failed(collider.failure)
    if not is_followed(pair.model):
        return finding
    finding = finding.narrowed(pair, bound_by_suffixes(pair, budget.part(SUFFIXES)), "endings")
    if finding.accuracy is not None and finding.accuracy.is_exact:
        return finding
    return finding.narrowed(pair, bound_by_covers(pair, budget.part(), finding.failure is not None))


def _product(collider: Collider, rules: Rules, budget: Budget) -> Outcome:
    pair, symbols = collider.pair, collider.pair.symbols
    left, right = _state_spaces(pair, rules, budget)
    searched, shortest = {}, None
    if isinstance(left, StateTable) and isinstance(right, StateTable):
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
                promised = promised_words(pair, budget.part())
            return Outcome("right", how, promised, 0, every, shortest=shortest, searched=searched)
    result = walk(left, right, symbols, budget, collider.look)
    searched["pairs"] = result.most
    how = f"by at most {counted(result.most, 'pair of states')} at one position"
    finding = Outcome.of(pair, result, how, "product of model and task", shortest=shortest, searched=searched)
    return replace(finding, failure=collider.failure) if finding.failure and collider.failure else finding


def _state_spaces(pair: Subject, rules: Rules, budget: Budget) -> tuple[StateSpace, StateSpace]:
    model, machine, symbols, alphabet = pair.model, pair.machine, pair.symbols, len(pair.task.alphabet)
    assert isinstance(model, RecurrentModel)
    left: StateSpace = Layer.start(rules)
    right: StateSpace = Layer.start(task_rules(machine))
    if model.is_stationary and all(len(choices) == alphabet for choices in symbols):
        try:
            left = tabulate(rules, alphabet, len(symbols), budget)
        except OutOfBudgetError:
            if budget.spent > budget.seconds:
                raise
            return left, right
        if machine.every_length:
            right = tabulate(task_rules(machine), alphabet, len(symbols), budget)
    return left, right


def try_words(pair: Subject, budget: Budget, why: str, count: int = MOST_WORDS) -> Outcome:
    running, generator = budget.part(3 / 4), np.random.default_rng(budget.seed)
    blocks = growing(critical_words(pair.task, count, generator, running))
    tried = run_words(pair, blocks, running)
    accuracy = tried.accuracy(pair, budget.part())
    why += f"; to read a word takes about {tried.too_long:.3g} s, so none was tried" if tried.too_long else ""
    finding = Outcome("undecided", why, searched={"words_tried": tried.words})
    return finding.narrowed(pair, AccuracyBounds(accuracy, tried.first), f"trying {tried.words} words")


def every_word(pair: Subject, budget: Budget) -> Outcome | None:
    try:
        result = all_words(pair, budget)
    except OutOfBudgetError:
        return None
    return Outcome.of(pair, result, pair.model.manner, "all words", searched={"words_tried": result.words})


def some_words(pair: Subject, budget: Budget, why: str = "") -> Outcome:
    size = pair.task.words.size
    late = size <= budget.words  # then it was the time that did not do
    reason = f"{why}{'out of time' if late else 'too many words'} to go through all {count_text(size)} words"
    return try_words(pair, budget, reason + ("" if late else f", budget {budget.words}"))


MOST_TRIES = 8  # pairs of one position that are looked at
MOST_IN_ALL = 256
FAMILY = 1 << 14  # prefixes of a family


@dataclass
class Collider:
    """Looks, position by position, for equal states of the model that go with different states of the task."""

    pair: Subject
    failure: Failure | None = None
    tries: int = 0

    def look(self, pairs: ProductStates) -> None:
        if self.failure is not None or self.tries >= MOST_IN_ALL:
            return
        mine, theirs = pairs.numbers
        same = np.flatnonzero(mine[1:] == mine[:-1])
        if not len(same):
            return
        for place in same[np.unique(np.linspace(0, len(same) - 1, MOST_TRIES).astype(np.int64))]:
            self.tries += 1
            states = [pairs.right.rows[theirs[number]] for number in (place, place + 1)]
            suffix = distinguishing_suffix(self.pair.task, states[0], states[1], pairs.read)
            if suffix is not None:
                self._collide([trace_back(pairs.history, int(number)) for number in (place, place + 1)], suffix)
                return

    def _collide(self, prefixes: list[Array], suffix: Array) -> None:
        pair, model = self.pair, self.pair.model
        assert isinstance(model, RecurrentModel)
        one, two, last = (pair.word(part) for part in (*prefixes, suffix))
        states = [model.run(pair.read(prefix)[None])[0] for prefix in prefixes]
        answers = wanted(pair.task, one + last, two + last)
        if not np.array_equal(*states) or answers[0] == answers[1]:
            raise ArithmeticError("a collision that was found is not one")
        collision = StateCollision((one, two), last, (answers[0], answers[1]), tuple(states[0].tolist()))
        self.failure = Failure.by(collision, collision.words, model, pair.task, "equal states")


def birthday_search(collider: Collider, rules: Rules, budget: Budget) -> dict[str, int]:
    """Structured prefixes: one symbol repeated, since states fade towards equal ones, or drawn symbols."""
    machine, symbols = collider.pair.machine, collider.pair.symbols
    held = min(budget.states, FAMILY)
    trunk = ProductStates.start(Layer.start(rules), Layer.start(task_rules(machine)), 1, 1)
    searched = {"prefixes": 1, "longest_prefix": 0}

    def extend(pairs: ProductStates, choices: Array) -> ProductStates:
        one_each = replace(pairs, counts=np.ones(len(pairs.keys), dtype=np.int64))  # how many words is no matter here
        grown = one_each.after(choices, budget)
        searched["prefixes"] += len(grown.keys)
        searched["longest_prefix"] = max(searched["longest_prefix"], grown.read)
        collider.look(grown)
        return grown

    def goes_on(pairs: ProductStates) -> bool:
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
