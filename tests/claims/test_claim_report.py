"""The page of verdicts: whole, self-contained, accessible, and not too wide for a phone."""

import base64
import json
import re
import shutil
import subprocess
from importlib.resources import files
from itertools import pairwise

import pytest

from ccsim.certificates.verify import check_file
from ccsim.claims import Claim, Direction, Finding, Paper, Word, check
from ccsim.claims.claim import find_claims
from ccsim.claims.html import formula_markup
from ccsim.claims.report import plot_figure, plots_of, render
from ccsim.cli.app import run_app
from ccsim.plots import Line, Plot
from tests.claims.made import made
from tests.pages import Page
from tests.slow import slow
from tests.speed import patient

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NAMES = (
    "communication-equality",
    "bhattamishra2024-fact-1",
    "communication-index-two-way",
    "inner-product",
    "bhattamishra2024-theorem-3",
)


@pytest.fixture(scope="module")
def written(tmp_path_factory, measured_here):
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert run_app(["report", *NAMES, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def page(written):
    return Page(written.read_text(encoding="utf-8"))


def test_the_page_needs_no_network_and_all_is_there_without_its_script(written, page):
    text = written.read_text(encoding="utf-8")
    assert not {"link", "img", "iframe"} & {tag for tag, _ in page.elements}
    assert page.all("script") == [{}]
    assert [attributes["id"] for tag, attributes in page.elements if "hidden" in attributes] == ["filter"]
    assert not re.search(r"https?://|@import|url\(", text)


def test_every_claim_has_a_row_and_its_part_behind_it(page):
    anchors = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    targets = {attributes["href"][1:] for attributes in page.all("a") if attributes["href"].startswith("#")}
    assert targets <= set(anchors)
    assert {f"claim-{name}" for name in NAMES[:3]} <= targets
    for said in ("Equality of n-bit strings costs n + 1 bits.", "improved", "both parties know the answer", "= 5 bits"):
        assert said in page.text


def test_certificates_on_the_page_are_accepted(page, tmp_path):
    links = [attributes for attributes in page.all("a") if "download" in attributes]
    assert len(links) >= 7
    for attributes in links[:6]:
        path = tmp_path / attributes["download"]
        path.write_bytes(base64.b64decode(attributes["href"].removeprefix("data:application/json;base64,")))
        accepted, told = check_file(path)
        assert accepted, told


def test_the_page_says_what_it_shows_to_those_who_cannot_see_it(page):
    assert page.all("html")[0]["lang"] == "en"
    for landmark in ("header", "main", "footer", "nav"):
        assert len(page.all(landmark)) == 1
    assert page.all("nav")[0]["aria-label"]
    assert len(page.all("caption")) == len(page.all("table"))
    assert {attributes["scope"] for attributes in page.all("th")} == {"col", "row"}
    pictures = page.all("svg")
    assert any("cut into" in attributes.get("aria-label", "") for attributes in pictures)
    assert all(attributes.get("aria-label") or attributes.get("aria-hidden") for attributes in pictures)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(second - first <= 1 for first, second in pairwise(levels))


def test_the_page_defines_its_words_sets_its_formulas_and_names_inputs(written, page):
    assert Word.TIGHT.meaning in page.text
    assert len(page.all("math")) > len(NAMES)
    assert "One run: alice holds 11, bob holds 00" in page.text
    assert "alice's input: 10 or 11" in page.text
    assert "Rows are inputs of Alice, columns of Bob" in page.text
    assert not re.search("<h4>[^<]*samples", written.read_text(encoding="utf-8"))


def test_the_page_begins_with_what_models_can_do(written, page):
    (story,) = re.findall(r'<table class="story">.*?</table>', written.read_text(encoding="utf-8"))
    (field,) = re.findall(r'<td class="unable"[^>]*>(.*?)</td>', story)
    assert 'href="#claim-bhattamishra2024-theorem-3"' in field
    assert "tight" in field
    assert [row["data-label"] for row in page.all("td") if row.get("class") == "unable"] == ["recurrent model"]


@pytest.mark.parametrize(
    ("formula", "made"),
    [
        ("N**(2*K)", "<msup><mi>N</mi><mrow><mn>2</mn><mo>\u2062</mo><mi>K</mi></mrow></msup>"),
        ("(n + 1)*p", "<mrow><mo>(</mo><mi>n</mi><mo>+</mo><mn>1</mn><mo>)</mo><mo>\u2062</mo><mi>p</mi></mrow>"),
        ("a - (b - c)", "<mrow><mi>a</mi><mo>−</mo><mo>(</mo><mi>b</mi><mo>−</mo><mi>c</mi><mo>)</mo></mrow>"),
        ("(-1)**n", "<msup><mrow><mo>(</mo><mo>−</mo><mn>1</mn><mo>)</mo></mrow><mi>n</mi></msup>"),
        ("L(7)", "<mrow><mo>⌈</mo><msub><mi>log</mi><mn>2</mn></msub><mo>\u2061</mo><mn>7</mn><mo>⌉</mo></mrow>"),
    ],
)
def test_formulas_are_set_with_the_brackets_that_they_need(formula, made):
    assert formula_markup(formula) == f'<math displaystyle="true">{made}</math>'


def test_every_formula_of_a_claim_is_set():
    formulas = {formula for claim in find_claims([]) for formula in (claim.formula, claim.ours) if formula}
    assert [formula for formula in formulas if "<code>" in formula_markup(formula)] == []
    assert formula_markup("n +") == "<code>n +</code>"


def luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_text_can_be_read_on_its_ground_by_day_and_by_night():
    style = (files("ccsim.claims") / "style.css").read_text(encoding="utf-8")
    schemes = [
        dict(re.findall(r"--(\w+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    ]
    assert len(schemes) == 2
    for scheme in schemes:
        for name in set(scheme) - {"paper", "edge", "shade", "can", "cannot"}:
            light, dark = sorted((luminance(scheme[name]), luminance(scheme["paper"])), reverse=True)
            least = 3.0 if re.fullmatch(r"c\d", name) else 4.5  # lines of a plot, and text
            assert (light + 0.05) / (dark + 0.05) >= least, (name, scheme[name])
        for ground in ("can", "cannot", "shade"):
            light, dark = sorted((luminance(scheme["ink"]), luminance(scheme[ground])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, ground


def test_text_of_claims_is_escaped():
    paper = Paper("mine", "<b>Myself</b> & Co")
    claim = Claim(
        name="sly",
        paper=paper,
        source="<script>alert(1)</script>",
        statement="a < b & <i>c</i>",
        direction=Direction.UPPER,
        measure=lambda: Finding(facts={"<u>": "<s>"}, note="<em>"),
    )
    text = render([check(claim)], {"sly": claim}, {"mine": paper}, notes=["<q>"])
    page = Page(text)
    assert not {"em", "u", "s", "q"} & {tag for tag, _ in page.elements}
    assert (len(page.all("script")), len(page.all("i"))) == (1, 0)
    assert "<b>Myself</b> & Co" in page.text
    assert "a < b & <i>c</i>" in page.text


@pytest.mark.parametrize(
    "points",
    [((1, 1),), ((1, 5), (2, 5)), ((4, 0.25), (8, 0.5), (16, 1000000)), tuple((n, n * n) for n in range(1, 200))],
)
@pytest.mark.parametrize("logarithmic", [False, True])
def test_plots_of_any_range_stay_within_their_frame(points, logarithmic):
    plot = Plot("A plot", "x", "y", (Line("formula", points), Line("marks", points, measured=True)), logarithmic)
    text = plot_figure(plot)
    page = Page(text)
    marks = [attributes for attributes in page.all("circle") if attributes["class"].startswith("mark")]
    assert all(0 <= float(mark["cx"]) <= 640 and 0 <= float(mark["cy"]) <= 400 for mark in marks)
    assert len(marks) == len(points) + 1  # and one in the legend
    assert len(page.all("tr")) == len(points) + 1


def test_plots_come_in_order_and_a_failing_one_is_a_note(measured_here):
    from ccsim.claims.running import Pool

    def claim(name, plots):
        return made(name, direction=Direction.OPEN, formula=None, parameters=(), measure=Finding, plots=plots)

    good = [claim(name, lambda name=name: (Plot(name, "x", "y", (Line("l", ((1, 2),)),)),)) for name in ("b", "a")]
    plots, failed = plots_of([*good, claim("none", None), claim("wrong", lambda: 1 / 0)], Pool(1))
    assert [plot.title for plot in plots] == ["b", "a"]
    assert failed == ["wrong: division by zero"]


# In a browser

FRAME = """<!DOCTYPE html><body style="margin:0"><iframe id="frame" style="border:0;width:{width}px;height:3000px"
srcdoc="{page}"></iframe><script>
document.getElementById("frame").addEventListener("load", function () {{
  var root = this.contentDocument.documentElement, wide = [];
  this.contentDocument.querySelectorAll("details").forEach(function (d) {{ d.open = true; }});
  this.contentDocument.querySelectorAll("body *").forEach(function (e) {{
    var right = e.getBoundingClientRect().right;
    if (right > root.clientWidth + 1 && !e.closest(".scroll, thead, .skip")) wide.push(e.tagName);
  }});
  var over = [];
  this.contentDocument.querySelectorAll("svg.plot").forEach(function (plot) {{
    var boxes = Array.from(plot.querySelectorAll("text")).map(e => [e.textContent, e.getBoundingClientRect()]);
    boxes.filter(b => b[1].width > 0).forEach(function (one, place, all) {{
      all.slice(place + 1).forEach(function (other) {{
        var a = one[1], b = other[1];
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) over.push([one[0], other[0]]);
      }});
    }});
  }});
  document.title = JSON.stringify({{"over": over.slice(0, 5),
    "scroll": root.scrollWidth, "client": root.clientWidth, "wide": wide.slice(0, 5),
    "drawn": this.contentDocument.querySelectorAll("svg.plot path.line").length,
    "height": root.scrollHeight}});
}});
</script></body>"""


def browse(tmp_path, *arguments):
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    return subprocess.run(
        [*command, profile, *arguments], capture_output=True, text=True, timeout=patient(90), check=False
    )


@pytest.mark.skipif(BROWSER is None, reason="no browser")
@pytest.mark.parametrize("width", [360, slow(390), slow(900), slow(1280)])
def test_in_a_browser_nothing_is_wider_than_the_screen_and_no_words_of_a_plot_overlap(written, tmp_path, width):
    from html import escape

    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.format(width=width, page=escape(written.read_text(encoding="utf-8"))), encoding="utf-8")
    done = browse(tmp_path, "--window-size=1400,3000", "--virtual-time-budget=5000", "--dump-dom", frame.as_uri())
    found = re.search(r"<title>(.*?)</title>", done.stdout)
    assert found, done.stderr[-2000:]
    told = json.loads(found[1].replace("&quot;", '"'))
    assert (told["scroll"], told["wide"]) == (told["client"], [])
    assert told["client"] in (width, width - 15)
    assert told["over"] == []
    assert told["drawn"] >= 3
    assert told["height"] > 2000


@pytest.mark.skipif(BROWSER is None, reason="no browser")
@pytest.mark.parametrize("scripts", [slow(True), slow(False)])
def test_in_a_browser_a_claim_opens_when_it_is_jumped_to_with_and_without_scripts(written, tmp_path, scripts):
    page, text = tmp_path / "page.html", written.read_text(encoding="utf-8")
    page.write_text(text if scripts else re.sub("<script>.*?</script>", "", text, flags=re.DOTALL), encoding="utf-8")
    done = browse(tmp_path, "--virtual-time-budget=3000", "--dump-dom", f"{page.as_uri()}#claim-communication-equality")
    opened = re.findall(r'<details class="claim" open=""><summary><code>([^<]*)</code>', done.stdout)
    assert opened == ["communication-equality"]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no browser")
def test_what_is_folded_is_printed(written, tmp_path):
    pages, text = [], written.read_text(encoding="utf-8")
    for number, style in enumerate((text, re.sub(r"details::details-content \{.*?\}", "", text))):
        page, printed = (tmp_path / f"{number}.{ending}" for ending in ("html", "pdf"))
        page.write_text(style, encoding="utf-8")
        browse(tmp_path, f"--print-to-pdf={printed}", page.as_uri())
        pages.append(len(re.findall(rb"/Type /Page\b", printed.read_bytes())))
    assert pages[0] > pages[1]


def test_a_report_that_is_stopped_is_written(tmp_path, monkeypatch, capsys, measured_here):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ccsim.claims.plots_of", stopped)
    assert run_app(["report", "communication-equality", "-o", str(tmp_path / "r.html")]) == 0
    assert "Stopped before the plots were drawn." in (tmp_path / "r.html").read_text(encoding="utf-8")
