"""What can be asked of learning data: a few typed fields instead of a query language."""

from datetime import date
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

type Subject = Literal["mastery", "answers", "misconceptions", "reviews", "time"]
type Grouping = Literal["", "learner", "concept", "week"]
type Order = Literal["", "lowest", "highest", "latest", "name"]

ALL_CLASSES = "all"
MOST_ROWS, USUAL_ROWS = 100, 40
# Days outside of these cannot be converted in every time zone, and mean nothing.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2100, 1, 1)
NAME_CHARACTERS, QUESTION_CHARACTERS = 120, 400


class LearningQuery(BaseModel):
    """A question over learning data."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(
        default="",
        max_length=QUESTION_CHARACTERS,
        description="The question in plain words. If given, the other fields are worked out from it.",
    )
    what: Subject = Field(
        default="mastery",
        description="mastery: scores. answers: how many, and how many right. misconceptions: mistaken ideas seen. "
        "reviews: what is due for review. time: minutes of practice.",
    )
    concept: str = Field(default="", max_length=NAME_CHARACTERS, description="Only this concept, by its name.")
    class_name: str = Field(
        default="",
        max_length=NAME_CHARACTERS,
        description="Name or code of a class that the person teaches; all: all their classes; empty: the person's own "
        "learning.",
    )
    learner: str = Field(default="", max_length=NAME_CHARACTERS, description="Only this learner of the class, by name.")
    since: date | None = Field(
        default=None, ge=FIRST_DAY, le=LAST_DAY, description="Only what happened on this day or later."
    )
    by: Grouping = Field(default="", description="One row for each learner, concept or week; empty: the usual rows.")
    sort: Order = Field(default="", description="Which rows come first.")
    limit: int = Field(default=USUAL_ROWS, ge=1, le=MOST_ROWS, description="The most rows.")

    @model_validator(mode="after")
    def _misconceptions_have_no_weeks(self) -> Self:
        if self.what == "misconceptions" and self.by == "week":
            raise ValueError("misconceptions can be grouped by learner or by concept, not by week")
        return self
