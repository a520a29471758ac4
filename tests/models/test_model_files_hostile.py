"""Files that lie: whatever is in them, the end is a clear error, little memory is used, and nothing runs."""

import io
import json
import os
import pickle
import resource
import struct
import sys
import tracemalloc
import types
import zipfile
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccsim import InputError
from ccsim.errors import TableTooLargeError
from ccsim.models.files import (
    ARCHITECTURES,
    Description,
    Recorded,
    Tensors,
    build_model,
    load_model,
    read_tensors,
    write_safetensors,
)
from ccsim.models.files.description import COMMON, ENTRIES
from ccsim.models.files.float_model import LAYOUTS, float_scores
from tests.models.model_file_samples import ENCODER, description, pytorch_tensors, waves

PLAIN = description(architecture="lstm", prefix="rnn.", embedding="embedding.weight")
TRANSFORMER = description(
    architecture="transformer",
    convention="pytorch",
    prefix="encoder.",
    embedding="embedding.weight",
    positions="none",
    heads=2,
    activation="relu",
    options={"norm_first": True},
    ignore=["position.weight"],
)
QUIET = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Canary:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def refused(path, most=1 << 22):
    """The error that reading ends in, made with little memory that is written to."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError) as caught:
        read_tensors(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < most >> 10
    assert len(str(caught.value)) < 600
    return str(caught.value)


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


HEADERS = {
    "empty file": b"",
    "short file": b"\x08\0\0",
    "header longer than the file": (1 << 20).to_bytes(8, "little") + b"{}",
    "enormous header": (1 << 63).to_bytes(8, "little") + b"{}",
    "no JSON": safetensors(b"\xff\xfe{}!"),
    "deep JSON": safetensors(b"[" * 100_000),
    "a list": safetensors([1, 2]),
    "one name twice": safetensors(b'{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"a":{}}'),
    "enormous shape": safetensors({"a": entry(shape=(1 << 40, 1 << 40), offsets=(0, 8))}, b"\0" * 8),
    "shape that overflows": safetensors({"a": entry(shape=(1 << 32, 1 << 32), offsets=(0, 0))}),
    "negative shape": safetensors({"a": entry(shape=(-1, -2))}, b"\0" * 8),
    "shape of floats": safetensors({"a": entry(shape=(2.0,))}, b"\0" * 8),
    "shape of truths": safetensors({"a": entry(shape=(True, 2))}, b"\0" * 8),
    "shape too small": safetensors({"a": entry(shape=(1,))}, b"\0" * 8),
    "many axes": safetensors({"a": entry(shape=(1,) * 99 + (2,))}, b"\0" * 8),
    "unknown type": safetensors({"a": entry(dtype="O")}, b"\0" * 8),
    "type is no text": safetensors({"a": entry(dtype=["F32"])}, b"\0" * 8),
    "offsets turned": safetensors({"a": entry(offsets=(8, 0))}, b"\0" * 8),
    "offsets beyond": safetensors({"a": entry(offsets=(0, 1 << 40))}, b"\0" * 8),
    "offsets with a hole": safetensors({"a": entry(offsets=(8, 16))}, b"\0" * 16),
    "two at one place": safetensors({"a": entry(), "b": entry()}, b"\0" * 16),
    "data left over": safetensors({"a": entry()}, b"\0" * 9),
    "data missing": safetensors({"a": entry()}, b"\0" * 7),
    "a list in place of an entry": safetensors({"a": ["F32", [3], [0, 8]]}, b"\0" * 8),
    "a table in place of a type": safetensors({"a": entry(dtype={"F8_E4M3": None}, shape=(8,))}, b"\0" * 8),
    "integer of thousands of digits": safetensors(b'{"a":{"dtype":"F32","shape":[' + b"9" * 5000 + b"]}}"),
    "notes that are no texts": safetensors({"__metadata__": {"a": 1}}),
    "shape without numbers that NumPy does not have": safetensors({"a": entry(shape=(0, 1 << 62), offsets=(0, 0))}),
}


def test_safetensors_that_lie(tmp_path):
    for name in HEADERS:
        path = tmp_path / "a.safetensors"
        path.write_bytes(HEADERS[name])
        assert "a.safetensors" in refused(path) or "tensor" in refused(path), name


def test_pickles_in_disguise_are_not_run(tmp_path):
    for protocol in [0, 2, 5]:
        for kind in [".safetensors", ".npz", ".pt", ".pth"]:
            path = tmp_path / f"model{kind}"
            path.write_bytes(pickle.dumps({"weight": Canary(tmp_path / "ran")}, protocol=protocol))
            refused(path)
            assert not (tmp_path / "ran").exists(), (kind, protocol)


def test_objects_in_npz_are_not_unpickled(tmp_path):
    for compressed in [False, True]:
        path = tmp_path / "model.npz"
        save = np.savez_compressed if compressed else np.savez
        save(path, weight=np.array([Canary(tmp_path / "ran")], dtype=object))
        assert "allow_pickle" in refused(path), compressed
        assert not (tmp_path / "ran").exists(), compressed


def npy(header, data=b"", version=(1, 0)):
    text = header.encode() if isinstance(header, str) else header
    return b"\x93NUMPY" + bytes(version) + len(text).to_bytes(2 if version == (1, 0) else 4, "little") + text + data


MEMBERS = {
    "enormous shape": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776, 8)}\n"),
    "shape that overflows": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}\n"),
    "negative shape": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}\n"),
    "objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n", b"cos\nsystem\n"),
    "records with objects": npy("{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 8),
    "records": npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 8),
    "texts": npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 16),
    "no literal": npy("{'descr': __import__('os').getcwd(), 'fortran_order': False, 'shape': ()}\n", b"\0" * 8),
    "deep literal": npy("(" * 60_000),
    "long header": npy(" " * 60_000),
    "too little": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}\n", b"\0" * 8),
    "too much": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n", bytes(9)),
    "no array": b"hello",
    "nothing": b"",
}


def test_arrays_that_lie(tmp_path):
    for name in MEMBERS:
        path = tmp_path / "a.npz"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.npy", MEMBERS[name])
        refused(path)


def test_archives_that_lie(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil.txt", "x")
    assert "whole tensors and nothing else" in refused(path)
    assert not (tmp_path.parent.parent / "evil.txt").exists()
    buffer = io.BytesIO()
    np.savez(buffer, a=np.arange(4.0))
    path.write_bytes(buffer.getvalue().replace(b"a.npy", b"b.npy", 1))
    refused(path)
    monkeypatch.setattr("ccsim.models.files.description.MOST_BYTES", 1 << 20)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in range(2):  # neither of them is too much alone
            archive.writestr(
                f"{name}.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1000000,)}\n", bytes(10**6))
            )
    assert "bytes when unpacked" in refused(path)
    monkeypatch.setattr("ccsim.models.files.description.MOST_BYTES", 1 << 60)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bytes(1 << 20))
    with monkeypatch.context() as memory:
        memory.setattr("ccsim.errors.available_bytes", lambda: 1 << 20)
        with pytest.raises(TableTooLargeError, match="would need"):
            read_tensors(path)


def test_a_header_may_be_so_long_that_the_file_begins_like_a_pickle(tmp_path):
    path = tmp_path / "a.safetensors"
    text = json.dumps({"a": entry()}).encode().ljust(0x80)
    path.write_bytes(safetensors(text, np.ones(2, np.float32).tobytes()))
    assert path.read_bytes()[:1] == b"\x80"
    assert np.asarray(read_tensors(path)["a"]).tolist() == [1, 1]


@pytest.mark.parametrize("kind", [".npz", ".pt"])
def test_archives_of_too_many_bytes_are_refused_by_what_they_declare(kind, tmp_path, monkeypatch):
    path = tmp_path / f"a{kind}"
    np.savez(path.with_suffix(".npz"), a=np.zeros(1000))
    path.write_bytes(path.with_suffix(".npz").read_bytes())
    monkeypatch.setattr("ccsim.models.files.description.MOST_BYTES", 4000)
    assert "bytes" in refused(path)


def test_files_that_are_no_files(tmp_path):
    (tmp_path / "a.npz").mkdir()
    assert "exists" in refused(tmp_path / "a.npz")
    assert "ends in" in refused(tmp_path / "model.pkl")


def test_torch_is_only_asked_for_weights(tmp_path, monkeypatch):
    calls = []

    class Tensor:
        layout, dtype, shape, is_quantized = "strided", "float32", (2,), False

        def numel(self):
            return 2

        def __getattr__(self, name):
            return lambda: np.ones(2, np.float32) if name == "numpy" else self

    def load(path, **options):
        calls.append(options)
        return {"state_dict": {"a": Tensor()}}

    fake = types.SimpleNamespace(load=load, Tensor=Tensor, strided="strided", bfloat16="bfloat16")
    monkeypatch.setitem(sys.modules, "torch", fake)
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data.pkl", pickle.dumps({}, protocol=2))
    assert np.asarray(read_tensors(path)["a"]).tolist() == [1, 1]
    assert calls == [{"map_location": "cpu", "weights_only": True, "mmap": True}]
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "PyTorch to be installed" in refused(path)


@pytest.mark.parametrize("damage", [(b"\xc3\xa4", b"\xff\xff"), (b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\x7f")])
def test_damaged_archives_of_pytorch_are_refused(damage, tmp_path):
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("däta.pkl", "")
    path.write_bytes(path.read_bytes().replace(*damage))
    refused(path)


def test_a_file_of_pytorch_is_read_and_its_pickles_are_not(tmp_path):
    torch = pytest.importorskip("torch")
    torch.save({"a": torch.arange(3.0)}, tmp_path / "a.pt")
    assert np.asarray(read_tensors(tmp_path / "a.pt")["a"]).tolist() == [0, 1, 2]
    wide = torch.zeros(1).expand(1 << 26)  # a file of a kilobyte
    torch.save({str(place): wide for place in range(40)}, tmp_path / "c.pt")
    assert "numbers in all" in refused(tmp_path / "c.pt", most=1 << 29)
    torch.save({"a": torch.zeros(2, device="meta")}, tmp_path / "d.pt")
    assert "NumPy" in refused(tmp_path / "d.pt")
    torch.save({"a": Canary(tmp_path / "ran")}, tmp_path / "b.pt")
    assert "whole tensors and nothing else" in refused(tmp_path / "b.pt", most=1 << 26)
    assert not (tmp_path / "ran").exists()


def sample_bytes(kind, tmp_path):
    path = tmp_path / f"good{kind}"
    if kind == ".safetensors":
        write_safetensors(path, pytorch_tensors("lstm", layers=1), {"ccsim": json.dumps(PLAIN)})
    else:
        np.savez(path, **pytorch_tensors("lstm", layers=1))
        path.with_name("bad.json").write_text(json.dumps(PLAIN))
    return path.read_bytes()


@pytest.mark.parametrize("kind", [".safetensors", ".npz"])
@QUIET
@given(data=st.data())
def test_damaged_files_end_in_an_error_or_in_a_model(kind, data, tmp_path):
    good = sample_bytes(kind, tmp_path)
    bad = bytearray(good[: data.draw(st.integers(0, len(good)))] if data.draw(st.booleans()) else good)
    for _ in range(data.draw(st.integers(0, 4))):
        if bad:
            head = data.draw(st.booleans())  # most of a file is numbers; damage its headers as often
            place = data.draw(st.integers(0, min(len(bad), 400 if head else len(bad)) - 1))
            bad[place] = data.draw(st.integers(0, 255))
    path = tmp_path / f"bad{kind}"
    path.write_bytes(bytes(bad))
    tracemalloc.start()
    try:
        loaded = read_or_refused(path)
        assert loaded is None or loaded.model.state_bits == 160
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def read_or_refused(path):
    """The model, or None where the file is refused; anything else is an error."""
    try:
        return load_model(path)
    except InputError:
        return None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=6,
)


@QUIET
@given(name=st.sampled_from([*PLAIN, "layers", "answers", "options", "length", "epsilon", "saturate"]), value=JSON)
def test_any_description_is_read_or_refused(name, value, tmp_path):
    path = tmp_path / "a.safetensors"
    if not path.exists():
        write_safetensors(path, pytorch_tensors("lstm", layers=1))
    path.with_suffix(".json").write_text(json.dumps({**PLAIN, name: value}))
    read_or_refused(path)


def test_descriptions_that_lie(tmp_path):
    path = tmp_path / "a.json"
    for text in ("", "[" * 100_000, "{", '{"architecture": "lstm"}', "\xff", '{"length": ' + "9" * 5000 + "}"):
        path.write_text(text, encoding="latin-1")
        with pytest.raises(InputError):
            load_model(path)
    path.write_text(json.dumps({**PLAIN, "tensors": "a" * 5000 + ".npz"}))
    for long in (path, tmp_path / ("a" * 5000 + ".json"), tmp_path / ("a" * 5000 + ".npz")):
        with pytest.raises(InputError, match="can be read"):
            load_model(long)
    with pytest.raises(InputError, match="all different"):
        Description.from_json({**PLAIN, "read_out": {"weight": "head.weight", "rows": [0, 0]}})
    single = pytorch_tensors("lstm", layers=1)
    single |= {name: single[name][:1] for name in ("head.weight", "head.bias")}
    for number in (10**400, float("inf"), float("nan"), -(10**400)):
        with pytest.raises(InputError, match="epsilon"):
            Description.from_json({**TRANSFORMER, "epsilon": number})
        with pytest.raises(InputError, match=r"threshold = .*: expected a number"):
            build_model(Description.from_json({**PLAIN, "threshold": number}), Tensors(single, "x"), precision=12)
    with pytest.raises(InputError, match="activation"):
        Description.from_json({**PLAIN, "activation": "relu"})
    np.savez(path.with_suffix(".npz"), **pytorch_tensors("lstm", layers=1))
    for entry, message in ({"tensors": "../passwd"}, "same folder"), ({"tensors": ""}, "''"), ({"check": ""}, "''"):
        path.write_text(json.dumps({**PLAIN, **entry}))
        with pytest.raises(InputError, match=message):
            load_model(path)
    with pytest.raises(InputError, match="residual = True: expected none: transformer"):
        replace(Description.from_json(TRANSFORMER), residual=True)
    with pytest.raises(InputError, match="a table of entries"):
        Description.from_json(None)
    for text in ("a = [" + "[" * 5000, "a = " + "9" * 5000):
        (tmp_path / "b.toml").write_text(text)
        with pytest.raises(InputError, match="TOML"):
            load_model(tmp_path / "b.toml")


def test_numbers_that_are_none(tmp_path):
    for number in (np.nan, np.inf):
        tensors = pytorch_tensors("lstm", layers=1)
        tensors["rnn.bias_ih_l0"][3] = number
        write_safetensors(tmp_path / "a.safetensors", tensors, {"ccsim": json.dumps(PLAIN)})
        with pytest.raises(InputError, match=r"tensor 'rnn.bias_ih_l0'.*finite"):
            load_model(tmp_path / "a.safetensors")
    np.savez(tmp_path / "b.npz", **{**pytorch_tensors("lstm", layers=1), "head.bias": np.array([1, 2])})
    (tmp_path / "b.json").write_text(json.dumps(PLAIN))
    with pytest.raises(InputError, match=r"tensor 'head.bias' = 'int64': expected floating-point"):
        load_model(tmp_path / "b.npz")


def test_quantised_weights_are_refused_by_name():
    for kind in [np.int8, np.uint8]:
        name = "rnn.weight_hh_l0"
        own = pytorch_tensors("lstm") | {name: np.ones_like(pytorch_tensors("lstm")[name], dtype=kind)}
        with pytest.raises(InputError, match=rf"{name}' = '{np.dtype(kind).name}.*dequantised"):
            build_model(Description.from_json(PLAIN), Tensors(own, "x"), precision=12)


def test_one_name_twice_in_an_archive_or_a_description(tmp_path):
    path, one = tmp_path / "a.npz", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n", bytes(8))
    for other in ("a.npy", "a"):
        with (
            zipfile.ZipFile(path, "w") as archive,
            pytest.warns(UserWarning, match="Duplicate") if other == "a.npy" else nullcontext(),
        ):
            archive.writestr("a.npy", one)
            archive.writestr(other, one)
        assert "one array of each name" in refused(path)
    path.with_suffix(".json").write_text(json.dumps(PLAIN)[:-1] + ', "precision": 9}')
    with pytest.raises(InputError, match="one entry twice"):
        load_model(path.with_suffix(".json"))


def zipped(members, compression=zipfile.ZIP_STORED, behind=b""):
    buffer = io.BytesIO()
    buffer.write(behind)
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", [".npz", ".pt"])
def test_archives_with_anything_in_front_or_behind_or_two_directories(kind, tmp_path):
    if kind == ".pt":
        pytest.importorskip("torch")
    path = tmp_path / f"a{kind}"
    pickled = pickle.dumps({}, protocol=2)
    one = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n", bytes(8))
    members = {"a.npy": one} if kind == ".npz" else {"a/data.pkl": pickled, "a/byteorder": b"little", "a/version": b"3"}
    good = zipped(members)
    start = good.index(b"PK\1\2")
    size, count = len(good) - 22 - start, len(members)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1)
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    far = good[:-22] + record + locator[:8] + struct.pack("<QL", start + size, 1) + good[-22:]
    for whole in (good, far):
        path.write_bytes(whole)
        read_tensors(path)
    lies = [b"junk" + good, good + b"junk", good[:-2] + b"\x04\0junk", good + good, b"#!/bin/sh\n" + far]
    lies += [good[:-22] + record + locator + good[-22:]]  # the locator is that of another directory
    lies += [zipped(members, behind=good), zipped({}, behind=b"junk")]  # offsets count what is in front
    for lie in lies:
        path.write_bytes(lie)
        assert "an archive with one directory" in refused(path)


CALLS = {
    "builtins.bytearray": b"cbuiltins\nbytearray\nJ\0\0\0\x7f\x85R",
    "_codecs.encode": b"c_codecs\nencode\nq\0X\4\0\0\0aaaaX\3\0\0\0hex\x86R" + b"h\0X\3\0\0\0hex\x86R" * 28,
    "torch.storage.UntypedStorage": b"ctorch.storage\nUntypedStorage\nJ\0\0\0\x7f\x85R",
    "collections.Counter": b"ccollections\nCounter\n)R",
}


def test_small_pickles_that_make_large_objects(tmp_path):
    for name in CALLS:
        path = tmp_path / "a.pt"
        path.write_bytes(zipped({"a/data.pkl": b"\x80\x02" + CALLS[name] + b"."}))
        assert f"not a pickle that calls {name}" in refused(path), name


MANY = b"](" + b"".join(b"J" + place.to_bytes(4, "little") + b"N\x86" for place in range(5000)) + b"e"
COPIES = {
    "entries": MANY + b"\x85q\1](ccollections\nOrderedDict\nq\0h\1R" + b"h\0h\1R" * 4000 + b"e",
    "entries later": MANY + b"\x85q\1](ccollections\nOrderedDict\nq\0)R" + b"h\0h\1R" * 4000 + b"e",
    "shapes": b"](" + b"K\1" * 5000 + b"eq\1](" + b"(Nh\1h\1\x89t" * 4000 + b"e",
    "long shapes": b"(" + b"K\1" * 5000 + b"t",
    "shapes that grow": b"(]q\1N\x89NNt",
    "shapes renamed": b"]q\1(h\1X\1\0\0\0aq\1NNt",
    "tuples in tuples": b"(" * 100_000 + b"t" * 100_000,
    "no tuple": b"t" + MANY + b"(" + b"N" * 300 + b"t",
    "attributes": MANY + b"q\1ccollections\nOrderedDict\nq\0](" + b"h\0)Rh\1b" * 4000 + b"e",
}


def test_small_pickles_that_copy_a_table_many_times(tmp_path):
    for name in COPIES:
        path = tmp_path / "a.pt"
        path.write_bytes(zipped({"a/data.pkl": b"\x80\x02" + COPIES[name] + b"."}))
        assert "tables that are made empty" in refused(path, most=1 << 26), name


def test_pickles_that_are_long_or_several(tmp_path, monkeypatch):
    path = tmp_path / "a.pt"
    pickled = pickle.dumps({}, protocol=2)
    for names in (["a/data.pkl", "b/DATA.pkl"], ["a/other.pkl"]):
        path.write_bytes(zipped(dict.fromkeys(names, pickled)))
        assert "one member data.pkl" in refused(path)
    path.write_bytes(zipped({"a/data.pkl": pickled[:-1]}))
    assert "STOP" in refused(path)
    monkeypatch.setattr("ccsim.models.files.description.MOST_HEADER", 3)
    path.write_bytes(zipped({"a/data.pkl": pickled}))
    assert "at most 3 bytes" in refused(path)


def test_checkpoints_with_more_than_weights_are_read(tmp_path):
    torch = pytest.importorskip("torch")
    net = torch.nn.Sequential(torch.nn.LSTM(2, 2), torch.nn.LayerNorm(2), torch.nn.BatchNorm1d(2))
    moments = {"step": torch.tensor(1.0), "exp_avg": torch.zeros(2), "exp_avg_sq": torch.ones(2)}
    groups = [{"lr": 1e-3, "betas": (0.9, 0.999), "fused": None, "params": [0]}]
    rest = {"epoch": 3, "name": "é", "losses": [0.5, None, True, 10**20, 1 << 31]}
    rest |= {"optimizer": {"state": {0: moments}, "param_groups": groups}}
    rest |= {"device": torch.device("cpu"), "kind": torch.bfloat16}
    for state in (net.state_dict(), net.bfloat16().state_dict(), dict(net.half().named_parameters())):
        torch.save({"state_dict": state, **rest}, tmp_path / "a.ckpt")
        read = read_tensors(tmp_path / "a.ckpt")
        assert {name: array.tolist() for name, array in read.items()} == {
            name: tensor.tolist() for name, tensor in state.items()
        }


def test_headers_of_safetensors_that_are_long_or_have_a_name_twice(tmp_path):
    path = tmp_path / "a.safetensors"
    none = json.dumps(entry(shape=(0,), offsets=(0, 0)))
    path.write_bytes(safetensors(("{" + ",".join(f'"{place}":{none}' for place in range(1 << 17)) + "}").encode()))
    assert "a header of at most" in refused(path)
    for other in ("a", "\\u0061"):
        path.write_bytes(safetensors(f'{{"a":{none},"{other}":{none}}}'.encode()))
        assert "one entry twice" in refused(path)


def test_bfloat16_is_charged_as_what_it_becomes(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    path.write_bytes(safetensors({"a": entry("BF16", (2,), (0, 4))}, b"\x80\x3f\0\xc0"))
    assert read_tensors(path)["a"].tolist() == [1, -2]
    path.write_bytes(safetensors({"a": entry("BF16", (1 << 10,), (0, 1 << 11))}, bytes(1 << 11)))
    monkeypatch.setattr("ccsim.models.files.description.MOST_BYTES", 3000)
    assert "not 4096" in refused(path)


def test_descriptions_of_more_numbers_than_memory_has():
    tensors = pytorch_tensors("lstm", layers=1)
    wide = {**tensors, "rnn.weight_ih_l0": np.zeros((16, 1 << 20), np.float16)}
    far = {**PLAIN, "embedding": "one-hot", "tokens": {str(place): place + (1 << 20) - 5000 for place in range(5000)}}
    with pytest.raises(TableTooLargeError, match="vectors of the symbols"):
        build_model(Description.from_json(far), Tensors(wide, "x"), precision=12)
    with pytest.raises(TableTooLargeError, match="positions"):
        encoder(length=10**30)


def encoder(precision=16, recorded=None, **more):
    tensors = Tensors(waves(ENCODER), "x")
    return build_model(Description.from_json({**TRANSFORMER, **more}), tensors, precision=precision, recorded=recorded)


def test_many_recorded_words_are_compared_in_little_memory(monkeypatch):
    monkeypatch.setattr("ccsim.models.files.load.BLOCK", 1 << 9)
    words = np.random.default_rng(0).integers(3, size=(1 << 13, 5), dtype=np.int8)
    scores = float_scores(encoder(length=5).parts, words)
    tracemalloc.start()
    try:
        assert encoder(length=5, recorded=Recorded(words, scores)).checked == len(words)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    scores[-1] += 1
    with pytest.raises(InputError, match="scores of the word"):
        encoder(length=5, recorded=Recorded(words, scores))
    monkeypatch.setattr("ccsim.errors.available_bytes", lambda: 1 << 20)
    with pytest.raises(TableTooLargeError, match="recorded scores would need"):
        Recorded(words, scores)


def test_recorded_scores_of_fewer_tokens_than_the_rows_of_answers():
    plain = Description.from_json({**PLAIN, "read_out": {"weight": "head.weight", "rows": [0, 3]}})
    tensors = Tensors(pytorch_tensors("lstm", layers=1) | waves({"head.weight": (4, 4)}), "x")
    with pytest.raises(InputError, match="2 scores for each word"):
        build_model(plain, tensors, precision=12, recorded=Recorded(np.array([[0, 1]]), np.ones((1, 3))))


EVERY = {"heads": 2, "length": 4, "epsilon": 1e-5, "layers": [""], "options": {"norm_first": True}, "memory": 9}
EVERY |= {"residual": False, "positions": "none", "activation": "relu"}


def test_an_entry_that_an_architecture_does_not_use_is_refused():
    for architecture, convention in [(kind, how) for kind, names in ARCHITECTURES.items() for how in names]:
        plain = description(architecture=architecture, convention=convention)
        plain |= {"activation": "relu"} if architecture == "elman" else {}
        if architecture == "transformer":
            used = {"heads", "length", "epsilon", "activation"}
            used |= {"positions", "options"} if convention == "pytorch" else set()
        else:
            chosen = LAYOUTS[architecture].model.layer_kind.options()
            used = {"residual", *("activation" if name == "feature" else name for name in chosen)}
            used |= set() if convention == "pytorch" else {"layers"}
        for name, value in EVERY.items():
            if name in used:
                Description.from_json({**plain, name: value})
            else:
                with pytest.raises(InputError, match=rf"{name} = .*expected none: {architecture} \({convention}\) has"):
                    Description.from_json({**plain, name: value})
        assert set(ENTRIES) == COMMON | set(EVERY)
