"""The questions of a class's course in figures: how hard each is, what goes wrong, how well it tells pupils apart."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from tutoring.classes.answer_links import answers_url, question_words
from tutoring.classes.mastery_board import learners_of
from tutoring.courses.catalogue import CourseContent, Template
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.generator import make_exercise
from tutoring.mastery.item_statistics import LearnerCount, discrimination, success_share
from tutoring.models import Attempt, Classroom, Concept, Course, Question
from tutoring.pages.cards.contest_context import right_answer
from tutoring.pages.cards.question_context import Context, question_context

RECENT = timedelta(weeks=8)
ANSWERS_SHOWN = 20
GROUPS_SHOWN = 8
SAMPLE_SEED = 7
"""Always the same example of a question."""
FEW_ANSWERS = 5
LOW_DISCRIMINATION = 0.1
"""Below it, a right answer says little about the pupil."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFigures:
    """One question template in figures, from the first answers to it."""

    template: str
    concept: str
    """The title of its concept."""
    words: str
    """An example of it in a few words."""
    answers: int
    share: float | None
    """Of right first answers (0–1)."""
    discrimination: float | None
    wrong: tuple[tuple[str, int], ...] = field(default=())
    """What went wrong, in words, with how often; the most frequent first."""

    @property
    def percent(self) -> int | None:
        return round(100 * self.share) if self.share is not None else None

    @property
    def is_suspect(self) -> bool:
        """Whether pupils who know more do not answer it better: it may be broken."""
        return self.discrimination is not None and self.discrimination < LOW_DISCRIMINATION


def question_figures(
    classroom: Classroom, course: Course, *, since: datetime | None, template: str = ""
) -> list[QuestionFigures]:
    """Return the questions of a course with answers of the class, the hardest first; three queries.

    All answers are counted without `since`. Answers that a teacher left out, and placements, which ask what is too hard
    on purpose, are not.
    """
    content = course.catalogue()
    asked = {each.id: (concept.title, each) for concept in content.concepts for each in concept.templates}
    first = _first_answers(classroom, course, since=since)
    counts = _counts(first)
    wrong = _wrong(first.filter(correct=False), content)
    found = [
        QuestionFigures(
            template=one,
            concept=asked[one][0],
            words=sample_words(asked[one][1], content),
            answers=sum(each.asked for each in own),
            share=success_share(own),
            discrimination=discrimination(own),
            wrong=tuple(wrong.get(one, Counter()).most_common(GROUPS_SHOWN)),
        )
        for one, own in counts.items()
        if one in asked and template in ("", one)
    ]
    return sorted(found, key=_by_share)


def _by_share(figures: QuestionFigures) -> tuple[bool, float, int, str]:
    """Put the hardest first; with few answers, chance decides, so those come last."""
    share = figures.share if figures.share is not None else 1.0
    return figures.answers < FEW_ANSWERS, share, -figures.answers, figures.template


def _first_answers(classroom: Classroom, course: Course, *, since: datetime | None) -> QuerySet[Attempt]:
    people = [place.person_id for place in learners_of(classroom)]
    rows = Attempt.objects.filter(
        learner_id__in=people, number=1, left_out=False, question__concept__course=course
    ).exclude(question__purpose=Question.Purpose.PLACEMENT)
    return (rows.filter(created_at__gte=since) if since is not None else rows).order_by()


def _counts(first: QuerySet[Attempt]) -> Mapping[str, list[LearnerCount]]:
    """Return the counts of each template, by learner."""
    is_right = Case(When(correct=True, then=Value(1)), default=Value(0), output_field=IntegerField())
    rows = list(first.values_list("learner_id", "question__template").annotate(asked=Count("pk"), right=Sum(is_right)))
    asked, right = Counter[int](), Counter[int]()
    for person, _template, count, hits in rows:
        asked[person] += count
        right[person] += hits
    found: dict[str, list[LearnerCount]] = defaultdict(list)
    for person, template, count, hits in rows:
        own = LearnerCount(asked=count, right=hits, rest_asked=asked[person] - count, rest_right=right[person] - hits)
        found[template].append(own)
    return found


def _wrong(first: QuerySet[Attempt], content: CourseContent) -> Mapping[str, Counter[str]]:
    """Return what went wrong on each template: the misconceptions behind the answers, or that none explains them."""
    rows = first.values_list("question__template", "misconceptions", "gave_up").annotate(count=Count("pk"))
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for template, ideas, gave_up, count in rows:
        for words in _idea_words(ideas, content, gave_up=gave_up):
            found[template][words] += count
    return found


def _idea_words(ideas: Sequence[str], content: CourseContent, *, gave_up: bool) -> Iterable[str]:
    if gave_up:
        return [_("“I don’t know”")]
    known = [content.misconceptions[each].says for each in ideas if each in content.misconceptions]
    return known or [_("Another wrong answer")]


def sample_words(template: Template, content: CourseContent) -> str:
    """Return an example of the question in a few words."""
    return question_words(make_exercise(template, seed=SAMPLE_SEED, course=content).stem)


def sample_context(concept: Concept, template: str) -> Context:
    """Return an example of the question as pupils see it, and its right answer."""
    content = concept.course.catalogue()
    exercise = make_exercise(content.template(template), seed=SAMPLE_SEED, course=content)
    fields = serialization.exercise_to_json(exercise)
    question = Question(concept=concept, purpose=Question.Purpose.QUIZ, status=Question.Status.ANSWERED, **fields)
    return {"question": question_context(question, []), "right_answer": right_answer(question)}


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """A wrong first answer to a question."""

    name: str
    question: str
    said: str
    url: str
    when: datetime


def wrong_answers(classroom: Classroom, course: Course, template: str, *, since: datetime | None) -> list[GivenAnswer]:
    """Return the latest wrong first answers to a question, with where they are; two queries.

    Own words in place of a choice follow the rule for conversations, and are left out.
    """
    places = {place.person_id: place for place in learners_of(classroom)}
    rows = _first_answers(classroom, course, since=since).filter(Q(question__template=template), correct=False)
    rows = rows.select_related("question__concept").order_by("-pk")[:ANSWERS_SHOWN]
    return [
        GivenAnswer(
            name=str(places[row.learner_id].person),
            question=question_words(row.question.stem),
            said=_said(row),
            url=answers_url(places[row.learner_id], course.slug, row.question.concept.slug, attempt=row.pk),
            when=row.created_at,
        )
        for row in rows
        if not row.is_in_words
    ]


def _said(row: Attempt) -> str:
    """Return the answer in words; of a choice, its text too."""
    if row.gave_up:
        return _("“I don’t know”")
    texts = {each["letter"]: each["text"] for each in row.question.public.get("choices", ())}
    text = texts.get(row.answer, "") if row.question.kind == "choice" else ""
    return f"{row.answer}: {question_words(text)}" if text else row.question.shown(row.answer)


def period_start(chosen: str) -> datetime | None:
    """Return since when answers are counted: the last eight weeks, or all with `all`."""
    return None if chosen == "all" else timezone.now() - RECENT
