"""What the measuring functions of several papers share: reductions checked on all inputs, one-way brackets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ccsim.claims import Claim, Finding
from ccsim.claims.values import compare, short_text
from ccsim.errors import InputError

if TYPE_CHECKING:
    from ccsim.bounds import Bracket
    from ccsim.models import SequenceModel
    from ccsim.problems import SequenceTask, TwoPartyFunction
    from protocols.reductions.task_reductions import Reduction

__all__ = [
    "built",
    "compared",
    "drawn_recall",
    "drawn_words",
    "every_word",
    "first_difference",
    "near",
    "one_way_bits",
    "one_way_messages",
    "reduced",
    "telling_model",
]

Model = TypeVar("Model", bound="SequenceModel")
Plain = Callable[[tuple[Any, ...]], Any]
MOST_SEEDS = 256
MOST_WORDS = 1 << 16  # up to so many words of a task are all tried
DRAWN = 64
MOST_LOOSE = 20  # how many times as much as is found the proof of a bound may allow


def one_way_bits(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """The bits of one message from Alice after which Bob knows the answer, with a certificate."""
    from ccsim.bounds.one_way import one_way

    return replace(one_way(function.matrix, time_limit=seconds), matrix=function.matrix)


def one_way_messages(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """How many different messages that takes, with a certificate."""
    from ccsim.bounds.one_way import one_way_messages as messages

    return replace(messages(function.matrix, time_limit=seconds), matrix=function.matrix)


def near(claim: Claim) -> Claim:
    """A claim about growth that is broken too if its declared curve is far above what was measured at the last size.

    A constant that anything would satisfy says nothing. It is looked at where claims are measured by default.
    """
    assert claim.constant is not None
    along = claim.constant.along

    def measure(**setting: Any) -> Finding:
        found = claim.measure(**setting)
        size, value = found.series[-1]
        claimed = claim.claimed({**setting, along: size})
        if setting not in claim.settings() or compare(claimed, MOST_LOOSE * value) <= 0:
            return found
        loose = f"{short_text(claimed)} is claimed at {along}={size}, where {short_text(value)} is enough"
        return found.but(violations=(*found.violations, loose))

    return replace(claim, measure=measure)


def reduced(reduction: Reduction, bracket: Bracket, **more: Any) -> Finding:
    """A bound for a task: the source's bracket, if the reduction is right on every input."""
    wrong = reduction.check()
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    violations = () if wrong is None else (f"{reduction.name} is wrong: {wrong}",)
    return Finding.of_bracket(bracket, violations=violations, facts={**facts, **more.pop("facts", {})}, **more)


def telling_model(build: Callable[[int], Model], seed: int, length: int) -> Model:
    """The first random model from a seed on that does not give all words one answer: such a one would show nothing.

    A model counts if the last half of a word alone does not settle its answer, nor the first half.
    """
    import numpy as np

    for each in range(seed, seed + MOST_SEEDS):
        model = build(each)
        codes = model.task(length).codes()
        table = np.asarray(codes).reshape(len(model.alphabet) ** (length // 2), -1)
        if (table != table[:1]).any() and (table != table[:, :1]).any():
            return model
    raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose model looks at both halves of a word")


def built(
    model: SequenceModel,
    task: SequenceTask,
    measured: Any,
    draw: Callable[[SequenceTask], Any] | None = None,
    *,
    plain: Plain | None = None,
    run: Callable[[Any], Any] | None = None,
    **more: Any,
) -> Finding:
    """A size of a model whose answers are :func:`compared` with those of a task."""
    wrong, checked = compared(model, task, draw, plain=plain, run=run)
    return Finding(measured=measured, checked=checked, of=task.words.size, violations=wrong, **more)


def compared(
    model: SequenceModel,
    task: SequenceTask,
    draw: Callable[[SequenceTask], Any] | None = None,
    *,
    plain: Plain | None = None,
    run: Callable[[Any], Any] | None = None,
    most: int = MOST_WORDS,
) -> tuple[tuple[str, ...], int]:
    """What is wrong with a model's answers, and on how many words they were looked at.

    These are all words of the task, or words that are drawn if there are more than so many: then those that count are
    the promised ones. The comparison is tried on itself: a mistake planted on the last promised word must be noticed.

    Args:
        model, task: whose answers are compared.
        draw: what draws words where there are too many; :func:`drawn_words` if None.
        plain: a second way to the answer, from the symbols of a word, None off the promise; it is compared as well.
        run: what turns words of the model's ranks into its answer codes; ``model.codes`` if None.
        most: up to so many words of a task are all gone through.
    """
    import numpy as np

    from ccsim.matrices import DONT_CARE

    few = task.words.size <= most
    words = every_word(task) if few else (draw or drawn_words)(task)
    if few and not np.array_equal(task.words.places(words), np.arange(task.words.size)):
        return (f"not all {task.words.size} words are gone through",), len(words)
    wanted, lookup = np.asarray(task.evaluate(words)), model.ranks_of(task.alphabet)
    codes = np.asarray((run or model.codes)(words if lookup is None else lookup[words]))
    given = np.array([task.answers.index(answer) for answer in model.answers])[codes]
    promised = np.flatnonzero(wanted != DONT_CARE)
    if not len(promised):
        return ("no word that was drawn is promised",), 0
    checked = len(words) if few else len(promised)
    planted = given.copy()
    planted[promised[-1]] = -2
    wrong, noticed = first_difference(given, wanted), first_difference(planted, wanted)
    if wrong is not None:
        return (f"wrong on {_written(task, words[wrong])}",), checked
    if noticed != promised[-1]:
        return ("a planted mistake is not noticed",), checked
    return () if plain is None else _by_another_way(task, words, wanted, plain), checked


def first_difference(given: Any, wanted: Any) -> int | None:
    """The first place where a promised answer is not the one that is given."""
    import numpy as np

    from ccsim.matrices import DONT_CARE

    places = np.flatnonzero((given != wanted) & (wanted != DONT_CARE))
    return int(places[0]) if len(places) else None


def _by_another_way(task: SequenceTask, words: Any, wanted: Any, plain: Plain) -> tuple[str, ...]:
    """Where the task itself is not what a plain second computation of it says."""
    from ccsim.matrices import DONT_CARE

    for row, code in zip(words.tolist(), wanted.tolist(), strict=True):
        symbols = tuple(task.alphabet[rank] for rank in row)
        if plain(symbols) != (None if code == DONT_CARE else task.answers[code]):
            return (f"the task is not what it says on {task.words.word(symbols)}",)
    return ()


def _written(task: SequenceTask, row: Any) -> str:
    return task.words.show(task.words.word(task.alphabet[rank] for rank in row))


def every_word(task: SequenceTask) -> Any:
    """All words of a task, as ranks in its alphabet: every choice of a symbol at every position."""
    import numpy as np

    rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
    sizes = [len(symbols) for symbols in task.positions]
    chosen = np.indices(sizes, dtype=np.int32).reshape(len(sizes), -1)
    ranks = [np.array([rank[symbol] for symbol in symbols]) for symbols in task.positions]
    return np.stack([own[choices] for own, choices in zip(ranks, chosen, strict=True)], axis=1)


def drawn_words(task: SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks, always the same ones: half of them at random, half in pairs that differ in one symbol only.

    Of the random ones every other repeats its first half, if it can; the last two are the first and the last word of
    the task. Between two words with different answers there are two neighbours with different answers: they make the
    pairs, so that what decides is one symbol somewhere.
    """
    import numpy as np

    generator, positions = np.random.default_rng(0), task.positions
    rank = {symbol: place for place, symbol in enumerate(task.alphabet)}
    choices = [np.array([rank[symbol] for symbol in symbols]) for symbols in positions]
    words = np.stack([ranks[generator.integers(len(ranks), size=count)] for ranks in choices], axis=1)
    half = len(positions) // 2
    if positions[:half] == positions[half : 2 * half]:
        words[::2, half : 2 * half] = words[::2, :half]
    words[-2:] = [[ranks[0] for ranks in choices], [ranks[-1] for ranks in choices]]
    codes = np.asarray(task.evaluate(words))
    first, other = np.flatnonzero(codes == codes[0]), np.flatnonzero(codes != codes[0])
    if not len(other):
        return words
    quarter = np.arange(max(1, count // 4))
    ends = (words[place[quarter % len(place)]] for place in (first, other))
    return np.concatenate([words[: count // 2 - 2], words[-2:], *_neighbours(task, *ends)])


def _neighbours(task: SequenceTask, start: Any, end: Any) -> tuple[Any, Any]:
    """Pairs of words, one symbol apart, with different answers, on paths between words with different answers."""
    import numpy as np

    generator = np.random.default_rng(1)
    order = generator.permuted(np.tile(np.arange(start.shape[1]), (len(start), 1)), axis=1)
    turn = np.argsort(order, axis=1)  # at which step a position takes the symbol of the end
    low, high = np.zeros(len(start), dtype=np.int64), np.full(len(start), start.shape[1])

    def word(steps: Any) -> Any:
        return np.where(turn < steps[:, None], end, start)

    answer = np.asarray(task.evaluate(start))
    while (high - low > 1).any():
        middle = (low + high) // 2
        same = np.asarray(task.evaluate(word(middle))) == answer
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    assert (word(low) != word(high)).sum(axis=1).max() == 1
    return word(low), word(high)


def drawn_recall(task: SequenceTask, count: int = DRAWN) -> Any:
    """Words of ranks for associative recall: the keys in orders of their own, values and a query at random.

    Every other word is the one before it with only the value of the key that is asked for changed.
    """
    import numpy as np

    generator, positions = np.random.default_rng(0), task.positions
    rank, pairs, rows = {symbol: place for place, symbol in enumerate(task.alphabet)}, len(positions) // 2, range(count)
    keys, values = (np.array([rank[symbol] for symbol in positions[place]]) for place in (-1, 1))
    held = generator.permuted(np.tile(keys, (count, 1)), axis=1)[:, :pairs]
    if len(positions[0]) == 1:  # each key has its own place
        held = np.tile([rank[name] for (name,) in positions[0:-1:2]], (count, 1))
    drawn, place = generator.integers(len(values), size=(count, pairs)), generator.integers(pairs, size=count)
    drawn[1::2], held[1::2], place[1::2] = (given[0 : count // 2 * 2 : 2] for given in (drawn, held, place))
    drawn[rows[1::2], place[1::2]] = (drawn[rows[1::2], place[1::2]] + 1) % len(values)
    words = np.empty((count, 2 * pairs + 1), dtype=np.int64)
    words[:, 0:-1:2], words[:, 1::2], words[:, -1] = held, values[drawn], held[rows, place]
    return words
