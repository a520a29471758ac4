"""Single runs: inputs, coins and seeds, widths, and what is shown of a transcript."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import (
    AnswerEach,
    Bits,
    Coins,
    CommunicationMatrix,
    InputError,
    PartyError,
    Protocol,
    ProtocolError,
    Receive,
    Send,
    SendEach,
    Transcript,
    array_party,
    rounds,
)
from ccsim.displays import html
from ccsim.engine import Message
from ccsim.engine.model import draw
from ccsim.problems import (
    BitStrings,
    Listed,
    TwoPartyFunction,
    disjointness,
    equality,
    index,
    sparse_disjointness,
)
from protocols.classical import trivial
from tests.cases import cases
from tests.pages import Page
from tests.strategies import function_of_table, script

EQ = equality(3)
FEW = settings(max_examples=12, deadline=None)


def sends(value):
    yield Send(value, "input")
    return (yield Receive(width=1))[0]


def compares(value):
    same = (yield Receive()) == value
    yield Send(Bits([same]), "equal?")
    return int(same)


def protocol_for_equality(**options):
    return Protocol("equality", EQ, {"alice": sends, "bob": compares}, **options)


# Inputs


def test_a_run_says_all_about_itself():
    run = protocol_for_equality().run("011", "011")
    assert run.inputs == (Bits("011"), Bits("011"))
    assert run.answers == {"alice": 1, "bob": 1}
    assert (run.answer, run.expected, run.correct, run.bits) == (1, 1, True, 4)
    assert [(m.sender, str(m.bits), m.label) for m in run.transcript] == [
        ("alice", "011", "input"),
        ("bob", "1", "equal?"),
    ]
    assert run.public is run.private is run.seed is run.carried is None


def test_inputs_are_given_as_values_or_as_text():
    protocol = protocol_for_equality()
    assert protocol.run("010", Bits("010")) == protocol.run(Bits("010"), "010")
    sparse = trivial(sparse_disjointness(5, 2))
    assert sparse.run("{0,1}", {2, 3}).answer == sparse.run(frozenset({0, 1}), "2 3").answer == 1
    chosen = trivial(index(4))
    assert chosen.run("0010", "3").answer == chosen.run(Bits("0010"), 3).answer == 1


@cases("inputs", [(), ("000",), ("000", "000", "000")])
def test_the_wrong_number_of_inputs_is_refused(inputs):
    with pytest.raises(InputError, match="2 inputs, one for each of"):
        protocol_for_equality().run(*inputs)


@cases("bad", ["00", "0000", "", "002", "0b1", " 000", Bits("00"), 3, None, ("0", "0", "0"), [0, 0, 0], 0.5, b"000"])
def test_an_input_that_does_not_fit_is_refused_by_the_name_of_its_player(bad):
    with pytest.raises(InputError, match=r"input of alice = .*: expected a string of exactly 3 bits"):
        protocol_for_equality().run(bad, "000")
    with pytest.raises(InputError, match=r"input of bob = .*: expected a string of exactly 3 bits"):
        protocol_for_equality().run("000", bad)


def test_text_inputs_that_are_values_are_those_values():
    function = TwoPartyFunction(
        "same", (Listed(["a b", "b"]), Listed(["b", "a b"])), (0, 1), lambda x, y: (x == y).astype(np.int8)
    )

    def alice(x):
        yield Send("1" if x == "b" else "0")

    def bob(y):
        return int((yield Receive())[0] == (y == "b"))

    run = Protocol("texts", function, {"alice": alice, "bob": bob}, answer="bob").run("a b", "a b")
    assert run.inputs == ("a b", "a b")
    assert run.correct


def test_outside_the_promise_anything_is_correct():
    function = function_of_table([[0, -1], [1, 1]], (0, 1))
    run = trivial(function).run(0, 1)
    assert run.expected is None
    assert run.correct
    assert "outside the promise" in str(run)


def test_inputs_too_many_to_list_can_still_be_run():
    function = disjointness(200)
    run = trivial(function).run("01" * 100, "10" * 100)
    assert run.correct
    assert run.answer == 1
    assert run.bits == 201
    assert trivial(function).run("01" * 100, "1" * 200).answer == 0


@cases("length", [3, 22, 23, 62, 63, 100])
def test_an_array_party_that_writes_into_its_input_is_refused_at_every_size(length):
    inputs = (BitStrings(length), BitStrings(1))
    function = TwoPartyFunction("first bit", inputs, (0, 1), lambda x, y: (x & 1).astype(np.int8) + 0 * y)

    @array_party
    def alice(xs, heard):
        if heard:
            return AnswerEach(None)
        xs >>= 1
        return SendEach(xs & 1, 1)

    def bob(y):
        return (yield Receive())[0]

    with pytest.raises(PartyError, match="read-only"):
        Protocol("writer", function, {"alice": alice, "bob": bob}, answer="bob").run("0" * (length - 1) + "1", "0")


def _recurses(value):
    return (yield from _recurses(value))


def _stops(value):
    raise StopIteration
    yield


def _exits(value):
    yield Send(Bits([0]))
    raise SystemExit(3)


@array_party
def _exits_of_arrays(values, heard):
    raise SystemExit(3)


def _exits_at_the_end(value):
    try:
        yield Receive()
        yield Receive()
    finally:
        raise SystemExit(3)


@cases(
    ("party", "said"),
    [
        (_recurses, "RecursionError"),
        (_stops, "StopIteration"),
        (_exits, "SystemExit: 3"),
        (_exits_of_arrays, "SystemExit: 3"),
        (_exits_at_the_end, "SystemExit: 3"),
    ],
)
def test_what_a_party_raises_is_an_error_that_names_it(party, said):
    mine = Protocol("mine", EQ, {"alice": party, "bob": compares})
    with pytest.raises(PartyError, match=f"^alice raises .*{said}") as caught:
        mine.run("011", "011")
    assert "\n" not in str(caught.value)


# Widths


hears = script(Receive(), answer=1)


def test_fields_of_every_width_up_to_62_and_rows_beyond_arrive_whole():
    for width in (0, 1, 12, 13, 61, 62):
        value = (1 << width) - 1

        @array_party
        def alice(xs, heard, value=value, width=width):
            return AnswerEach(None) if heard else SendEach(np.full(len(xs), value), width)

        run = Protocol("field", EQ, {"alice": alice, "bob": hears}, answer="bob").run("000", "000")
        assert run.transcript.string == Bits("1" * width)

    @array_party
    def long(xs, heard):
        return AnswerEach(None) if heard else SendEach(np.ones((len(xs), 1000), dtype=bool))

    run = Protocol("rows", EQ, {"alice": long, "bob": hears}, answer="bob").run("000", "000")
    assert run.transcript.string == Bits("1" * 1000)


# Coins


def coin_protocol():
    def alice(x, public, private):
        yield Send(Bits.unsigned(public, 20) + Bits.unsigned(private, 20))

    def bob(y, public, private):
        heard = yield Receive()
        assert heard[:20].to_unsigned() == public
        return private

    function = TwoPartyFunction(
        "coins", (BitStrings(1), BitStrings(1)), tuple(range(1 << 10)), lambda x, y: 0 * x + 0 * y
    )
    private = {"alice": Coins.bits(20), "bob": Coins.bits(10)}
    return Protocol(
        "coins", function, {"alice": alice, "bob": bob}, answer="bob", public=Coins.bits(20), private=private
    )


@cases("seed", [0, 5])
def test_the_coins_of_a_seed_are_the_documented_draws(seed):
    run = coin_protocol().run("0", "1", seed=seed)
    assert run.seed == seed
    assert run.public == draw(1 << 20, seed, "public")
    assert run.private == {"alice": draw(1 << 20, seed, "alice"), "bob": draw(1 << 10, seed, "bob")}
    assert run.transcript.string == Bits.unsigned(run.public, 20) + Bits.unsigned(run.private["alice"], 20)


def test_a_fresh_seed_is_reported_and_gives_the_run_again():
    protocol = coin_protocol()
    run = protocol.run("0", "1")
    assert protocol.run("0", "1", seed=run.seed) == run
    assert protocol.run("0", "1").seed != run.seed


def test_given_coins_are_respected():
    run = coin_protocol().run("0", "1", seed=1, public=77, private={"alice": 3})
    assert run.public == 77
    assert run.private["alice"] == 3
    assert run.private["bob"] == draw(1 << 10, 1, "bob")
    assert run.transcript.string == Bits.unsigned(77, 20) + Bits.unsigned(3, 20)


@cases(
    "coins",
    [
        {"public": 1 << 20},
        {"public": -1},
        {"public": 0.5},
        {"public": "1"},
        {"private": {"alice": 1 << 20}},
        {"private": {"alice": -1}},
        {"private": {"bob": 1 << 10}},
        {"private": {"carol": 0}},
        {"private": {"alice": None}},
    ],
)
def test_coins_that_are_no_outcome_are_refused(coins):
    with pytest.raises(InputError, match=r"public|private"):
        coin_protocol().run("0", "1", **coins)


def test_coins_for_a_protocol_without_any_are_refused():
    with pytest.raises(InputError, match="no public coins"):
        protocol_for_equality().run("000", "000", public=0)
    with pytest.raises(InputError, match="private"):
        protocol_for_equality().run("000", "000", private={"alice": 0})


# Labels


def test_parties_hear_bits_and_senders_but_never_labels():
    heard_by_bob = []

    def bob(y):
        heard_by_bob.append((yield Receive()))
        return 0

    @array_party
    def bob_array(ys, heard):
        heard_by_bob.extend(heard)
        return AnswerEach(0) if heard else Receive()

    zero = function_of_table([[0]])
    for party in (bob, bob_array):
        protocol = Protocol("label", zero, {"alice": script(Send("1", "a secret"), answer=0), "bob": party})
        protocol.run(0, 0)
        protocol.run(0, 0, isolated=False)
        protocol.explore()
    assert heard_by_bob
    assert all("secret" not in repr(thing) for thing in heard_by_bob)
    assert not any(hasattr(thing, "label") for thing in heard_by_bob)


# Transcripts


words = st.text("01", max_size=70).map(Bits)
messages = st.builds(
    Message,
    st.sampled_from(["alice", "bob", "a very long name"]),
    st.sampled_from([("bob",), ("carol", "dave"), ("x",)]),
    words,
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12).map(str.strip),
)
transcripts = st.lists(messages, max_size=6).map(lambda said: Transcript(tuple(said)))


@FEW
@given(transcripts)
def test_totals_of_a_transcript_add_up(transcript):
    assert transcript.bits == sum(transcript.by_direction.values()) == sum(transcript.by_sender.values())
    assert transcript.bits == len(transcript.string)
    assert len(transcript) == len(transcript.table()) == len(list(transcript))
    totals = [row["total"] for row in transcript.table()]
    assert totals == [sum(len(message.bits) for message in transcript[: place + 1]) for place in range(len(totals))]
    assert 0 <= transcript.rounds <= len(transcript)


def test_long_messages_are_cut_when_printed_and_whole_in_the_table():
    long = Transcript((Message("alice", ("bob",), Bits("01" * 100), "x"),))
    assert "010..." in str(long)
    assert long.table()[0]["message"] == "01" * 100


def test_a_refusal_shows_what_was_said_so_far():
    with pytest.raises(ProtocolError, match=r"alice → bob +3 +3  000 +input"):
        protocol_for_equality(model=rounds(1)).run("000", "000")


# HTML


def well_formed(text):
    page = Page(text)
    assert not any(page.all(tag) for tag in ("script", "img", "iframe"))
    return page


HOSTILE = ["<script>alert(1)</script>", "</table>", "a & b < c > d", "\"'><img src=x>", "<b>bold", "&lt;"]


@cases("label", HOSTILE)
def test_html_of_transcripts_and_runs_nests_and_escapes_labels(label):
    parties = {"alice": script(Send("1", label), answer=label), "bob": script(Receive(), answer=label)}
    run = Protocol("html", function_of_table([[0]], (label,)), parties).run(0, 0)
    names = Transcript((Message(label, (label,), Bits("1"), label),))
    for shown in (html(names), html(run.transcript), html(run)):
        page = well_formed(shown)
        assert label in page.text
    assert len(page.all("tr")) == 2


@FEW
@given(transcripts)
def test_html_of_every_transcript_has_a_row_for_each_message(transcript):
    page = well_formed(html(transcript))
    assert len(page.all("tr")) == len(transcript) + 1
    assert transcript.summary() in page.text
    for message in transcript:
        assert message.direction in page.text


@cases("label", HOSTILE)
def test_html_of_matrices_nests_and_escapes_labels(label):
    matrix = CommunicationMatrix(np.array([[0, 1], [-1, 0]]), (label, "other"))
    page = well_formed(html(matrix))
    assert len(page.all("rect")) == 1 + 4 + 1 + 3  # the ground, the cells, their frame, the legend
    assert label in page.text


def test_html_of_a_large_matrix_is_an_image_and_of_a_larger_one_its_corner():
    page = well_formed(html(disjointness(8).matrix))
    assert len(page.all("image")) == 1
    assert "first" not in page.text
    assert "the first 512 x 512" in well_formed(html(disjointness(10).matrix)).text


@pytest.mark.parametrize(
    "one", [1, True, "1", [1], (True,), np.int64(1), np.True_, np.array([1]), [np.int8(1)], Bits("1")]
)
def test_a_single_bit_is_sent_however_it_is_written(one):
    assert Send(one) == Send(Bits("1"))


@pytest.mark.parametrize("wrong", [2, -1, 0.5, None, "012", [0, 2], [[0, 1]], np.int64(2), np.eye(2), np.float64(0.5)])
def test_what_is_no_bits_is_not_sent(wrong):
    assert Send([0, 1, True]) == Send("011")
    with pytest.raises(InputError, match=r"Send\.bits = .*Bits\.unsigned"):
        Send(wrong)


@pytest.mark.parametrize("called", [Protocol, TwoPartyFunction, CommunicationMatrix])
def test_a_missing_argument_is_reported_of_the_class_that_was_called(called):
    with pytest.raises(TypeError, match=rf"^{called.__name__}\.__init__"):
        called()


@pytest.mark.parametrize(
    ("name", "wrong"), [("function", 3), ("parties", 3), ("model", 3), ("error", "x"), ("cost", 3), ("public", 3)]
)
def test_a_wrong_part_of_a_protocol_is_named(name, wrong):
    given = {"name": "p", "function": [[0, 1], [1, 0]], "parties": {"alice": len, "bob": len}, name: wrong}
    with pytest.raises(InputError, match=rf"^{name} = {wrong!r}"):
        Protocol(**given)


@pytest.mark.parametrize(
    ("name", "wrong"), [("inputs", 3), ("inputs", (2, 2)), ("answers", 2), ("answers", ([0], [1])), ("answers", ())]
)
def test_a_wrong_part_of_a_function_is_named(name, wrong):
    given = {"name": "f", "inputs": (BitStrings(1),) * 2, "answers": [0, 1], "evaluate": lambda x, y: x & y}
    assert TwoPartyFunction(**given).is_boolean
    with pytest.raises(InputError, match=rf"^{name} = "):
        TwoPartyFunction(**(given | {name: wrong}))
