"""A learner with a goal: named, placed, led along the path, and on."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Turn
from conversations.turns.handler import turn_handler
from tests import people
from tests.tutoring.lessons.learners import Learner, right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tutoring.dialogue import (
    graphs,  # noqa: F401  # Registers the roles.
    transitions,
)
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.placement import placement_of
from tutoring.lesson.state import LESSON_KEY, LessonState, lesson_state, lesson_to_json
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.mastery.records.goals import note_mastered, set_goal
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import (
    Concept,
    Course,
    Cycle,
    DiagnosticResult,
    Goal,
    KnowledgeGap,
    Lesson,
    Mastery,
    Question,
    Review,
)
from tutoring.pages.contexts.course_map import course_map_context
from tutoring.pages.contexts.reviews import review_offer

pytestmark = pytest.mark.django_db

GOAL = "I want to learn to add fractions with different denominators"


@pytest.fixture(autouse=True)
def _unhurried(settings):
    settings.AGENTS = {**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0}


@pytest.fixture
def stage(kept_fractions):
    with counted_turns(seed=5):
        yield Stage(people.make_person("nora", level="intermediate"))


def questions_until(stage, slug):
    """Answer the quiz's questions up to the first on the concept; yield that one."""
    for _ in range(6):
        if stage.question.concept.slug == slug:
            yield stage.question
            return
        stage.check(right(stage.question))


def placed(stage, *, knows, goal=GOAL):
    """Answer the placement's questions as somebody who knows just these concepts; return what was said last."""
    said = stage.say(goal)
    for _ in range(MAX_QUESTIONS + 1):
        question = stage.question
        if question is None:
            return said
        said = stage.check(right(question)) if question.concept.slug in knows else stage.give_up()
    raise AssertionError("the placement does not end")


def test_named_goal_is_placed_in_few_questions_and_leads_to_a_path(stage):
    said = placed(stage, knows={"equal-parts", "one-half", "unit-fractions"})
    result = DiagnosticResult.objects.get()
    assert 1 <= result.questions <= MAX_QUESTIONS
    assert result.topic.slug == "add-unlike"
    assert Goal.objects.get().concept.slug == "add-unlike"
    assert not Mastery.objects.exclude(answers=0).exists()
    assert KnowledgeGap.objects.filter(resolved_at=None).exists()
    assert [card["goals"] for card in said.cards("path")] == [["Adding unlike fractions"]]
    assert stage.state["diagnostic_complete"]
    first = Lesson.objects.get().concept.slug
    assert first == stage.state["next_topic"]
    assert first in stage.state["learning_path"]
    assert stage.say("Let’s start").moves == ["welcome"]
    assert stage.state["current_topic"] == first


def test_placement_tells_nothing_and_can_be_stopped(stage):
    asked = stage.say(GOAL)
    question = stage.session.questions.get()
    assert question.purpose == Question.Purpose.PLACEMENT
    assert asked.cards("replies")
    assert "no hints" in stage.say("give me a hint").reply.lower()
    assert question.hints_used == 0
    aside = stage.say("what is a fraction?")
    assert [card["id"] for card in aside.cards("question")] == [str(question.pk)]
    ended = stage.say("that is enough questions")
    assert DiagnosticResult.objects.get().ended == "stopped"
    assert ended.cards("path")
    assert not stage.session.questions.open().exists()


def test_what_next_shows_the_path_and_the_question_waits(stage):
    placed(stage, knows=set())
    stage.say("ok")
    asked = stage.say("how far am I on my way?")
    assert asked.cards("path")
    assert asked.routing == ["classify_intent", "plan", "awaiting_input"]


@pytest.mark.parametrize("held_before", [True, False])
def test_goal_goes_with_the_message_that_set_it_and_only_with_that(stage, held_before):
    if held_before:
        set_goal(stage.person, Concept.objects.get(slug="add-unlike"))
    said = stage.say(GOAL)
    assert Goal.objects.count() == 1
    stage.say("hello", replaces=said)
    assert Goal.objects.exists() is held_before


@pytest.mark.parametrize(
    ("level", "missed", "is_over"), [("beginner", 2, True), ("beginner", 1, False), ("unknown", 2, False)]
)
def test_who_says_beginner_and_misses_the_first_two_is_asked_no_more(stage, level, missed, is_over):
    """The stated level is a prior: a right answer tells more."""
    stage = Stage(people.make_person("bo", level=level))
    stage.say(GOAL)
    for _ in range(missed):
        stage.give_up()
    if missed == 1:
        stage.check(right(stage.question))
    assert placement_of(stage.state).ended == ("novice" if is_over else "")


def test_placement_stopped_before_its_first_answer_claims_nothing(stage):
    stage.say(GOAL)
    stage.say("that is enough questions")
    result = DiagnosticResult.objects.get()
    assert (result.questions, result.prerequisite_gaps, result.learner_level) == (0, [], "unknown")
    assert not KnowledgeGap.objects.exists()
    assert stage.state["prerequisite_gaps"] == []


def test_without_questions_only_what_is_on_record_and_not_mastered_is_a_gap(stage):
    answered = {"answers": 5, "unassisted": 5, "templates": ["a", "b"], "threshold": 0.85}
    for concept in Concept.objects.exclude(slug="add-unlike"):
        known = 0.2 if concept.slug == "simplify" else 0.97
        Mastery.objects.create(learner=stage.person, concept=concept, probability=known, **answered)
    stage.say(GOAL)
    result = DiagnosticResult.objects.get()
    assert [gap["concept"] for gap in result.prerequisite_gaps] == ["simplify"]
    assert result.learner_level == "intermediate"  # Nothing says that they know the topic itself.


@pytest.mark.parametrize(
    ("above", "band", "level"),
    [
        (True, "adult", "advanced"),
        (False, "adult", "beginner"),
        (None, "adult", "intermediate"),
        (None, "child", "beginner"),
    ],
)
def test_lesson_begins_at_the_level_of_what_was_shown_of_its_own_concept(stage, above, band, level):
    """However well the concepts below it are known."""
    person = people.make_person("pia", level="advanced", age_band=band)
    answered = {"answers": 5, "unassisted": 5, "templates": ["a", "b"], "threshold": 0.85}
    for concept in Concept.objects.exclude(slug="add-unlike"):
        Mastery.objects.create(learner=person, concept=concept, probability=0.97, **answered)
    stage = Stage(person)
    stage.concept = topic = Concept.objects.select_related("course").get(slug="add-unlike")
    if above is not None:
        elsewhere = Stage(person)
        elsewhere.key, elsewhere.concept = "before", topic
        elsewhere.open()
        elsewhere.say("quiz me")
        own = next(each for each in questions_until(elsewhere, "add-unlike"))
        elsewhere.check(right(own)) if above else elsewhere.give_up()
    stage.open()
    assert stage.standing.piece in [each.id for each in topic.value().pieces[level]]


def test_second_placement_goes_on_from_what_the_first_has_left(stage):
    known = {"equal-parts", "one-half", "unit-fractions", "several-parts", "number-line"}
    placed(stage, knows=known, goal="I want to learn mixed numbers")
    again, fresh = Stage(stage.person), Stage(people.make_person("fresh", level="intermediate"))
    again.key = "another"
    for each in (again, fresh):
        placed(each, knows=known)
    first, second, alone = DiagnosticResult.objects.order_by("pk")
    assert first.questions > 2
    assert second.questions < alone.questions


def test_few_answers_on_record_say_what_they_said_and_not_that_it_is_unknown(stage):
    answered = {"answers": 4, "unassisted": 4, "templates": ["a", "b"], "threshold": 0.85}
    concept = Concept.objects.get(slug="simplify")
    Mastery.objects.create(learner=stage.person, concept=concept, probability=0.9, **answered)
    placed(stage, knows=set(Concept.objects.values_list("slug", flat=True)))
    assert "simplify" not in [gap["concept"] for gap in DiagnosticResult.objects.get().prerequisite_gaps]
    assert Mastery.objects.get(concept=concept).probability == 0.9


def test_placement_that_goes_on_counts_no_answer_twice(stage):
    stage.say(GOAL)
    stage.check(right(stage.question))
    stage.say("that is enough questions")
    before = dict(Mastery.objects.values_list("concept__slug", "probability"))
    stage.say("can you find out what i already know?")
    assert placement_of(stage.state).recorded == 1
    stage.say("that is enough questions")
    assert len(before) > 5
    assert dict(Mastery.objects.values_list("concept__slug", "probability")) == pytest.approx(before, abs=0.01)


def test_placement_asked_for_in_a_quiz_puts_its_question_away_and_asks_its_own(stage):
    stage.concept = Concept.objects.select_related("course").get(slug="add-unlike")
    stage.open()
    stage.say("quiz me")
    left = stage.question
    asked = stage.say("can you find out what i already know?")
    left.refresh_from_db()
    assert left.status == Question.Status.ABANDONED
    assert stage.question.purpose == Question.Purpose.PLACEMENT
    assert [card["id"] for card in asked.cards("question")] == [str(stage.question.pk)]
    assert not stage.state["quiz_paused"]  # Else its card is one that waits, and takes no answer.
    stage.say("that is enough questions")
    assert Lesson.objects.get().concept.slug == stage.state["next_topic"]


def test_concept_of_a_failed_detour_is_mastered_in_a_lesson_of_its_own(stage):
    """What the second pass came to is stored beside the first, and the goal is reached by it."""
    stage.concept = Concept.objects.select_related("course").get(slug="one-half")
    stage.open()
    stage.say("quiz me")
    while not Cycle.objects.exclude(completed_at=None).exists():
        stage.check(wrong(stage.question)) if stage.question else stage.say("ok")
    assert stage.standing.cycle.detour == "equal-parts"
    set_goal(stage.person, Concept.objects.get(slug="equal-parts"))
    stage.say("I want to learn something new: number line fractions")
    assert Lesson.objects.get().concept.slug == "equal-parts"
    learner = Learner()
    for _ in range(60):
        if stage.standing.cycle.state == "mastered":
            break
        learner.answer(stage, stage.question) if stage.question else learner.reply(stage)
    passes = Cycle.objects.filter(concept__slug="equal-parts").order_by("number")
    assert list(passes.values_list("number", "mastery_achieved")) == [(1, False), (2, None), (3, True)]
    assert Goal.objects.get(concept__slug="equal-parts").reached_at is not None


def test_prerequisite_mastered_in_the_quiz_of_another_concept_is_no_gap_any_more(stage):
    stage.concept = Concept.objects.select_related("course").get(slug="one-half")
    stage.open()
    stage.say("quiz me")
    below = {"learner": stage.person, "concept": Concept.objects.get(slug="equal-parts")}
    KnowledgeGap.objects.create(**below, source="diagnostic", current=0.3, required=0.85)
    set_goal(stage.person, below["concept"])
    answered = {"answers": 5, "unassisted": 5, "templates": ["a", "b"], "threshold": 0.85}
    Mastery.objects.create(**below, probability=0.96, **answered)
    stage.session.questions.update(concept=below["concept"])
    note_mastered(Cycle.objects.get())
    assert KnowledgeGap.objects.get().resolved_at is not None
    assert Goal.objects.get().reached_at is not None


def test_placement_answers_what_is_asked_of_it_and_the_question_stays(stage):
    stage.say(GOAL)
    question = stage.question
    for asked, answered in (
        ("what's next?", "after these questions"),
        ("how am I doing?", "I don’t grade these answers"),
        ("why?", f"find your starting point.*question 1 of up to {MAX_QUESTIONS}"),
        ("what is this for?", "find your starting point"),
        ("how many more questions are there?", "find your starting point"),
        ("why do we write fractions?", "question"),
        ("write me a poem about the sea", "can’t help with that"),
    ):
        told = stage.say(asked)
        assert re.search(answered, told.reply)
        assert [card["id"] for card in told.cards("question")] == [str(question.pk)]
        assert told.cards("replies")
    assert stage.question == question


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("I want to resume the questions", True),
        ("ask me the other questions", True),
        ("I want to answer more questions", True),
        ("continue", False),
    ],
)
def test_stopped_placement_goes_on_when_its_questions_are_asked_for(stage, text, goes_on):
    stage.say(GOAL)
    stage.say("stop")
    stage.say(text)
    assert (stage.question is not None) is goes_on


def test_stopped_placement_goes_on_where_it_was(stage):
    stage.say(GOAL)
    stage.check(right(stage.question))
    left = stage.question
    stopped = stage.say("stop")
    assert str(left.pk) in {card["id"] for card in turn_handler().changed_cards(stopped.turn)}
    resumed = stage.say("check what I know")
    assert stage.question.purpose == Question.Purpose.PLACEMENT
    assert stage.question.number == 2
    assert "Let’s continue with the questions" in resumed.reply
    stage.check(right(stage.question))
    stage.say("let's just start")
    assert list(DiagnosticResult.objects.order_by("pk").values_list("questions", flat=True)) == [1, 2]
    assert all(row.probability == row.placed for row in Mastery.objects.all())
    assert Goal.objects.count() == 1


def test_other_goal_named_in_a_placement_takes_its_answers_along(stage):
    stage.say(GOAL)
    stage.check(right(stage.question))
    stage.say("I want to learn to compare any two fractions instead")
    assert stage.state["placement"]["topic"] == "compare-fractions"
    assert len(stage.state["placement"]["answers"]) == 1
    assert stage.question.number == 2
    assert Lesson.objects.get().concept.slug == "compare-fractions"


def test_asked_what_is_next_in_a_lesson_the_path_is_shown_and_the_lesson_goes_on(stage):
    placed(stage, knows=set())
    stage.say("Let’s start")
    held = stage.standing.piece
    shown = stage.say("what's next?")
    assert shown.cards("path")
    assert shown.cards("replies")[0]["options"] == ["Let’s continue"]
    stage.say("how am I doing?")
    assert stage.state["last_routed_to"] == "feedback"
    assert stage.standing.piece == held


def test_wish_that_names_a_number_is_no_answer(stage):
    stage.say(GOAL)
    question = stage.question
    stage.say("actually I want to learn one half instead")
    assert not question.attempts.exists()


def test_answer_whose_turn_was_stopped_still_counts(stage):
    stage.say(GOAL)
    question = stage.question
    record_attempt(question, learner=stage.person, answer=right(question), idempotency_key="stopped")
    stage.say("ok")
    (answer,) = placement_of(stage.state).answers
    assert (answer.concept, answer.correct) == (question.concept.slug, True)
    stage.say("ok")
    assert placement_of(stage.state).answers == (answer,)


def test_one_question_left_out_is_one_not_known(stage):
    stage.say(GOAL)
    for text in ("skip", "Can I skip this one?"):
        question = stage.question
        stage.say(text)
        assert question.attempts.get().gave_up
    stage.say("I already know enough about halves")
    assert placement_of(stage.state).under_way
    stage.say("skip all the questions")
    assert placement_of(stage.state).ended == "stopped"


def test_placement_is_given_up_like_any_quiz(stage):
    stage.say(GOAL)
    stage.say("abandon the quiz")
    assert placement_of(stage.state).ended == "stopped"
    assert stage.question is None


def mastering(stage, slug, *, wrong_first=0):
    """Go through the lesson from its start to its end; the first questions on its concept are answered wrong."""
    stage.say("quiz me")
    missed = 0
    for _ in range(80):
        if stage.standing.cycle.is_over and not stage.standing.explaining:
            return
        question = stage.question
        if question is None or stage.standing.contrast:
            Learner().reply(stage) if question is None else stage.say("continue")
        elif question.concept.slug == slug and missed < wrong_first and not question.attempts.exists():
            missed += 1
            stage.give_up()
        else:
            stage.check(right(question))
    raise AssertionError(f"{slug} takes too long")


def test_quiz_checks_little_of_what_only_the_placement_has_seen(stage):
    """Beside the concept's own questions comes one on each prerequisite in doubt, and one on what lies below them."""
    above = {"several-parts", "number-line", "mixed-numbers", "add-like", "equivalent"}
    placed(stage, knows={"equal-parts", "one-half", "unit-fractions"} | above)
    slug = stage.state["next_topic"]
    stage.say("Let’s start")
    mastering(stage, slug, wrong_first=2)
    asked = Question.objects.filter(purpose="quiz")
    above = [slug, *Lesson.objects.get().concept.value().requires]
    assert 0 < asked.exclude(concept__slug__in=above).count() <= asked.filter(number=1).count()


def test_whole_way_from_a_goal_to_its_review(stage, settings):
    """Placed, led along the path with a failed round and a step back, arrived, and reminded days later."""
    every = [concept.id for concept in Course.objects.get().catalogue().concepts]
    placed(stage, knows=set(every) - {"simplify", "common-bottoms", "add-unlike"})
    asked = DiagnosticResult.objects.get().questions
    assert asked <= MAX_QUESTIONS
    met = []
    while not Goal.objects.get().reached_at:
        slug = stage.state["next_topic"]
        met.append(slug)
        assert len(met) <= len(every)
        stage.say("Let’s start")
        mastering(stage, slug, wrong_first={0: 2, 1: 6}.get(len(met) - 1, 0))
    assert met[-1] == "add-unlike"
    assert len(met) >= 2
    assert Cycle.objects.filter(concept__slug=met[0], mastery_achieved=False).exists()
    assert stage.standing.cycle.detours == ()
    assert "You’ve reached" in stage.exchanges[-1].reply
    story = list(stage.session.transitions.order_by("pk").values_list("from_agent", "to_agent", "reason"))
    assert all(reason for _, _, reason in story)
    passed_on = {(before, after) for before, after, _ in story if before != after}
    assert passed_on >= {
        ("", "diagnostic"),
        ("diagnostic", "pathplanner"),
        ("pathplanner", "tutor"),
        ("tutor", "quiz"),
        ("quiz", "feedback"),
        ("feedback", "tutor"),
    }
    assert any("were wrong" in reason for _, _, reason in story)
    assert any(reason.startswith("The lesson takes a step back to") for _, _, reason in story)
    assert re.search("I’m glad that helped|You’re welcome", stage.say("thanks").reply)
    assert stage.state["current_topic"] == "add-unlike"
    Review.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    offered = review_offer(stage.person)
    assert offered is not None


def test_after_five_rounds_a_lesson_that_rests_on_nothing_can_begin_anew(stage):
    stage.concept = Concept.objects.select_related("course").get(slug="equal-parts")
    stage.open()
    session = stage.session
    session.state[LESSON_KEY] = lesson_to_json(LessonState(cycle=LearningCycle(state="loop_again", number=5)))
    session.save()
    assert "again from the beginning" in stage.say("ok").reply
    assert stage.say("Let’s start").moves == ["welcome"]
    assert stage.standing.cycle.number == 1
    assert stage.standing.piece


def test_topic_named_instead_takes_the_goals_place_and_gives_it_back(stage):
    stage.say(GOAL)
    stage.say("that is enough questions")
    old = Goal.objects.get()
    said = stage.say("I'd rather learn mixed numbers instead")
    assert [each["to"] for each in said.events("routed")] == ["diagnostic"]
    assert "This replaces your goal *Adding unlike fractions*" in said.reply
    assert list(Goal.objects.open().values_list("concept__slug", flat=True)) == ["mixed-numbers"]
    assert stage.state["goals"] == ["mixed-numbers"]
    course = Course.objects.get(slug="fractions")
    assert [each["slug"] for each in course_map_context(stage.person, course)["given_up"]] == ["add-unlike"]
    old.refresh_from_db()
    assert old.dropped_at is not None


def test_message_that_replaced_a_goal_gives_it_back_when_it_is_said_anew(stage):
    stage.say(GOAL)
    said = stage.say("I'd rather learn mixed numbers instead")
    stage.say("what is a fraction?", replaces=said)
    assert list(Goal.objects.open().values_list("concept__slug", flat=True)) == ["add-unlike"]
    assert stage.state["goals"] == ["add-unlike"]


def test_another_topic_is_one_more_goal(stage):
    stage.say(GOAL)
    assert "set aside" not in stage.say("I want to learn mixed numbers as well").reply
    assert Goal.objects.open().count() == 2


def test_something_else_is_offered_in_a_quiz_and_the_question_waits(stage):
    wish = "can I do something else?"
    placed(stage, knows={"equal-parts", "one-half", "unit-fractions"})
    stage.say("Let’s start")
    stage.say("quiz me")
    asked, before = stage.question, stage.state["current_topic"]
    offered = stage.say(wish)
    assert [wire["agent"] for wire in offered.events("agent_started")] == ["pathplanner"]
    [replies] = offered.cards("replies")
    first, *others, last = replies["options"]
    assert (first, last) == ("Let’s continue", "That’s enough for today")
    assert (stage.question, stage.state["quiz_paused"]) == (asked, True)
    assert [card["id"] for card in stage.say(first).cards("question")] == [str(asked.pk)]
    stage.say(wish)
    if others:
        stage.say(others[0])
        assert stage.state["current_topic"] != before
        assert stage.session.questions.get(pk=asked.pk).status == "abandoned"
        assert not Cycle.objects.filter(session=stage.session, completed_at=None).exists()


def test_lesson_that_is_chosen_again_goes_on_where_it_was(stage):
    placed(stage, knows=set())
    stage.say("Let’s start")
    turn, lesson = Turn.objects.latest("number"), Lesson.objects.select_related("concept__course").get()
    explained = lesson_state(turn.session.state).explained
    assert explained
    transitions.switch_concept(turn, lesson, lesson.concept)
    assert lesson_state(turn.session.state).explained == explained
    transitions.switch_concept(turn, lesson, lesson.concept.course.concepts.exclude(pk=lesson.concept_id).first())
    assert lesson_state(turn.session.state).explained == ()


def test_first_lesson_is_no_goal_since_whoever_asks_for_a_course_begins_there(shipped_fractions):
    with counted_turns(seed=3):
        stage = Stage(people.make_person("noa", level="beginner"))
        stage.say("I want to learn Equal parts")
        assert Lesson.objects.get().concept.slug == "equal-parts"
        assert not Goal.objects.exists()
        stage.say("I want to learn One half")
    assert Goal.objects.get().concept.slug == "one-half"
