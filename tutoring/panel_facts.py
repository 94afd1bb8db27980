"""What the panel is told about the subjects and about the person's learning."""

from collections.abc import Iterator, Sequence
from functools import partial

from conversations.panel.classification import classify
from conversations.panel.facts import KnownTerm, LearningHistory, PanelFacts
from conversations.panel.pictures import attached_picture
from tutoring.courses.catalogue import CourseContent
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.mastery.records.learning_insights import learning_history
from tutoring.output_checks.output_policy import find_policy_problem


def gather_panel_facts(rows: TurnRows, courses: Sequence[CourseContent], *, insists: bool = False) -> PanelFacts:
    """Return the facts for a question that the panel answers; `insists`: also one that the tutor could answer alone."""
    picture = attached_picture(rows.turn)
    classification = classify(rows.text, has_picture=picture is not None)
    if insists and classification == "simple_query":
        classification = "complex_query"
    asks_own = classification == "insight_request"
    return PanelFacts(
        turn_id=str(rows.turn.pk),
        text=rows.text,
        classification=classification,
        terms=tuple(_terms(courses)),
        history=learning_history(rows.turn.owner_id) if asks_own else LearningHistory(),
        picture=picture,
        guard=partial(find_policy_problem, questions=1),
    )


def _terms(courses: Sequence[CourseContent]) -> Iterator[KnownTerm]:
    for course in courses:
        for concept in course.concepts:
            for name in (concept.title, *concept.also):
                yield KnownTerm(name=name.casefold(), category=course.title.casefold())
