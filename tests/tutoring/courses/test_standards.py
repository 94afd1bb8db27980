"""Codes of teaching standards: found by code, and by the group a code belongs to."""

from dataclasses import replace

import pytest

from tutoring.courses.standards import concepts_with_standard, standard_codes


@pytest.fixture
def coded(tiny):
    halves, adding = tiny.concepts
    return replace(
        tiny, concepts=(replace(halves, standards=("3.NF.A.1",)), replace(adding, standards=("4.NF.B.3", "3.NF.A.1")))
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("3.NF.A.1", ["halves", "adding"]),
        ("4.nf.b.3", ["adding"]),
        ("4.NF", ["adding"]),
        ("3.NF.A.", ["halves", "adding"]),
        ("4.N", []),
        ("", []),
    ],
)
def test_concepts_are_found_by_a_code_or_its_beginning(coded, code, found):
    assert [each.id for each in concepts_with_standard(coded, code)] == found


def test_codes_are_listed_once(coded):
    assert standard_codes(coded) == ("3.NF.A.1", "4.NF.B.3")
