"""The state that all agents of a conversation share: the fields of the API, and who writes them."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from tutoring.mastery.error_patterns import MISTAKES_FOR_GAP

Difficulty = Literal["easy", "medium", "hard"]
LearnerLevel = Literal["unknown", "beginner", "intermediate", "advanced"]

ROUTING_STATE_KEY: Final = "routing_state"
"""The key of the routing machine's state: `awaiting_input` whenever no turn runs."""


class QuizQuestion(BaseModel):
    """A quiz question. Its answer and source are told once it is graded or abandoned."""

    question_id: str
    question_text: str
    concept_name: str
    difficulty: Difficulty
    expected_answer: str | None = None
    source_context: str | None = None


class QuizResponse(BaseModel):
    question_id: str
    learner_answer: str
    is_correct: bool
    time_taken_seconds: float | None
    attempt_number: int


class ErrorPattern(BaseModel):
    pattern_type: Literal["conceptual", "procedural", "careless"]
    description: str
    affected_questions: list[str]
    """Their ids."""
    suggested_remediation: str

    @property
    def is_gap(self) -> bool:
        """Whether there are so many mistakes of one kind that they are one thing to learn."""
        return len(self.affected_questions) >= MISTAKES_FOR_GAP


class SessionState(BaseModel):
    """Every field with its default; numbers from 0 to 1, unknown is None."""

    model_config = ConfigDict(extra="ignore")

    user_id: str
    session_id: str
    current_topic: str = ""
    prerequisite_gaps: list[str] = []
    diagnostic_complete: bool = False
    learner_level: LearnerLevel = "unknown"
    explanation: str = ""
    examples_provided: list[str] = []
    quiz_questions: list[QuizQuestion] = []
    quiz_responses: list[QuizResponse] = []
    quiz_score: float = Field(0.0, ge=0, le=1)
    quiz_paused: bool = False
    quiz_question_index: int = Field(0, ge=0)
    mastery_score: float | None = Field(None, ge=0, le=1)
    mastery_threshold: float = Field(0.85, ge=0, le=1)
    learning_cycle_count: int = Field(0, ge=0)
    error_patterns: list[ErrorPattern] = []
    feedback_text: str = ""
    improvement_areas: list[str] = []
    goals: list[str] = []
    learning_path: list[str] = []
    next_topic: str = ""
    path_reasoning: str = ""
    last_routed_to: str = ""
    routing_reason: str = ""


COORDINATOR_FIELDS: Final = frozenset(
    {
        "user_id", "session_id", "current_topic", "goals", "quiz_paused",
        "last_routed_to", "routing_reason", ROUTING_STATE_KEY,
    }
)  # fmt: skip
"""Fields that the coordinator writes; `mastery_threshold` is the learner's, the rest are in each role's `writes`.

Before each turn, code (and no agent) updates what follows from the evidence (`learner_level`, `mastery_score`),
and empties what belongs to a topic when another one starts.
"""
TOPIC_FIELDS: Final = (
    "explanation", "quiz_questions", "quiz_responses", "quiz_score", "quiz_paused", "quiz_question_index", "mastery_score",
    "learning_cycle_count", "error_patterns", "feedback_text", "improvement_areas",
)  # fmt: skip
"""Fields that belong to the current topic only."""


def field_default(key: str) -> Any:
    """Return a field's default; None for an unknown field."""
    if key not in SessionState.model_fields:
        return None
    return SessionState.model_fields[key].get_default(call_default_factory=True)


def reset_topic_fields(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a session's state when another topic starts."""
    return {key: field_default(key) for key in TOPIC_FIELDS if state.get(key, field_default(key)) != field_default(key)}


def shared_state(state: Mapping[str, Any], *, user_id: str, session_id: str) -> SessionState:
    """Return the API's fields of a session's state, with their defaults. Raise ValidationError for an invalid one."""
    return SessionState(**{**state, "user_id": user_id, "session_id": session_id})
