"""Small exact algorithms that longer proofs rest on, each against a plain second one on random input."""

from __future__ import annotations

import ctypes
import random
import signal
import subprocess
import time
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import flint
import numpy as np
import pytest

from ccsim.auditing.product_reachability import (
    Budget,
    Layer,
    OutOfBudgetError,
    Rules,
    shortest_mistake,
    tabulate,
    walk,
)
from ccsim.bounds import cliques, discrepancies
from ccsim.bounds.bit_matrix import members, proper_parts
from ccsim.bounds.bracket import as_text
from ccsim.bounds.cliques import degenerate_order, maximum_clique, renumbered
from ccsim.bounds.scheduler import Clock, OutOfTimeError
from ccsim.bounds.solvers import common_integers, solve
from ccsim.bounds.yao import every_split, subset_sums
from ccsim.certificates.verify import Refused, check, randomised
from ccsim.certificates.verify.claims import Matrix, bits_for_power
from ccsim.certificates.verify.randomised import in_two, largest_sum, most_answered
from ccsim.certificates.verify.ranks import eliminated, nearly_factorised, positive, rank, rank_modulo
from ccsim.matrices import CommunicationMatrix
from tests.bounds.brute_force import subsets
from tests.speed import patient


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    made = tmp_path_factory.mktemp("library") / "libcliques.so"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    source = Path(cliques.__file__).with_name("cliques.c")
    try:
        subprocess.run(["cc", "-O2", *warnings, "-shared", "-fPIC", "-o", str(made), str(source)], check=True)
    except FileNotFoundError:
        pytest.skip("no compiler")
    return ctypes.CDLL(str(made))


def random_graph(draw, sizes=range(6, 26), densities=(0.4, 0.6, 0.8, 0.9)):
    size, density = draw.choice(sizes), draw.choice(densities)
    graph = [0] * size
    for one, other in combinations(range(size), 2):
        if draw.random() < density:
            graph[one] |= 1 << other
            graph[other] |= 1 << one
    return graph


def clique_size(graph):
    """By branching alone, with no bound but the number of vertices that are left."""
    best = 0

    def grow(size, left):
        nonlocal best
        best = max(best, size)
        while left and size + left.bit_count() > best:
            low = left & -left
            left ^= low
            grow(size + 1, graph[low.bit_length() - 1] & left)

    grow(0, (1 << len(graph)) - 1)
    return best


def test_cliques_are_largest_in_both_versions(monkeypatch, compiled):
    for seed in range(150):
        draw = random.Random(seed)
        graph = random_graph(draw)
        vertex = draw.randrange(len(graph))
        for start in ([], [vertex], [vertex, *members(graph[vertex])[:1]]):
            found = []
            for library in (None, compiled):
                monkeypatch.setattr(cliques, "library", lambda library=library: library)
                found.append(maximum_clique(graph, start, Clock()))
            clique, size = found[0]
            assert found[1] == found[0]
            assert size == len(set(clique)) == clique_size(graph)
            assert all(graph[one] >> other & 1 for one, other in combinations(clique, 2))


def outcome(graph, clock, upper=None):
    try:
        return maximum_clique(graph, [], clock, upper)
    except OutOfTimeError as stopped:
        return stopped.args


def test_searches_of_larger_graphs_take_the_same_steps_when_they_stop_and_go_on(monkeypatch, compiled):
    entered, stepped = [], []
    expand, coded = cliques._CliqueSearch._expand, compiled.clique_search
    monkeypatch.setattr(cliques._CliqueSearch, "_expand", lambda *given: (entered.append(given), expand(*given))[1])
    counting = SimpleNamespace(clique_search=lambda *given: (stepped.append(given), coded(*given))[1])
    for seed in range(20):
        draw = random.Random(seed)
        graph = random_graph(draw, (0, 1, 63, 64, 65, 128, 150), (0.3, 0.6, 0.7))
        monkeypatch.setattr(cliques, "library", lambda: None)
        wanted, late = outcome(graph, Clock()), outcome(graph, Clock(0.0))
        for steps in (1, 7):
            monkeypatch.setattr(cliques, "STEPS", steps)
            for upper in (None, wanted[1]):
                monkeypatch.setattr(cliques, "library", lambda: None)
                del entered[:], stepped[:]
                assert outcome(graph, Clock(), upper) == wanted
                monkeypatch.setattr(cliques, "library", lambda: counting)
                assert outcome(graph, Clock(), upper) == wanted
                assert len(stepped) == -(-(2 * len(entered) - 1) // steps), "into each clique and out of it"
        monkeypatch.setattr(cliques, "STEPS", 1)
        assert outcome(graph, Clock(0.0)) == late
        assert late[1] >= wanted[1]


def test_a_compiled_search_is_interrupted(monkeypatch, compiled):
    monkeypatch.setattr(cliques, "library", lambda: compiled)
    graph = random_graph(random.Random(0), (300,), (0.8,))
    begun = time.process_time()
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            maximum_clique(graph, [], Clock.within(30.0))
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert time.process_time() - begun < patient(2.0, time.process_time)


def test_each_vertex_has_the_least_degree_of_those_up_to_it():
    for seed in range(60):
        graph = random_graph(random.Random(seed))
        order = degenerate_order(graph)
        for last in range(len(graph), 0, -1):
            among = sum(1 << vertex for vertex in order[:last])
            degrees = [((graph[vertex] & among).bit_count(), vertex) for vertex in order[:last]]
            assert min(degrees) == degrees[-1]
        changed = renumbered(graph, order)
        for (i, one), (j, other) in product(enumerate(order), repeat=2):
            assert changed[i] >> j & 1 == graph[one] >> other & 1


def determinant(table):
    return int(flint.fmpz_mat(table).det())


def accepted(core, table):
    try:
        core(Matrix([[0]]), table)
    except Refused:
        return False
    return True


def test_positive_semidefinite_means_no_negative_principal_minor():
    seen = {True: 0, False: 0}
    for seed in range(600):
        draw = random.Random(seed)
        size, dimension = draw.randrange(1, 6), draw.randrange(1, 4)
        half = [[draw.randint(-1, 1) for _ in range(dimension)] for _ in range(size)]
        table = [[sum(a * b for a, b in zip(one, other, strict=True)) for other in half] for one in half]
        if seed % 2:
            row, column = draw.randrange(size), draw.randrange(size)
            table[row][column] = table[column][row] = table[row][column] + draw.choice((-1, 1))
        wanted = all(
            determinant([[table[i][j] for j in kept] for i in kept]) >= 0
            for count in range(1, size + 1)
            for kept in combinations(range(size), count)
        )
        triangle = [[f"{entry}/3" for entry in row[: at + 1]] for at, row in enumerate(table)]
        found = accepted(eliminated, table)
        assert accepted(positive, triangle) == found == wanted, table
        seen[found] += 1
    assert min(seen.values()) > 100


def test_matrices_that_just_fail_to_be_positive_are_not_nearly_factorised():
    for seed in range(100):
        draw = random.Random(seed)
        above, across = draw.getrandbits(draw.choice((8, 100, 127))) + 1, draw.getrandbits(120) + 1
        below = -(-(across**2) // above) - 1  # the determinant is just below 0
        assert not accepted(nearly_factorised, [[above], [across, below]])
        assert not accepted(eliminated, [[above, across], [across, below]])
        assert accepted(eliminated, [[above, across], [across, below + 1]])


def gamma2_of(codes, alpha, side, kind, gram, columns):
    witness = {"kind": kind, "gram": [[as_text(entry) for entry in row] for row in gram], "columns": columns}
    witness["rows"] = list(range(len(codes)))
    return check(codes, "gamma_2", side, {"label": 1, "alpha": as_text(alpha)}, witness)


def test_gram_and_dual_matrices_are_worth_what_their_definitions_state():
    refused = 0
    for seed in range(200):
        draw = random.Random(seed)
        height, width, alpha = draw.randrange(1, 4), draw.randrange(1, 4), draw.choice((1, Fraction(5, 2)))
        codes = [[draw.choice((-1, 0, 1)) for _ in range(width)] for _ in range(height)]
        signs = [0 if cell < 0 else 2 * cell - 1 for row in codes for cell in row]
        inner = [draw.choice((1, alpha)) * (sign or draw.choice((-1, 0, 1))) for sign in signs]
        inner[draw.randrange(len(inner))] += draw.choice((0, 0, Fraction(1, 4), Fraction(-1, 4)))
        diagonal = [20 + Fraction(draw.randrange(9), 3) for _ in range(height + width)]
        gram = [[*[0] * place, entry] for place, entry in enumerate(diagonal)]
        for place, entry in enumerate(inner):
            gram[height + place % width][place // width] = entry
        products = [-sign * entry for sign, entry in zip(signs, inner, strict=True)]
        columns = list(range(width))
        worth = sum(
            product if product > 0 else -alpha * abs(entry) for product, entry in zip(products, inner, strict=True)
        )
        assert gamma2_of(codes, alpha, "lower", "gamma2-dual", gram, columns) == 2 * worth / sum(diagonal)
        asked = (codes, alpha, "upper", "gamma2-gram", gram, [height + column for column in columns])
        cells = zip(signs, products, inner, strict=True)
        if all(1 <= -product <= alpha if sign else abs(entry) <= alpha for sign, product, entry in cells):
            assert gamma2_of(*asked) == max(diagonal)
        else:
            refused += 1
            with pytest.raises(Refused):
                gamma2_of(*asked)
    assert 20 < refused < 180


def test_ranks_modulo_primes():
    for seed in range(60):
        draw = random.Random(seed)
        height, width = draw.randrange(1, 9), draw.randrange(1, 9)
        rows = [draw.getrandbits(width) for _ in range(max(1, height // 2))]
        rows += [draw.choice(rows) ^ draw.choice(rows) for _ in range(height - len(rows))]
        table = [[row >> column & 1 for column in range(width)] for row in rows]
        for prime in (2, 3, 5, 2_147_483_647):
            wanted = flint.nmod_mat(flint.fmpz_mat(table), prime).rank()
            assert rank(Matrix(table), rows, prime) == wanted
            assert rank_modulo(lambda steps: None, table, prime) == wanted


def test_largest_sums_are_those_of_all_rectangles(monkeypatch):
    for seed in range(40):
        draw = random.Random(seed)
        monkeypatch.setattr(randomised, "ROOM", draw.choice((1, 64, 1 << 16)))
        height, width, most = draw.randrange(1, 6), draw.randrange(1, 6), draw.choice((1, 5, 1 << 70))
        values = [[draw.choice((0, draw.randint(-most, most))) for _ in range(width)] for _ in range(height)]
        sums = [
            sum(values[row][column] for row in rows for column in columns)
            for rows, columns in product([(), *subsets(height)], [(), *subsets(width)])
        ]
        matrix = Matrix([[0] * width] * height)
        for known in (0, 1, max(sums) // 2, max(sums) - 1, max(sums), max(sums) + 1):
            assert largest_sum(matrix, values, max(0, known)) == max(known, *sums)


@pytest.mark.parametrize("bits", [7, 8, 15, 16, 64])
def test_sums_fill_whole_bytes(bits):
    for total in ((1 << bits) - 1, 1 << bits, (1 << bits) + 1):
        for values in ([[total]], [[-total]], [[total // 2, 0], [total - total // 2, -1]]):
            assert largest_sum(Matrix(values), values) == max(0, values[0][0] if len(values) == 1 else total)


@pytest.mark.parametrize("at_once", [0, discrepancies.ALL_SETS])
def test_discrepancies_of_more_rows_than_are_tried_in_one_step(monkeypatch, at_once):
    monkeypatch.setattr(discrepancies, "ALL_SETS", at_once)
    codes = np.random.default_rng(5).integers(0, 2, (15, 14))
    signs = (2 * codes - 1).T
    sums = np.array([signs[list(rows)].sum(axis=0) for rows in subsets(14) if len(rows)])
    most = max(int(np.maximum(side * sums, 0).sum(axis=1).max()) for side in (1, -1))
    found = discrepancies.discrepancy(CommunicationMatrix.from_array(codes), seconds=60.0)
    assert found.lower == found.upper == Fraction(most, codes.size)


def test_integer_systems_have_their_only_solution_or_none():
    for seed in range(60):
        draw = np.random.default_rng(seed)
        height, width = draw.integers(1, 6, 2)
        matrix, wanted = draw.integers(-2, 3, (height, width)), draw.integers(-3, 4, width)
        unique = flint.fmpz_mat(matrix.tolist()).rank() == width
        assert solve(matrix, matrix @ wanted) == (wanted.tolist() if unique else None)
        if height > flint.fmpz_mat(matrix.tolist()).rank():
            right = matrix @ wanted + np.eye(height, dtype=np.int64)[draw.integers(height)]
            system = np.column_stack([matrix, right]).tolist()
            if flint.fmpz_mat(system).rank() > flint.fmpz_mat(matrix.tolist()).rank():
                assert solve(matrix, right) is None
    assert common_integers([Fraction(1, 6), Fraction(3, 4), Fraction(0)]) == [2, 9, 0]


def test_splits_of_sets_by_brute_force():
    values = np.random.default_rng(0).integers(0, 50, 32)
    for mask in range(1, 32):
        parts = [part for part in range(1, mask) if part & ~mask == 0 and part & mask & -mask]
        assert sorted(proper_parts(mask).tolist()) == parts
    best = [max([values[m], *(values[p] + values[m ^ p] for p in range(1, m) if p & ~m == 0)]) for m in range(32)]
    assert every_split(values).tolist() == best
    assert in_two(values.tolist(), values.tolist()) == best
    table = np.random.default_rng(1).integers(-9, 9, (4, 3))
    assert [table[members(mask)].sum(axis=0).tolist() for mask in range(16)] == subset_sums(table).tolist()


def best_success(one, other, rows, columns, bits):
    """The most weight on which a protocol of so many bits is right, by trying all protocols."""
    cells = [(r, c) for r in rows for c in columns]
    best = max(sum(table[r][c] for r, c in cells) for table in (one, other))
    for place, own in enumerate((rows, columns)) if bits else ():
        for part in subsets(len(own)):
            mine, yours = [own[at] for at in part], [at for number, at in enumerate(own) if number not in part]
            halves = [(half, columns) if place == 0 else (rows, half) for half in (mine, yours)]
            best = max(best, sum(best_success(one, other, *half, bits - 1) for half in halves))
    return best


def test_the_best_protocols_of_few_bits():
    for seed in range(12):
        draw = random.Random(seed)
        height, width = draw.randrange(1, 4), draw.randrange(1, 4)
        cells = [[draw.choice((-1, 1)) * draw.randrange(6) for _ in range(width)] for _ in range(height)]
        tables = [[[max(0, sign * cell) for cell in row] for row in cells] for sign in (1, -1)]
        for bits in range(4):
            wanted = best_success(*tables, list(range(height)), list(range(width)), bits)
            assert most_answered(Matrix([[0]]), tables, bits) == wanted


def test_bits_for_a_power_of_a_fraction():
    for above, below, exponent in product(range(1, 20), range(1, 6), range(1, 6)):
        power = Fraction(above, below) ** exponent
        assert bits_for_power(Fraction(above, below), exponent) == next(c for c in range(99) if 2**c >= power)


def random_machine(draw, states, symbols):
    table = draw.integers(0, states, (states, symbols))
    answers = draw.integers(0, 2, (states, symbols))
    rules = Rules(
        np.zeros((1, 1), dtype=np.int64),
        lambda rows, read, position: table[rows[:, 0], read][:, None],
        lambda rows, read, position: answers[rows[:, 0], read],
    )
    return table, answers, rules


def run(machine, word):
    state = 0
    for symbol in word[:-1]:
        state = machine[0][state, symbol]
    return machine[1][state, word[-1]]


def test_tables_of_states_answer_as_their_machines_and_shortest_mistakes_are_shortest():
    budget = Budget(seconds=60)
    for seed in range(40):
        draw = np.random.default_rng(seed)
        states, symbols = int(draw.integers(1, 5)), int(draw.integers(1, 4))
        one = random_machine(draw, states, symbols)
        table = tabulate(one[2], symbols, 3, budget)
        assert table.depth is None
        assert len(np.unique(table.rows)) == len(table.rows) <= states
        other = random_machine(draw, states, symbols)
        if seed % 3:
            other[0][:], other[1][:] = one[0], one[1]
            other[1][-1, -1] ^= seed % 3 - 1
        found = shortest_mistake(table, tabulate(other[2], symbols, 3, budget), budget)
        words = (word for length in range(1, states + 3) for word in product(range(symbols), repeat=length))
        wrong = next((word for word in words if run(one, word) != run(other, word)), None)
        assert (found is None) == (wrong is None)
        if found is not None:
            assert len(found) == len(wrong)
            assert run(one, found.tolist()) != run(other, found.tolist())
        assert [table.answers[place_of(table, word[:-1]), word[-1]] for word in product(range(symbols), repeat=3)] == [
            run(one, word) for word in product(range(symbols), repeat=3)
        ]


def place_of(table, word):
    place = 0
    for symbol in word:
        place = table.table[place, symbol]
    return place


def machine(step):
    """Its state, a number, is its answer."""
    return Rules(
        np.zeros((1, 1), dtype=np.int64),
        lambda rows, read, position: step(rows[:, 0], read)[:, None],
        lambda rows, read, position: step(rows[:, 0], read),
    )


COUNTER, ENDLESS = machine(lambda state, read: np.minimum(state + read, 9)), machine(np.add)
TREE = machine(lambda state, read: 2 * state + read + 1)


def is_within(work):
    try:
        work()
    except OutOfBudgetError:
        return False
    return True


def test_limits_of_states_are_kept_and_reached(monkeypatch):
    for states in (1, 2, 6, 7, 9, 10):
        budget = Budget(states)
        assert is_within(lambda budget=budget: tabulate(COUNTER, 2, 50, budget)) == (states >= 10)
        assert is_within(lambda budget=budget: tabulate(TREE, 2, 3, budget)) == (states >= 7)
        for length in (
            1,
            32 * states + 32,
            32 * states + 33,
        ):  # a pair at each position but the last, 32 of which count
            symbols, sides = [np.arange(1)] * length, [Layer.start(COUNTER) for _ in range(2)]
            within = is_within(lambda sides=sides, symbols=symbols, budget=budget: walk(*sides, symbols, budget))
            assert within == (length <= 32 * states + 32)
    assert (tabulate(COUNTER, 2, 50, Budget(10)).depth, tabulate(TREE, 2, 3, Budget(7)).depth) == (None, 3)
    assert 3 <= tabulate(ENDLESS, 2, 3, Budget(10)).count <= 10
    monkeypatch.setattr("ccsim.auditing.product_reachability.MOST_ENTRIES", 12)
    assert is_within(lambda: tabulate(COUNTER, 2, 50, Budget()))
    assert not is_within(lambda: tabulate(ENDLESS, 2, 50, Budget()))


def test_a_limit_of_time_is_over_after_its_last_moment():
    now = SimpleNamespace(time=0.0)
    budget = Budget(seconds=8.0, clock=lambda: now.time)
    for now.time in (0.0, 8.0, 8.5):
        assert is_within(lambda: budget.require_time("nothing")) == (now.time <= 8)
