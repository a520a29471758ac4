"""Every picture is well-formed, stays within its frame, says in words what it shows, and draws what is there."""

import re
import shutil
import subprocess
import sys
import zlib
from base64 import b64decode
from dataclasses import replace
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ccsim as cc
from ccsim import Bits, CommunicationMatrix, InputError, Transcript, plots
from ccsim.auditing import StateCollision
from ccsim.claims.verdict import Verdict, Word
from ccsim.displays import html
from ccsim.engine.model import Message
from ccsim.models import SequenceModel
from ccsim.models.regular_expressions import from_regular_expression
from ccsim.plain_data import latex
from ccsim.plots.formats import SUFFIXES, elements
from ccsim.plots.matrix import COLOURS, HATCHES, edges, owners
from ccsim.plots.scene import CELLS, DARK, GRID, INK, PALETTE, PAPER, SOFT, Box, Circle, Raster, Stroke, Text, hatching
from ccsim.problems import disjointness, equality, equality_of_halves, greater_than, inner_product
from protocols.classical import fingerprint_equality, trivial
from protocols.constructions import equality_transformer, index_lookup_transformer, match2_unit
from tests.cases import cases

SPACE = "{http://www.w3.org/2000/svg}"


def parsed(picture):
    """The elements of a picture, once it is seen to be whole and told in words."""
    root = ElementTree.fromstring(picture.svg)
    assert picture.alt == root.get("aria-label")
    assert picture.alt
    assert float(root.get("width")) == pytest.approx(picture.width, rel=1e-4)
    return root


def all_of(root, name, **attributes):
    """Elements with these attributes; underscores in names are hyphens."""
    return [
        one
        for one in root.iter(SPACE + name)
        if all(one.get(key.strip("_").replace("_", "-")) == value for key, value in attributes.items())
    ]


@cache
def tree_of(function):
    return trivial(function).explore().tree


def rectangles_of(tree):
    return [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in tree.leaves]


SMALL, LARGE = equality(2), equality(7)


@cases("function", [SMALL, LARGE])
@cases(
    "draw",
    [
        lambda f: plots.matrix_picture(f, rectangles=rectangles_of(tree_of(f))),
        lambda f: plots.fooling_picture(f, [(k, k) for k in range(f.shape[0])]),
        lambda f: plots.cover_picture(f, [([k], [k]) for k in range(f.shape[0])]),
        lambda f: plots.leaves_picture(tree_of(f)),
        lambda f: plots.tree_picture(tree_of(f)),
        lambda f: plots.tree_over_matrix(tree_of(f)),
    ],
)
def test_small_and_large_pictures_fit_a_page_and_a_notebook(draw, function):
    picture = draw(function)
    parsed(picture)
    assert 60 < picture.width < 1000
    assert 60 < picture.height < 1300
    assert len(picture.svg) < 300_000


def test_cells_that_have_room_carry_their_labels_and_rows_their_inputs():
    texts = [one.text for one in all_of(parsed(plots.matrix_picture(SMALL)), "text")]
    assert texts.count("00") == 2  # a row and a column
    assert texts.count("1") == 4 + 1  # the diagonal, and the legend
    assert texts.count("0") == 12 + 1


def test_pictures_state_only_what_is_so():
    parity = [[0, 1, 0], [1, 0, 1]]
    assert plots.draw(parity).alt == plots.draw(np.array(parity)).alt == "matrix of 2 rows and 3 columns"
    even, odd = ([0], [0, 2]), ([0], [1])
    below = [([1], [0, 2]), ([1], [1])]
    assert "cut into 4 rectangles" in plots.matrix_picture(parity, rectangles=[even, odd, *below]).alt
    assert "with 2 rectangles" in plots.matrix_picture(parity, rectangles=[even, ([0, 1], [])]).alt
    assert "no two in one" in plots.fooling_picture(SMALL, [(0, 0), (1, 1)]).alt
    assert "(0, 1) and (2, 3) in one" in plots.fooling_picture(SMALL, [(0, 1), (2, 3)]).alt


def test_lines_that_join_a_rectangle_are_not_on_those_of_another():
    picture = plots.matrix_picture([[0, 1, 0, 1]], rectangles=[([0], [0, 2]), ([0], [1, 3])])
    first, second = (shape.lines for shape in picture.shapes if shape.name == "edge")
    assert first[-1][0][1] == first[-1][1][1] != second[-1][0][1]  # both level, at different heights


@cases("shape", [(2, 30), (30, 2), (4, 4)])
def test_edges_of_trees_begin_and_end_at_the_matrices(shape):
    matrix = np.arange(shape[0] * shape[1]).reshape(shape) % 3 // 2
    shapes = plots.tree_picture(cc.bounds.deterministic(matrix).protocol_tree).shapes
    frames = [one for one in shapes if isinstance(one, Box) and one.stroke == INK]
    ends = {round(end, 6) for box in frames for end in (box.y, box.y + box.height)}
    edges = [one.lines[0] for one in shapes if isinstance(one, Stroke)][:-2]  # two are of the key
    assert edges
    assert all(round(y, 6) in ends for line in edges for _, y in line)


def test_a_plot_has_ticks_at_whole_numbers_within_its_axes_and_lines_of_different_looks():
    lines = [plots.Line(f"line {k}", ((1, -5), (2, k))) for k in range(12)]
    shapes = plots.plot_picture(plots.Plot("many", "n", "bits", tuple(lines))).shapes
    drawn = [shape for shape in shapes if shape.name == "line"]
    assert len({(shape.stroke, shape.dash) for shape in drawn}) == 12
    low = max(y for shape in drawn[:12] for _, y in shape.lines[0])
    across = [shape.lines[0] for shape in shapes if isinstance(shape, Stroke) and shape.stroke == GRID]
    assert all(y <= low + 1e-6 for line in across for _, y in line)
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert {"0", "1", "2"} <= set(texts)
    assert not any("." in text for text in texts)


def test_spaces_that_do_not_break_are_written_as_spaces():
    names = [one.text for one in all_of(parsed(plots.matrix_picture([["log\u00a0n", "x\n"]])), "text")]
    assert "log\u00a0n" in names
    assert not any("xa0" in name for name in names)
    assert "xa0" not in plots.matrix_picture([["log\u00a0n"]]).tikz


def test_free_cells_are_hatched_and_starred():
    matrix = CommunicationMatrix.from_array([[0, None], [1, 1]])
    root = parsed(plots.matrix_picture(matrix))
    assert [one.text for one in all_of(root, "text")].count("*") == 1
    assert all_of(root, "path", stroke=PAPER)


def decoded(image):
    """The rows of codes in an embedded image."""
    data = b64decode(image.get("href").removeprefix("data:image/png;base64,"))
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    start = data.index(b"IDAT") + 4
    size = int.from_bytes(data[start - 8 : start - 4], "big")
    lines = np.frombuffer(zlib.decompress(data[start : start + size]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    return lines[:, 1:]


def test_a_large_matrix_is_an_image_of_its_cells():
    (image,) = all_of(parsed(plots.matrix_picture(LARGE)), "image")
    assert np.array_equal(decoded(image), LARGE.matrix.codes)


@settings(max_examples=20)
@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_pixels_keep_every_code(height, width, data):
    codes = np.array(
        data.draw(
            st.lists(st.lists(st.integers(0, 7), min_size=width, max_size=width), min_size=height, max_size=height)
        ),
        dtype=np.uint8,
    )
    image = ElementTree.fromstring(elements([Raster(0, 0, codes, COLOURS, (1, 1))]))
    assert np.array_equal(decoded(image), codes)


@given(st.integers(1, 7), st.integers(1, 7), st.data())
@settings(max_examples=20)
def test_lines_are_drawn_wherever_owners_differ_and_nowhere_else(height, width, data):
    cells = st.lists(st.integers(0, 2), min_size=width, max_size=width)
    owner = np.array(data.draw(st.lists(cells, min_size=height, max_size=height)))
    drawn = set()
    for (x, y), (u, v) in edges(owner, 1, 1):
        drawn |= {("h", y, k) for k in range(x, u)} if y == v else {("v", k, x) for k in range(y, v)}
    level = {("h", r, c) for r in range(1, height) for c in range(width) if owner[r, c] != owner[r - 1, c]}
    upright = {("v", r, c) for r in range(height) for c in range(1, width) if owner[r, c] != owner[r, c - 1]}
    assert drawn == level | upright


def test_owners_of_a_protocol_leave_no_cell_out():
    tree = tree_of(disjointness(3))
    owner = owners(rectangles_of(tree), (8, 8))
    assert owner.min() == 1
    assert len(np.unique(owner)) == len(tree.leaves)


@settings(max_examples=30)
@given(st.floats(5, 40), st.floats(5, 40), st.integers(0, 5))
def test_hatching_stays_within_its_rectangle(width, height, kind):
    numbers = [x for line in hatching(0, 0, width, height, kind) for x, _ in line]
    assert numbers
    assert min(numbers) >= -1e-4
    assert max(numbers) <= width * 1.001


def hatched(data):
    """The ways of lines of a hatching."""
    lines = re.findall(r"M(\S+) ([^L]+)L(\S+) ([^ML]+)", data)
    slopes = {(np.sign(float(u) - float(x)), np.sign(float(v) - float(y))) for x, y, u, v in lines}
    return tuple(sorted(slopes))


def test_rectangles_of_a_cover_are_told_apart_and_each_has_its_sample():
    root = parsed(plots.cover_picture(equality(4), [([k], [k]) for k in range(12)]))
    drawn = [one for one in all_of(root, "path", stroke_width="1.3") if one.get("stroke") in HATCHES]
    assert len(drawn) == 2 * 12  # in the matrix, and beside its name
    ways = {(one.get("stroke"), hatched(one.get("d"))) for one in drawn}
    assert len(ways) == 12  # each in the matrix as beside its name
    cell = all_of(root, "rect", fill=CELLS[1][0])[0]
    assert float(cell.get("fill-opacity")) < 0.5  # pale cells below, so that no lines have their colour


@cases("shape", [(256, 8), (2, 300), (300, 1)])
def test_long_thin_matrices_can_be_seen(shape):
    picture = plots.matrix_picture(CommunicationMatrix.from_array(np.indices(shape).sum(axis=0) % 2))
    (image,) = all_of(parsed(picture), "image")
    assert min(float(image.get("width")), float(image.get("height"))) >= 36


def test_the_key_of_a_large_tree_says_what_dots_mean():
    texts = {one.text for one in all_of(parsed(plots.tree_picture(tree_of(LARGE))), "text")}
    assert {"alice speaks", "bob speaks", "answer 1", "another answer"} <= texts


def test_equal_shares_of_many_positions_can_be_seen():
    (image,) = all_of(parsed(plots.weights_picture(np.full((64, 64), 1 / 64), title="equal")), "image")
    assert set(decoded(image).ravel().tolist()) == {32}  # an eighth of the way to the darkest


REFUSED = [
    (lambda: plots.bits_plot("t", measured={1: 0}, logarithmic=True), "measured"),
    (lambda: plots.bits_plot("t", measured={1: float("nan")}), "measured"),
    (lambda: plots.bits_plot("nothing"), "measured"),
    (lambda: plots.matrix_picture(SMALL, side=-4), "side"),
    (lambda: plots.matrix_picture(SMALL, side=0), "side"),
    (lambda: plots.matrix_picture(SMALL, cells=[(4, 0)]), "cells"),
    (lambda: plots.matrix_picture(SMALL, cells=[(0, -1)]), "cells"),
    (lambda: plots.matrix_picture(SMALL, rectangles=[([4], [0])]), "rectangles"),
    (lambda: plots.matrix_picture(SMALL, rectangles=[([0], [-1])]), "rectangles"),
    (lambda: plots.cell_weights_picture(equality(1), [(2, 0, 1)]), "cells within 2 x 2"),
    (lambda: plots.leaves_picture(tree_of(SMALL), columns=0), "columns"),
    (lambda: plots.contrast_picture("t", {"task": {"way": float("inf")}}), "rows"),
    (lambda: plots.contrast_picture("nothing", {}), "rows"),
    (lambda: plots.separations(7), "length"),
    (lambda: plots.separations(0), "length"),
    (lambda: plots.attention_picture(index_lookup_transformer(4), ""), "word"),
    (lambda: plots.attention_picture(index_lookup_transformer(4), ("0", "1")), "word"),
    (lambda: plots.attention_weights(index_lookup_transformer(2), ("x", "0", 1)), "word"),
    (lambda: plots.attention_weights(cc.models.LSTM.random("01", width=1, precision=8, seed=0), "01"), "model"),
    (lambda: plots.weights_picture(np.zeros(3), title="t"), "table"),
    (lambda: plots.weights_picture(np.full((2, 2), np.nan), title="t"), "table"),
]


@cases(("draw", "argument"), REFUSED)
def test_what_cannot_be_drawn_is_refused(draw, argument):
    with pytest.raises(InputError, match=argument):
        draw()


def test_a_long_title_goes_over_several_lines():
    title = "a title that is much too long for one line of a picture of this width " * 2
    picture = plots.plot_picture(plots.bits_plot(title, measured={1: 1}))
    lines = [one.text for one in all_of(parsed(picture), "text") if one.get("font-weight") == "bold"]
    assert " ".join(lines) == title.strip()
    assert len(lines) == 2
    assert max(map(len, lines)) * 8 < picture.width


def test_leaves_tell_transcript_answer_and_size():
    texts = [one.text for one in all_of(parsed(plots.leaves_picture(tree_of(equality(1)))), "text")]
    assert sorted(texts) == sorted(["00: 0", "01: 1", "10: 0", "11: 1", *["1 x 1"] * 4])
    assert "192 more leaves" in plots.leaves_picture(tree_of(LARGE)).svg


def test_a_tree_shows_every_message_and_every_answer():
    tree = cc.bounds.deterministic(greater_than(2)).protocol_tree
    root = parsed(plots.tree_picture(tree))
    messages = sum(len(node.messages) for node in tree.nodes)
    said = [one for one in all_of(root, "text") if one.get("font-family") == "monospace"]
    assert len(said) == messages
    assert len(all_of(root, "g")) == len(tree.nodes)
    answers = [one.text for one in all_of(root, "text") if one.get("font-weight") == "bold"]
    assert sorted(answers) == sorted(str(tree.answer(leaf)) for leaf in tree.leaves)


def test_a_chart_has_an_arrow_for_each_message_and_its_totals():
    run = trivial(disjointness(4)).run("0110", "0011")
    root = parsed(plots.sequence_picture(run))
    texts = [one.text for one in all_of(root, "text")]
    assert {"0110", "input", "answer", "alice", "bob"} <= set(texts)
    assert texts[-1] == "5 bits in 2 messages, 2 rounds; answer 0"


def test_what_is_said_past_a_party_is_not_written_on_its_line():
    said = Transcript((Message("bob", ("alice",), Bits("1")), Message("alice", ("carol",), Bits("0110"))))
    root = parsed(plots.sequence_picture(said))
    lines = {float(one.get("x")) for one in all_of(root, "text") if one.text in ("alice", "bob", "carol")}
    (told,) = (one for one in all_of(root, "text") if one.text == "0110")
    assert float(told.get("x")) not in lines


def test_a_long_conversation_is_shortened():
    many = Transcript(tuple(Message("alice", ("bob",), Bits("1")) for _ in range(500)))
    assert "452 more messages" in plots.sequence_picture(many).svg
    assert plots.sequence_picture(Transcript()).alt.endswith("0 bits in 0 messages, 0 rounds")


def test_marks_and_lines_of_a_plot_differ_in_more_than_colour():
    plot = plots.bits_plot("t", claimed={1: 2, 2: 3}, measured={1: 2, 2: 3}, lower={1: 1, 2: 2})
    root = parsed(plots.plot_picture(plot))
    dashes = {
        one.get("stroke-dasharray") for one in all_of(root, "path") if (one.get("class") or "").startswith("line")
    }
    assert len(dashes) == 2
    assert len(all_of(root, "circle")) == 2 + 1


def test_the_separation_chart_marks_every_task():
    found = plots.separations(64)
    assert found["index-lookup"] == {"left to right, one message": 64}
    root = parsed(plots.contrast_picture("N = 64", found))
    marks = [one for one in root.iter() if one.get("class") == "mark"]
    assert len(marks) == sum(map(len, found.values())) + 2  # and the legend


def test_attention_of_constructions_is_what_they_were_built_for():
    (weights,) = plots.attention_weights(index_lookup_transformer(6), ("0", "1", "1", "0", "1", "0", 4))
    assert weights.tolist() == [[[0, 0, 0, 1, 0, 0, 0]]]
    layers = plots.attention_weights(equality_transformer(4), "0101")
    assert [layer.shape for layer in layers] == [(2, 4, 4), (1, 4, 4)]
    (weights,) = plots.attention_weights(match2_unit(3, 5, row=None), [1, 4, 2])
    assert weights[0, 0, 1] > 0.4  # 1 + 4 = 0 modulo 5
    assert weights[0, 0, 2] < 0.05


@cases("length", [6, 255])
def test_attention_is_drawn_small_and_large(length):
    word = (*("01" * length)[:length], 3)
    picture = plots.attention_picture(index_lookup_transformer(length), word)
    parsed(picture)
    assert picture.width < 500


def test_brackets_show_their_witnesses():
    function = disjointness(2)
    assert "protocol tree" in plots.bracket_picture(cc.bounds.deterministic(function)).alt
    (zero, one) = cc.bounds.brackets_of(function, "cover")
    assert [plots.bracket_picture(found).alt.split()[-2] for found in (zero, one)] == [
        str(zero.upper),
        str(one.upper),
    ]
    fooling = cc.bounds.brackets_of(function, "fooling")
    assert "cells marked" in " ".join(plots.bracket_picture(found).alt for found in fooling)


WITNESSES = [
    (cc.bounds.vc_dimension, (disjointness(3),), "24 cells marked"),
    (cc.bounds.discrepancy, (inner_product(2),), "with 1 rectangle"),
    (cc.bounds.smooth_rectangle_bits, (disjointness(2), "1/8"), "weights on 11 cells, the largest 1"),
    (cc.bounds.partition_bound, (disjointness(1), "1/8"), r"covered by [1-9]\d* rectangles$"),
    (cc.bounds.gamma2_bits, (inner_product(2), "1/8"), "weights on 16 cells, the largest 1/16"),
    (cc.bounds.sign_rank, (inner_product(2),), "weights on 16 cells"),
    (cc.bounds.approximate_rank, (disjointness(2), "1/3"), "weights on 16 cells"),
    (cc.bounds.public_coin_complexity, (equality(1), "1/4"), "weights on 4 cells, the largest 1/4"),
]


@cases(("bound", "given", "told"), WITNESSES)
def test_witnesses_that_are_no_covers_are_drawn_over_their_matrix(bound, given, told):
    bracket = bound(*given)
    picture = plots.bracket_picture(bracket, given[0])
    parsed(picture)
    assert re.search(told, picture.alt)
    assert plots.bracket_picture(replace(bracket, matrix=None)) is None


def test_weights_are_as_large_as_they_weigh():
    weights = [(0, 0, 1), (0, 1, "1/4"), (1, 0, "-1"), (1, 1, 0), (1, 1, Fraction(-1, 4))]
    body = plots.cell_weights_picture(equality(1), weights).body
    radii = [float(found) for found in re.findall(r'r="([\d.]+)"', body)][:4]
    assert radii == pytest.approx([radii[0], radii[0] / 2, radii[0], radii[0] / 2], rel=1e-2)
    assert "negative weight" in body
    assert "negative" not in plots.cell_weights_picture(equality(1), weights[:2]).body


class Parity(SequenceModel):
    name, alphabet, answers, length = "parity", ("0", "1"), (0, 1), None

    def codes(self, words):
        return np.asarray(words).sum(axis=-1) % 2


def test_rich_display_of_everything_that_notebooks_show():
    run = trivial(SMALL).run("01", "01")
    tree = tree_of(SMALL)
    about = ("c", "p", "s", "<i>", "statement", "upper bound", "bits", {}, Word.TIGHT)
    verdict = Verdict(*about, claimed=3, claimed_text="3")
    shown = [run, run.transcript, tree, SMALL, SMALL.matrix, cc.bounds.deterministic(SMALL), verdict]
    shown += [cc.certify_protocol(trivial(SMALL)), trivial(SMALL), trivial(SMALL).explore()]
    shown += [fingerprint_equality(2).measure_error(), cc.audit(Parity(), equality_of_halves(2), seconds=1)]
    for one in shown:
        ElementTree.fromstring(html(one).replace("<br>", "<br/>"))
    assert "&lt;i&gt;" in html(verdict)
    assert html(plots.bits_plot("t", measured={1: 1})).startswith("<svg")


LABELS = r"\input{x}", "100%", "a_b^2", "~{}#&$", "éß°", "雪", "ΩΣλε⌈⌋", "-- `'", "<|>", "😀 ✓", "²₂", "a\nb\x07"
KINDS = {
    "labels": lambda: plots.matrix_picture(CommunicationMatrix(np.arange(12).reshape(3, 4), LABELS)),
    "matrix": lambda: plots.matrix_picture(CommunicationMatrix.from_array([[0, None, 2], [1, 1, 0]]), cells=[(0, 0)]),
    "image": lambda: plots.matrix_picture(LARGE),
    "fooling": lambda: plots.fooling_picture(SMALL, [(0, 0)]),
    "cover": lambda: plots.cover_picture(equality(1), [([0], [0]), ([1], [1])]),
    "tree": lambda: plots.tree_over_matrix(tree_of(SMALL)),
    "transcript": lambda: plots.sequence_picture(trivial(SMALL).run("01", "01")),
    "attention": lambda: plots.attention_picture(equality_transformer(4), "0101"),
    "states": lambda: plots.automaton_picture(from_regular_expression("(ab)*", "ab")),
    "collision": lambda: plots.collision_picture(StateCollision((("0", "1"), ("1", "0")), ("0",), (1, 0), (3,))),
    "plot": lambda: plots.plot_picture(plots.bits_plot("50 % of n²", claimed={1: 2, 2: 3}, measured={1: 2, 2: 3})),
    "contrast": lambda: plots.contrast_picture("N = 64", plots.separations(64)),
}


def flat(shapes):
    """Shapes with each table of cells as the boxes that it has."""
    return [box for shape in shapes for box in (shape.boxes() if isinstance(shape, Raster) else [shape])]


@cases("kind", list(KINDS))
def test_every_kind_of_picture_is_written_shape_by_shape_in_every_format(kind, tmp_path):
    picture = KINDS[kind]()
    drawn = flat(picture.shapes)
    tex = picture.save(tmp_path / "p.tex").read_text(encoding="utf-8")
    commands = [line for line in tex.splitlines() if line.startswith((r"\path[", r"\node["))]
    assert len(commands) == len(drawn)
    assert sum(line.startswith(r"\node[") for line in commands) == sum(isinstance(shape, Text) for shape in drawn)
    assert set(re.findall(r"[=,]ccsim(\w{6})", tex)) <= set(re.findall(r"definecolor\{ccsim(\w{6})\}", tex))
    root = ElementTree.fromstring(picture.save(tmp_path / "p.svg").read_text(encoding="utf-8"))
    made = [one for one in root.iter() if one.tag.removeprefix(SPACE) in ("rect", "circle", "path", "text", "image")]
    assert len(made) - 1 == len(drawn if all(one.tag != f"{SPACE}image" for one in made) else picture.shapes)
    if kind == "labels":  # signs that no font here has are a warning of matplotlib
        return
    for suffix, start in ((".pdf", b"%PDF"), (".png", b"\x89PNG")):
        assert picture.save(tmp_path / f"p{suffix}").read_bytes().startswith(start)


@cases("kind", list(KINDS))
def test_colours_come_from_one_table(kind):
    table = {PAPER, INK, SOFT, GRID, "#000000", *PALETTE, *(colour for colour, _ in COLOURS)}
    assert {colour for shape in flat(KINDS[kind]().shapes) for colour in (shape.fill, shape.stroke)} <= {None, *table}
    assert set(DARK) <= table


def test_a_cell_has_the_same_colour_in_a_matrix_and_in_a_tree():
    function = equality(1)
    in_matrix, in_tree = (
        {(box.fill, box.opacity) for shape in picture.shapes if isinstance(shape, Raster) for box in shape.boxes()}
        for picture in (plots.matrix_picture(function), plots.tree_picture(tree_of(function)))
    )
    assert in_matrix == set(CELLS[:2])
    assert in_matrix < in_tree


def test_each_rectangle_is_one_shape_whose_blocks_are_joined():
    tree = tree_of(SMALL)
    outlines = [one for one in plots.matrix_picture(SMALL, rectangles=rectangles_of(tree)).shapes if one.name == "edge"]
    assert len(outlines) == len(tree.leaves) == 8
    assert sorted(len(one.lines) for one in outlines) == [1] * 6 + [3] * 2  # two frames and what joins them


def test_nothing_white_is_left_on_dark_paper():
    """Each light or dark grey has its counterpart, and paper is one of them."""
    style = parsed(plots.matrix_picture(SMALL)).find(f"{SPACE}style").text
    assert all(f"light-dark({light},{DARK[light]})" in style for light in (PAPER, INK, SOFT, GRID))


def test_names_of_files_say_what_is_written(tmp_path):
    picture = plots.matrix_picture(SMALL)
    assert picture.save(tmp_path / "A.PDF").read_bytes().startswith(b"%PDF")
    for name in ("picture.jpg", "picture"):
        with pytest.raises(InputError, match=", ".join(map(re.escape, SUFFIXES))):
            picture.save(tmp_path / name)
    with pytest.raises(InputError, match="path"):
        picture.save(tmp_path / "no" / "picture.svg")


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=re.escape("ccsim[plot]")):
        plots.matrix_picture(SMALL).save(tmp_path / "picture.pdf")


def test_labels_of_users_are_text_in_tex_and_never_commands():
    assert latex(r"\input{x} $a_1$ #1 % &") == r"\textbackslash{}input\{x\} \$a\_1\$ \#1 \% \&"
    assert latex("雪\n→") == r"\texttt{U+96EA} $\to$"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX")
def test_the_pictures_compile_in_a_bare_document(tmp_path):
    inputs = "".join(
        rf"\noindent\input{{{KINDS[kind]().save(tmp_path / f'{kind}.tex').stem}}}\newpage" for kind in KINDS
    )
    text = rf"\documentclass{{article}}\usepackage{{tikz}}\begin{{document}}{inputs}\end{{document}}"
    (tmp_path / "main.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


@cases(
    ("value", "told"),
    [
        (SMALL, "matrix of 4 rows"),
        (SMALL.matrix, "matrix of 4 rows"),
        (cc.bounds.deterministic(equality(1)), "protocol tree of 4 leaves"),
        (trivial(SMALL).explore(), "protocol tree of 8 leaves"),
        (trivial(SMALL).run("01", "01"), "message-sequence chart"),
        (cc.bounds.growth("equality", [1, 2]), "bits against n, for deterministic"),
        (from_regular_expression("(ab)*", "ab"), "an automaton of 3 states"),
        (plots.bits_plot("t", measured={1: 1}), "t: bits against N"),
        (plots.Plot("t", "x", "y", (plots.Line("l", ((1, 2),)),)), "t: y against x"),
        (StateCollision((("0",), ("1",)), ("0",), (1, 0), (3,)), "in the same state"),
    ],
)
def test_one_function_draws_whatever_there_is_a_picture_of(value, told):
    assert told in plots.draw(value).alt
    assert plots.draw(plots.draw(value)).svg == plots.draw(value).svg


@cases("value", [3, "matrix", cc.bounds.deterministic(equality(9))])
def test_what_has_no_picture_is_refused(value):
    with pytest.raises(InputError, match="value"):
        plots.draw(value)


def test_shapes_move():
    for shape in (Box(1, 2, 3, 4), Circle(1, 2, 3), Text(1, 2, "x"), Raster(1, 2, np.zeros((1, 1)), CELLS, (5, 5))):
        assert (shape.moved(2, 3).x, shape.moved(2, 3).y) == (3, 5)
    assert Stroke((((0, 0), (1, 1)),)).moved(2, 3).lines == ([(2, 3), (3, 4)],)


def test_pictures_do_not_load_matplotlib():
    code = "import sys, ccsim.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
