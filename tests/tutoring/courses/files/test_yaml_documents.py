"""YAML: plain data with lines, and none of what makes a small file harmful."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.yaml_documents import read_yaml

LAUGHS = 'a: &a ["x", "x"]\nb: &b [*a, *a]\nc: [*b, *b]\n'


def test_values_remember_their_lines():
    document = read_yaml("a: 1\nb:\n  - x: yes\n    y: 'no'\n", file="f.yaml")
    assert document.data == {"a": 1, "b": [{"x": "yes", "y": "no"}]}
    assert document.line(("b", 0, "y")) == 4
    assert document.line(("b", 0, "z")) == 3


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (LAUGHS, 1, "anchors and aliases"),
        ("a: !!python/object:os.system x", 1, "tags"),
        ("a: 1\na: 2", 2, "duplicate key"),
        ("a: 1\nb: [1\nc: 2", 3, "not YAML"),
        ("[" * 5000, 1, "nested more than"),
        ("--- 1\n--- 2", 2, "one YAML document"),
        ("a:\n  {b}: 1", 2, "a key must be plain text"),
        ("a: \x07", 1, "not YAML"),
    ],
)
def test_harmful_or_broken_yaml_is_refused_with_its_line(text, line, reason):
    with pytest.raises(CourseFaults) as caught:
        read_yaml(text, file="f.yaml")
    assert caught.value.faults[0].line == line
    assert reason in caught.value.faults[0].reason


@settings(deadline=None)
@given(st.text(alphabet="ab:-[]{}&*!'\"|>#\n ,0", max_size=80))
def test_any_text_gives_data_or_faults(text):
    with contextlib.suppress(CourseFaults):
        document = read_yaml(text, file="f.yaml")
        assert document.line(()) >= 1
