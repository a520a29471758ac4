"""Covers by clauses on the sets of rectangles that lines have: known values, brute force, and what is refused."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from pysat.solvers import Cadical195

from ccsim.bounds import cover_number
from ccsim.bounds.rectangles.chain_clauses import all_clauses, more_than_chains_show
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.chain_sets import ChainClauses, ChainCosts, costs_of
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.matrices import Matrix
from ccsim.matrices import CommunicationMatrix
from tests.bounds.rectangle_oracles import fewest
from tests.slow import slow


def circulant(n, zeros):
    """Zeros at these places from the diagonal, modulo n."""
    return [[int((column - row) % n not in zeros) for column in range(n)] for row in range(n)]


def witness(table, budget):
    """A proof that so many rectangles are not enough, or None."""
    found = more_than_chains_show(CommunicationMatrix(np.array(table), (0, 1)), 1, budget)
    return next((one for one in found if one), None)


def checked(table, data):
    return check(table, "cover", "lower", {"code": 1}, data)


@pytest.mark.parametrize(
    ("n", "zeros", "budget"),
    [(7, (0, 1), 5), slow(23, (0, 1), 7), (40, (0, 1), 8), (15, (0, 1, 3), 6), slow(22, (0, 1), 7)],
)
def test_circulants_that_need_one_more_than_chains_show(n, zeros, budget):
    table = circulant(n, zeros)
    data = witness(table, budget)
    for measure in ("cover", "partition"):
        assert check(table, measure, "lower", {"code": 1}, data) == budget + 1


@pytest.mark.parametrize(
    ("n", "zeros", "budget"),
    [
        (6, (0, 1), 5),
        (9, (0, 1), 6),
        (7, (0, 1, 3), 5),
        (6, (0,), 4),
        (24, (0, 1), 7),
        (7, (0, 1), 9),
    ],
)
def test_nothing_is_shown_where_so_many_are_enough_or_chains_say_it(n, zeros, budget):
    assert witness(circulant(n, zeros), budget) is None


@pytest.mark.slow
def test_the_cycle_of_23_is_exact():
    found = cover_number(CommunicationMatrix(np.array(circulant(23, (0, 1))), (0, 1)), 1)
    assert (found.lower, found.lower_witness["kind"]) == (8, "chain-clauses")


def covers(table, size):
    """For each of the smallest covers by maximal rectangles, S of each row and B of each column."""
    height, width = len(table), len(table[0])
    columns = {sum(1 << c for c in range(width) if all(table[r][c] for r in rows)): rows for rows in subsets(height)}
    rectangles = [(rows, mask) for mask, rows in columns.items() if rows and mask]
    return [
        (
            [sum(1 << q for q, (rows, _) in enumerate(chosen) if r in rows) for r in range(height)],
            [sum(1 << q for q, (_, mask) in enumerate(chosen) if not mask >> c & 1) for c in range(width)],
        )
        for chosen in choices(table, rectangles, size)
    ]


def subsets(size):
    return [[place for place in range(size) if mask >> place & 1] for mask in range(1 << size)]


def choices(table, rectangles, size):
    """Covers, cell after cell."""
    left = [cell for cell in product(range(len(table)), range(len(table[0]))) if table[cell[0]][cell[1]]]
    stack, found = [()], []
    while stack:
        chosen = stack.pop()
        open_ = next((c for c in left if not any(c[0] in rows and mask >> c[1] & 1 for rows, mask in chosen)), None)
        if open_ is None:
            found.append(chosen + (([], 0),) * (size - len(chosen)))
        elif len(chosen) < size:
            row, column = open_
            stack += [(*chosen, one) for one in rectangles if row in one[0] and one[1] >> column & 1]
    return found


@pytest.mark.parametrize(
    ("n", "zeros", "size", "step"),
    [
        (4, (0, 1), 4, 1),
        (6, (0, 1), 5, 9),
        (5, (0, 1, 2), 5, 20),
        (5, (0, 1), 5, 3),
        (5, (0, 1), 6, 40),
        (4, (0, 1), 5, 3),
    ],
)
def test_covers_satisfy_the_clauses_of_their_first_pair_of_sizes(n, zeros, size, step):
    """In some order of the rectangles, whichever crossing with these sizes is the first."""
    table = circulant(n, zeros)
    costs = ChainCosts(size, len(zeros), len(zeros), n * len(zeros))
    found = covers(table, size)
    assert found
    for rows, columns in found[::step]:
        crossing = [(r, c) for r, c in product(range(n), repeat=2) if not table[r][c]]
        sizes = [(rows[r].bit_count(), columns[c].bit_count()) for r, c in crossing]
        number = min(map(costs.pairs.index, sizes))
        clauses = ChainClauses(Matrix(table), costs, number)
        with Cadical195(bootstrap_with=all_clauses(clauses)) as solver:
            row, column = crossing[sizes.index(costs.pairs[number])]
            assert any(
                solver.solve([name if line in lines else -name for line, name in clauses.name.items()])
                for lines in renamed(rows, columns, rows[row], columns[column], size)
            )


def test_nothing_is_lost_where_all_chains_are_met():
    """Rows are the sets of two of five rectangles, columns those of three: each chain has one of both, and no less."""
    sets = [[mask for mask in range(32) if mask.bit_count() == size] for size in (2, 3)]
    table = [[int(row & ~column != 0) for column in sets[1]] for row in sets[0]]
    clauses = ChainClauses(Matrix(table), ChainCosts(5, 3, 3, 30), 0)
    assert (clauses.costs.left, clauses.costs.pairs) == (0, [(2, 3)])
    with Cadical195(bootstrap_with=all_clauses(clauses)) as solver:
        assert solver.solve(list(clauses.name.values()))
    assert witness(table, 4) is None or checked(table, witness(table, 4)) == 5


def test_what_lines_lose():
    """A row with two of seven rectangles is in 240 chains: two units of 36 are lost at columns with three, three if
    none has; and as many at a column without two rectangles, whose rows may have four. Usual ones lose nothing."""
    clauses = ChainClauses(Matrix([[0]]), ChainCosts(7, 2, 2, 44), 0)
    assert clauses.costs.left == 8 * clauses.unit
    for line, others in (((0, 0b11), [0, 0, 5]), ((1, 0b11111), [0, 0, 5]), ((0, 0b111), []), ((1, 0b1111), [])):
        name = clauses.name[line]
        lost = [one for one in clauses.given_clauses if one[1:2] == [-name] and one[0] > len(clauses.sets)]
        assert [len(one) - 2 for one in lost] == others


def renamed(rows, columns, inside, around, size):
    """The lines, with the rectangles inside first, then those around, in any order."""
    first, middle, last = ([q for q in range(size) if mask >> q & 1] for mask in (inside, around & ~inside, ~around))
    for order in ((*a, *middle, *b) for a in permutations(first) for b in permutations(last)):
        yield {
            (side, sum(1 << place for place, q in enumerate(order) if one >> q & 1))
            for side, sets in enumerate((rows, columns))
            for one in sets
        }


PATTERNS = [circulant(n, zeros) for n in (5, 6) for zeros in ((0, 1), (0, 2), (0, 1, 3), (0, 1, 2))]
PATTERNS.append([[int(vertex not in edge) for vertex in range(4)] for edge in ((0, 1), (1, 2), (2, 3), (3, 0))])
PATTERNS.append([[int(v not in e) for v in range(4)] for e in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))])


@pytest.mark.parametrize("place", range(len(PATTERNS)))
def test_no_more_is_shown_than_covers_have(place):
    table = PATTERNS[place]
    value = fewest(table, 1, False)
    for budget in range(2, 8):
        data = witness(table, budget)
        assert not data or checked(table, data) == budget + 1 <= value


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"budget": 6}, "a list of"),
        ({"budget": 4}, "chains alone"),
        ({"budget": 11}, "an integer from 2 to 10"),
        ({"rows": "3f"}, "cross as many"),
        ({"rows": "1f", "columns": "3"}, "without another code"),
        ({"proofs": []}, "a list of"),
        ({"proofs": ["", "", "", "", ""]}, "ends with the empty clause"),
    ],
)
def test_other_witnesses_are_refused(change, reason):
    table = circulant(7, (0, 1))
    data = witness(table, 5)
    with pytest.raises(Refused, match=reason):
        checked(table, {**data, **change})
    with pytest.raises(Refused):
        checked(table, {**data, "proofs": data["proofs"][::-1]})


def test_lines_that_cross_one_only_are_refused():
    with pytest.raises(Refused, match="cross as many"):
        costs_of(Claim(Matrix(circulant(6, (0,))), "cover", "lower", {"code": 1}), 4, "3f", "3f")


@pytest.mark.parametrize("turned", [False, True])
def test_lines_that_cross_more_than_others_are_refused(turned):
    """Vertices and edges of four vertices that are all joined but two."""
    table = np.array([[int(v not in e) for v in range(4)] for e in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3))])
    claim = Claim(Matrix((table.T if turned else table).tolist()), "cover", "lower", {"code": 1})
    with pytest.raises(Refused, match="cross as many"):
        costs_of(claim, 4, *(("f", "1f") if turned else ("1f", "f")))


def test_proofs_of_a_larger_matrix_are_refused():
    data = witness(circulant(7, (0, 1)), 5)
    with pytest.raises(Refused):
        checked(circulant(6, (0, 1)), {**data, "rows": "3f", "columns": "3f"})


def test_only_sets_that_are_part_of_each_other_make_literals_false():
    """A set that is that of a line, but none that is not; and if one is false once another is true, so is that."""
    clauses = ChainClauses(Matrix([[0]]), ChainCosts(7, 2, 2, 44), 0)
    false = {one: set(clauses.matrix.places(clauses.falsified(one))) for one in range(2, 2 * len(clauses.sets) + 2)}
    for one, others in false.items():
        assert one ^ 1 in others
        assert all(one in false[other] for other in others)
        assert not one & 1 or others == {one ^ 1}
