"""Links for a teacher to the answers of a learner, and a question in a few words."""

import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import unescape

from django.db.models import Q
from django.urls import reverse
from django.utils.html import strip_tags

from conversations.web.markup import inline_to_html
from tutoring.models import Attempt, Membership

QUESTION_SHOWN = 70
"""Letters of a question in a sentence."""

type AnswerKey = tuple[int, datetime]
"""A learner's key and the time of an answer: what the evidence of a misconception keeps of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswer:
    """An answer, and what it belongs to."""

    pk: int
    course: str
    concept: str
    question: str
    """In a few words."""
    status: str = ""
    """How the question stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAnswers:
    """Answers by their learner and time, and by their key."""

    by_time: Mapping[AnswerKey, FoundAnswer]
    by_key: Mapping[int, FoundAnswer]


def find_answers(keys: Collection[AnswerKey], *, attempts: Collection[int] = ()) -> FoundAnswers:
    """Return the answers given then, and those with these keys, of those that still exist; one query, none for nothing."""
    if not keys and not attempts:
        return FoundAnswers(by_time={}, by_key={})
    people, times = {person for person, _at in keys}, {at for _person, at in keys}
    wanted = Q(learner_id__in=people, created_at__in=times) if keys else Q()
    rows = Attempt.objects.filter((wanted | Q(pk__in=attempts)) if attempts else wanted).order_by("pk")
    fields = rows.values_list(
        "learner_id", "created_at", "pk", "question__concept__course__slug", "question__concept__slug",
        "question__stem", "question__status",
    )  # fmt: skip
    found = {
        (person, at): FoundAnswer(pk=pk, course=course, concept=concept, question=question_words(stem), status=status)
        for person, at, pk, course, concept, stem, status in fields
    }
    wanted_times = set(keys)
    return FoundAnswers(
        by_time={key: answer for key, answer in found.items() if key in wanted_times},
        by_key={answer.pk: answer for answer in found.values()},
    )


def answers_url(
    place: Membership, course: str, concept: str, *, attempt: int | None = None, starts: bool = True
) -> str:
    """Return the URL of a learner's answers on a concept; empty if the class does not show them.

    `attempt` is the answer to open there; `starts` tells whether the list starts with it, so that it is on the page.
    """
    if not place.classroom.policy.shows_answers:
        return ""
    url = reverse("class-evidence", args=[place.classroom.code, place.person_id, course, concept])
    if attempt is None:
        return url
    return f"{url}{f'?from={attempt}' if starts else ''}#answer-{attempt}"


def question_words(stem: str) -> str:
    """Return the first line of a question as plain text, shortened, without its full stop."""
    line = unescape(strip_tags(inline_to_html(stem.strip().partition("\n")[0])))
    return textwrap.shorten(line, QUESTION_SHOWN, placeholder="…").removesuffix(".")
