"""The tool `learning_data`: what a person and, for teachers, their classes have learned, as a table with a chart."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import Final

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from agents.people import Person, zone_named
from agents.storage.threads import in_orm_thread
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from conversations.charts.figures import ChartCard, titled_words
from tutoring.learning_data.answer_rows import answer_rows, time_rows
from tutoring.learning_data.mastery_rows import mastery_rows, misconception_rows, review_rows
from tutoring.learning_data.queries import LearningQuery, Subject
from tutoring.learning_data.questions import asks_about_class, query_in
from tutoring.learning_data.subjects import Subjects, subjects_of
from tutoring.learning_data.tables import FigureRow, FigureRows, Scope, as_chart, shown_rows
from tutoring.models import Concept, Course
from tutoring.pages.contexts.practice_week import start_of

NAMES_SAID: Final = 5
"""Learners or concepts that a sentence names; the others are counted."""
_ROWS: Final[Mapping[Subject, Callable[[Scope], FigureRows]]] = {
    "mastery": mastery_rows,
    "answers": answer_rows,
    "misconceptions": misconception_rows,
    "reviews": review_rows,
    "time": time_rows,
}


class LearningTable(ToolResult):
    """Learning data as a table. A model gets `table`; the page gets `words` and `chart`."""

    table: ChartCard
    """As `chart`, without the names of learners who have not consented to models outside this site."""
    words: str = Field(exclude=True)
    """What the figures say, in one or two sentences."""
    chart: ChartCard = Field(exclude=True)
    """For the person who asked."""

    @property
    def summary(self) -> str:
        return f"{self.table.title} ({len(self.table.rows)} rows)"


def read_learning_data(person: Person, query: LearningQuery) -> LearningTable:
    """Return the answer to a query. Raises ToolFailed with a text that says what to ask instead."""
    with timezone.override(zone_named(person.zone)):
        asked = _worked_out(person, query, today=timezone.localdate())
        subjects = subjects_of(person, asked)
        if not subjects.is_class and asks_about_class(query.question):
            subjects = replace(
                subjects, notes=(_("This is only about you. Only a class’s teachers can see class data."),)
            )
        scope = _scope(asked, subjects)
        found = _ROWS[asked.what](scope)
        chart = as_chart(found, scope)
        return LearningTable(
            table=without_names(chart, scope.subjects), words=_in_words(found, chart, scope), chart=chart
        )


def without_names(chart: ChartCard, subjects: Subjects) -> ChartCard:
    """Return the table for a model: learners who have not consented are named by their row, which the page shows."""
    hidden = {name for pk, name in subjects.names.items() if pk in subjects.places and not _consents(subjects, pk)}
    aliases: dict[str, str] = {}
    rows = []
    for number, row in enumerate(chart.rows, 1):
        name = str(row[0])
        alias = aliases.setdefault(name, _("learner in row %(number)d") % {"number": number})
        rows.append([alias, *row[1:]] if name in hidden else row)
    return chart.model_copy(update={"rows": rows, "points": [], "shape": None})


def _consents(subjects: Subjects, pk: int) -> bool:
    return bool(subjects.places[pk].person.consent)


def _worked_out(person: Person, query: LearningQuery, *, today: date) -> LearningQuery:
    if not query.question:
        return query
    found = query_in(query.question, person, today=today)
    if found is None:
        raise ToolFailed(
            _("The question is not about learning data. Ask about mastery, answers, misconceptions, reviews or time.")
        )
    return found


def _scope(query: LearningQuery, subjects: Subjects) -> Scope:
    known = taught_concepts()
    if query.concept:
        wanted = find_concept(query.concept, known)
        known = {wanted.pk: wanted}
    since = start_of(query.since) if query.since else None
    return Scope(query=query, subjects=subjects, concepts=known, since=since, now=timezone.now())


def taught_concepts() -> dict[int, Concept]:
    """Return the concepts of all courses by their keys, in order; two queries. Those of a course share it: it is large."""
    courses = {course.pk: course for course in Course.objects.listed()}
    concepts = {row.pk: row for row in Concept.objects.filter(course__in=courses).order_by("course", "position")}
    for concept in concepts.values():
        concept.course = courses[concept.course_id]
    return concepts


def find_concept(name: str, concepts: Mapping[int, Concept]) -> Concept:
    """Return the concept by its title, its id or another of its names. Raises ToolFailed with what is similar."""
    by_name: dict[str, Concept] = {}
    for concept in concepts.values():
        value = next((each for each in concept.course.catalogue().concepts if each.id == concept.slug), None)
        for each in (concept.title, concept.slug, *(value.also if value else ())):
            by_name.setdefault(each.casefold(), concept)
    found = by_name.get(name.strip().casefold())
    if found is None:
        similar = dict.fromkeys(str(by_name[each]) for each in get_close_matches(name.casefold(), by_name, n=3))
        hint = _(" Similar: %(titles)s.") % {"titles": ", ".join(similar)} if similar else ""
        raise ToolFailed(_("No course teaches a concept named “%(name)s”.") % {"name": name} + hint)
    return found


def _in_words(found: FigureRows, chart: ChartCard, scope: Scope) -> str:
    """Return what the figures say; for mastery of a class, first who is low, and since when."""
    if not chart.rows:
        return " ".join([_("%(title)s: there are no figures yet.") % {"title": found.title}, *chart.notes])
    low = [row for row in found.rows if row.is_low]
    if low:
        return " ".join([_low_words(found, low), *chart.notes])
    return " ".join([titled_words(chart) if chart.points else _first_words(found, scope), *chart.notes])


def _low_words(found: FigureRows, low: list[FigureRow]) -> str:
    low = sorted(low, key=lambda row: (row.value or 0, row.name))
    named = [f"{row.name} ({row.remark})" for row in low[:NAMES_SAID]]
    known = sum(row.value is not None for row in found.rows)
    words = ngettext(
        "%(title)s: %(low)d of %(known)d scores is low, %(names)s",
        "%(title)s: %(low)d of %(known)d scores are low, %(names)s",
        len(low),
    )
    if more := len(low) - len(named):
        named.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
    names = get_text_list(named, _("and"))
    return words % {"title": found.title, "low": len(low), "known": known, "names": names} + "."


def _first_words(found: FigureRows, scope: Scope) -> str:
    """Return the first rows in a sentence."""
    rows = list(shown_rows(found, scope))
    named = [f"{row.name} ({row.remark})" if row.remark else row.name for row in rows[:NAMES_SAID]]
    if more := len(rows) - len(named):
        named.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
    return f"{found.title}: {get_text_list(named, _('and'))}."


async def _run(arguments: LearningQuery, use: ToolUse) -> LearningTable:
    if use.person_id is None:
        raise ToolFailed("Learning data needs a person who asks.")
    return await in_orm_thread(_for_person)(use.person_id, arguments)


def _for_person(person_id: int, query: LearningQuery) -> LearningTable:
    return read_learning_data(get_user_model()._base_manager.get(pk=person_id), query)


LEARNING_DATA_TOOL = Tool(
    name="learning_data",
    description=(
        "Reads the person's own learning data and, for a teacher, that of the classes they teach, as far as each class "
        "has agreed: mastery, answers, misconceptions, reviews, minutes. Changes nothing."
    ),
    arguments=LearningQuery,
    run=_run,
    # Learners choose their names.
    is_untrusted=True,
)
