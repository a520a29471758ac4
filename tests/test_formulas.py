"""Formulas are read by a grammar of their own: exact values, and no text is executed."""

from fractions import Fraction

import pytest
import sympy

import ccsim as cc
from ccsim.claims.claim import compare
from ccsim.claims.html import formula_markup
from ccsim.engine import Cost
from ccsim.errors import InputError
from ccsim.formulas import FUNCTIONS, exact_value, parse, symbolic

N = sympy.Symbol("N", positive=True, integer=True)


EXACT = [
    ("2*n^2", {"n": 3}, 18),
    ("-n**2 + 1", {"n": 3}, -8),
    ("2^3^2", {}, 512),
    ("n/2/3", {"n": 1}, Fraction(1, 6)),
    ("0.1 + 0.2", {}, Fraction(3, 10)),
    ("1e3*n", {"n": 2}, 2000),
    ("L(1) + L(2) + L(5) + L(8)", {}, 7),
    ("L(n)", {"n": Fraction(5, 2)}, 2),
    ("log2(N) + log(N, 2) + log(8, 2)", {"N": 1024}, 23),
    ("log(9, 3)", {}, 2),
    ("ceil(log2(5)) + ceiling(n/2) + floor(n/2)", {"n": 5}, 8),
    ("floor(10*log2(3)) + ceil(sqrt(2)) + floor(sqrt(49))", {}, 24),
    ("min(n, 3) + Max(n, 3, 7)", {"n": 5}, 10),
    ("binomial(n, 2) + binomial(n, 9)", {"n": 5}, 10),
    ("binomial(2*k, k)", {"k": 100}, sympy.binomial(200, 100)),
    ("Rational(1, 3) + p", {"p": Fraction(2, 3)}, 1),
    ("2^(-n)", {"n": 2}, Fraction(1, 4)),
    ("4^(1/2)", {}, 2),
    ("e*S*E*I", {"e": 1, "S": 2, "E": 3, "I": 4}, 24),  # names are names, also those of sympy's
]


def test_values_are_exact():
    for formula, values, value in EXACT:
        assert exact_value(formula, values) == value
        assert type(exact_value(formula, values)) in (int, Fraction)


def test_irrational_values_are_compared_exactly():
    value = exact_value("n*log2(3)", {"n": 5})
    assert compare(value, Fraction(79248125036057, 10**13)) == 1
    assert compare(value, Fraction(79248125036058, 10**13)) == -1
    assert compare(value, exact_value("log(243, 2)", {})) == 0


REFUSED = [
    "__import__('os').system('touch {}')",
    "open('{}', 'w')",
    "(lambda: open('{}', 'w'))()",
    "[open(x, 'w') for x in ['{}']]",
    'f\'{{open("{}", "w")}}\'',
    "n.__class__",
    "n[0]",
    "(n := 3)",
    "n if n else 0",
    "n < 3",
    "n and 1",
    "n % 2",
    "n // 2",
    "~n",
    "'n'",
    "True",
    "1j",
    "n, 1",
    "{{n}}",
    "eval(n)",
    "Symbol(n)",
    "max(*n)",
    "log(n, base=2)",
    "max()",
    "L(1, 2)",
    "",
    " ",
    "n +",
    "n = 1",
    "import os",
    "n\0",
    "# n",
    "(" * 250 + "n" + ")" * 250,
    "-" * 1900 + "n",
    "n" * 2001,
    "n^2^2^2^2^2^2",
    "9**9**9",
    "9^(9^9)",
    "2^(2^n)",
    "1e999999999",
    "binomial(10^9, 5*10^8)",
    "exp(10^6)",
    "n/0",
    "n/(n - n)",
    "log(0)",
    "log(n, 1)",
    "sqrt(-1)",
    "m",
    None,
    3,
]


def test_all_else_is_refused_and_nothing_is_executed(tmp_path):
    made = tmp_path / "made"
    for formula in REFUSED:
        text = formula.format(made) if isinstance(formula, str) and "{" in formula else formula
        for read in (
            lambda text: exact_value(text, {"n": 100}),
            lambda text: Cost(text, {"n": 100}).bits,
            lambda text: compare(cc.claims.claim.evaluate(text, {"n": 100}), 0),
        ):
            with pytest.raises(InputError):
                pytest.fail(f"{text} was {read(text)}")
        assert not made.exists()


def test_values_that_are_texts_are_not_read():
    with pytest.raises(InputError, match="n"):
        exact_value("n + 1", {"n": "__import__('os')"})
    with pytest.raises(sympy.SympifyError):
        compare("__import__('os')", 1)


def test_symbols_stay_where_they_are_wanted():
    assert symbolic("N^2/4 + L(N)", {"N": N}) == N**2 / 4 + sympy.ceiling(sympy.log(N, 2))
    assert symbolic("3", {}) == 3


def test_each_function_is_set_on_pages():
    for name, (arguments, *_) in FUNCTIONS.items():
        formula = f"{name}(n, 2)" if arguments == 2 else f"{name}(n)"
        parse(formula)
        assert formula_markup(formula).startswith("<math")


def test_what_is_no_formula_is_shown_as_text():
    assert formula_markup("<b>bits</b> of all") == "<code>&lt;b&gt;bits&lt;/b&gt; of all</code>"
