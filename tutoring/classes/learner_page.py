"""One learner's page for the teachers of a class, and the conversations they may read."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from django.db.models import FilteredRelation, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.board.snapshots import drawings_of
from conversations.models import Message, Session, Snapshot, Turn
from conversations.speakers import speaker_of
from conversations.web.markup import to_html
from tutoring.classes import contested, messages, pupil_learning
from tutoring.classes.answer_links import FoundAnswer, answers_url, find_answers
from tutoring.classes.class_misconceptions import filter_recent
from tutoring.classes.help_needs import ReasonLine, find_help_needs, stuck_question
from tutoring.classes.help_rules import RECENT_PERIOD
from tutoring.classes.milestones import reached_milestones
from tutoring.classes.misconception_evidence import VisibleEvidence, visible_evidence
from tutoring.classes.pupil_notes import notes_about
from tutoring.classes.pupil_summaries import readable_summaries
from tutoring.classes.tallies import load_tallies
from tutoring.classes.teacher_access import readable_sessions
from tutoring.models import (
    Concept,
    Contest,
    Course,
    DiagnosticResult,
    GuardianAccess,
    KnowledgeGap,
    Membership,
    MisconceptionState,
)
from tutoring.pages.cards.question_context import Context, mastery_of
from tutoring.pages.contexts import evidence, overviews
from tutoring.reports.guardian_pages import can_have_guardian, last_month
from tutoring.reports.signed_links import guardian_address

CONVERSATIONS_SHOWN = 50
MESSAGES_SHOWN = 400
QUOTES_SHOWN = 3


def learner_context(place: Membership) -> Context:
    """Return what a learner's page shows within the class's policy. The place comes with class and person."""
    policy = place.classroom.policy
    met = overviews.courses_met(place.person) if policy.shows_levels else {}
    met = {course: rows for course, rows in met.items() if not course.is_personal}
    suspected, contests = _suspected(place), contested.contests_of([place])
    return {
        "courses": [_course(course, rows, place) for course, rows in met.items()],
        "reasons": _reasons(place, met, suspected, contests) if policy.shows_levels else [],
        **(_plans(place) if policy.shows_levels else {}),
        **(pupil_learning.learning_context(place, list(met)) if policy.shows_levels else {}),
        "contested": contested.open_in(place.classroom, contests),
        "decided": contested.decided_contests(place),
        "milestones": reached_milestones(place, met) if policy.shows_levels else [],
        "misconceptions": _misconceptions(place, suspected, contests.get(place.person_id, ())),
        "conversations": _conversations(place) if policy.shows_conversations else [],
        "readable_since": policy.readable_since(place.joined_at),
        "summaries": readable_summaries(place),
        "summarized_since": policy.summarized_since(place.joined_at),
        "guardian": guardian_context(place),
    }


def teachers_context(teacher: Person, place: Membership) -> Context:
    """Return the notes and messages of those who teach the class, which are then read; nothing for an admin."""
    if not messages.is_teacher(teacher, place.classroom):
        return {"teaches": False}
    return {
        "teaches": True,
        "notes": notes_about(place),
        "thread": messages.read_thread(teacher, place.classroom, place.person_id),
    }


def guardian_context(place: Membership) -> Context:
    """Return who may see the pupil's monthly page, and its address for last month; empty where the class has none."""
    since = place.classroom.policy.guardians_from(place.joined_at)
    if since is None:
        return {}
    access = GuardianAccess.objects.filter(classroom=place.classroom, learner_id=place.person_id).first()
    month = last_month(timezone.localdate())
    is_open = access is not None and can_have_guardian(place)
    return {
        "since": since,
        "access": access,
        "month": month,
        "address": guardian_address(access, month) if access is not None and is_open else "",
    }


def evidence_context(place: Membership, concept: Concept, *, upto: int | None = None) -> Context:
    """Return a learner's answers on a concept, the question they are stuck on first; only if the class shows them.

    With `upto`, it is the answers from that one on, the latest first.
    """
    reader = evidence.Reader(is_teacher=True, words_from=place.classroom.policy.readable_since(place.joined_at))
    stuck = stuck_question(place, concept, now=timezone.now()) if upto is None else None
    question, words = (stuck[0].question, stuck[1]) if stuck else (None, "")
    shown = evidence.answers_context(place.person, concept, reader, upto=upto, first=question)
    return shown | {
        "concept_title": concept.title,
        "course_title": concept.course.title,
        "mastery": mastery_of(place.person, concept),
        "stuck_words": words,
    }


def transcript(session: Session, *, since: datetime, with_answers: bool) -> Context:
    """Return what was said in a conversation from `since` on, the latest part of it, oldest first.

    Without `with_answers`, the turns that respond to an answer are left out, because they would reveal it.
    """
    rows = Message.objects.filter(session=session, turn__created_at__gte=since, turn__replaced_by=None).select_related(
        "turn"
    )
    if not with_answers:
        rows = rows.exclude(turn__kind=Turn.Kind.ANSWER)
    latest = list(rows.order_by("-turn__number", "-pk")[:MESSAGES_SHOWN])[::-1]
    drawn = drawings_of([message.turn for message in latest])
    return {
        "title": session.title or _("A conversation"),
        "said": [_said(message, drawn.get(message.turn_id)) for message in latest if message.text or message.cards],
        "shortened": len(latest) == MESSAGES_SHOWN,
        "with_answers": with_answers,
    }


def _said(message: Message, drawing: Snapshot | None) -> Context:
    by_learner = message.author == Message.Author.LEARNER
    shown = drawing is not None and drawing.deleted_at is None and by_learner
    return {
        "by_learner": by_learner,
        "text": message.text,
        "drawing": (drawing.reading.get("description") or _("A drawing")) if drawing is not None and shown else "",
        "html": "" if by_learner else to_html(message.text),
        "asked": any(card["kind"] == "question" for card in message.cards),
        "who": speaker_of(message.turn).label,
        "when": message.created_at,
    }


def _course(course: Course, rows: Iterable[Context], place: Membership) -> Context:
    return {"title": course.title, "rows": [row | {"answers_url": _row_url(row, place)} for row in rows]}


def _plans(place: Membership) -> Context:
    """Return the learner's goals, their last placement and their open gaps.

    Their own words about a goal stay private; the evidence of a gap is shown to those who may see answers.
    """
    with_words = place.classroom.policy.shows_answers
    placements = DiagnosticResult.objects.filter(learner_id=place.person_id).select_related("topic")
    rows = _aims_and_gaps(place.person_id)
    return {
        "goals": [{"title": row["title"], "since": row["aim__created_at"]} for row in rows if row["aim__created_at"]],
        "placement": placements.order_by("-pk").first(),
        "gaps": [_gap(row, with_words=with_words) for row in rows if row["gap__source"]],
    }


def _gap(row: Mapping[str, Any], *, with_words: bool) -> Context:
    return {
        "title": row["title"],
        "source": KnowledgeGap.Source(row["gap__source"]).label,
        "words": row["gap__words"] if with_words else "",
    }


def _aims_and_gaps(learner_id: int) -> Sequence[Mapping[str, Any]]:
    """Return the concepts that are the learner's goals or gaps, in course order; one query."""
    of_goals = Q(goals__learner_id=learner_id, goals__reached_at=None, goals__dropped_at=None)
    of_gaps = Q(knowledge_gaps__learner_id=learner_id, knowledge_gaps__resolved_at=None)
    rows = Concept.objects.annotate(
        aim=FilteredRelation("goals", condition=of_goals),
        gap=FilteredRelation("knowledge_gaps", condition=of_gaps),
    )
    found = rows.filter(Q(aim__isnull=False) | Q(gap__isnull=False)).order_by("course", "position")
    return list(found.values("title", "aim__created_at", "gap__source", "gap__words"))


def _row_url(row: Mapping[str, Any], place: Membership) -> str:
    """Return the URL of the answers on a row's concept; empty without any, and if the class does not show them."""
    concept: Concept = row["concept"]
    return answers_url(place, concept.course.slug, concept.slug) if row["mastery"].given else ""


def _suspected(place: Membership) -> list[MisconceptionState]:
    """Return what is or was suspected of the learner, with courses, the latest first."""
    states = MisconceptionState.objects.filter(learner_id=place.person_id)
    states = states.exclude(status=MisconceptionState.Status.NONE).select_related("course").defer("course__content")
    return list(states.order_by("-updated_at"))


def _reasons(
    place: Membership,
    met: Mapping[Course, Iterable[Context]],
    suspected: Sequence[MisconceptionState],
    contests: Mapping[int, Sequence[Contest]],
) -> list[ReasonLine]:
    """Return why the learner needs help, over the courses they have worked on."""
    places = {place.person_id: place} if place.classroom.policy.shows_answers else {}
    lately = [state for state in suspected if state.updated_at >= timezone.now() - RECENT_PERIOD] if places else []
    now, found, tallies = timezone.now(), dict[ReasonLine, None](), load_tallies([place.person_id])
    for course in met or Course.objects.listed_in(place.classroom)[:1]:
        states = [state for state in reversed(lately) if state.course_id == course.pk]
        needs = find_help_needs(
            [place],
            course,
            shown=filter_recent(states, places, since=now - RECENT_PERIOD),
            concepts=[cast("Concept", row["concept"]) for row in met.get(course, ())],
            tallies=tallies,
            contests=contests,
            now=now,
        )
        found |= dict.fromkeys(needs[place.person_id].lines)
    return list(found)


def _misconceptions(
    place: Membership, suspected: Sequence[MisconceptionState], contests: Sequence[Contest]
) -> list[Context]:
    """Return the misconceptions with evidence that a teacher may see, the latest first, with what was said against them."""
    ideas = [row for row in contests if row.about == Contest.About.IDEA]
    said = {(row.concept.course_id, row.misconception): row for row in sorted(ideas, key=lambda row: row.pk)}
    known = {state.pk: state.course.catalogue().misconceptions.get(state.misconception) for state in suspected}
    seen = {state.pk: visible_evidence(state, place)[:QUOTES_SHOWN] for state in suspected if known[state.pk]}
    keys = {(place.person_id, one.when) for each in seen.values() for one in each if not one.is_said}
    answers = find_answers(keys).by_time
    return [
        {
            "says": misconception.says,
            "status": state.status,
            "evidence": [_sign(trace, place, answers.get((place.person_id, trace.when))) for trace in seen[state.pk]],
            "contest": said.get((state.course_id, state.misconception)),
        }
        for state in suspected
        if (misconception := known[state.pk]) is not None and seen[state.pk]
    ]


def _sign(trace: VisibleEvidence, place: Membership, answer: FoundAnswer | None) -> Context:
    """Return one piece of evidence; an answer comes with its question, and where it is."""
    if trace.is_said or answer is None:
        return {"trace": trace, "question": "", "url": ""}
    url = answers_url(place, answer.course, answer.concept, attempt=answer.pk)
    return {"trace": trace, "question": answer.question, "url": url}


def _conversations(place: Membership) -> list[Context]:
    return [
        {
            "title": session.title or _("A conversation"),
            "when": session.updated_at,
            "url": reverse("class-conversation", args=[place.classroom.code, place.person_id, session.pk]),
        }
        for session in readable_sessions(place)[:CONVERSATIONS_SHOWN]
    ]
