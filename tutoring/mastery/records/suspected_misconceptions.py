"""Updates of a learner's suspected misconceptions by answers and words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from django.utils import timezone

from tutoring.courses.wrong_answers import WrongAnswer
from tutoring.mastery import misconception_evidence
from tutoring.mastery.misconception_evidence import DEFAULT_BASE_RATE, Suspicion
from tutoring.models import Attempt, Course, MisconceptionState, Question

# Enough to take evidence back and to show where a suspicion comes from.
EVIDENCE_KEPT = 20
QUOTE_LENGTH = 300
ONE_DAY = timedelta(days=1)
WORD_SOURCES = ("utterance", "explanation", "classified")
"""Sources of evidence in words, not in graded answers."""
SUPPORTING_SOURCES = ("utterance", "classified")
"""Those that support a misconception."""

ANSWER_SOURCES = ("malrule", "distractor", "likeness")
"""Those that come from a wrong answer."""

type Source = Literal["malrule", "distractor", "likeness", "right_answer", "utterance", "explanation", "classified"]


def suspicions_of(learner_id: int, course: Course, *, at: datetime | None = None) -> dict[str, Suspicion]:
    """Return a learner's suspicions in a course at `at` (default: now), by misconception."""
    rows = MisconceptionState.objects.filter(learner_id=learner_id, course=course)
    return _aged(rows, course=course, at=at or timezone.now())


def weigh_answer(attempt: Attempt, *, question: Question, earlier: Sequence[Attempt]) -> None:
    """Apply an attempt: two queries, none for an exercise on which no misconception shows.

    The same wrong answer twice is one piece of evidence, and a right one speaks only where nobody helped. A wrong answer
    that nothing explains is compared with those that the course labels.
    """
    matching = attempt.misconceptions
    could_match = sorted({one for ids in question.key["wrong"].values() for one in ids})
    repeated = any(before.answer == attempt.answer for before in earlier)
    if attempt.verdict == "wrong" and not (repeated or matching or question.public["choices"]):
        _weigh_likeness(attempt, question=question, explained=could_match)
    if repeated or not (matching or (attempt.correct and not attempt.assisted and could_match)):
        return
    source: Literal["malrule", "distractor"] = "distractor" if question.public["choices"] else "malrule"
    change = _MisconceptionUpdate(
        learner_id=attempt.learner_id,
        course=question.concept.course,
        ids=could_match if attempt.correct else matching,
        at=attempt.created_at,
    )
    after = misconception_evidence.weigh_answer(
        change.before,
        matching=matching,
        could_match=could_match,
        correct=attempt.correct,
        source=source,
        base_rates=change.base_rates,
    )
    change.store(
        after,
        turn_id=str(question.turn_id or ""),
        quote=question.shown(attempt.answer),
        source="right_answer" if attempt.correct else source,
    )


def _weigh_likeness(attempt: Attempt, *, question: Question, explained: Collection[str]) -> None:
    """Apply the similarity to labelled answers, except for misconceptions with a known answer to this exercise."""
    course, concept = question.concept.course, question.concept.slug
    here = frozenset(each.id for each in course.catalogue().misconceptions.values() if concept in each.concepts)
    wrong = WrongAnswer(question=question.stem, answer=attempt.answer)
    near = next(iter(course.wrong_answers().nearest(wrong, among=here)), None)
    if near is None or near.confidence < misconception_evidence.LIKELY or near.id in explained:
        return
    change = _MisconceptionUpdate(learner_id=attempt.learner_id, course=course, ids=[near.id], at=attempt.created_at)
    after = misconception_evidence.weigh_likeness(
        change.before, misconception=near.id, chance=near.confidence, base_rates=change.base_rates
    )
    turn_id, quote = str(question.turn_id or ""), question.shown(attempt.answer)
    change.store(after, turn_id=turn_id, quote=quote, source="likeness")


def weigh_utterance(*, learner_id: int, course: Course, ids: Sequence[str], quote: str, turn_id: str) -> None:
    """Apply words that match patterns of `ids`, except those already applied in this turn."""
    change = _MisconceptionUpdate(learner_id=learner_id, course=course, ids=ids, at=timezone.now())
    fresh = change.not_from(turn_id, source="utterance")
    after = misconception_evidence.weigh_utterance(change.before, fresh, base_rates=change.base_rates)
    change.store({one: after[one] for one in fresh}, turn_id=turn_id, quote=quote, source="utterance")


def weigh_classified(
    *, learner_id: int, course: Course, misconception: str, confidence: float, quote: str, turn_id: str
) -> None:
    """Apply a side agent's judgement of a turn's words, unless patterns were applied to the same words."""
    change = _MisconceptionUpdate(learner_id=learner_id, course=course, ids=[misconception], at=timezone.now())
    if not set(change.not_from(turn_id, source="utterance")) & set(change.not_from(turn_id, source="classified")):
        return
    after = misconception_evidence.weigh_classified(
        change.before, misconception=misconception, confidence=confidence, base_rates=change.base_rates
    )
    change.store({misconception: after[misconception]}, turn_id=turn_id, quote=quote, source="classified")


def weigh_explanation(*, learner_id: int, course: Course, ids: Sequence[str], quote: str, turn_id: str) -> None:
    """Apply a right explanation of the corrective ideas of `ids`; once per turn."""
    change = _MisconceptionUpdate(learner_id=learner_id, course=course, ids=ids, at=timezone.now())
    fresh = change.not_from(turn_id, source="explanation")
    after = misconception_evidence.weigh_explanation(change.before, fresh, base_rates=change.base_rates)
    change.store({one: after[one] for one in fresh}, turn_id=turn_id, quote=quote, source="explanation")


def retract_words(learner_id: int, *, turn_ids: Collection[str]) -> None:
    """Undo the effect of words in these turns; answers stay, since they are evidence."""
    for row in MisconceptionState.objects.filter(learner_id=learner_id):
        if any(_is_of(piece, turn_ids) for piece in row.evidence):
            for place in reversed(range(len(row.evidence))):
                if _is_of(row.evidence[place], turn_ids):
                    _take_out(row, place)
            row.save()


def retract_answer(attempt: Attempt) -> None:
    """Undo the effect of a wrong answer, which is left out; the attempt comes with its question."""
    turn_id, quote = str(attempt.question.turn_id or ""), attempt.question.shown(attempt.answer)[:QUOTE_LENGTH]
    rows = MisconceptionState.objects.select_for_update().filter(
        learner_id=attempt.learner_id, course_id=attempt.question.concept.course_id
    )
    for row in rows:
        places = [place for place, piece in enumerate(row.evidence) if _is_answer(piece, turn_id, quote)]
        for place in reversed(places):
            _take_out(row, place)
        if places:
            row.save()


def retract_misconception(*, learner_id: int, course: Course, misconception: str, turn_id: str) -> list[str]:
    """Undo the effect of a turn's words on one misconception; return their sources, to restore them later."""
    row = MisconceptionState.objects.filter(learner_id=learner_id, course=course, misconception=misconception).first()
    sources = []
    for place in reversed(range(len(row.evidence) if row else 0)):
        assert row is not None
        piece = row.evidence[place]
        if piece["source"] in SUPPORTING_SOURCES and piece["turn_id"] == turn_id:
            sources.append(piece["source"])
            _take_out(row, place)
            row.save()
    return sources


def clear_suspicion(learner_id: int, course: Course, misconception: str) -> None:
    """Forget a suspicion with its evidence, after a teacher agreed that it is wrong; new answers can raise it again."""
    rows = MisconceptionState.objects.select_for_update()
    row = rows.filter(learner_id=learner_id, course=course, misconception=misconception).first()
    if row is not None:
        rate = _base_rates(course, [misconception])[misconception]
        row.take(misconception_evidence.first_suspicion(misconception, rate), at=timezone.now())
        row.evidence = []
        row.save()


_KEPT = ("odds", "status", "resolving", "explained", "noticed", "evidence")
"""What a snapshot holds of a misconception, beside its time."""


def snapshot(learner_id: int, course_id: int) -> dict[str, dict[str, Any]]:
    """Return all that is stored of a learner's misconceptions in a course, by misconception."""
    return snapshots([learner_id], course_id)[learner_id]


def snapshots(learner_ids: Iterable[int], course_id: int) -> dict[int, dict[str, dict[str, Any]]]:
    """Return the snapshots of several learners, by their keys; one query."""
    found: dict[int, dict[str, dict[str, Any]]] = {each: {} for each in learner_ids}
    for row in MisconceptionState.objects.filter(learner_id__in=found, course_id=course_id):
        kept = {name: getattr(row, name) for name in _KEPT}
        found[row.learner_id][row.misconception] = kept | {"updated_at": row.updated_at.isoformat()}
    return found


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the misconceptions that differ between two snapshots: `{misconception, before, after}`."""
    return [
        {"misconception": one, "before": was, "after": after.get(one)}
        for one, was in before.items()
        if was != after.get(one)
    ]


def restore(learner_id: int, course_id: int, touched: Iterable[Mapping[str, Any]]) -> None:
    """Put misconceptions back as they were before a change, except those that something has changed since."""
    now = snapshot(learner_id, course_id)
    rows = MisconceptionState.objects.filter(learner_id=learner_id, course_id=course_id)
    for each in touched:
        if now.get(each["misconception"]) == each["after"]:
            was = dict(each["before"])
            rows.filter(misconception=each["misconception"]).update(
                **was | {"updated_at": datetime.fromisoformat(was["updated_at"])}
            )


def restore_misconception(
    *,
    learner_id: int,
    course: Course,
    misconception: str,
    turn_id: str,
    sources: Collection[str],
    quote: str,
    confidence: float,
) -> None:
    """Apply a turn's words again after they were taken back."""
    if "utterance" in sources:
        weigh_utterance(learner_id=learner_id, course=course, ids=[misconception], quote=quote, turn_id=turn_id)
    if "classified" in sources:
        weigh_classified(
            learner_id=learner_id,
            course=course,
            misconception=misconception,
            confidence=confidence,
            quote=quote,
            turn_id=turn_id,
        )


def _is_of(piece: Mapping[str, Any], turn_ids: Collection[str]) -> bool:
    return piece["source"] in WORD_SOURCES and piece["turn_id"] in turn_ids


def _is_answer(piece: Mapping[str, Any], turn_id: str, quote: str) -> bool:
    return piece["source"] in ANSWER_SOURCES and piece["turn_id"] == turn_id and piece["quote"] == quote


def _take_out(row: MisconceptionState, place: int) -> None:
    """Remove a piece of evidence: the last one by restoring the state before, an earlier one by its odds ratio."""
    piece = row.evidence[place]
    later = row.evidence[place + 1] if place + 1 < len(row.evidence) else None
    row.evidence = [*row.evidence[:place], *row.evidence[place + 1 :]]
    if "was" not in piece:
        return
    was = Suspicion(id=row.misconception, **piece["was"])
    if later is None:
        row.take(was, at=datetime.fromisoformat(piece["at"]))
    elif "was" in later:
        ratio = was.odds / later["was"]["odds"]
        row.take(misconception_evidence.scale_suspicion(row.suspicion(), ratio), at=row.updated_at)


def _suspicion_to_json(suspicion: Suspicion) -> dict[str, Any]:
    """Return a suspicion in its stored form, for undo."""
    return {name: getattr(suspicion, name) for name in ("odds", "resolving", "explained", "noticed")}


class _MisconceptionUpdate:
    """Some misconception rows of a learner: read once, changed, written once."""

    def __init__(self, *, learner_id: int, course: Course, ids: Collection[str], at: datetime) -> None:
        self._learner_id, self._course, self._ids, self._at = learner_id, course, ids, at
        rows = MisconceptionState.objects.filter(learner_id=learner_id, course=course, misconception__in=ids)
        self._rows = {row.misconception: row for row in rows}
        self.base_rates = _base_rates(course, ids)
        self.before: Mapping[str, Suspicion] = _aged(self._rows.values(), course=course, at=at)

    def not_from(self, turn_id: str, *, source: Source) -> list[str]:
        """Return the misconceptions that have no evidence of this source from the turn yet."""
        return [
            one
            for one in self._ids
            if one not in self._rows
            or not any(e["turn_id"] == turn_id and e["source"] == source for e in self._rows[one].evidence)
        ]

    def store(self, after: Mapping[str, Suspicion], *, turn_id: str, quote: str, source: Source) -> None:
        """Write the changed rows with their new evidence in one statement."""
        piece = {"turn_id": turn_id, "quote": quote[:QUOTE_LENGTH], "source": source, "at": self._at.isoformat()}
        changed: list[MisconceptionState] = []
        for one in self._ids:
            if one not in after:
                continue
            row = self._rows.get(one) or MisconceptionState(
                learner_id=self._learner_id, course=self._course, misconception=one
            )
            was = self.before.get(one) or misconception_evidence.first_suspicion(one, self.base_rates[one])
            row.take(after[one], at=self._at)
            row.evidence = [*row.evidence, piece | {"was": _suspicion_to_json(was)}][-EVIDENCE_KEPT:]
            changed.append(row)
        MisconceptionState.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["learner", "course", "misconception"],
            update_fields=["odds", "status", "resolving", "explained", "noticed", "evidence", "updated_at"],
        )


def _aged(rows: Iterable[MisconceptionState], *, course: Course, at: datetime) -> dict[str, Suspicion]:
    rows = list(rows)
    rates = _base_rates(course, [row.misconception for row in rows])
    return {
        row.misconception: misconception_evidence.decay_suspicion(
            row.suspicion(), days=(at - row.updated_at) / ONE_DAY, base_rate=rates[row.misconception]
        )
        for row in rows
    }


def _base_rates(course: Course, ids: Iterable[str]) -> dict[str, float]:
    """Return the base rate of each misconception in its course; the default for one that the course dropped."""
    known = course.catalogue().misconceptions
    return {one: known[one].base_rate if one in known else DEFAULT_BASE_RATE for one in ids}
