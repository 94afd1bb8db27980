"""What the panel is told about the subjects and about the person's learning."""

from collections.abc import Sequence
from functools import partial

from conversations.models import Message
from conversations.panel.classification import classify
from conversations.panel.facts import KnownTerm, LearningHistory, PanelFacts
from conversations.panel.pictures import attached_picture
from conversations.panel.references import refers_back
from conversations.panel.shared_state import conversation_context
from conversations.panel.text_analysis import analyse_text
from tutoring.courses.catalogue import CourseContent
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.insights.calendar_periods import timeframe_in
from tutoring.insights.learning_history import learning_history, period_history
from tutoring.known_terms import known_terms
from tutoring.output_checks.output_policy import find_policy_problem


def gather_panel_facts(rows: TurnRows, courses: Sequence[CourseContent], *, insists: bool = False) -> PanelFacts:
    """Return the facts for a question that the panel answers; `insists`: also one that the tutor could answer alone."""
    picture = attached_picture(rows.turn)
    classification = classify(rows.text, has_picture=picture is not None)
    if insists and classification == "simple_query":
        classification = "complex_query"
    terms = tuple(known_terms(courses))
    return PanelFacts(
        turn_id=str(rows.turn.pk),
        text=rows.text,
        classification=classification,
        terms=terms,
        history=_history(rows) if classification == "insight_request" else LearningHistory(),
        picture=picture,
        refers_to=_concept_referred_to(rows, terms),
        said_before="\n".join(each.text for each in rows.lines if each.author == Message.Author.TEAM),
        guard=partial(find_policy_problem, questions=1),
    )


def _concept_referred_to(rows: TurnRows, terms: tuple[KnownTerm, ...]) -> str:
    """Return the concept that the conversation was about last, if the message refers to it; otherwise empty."""
    names = [each.name for each in analyse_text(rows.text, own_terms=terms).concepts]
    if not refers_back(rows.text, names=names):
        return ""
    return next(iter(conversation_context(rows.turn).concepts), "")


def _history(rows: TurnRows) -> LearningHistory:
    """Return what is known of the person's learning, in the time that the message asks about."""
    timeframe = timeframe_in(rows.text)
    return period_history(rows.turn.owner, timeframe) if timeframe else learning_history(rows.turn.owner)
