"""{milestone, turns: [{role, text}], answers: [{correct, assisted}]} → whether the milestone is reached, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import ValidationError

from tutoring.courses.catalogue import CourseContent, Milestone
from tutoring.courses.files.course_builder import build_milestone
from tutoring.courses.files.schema import MilestoneEntry
from tutoring.grading.judges.texts import COVERED, idea_coverage
from tutoring.mastery import milestone_verification
from tutoring.mastery.milestone_verification import Articulation
from tutoring.mastery.turn_evidence import MilestoneUse
from tutoring.models import Course as CourseRow
from tutoring.side_agents.analyse_command.field_parsing import parse_bool, parse_text
from tutoring.side_agents.milestone import FEWEST_WORDS, output_of
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, PastMessage, Prompt
from tutoring.understanding.parsing.assertions import claimed_part, is_asking, plain_text, sentences

MOST: Final = 500
"""Most turns, and most answers, of a line."""
RECENT: Final = 5
"""Latest messages in which a misconception counts against the milestone."""
ROLES: Final = ("learner", "tutor")


def loaded_courses() -> list[CourseContent]:
    """Return the loaded courses."""
    return [row.catalogue() for row in CourseRow.objects.order_by("position", "title")]


def analysis(row: Mapping[str, Any], courses: Sequence[CourseContent]) -> dict[str, Any]:
    """Return the fields of the API and `missing`. Raise ValueError for a line without a required field.

    `milestone` is an entry as in a course's milestones.yaml, or the id of one in a loaded course. Each answer counts as one
    to an exercise of its own that shows the milestone.
    """
    milestone, course = _milestone(row.get("milestone"), courses)
    verdict = milestone_verification.verify_milestone(
        milestone,
        words=_articulation(row, milestone, course),
        use=milestone_verification.assess_application(
            replace(milestone, apply=replace(milestone.apply, items=("*",))), _uses(row)
        ),
        suspicions={},
        misconceptions=course.misconceptions if course else {},
    )
    return output_of(milestone, verdict).model_dump()


def _articulation(row: Mapping[str, Any], milestone: Milestone, course: CourseContent | None) -> Articulation:
    """Return whether the learner says the milestone, each message analyzed with those before it as context."""
    concept = next((each for each in course.concepts if milestone in each.milestones), None) if course else None
    prompt = Prompt(id=milestone.id, kind="milestone", text=milestone.ask or milestone.title)
    history: list[PastMessage] = []
    quotes: list[str] = []
    wrong: list[str] = []
    for text, is_learner in _lines(row):
        if is_learner:
            context = Context(course=course, concept=concept, prompts=(prompt,), history=tuple(history))
            read = analyse(text, context)
            said = [each.quote for each in read.milestones if each.id == milestone.id]
            quotes += said if concept else _by_patterns(text, milestone)
            wrong.append(next((each.id for each in read.misconceptions if _is_of(each.id, course, milestone)), ""))
        history.append(PastMessage(author="learner" if is_learner else "team", text=text))
    return Articulation(
        is_said=bool(quotes), quotes=tuple(quotes), wrong_idea=next(filter(None, reversed(wrong[-RECENT:])), "")
    )


def _is_of(idea: str, course: CourseContent | None, milestone: Milestone) -> bool:
    known = course.misconceptions.get(idea) if course else None
    return known is not None and (idea in milestone.contradicts or milestone.concept in known.concepts)


def _by_patterns(text: str, milestone: Milestone) -> list[str]:
    """Return a message that says a custom entry: no classifier was trained on that, so its patterns decide."""
    own = " ".join(claimed_part(each) for each in sentences(plain_text(text)) if not is_asking(each, replying=True))
    is_said = len(own.split()) >= FEWEST_WORDS and idea_coverage(milestone.ideas, own).share >= COVERED
    return [text.strip()] if is_said else []


def _milestone(given: object, courses: Sequence[CourseContent]) -> tuple[Milestone, CourseContent | None]:
    """Return the milestone, and the course whose misconceptions its `contradicts` names; None if no loaded one has them."""
    every = [(each, course) for course in courses for concept in course.concepts for each in concept.milestones]
    if isinstance(given, str):
        found = next(((each, course) for each, course in every if each.id == given), None)
        if found is None:
            raise ValueError(f"no loaded course has the milestone {given[:100]!r}")
        return found
    try:
        milestone = build_milestone(MilestoneEntry.model_validate(given))
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"milestone: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    own = (course for each, course in every if each.id == milestone.id)
    sharing = (course for course in courses if set(milestone.contradicts) & set(course.misconceptions))
    return milestone, next(own, None) or next(sharing, None)


def _lines(row: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return what was said, and whether the learner said it."""
    turns = _objects(row, "turns")
    if any(turn.get("role") not in ROLES for turn in turns):
        raise ValueError(f"role must be one of {', '.join(ROLES)}")
    return [(parse_text(turn, "text"), turn["role"] == "learner") for turn in turns]


def _uses(row: Mapping[str, Any]) -> list[MilestoneUse]:
    return [
        MilestoneUse(template=str(number), correct=parse_bool(each, "correct"), assisted=parse_bool(each, "assisted"))
        for number, each in enumerate(_objects(row, "answers"))
    ]


def _objects(row: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError(f"{name} must be a list of objects")
    if len(value) > MOST:
        raise ValueError(f"{name} has more than {MOST} entries")
    return value
