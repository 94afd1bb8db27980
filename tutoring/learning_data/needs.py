"""The tool `learning_needs`: which learners of a teacher's classes would benefit from which concept, and why."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from agents.people import Person, zone_named
from agents.storage.threads import in_orm_thread
from agents.tools import Tool, ToolFailed, ToolUse
from conversations.charts.figures import ChartCard, ChartPoint
from tutoring.classes.board_cells import EMPTY_CELL, MasteryCell, mastery_cells
from tutoring.learning_data.mastery_rows import CellKey, is_low, low_since
from tutoring.learning_data.queries import ALL_CLASSES, MOST_ROWS, NAME_CHARACTERS, QUESTION_CHARACTERS, LearningQuery
from tutoring.learning_data.questions import named_concept, whose_learning
from tutoring.learning_data.subjects import Subjects, subjects_of, taught_classes
from tutoring.learning_data.tables import day_words, percent
from tutoring.learning_data.tool import LearningTable, find_concept, taught_concepts, without_names
from tutoring.models import Concept, Course

CONCEPTS_SAID: Final = 3
NAMES_SAID: Final = 4

type Need = tuple[int, int, int, str]
"""How urgent it is (0 is most), the keys of the concept and the learner, and why."""


class NeedsQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(default="", max_length=QUESTION_CHARACTERS, description="The question in plain words.")
    class_name: str = Field(
        default=ALL_CLASSES,
        max_length=NAME_CHARACTERS,
        description="Name or code of one class; all: all their classes.",
    )
    concept: str = Field(default="", max_length=NAME_CHARACTERS, description="Only this concept, by its name.")
    limit: int = Field(default=40, ge=1, le=MOST_ROWS, description="The most rows.")


def read_learning_needs(person: Person, query: NeedsQuery) -> LearningTable:
    """Return who would benefit from what, the most urgent first. Raises ToolFailed for a person who teaches no class."""
    with timezone.override(zone_named(person.zone)):
        classes = taught_classes(person)
        if not classes:
            raise ToolFailed(_("Only teachers can ask about learning needs, and only for classes they teach."))
        class_name, learner, concept = query.class_name, "", query.concept
        if query.question:
            whose = whose_learning(query.question, classes)
            class_name, learner = whose.class_name or class_name, whose.learner
            named = named_concept(query.question, [course.catalogue() for course in Course.objects.listed()])
            concept = concept or (named.title if named else "")
        subjects = subjects_of(person, LearningQuery(class_name=class_name, learner=learner))
        every = taught_concepts()
        wanted = {find_concept(concept, every).pk} if concept else every.keys()
        needs = sorted(each for each in _needs(subjects, every, now=timezone.now()) if each[1] in wanted)
        return _table(needs, subjects, every, limit=query.limit)


def _needs(subjects: Subjects, concepts: Mapping[int, Concept], *, now: datetime) -> Iterator[Need]:
    cells = mastery_cells(subjects.people, list(concepts.values()), now=now)
    low = low_since([key for key, cell in cells.items() if is_low(cell)])
    for learner in subjects.people:
        for pk, concept in concepts.items():
            cell = cells.get((learner, pk), EMPTY_CELL)
            if is_low(cell):
                since = low.get((learner, pk))
                score = percent(cell.score or 0)
                why = _("%(score)d%%, low since %(day)s") if since else _("%(score)d%%, low")
                yield 0, pk, learner, why % {"score": score, "day": day_words(since) if since else ""}
            elif cell.due:
                yield 1, pk, learner, _("mastered before, and now due for review")
            elif not cell.given and (before := _mastered_prerequisites(learner, concept, concepts, cells)):
                yield 2, pk, learner, _("ready to start: has mastered %(titles)s") % {
                    "titles": get_text_list(before, _("and"))
                }  # fmt: skip


def _mastered_prerequisites(
    learner: int, concept: Concept, concepts: Mapping[int, Concept], cells: Mapping[CellKey, MasteryCell]
) -> list[str]:
    """Return the titles of what the concept builds on if the learner has mastered all of it; otherwise nothing."""
    value = next((each for each in concept.course.catalogue().concepts if each.id == concept.slug), None)
    needed = set(value.requires) if value else set()
    before = [each for each in concepts.values() if each.course_id == concept.course_id and each.slug in needed]
    mastered = [each for each in before if cells.get((learner, each.pk), EMPTY_CELL).level == "mastered"]
    return [str(each) for each in mastered] if before and len(mastered) == len(before) else []


def _table(needs: list[Need], subjects: Subjects, concepts: Mapping[int, Concept], *, limit: int) -> LearningTable:
    shown = needs[:limit]
    counts = Counter(str(concepts[concept]) for _urgency, concept, _learner, _why in needs)
    notes = list(subjects.notes)
    if len(needs) > len(shown):
        notes.insert(0, _("These are %(shown)d of %(total)d rows.") % {"shown": len(shown), "total": len(needs)})
    points = [ChartPoint(label=title, value=count) for title, count in counts.most_common()]
    chart = ChartCard(
        title=_("Learning needs: %(class)s") % {"class": subjects.title},
        columns=[_("Learner"), _("Concept"), _("Why")],
        rows=[[subjects.names[learner], str(concepts[pk]), why] for _urgency, pk, learner, why in shown],
        notes=notes,
        shape="bar" if len(points) > 1 else None,
        unit=_("learners"),
        points=points if len(points) > 1 else [],
    )
    return LearningTable(
        table=without_names(chart, subjects), words=_in_words(needs, subjects, concepts, chart), chart=chart
    )


def _in_words(needs: list[Need], subjects: Subjects, concepts: Mapping[int, Concept], chart: ChartCard) -> str:
    """Return the concepts that are most urgent, each with who would benefit."""
    if not needs:
        return " ".join([_("%(title)s: nobody, based on the figures so far.") % {"title": chart.title}, *chart.notes])
    by_concept: dict[tuple[int, int], list[str]] = {}
    for urgency, pk, learner, why in needs:
        by_concept.setdefault((urgency, pk), []).append(f"{subjects.names[learner]} ({why})")
    said = []
    for (_urgency, pk), people in list(by_concept.items())[:CONCEPTS_SAID]:
        named = people[:NAMES_SAID]
        if more := len(people) - len(named):
            named.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
        said.append(_("%(concept)s: %(people)s.") % {"concept": concepts[pk], "people": get_text_list(named, _("and"))})
    return " ".join([*said, *chart.notes])


async def _run(arguments: Any, use: ToolUse) -> LearningTable:
    if use.person_id is None:
        raise ToolFailed("Learning data needs a person who asks.")
    return await in_orm_thread(_for_person)(use.person_id, arguments)


def _for_person(person_id: int, query: NeedsQuery) -> LearningTable:
    return read_learning_needs(get_user_model()._base_manager.get(pk=person_id), query)


LEARNING_NEEDS_TOOL = Tool(
    name="learning_needs",
    description=(
        "For teachers: which learners of their classes would benefit from practicing, reviewing or starting which concept, "
        "with the reasons, as far as each class has agreed. Changes nothing."
    ),
    arguments=NeedsQuery,
    run=_run,
    # Learners choose their names.
    is_untrusted=True,
)
