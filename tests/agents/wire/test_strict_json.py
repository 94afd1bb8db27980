"""JSON as strangers may send it."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.wire.strict_json import loads

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(plain)
def test_plain_json_is_read_as_it_is(value):
    assert loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    "raw",
    [
        "", "{", "[1,]", "{'a': 1}", "NaN", "Infinity", "-Infinity", '{"a": NaN}', "1e400", "-1e400", str(2**63),
        "9" * 100_000, '{"a": 1, "a": 2}', '[{"a": {"b": 1, "b": 1}}]', "[" * 5000, '{"a":' * 5000, b"\xff\xfe\x00",
        b"\xc3\x28", "1 2", "\ufeff1",
    ],
)  # fmt: skip
def test_anything_else_is_one_kind_of_error(raw):
    """B2"""
    with pytest.raises(ValueError):  # noqa: PT011  # Its words are for nobody.
        loads(raw)


@given(st.text() | st.binary())
def test_nothing_but_that_error_comes_of_noise(raw):
    """B2"""
    with suppress(ValueError):
        loads(raw)
