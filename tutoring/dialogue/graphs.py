"""The teaching graphs, and the rule that chooses among those of a lesson."""

from django.utils.translation import gettext as _

from agents.engine.graph import Choice, Graph, loop, sequence
from agents.engine.registry import register_graph
from agents.engine.roles import Request
from tutoring import roles  # noqa: F401  # Graphs name roles: they must be known first.
from tutoring.courses.quiz_limits import MAXIMUM_CYCLES
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.response_plan import CONVERSATIONAL_ACTS, Act
from tutoring.lesson.state import WHOLE_CONCEPT, LessonState
from tutoring.lesson.turn_results import FeedbackTurn
from tutoring.roles.explanation.planner import quiz_is_due

QUIZ_ACTS: frozenset[Act] = frozenset(
    {
        "hint_request",
        "does_not_know",
        "answer_demand",
        "stuck",
        "example",
        "other_picture",
        "go_on",
        "resume",
        "skip",
        "harder",
        "quiz_request",
        "moved",
    }
)
"""What may be said in a quiz without leaving it."""
VAGUE_ACTS: frozenset[Act] = frozenset({"other", "idea_partly", "unjudged", "wrong"})


def is_lesson_over(request: Request) -> bool:
    """Tell whether the cycle that just ended was the last one: because of mastery, or because none is left."""
    feedback = request.results.get("feedback")
    return isinstance(feedback, FeedbackTurn) and (feedback.mastered or feedback.spent)


LEARNING = register_graph(
    Graph(
        name="learning",
        root=sequence(
            loop(sequence("tutor", "quiz", "feedback"), until=is_lesson_over, at_most=MAXIMUM_CYCLES),
            "pathplanner",
        ),
    )
)
AFTERWARDS = register_graph(Graph(name="afterwards", root=sequence("tutor", "pathplanner")))
ASIDE = register_graph(Graph(name="aside", root=sequence("tutor")))
LOBBY = register_graph(Graph(name="lobby", root=sequence("tutor")))
QUIZ_POSITION = (0, 0, 1)
"""The node at which a lesson pauses while a quiz question is open."""
CARE = register_graph(Graph(name="care", root=sequence("care")))
"""Serves safety words before any teaching."""
DIAGNOSIS = register_graph(Graph(name="diagnosis", root=sequence("diagnostic", "pathplanner")))
PLANNING = register_graph(Graph(name="planning", root=sequence("pathplanner")))
LOOKING_BACK = register_graph(Graph(name="looking_back", root=sequence("feedback")))
MESSAGE_COORDINATION = Graph(name="asked_whose", root="coordinator")
"""Serves no turn: only finds out which agent a message is for."""
PASSAGE_QUESTIONS = register_graph(Graph(name="passage_questions", root=sequence("passage_questions")))
"""Serves no turn: a job runs it, see `tutoring.document_courses.jobs`."""
QUESTION_WRITING = register_graph(Graph(name="question_writing", root=sequence("question_writer", "question_checker")))
"""Serves no turn: a job runs it, see `tutoring.question_writing.jobs`."""


def choose_graph(facts: LessonFacts) -> tuple[Graph, Choice]:
    """Return which graph serves a turn of a lesson, and why."""
    if facts.act in CONVERSATIONAL_ACTS and not facts.expects_own_words and facts.cycle.state != "feedback_analysing":
        return ASIDE, Choice(to="tutor", reason=_("This is a reply to the message. The lesson stays where it is."))
    if facts.cycle.is_over:
        return AFTERWARDS, Choice(to="tutor", reason=_after(facts))
    if facts.cycle.state == "feedback_analysing":
        return LEARNING, Choice(to="feedback", reason=_("The quiz is finished, so it’s time to look back."))
    if quiz_is_due(facts):
        return LEARNING, Choice(to="quiz", reason=_("The message asks for a quiz."))
    if facts.cycle.state != "quiz_active":
        return LEARNING, Choice(to="tutor", reason=_explaining(facts))
    if not facts.act or facts.unreadable or facts.hint or facts.act in QUIZ_ACTS:
        return LEARNING, Choice(to="quiz", reason=_("The quiz is underway."))
    vague = facts.act in VAGUE_ACTS
    if facts.milestone and (vague or facts.act == "idea_said"):
        return LEARNING, Choice(to="quiz", reason=_("The message explains why the answer is right."))
    if vague and not facts.cycle.paused and not facts.lesson.contrast:
        return LEARNING, Choice(to="quiz", reason=_("There isn’t enough to go on, so the question stays open."))
    if facts.lesson.contrast:
        return ASIDE, Choice(to="tutor", reason=_("This is a reply to the example that was just shown."))
    return ASIDE, Choice(to="tutor", reason=_("You said this during the quiz, so the quiz is on hold."))


def _after(facts: LessonFacts) -> str:
    """Return why the tutor speaks once the answers have shown mastery, or the rounds are used up."""
    if facts.lesson.explaining == WHOLE_CONCEPT:
        return _("The answers show mastery, so it’s time to sum up.")
    if facts.milestone is not None:
        return _("The answers show mastery, but there is still an idea to explain.")
    return _("The lesson is over, but questions are still welcome.")


def _explaining(facts: LessonFacts) -> str:
    """Return why the tutor explains, by the state of the lesson."""
    names = {"concept": facts.concept.title}
    if facts.returned:
        return _("Back to the lesson on %(concept)s.") % names
    if facts.act == "goodbye":
        return _("The message says goodbye.")
    if facts.lesson.quiz_left and facts.act == "abandon":
        return _("The quiz was stopped.")
    if facts.lesson == LessonState():
        return _("The lesson on %(concept)s starts.") % names
    if facts.detour_from is not None and not facts.lesson.explained_in_cycle:
        return _("The lesson takes a step back to %(concept)s.") % names
    return _("The tutor is explaining.")
