"""Sentences with mathematics: what is set, what stays as it is, and that nothing is lost in any claim."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import pytest

from ccsim.claims.registry import registered_claims
from ccsim.claims.report.prose import prose_markup

MATH = re.compile(r"<math.*?</math>")


def formulas(text):
    """What is set as mathematics, in plain notation."""
    return [unescape(found) for found in re.findall(r'<math alttext="(.*?)">', prose_markup(text))]


def shown(text):
    """What can be read on a page, without its layout."""
    return unescape(re.sub(r"<[^>]*>", "", prose_markup(text))).replace("\u2061", "").replace("\u2062", "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Equality of n-bit strings costs n + 1 bits.", ["n", "n + 1"]),
        ("A protocol of C bits has 2^C no less than a set", ["C", "2^C"]),
        ("a DFA with n states and a model of a bit. A machine", ["n"]),
        ("Let A be a DFA. Bob does not have a.", ["A", "a"]),
        ("the i-th of them, two 1s, 2-CNFs and 3 x 3 matrices, Theorem 3.1", ["i"]),
        ("appendix F, appendices B.2 and D, B.2 as well (docs/proofs/match2.md)", []),
        ("Theorem 4, D, and Lemma 4, n states", ["n"]),
        ("what is below -N^K, and e.g. the 2-norm", ["-N^K"]),
        ("eta >= 2 ln((N-1)(2N^K-1)): right", ["eta >= 2 ln((N-1)(2N^K-1))"]),
        ("With y = {2i + a_i - 1} and z_(2i-1) = 2a_i - 1, z_2i = -1, so",
         ["y = {2i + a_i - 1}", "z_(2i-1) = 2a_i - 1", "z_2i = -1"]),
        ("the product <x, x'> + 2 - 10 <T, T'> is |w|^2 <= 4q.", ["<x, x'> + 2 - 10 <T, T'>", "|w|^2 <= 4q"]),
        ("error at most 1/3, of 12 bits, in 2024", ["1/3"]),
        ("Dyck-(n, k) for N = 4, 8, and Dyck-(2,2)", ["(n, k)", "N = 4"]),
        ("mpH = Omega(n) (mod 4 of them)", ["mpH = Omega(n)"]),
        ("log of 7, L(n) layers of L", ["L(n)", "L"]),
    ],
)  # fmt: skip
def test_what_is_mathematics_is_found(text, found):
    assert formulas(text) == found


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("N^2K", "<msup><mi>N</mi><mrow><mn>2</mn><mo>\u2062</mo><mi>K</mi></mrow></msup>"),
        ("x_N", "<msub><mi>x</mi><mi>N</mi></msub>"),
        ("d'", "<msup><mi>d</mi><mo>′</mo></msup>"),
        ("N^-1", '<msup><mi>N</mi><mrow><mo form="prefix">−</mo><mn>1</mn></mrow></msup>'),
        ("sqrt(n)", "<msqrt><mi>n</mi></msqrt>"),
        ("L(n)", "<mrow><mo>⌈</mo><msub><mi>log</mi><mn>2</mn></msub><mo>\u2061</mo>"
                 '<mspace width="0.17em"></mspace><mi>n</mi><mo>⌉</mo></mrow>'),
        ("log^2 n", "<msup><mi>log</mi><mn>2</mn></msup><mo>\u2061</mo>"
                    '<mspace width="0.17em"></mspace><mi>n</mi>'),
        ("n // 3", '<mrow><mo>⌊</mo><mi>n</mi><mo lspace="0" rspace="0">/</mo><mn>3</mn><mo>⌋</mo></mrow>'),
    ],
)  # fmt: skip
def test_how_it_is_set(text, markup):
    assert prose_markup(text) == f'<math alttext="{text.replace(chr(39), "&#x27;")}"><mrow>{markup}</mrow></math>'


def said():
    for claim in registered_claims().values():
        why = claim.constant.why if claim.constant else ""
        yield from (claim.statement, *claim.hypotheses, claim.repair, claim.improvement, claim.built, why)
        yield from (parameter.meaning for parameter in claim.parameters)
        yield from (text for place in claim.places for text in (place.task, place.says))


def letters(text):
    """What can be seen of a text: names of signs by the signs, logarithms that are rounded up in full."""
    for name, sign in {"alpha": "α", "eta": "η", "sigma": "σ", "Omega": "Ω", "Theta": "Θ", "sqrt": ""}.items():
        text = re.sub(rf"(?<![a-z]){name}(?![a-z])", sign, text)
    text = re.sub(r"(?<![A-Za-z])L(?=\()", "log2", text)
    text = re.sub(r"(ceiling|ceil|floor)(?=\()", "", text)
    return sorted(re.sub(r"\W|_", "", text))


def test_nothing_is_lost_in_any_claim_and_all_of_it_is_mathml():
    texts = set(filter(None, said()))
    assert len(texts) > 400
    for text in texts:
        markup = prose_markup(text)
        assert letters(shown(text)) == letters(text), text
        for made in MATH.findall(markup):
            for part in ElementTree.fromstring(made).iter():
                assert part.tag not in {"msup", "msub"} or len(part) == 2, text
                assert part.tag in {"mi", "mn", "mo"} or not (part.text or "").strip(), text


def test_no_power_subscript_or_growth_is_left_as_text_in_any_claim():
    plain = re.compile(r"\^|\w_\w|\b(Omega|Theta|sqrt|eta)\b|\b(log|ln) [A-Za-z]\b|\bO\(")
    for text in filter(None, said()):
        rest = re.sub(r"[\w./]+(\.py|\.md|_coins\.private_coins)", "", MATH.sub("", prose_markup(text)))
        assert not plain.search(unescape(rest)), text


def test_the_rest_is_written_as_it_is_told_to():
    assert prose_markup("a < b & <i>, N") == (
        '<math alttext="a &lt; b"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math> &amp; '
        '<math alttext="&lt;i&gt;"><mrow><mrow><mo>⟨</mo><mi>i</mi><mo>⟩</mo></mrow></mrow></math>, '
        '<math alttext="N"><mrow><mi>N</mi></mrow></math>'
    )
    assert prose_markup("*no* N", str.upper).startswith("*NO* <math")
    assert "<script>" not in prose_markup("<script>N</script> <b>")
