"""What rests on what."""

from graphlib import CycleError

import pytest

from tutoring.rules.prerequisites import ancestors, in_order, restricted

REQUIRES = {"add": ("common", "parts"), "common": ("equivalent",), "equivalent": ("parts",), "parts": (), "shapes": ()}


def test_ancestors_are_all_that_a_concept_rests_on():
    assert ancestors(REQUIRES, ["add"]) == {"common", "equivalent", "parts"}
    assert ancestors(REQUIRES, ["shapes"]) == frozenset()
    assert ancestors(REQUIRES, ["common", "equivalent"]) == {"equivalent", "parts"}


def test_order_is_by_depth_and_then_as_the_course_has_it():
    assert in_order(REQUIRES) == ("parts", "shapes", "equivalent", "common", "add")


def test_a_part_of_the_graph_keeps_what_is_within_it():
    assert restricted(REQUIRES, {"add", "parts"}) == {"add": ("parts",), "parts": ()}


def test_what_the_graph_does_not_have_is_left_out_of_account():
    requires = {"add": ("parts", "deleted"), "parts": ()}
    assert ancestors(requires, ["add", "gone"]) == {"parts"}
    assert in_order(requires) == ("parts", "add")


def test_a_concept_that_rests_on_itself_is_refused():
    with pytest.raises(CycleError):
        in_order({"hen": ("egg",), "egg": ("hen",)})
