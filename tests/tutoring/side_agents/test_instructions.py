"""The note of a turn, as a model reads it: the sections where there is something to tell, and findings."""

from pathlib import Path

import pytest

from agents.engine import hub
from agents.engine.model_requests import request_for_wording
from agents.engine.roles import Request, RoleCall, Wording
from tests.tutoring.lessons.lesson_player import fractions
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.notes import MilestoneProgress, Notes
from tutoring.lesson.response_plan import ResponsePlan
from tutoring.lesson.state import LessonState, lesson_to_json
from tutoring.mastery.misconception_evidence import Suspicion
from tutoring.roles import tutor
from tutoring.side_agents.notes import pending_findings

GOLDEN = Path(__file__).parent / "golden"
COURSE = fractions().course
CONCEPT = COURSE.concept("one-half")
SAID = "I would fold it and look"


def row(kind, name, *, turn, resolved=None, words="", **content):
    return {
        "pk": turn,
        "agent": kind,
        "kind": kind,
        "name": name,
        "words": words,
        "confidence": content.get("confidence"),
        "content": content,
        "told_turn": None,
        "contested_at": None,
        "overridden_turn": None,
        "turn__number": turn,
        "resolved_turn__number": resolved,
    }


ROWS = [
    row("misconception", "must_look_same", turn=4, resolved=7, says="Halves must look the same."),
    row(
        "misconception",
        "any_two_pieces_are_halves",
        turn=6,
        says="Any two pieces are halves.",
        confidence=0.87,
        intervention_suggestion="Try a case where it fails.",
        corrective_concept="Two pieces are halves only when they are the same size.",
    ),
    row(
        "emotion",
        "engaged_slight_confusion",
        turn=7,
        current_state="engaged_slight_confusion",
        engagement_level=0.75,
        frustration_level=0.2,
        confusion_level=0.3,
        trend="stable",
        recommendation="Continue at the current pace, and offer a hint if the next attempt fails.",
        confidence=0.6,
    ),
    row(
        "vision",
        "d1",
        turn=7,
        description="2 rectangles of different sizes.",
        interpretation="It shows 2 unequal parts, but they should be the same size.",
        suggestion="Guide them toward comparing the sizes.",
        confidence=0.95,
    ),
]


def facts(notes):
    lesson = LessonState(piece="oh-b-sandwich", explained=("oh-b-sandwich",), explained_in_cycle=1, level="beginner")
    return LessonFacts(
        turn_id="11111111-1111-4111-8111-111111111111",
        seed=1,
        kind="message",
        course=COURSE,
        concept=CONCEPT,
        level="beginner",
        lesson=lesson,
        text=SAID,
        served=ResponsePlan(act="wrong"),
        suspicions={"any_two_pieces_are_halves": Suspicion(id="any_two_pieces_are_halves", odds=6.0, noticed=True)},
        notes=notes,
    )


def prompt(notes):
    given = facts(notes)
    request = Request(text=SAID, facts=given, state={"lesson": lesson_to_json(given.lesson)})
    plan = tutor.plan(request)
    place = next(place for place, part in enumerate(plan.say) if isinstance(part, Wording))
    return request_for_wording(RoleCall(role=tutor.ROLE, request=request, plan=plan), place).context


TOLD = hub.select_findings([finding for _pk, finding in pending_findings(ROWS, turn=8)], turn=8)
PROGRESS = MilestoneProgress(milestone=CONCEPT.milestones[0], done=0, total=3, attempts=2, seconds=204)


@pytest.mark.parametrize(
    ("name", "notes"),
    [
        ("nothing_noticed", Notes(progress=PROGRESS)),
        ("much_noticed", Notes(progress=PROGRESS, findings=TOLD)),
        ("all_reached", Notes(progress=MilestoneProgress(done=3, total=3, attempts=9, seconds=4000))),
    ],
)
def test_the_whole_prompt_is_the_golden_one(name, notes):
    path = GOLDEN / f"{name}.md"
    assert prompt(notes) == path.read_text().rstrip("\n")


def test_sections_of_which_nothing_is_known_are_left_out():
    told = prompt(Notes())
    assert "## Lesson State" in told
    assert not [
        title for title in ("Visual Context", "Misconceptions", "Emotional", "Mastery Criteria") if title in told
    ]
