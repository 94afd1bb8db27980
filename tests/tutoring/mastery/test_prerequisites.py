"""What rests on what."""

from graphlib import CycleError

import pytest

from tutoring.mastery.prerequisites import all_prerequisites, subgraph, topological_order

REQUIRES = {"add": ("common", "parts"), "common": ("equivalent",), "equivalent": ("parts",), "parts": (), "shapes": ()}


def test_ancestors_are_all_that_a_concept_rests_on():
    assert all_prerequisites(REQUIRES, ["add"]) == {"common", "equivalent", "parts"}
    assert all_prerequisites(REQUIRES, ["shapes"]) == frozenset()
    assert all_prerequisites(REQUIRES, ["common", "equivalent"]) == {"equivalent", "parts"}


def test_order_is_by_depth_and_then_as_the_course_has_it():
    assert topological_order(REQUIRES) == ("parts", "shapes", "equivalent", "common", "add")


def test_a_part_of_the_graph_keeps_what_is_within_it():
    assert subgraph(REQUIRES, {"add", "parts"}) == {"add": ("parts",), "parts": ()}


def test_what_the_graph_does_not_have_is_left_out_of_account():
    requires = {"add": ("parts", "deleted"), "parts": ()}
    assert all_prerequisites(requires, ["add", "gone"]) == {"parts"}
    assert topological_order(requires) == ("parts", "add")


def test_a_concept_that_rests_on_itself_is_refused():
    with pytest.raises(CycleError):
        topological_order({"hen": ("egg",), "egg": ("hen",)})
