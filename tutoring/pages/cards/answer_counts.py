"""How many answers were given on a concept, tries and steps of the lesson included, and how many of them count."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.models import AnswerTally, Concept


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswers:
    """All answers of a learner on a concept."""

    count: int
    last_at: datetime


def given_answers(people: Collection[int], concepts: Collection[Concept]) -> Mapping[tuple[int, int], GivenAnswers]:
    """Return the answers given, by the keys of learner and concept; one query."""
    rows = AnswerTally.objects.filter(learner_id__in=people, concept__in=concepts)
    fields = rows.values_list("learner_id", "concept_id", "given", "last_at")
    return {(person, concept): GivenAnswers(count=count, last_at=last) for person, concept, count, last in fields}


def count_words(*, given: int, counted: int) -> str:
    """Return how many answers there are and, where not all do, how many count toward the score."""
    if not given:
        return _("No answers yet")
    numbers = {"given": given, "counted": counted}
    if not counted:
        words = ngettext(
            "%(given)d answer, which does not count toward the score yet",
            "%(given)d answers, none of which count toward the score yet",
            given,
        )
    elif counted < given:
        words = ngettext(
            "%(counted)d of %(given)d answers counts toward the score",
            "%(counted)d of %(given)d answers count toward the score",
            counted,
        )
    else:
        words = ngettext("%(given)d answer so far", "%(given)d answers so far", given)
    return words % numbers
