"""The concept graph: merged by name, counted by message, grouped by topic, and drawn."""

from datetime import UTC, datetime
from typing import Any

from conversations.concepts.graph import AskedConcept, group_by_topic, merge_messages
from conversations.concepts.lesson_links import LessonLink
from conversations.concepts.mentions import AskedMessage
from conversations.concepts.names import concept_key
from conversations.concepts.picture import AXIS, CONCEPTS_AT_MOST, LONGEST_LABEL, draw_concepts

LESSON = LessonLink(title="Lists", url="/learn/python/lists/")


def message(*concepts: str, day: int = 1, session: str = "s", related: Any = (), category: str | None = None) -> Any:
    return AskedMessage(
        at=datetime(2026, 5, day, tzinfo=UTC),
        session_key=session,
        title=session,
        url=f"/c/{session}/?at={day}",
        concepts=[{"name": each, "category": category} for each in concepts],
        relationships=[{"source": one, "target": other, "type": kind} for one, kind, other in related],
    )


def by_name(*messages: AskedMessage) -> dict[str, AskedConcept]:
    return {each.name: each for each in merge_messages(messages)}


class TestMerging:
    def test_singular_and_plural_are_one_concept_with_its_usual_name(self):
        found = by_name(message("lists", day=3), message("list", day=2), message("lists", day=1))
        assert {name: (each.count, each.last_at.day) for name, each in found.items()} == {"lists": (3, 3)}

    def test_name_among_equals_does_not_depend_on_what_came_last(self):
        assert by_name(message("lists"), message("list")).keys() == by_name(message("list"), message("lists")).keys()

    def test_names_in_other_scripts_stay_apart(self):
        assert by_name(message("分数", "割合")).keys() == {"分数", "割合"}

    def test_message_that_names_a_concept_twice_counts_once(self):
        assert by_name(message("list", "lists"))["lists"].count == 1

    def test_each_conversation_is_linked_once_by_its_latest_message(self):
        found = by_name(message("list", day=3), message("list", day=2), message("list", day=1, session="t"))
        assert [each.url for each in found["list"].messages] == ["/c/s/?at=3", "/c/t/?at=1"]

    def test_the_most_frequent_comes_first(self):
        found = merge_messages([message("tuple", "list"), message("tuple")])
        assert [each.name for each in found] == ["tuple", "list"]

    def test_course_concept_is_linked_by_any_form_of_its_name(self):
        [found] = merge_messages([message("lists")], lessons={concept_key("list"): LESSON})
        assert found.lesson == LESSON

    def test_relationships_are_counted_both_ways(self):
        pair = [("list", "mentioned_with", "tuple")]
        compared = [("tuples", "compared_with", "lists")]
        found = by_name(message("list", "tuple", related=pair), message("lists", "tuples", related=compared))
        for one, other in (("list", "tuple"), ("tuple", "list")):
            [link] = found[one].related
            assert (link.name, link.count, link.is_compared) == (other, 2, True)

    def test_relationship_with_something_else_or_itself_is_none(self):
        found = by_name(message("list", related=[("list", "mentioned_with", "lists"), ("list", "is", "qubit")]))
        assert found["list"].related == ()


class TestTopics:
    def grouped(self, *messages: AskedMessage) -> Any:
        return group_by_topic(merge_messages(messages), messages)

    def test_topic_is_the_usual_category(self):
        told = [message("loop", category=each, day=day) for day, each in enumerate(("music", "code", "code"), 1)]
        assert [each.name for each in self.grouped(*told)] == ["code"]

    def test_the_one_asked_about_most_comes_first_and_what_has_none_last(self):
        told = [message("zero"), message("zero"), message("loop", category="code"), message("cell", category="biology")]
        assert [each.name for each in self.grouped(*told, message("loop", category="code"))] == ["code", "biology", ""]

    def test_conversation_is_where_most_of_its_concepts_are(self):
        told = [
            message("loop", "list", category="code", day=2),
            message("cell", category="biology", day=1),
            message("cell", category="biology", session="t"),
        ]
        assert {each.name: [one.session_key for one in each.conversations] for each in self.grouped(*told)} == {
            "biology": ["t"],
            "code": ["s"],
        }


class TestPicture:
    def drawn(self, *messages: AskedMessage) -> Any:
        return draw_concepts(group_by_topic(merge_messages(messages), messages))

    def test_related_concepts_are_joined_once(self):
        picture = self.drawn(message("list", "tuple", "set", related=[("list", "mentioned_with", "tuple")]))
        [arc] = picture.arcs
        ys = {each.concept.name: each.y for each in picture.concepts}
        assert (arc.one, arc.other) == ("list", "tuple")
        assert arc.path.startswith(f"M{AXIS} {ys['list']}C")
        assert arc.path.endswith(f" {ys['tuple']} {AXIS} {ys['tuple']}")

    def test_more_questions_make_a_larger_dot(self):
        picture = self.drawn(message("list", "tuple"), message("list"))
        sizes = {each.concept.name: each.radius for each in picture.concepts}
        assert sizes["list"] > sizes["tuple"]

    def test_only_the_most_frequent_are_drawn_and_long_names_are_cut(self):
        name = "a very long name of a thing that nobody reads"
        others = [message(f"concept {chr(97 + number)}") for number in range(CONCEPTS_AT_MOST)]
        picture = self.drawn(message(name), message(name), *others)
        assert len(picture.concepts) == CONCEPTS_AT_MOST
        assert picture.concepts[0].label == f"{name[: LONGEST_LABEL - 1].rstrip()}…"
        assert max(each.y for each in picture.concepts) < picture.height
