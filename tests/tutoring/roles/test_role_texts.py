"""Small rules of what the roles say and note."""

from dataclasses import replace

import pytest

from tests.tutoring.halves_course import CHOICE, COURSE, HALF, NUMERIC, TWO_PIECES
from tests.tutoring.lessons.lesson_player import fractions, spoken_fractions
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.sample_answers import right_answers
from tutoring.lesson.facts import AskedQuestion, JudgedAnswer, LessonFacts, LobbyFacts
from tutoring.lesson.response_plan import ResponsePlan
from tutoring.lesson.turn_results import TutorTurn, spoke_before
from tutoring.mastery.knowledge_tracing import Belief
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.roles import feedback, lobby
from tutoring.roles.explanation import pace, worked_examples
from tutoring.roles.quizzes import error_patterns, question_selection
from tutoring.roles.speech import findings, prompt_background
from tutoring.roles.speech.composition import compose_speech, has_text
from tutoring.roles.wording.renderer import fit_reaction, is_worth_quoting

FACTS = LessonFacts(
    turn_id="00000000-0000-0000-0000-000000000001",
    seed=1,
    kind="message",
    course=COURSE,
    concept=HALF,
    level="beginner",
    text="because there are two of them",
    suspicions={TWO_PIECES.id: Suspicion(id=TWO_PIECES.id, odds=9.0)},
)
ANSWERED = JudgedAnswer(
    answer="B", verdict="wrong", correct=False, gave_up=False, number=1, seconds=2.0, chosen=("B",), matched=(),
    before=None, after=None,
)  # fmt: skip


def note(facts, misconception=TWO_PIECES):
    return findings.misconception_found(facts, misconception, agent="tutor", evidence="two")


def test_misconception_is_noted_in_words_for_the_learner():
    assert note(FACTS, replace(TWO_PIECES, noticed="You called any two pieces halves.")).words.startswith("You called")
    assert "Any two pieces are halves." in note(FACTS).words
    assert note(FACTS).confidence == 0.9


def test_misconception_is_noted_once():
    assert note(replace(FACTS, noticed=frozenset({TWO_PIECES.id}))) is None


def test_only_what_was_noted_can_be_put_right():
    put_right = {TWO_PIECES.id: Suspicion(id=TWO_PIECES.id, odds=0.25, noticed=True, resolving=2)}
    shown = replace(FACTS, suspicions=put_right)
    assert findings.misconception_resolved(shown, TWO_PIECES, agent="quiz") is None
    noted = frozenset({TWO_PIECES.id})
    assert findings.misconception_resolved(replace(shown, noticed=noted), TWO_PIECES, agent="quiz").resolved


def test_words_alone_put_nothing_right():
    noted = replace(FACTS, noticed=frozenset({TWO_PIECES.id}))
    assert findings.misconception_resolved(noted, TWO_PIECES, agent="tutor") is None


def test_short_reply_is_no_finding():
    assert findings.idea_found(replace(FACTS, text="two"), words="You counted. Two.", name="p", agent="tutor") is None
    found = findings.idea_found(FACTS, words="You counted. Two.", name="p", agent="tutor")
    assert (found.words, found.evidence) == ("You counted.", "because there are two of them")


def test_letters_are_noted_as_what_they_stand_for():
    exercise = replace(CHOICE, choices=tuple(replace(each, misconception="two_pieces") for each in CHOICE.choices))
    assert findings.answer_evidence(exercise, ANSWERED, TWO_PIECES) == "the cut near the left edge"
    assert findings.answer_evidence(NUMERIC, replace(ANSWERED, answer="3/5", chosen=()), TWO_PIECES) == "3/5"
    said = "these two pieces are halves"
    assert findings.answer_evidence(exercise, ANSWERED, TWO_PIECES, typed=said) == said
    assert findings.answer_evidence(exercise, ANSWERED, TWO_PIECES, typed="B") == "the cut near the left edge"


def test_patterns_have_the_documents_fields():
    pattern = error_patterns.find_error_patterns(FACTS)[0].model_dump()
    assert pattern.keys() == {"pattern_type", "description", "affected_questions", "suggested_remediation"}
    assert pattern["affected_questions"] == []


@pytest.mark.parametrize(("right", "said"), [(3, "got them all right"), (1, "got 1 of them right"), (0, "")])
def test_rounds_are_looked_back_on_without_a_verdict(right, said):
    text = feedback.summary_text(right, 3, replace(FACTS, seed=0))
    assert said in text
    assert "0" not in text


def test_empty_house_says_so_kindly():
    said = lobby.plan(type("R", (), {"facts": LobbyFacts(turn_id=FACTS.turn_id, courses=())})).say  # type: ignore[arg-type]  # Only its facts are looked at.
    assert "no course" in said[0]


def test_second_speaker_begins_a_paragraph():
    first = compose_speech("Right.", turn_id=FACTS.turn_id)
    results = [TutorTurn(move="x", spoke=has_text(first))]
    assert compose_speech("Next.", turn_id=FACTS.turn_id, after=spoke_before(results)) == ("\n\nNext.",)
    assert not spoke_before([None, TutorTurn(move="x")])


def test_reaction_is_shortened_before_a_long_piece():
    long = " ".join(["word"] * 56)
    assert fit_reaction("You compared. That decides it.", long) == "You compared."
    assert fit_reaction("You compared. That decides it.", "Short.") == "You compared. That decides it."


@pytest.mark.parametrize(("words", "worth"), [("two", False), ("they must be the same size", True), ("a " * 20, False)])
def test_words_are_quoted_where_they_say_something(words, worth):
    assert is_worth_quoting(words) is worth


def test_reaction_too_long_for_what_follows_keeps_its_own_words_not_the_quotation():
    reaction = "“no yours is bigger. they have to be the same”. You compared the sizes. Two pieces were there."
    assert fit_reaction(reaction, "word " * 55) == "You compared the sizes."
    assert fit_reaction(reaction, "word") == reaction


def test_mastered_is_what_the_threshold_in_force_says():
    known = Belief(probability=0.8, answers=5, unassisted=5, templates=frozenset({"a", "b"}))
    course = fractions().course
    facts = replace(
        FACTS,
        course=course,
        concept=course.concept("one-half"),
        beliefs={"one-half": known, "equal-parts": known},
        mastered=True,
        threshold=0.7,
    )
    assert "the topic is mastered" in prompt_background.lesson_background(facts)
    assert "is mastered" not in prompt_background.lesson_background(replace(facts, mastered=False))
    assert question_selection.planned_questions(facts, facts.cycle) < question_selection.planned_questions(
        replace(facts, threshold=0.85), facts.cycle
    )


def test_what_is_shown_beside_an_open_question_is_worked_out_and_asks_nothing():
    """A worked example, without the question it ends in and what leads up to it; never a piece that only asks."""
    course = spoken_fractions().course
    concept = course.concept("several-parts")
    facts = replace(FACTS, course=course, concept=concept)
    shown: list[str] = []
    while (piece := pace.smaller_step(facts, shown, worked=True)) is not None:
        shown.append(piece.id)
        words = " ".join(block for block in pace.without_question(piece) if isinstance(block, str))
        assert any(worked in words for worked in ("3 × 5 = 15 minutes.", "and rests on two, 2/6."))
        assert piece.question not in words
        assert "?" not in words
    assert shown == [each.id for each in concept.examples]


def test_beside_an_open_question_a_worked_exercise_stands_for_examples_that_are_steps():
    """A step says nothing without its question, so no example of the concept fits there."""
    course = fractions().course
    concept = course.concept("several-parts")
    facts = replace(FACTS, course=course, concept=concept, served=ResponsePlan(act="example"))
    assert pace.smaller_step(facts, (), worked=True) is None
    assert worked_examples.substitute_example(facts, ()) is None, "the lesson has its examples left"
    worked = worked_examples.substitute_example(facts, (), in_quiz=True)
    assert worked is not None
    assert worked.id.split("/")[0] in [each.id for each in concept.templates]


def test_example_that_gives_the_open_answer_away_is_not_shown():
    course = spoken_fractions().course
    concept = course.concept("mixed-numbers")
    template = next(each for each in concept.templates if each.id == "mx-fill")
    made = (make_exercise(template, seed=seed, course=course) for seed in range(200))
    third = next(each for each in made if right_answers(each) == ("1/3",))
    asked = AskedQuestion(id="q", instance=third, number=1, total=None, attempts=1, hints_used=0, is_open=True)
    facts = replace(FACTS, course=course, concept=concept, asked=asked)
    doors, ribbon = concept.examples
    assert "1/3" in str(pace.without_question(doors))
    assert pace.smaller_step(facts, (), worked=True) == ribbon
