"""What a model writes of a learner is shown to them: while a question is open it tells nothing of the answer."""

import pytest

from agents.engine.outcomes import Answered
from agents.llm.token_usage import Usage
from tests.tutoring.halves_course import COURSE, HALF, NUMERIC
from tutoring.lesson.drawing_facts import DrawingFacts
from tutoring.output_checks.answer_leak_guard import OpenQuestion
from tutoring.side_agents import agent_analyses
from tutoring.side_agents.utterance_facts import OverheardUtterance

SEEN = DrawingFacts(
    snapshot="1", description="A bar in 8 parts of the same size", count=8, equal=True, confidence=0.95, picture=b"png"
)


def looked(description: str, *, is_open: bool) -> str:
    question = OpenQuestion(instance=NUMERIC) if is_open else None
    facts = OverheardUtterance(turn=1, text="look", course=COURSE, concept=HALF, seen=SEEN, open_question=question)
    own = agent_analyses.judge_by_code(facts, ("vision",), by={"vision": "m"})
    told = own["vision"].output.model_copy(update={"description": description, "confidence": 0.95})
    outcome = Answered(agent="vision", result=told, text="", usage=Usage(backend="anthropic", model="m"), ms=1.0)
    (said,) = agent_analyses.combine_analyses(facts, own, {"vision": outcome})
    return str(said.output.model_dump()["description"])


@pytest.mark.parametrize(
    "told", ["A bar of 8 equal parts: 3 of them are dark.", "Three eighths of a bar.", "A bar, 0.375 dark"]
)
def test_description_by_a_model_tells_nothing_of_the_open_question(told: str) -> None:
    assert looked(told, is_open=False) == told
    assert looked(told, is_open=True) == SEEN.description


def test_what_geometry_counts_a_model_may_count() -> None:
    told = "A long bar of 8 equal parts."
    assert looked(told, is_open=True) == told
