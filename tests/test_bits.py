"""Bit strings: sequences of 0 and 1, fields, self-delimiting codes, bytes."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim.bits import BitReader, Bits
from ccsim.errors import InputError

texts = st.text("01", max_size=80)


@given(texts)
def test_bits_are_a_sequence_of_zeros_and_ones(text):
    bits = Bits(text)
    assert str(bits) == text
    assert len(bits) == len(text)
    assert list(bits) == [int(digit) for digit in text]
    assert bits == Bits(list(bits)) == Bits(int(digit) for digit in text) == eval(repr(bits))
    assert hash(bits) == hash(Bits(list(text)))
    assert pickle.loads(pickle.dumps(bits)) == bits
    assert bits.count(1) == text.count("1")


@given(texts)
def test_the_integer_of_bits_reads_the_leftmost_as_the_most_significant(text):
    assert int(Bits(text)) == Bits(text).to_unsigned() == int(text or "0", 2)


@given(texts, st.data())
def test_slices_and_positions_are_those_of_the_text(text, data):
    bits = Bits(text)
    cut = data.draw(st.slices(len(text)))
    assert str(bits[cut]) == text[cut]
    for position in range(-len(text), len(text)):
        assert bits[position] == int(text[position])
    for position in (len(text), -len(text) - 1):
        with pytest.raises(IndexError, match=rf"bit {position} of a string of {len(text)} bits?$"):
            bits[position]


@given(texts, texts)
def test_concatenation_order_and_prefixes_are_those_of_the_texts(a, b):
    assert str(Bits(a) + Bits(b)) == a + b
    assert Bits.join([Bits(a), Bits(), Bits(b)]) == Bits(a) + Bits(b)
    assert (Bits(a) < Bits(b)) == (a < b)
    assert (Bits(a) == Bits(b)) == (a == b)
    assert Bits(a).starts_with(Bits(b)) == a.startswith(b)
    assert (Bits(a) + Bits(b)).starts_with(Bits(a))


def test_leading_zeros_count():
    assert Bits("0") != Bits("00") != Bits("")
    assert len({Bits("0"), Bits("00"), Bits(""), Bits("0")}) == 3
    assert Bits("1") != "1"
    assert Bits("1") != (1,)


def test_bits_do_not_change():
    bits = Bits("01")
    with pytest.raises(AttributeError, match="immutable"):
        bits.length = 3
    with pytest.raises(AttributeError, match="immutable"):
        del bits._number
    with pytest.raises(TypeError):
        bits + "1"


@given(st.integers(0, 2**70), st.integers(0, 10))
def test_unsigned_fields_are_read_back(value, spare):
    width = value.bit_length() + spare
    bits = Bits.unsigned(value, width)
    assert len(bits) == width
    assert bits.to_unsigned() == value == (int(str(bits), 2) if width else 0)
    assert bits.reader().unsigned(width) == value


def test_elias_codes_of_known_values():
    for value, code in [(1, "1"), (2, "010"), (3, "011"), (4, "00100"), (17, "000010001")]:
        assert str(Bits.gamma(value)) == code


@given(st.lists(st.integers(1, 2**80), max_size=5))
def test_self_delimiting_codes_are_read_back_in_turn(values):
    reader = Bits.join(map(Bits.gamma, values)).reader()
    assert [reader.gamma() for _ in values] == values
    assert reader.remaining == 0
    reader.finish()


@given(texts)
def test_bytes_lead_back_to_the_bits(text):
    bits = Bits(text)
    data = bits.to_bytes()
    assert len(data) == -(-len(text) // 8)
    assert Bits.from_bytes(data, len(text)) == bits


def test_bytes_are_filled_up_on_the_right():
    assert Bits("1").to_bytes() == b"\x80"
    assert Bits("000000001").to_bytes() == b"\x00\x80"


def test_numpy_integers_are_integers():
    assert Bits.unsigned(np.uint8(5), np.int64(4)) == Bits("0101")
    assert Bits.gamma(np.int32(5)) == Bits.gamma(5)
    assert Bits(np.array([1, 0], dtype=np.uint8)) == Bits("10")


def truncated(read):
    return lambda: read(BitReader(Bits("000")))


BAD = [
    (lambda: Bits("012"), "a string of 0 and 1"),
    (lambda: Bits([0, 2]), "bits = "),
    (lambda: Bits.unsigned(8, 3), r"value = 8: expected an integer from 0 to 2\^3 - 1"),
    (lambda: Bits.unsigned(-1, 3), "value = -1"),
    (lambda: Bits.unsigned(1, -3), "width = -3"),
    (lambda: Bits.unsigned(2.5, 3), "value = 2.5: expected an integer"),
    (lambda: Bits.unsigned("2", 3), "value = '2': expected an integer"),
    (lambda: Bits.unsigned(2, 3.0), "width = 3.0: expected an integer"),
    (lambda: Bits.gamma(0), "value = 0: expected an integer of at least 1"),
    (lambda: Bits.gamma(1.5), "value = 1.5: expected an integer"),
    (lambda: Bits.from_bytes(b"\x00", 9), "length = 9: expected a number of bits that takes exactly 1 bytes"),
    (lambda: Bits.from_bytes(b"\x00", 0), "length = 0"),
    (lambda: Bits.from_bytes(b"", -1), "length = -1"),
    (lambda: Bits.from_bytes(b"", 1), "length = 1"),
    (truncated(lambda reader: reader.read(4)), "width = 4: expected from 0 to the 3 bits that are left"),
    (truncated(lambda reader: reader.read(-1)), "width = -1"),
    (truncated(lambda reader: reader.unsigned(4)), "width = 4"),
    (truncated(lambda reader: reader.gamma()), "0 bits that are left"),
    (truncated(lambda reader: reader.finish()), "nothing after the last field"),
]


def test_what_cannot_be_written_or_read_is_refused():
    for attempt, message in BAD:
        with pytest.raises(InputError, match=message):
            pytest.fail(f"{attempt()} was made, not {message}")
