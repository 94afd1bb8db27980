"""The map of a course: its drawing, the states on it, and what a learner changes of the path."""

import re
from itertools import pairwise

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.small_course import make_course
from tutoring.mastery import spaced_review
from tutoring.mastery.records import goals
from tutoring.mastery.records.path_planning import plan_path
from tutoring.models import Concept, Course, Goal, Mastery, Path, Review
from tutoring.pages.contexts.course_map import course_map_context
from tutoring.pages.contexts.map_layout import HEIGHT, WIDTH, lay_out
from tutoring.pages.views.new_conversation import start_conversation_core

GOAL = "add-unlike"


@pytest.fixture
def fractions(db):
    return load_fractions()


@pytest.fixture
def learner(client, ada):
    client.force_login(ada)
    return ada


def mastered(person, course, slug, *, days_ago=0, answers=6):
    """Let the person have mastered a concept so many days ago."""
    concept, at = course.concepts.get(slug=slug), timezone.now() - timezone.timedelta(days=days_ago)
    Mastery.objects.create(
        learner=person, concept=concept, probability=0.97, answers=answers, unassisted=answers,
        templates=["a", "b"], threshold=0.85, last_at=at, mastered_at=at,
    )  # fmt: skip
    card = spaced_review.first_card(at)
    due_at = spaced_review.due_at(card, 0.9)
    Review.objects.create(learner=person, concept=concept, card=dict(card), reviewed_at=at, due_at=due_at)


def stops(person, course):
    return {stop.concept.slug: stop for stop in course_map_context(person, course)["concepts"]}


def post(client, course, action, concept="", *, follow=True):
    return client.post(course.get_absolute_url(), {"action": action, "concept": concept}, follow=follow)


def path_of(course):
    return f"{course.get_absolute_url()}path/"


def said(response):
    return [str(message) for message in response.context["messages"]]


graphs = st.integers(0, 12).flatmap(
    lambda count: st.tuples(
        *(st.sets(st.integers(0, max(0, n - 1)), max_size=3) if n else st.just(set()) for n in range(count))
    )
)


class TestLayout:
    @settings(max_examples=40, deadline=None)
    @given(graphs)
    def test_everything_has_its_place_and_nothing_overlaps(self, graph):
        requires = {str(n): tuple(str(each) for each in sorted(below)) for n, below in enumerate(graph)}
        layout = lay_out(requires)
        assert layout.places.keys() == requires.keys()
        for left, top in layout.places.values():
            assert 0 <= left <= layout.width - WIDTH
            assert 0 <= top <= layout.height - HEIGHT
        for concept, below in requires.items():
            assert all(layout.places[each][1] < layout.places[concept][1] for each in below)
        by_layer = sorted((top, left) for left, top in layout.places.values())
        assert all(one[0] != other[0] or other[1] - one[1] >= WIDTH for one, other in pairwise(by_layer))

    def test_line_that_a_longer_way_says_is_left_out(self):
        layout = lay_out({"a": (), "b": ("a",), "c": ("a", "b", "elsewhere")})
        assert [(line.start, line.end) for line in layout.lines] == [("a", "b"), ("b", "c")]

    def test_line_passes_a_layer_beside_what_stands_there(self):
        layout = lay_out({"a": (), "b": ("a",), "c": ("b",), "x": ("a",), "d": ("c", "x")})
        passing = next(line for line in layout.lines if (line.start, line.end) == ("x", "d"))
        across = int(re.search(r"(\d+) \d+V", passing.path)[1])
        left = layout.places["c"][0]
        assert not left <= across <= left + WIDTH


class TestStates:
    def test_newcomer_begins_at_the_beginning(self, fractions, ada):
        shown = course_map_context(ada, fractions)
        assert shown["path"] is None
        assert [stop.concept.slug for stop in shown["concepts"] if stop.is_next] == ["equal-parts"]
        assert shown["concepts"][0].sign == "next"
        assert {stop.sign for stop in shown["concepts"][1:]} == {"later"}

    def test_signs_tell_what_is_due_mastered_next_known_aside_and_the_goal(self, fractions, ada):
        mastered(ada, fractions, "equal-parts", days_ago=90)
        mastered(ada, fractions, "one-half")
        placed = fractions.concepts.get(slug="unit-fractions")
        Mastery.objects.create(learner=ada, concept=placed, probability=0.9, threshold=0.85)
        goals.set_goal(ada, fractions.concepts.get(slug=GOAL))
        goals.skip_concept(ada, fractions, "simplify")
        found = stops(ada, fractions)
        assert {slug: found[slug].sign for slug in ("equal-parts", "one-half", "unit-fractions", "simplify")} == {
            "equal-parts": "due", "one-half": "mastered", "unit-fractions": "known", "simplify": "aside",
        }  # fmt: skip
        assert [slug for slug, stop in found.items() if stop.is_next] == ["several-parts"]
        assert found["several-parts"].state == "ready"
        assert found["compare-unit-fractions"].state == "ready"
        assert [slug for slug, stop in found.items() if stop.is_goal] == [GOAL]
        assert found["one-half"].on_path
        assert found[GOAL].on_path
        assert not found["compare-unit-fractions"].on_path

    def test_label_says_all_that_is_drawn(self, fractions, ada):
        mastered(ada, fractions, "one-half", days_ago=90)
        goals.set_goal(ada, fractions.concepts.get(slug=GOAL))
        found = stops(ada, fractions)
        label = found["one-half"].label
        assert re.fullmatch(
            r"One half; mastered; \d+% from 6 answers; due for review(; next)?; builds on Equal parts",
            label,
        )
        assert "your goal" in found[GOAL].label

    def test_drawing_is_come_through_in_the_order_of_the_path(self, fractions, ada):
        goals.set_goal(ada, fractions.concepts.get(slug=GOAL))
        goals.put_first(ada, fractions, "add-like")
        nodes = [node["stop"].concept.slug for node in course_map_context(ada, fractions)["drawing"]["nodes"]]
        steps = [step.concept for step in plan_path(ada.pk, fractions).steps]
        assert nodes[: len(steps)] == steps
        assert len(nodes) == len(fractions.catalogue().concepts)

    def test_course_without_lessons_says_so(self, client, learner):
        course = make_course()
        course.content = {**course.content, "concepts": []}
        course.source_hash = "emptied"
        course.save()
        assert "no lessons yet" in client.get(course.get_absolute_url()).text


class TestPage:
    def test_takes_few_queries_with_goal_and_reviews(self, client, learner, fractions, django_assert_max_num_queries):
        mastered(learner, fractions, "equal-parts", days_ago=90)
        goals.set_goal(learner, fractions.concepts.get(slug=GOAL))
        goals.skip_concept(learner, fractions, "simplify")
        client.get(fractions.get_absolute_url())
        with django_assert_max_num_queries(15):
            page = client.get(fractions.get_absolute_url()).text
        page += client.get(path_of(fractions)).text
        assert "style=" not in page
        assert "Because you need it for Adding unlike fractions" in page
        assert 'href="/progress/review/"' in page
        assert 'href="/progress/fractions/equal-parts/"' in page

    def test_every_concept_is_a_link_in_the_drawing_and_in_the_list(self, client, learner, fractions):
        page = client.get(fractions.get_absolute_url()).text
        for concept in fractions.concepts.all():
            assert page.count(f'href="{concept.get_absolute_url()}"') >= 2

    def test_who_has_no_goal_is_asked_for_one(self, client, learner, fractions):
        page = client.get(fractions.get_absolute_url()).text
        assert "What do you want to learn?" in page
        assert 'action="/talk/"' in page
        assert page.count('value="goal"') == len(fractions.catalogue().concepts)

    def test_another_learners_goal_is_nowhere(self, client, learner, fractions, ben):
        goals.set_goal(ben, fractions.concepts.get(slug=GOAL))
        goals.skip_concept(ben, fractions, "simplify")
        shown = course_map_context(learner, fractions)
        assert (shown["path"], shown["own_goals"]) == (None, [])
        post(client, fractions, "no_goal", GOAL)
        post(client, fractions, "take_up", "simplify")
        assert Goal.objects.open().get().learner == ben
        assert Path.objects.get(learner=ben).set_aside == ["simplify"]


class TestChanges:
    def test_goal_is_set_once_and_given_up(self, client, learner, fractions):
        assert said(post(client, fractions, "goal", GOAL)) == [
            "Adding unlike fractions is now your goal. Your path leads there."
        ]
        post(client, fractions, "goal", GOAL)
        assert Goal.objects.open().get().concept.slug == GOAL
        assert "You keep everything you have learned" in said(post(client, fractions, "no_goal", GOAL))[0]
        assert not Goal.objects.open().exists()
        assert "Nothing was changed" in said(post(client, fractions, "no_goal", GOAL))[0]

    def test_two_rows_for_one_goal_cannot_be(self, fractions, ada):
        goal, _created = goals.set_goal(ada, fractions.concepts.get(slug=GOAL))
        with pytest.raises(IntegrityError), transaction.atomic():
            Goal.objects.create(learner=ada, concept=goal.concept)

    def test_goal_that_is_mastered_comes_back_for_review_instead(self, client, learner, fractions):
        mastered(learner, fractions, "one-half")
        assert said(post(client, fractions, "goal", "one-half")) == [
            "You have already mastered One half. It will come up for review later."
        ]
        assert not Goal.objects.exists()

    def test_step_comes_first_and_goes_back(self, client, learner, fractions):
        goals.set_goal(learner, fractions.concepts.get(slug=GOAL))
        before = [step.concept for step in plan_path(learner.pk, fractions).steps]
        assert "now comes as early as possible" in said(post(client, fractions, "first", "add-like"))[0]
        wanted = [step.concept for step in plan_path(learner.pk, fractions).steps]
        assert wanted.index("add-like") < wanted.index("equivalent")
        assert before.index("add-like") > before.index("equivalent")
        page = post(client, fractions, "planned_order")
        assert [step.concept for step in plan_path(learner.pk, fractions).steps] == before
        assert "Back to the planned order" not in page.text

    def test_step_is_put_aside_and_taken_up_again(self, client, learner, fractions):
        goals.set_goal(learner, fractions.concepts.get(slug=GOAL))
        page = post(client, fractions, "aside", "equal-parts")
        path = plan_path(learner.pk, fractions)
        assert path.step("equal-parts") is None
        assert path.following.concept == "one-half"
        assert "Bring back" in page.text
        post(client, fractions, "take_up", "equal-parts")
        assert plan_path(learner.pk, fractions).following.concept == "equal-parts"

    def test_one_goes_on_at_the_step_wherever_it_stands_now(self, client, learner, fractions):
        for action, slug, place in (
            ("goal", GOAL, "route-title"),
            ("first", "add-like", "step-add-like"),
            ("first", "equal-parts", "step-equal-parts"),
            ("aside", "equal-parts", "step-equal-parts"),
            ("take_up", "equal-parts", "step-equal-parts"),
            ("aside", GOAL, f"step-{GOAL}"),
            ("planned_order", "", "route-title"),
            ("no_goal", GOAL, "route-title"),
        ):
            to = post(client, fractions, action, slug, follow=False)["Location"]
            assert to == f"{path_of(fractions)}#{place}", action
            page = client.get(to).text
            assert len(re.findall(f'id="{place}" tabindex="-1"', page)) == page.count(f'id="{place}"') == 1, action

    def test_what_is_wanted_first_is_no_longer_put_aside_and_the_other_way_round(self, fractions, ada):
        goals.skip_concept(ada, fractions, "one-half")
        goals.put_first(ada, fractions, "one-half")
        path = Path.objects.get()
        assert (path.first, path.set_aside) == (["one-half"], [])
        goals.skip_concept(ada, fractions, "one-half")
        path.refresh_from_db()
        assert (path.first, path.set_aside) == ([], ["one-half"])

    def test_goal_itself_is_given_up_and_not_put_aside(self, client, learner, fractions):
        goals.set_goal(learner, fractions.concepts.get(slug=GOAL))
        assert "Remove this goal" in said(post(client, fractions, "aside", GOAL))[0]
        assert not Path.objects.exists()

    @pytest.mark.parametrize("action", ["first", "aside"])
    def test_what_is_no_step_changes_nothing(self, client, learner, fractions, action):
        goals.set_goal(learner, fractions.concepts.get(slug="one-half"))
        assert "Nothing was changed" in said(post(client, fractions, action, GOAL))[0]
        assert not Path.objects.exists()

    def test_concept_of_another_course_and_none_at_all_are_404(self, client, learner, fractions):
        make_course("small")
        for action in ("goal", "no_goal", "first", "aside", "take_up"):
            for concept in ("nothing", "", "one_half", "a\x00b"):
                assert post(client, fractions, action, concept).status_code == 404, (action, concept)

    def test_course_that_is_not_there_is_404_and_a_made_up_change_400(self, client, learner, fractions):
        assert client.post("/learn/nothing/", {"action": "goal", "concept": GOAL}).status_code == 404
        assert post(client, fractions, "everything", GOAL).status_code == 400

    def test_change_needs_its_token(self, fractions, ada):
        from django.test import Client

        strict = Client(enforce_csrf_checks=True)
        strict.force_login(ada)
        assert post(strict, fractions, "goal", GOAL, follow=False).status_code == 403
        assert not Goal.objects.exists()

    def test_goal_on_a_concept_that_the_course_lost_can_be_given_up(self, client, learner, fractions):
        gone = Concept.objects.create(course=fractions, slug="gone", title="Gone", position=99)
        goals.set_goal(learner, gone)
        page = client.get(fractions.get_absolute_url()).text
        assert "Your goal Gone is no longer in this course." in page
        assert post(client, fractions, "goal", "gone").status_code == 404
        post(client, fractions, "no_goal", "gone")
        assert not Goal.objects.open().exists()

    def test_what_the_course_lost_falls_out_of_the_path(self, fractions, ada):
        Path.objects.create(learner=ada, course=fractions, first=["gone"], set_aside=["gone", "simplify"])
        goals.skip_concept(ada, Course.objects.get(), "one-half")
        path = Path.objects.get()
        assert (path.first, path.set_aside) == ([], ["simplify", "one-half"])


@pytest.mark.usefixtures("quiet_host")
class TestTalk:
    ID = "0" * 32

    def begin(self, rf, person, **fields):
        request = rf.post("/talk/", {"text": "I want to add fractions", "client_id": self.ID, **fields})
        request.user = person
        return start_conversation_core(request)

    def test_message_begins_a_conversation_and_sent_twice_begins_one(self, rf, ada):
        response, accepted = self.begin(rf, ada)
        assert response["Location"] == f"/c/talk-{self.ID}/"
        assert accepted.turn.session.title == "I want to add fractions"
        again, same = self.begin(rf, ada)
        assert again["Location"] == response["Location"]
        assert same.started is None
        assert ada.conversations.count() == 1

    def test_made_up_id_is_replaced(self, rf, ada):
        response, _accepted = self.begin(rf, ada, client_id="../../x")
        assert re.fullmatch(r"/c/talk-[0-9a-f]{32}/", response["Location"])

    @pytest.mark.parametrize("text", ["", "a\x00b", "x" * 10_001])
    def test_what_cannot_be_said_is_said_why_and_begins_nothing(self, rf, ada, text, client):
        client.force_login(ada)
        response, accepted = self.begin(rf, ada, text=text)
        assert (response.status_code, accepted) == (422, None)
        assert 'aria-invalid="true"' in response.text
        assert not ada.conversations.exists()

    def test_same_id_with_other_words_changes_nothing(self, rf, ada):
        self.begin(rf, ada)
        response, accepted = self.begin(rf, ada, text="something else")
        assert (response.status_code, accepted) == (409, None)
        assert "something else" in response.text


def test_what_a_placement_took_for_known_looks_known_without_a_goal_too_and_comes_last(learner, fractions):
    placed = fractions.concepts.filter(slug__in=["equal-parts", "one-half"])
    for concept in placed:
        Mastery.objects.create(learner=learner, concept=concept, probability=0.92, placed=0.92, threshold=0.85)
    shown = stops(learner, fractions)
    assert {slug for slug, stop in shown.items() if stop.looks_known} == {"equal-parts", "one-half"}
    assert {slug for slug, stop in shown.items() if stop.is_next} == {"unit-fractions"}
