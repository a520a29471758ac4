"""Rank over fields, nonnegative, sign and approximate rank; and the gamma_2 norm.

That is a norm of the signs A, which are 1 on cells of a label, -1 on others, and 0 off the promise.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product, zip_longest
from math import isqrt, prod

from .claims import (
    MOST_PRIME,
    Any,
    Matrix,
    MatrixClaim,
    Refused,
    Table,
    Value,
    common_scale,
    indices,
    integer,
    is_prime,
    items,
    mask_of,
    need,
    proves,
    rational,
    scaled,
)


def extended(matrix: Matrix, basis: Any, row: int, columns: list[int], prime: int) -> Any:
    """An echelon form over GF(prime) with one more 0/1 row, given as a mask; itself if the row depends on it.

    A vector over GF(2) is a mask, and has its place as a mask with one bit. Else it is one long integer, 80 bits for
    each column, which hold all that elimination adds to an entry: at most 2^17 products of two numbers below 2^31. A
    basis has (place of the first entry, in bits; vector) with a 1 there.
    """
    if prime == 2:
        matrix.spend(40 + len(basis) * (4 + matrix.long[0] + matrix.long[1]))
        for place, pivot in basis:
            if row & place:
                row ^= pivot
        return (*basis, (row & -row, row)) if row else basis
    matrix.spend(30 + 16 * len(columns) + len(basis) * (20 + len(columns) // 6))
    text, lane = bin(row)[:1:-1].ljust(columns[-1] + 1 if columns else 0, "0"), (1 << 80) - 1
    vector = int.from_bytes(b"".join([(text[column] == "1").to_bytes(10, "little") for column in columns]), "little")
    for place, pivot in basis:
        head = (vector >> place & lane) % prime
        if head:
            vector += (prime - head) * pivot
    data = vector.to_bytes(10 * len(columns), "little")
    entries = [int.from_bytes(data[at : at + 10], "little") % prime for at in range(0, len(data), 10)]
    place = next((place for place, entry in enumerate(entries) if entry), -1)
    if place < 0:
        return basis
    inverse = pow(entries[place], -1, prime)
    scaled = b"".join([(entry * inverse % prime).to_bytes(10, "little") for entry in entries])
    return (*basis, (80 * place, int.from_bytes(scaled, "little")))


def prime_from(matrix: Matrix, value: Any) -> int:
    matrix.spend(100 + 3 * isqrt(integer(value, 2, MOST_PRIME)))
    need(is_prime(value), "expected a prime")
    return int(value)


def rank(matrix: Matrix, rows: list[int], prime: Any) -> int:
    prime = prime_from(matrix, prime)
    need(len(rows) <= 1 << 17, "too many rows for their rank")
    every, basis = 0, ()
    for row in rows:
        every |= row
    columns = matrix.places(every)
    for row in rows:
        basis = extended(matrix, basis, row, columns, prime)
    return len(basis)


def rank_modulo(spend: Callable[[int], None], rows: Table, prime: int) -> int:
    left, count = [[entry % prime for entry in row] for row in rows], 0
    each = max(9, prime.bit_length() // 6)  # work for an entry, more where entries are long
    while left and left[0]:
        spend(40 + each * len(left) * len(left[0]))
        pivot = next((row for row in left if row[0]), None)
        if pivot is not None:
            left.remove(pivot)
            count, inverse = count + 1, pow(pivot[0], -1, prime)
            scaled_pivot = [entry * inverse % prime for entry in pivot]
            left = [[(a - row[0] * b) % prime for a, b in zip(row, scaled_pivot, strict=True)] for row in left]
        left = [row[1:] for row in left]
    return count


def indicator(matrix: Matrix, code: int, rows: int = -1, columns: int = -1) -> list[int]:
    """The 0/1 rows of one answer in a rectangle, by default in the whole matrix, which must be total there."""
    masks, free, places = matrix.masks(code), matrix.masks(-1), matrix.places(rows & (1 << matrix.height) - 1)
    matrix.spend(len(places) * (8 + 2 * matrix.long[0]))
    need(not any(free[row] & columns for row in places), "undefined entries have no rank")
    return [masks[row] & columns for row in places]


@proves("pivots", "lower rank", "lower partition")
def check_pivots(claim: MatrixClaim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank of a submatrix modulo a prime: rank over that field is at least it, and so is rank over the rationals,
    because a minor that is not 0 modulo a prime is not 0. Disjoint rectangles of an answer add up to its 0/1 matrix,
    and each has rank one over any field."""
    right = claim.measure == "partition" or claim.parameters["field"] in ("rational", f"GF({prime})")
    need(right, "pivots over another field")
    return rank(claim.matrix, indicator(claim.matrix, claim.code, *claim.matrix.rectangle(rows, columns)), prime)


@proves("elimination", "upper rank")
def check_elimination(claim: MatrixClaim, primes: Any) -> int:
    """Over GF(p) the checker finds the rank itself. The rational rank is at most r if it is modulo different primes
    whose product is above every minor of r + 1 = k rows: these minors are 0 modulo the product. By Hadamard a 0/1
    minor is at most (k + 1)^((k + 1) / 2) / 2^k."""
    need(0 < len(items(primes)) == len(set(primes)) <= 1 << 15, "different primes")
    rows = sorted(set(indicator(claim.matrix, claim.code)))
    most = max(rank(claim.matrix, rows, prime) for prime in primes)
    if claim.parameters["field"] == "rational":
        claim.matrix.spend(len(primes) ** 2)
        product = prod(primes) << most + 1
        need(product.bit_length() < 1 << 20 and product**2 > (most + 2) ** (most + 2), "too few primes")
    else:
        need(claim.parameters["field"] == f"GF({primes[0]})" and len(primes) == 1, "elimination over another field")
    return most


def positive(matrix: Matrix, triangle: Any) -> tuple[Table, int]:
    """A symmetric rational matrix, from its rows up to the diagonal, once it is seen to be positive semidefinite; in
    units of a common denominator, and that. Near a boundary, such as with a row that depends on others, up to 80 rows
    are decided by elimination."""
    size = len(items(triangle))
    need(0 < size <= 520, "at most 520 rows of a Gram matrix")
    matrix.spend(400 * size**2, 400 * size**2)
    rows = [[rational(text) for text in items(row, place + 1)] for place, row in enumerate(triangle)]
    scale = common_scale(entry for row in rows for entry in row)
    lower = [[scaled(entry, scale) for entry in row] for row in rows]
    full = [[lower[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    try:
        nearly_factorised(matrix, lower)
    except Refused:
        need(size <= 80, "a matrix that is not seen to be positive semidefinite")
        eliminated(matrix, full)
    return full, scale


def eliminated(matrix: Matrix, table: Table) -> None:
    """Refuse a symmetric integer matrix that is not positive semidefinite: by elimination in integers (Bareiss 1968),
    on and above the diagonal. Pivots stay positive multiples of those of L D L^T, and a zero pivot must head a zero
    row."""
    size, long = len(table), most_bits_of(table)
    need(size * long <= 1 << 14, "numbers that get too long")
    matrix.spend(size**3 * (30 + ((size * long) ** 2 >> 18)))
    rows, previous = [row[place:] for place, row in enumerate(table)], 1
    while rows:
        (pivot, *head), *rest = rows
        need(pivot > 0 or (pivot == 0 and not any(head)), "a matrix that is not positive semidefinite")
        rows = rest
        if pivot:
            rows = [
                [(pivot * entry - left * top) // previous for entry, top in zip(row, head[place:], strict=True)]
                for place, (left, row) in enumerate(zip(head, rest, strict=True))
            ]
            previous = pivot


def nearly_factorised(matrix: Matrix, lower: Table) -> tuple[Table, int]:
    """Refuse unless a symmetric integer matrix, given up to its diagonal, is seen to be positive semidefinite; else its
    factor, and the power of 2 by which it was multiplied before.

    Cholesky's factor L is computed in integers, each entry rounded. What is left, S - L L^T, has entries of at most
    half a diagonal entry of L. Diagonal entries of L are so small that on each diagonal place at least the sum of all
    that is left in its row remains: a symmetric matrix of this kind is positive semidefinite, and so is S. Before, S
    is multiplied by a power of 4, so that little is lost."""
    size, factor, lost = len(lower), Table([] for _ in lower), [0] * len(lower)
    used = max(most_bits_of(lower), 1)
    need(used <= 256, "shorter numbers")
    shift = 2 * max(0, 64 - used // 2)
    matrix.spend(size**3 * (1 + (used >> 7)), 80 * size**2)
    width = used + shift + 2  # bits of a digit: what is left of a row is one number, as products of these are quick
    half, mask = 1 << width - 1, (1 << width) - 1
    left = [row[-1] << shift for row in lower]  # on the diagonal
    rows = [packed([(entry << shift) + half for entry in row[:-1]], width) for row in lower]
    for place, own in enumerate(factor):
        rest = left[place]
        rest -= lost[place] + (size - place) * (isqrt(max(rest, 0)) // 2 + 1)
        need(rest > 0, "a matrix that is not seen to be positive semidefinite")
        pivot, column, end = isqrt(rest), 0, 0
        own.append(pivot)
        for below in range(place + 1, size):
            row = rows[below]
            rest = (row & mask) - half
            near = (2 * rest + pivot) // (2 * pivot)
            factor[below].append(near)
            lost[below] += abs(rest - near * pivot)
            row >>= width
            if near:  # squares in a row stay below its diagonal: so digits stay below one half (Cauchy and Schwarz)
                left[below] -= near * near
                need(left[below] > 0, "a matrix that is not seen to be positive semidefinite")
                row -= near * column
                column += near << end
            rows[below] = row
            end += width
    return factor, shift


def packed(digits: list[int], width: int) -> int:
    while len(digits) > 1:
        digits = [low + (high << width) for low, high in zip_longest(digits[::2], digits[1::2], fillvalue=0)]
        width *= 2
    return sum(digits)


def most_bits_of(rows: Table) -> int:
    return max(entry.bit_length() for row in rows for entry in row)


def sign(claim: MatrixClaim, cell: int) -> int:
    return 0 if cell < 0 else 1 if cell == claim.parameters["label"] else -1


@proves("gamma2-dual", "lower gamma_2")
def check_gamma2_dual(claim: MatrixClaim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A matrix W on some rows and columns, and diagonals D, E with [[D, -W], [-W^T, E]] positive semidefinite.

    If B = <x_i, y_j> with |x_i|^2, |y_j|^2 <= g, then 2 sum W B <= sum D_i |x_i|^2 + sum E_j |y_j|^2 <= g (tr D + tr
    E): so gamma_2(B) >= 2 <W, B> / (tr D + tr E). A matrix B with 1 <= A B <= alpha (|B| <= alpha off the promise) has
    <W, B> >= the sum of (A W)^+ - alpha (A W)^-, and off the promise -alpha |W|.
    """
    (full, _), part = positive(claim.matrix, gram), claim.matrix.part(rows, columns)
    above, alpha, size = part.height, rational(claim.parameters["alpha"]), len(full)
    need(part.height + part.width == size, "one row of the block matrix per row and column")
    blocks = [range(above), range(above, size)]
    need(not any(full[i][j] for block in blocks for i in block for j in block if i != j), "D and E are diagonal")
    total = sum(full[i][i] for i in range(size))
    need(total > 0, "diagonals that are not zero")
    gained = lost = 0
    for cells, row in zip(part.table, full, strict=False):
        for cell, entry in zip(cells, row[above:], strict=True):
            product = -sign(claim, cell) * entry
            gained += max(product, 0)
            lost += max(-product, 0) if product else abs(entry)
    return 2 * (gained - alpha * lost) / total


@proves("gamma2-gram", "upper gamma_2")
def check_gamma2_gram(claim: MatrixClaim, gram: Any, rows: Any, columns: Any) -> Fraction:
    """A positive semidefinite [[P, B], [B^T, Q]] is the Gram matrix of vectors x_i, y_j with <x_i, y_j> = B_ij.

    With 1 <= A B <= alpha on promised cells and |B| <= alpha off them, gamma_2^alpha(A) is at most the largest entry
    of the diagonal. ``rows`` and ``columns`` name which row of the matrix each row and column has.
    """
    (full, scale), matrix, alpha = positive(claim.matrix, gram), claim.matrix, rational(claim.parameters["alpha"])
    mine, yours = indices(rows, len(full), matrix.height), indices(columns, len(full), matrix.width)
    matrix.spend(10 * matrix.size)
    each = [zip([i] * matrix.width, yours, cells, strict=True) for i, cells in zip(mine, matrix.table, strict=True)]
    least, most = scale, alpha * scale
    for i, j, cell in {entry for row in each for entry in row}:
        own, entry = sign(claim, cell), full[i][j]
        need(least <= own * entry <= most if own else abs(entry) <= most, "an entry outside its bounds")
    return Fraction(max(full[place][place] for place in range(len(full))), scale)


@proves("lines", "upper rank", "upper fooling-set", "upper nonnegative-rank", "upper sign-rank",
        "upper approximate-rank")  # fmt: skip
def check_lines(claim: MatrixClaim) -> int:
    """The rank is at most the number of different rows (or columns) of the 0/1 matrix that are not zero. So is a
    fooling set of the answer: two cells in equal such rows never exclude each other. The nonnegative rank is at most
    that of the numbers' different rows that are not zero, sign rank and approximate rank that of the signs' different
    rows: each row is a vector of its own, times one of ones and zeros."""
    if claim.measure in ("rank", "fooling-set"):
        if claim.measure == "rank":
            indicator(claim.matrix, claim.code)
        return min(len(set(claim.matrix.masks(claim.code, party)) - {0}) for party in (0, 1))
    known = claim.measure == "nonnegative-rank"
    table = numbers(claim, claim.parameters["values"]) if known else sign_rows(claim)
    sides: list[list[tuple[int, ...]]] = [[tuple(row) for row in table], list(zip(*table, strict=True))]
    claim.matrix.spend(4 * claim.matrix.size, 18 * claim.matrix.size)
    return min(len({row for row in rows if any(row)}) for rows in sides)


def rational_vectors(matrix: Matrix, listed: Any, count: int, size: int) -> tuple[Table, int]:
    """So many lists of so many rationals, in units of a common denominator of at most 1024 bits, and that."""
    matrix.spend(150 * count * (size + 1))
    rows = [[rational(text) for text in items(row, size)] for row in items(listed, count)]
    scale = common_scale((value for row in rows for value in row), 1 << 10)
    whole = [[scaled(value, scale) for value in row] for row in rows]
    need(most_bits_of([*whole, [0]]) <= 1 << 11, "numbers that get too long")
    return whole, scale


def numbers(claim: MatrixClaim, values: list[int]) -> Table:
    matrix = claim.matrix
    matrix.spend(3 * matrix.size, 9 * matrix.size)
    need(all(0 <= code < len(values) for row in matrix.table for code in set(row)), "a number for every cell")
    return [[values[cell] for cell in row] for row in matrix.table]


@proves("factors", "upper nonnegative-rank", "upper sign-rank", "upper approximate-rank")
def check_factors(claim: MatrixClaim, rows: Any, columns: Any) -> int:
    """Vectors u_i of the rows and v_j of the columns, in so many dimensions as the matrix B = <u_i, v_j> has rank at
    most. Nonnegative rank: no entry is below 0, and B is the matrix itself. Sign rank: B is above 0 on cells of the
    label, and below 0 on others. Approximate rank: there B is within e of 1, of -1; |B| <= 1 + e off the promise."""
    matrix = claim.matrix
    size = len(items(items(rows, matrix.height)[0]))
    (left, one), (right, other) = (rational_vectors(matrix, listed, count, size) for listed, count in
                                   ((rows, matrix.height), (columns, matrix.width)))  # fmt: skip
    long = max((abs(entry).bit_length() for row in left + right for entry in row), default=0)
    matrix.spend(matrix.size * (25 + size * (4 + (long >> 6) + (long >> 7) ** 2)))
    for row, cells in zip(left, matrix.table, strict=True):
        for vector, cell in zip(right, cells, strict=True):
            entry = sum([a * b for a, b in zip(row, vector, strict=True)])
            need(fits(claim, entry, cell, one * other), "an entry of another sign, or out of its bounds")
    if claim.measure == "nonnegative-rank":
        need(min((entry for row in left + right for entry in row), default=0) >= 0, "an entry below 0")
    return size


def fits(claim: MatrixClaim, entry: int, cell: int, unit: int) -> bool:
    """Whether a number, in some units, may replace an answer."""
    if claim.measure == "nonnegative-rank":
        values = claim.parameters["values"]
        return 0 <= cell < len(values) and entry == int(values[cell]) * unit
    own = sign(claim, cell) * entry
    if claim.measure == "sign-rank":
        return cell < 0 or own > 0
    above, below = claim.error.numerator, claim.error.denominator
    return abs(entry) * below <= (below + above) * unit and (cell < 0 or own * below >= (below - above) * unit)


@proves("minor", "lower nonnegative-rank")
def check_minor(claim: MatrixClaim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank modulo a prime of a submatrix, which is at most the rational rank, and so the nonnegative rank."""
    modulus, part = prime_from(claim.matrix, prime), claim.matrix.part(rows, columns)
    return rank_modulo(claim.matrix.spend, numbers(claim.on(part), claim.parameters["values"]), modulus)


@proves("support", "lower nonnegative-rank")
def check_support(claim: MatrixClaim, of: Any) -> Value:
    """Where a sum of nonnegative matrices of rank one is not 0, one of them is not: so the rectangles of these cover
    the cells that are not 0, and there are as many as such a cover needs."""
    table = [[int(entry > 0) for entry in row] for row in numbers(claim, claim.parameters["values"])]
    return claim.other(of, matrix=Matrix(table, claim.matrix.left), measure="cover", parameters={"code": 1})


def sign_rows(claim: MatrixClaim) -> Table:
    claim.matrix.spend(4 * claim.matrix.size, 9 * claim.matrix.size)
    need(-1 not in map(min, claim.matrix.table), "undefined entries have no sign")
    return [[sign(claim, cell) for cell in row] for row in claim.matrix.table]


@proves("forster", "lower sign-rank")
def check_forster(claim: MatrixClaim, doublings: Any, rows: Any, columns: Any) -> int:
    """The sign rank is at least sqrt(X Y) / ||A|| (Forster 2002), A the signs on X rows and Y columns; of the norm,
    ||A||^2k <= the largest absolute row sum of (A A^T)^k: the least d with d^2k times that at
    least (X Y)^k."""
    power, part = integer(doublings, 0, 5), claim.matrix.part(rows, columns)
    values = sign_rows(claim.on(part))
    size = part.height * part.width
    if part.height > part.width:
        values = [list(column) for column in zip(*values, strict=True)]
    claim.matrix.spend(4 * len(values) ** 2 * (len(values[0]) + power * len(values) << power))
    for _ in range(power + 1):
        values = [[sum([a * b for a, b in zip(row, other, strict=True)]) for other in values] for row in values]
    norm, dimension = max(sum(map(abs, row)) for row in values), 1
    while dimension ** (2 << power) * norm < size ** (1 << power):
        dimension += 1
    return dimension


def column_signs(matrix: Matrix, label: int) -> int | None:
    """The columns of sign -1, for signs of rows and columns whose products are all defined entries; None if there are
    none. Sets of columns whose signs depend on each other are kept with the signs of one of two ways: a row joins those
    that it meets, where it may exchange +1 and -1, and there are none if it disagrees with a set both ways."""
    sets: list[tuple[int, int]] = []
    whole = (1 << matrix.width) - 1
    for above, free in zip(matrix.masks(label), matrix.masks(-1), strict=True):
        matrix.spend((len(sets) + 1) * (20 + 10 * matrix.long[0]))
        below, apart = whole & ~above & ~free, []
        for plus, minus in sets:
            if above & minus or below & plus:
                plus, minus = minus, plus
            if above & minus or below & plus:
                return None
            if above & plus or below & minus:
                above, below = above | plus, below | minus
            else:
                apart.append((plus, minus))
        sets = [*apart, (above, below)] if above | below else sets
    return sum(minus for _, minus in sets)


@proves("plane", "lower sign-rank")
def check_plane(claim: MatrixClaim) -> int:
    """Whether one dimension is enough, or two; if not, three are needed. (Of a partial matrix: one, or two.)

    In one, rows and columns have signs of which defined entries are the products. In two, turn the plane so that u_0 =
    (0, 1): then v_j is, but for a positive factor, A_0j (t_j, 1), where all t_j may be taken to be different. So A_ij
    A_0j, in the order of the t_j, changes its sign at most once in each row. Of each row or its opposite take the
    places of +1 that do not have the first column: in this order they are ends, of which one contains the other. So
    some column is such that these sets are a chain.
    """
    matrix, label = claim.matrix, claim.parameters["label"]
    if column_signs(matrix, label) is not None:
        return int(bool(matrix.codes))
    if -1 in map(min, matrix.table):
        return 2
    table, width = sign_rows(claim), matrix.width
    matrix.spend(5 * matrix.height * width)
    sets = {mask_of((j for j, entry in enumerate(row) if entry != table[0][j]), width) for row in table}
    whole = (1 << width) - 1
    matrix.spend(width * len(sets) * (40 + (width >> 6)))
    for column in range(width):
        chain = sorted({whole ^ own if own >> column & 1 else own for own in sets}, key=int.bit_count)
        if all(one & ~other == 0 for one, other in pairwise(chain)):
            return 2
    return 3


@proves("vc", "lower sign-rank")
def check_vc(claim: MatrixClaim, direction: Any, of: Any) -> Value:
    """Signs of <u_i, v_j> show all patterns on k vectors v_j only if these are independent (if a sum of c_j v_j is 0,
    no u has <u, v_j> of the sign of c_j for all j): in k dimensions or more. Likewise with rows and columns exchanged.
    """
    shown = {*claim.matrix.codes, claim.parameters["label"]}  # a label that is neither has one sign on all cells
    need(shown <= {0, 1} and -1 not in map(min, claim.matrix.table), "answers 0 and 1")
    return claim.other(of, measure="vc-dimension", parameters={"direction": direction})


MOST_MINOR = 14  # of which all signs of the rows are tried


@proves("regular-minor", "lower approximate-rank")
def check_regular_minor(claim: MatrixClaim, rows: Any, columns: Any, inverse: Any) -> int:
    """A square submatrix A of the signs, with its inverse X, such that e |X y| < 1 for all signs y, where | | adds up
    absolute values. Then all A + E with entries of E up to e are regular: if (A + E) x = 0, then x = -X E x, where E x
    has entries up to e |x|; as |X y| is convex, |x| is at most e |x| times its most at signs y: less, unless x = 0. (If
    that is 1 or more, some A + E is singular: Poljak and Rohn 1993.)"""
    part = claim.matrix.part(rows, columns)
    size, signs = part.height, sign_rows(claim.on(part))
    need(size == part.width <= MOST_MINOR, f"a square of at most {MOST_MINOR} rows")
    found, unit = rational_vectors(claim.matrix, inverse, size, size)
    for place, row in enumerate(signs):
        products = [sum([a * b for a, b in zip(row, column, strict=True)]) for column in zip(*found, strict=True)]
        need(products == [unit * (place == other) for other in range(size)], "the inverse of the submatrix")
    claim.matrix.spend((size**2 * (6 + (most_bits_of(found) >> 6)) + 40) << size - 1)
    most = max(
        sum([abs(sum([a * b for a, b in zip(row, (1, *others), strict=True)])) for row in found])
        for others in product((1, -1), repeat=size - 1)
    )
    need(claim.error * most < unit, "a matrix that is singular within the error")
    return size


@proves("signs", "lower approximate-rank")
def check_signs(claim: MatrixClaim, of: Any) -> Value:
    """What is within less than 1 of a sign has this sign: so the sign rank is no larger."""
    return claim.other(of, measure="sign-rank", parameters={"label": claim.parameters["label"]})
