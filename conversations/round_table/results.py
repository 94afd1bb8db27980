"""What the agents of a round table find: typed results, as they are stored with its events."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from agents.tools import Source

MOST_CRITERIA: Final = 5
GOAL_CHARACTERS: Final = 600
SUB_QUESTION_CHARACTERS: Final = 400
MOST_SUB_QUESTIONS: Final = 4
"""One for each of the others: five sit at a table at most."""
CRITERION_CHARACTERS: Final = 200


class TableResult(BaseModel):
    model_config = ConfigDict(
        frozen=True, use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )


class TableGoal(TableResult):
    """What a round table is to find out."""

    goal: str = Field(max_length=GOAL_CHARACTERS)
    success_criteria: tuple[str, ...] = Field(default=(), max_length=MOST_CRITERIA)
    """When the goal is reached, one sentence each."""
    approach: str = Field(default="", max_length=GOAL_CHARACTERS)
    """Who looks for what."""


class SubQuestion(TableResult):
    """A part of the learner's question that the lead of a table hands to one of the others."""

    to: str
    """The collaborator's name."""
    text: str = Field(max_length=SUB_QUESTION_CHARACTERS)
    about: str = ""
    """The part of the question by itself, if a rule has found it; what is searched for."""


class SubQuestions(TableResult):
    """What the lead of a table hands out in one round."""

    questions: tuple[SubQuestion, ...] = Field(default=(), max_length=MOST_SUB_QUESTIONS)
    leads_round: int = 0


class QuotedSentence(TableResult):
    """A sentence of a source, word for word."""

    source: Source
    statement: str
    """Of a person's document it is in no event and no record: it is read again with the reader's permissions."""
    start: int
    end: int

    @field_serializer("statement")
    def _without_documents(self, statement: str) -> str:
        return "" if self.is_of_document else statement

    @property
    def is_of_document(self) -> bool:
        return self.source.type == "document"


class Contribution(TableResult):
    """What a collaborator has to say in one round, besides a model's words, which are the agent's text."""

    round: int
    quotes: tuple[QuotedSentence, ...] = ()
    remark: str = ""
    """Said where nothing was found: what was looked for, and the limit of it."""
    looked_up: tuple[str, ...] = ()
    says: Literal["quotes", "words"] = "quotes"
    """Whether it speaks in quotes, or in words of its own."""
    closes: bool = False
    """Whether it is the lead's close of the round, which adds nothing to what the others said."""


class TableSummary(TableResult):
    """What a round table came to. The words themselves are the reply."""

    agreements: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()
    open_points: tuple[str, ...] = ()
    contributors: dict[str, int] = {}
    """Collaborator → in how many rounds it contributed something."""
    rounds: int = 0
    ended_early: bool = False
    """Whether it ended before its last round, because nothing new was said."""
    is_partial: bool = False
    """Whether an agent failed, so that something may be missing."""
