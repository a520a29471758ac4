"""Changes of brackets and of tasks, as several tables of spoilings make them."""

from dataclasses import replace

from ccsim.problems import SequenceTask
from tests.claims.spoilings.spoiling import Spoiling, answers


def moved(below, above):
    """A bracket whose sides are moved by so much."""

    def change(bracket):
        upper = None if bracket.upper is None else bracket.upper + above
        return replace(bracket, lower=bracket.lower + below, upper=upper)

    return answers(change)


def task_on(change):
    """A task whose answers are those on words of ranks that were changed first."""

    def wrap(original):
        def build(*given, **options):
            task = original(*given, **options)
            return SequenceTask(task.name, task.words, task.answers, lambda rows: task.evaluate(change(rows)))

        return build

    return wrap


def first_two_exchanged(rows):
    return rows[..., [1, 0, *range(2, rows.shape[-1])]]


def values_exchanged(rows):
    """The first two values of pairs change places."""
    return rows[..., [0, 3, 2, 1, *range(4, rows.shape[-1])]]


CONSTRUCTIONS, TABLES = "protocols.constructions", "protocols.constructions.recall_table:RecallTable"


def wrong_on_the_last_word(original):
    """A model whose answer on the last of many words is another one."""

    def last(self, states, symbols, position):
        codes = original(self, states, symbols, position).copy()
        codes[-1] = 1 - codes[-1]
        return codes

    return last


def a_bit_more(original):
    """A state with a bit more than it takes."""
    return property(lambda self: (original.func if hasattr(original, "func") else original.fget)(self) + 1)


def carried(owner, builder, setting=None):
    """What is tried on every model of ours."""
    return (
        Spoiling("wrong on the last word", owner, "last", wrong_on_the_last_word),
        Spoiling("a bit more than is carried", owner, "state_bits", a_bit_more),
        Spoiling("a number less than is carried", owner, "state_precisions", a_value_less),
        Spoiling("nothing remembered", owner, "step", lambda _: lambda self, states, *rest: states * 0),
        Spoiling("another model", CONSTRUCTIONS, builder, other_order, setting or {}),
    )


def a_value_less(original):
    """A state whose first number has a bit less than it takes."""
    from ccsim.arithmetic import Precision

    return property(lambda self: (Precision(1, 0, 0), *original.func(self)[1:]))


def other_order(original):
    """A model of the other order of keys, or of a longer word."""
    return lambda number, **options: (
        original(number, in_order=not options["in_order"]) if "in_order" in options else original(number + 1)
    )
