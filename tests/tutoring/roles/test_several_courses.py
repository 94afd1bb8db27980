"""With several courses, the lobby and home ask which subject, and a goal is found in any of them."""

from dataclasses import replace

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, fractions
from tutoring.course_storage import store_course
from tutoring.courses.catalogue import ConceptContent
from tutoring.models import Goal, Lesson
from tutoring.pages.contexts.home import home_context

pytestmark = pytest.mark.django_db

NAMES = {"equal-parts": ("note-lengths", "Note lengths"), "one-half": ("time-signatures", "Time signatures")}


def _renamed(concept: ConceptContent) -> ConceptContent:
    slug, title = NAMES[concept.id]
    return replace(
        concept,
        id=slug,
        title=title,
        also=(f"reading {title.lower()}",),
        requires=("note-lengths",) if slug == "time-signatures" else (),
        goal=slug == "time-signatures",
        templates=tuple(replace(each, concept=slug) for each in concept.templates),
    )


@pytest.fixture
def rhythm(shipped_fractions):
    """A second course: two concepts of Fractions under other names."""
    built = fractions()
    concepts = tuple(_renamed(each) for each in built.course.concepts if each.id in NAMES)
    course = replace(built.course, id="rhythm", title="Rhythm", concepts=concepts, requests={}, wordings_key="")
    return store_course(replace(built, course=course, hash="rhythm"), position=1)


@pytest.fixture
def lobby(rhythm):
    with counted_turns(seed=3):
        yield Stage(people.make_person("lena", age_band="teen"))


def test_greeting_offers_the_courses_and_no_lesson(lobby):
    said = lobby.say("hello")
    assert "*Fractions*" in said.reply
    assert "*Rhythm*" in said.reply
    assert [card["url"] for card in said.cards("concept")] == ["/learn/fractions/", "/learn/rhythm/"]


def test_named_course_offers_its_beginning_and_its_goals(lobby):
    said = lobby.say("rhythm please")
    assert "*Rhythm* begins with *Note lengths*" in said.reply
    assert said.cards("replies")[0]["options"] == ["I want to learn: Note lengths", "I want to learn: Time signatures"]
    assert said.cards("replies")[0]["labels"] == ["Note lengths", "Time signatures"]


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("I would like to learn rhythm so that I can play in a band with my brother", "*Rhythm* begins"),
        ("my son has homework with fractions and I want to understand it", "*Fractions* begins"),
    ],
)
def test_course_is_found_in_a_wish_of_many_words(lobby, text, course):
    assert course in lobby.say(text).reply


def test_wish_for_something_else_gets_no_course(lobby):
    assert "begins with" not in lobby.say("I want to learn to cook").reply


@pytest.mark.parametrize("text", ["I want to learn about time signatures", "teach me reading time signatures"])
def test_goal_is_found_in_the_second_course(lobby, text):
    lobby.say(text)
    assert Lesson.objects.get().concept.course.slug == "rhythm"
    assert Goal.objects.get().concept.slug == "time-signatures"


def test_who_leaves_a_lesson_is_shown_the_other_courses(lobby):
    lobby.say("I want to learn equal parts")
    said = lobby.say("can we do something else")
    assert "/learn/" in [card["url"] for card in said.cards("concept")]


def test_newcomer_chooses_on_home(client, rhythm, ada):
    client.force_login(ada)
    page = client.get("/").text
    assert "What would you like to learn?" in page
    assert 'href="/learn/rhythm/"' in page


def test_home_shows_the_other_courses_once_one_has_begun(lobby):
    lobby.say("I want to learn equal parts")
    shown = home_context(lobby.person)
    assert [each["title"] for each in shown["other_courses"]] == ["Rhythm"]
    assert not shown["choices"]


def test_who_wants_another_course_within_a_lesson_gets_its_card(lobby):
    lobby.say("I want to learn equal parts")
    while lobby.question is not None and not Lesson.objects.exists():
        lobby.say("I know this")
    came = lobby.say("i wanna do rhythm now")
    assert "Open *Rhythm*" in came.reply
    assert [card["url"] for card in came.events("card") if card["kind"] == "concept"] == ["/learn/rhythm/"]


@pytest.mark.parametrize("text", ["yes", "ok start it"])
def test_lesson_of_any_course_that_was_offered_begins_when_it_is_agreed_to(lobby, text):
    assert "*Note lengths*" in lobby.say("rhythm please").reply
    lobby.say(text)
    assert Lesson.objects.get(session__owner=lobby.person).concept.slug == "note-lengths"
