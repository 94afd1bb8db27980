"""Template contexts of the evidence behind a mastery: every answer with its question as it was."""

import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import Max, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.timestamps import weekday_date
from tutoring.assignments.quiz_work import held_back
from tutoring.classes import contested
from tutoring.mastery.records.known_starts import start_of
from tutoring.mastery.records.progress import UNASSISTED_HINTS
from tutoring.models import Attempt, Concept, Contest, GradeChange, Mastery, MasteryChange, Question
from tutoring.pages.cards.contest_context import contest_context, number_context, right_answer
from tutoring.pages.cards.grade_change_context import change_context
from tutoring.pages.cards.question_context import (
    Context,
    difficulty_word,
    mastery_of,
    question_context,
    reference_score,
)

QUESTIONS_SHOWN = 20
"""Questions on one page, each with its answers; older ones are on the next."""
SURPRISING, A_LITTLE_SURPRISING = 0.6, 0.35
"""Surprise (0–1) from which an answer counts as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """What was written against an answer, and why it could not be stored."""

    attempt: int | None
    typed: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads the evidence: the learner, or a teacher, who sees open questions with their solution."""

    is_teacher: bool = False
    words_from: datetime | None = None
    """For a teacher: since when they may read what was said in conversations; None if they may not."""
    is_told: bool = False
    """For the learner: whether a teacher sees what they contest."""

    def may_read_words(self, attempt: Attempt) -> bool:
        """Tell whether words said in the conversation, which answered a choice, may be shown."""
        since = self.words_from
        return not self.is_teacher or (since is not None and attempt.created_at >= since)


def evidence_context(
    person: Person, concept: Concept, *, upto: int | None = None, refused: Refused | None = None
) -> Context:
    """Return a person's own answers on a concept, the latest first; with `upto`, from that answer on."""
    reader = Reader(is_told=contested.is_told(person, of_answers=True))
    shown = answers_context(person, concept, reader, upto=upto, refused=refused)
    held = held_back(person.pk).filter(question__concept=concept, question__status=Question.Status.ANSWERED)
    mastery = mastery_of(person, concept)
    own = latest_score_contest(person, concept)
    told = contested.is_told(person, of_answers=False)
    return shown | {
        "is_held_back": held.exists(),
        "concept": concept,
        "concept_title": concept.title,
        "course_title": concept.course.title,
        "lesson_url": concept.get_absolute_url(),
        "mastery": mastery,
        # What a placement took as known can be refused until an answer counts.
        "start": ""
        if mastery.answers
        else start_of(Mastery.objects.filter(learner_id=person.pk, concept=concept).first()),
        "number": {"contest": number_context(concept, own, is_told=told, refused=_of(refused, None))}
        if mastery.enough
        else None,
    }


def latest_score_contest(person: Person, concept: Concept) -> Contest | None:
    """Return what the person said last against the concept's score, and what came of it."""
    rows = Contest.objects.filter(learner_id=person.pk, concept=concept, about=Contest.About.SCORE)
    return rows.order_by("-pk").first()


def answers_context(
    person: Person,
    concept: Concept,
    reader: Reader,
    *,
    upto: int | None = None,
    first: UUID | None = None,
    refused: Refused | None = None,
) -> Context:
    """Return the answers of one page, by question and day; `first` is a question that stands before all. Three queries.

    With `upto`, the page starts at the question of that answer, or of the next earlier one.
    """
    latest = _answered_questions(person, concept, reader, upto=upto, besides=first)
    shown = [pk for pk, _last in latest[:QUESTIONS_SHOWN]]
    by_question = _attempts_of([*shown, *([first] if first else [])])
    entries = {
        pk: fold_tries(
            [_entry(row, concept, reader, is_open=row.pk == upto, refused=_of(refused, row.pk)) for row in tries]
        )
        for pk, tries in by_question.items()
    }
    return {
        "answers": [entries[pk] for pk in shown],
        "first_answer": entries[first] | {"is_open": True} if first in entries else None,
        "older": latest[QUESTIONS_SHOWN][1] if len(latest) > QUESTIONS_SHOWN else None,
        "is_part": upto is not None,
    }


def _attempts_of(questions: Sequence[UUID]) -> Mapping[UUID, list[Attempt]]:
    rows = Attempt.objects.filter(question__in=questions).select_related("question", "change", "contest")
    in_force = GradeChange.objects.filter(undone_at=None).select_related("by")
    rows = rows.prefetch_related(Prefetch("grade_changes", queryset=in_force, to_attr="changes_in_force"))
    by_question: dict[UUID, list[Attempt]] = defaultdict(list)
    for row in rows.order_by("pk"):
        by_question[row.question_id].append(row)
    return by_question


def _answered_questions(
    person: Person, concept: Concept, reader: Reader, *, upto: int | None, besides: UUID | None
) -> list[tuple[UUID, int]]:
    """Return questions and their last answers, the latest first: those of a page, and one more if there is any."""
    asked = Question.objects.filter(learner_id=person.pk, concept=concept).annotate(last=Max("attempts"))
    if not reader.is_teacher:
        asked = asked.exclude(pk__in=held_back(person.pk).values("question"))
    if upto is not None:
        same = Attempt.objects.filter(question__attempts=upto).order_by("-pk")
        asked = asked.filter(last__lte=Coalesce(Subquery(same.values("pk")[:1]), upto))
    if besides is not None:
        asked = asked.exclude(pk=besides)
    latest = asked.exclude(last=None).order_by("-last")
    return list(latest.values_list("pk", "last")[: QUESTIONS_SHOWN + 1])


def fold_tries(entries: Sequence[Context]) -> Context:
    """Return the answers to one question, oldest first, as one: the last, with what all of them did to the score."""
    counted = [each for each in entries if each["after"] is not None]
    moved = {"before": counted[0]["before"], "after": counted[-1]["after"]} if counted else None
    last = entries[-1]
    # What all of them have in common is said once.
    earlier = [each | {"effect": "" if each["effect"] == last["effect"] else each["effect"]} for each in entries[:-1]]
    return last | {
        "earlier": earlier,
        "is_open": any(each["is_open"] for each in entries),
        "moved": moved,
    }


def _of(refused: Refused | None, attempt: int | None) -> Mapping[str, str]:
    """Return what was refused of this answer, as its form shows it."""
    if refused is None or refused.attempt != attempt:
        return {}
    return {"typed": refused.typed, "error": refused.error}


def _entry(attempt: Attempt, concept: Concept, reader: Reader, *, is_open: bool, refused: Mapping[str, str]) -> Context:
    question = attempt.question
    question.concept = concept
    change: MasteryChange | None = getattr(attempt, "change", None)
    shown = _as_read(question, is_teacher=reader.is_teacher)
    asked = _question(attempt, shown, reader)
    return {
        "pk": attempt.pk,
        "is_open": is_open or bool(refused),
        "day": _day(attempt.created_at),
        "when": attempt.created_at,
        "question": asked,
        "said": question.shown(attempt.answer),
        "right_answer": right_answer(shown),
        "verdict": "gave_up" if attempt.gave_up else attempt.verdict,
        "retry": attempt.number if attempt.number > 1 else None,
        "hints_used": question.hints_used,
        "gave_up": attempt.gave_up,
        "is_review": question.purpose == Question.Purpose.REVIEW,
        "is_placement": question.purpose == Question.Purpose.PLACEMENT,
        "effect": _effect(attempt, change),
        "grade_change": change_context(attempt),
        "can_grade": reader.is_teacher and not asked.get("hides_words"),
        "is_right": attempt.correct,
        "ideas": _wrong_ideas(attempt, concept) if reader.is_teacher and not asked.get("hides_words") else [],
        "before": reference_score(change.before) if change and not change.left_out else None,
        "after": reference_score(change.after) if change and not change.left_out else None,
        "difficulty": difficulty_word(change.difficulty) if change else "",
        "surprise": surprise_word(change.surprise) if change and change.surprise is not None else "",
        "contest": contest_context(attempt, question=question, is_told=reader.is_told)
        | {"refused": refused, "is_right": attempt.correct},
    }


def _as_read(question: Question, *, is_teacher: bool) -> Question:
    """Return the question as it is read afterwards: for a teacher with its solution, one of a placement with its verdict.

    The copy is never stored.
    """
    shown = copy.copy(question)
    if is_teacher:
        shown.status = Question.Status.ANSWERED
    if shown.purpose == Question.Purpose.PLACEMENT:
        shown.purpose = Question.Purpose.QUIZ
    return shown


def _question(attempt: Attempt, shown: Question, reader: Reader) -> Context:
    """Return the question with this answer. Own words that answered a choice mark none of its letters."""
    context = question_context(shown, [attempt])
    if not attempt.is_in_words:
        return context
    may_read = reader.may_read_words(attempt)
    choices = [each | {"checked": False} for each in cast("list[Context]", context["choices"])]
    return context | {"choices": choices, "own_words": attempt.answer if may_read else "", "hides_words": not may_read}


def _effect(attempt: Attempt, change: MasteryChange | None) -> str:
    """Return in a sentence how the answer counts."""
    if change_context(attempt):
        return ""
    if change is not None and change.left_out:
        contest: Contest | None = getattr(attempt, "contest", None)
        if contest is not None and contest.decided_by_id is None:
            return _("This answer was checked again, and it is right. It does not count as wrong.")
        return _("A teacher agreed to leave this answer out. It does not count.")
    if change is not None and change.surprise is None:
        if not attempt.correct:
            return _("This review question was not solved.")
        if attempt.number > 1 or attempt.question.hints_used > UNASSISTED_HINTS:
            return _("This was answered with help, so it counts as practice.")
        if attempt.question.purpose == Question.Purpose.PRACTICE:
            return _("This is a step in the lesson, so it counts as practice.")
        return _("An answer in words counts as practice.")
    if change is not None:
        return ""
    if attempt.question.purpose == Question.Purpose.PLACEMENT:
        return _("This helped us find where to start.")
    if attempt.question.purpose == Question.Purpose.PRACTICE:
        return _("This is a step in the lesson, so a wrong answer doesn’t change your score.")
    if attempt.number > 1:
        return _("Only the first try counts, so this answer didn’t change your score.")
    return _("This answer didn’t change your score.")


def _wrong_ideas(attempt: Attempt, concept: Concept) -> list[str]:
    """Return the misconceptions that would have given this very answer, in words."""
    known = concept.course.catalogue().misconceptions
    return [known[each].says for each in attempt.misconceptions if each in known]


def surprise_word(surprise: float) -> str:
    """Return how far an answer was from what was expected, in words."""
    size = abs(surprise)
    if size >= SURPRISING:
        return _("a surprise")
    return _("a small surprise") if size >= A_LITTLE_SURPRISING else _("as expected")


def _day(when: datetime) -> str:
    """Return the day as the heading of a list: today, yesterday, or the date."""
    day, today = timezone.localdate(when), timezone.localdate()
    days = (today - day).days
    if days in (0, 1):
        return _("Yesterday") if days else _("Today")
    return weekday_date(day) if day.year == today.year else date_format(day, "DATE_FORMAT")
