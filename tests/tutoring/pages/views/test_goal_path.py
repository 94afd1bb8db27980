"""The road to a goal: its stops in order, the learner's place, and the day of the goal."""

import re
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from tests.tutoring.lessons.lesson_player import load_fractions
from tests.tutoring.pages.views.test_course_map import mastered
from tests.tutoring.small_course import make_course
from tutoring.mastery.records import goals
from tutoring.models import Goal, Mastery
from tutoring.pages.contexts.road import road_of, strip_context, tall_context
from tutoring.pages.contexts.road_layout import lay_out_strip, lay_out_tall, lay_out_wide

pytestmark = pytest.mark.django_db

GOAL, PAGE = "add-unlike", "/learn/fractions/path/"


@pytest.fixture
def fractions():
    return load_fractions()


@pytest.fixture
def learner(client, ada, fractions):
    client.force_login(ada)
    goals.set_goal(ada, fractions.concepts.get(slug=GOAL))
    return ada


class TestRoad:
    def test_leads_from_what_is_known_to_the_goal(self, learner, fractions):
        mastered(learner, fractions, "equal-parts", days_ago=200)
        mastered(learner, fractions, "one-half")
        road = road_of(learner, fractions)
        assert [(stop.slug, stop.mark) for stop in road.stops[:4]] == [
            ("equal-parts", "due"), ("one-half", "done"), ("unit-fractions", "here"), ("several-parts", "later"),
        ]  # fmt: skip
        assert (road.stops[-1].slug, road.stops[-1].is_goal) == (GOAL, True)
        assert road.stops[-1].note == "your goal"
        assert road.place.slug == "unit-fractions"
        assert (road.done, road.left) == (2, len(road.stops) - 2)

    def test_labels_have_room_beside_each_other(self, learner, fractions):
        mastered(learner, fractions, "equal-parts", days_ago=200)
        road = road_of(learner, fractions)
        due = next(node for node in strip_context(road)["nodes"] if node["stop"].mark == "due")
        assert due["note_lines"] == ["due for", "review"]
        tall = tall_context(road)
        titles = [line for node in tall["nodes"] for line in node["lines"]]
        assert max(map(len, titles)) <= 26
        assert any(len(node["lines"]) == 2 for node in tall["nodes"])

    def test_long_title_is_whole_on_a_phone(self, client, learner):
        drawn = client.get(PAGE).content.decode().partition("way-tall")[2].partition("</svg>")[0]
        assert 'dy="17">size</tspan>' in drawn

    def test_one_is_where_the_open_lesson_is(self, learner, fractions):
        road = road_of(learner, fractions, lesson="several-parts")
        assert road.place.slug == "several-parts"

    def test_what_looks_known_is_passed(self, learner, fractions):
        placed = fractions.concepts.get(slug="equal-parts")
        Mastery.objects.create(learner=learner, concept=placed, probability=0.92, placed=0.92, threshold=0.85)
        road = road_of(learner, fractions)
        assert (road.stops[0].mark, road.place.slug) == ("known", "one-half")

    def test_what_a_mastered_concept_builds_on_is_passed(self, learner, fractions):
        """Without evidence of its own; mastery itself is not changed by that."""
        mastered(learner, fractions, "add-like")
        below = fractions.concepts.get(slug="several-parts")
        road = road_of(learner, fractions)
        marks = {stop.slug: stop.mark for stop in road.stops}
        assert (marks["several-parts"], marks["add-like"]) == ("known", "done")
        assert road.place.slug not in ("equal-parts", "several-parts")
        assert not Mastery.objects.filter(concept=below).exists()
        Mastery.objects.create(learner=learner, concept=below, probability=0.2, answers=4, threshold=0.85)
        assert road_of(learner, fractions).place.slug == "several-parts"

    def test_without_a_goal_it_leads_to_the_courses(self, ben, fractions):
        road = road_of(ben, fractions)
        assert not road.own
        assert road.stops[-1].goal_word == "course goal"
        assert road.place.slug == "equal-parts"

    def test_without_a_goal_a_lesson_that_is_over_leads_to_what_builds_on_it(self, ben, fractions):
        mastered(ben, fractions, "one-half")
        assert road_of(ben, fractions, after="one-half").place.slug == "unit-fractions"

    def test_with_a_goal_a_lesson_that_is_over_leads_along_its_road(self, learner, fractions):
        mastered(learner, fractions, "several-parts")
        assert road_of(learner, fractions, after="several-parts").place == road_of(learner, fractions).place

    def test_optional_stop_hangs_on_what_it_builds_on(self, learner, fractions):
        for slug in ("equal-parts", "one-half", "unit-fractions"):
            mastered(learner, fractions, slug)
        [(number, stop)] = road_of(learner, fractions).beside
        assert (number, stop.slug) == (2, "compare-unit-fractions")

    def test_all_done_leaves_no_place(self, learner, fractions):
        for concept in fractions.concepts.all():
            mastered(learner, fractions, concept.slug)
        road = road_of(learner, fractions)
        assert (road.place, road.left) == (None, 0)
        assert strip_context(road)["nodes"]

    def test_strip_shows_the_place_and_the_goal(self, learner, fractions):
        for slug in ("equal-parts", "one-half", "unit-fractions", "several-parts"):
            mastered(learner, fractions, slug)
        strip = strip_context(road_of(learner, fractions))
        marks = [node["stop"].mark for node in strip["nodes"]]
        assert marks.index("here") == 2
        assert strip["nodes"][-1]["stop"].slug == GOAL
        assert strip["between"] > 0


class TestLayout:
    @pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16])
    @pytest.mark.parametrize("lay_out", [lay_out_wide, lay_out_tall])
    def test_stops_are_apart_and_within_the_drawing(self, count, lay_out):
        layout = lay_out(count, count // 2)
        assert len(layout.points) == count
        assert all(0 < x < layout.width and 0 < y < layout.height for x, y in layout.points)
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 60 for a, b in pairwise(layout.points))
        assert layout.walked == layout.road[: len(layout.walked)]

    def test_strip_holds_its_stops(self):
        points = lay_out_strip(6, 2).points
        assert all(b[0] - a[0] > 90 for a, b in pairwise(points))

    def test_wide_road_goes_up(self):
        points = lay_out_wide(9, 0).points
        assert points[0][1] > points[3][1] > points[6][1]


class TestPage:
    def test_says_where_one_is_and_has_every_stop_as_a_link(self, client, learner, fractions):
        page = client.get(PAGE).text
        assert "Adding unlike fractions" in page
        for stop in road_of(learner, fractions).stops:
            assert page.count(f'href="?stop={stop.slug}#stop"') == 2
        assert 'id="stop-title">Equal parts<' in page

    def test_chosen_stop_is_shown_and_a_made_up_one_is_not(self, client, learner):
        assert 'id="stop-title">One half<' in client.get(f"{PAGE}?stop=one-half").text
        assert 'id="stop-title">Equal parts<' in client.get(f"{PAGE}?stop=<script>").text

    def test_fading_stop_asks_for_a_check(self, client, learner, fractions):
        mastered(learner, fractions, "equal-parts", days_ago=200)
        page = client.get(f"{PAGE}?stop=equal-parts").text
        assert "Review" in page
        assert "Due for review" in page

    def test_who_has_no_goal_sees_the_courses_road_without_changes(self, client, ben, fractions):
        client.force_login(ben)
        page = client.get(PAGE).text
        assert "Your path through Fractions" in page
        assert 'value="aside"' not in page

    def test_takes_few_queries(self, client, learner, fractions, django_assert_max_num_queries):
        mastered(learner, fractions, "equal-parts", days_ago=90)
        client.get(PAGE)
        with django_assert_max_num_queries(20):
            page = client.get(PAGE).text
        assert "style=" not in page

    def test_course_without_lessons_leads_to_its_page(self, client, ada):
        course = make_course("small")
        course.content, course.source_hash = {**course.content, "concepts": []}, "emptied"
        course.save()
        client.force_login(ada)
        assert client.get("/learn/small/path/")["Location"] == "/learn/small/"
        assert client.get("/learn/nothing/path/").status_code == 404

    def test_my_path_leads_to_the_newest_goal(self, client, learner):
        make_course("small")
        assert client.get("/path/")["Location"] == PAGE


class TestDay:
    def test_is_saved_and_taken_away(self, client, learner):
        day = timezone.localdate() + timedelta(days=30)
        client.post(PAGE, {"concept": GOAL, "due_on": day.isoformat()})
        assert Goal.objects.get().due_on == day
        assert f'value="{day.isoformat()}"' in client.get(PAGE).text
        client.post(PAGE, {"concept": GOAL, "due_on": ""})
        assert Goal.objects.get().due_on is None

    @pytest.mark.parametrize("day", ["yesterday", "1999-01-01", "9999-01-01", "2026-13-01"])
    def test_what_is_no_day_is_said_and_changes_nothing(self, client, learner, day):
        response = client.post(PAGE, {"concept": GOAL, "due_on": day})
        assert response.status_code == 422
        assert re.search(r'id="day-error" role="alert">\s*<ul', response.text)
        assert Goal.objects.get().due_on is None

    def test_of_what_is_no_goal_changes_nothing(self, client, learner, ben, fractions):
        goals.set_goal(ben, fractions.concepts.get(slug="simplify"))
        day = timezone.localdate().isoformat()
        page = client.post(PAGE, {"concept": "simplify", "due_on": day}, follow=True).text
        assert "That is not one of your goals." in page
        assert not Goal.objects.filter(due_on__isnull=False).exists()

    def test_reason_that_many_steps_share_is_said_once(self, client, learner):
        page = client.get(PAGE).text
        assert page.count("ecause you need it for <em>Adding unlike fractions</em>") <= 1
        assert "Because you need it for Adding unlike fractions." in page

    def test_effort_is_told_in_minutes(self, client, learner, fractions):
        steps = client.get(PAGE).text.partition('class="route-steps"')[2]
        assert re.search(r"about \d+ minutes", steps)
        assert "rarely more" not in steps

    def test_list_and_road_agree_where_one_is(self, client, learner, fractions):
        mastered(learner, fractions, "add-like")
        place = road_of(learner, fractions).place
        steps = client.get(PAGE).text.partition('class="route-steps"')[2]
        first = re.search(r'id="step-([^"]+)"[^>]*aria-current="step"', steps)
        assert first is not None
        assert first[1] == place.slug
        assert "You may already know this" in steps
