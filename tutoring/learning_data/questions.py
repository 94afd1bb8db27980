"""Turns a question in plain words into a query over learning data, by rules."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from agents.people import Person
from tutoring.classes.mastery_board import learners_of
from tutoring.courses.catalogue import ConceptContent, CourseContent
from tutoring.learning_data.queries import (
    ALL_CLASSES,
    FIRST_DAY,
    LAST_DAY,
    MOST_ROWS,
    USUAL_ROWS,
    Grouping,
    LearningQuery,
    Order,
    Subject,
)
from tutoring.learning_data.subjects import taught_classes
from tutoring.models import Classroom, Course
from tutoring.understanding.parsing.concept_names import concept_phrases, contains_phrase

# In this order: "mistakes" are asked for even where "know" stands in the same question.
_SUBJECTS: Final[Mapping[Subject, re.Pattern[str]]] = {
    "misconceptions": re.compile(r"\b(?:misconceptions?|misunderst\w+|(?:mistaken|wrong) ideas?|(?:typical|common) mistakes?)\b"),
    "reviews": re.compile(r"\breviews?\b|\bdue\b|\bforg[eo]t\w*\b"),
    "time": re.compile(r"\bhow (?:long|much time)\b|\bminutes?\b|\bhours?\b|\btime spent\b|\bpracti[cs]\w*\b"),
    "answers": re.compile(r"\b(?:how many|right|wrong|correct|incorrect|most) (?:answers?|questions?|mistakes?|errors?)\b|\b(?:answered|get\w* wrong|got wrong)\b"),
    "mastery": re.compile(
        r"\bmaster\w*\b|\bscores?\b|\blevels?\b|\bprogress\w*\b|\bstruggl\w*\b|\bweak\w*\b|\bbehind\b|\bstuck\b"
        r"|\bneed\w* (?:some )?help\b|\b(?:good|bad|strong) (?:at|in|on)\b|\bdifficult\w*\b|\bhard(?:er|est)?\b|\beas(?:y|ier|iest)\b|\bknows?\b|\bhow (?:am|is|are) .{1,40}\bdoing\b|\btrouble\b"
    ),
}  # fmt: skip
_STRUGGLES: Final = re.compile(
    r"\bstruggl\w*\b|\bworst\b|\bweak\w*\b|\blow(?:est)?\b|\bleast\b|\bbehind\b|\bstuck\b|\btrouble\b|\bdifficult\w*\b|\bhard(?:est)?\b"
    r"|\bneed\w* (?:some )?help\b|\bbad (?:at|in|on)\b|\bmost (?:wrong|mistakes|errors)\b|\bget\w* wrong\b"
)
_BEST: Final = re.compile(r"\bbest\b|\bhigh(?:est)?\b|\bstrong\w*\b|\b(?:good|great) (?:at|in|on)\b|\bmost\b")
_OF_CLASS: Final = re.compile(
    r"\bclass(?:es)?\b|\b(?:pupils?|students?|learners?|children|kids)\b|\bwho\b|\b(?:any|every|no|some)(?:one|body)\b|\bthey\b"
)
_GROUPS: Final[Mapping[Grouping, re.Pattern[str]]] = {
    "week": re.compile(r"\b(?:per|by|each|every) week\b|\bweekly\b|\bweek by week\b|\bover time\b|\btrends?\b|\bdevelop\w*\b"),
    "learner": re.compile(r"\b(?:per|by|each|every|for each) (?:learner|pupil|student|child)\b"),
    "concept": re.compile(r"\b(?:per|by|each|every|for each|which|what) (?:concepts?|topics?)\b"),
}  # fmt: skip
_COUNT: Final = re.compile(
    r"\b(?:top|first|last|lowest|highest|worst|best|only) (\d{1,3})\b|\b(\d{1,3}) (?:lowest|highest|worst|best|weakest|strongest)\b"
)
_AGO: Final = re.compile(r"\b(?:last|past|previous) (?:(\d{1,3}|two|three|four|six) )?(day|week|month|year)s?\b")
_THIS: Final = re.compile(r"\bthis (week|month|year)\b|\b(today|yesterday)\b")
_ISO_DAY: Final = re.compile(r"\b(?:since|from|after) (\d{4})-(\d{2})-(\d{2})\b")
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in _MONTHS)
_DAY: Final = re.compile(
    rf"\b(?:since|from|after) (?:the )?(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?({_MONTH})\b(?: (\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,? (\d{{4}}))?"
)
_NUMBERS: Final = {"": 1, "two": 2, "three": 3, "four": 4, "six": 6}
_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPeople:
    """What a question says about whose learning it means."""

    class_name: str = ""
    learner: str = ""


def query_in(text: str, person: Person, *, today: date) -> LearningQuery | None:
    """Return the query that the person's question asks for; None if it asks nothing about learning data.

    A learner's question about a class becomes one about the learner alone: only teachers may read a class.
    """
    words = " ".join(text.casefold().split())
    what = next((subject for subject, cue in _SUBJECTS.items() if cue.search(words)), None)
    if what is None:
        return None
    concept = named_concept(words, [course.catalogue() for course in Course.objects.listed()])
    whose = whose_learning(text, taught_classes(person))
    by = _group(words, what, whose, has_concept=concept is not None)
    return LearningQuery(
        what=what,
        concept=concept.title if concept else "",
        class_name=whose.class_name,
        learner=whose.learner,
        since=_within_bounds(since_in(words, today=today)),
        by=by,
        sort=_order(words, what, by),
        limit=_limit(words),
    )


def _within_bounds(day: date | None) -> date | None:
    return None if day is None else min(max(day, FIRST_DAY), LAST_DAY)


def named_concept(words: str, courses: Iterable[CourseContent]) -> ConceptContent | None:
    """Return the concept whose name stands in the words, the longest name first; None without one."""
    named = [
        (len(phrase), concept)
        for course in courses
        for concept in course.concepts
        for phrase in concept_phrases(concept)
        if contains_phrase(words, phrase)
    ]
    return max(named, key=lambda each: each[0])[1] if named else None


def since_in(words: str, *, today: date) -> date | None:
    """Return the first day that a question asks about: "this week", "the last two weeks", "since 3 November"."""
    if found := _THIS.search(words):
        return _start_of(found[1] or found[2], today)
    if found := _AGO.search(words):
        count = _NUMBERS.get(found[1] or "") or int(found[1])
        # A date long before the first answer means the same as none.
        return today - timedelta(days=count * _DAYS[found[2]])
    if found := _ISO_DAY.search(words):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    found = _DAY.search(words)
    return _named_day(found, today) if found else None


def _start_of(period: str, today: date) -> date:
    match period:
        case "week":
            return today - timedelta(days=today.weekday())
        case "month":
            return today.replace(day=1)
        case "year":
            return today.replace(month=1, day=1)
        case "yesterday":
            return today - timedelta(days=1)
        case _:
            return today


def _named_day(found: re.Match[str], today: date) -> date | None:
    month = next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(found[2][:3]))
    year = int(found[4]) if found[4] else today.year
    day = _day(year, month, int(found[1] or found[3] or 1))
    # "Since November", asked in March, means last year's.
    if day is not None and not found[4] and day > today:
        return _day(year - 1, month, day.day)
    return day


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def whose_learning(text: str, classes: Sequence[Classroom]) -> NamedPeople:
    """Return which of a teacher's classes and learners the question is about; empty for the person's own learning."""
    if not classes:
        return NamedPeople()
    words = " ".join(text.casefold().split())
    named = next((each for each in classes if _is_named(each, words)), None)
    learner = _named_learner(text, [named] if named else classes)
    if named is not None:
        return NamedPeople(class_name=named.code, learner=learner)
    if learner or _OF_CLASS.search(words):
        return NamedPeople(class_name=classes[0].code if len(classes) == 1 else ALL_CLASSES, learner=learner)
    return NamedPeople()


def asks_about_class(text: str) -> bool:
    """Tell whether a question is about others: a class, pupils, "who"."""
    return bool(_OF_CLASS.search(text.casefold()))


def _is_named(classroom: Classroom, words: str) -> bool:
    names = (classroom.name, classroom.code)
    return any(re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", words) for name in names)


def _named_learner(text: str, classes: Sequence[Classroom]) -> str:
    """Return the learner that the text names, spelled as the name is: "Will" is a learner, "will" is not."""
    people = (place.person for classroom in classes for place in learners_of(classroom))
    names = sorted({name for each in people for name in (str(each), each.get_username())}, key=len, reverse=True)
    return next((name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)), "")


def _group(words: str, what: Subject, whose: NamedPeople, *, has_concept: bool) -> Grouping:
    for by, cue in _GROUPS.items():
        if cue.search(words) and not (what == "misconceptions" and by == "week"):
            return by
    # "What is hard for my class?" asks about concepts, "who" about learners.
    if what == "mastery" and whose.class_name and not (has_concept or whose.learner or re.search(r"\bwho\b", words)):
        return "concept"
    return ""


def _order(words: str, what: Subject, by: Grouping) -> Order:
    if by == "week" or (what == "misconceptions" and not by):
        return ""
    if _STRUGGLES.search(words):
        return "lowest" if what in ("mastery", "answers", "time") else "highest"
    return "highest" if _BEST.search(words) else ""


def _limit(words: str) -> int:
    found = _COUNT.search(words)
    wanted = int(found[1] or found[2]) if found else USUAL_ROWS
    return min(max(wanted, 1), MOST_ROWS)
