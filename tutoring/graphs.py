"""The graphs that teach, and the rule that chooses among them."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from agents.graph import Choice, Graph, loop, sequence
from agents.registry import register_graph
from agents.roles import Request
from tutoring import roles  # noqa: F401  # Graphs name roles: they must be known first.
from tutoring.roles.facts import LessonFacts
from tutoring.roles.turns import FeedbackTurn
from tutoring.rules.cycle import MAXIMUM_CYCLES

IN_THE_QUIZ = frozenset({"hint_request", "does_not_know", "answer_demand", "go_on", "resume", "quiz_request"})
"""What may be said in a quiz without leaving it."""


def is_over(request: Request) -> bool:
    """Tell whether the cycle that just ended was the last one: needed, or left."""
    feedback = request.results.get("feedback")
    return isinstance(feedback, FeedbackTurn) and (feedback.mastered or feedback.spent)


LEARNING = register_graph(
    Graph(name="learning", root=loop(sequence("tutor", "quiz", "feedback"), until=is_over, at_most=MAXIMUM_CYCLES))
)
ASIDE = register_graph(Graph(name="aside", root=sequence("tutor")))
LOBBY = register_graph(Graph(name="lobby", root=sequence("tutor")))
QUESTION_WRITING = register_graph(Graph(name="question_writing", root=sequence("question_writer", "question_checker")))
"""Serves no turn: a job walks it, see `tutoring.writing.jobs`."""


def choose_graph(facts: object, state: Mapping[str, Any]) -> tuple[Graph, Choice]:
    """Return which graph serves a turn, and why."""
    came_from = str(state.get("last_routed_to", ""))
    if not isinstance(facts, LessonFacts):
        return LOBBY, Choice(to="tutor", reason=_("No topic is chosen yet."), came_from=came_from)
    if facts.cycle.is_over:
        return ASIDE, Choice(to="tutor", reason=_("The lesson is over; questions are welcome."), came_from=came_from)
    if facts.cycle.state != "quiz_active":
        return LEARNING, Choice(to="tutor", reason=_("The tutor is explaining."), came_from=came_from)
    if facts.heard is None or facts.unreadable or facts.hint or facts.heard.kind in IN_THE_QUIZ:
        return LEARNING, Choice(to="quiz", reason=_("The quiz is under way."), came_from=came_from)
    vague = facts.heard.kind in ("other", "idea_partly")
    if facts.milestone and (vague or facts.heard.kind == "idea_said"):
        return LEARNING, Choice(to="quiz", reason=_("Why the answer is right."), came_from=came_from)
    if vague and not facts.cycle.paused and not facts.lesson.contrast:
        return LEARNING, Choice(to="quiz", reason=_("Too little to go by; the question stays."), came_from=came_from)
    if facts.lesson.contrast:
        return ASIDE, Choice(to="tutor", reason=_("A reply to the case just shown."), came_from=came_from)
    reason = _("Said beside the quiz; the quiz waits.")
    return ASIDE, Choice(to="tutor", reason=reason, came_from=came_from)
