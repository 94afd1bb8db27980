"""What was mastered before, met again: within the quiz of a lesson, and as the path's next step."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, fractions
from tests.tutoring.misconception_learners import facts_on
from tests.tutoring.review_helpers import master, quiz
from tutoring.courses.quiz_limits import QuizLimits
from tutoring.dialogue import graphs  # noqa: F401  # Registers the roles.
from tutoring.dialogue.queries.quiz_history import find_mistakes
from tutoring.lesson.cycle import LearningCycle, count_question, start_quiz
from tutoring.mastery import error_patterns, spaced_review
from tutoring.mastery.knowledge_tracing import AbilityEstimate
from tutoring.mastery.records.goals import set_goal
from tutoring.mastery.records.sittings import current_sitting
from tutoring.mastery.sittings import Sitting
from tutoring.models import Attempt, Concept, Mastery, MasteryChange, Path, Question, Review
from tutoring.pages.cards.rendering import questions_html
from tutoring.roles.quizzes.question_selection import next_concept, planned_questions

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _unhurried(settings):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}


@pytest.fixture
def stage(kept_fractions):
    """A lesson on unit fractions, of somebody who has answered three questions on mixed numbers in this sitting."""
    with counted_turns(seed=5):
        stage = Stage(people.make_person("ada"), concept("unit-fractions"))
        for _ in range(3):
            quiz(stage.person, slug="mixed-numbers")
        yield stage


def concept(slug):
    return Concept.objects.select_related("course").get(slug=slug)


def hold(person, slug, *, days, due=True):
    """Let a concept have been mastered so many days ago."""
    at = timezone.now() - days * DAY
    known = {"probability": 0.97, "answers": 5, "unassisted": 5, "templates": ["a", "b"], "threshold": 0.85}
    Mastery.objects.create(learner=person, concept=concept(slug), mastered_at=at, last_at=at, **known)
    card = spaced_review.first_card(at)
    waits = timezone.now() + (-DAY if due else DAY)
    return Review.objects.create(
        learner=person, concept=concept(slug), card=dict(card), reviewed_at=at, due_at=waits, times=0
    )


def quizzed(stage, *, answer=right):
    """Go through one quiz."""
    stage.open()
    stage.say("quiz me")
    while (question := stage.question) is not None and stage.standing.cycle.state == "quiz_active":
        stage.check(answer(question))
        if stage.standing.explaining:
            stage.say("next")


def asked(stage):
    rows = stage.session.questions.filter(purpose="quiz").order_by("turn__number", "number")
    return list(rows.values_list("concept__slug", flat=True))


class TestWithinAQuiz:
    def test_what_is_due_comes_once_between_the_lessons_own_questions_is_told_and_counts_as_a_look(self, stage):
        card = hold(stage.person, "one-half", days=4)
        hold(stage.person, "equal-parts", days=3)
        quizzed(stage)
        assert asked(stage) == ["unit-fractions", "one-half", "unit-fractions", "unit-fractions"]
        question = stage.session.questions.get(concept__slug="one-half")
        assert question.public["from_before"]
        assert MasteryChange.objects.get(attempt__question=question).mastery.concept.slug == "one-half"
        seen = Review.objects.get(pk=card.pk)
        assert seen.reviewed_at == Attempt.objects.get(question=question).created_at
        assert seen.due_at > timezone.now()
        assert Mastery.objects.get(learner=stage.person, concept__slug="unit-fractions").is_mastered
        assert stage.session.state["quiz_score"] == 1.0
        told = [each for each in stage.exchanges if "from earlier, so you don’t forget it" in each.reply]
        assert [(each.cards("question")[0]["number"], each.cards("question")[0]["total"]) for each in told] == [(2, 4)]
        assert "One half" in told[0].reply
        cards = [card for each in stage.exchanges for card in each.cards("question")]
        shown = questions_html(cards, stage.person, None)
        assert ["from an earlier topic" in shown[card["id"]] for card in cards] == [False, True, False, False]
        assert current_sitting(stage.person.pk) == Sitting(questions=7, reviews=1)
        stage.session.questions.filter(number=1).update(purpose="review")
        assert current_sitting(stage.person.pk) == Sitting(questions=7, reviews=2)

    def test_missed_it_is_no_more_mastered_and_the_lessons_own_decision_stands(self, stage):
        hold(stage.person, "one-half", days=4)
        quizzed(stage, answer=lambda question: (wrong if question.concept.slug == "one-half" else right)(question))
        assert asked(stage)[:2] == ["unit-fractions", "one-half"]
        assert asked(stage).count("unit-fractions") >= 2
        assert not Mastery.objects.get(learner=stage.person, concept__slug="one-half").is_mastered
        assert stage.standing.misses == 0

    def test_none_comes_that_was_looked_at_today_was_put_aside_or_is_too_many(self, stage):
        hold(stage.person, "one-half", days=0, due=False)
        hold(stage.person, "equal-parts", days=4)
        Path.objects.create(learner=stage.person, course=stage.concept.course, first=[], set_aside=["equal-parts"])
        quizzed(stage)
        assert asked(stage) == ["unit-fractions"] * 3


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 10), st.integers(1, 3), st.integers(0, 12), st.integers(0, 3), st.integers(0, 2))
def test_quizzes_keep_their_limits_and_what_they_said_they_would_ask(questions, most, answered, looked_back, before):
    """An earlier concept takes no place of the lesson's own, and comes in a fifth of the questions at most."""
    facts, own = asking_facts(), "unit-fractions"
    limits = QuizLimits(questions=questions, per_concept=most)
    facts = replace(facts, course=replace(facts.course, quiz=limits))
    asked_without = list(run(facts, Sitting(questions=answered), limits))
    earlier = ("mixed-numbers", "add-like")[:before]
    steps = list(run(replace(facts, earlier=earlier), Sitting(questions=answered, reviews=looked_back), limits))
    asked = [concept for concept, _ in steps]
    assert asked[0] == own
    assert asked.count(own) >= min(most, asked_without.count(own))
    assert 3 <= len(asked) <= questions
    looks = [each for each in asked if each in earlier]
    assert len(looks) <= 1
    assert not looks or looked_back + len(looks) <= 0.2 * (answered + len(asked))
    assert {total for _, total in steps} == {len(asked)}


def asking_facts():
    """Return a lesson on unit fractions in which nothing is decided."""
    return facts_on(fractions().course.concept("unit-fractions"), 1)


def run(facts, sitting, limits):
    """Yield the concepts that a quiz asks about, one after the other, each with how many questions are planned then."""
    cycle = start_quiz(LearningCycle())
    while (concept := next_concept(replace(facts, sitting=sitting), cycle)) is not None:
        cycle = count_question(cycle, concept, limits)
        yield concept, planned_questions(replace(facts, sitting=sitting), cycle)
        back = concept in facts.earlier
        sitting = Sitting(questions=sitting.questions + 1, reviews=sitting.reviews + back)


class TestSitting:
    def test_placements_and_exercises_once_more_are_left_out_and_a_break_ends_it(self, stage):
        now = timezone.now()
        assert current_sitting(stage.person.pk) == Sitting(questions=3)
        assert current_sitting(stage.person.pk, at=now + timedelta(hours=1)) == Sitting()
        Attempt.objects.filter(pk=Attempt.objects.order_by("pk").first().pk).update(created_at=now - timedelta(hours=1))
        assert current_sitting(stage.person.pk) == Sitting(questions=2)
        Question.objects.filter(learner=stage.person).update(purpose="placement")
        assert current_sitting(stage.person.pk) == Sitting()


class TestOnThePath:
    @pytest.fixture
    def on_the_way(self, stage):
        """The goal is to add; what it rests on up to unit fractions is mastered, and the first of it due."""
        set_goal(stage.person, concept("add-like"))
        for slug in ("one-half", "unit-fractions"):
            hold(stage.person, slug, days=1, due=False)
        hold(stage.person, "equal-parts", days=4)
        return stage

    def test_after_four_questions_a_due_review_comes_next_and_is_offered_where_the_path_is_shown(
        self, on_the_way, client, django_assert_max_num_queries
    ):
        client.force_login(on_the_way.person)
        address = reverse("path", args=[on_the_way.concept.course.slug])
        assert 'class="is-review is-next"' not in client.get(address).text
        quiz(on_the_way.person, slug="mixed-numbers")
        with django_assert_max_num_queries(16):
            page = client.get(address).text
        assert f'href="{reverse("review")}"' in page[page.index('class="is-review is-next"') :]
        assert "Because it’s been a while" in page

    def test_path_said_leads_to_the_review_or_on(self, on_the_way):
        quiz(on_the_way.person, slug="mixed-numbers")
        said = on_the_way.say("what comes next?")
        assert "a review" in said.reply
        steps = said.cards("path")[0]["steps"]
        assert [(step["url"], step["is_next"]) for step in steps if step["kind"] == "review"] == [
            ("/progress/review/", True)
        ]
        assert [card["url"] for card in said.cards("concept")] == ["/progress/review/"]
        assert said.cards("replies")[0]["options"] == [
            "Switch to Several equal parts", "Start with Adding pieces of the same size", "That’s enough for today",
        ]  # fmt: skip
        assert on_the_way.state["next_topic"] == "several-parts"


class TestHaste:
    """Half of one's own usual time, by what one has answered right before."""

    @pytest.fixture
    def cleo(self, kept_fractions):
        cleo = people.make_person("cleo")
        master(cleo, slug="mixed-numbers")
        for _ in range(4):
            quiz(cleo, slug="mixed-numbers")
        return cleo

    def missed(self, person, **fields):
        quiz(person, slug="mixed-numbers", right=False)
        Attempt.objects.filter(pk=Attempt.objects.latest("pk").pk).update(**fields)
        quiz(person, slug="mixed-numbers")
        attempts = list(Attempt.objects.select_related("question__concept__course", "change").order_by("pk"))
        with CaptureQueriesContext(connection) as queries:
            found = find_mistakes(attempts[-2:], kinds={}, suspicions={}, ability=AbilityEstimate())
        assert len(queries) <= 1
        return found

    def test_it_is_told_by_the_learners_own_median(self, cleo):
        (mistake,) = self.missed(cleo, time_taken_s=4.0)
        assert (mistake.seconds, mistake.usual_seconds) == (4.0, 20.0)
        assert [each.type for each in error_patterns.group_mistakes([mistake])] == ["careless"]

    def test_a_few_answers_tell_no_usual_time(self, cleo):
        Attempt.objects.update(time_taken_s=None)
        (mistake,) = self.missed(cleo, time_taken_s=4.0)
        assert mistake.usual_seconds is None

    def test_not_knowing_is_no_slip_however_fast_it_is_said(self, cleo):
        (mistake,) = self.missed(cleo, time_taken_s=4.0, gave_up=True, answer="")
        assert mistake.seconds is None
        assert error_patterns.group_mistakes([mistake]) == ()
