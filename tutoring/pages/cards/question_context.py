"""Template contexts of a question's card, a mastery, and the evidence behind it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from conversations.web.markup import inline_to_html, to_html
from tutoring.courses.exercises import serialization
from tutoring.courses.exercises.exercise import is_written
from tutoring.courses.hint_ladder import WORKED_RUNG
from tutoring.courses.pictures import Picture, render_svg
from tutoring.document_courses.course_files import PASSAGE_LINK
from tutoring.mastery import knowledge_tracing, spaced_review
from tutoring.mastery.placement import MAX_QUESTIONS
from tutoring.mastery.records.reviews import Recall, recall_of
from tutoring.models import Attempt, Concept, Mastery, MasteryChange, Question
from tutoring.pages.cards import feedback
from tutoring.pages.cards.answer_counts import count_words
from tutoring.pages.cards.arrangements import answer_html, arrangement_context, choice_context
from tutoring.pages.cards.contest_context import contest_context
from tutoring.pages.cards.example_lines import OpenLine, open_line
from tutoring.pages.cards.manipulative_context import manipulative_context, movable_bars
from tutoring.pages.cards.named_values import order_of_names
from tutoring.pages.cards.program_context import program_context
from tutoring.pages.cards.raw_sql import load_attempts

type Level = Literal["none", "starting", "growing", "nearly", "mastered"]
type Context = dict[str, object]

GROWING_FROM, NEARLY_FROM = 0.45, 0.70
"""Mastery scores from which a concept counts as growing, and as nearly mastered."""
_LAST_LINE = re.compile(r"\n[\s\S]*")
CLEARLY_HARD, CLEARLY_EASY = -0.4, 0.4
"""Item offsets (logits) beyond which a question counts as hard or easy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChange:
    """How the last answer moved a mastery score."""

    before: float
    after: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteryFading:
    """The effect of time on a mastery, shown when the number is opened."""

    before: float
    """The score (0–1) after the last review, without forgetting."""
    recall: float
    """R (0–1): the chance that it is recalled today, if it was known."""
    today: float
    """The score (0–1) today: of P·R, the chance that it is known today."""
    since: datetime
    due: bool
    """Whether it is due for review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteryView:
    """A mastery with its evidence; `score` is None while there are too few answers for a number."""

    score: float | None
    """The score today: for a mastered concept, lowered by what is forgotten."""
    answers: int
    """Those that count toward the score."""
    given: int
    """All answers, with those that do not count: retries, and steps of a lesson."""
    enough: bool
    level: Level
    last_change: LastChange | None
    evidence_url: str
    fading: MasteryFading | None = None
    """Set only for a mastered concept."""

    @property
    def count_words(self) -> str:
        return count_words(given=self.given, counted=self.answers)

    @property
    def is_lowered(self) -> bool:
        """Whether forgetting lowers the score by what a page shows, one percent."""
        return self.fading is not None and round(self.fading.before * 100) > round(self.fading.today * 100)


def mastery_view(
    concept: Concept,
    row: Mastery | None,
    change: MasteryChange | None = None,
    *,
    kept: Recall | None = None,
    given: int = 0,
) -> MasteryView:
    """Return a learner's mastery of a concept, as pages show it.

    `change` is the latest one, with its attempt; `kept` is how well the concept is recalled, if it ever was mastered;
    `given` is how many answers there are in all, where that is at hand.
    """
    score, mastered = row.score if row else None, row is not None and row.is_mastered
    fading = _fading(row, kept) if row and kept and mastered else None
    return MasteryView(
        score=fading.today if fading else score,
        answers=row.answers if row else 0,
        given=max(given, row.answers if row else 0),
        enough=score is not None,
        level=level_of(score, mastered=mastered),
        last_change=_last_change(change) if change and score is not None else None,
        evidence_url=reverse("evidence", args=[concept.course.slug, concept.slug]),
        fading=fading,
    )


def _fading(row: Mastery, kept: Recall) -> MasteryFading:
    today = spaced_review.effective_probability(row.probability, kept.recall)
    return MasteryFading(
        before=knowledge_tracing.mastery_score(row.probability),
        recall=kept.recall,
        today=knowledge_tracing.mastery_score(today),
        since=kept.since,
        due=kept.due,
    )


def level_of(score: float | None, *, mastered: bool) -> Level:
    """Return the mastery level in a word, by the score; `none` while there are too few answers."""
    if score is None:
        return "none"
    if mastered:
        return "mastered"
    if score >= NEARLY_FROM:
        return "nearly"
    return "growing" if score >= GROWING_FROM else "starting"


def mastery_of(person: Person, concept: Concept) -> MasteryView:
    """Return the person's mastery of a concept, and why; four queries. The concept comes with its course."""
    row = Mastery.objects.filter(learner_id=person.pk, concept=concept).first()
    change = row.changes.select_related("attempt").order_by("-pk").first() if row else None
    given = Attempt.objects.filter(learner_id=person.pk, question__concept=concept).count()
    return mastery_view(concept, row, change, kept=recall_of(row), given=given)


def reference_score(probability: float) -> float:
    """Return a belief on the one scale that pages show: the expected accuracy on a reference question, 0–1."""
    return round(knowledge_tracing.mastery_score(probability), 4)


def difficulty_word(offset: float) -> str:
    """Return how hard a question has proved to be, in a word."""
    if offset <= CLEARLY_HARD:
        return _("hard")
    return _("easy") if offset >= CLEARLY_EASY else _("medium")


def _last_change(change: MasteryChange) -> LastChange:
    before, after = reference_score(change.before), reference_score(change.after)
    return LastChange(before=before, after=after, words=f"{_what_it_was(change)} {_moved_words(before, after)}")


def _what_it_was(change: MasteryChange) -> str:
    """Return in a sentence which answer changed the mastery."""
    if_right, if_wrong = _("The last answer was right."), _("The last answer wasn’t right.")
    if change.surprise is None:
        if_right = _("The last answer was right, but not on the first try.")
        if_wrong = _("The last answer was in a review, and it was wrong.")
    elif change.difficulty <= CLEARLY_HARD:
        if_right = _("The last question was hard, and the answer was right.")
        if_wrong = _("The last question was hard, and the answer wasn’t right.")
    elif change.difficulty >= CLEARLY_EASY:
        if_right = _("The last question was easy, and the answer was right.")
        if_wrong = _("The last question was easy, and the answer wasn’t right.")
    return if_right if change.attempt.correct else if_wrong


def _moved_words(before: float, after: float) -> str:
    """Return in a sentence what an answer did to a score, in whole percent."""
    numbers = {"before": f"{before:.0%}", "after": f"{after:.0%}"}
    if numbers["before"] == numbers["after"]:
        return _("The score stayed at %(after)s.") % numbers
    if after > before:
        return _("The score went up from %(before)s to %(after)s.") % numbers
    return _("The score went down from %(before)s to %(after)s.") % numbers


def question_context(
    question: Question,
    attempts: Sequence[Attempt] | None = None,
    *,
    typed: str | None = None,
    error: str = "",
) -> Context:
    """Return the card's context. `typed` is the text in the field instead of the last answer.

    While the question is open, it contains nothing of the key except the hints that were taken.
    """
    attempts = list(question.attempts.in_order()) if attempts is None else attempts
    last = attempts[-1] if attempts else None
    # What came after the question was closed is not an answer.
    answer = typed if typed is not None and question.is_open else _answer(last)
    noted = not question.is_open and not _is_solved(question)
    is_placing = question.purpose == Question.Purpose.PLACEMENT
    return {
        "id": str(question.pk),
        "url": reverse("answer", args=[question.pk]),
        "purpose": question.purpose,
        "number": question.number,
        "total": None if is_placing else question.public.get("total"),
        "from_before": question.public.get("from_before", False),
        "checks_claim": question.public.get("checks_claim", False),
        "at_most": (question.public.get("total") or MAX_QUESTIONS) if is_placing else None,
        "lead": _lead(question),
        "stem_html": to_html(question.stem, stacks=True),
        "title_html": inline_to_html(_LAST_LINE.sub("", question.stem.strip()), stacks=True),
        "result": _result(question, attempts),
        "own_words": question.public.get("own_words", False) and question.is_open,
        "picture_svg": picture_to_svg(picture := serialization.picture_from_json(question.public["picture"])),
        "movable": movable_bars(picture) if question.is_open else None,
        "manipulative": manipulative_context(board, answer) if (board := question.board) else None,
        "kind": question.kind,
        "order_of_names": order_of_names(names) if (names := question.key["answer"].get("names")) else "",
        "is_written": is_written(question.template),
        "choices": _choices(question, answer),
        **({"answer_html": answer_html(question, answer)} if noted else arrangement_context(question, answer, last)),
        "hints": _hints(question),
        "hints_used": question.hints_used,
        "can_hint": _can_hint(question, attempts),
        "state": _state(question),
        "answer": answer,
        **program_context(question, answer),
        "feedback": _feedback(question, attempts),
        # A placement's card says nothing about its answers; the page of all answers does.
        "contest": contest_context(last, question=question)
        if last and question.purpose != Question.Purpose.PLACEMENT
        else {},
        "idempotency_key": f"{question.pk.hex}-{len(attempts) + 1}",
        "error": error,
    }


def question_contexts(questions: Iterable[Question]) -> Mapping[str, Context]:
    """Return the contexts of several cards by the question's id, with one query for all attempts."""
    questions = list(questions)
    attempts: dict[object, list[Attempt]] = {question.pk: [] for question in questions}
    for attempt in load_attempts(questions):
        attempts[attempt.question_id].append(attempt)
    return {str(one.pk): question_context(one, attempts[one.pk]) for one in questions}


def _lead(question: Question) -> list[SafeString]:
    """Return what stands above the question: texts and pictures of the piece that asks it."""
    return [block_html(block) for block in serialization.lead_from_json(question.public)]


def block_html(block: str | Picture) -> SafeString:
    """Return a text or a picture of the course."""
    if isinstance(block, str):
        return to_html(block, stacks=True)
    return format_html('<div class="figure">{}</div>', picture_to_svg(block))


def _result(question: Question, attempts: Sequence[Attempt]) -> str:
    """Return in a few words how the question ended; empty while it is open."""
    if question.is_open:
        return ""
    last = attempts[-1] if attempts else None
    if question.status == Question.Status.ABANDONED:
        return _("skipped")
    if question.purpose == Question.Purpose.PLACEMENT:
        return _("noted")
    if last is None:
        return _("answered in your own words")
    if last.gave_up:
        return _("shown")
    if not last.correct:
        return _("not yet")
    if question.hints_used:
        return ngettext("right, after %(count)d hint", "right, after %(count)d hints", question.hints_used) % {
            "count": question.hints_used
        }
    if last.number > 1:
        return _("right on try %(number)d") % {"number": last.number}
    return _("right")


def _hints(question: Question) -> list[SafeString | Context]:
    """Return the hints taken; the solved twin with its picture, and with one line to complete while it is the latest."""
    taken = question.key["hints"][: question.hints_used]
    shown: list[SafeString | Context] = [to_html(hint, stacks=True) for hint in taken]
    if len(taken) < WORKED_RUNG:
        return shown
    drawn = picture_to_svg(serialization.picture_from_json(question.key.get("twin_picture")))
    figure = format_html('<div class="figure">{}</div>', drawn) if drawn else mark_safe("")
    example = taken[WORKED_RUNG - 1]
    asked = open_line(example) if question.is_open and len(taken) == WORKED_RUNG else None
    whole = format_html("{}{}", figure, to_html(example, stacks=True))
    shown[WORKED_RUNG - 1] = _line_context(question, asked, figure=figure) if asked else whole
    return shown


def _line_context(question: Question, asked: OpenLine, *, figure: SafeString) -> Context:
    """Return the worked example with its open line, and what came of the tries at it."""
    kept = question.public.get("line", {})
    is_done = kept.get("done", False)
    return {
        "figure": figure,
        "lines": [to_html(line, stacks=True) for line in asked.lines],
        "before": inline_to_html(asked.before, stacks=True),
        "after": inline_to_html(asked.after, stacks=True),
        "value": asked.value if is_done else "",
        "typed": kept.get("typed", ""),
        "said": _line_verdict(kept),
        "rest": [to_html(line, stacks=True) for line in asked.rest] if is_done else [],
    }


def _line_verdict(kept: Mapping[str, Any]) -> str:
    if not kept:
        return ""
    if kept["right"]:
        return _("Right. Now do the same with your question.")
    if kept["done"]:
        return _("I’ve filled in the line for you. Now do the same with your question.")
    return _("Not yet. Look at the lines above, and try once more.")


def picture_to_svg(picture: Picture | None) -> SafeString | None:
    """Return the picture's own, safe SVG."""
    return mark_safe(render_svg(picture)) if picture else None


def _answer(last: Attempt | None) -> str:
    """Return what was answered last; for a choice its letters, however they were typed."""
    return (" ".join(last.judgement["chosen"]) or last.answer) if last else ""


def _choices(question: Question, answer: str) -> list[Context]:
    if question.kind not in ("choice", "multi"):
        return []
    chosen = answer.replace(",", " ").split()
    key = question.key["answer"]
    right = list(key.get("right", ())) if _is_solved(question) else []
    return [
        choice_context(choice) | {"checked": choice["letter"] in chosen, "right": choice["letter"] in right}
        for choice in question.public["choices"]
    ]


def _can_hint(question: Question, attempts: Sequence[Attempt]) -> bool:
    return (
        question.is_open
        and question.hints_used < len(question.key["hints"])
        and len(attempts) > question.hinted_at_attempt
    )


def _state(question: Question) -> Literal["open", "answered", "closed"]:
    if question.is_open:
        return "open"
    return "answered" if question.status == Question.Status.ANSWERED else "closed"


def _is_solved(question: Question) -> bool:
    """Tell whether the card shows the solution, with the answer judged or the question given up.

    A placement only finds where to start: its answers are noted. An abandoned question may be opened again.
    """
    return question.status == Question.Status.ANSWERED and question.purpose != Question.Purpose.PLACEMENT


def _feedback(question: Question, attempts: Sequence[Attempt]) -> Context | None:
    """Return what the card says about the last attempt; with the solution once the question is closed."""
    if not attempts:
        return None
    last = attempts[-1]
    if question.purpose == Question.Purpose.PLACEMENT:
        return {"verdict": "noted", "title": _("Noted."), "text": "", "html": ""}
    if not last.correct:
        text = _after_wrong(question, attempts)
    else:
        text = "\n\n".join(question.key["solution"]) if question.public.get("lead") else _passage(question)
    title = (
        feedback.verdict_title(last, question.kind)
        if question.is_open or last.correct or last.gave_up
        else _("Not quite.")
    )
    return {"verdict": last.verdict, "title": title, "text": text, "html": to_html(text, stacks=True)}


def _passage(question: Question) -> str:
    """Return the lines of the solution that lead to the passage of a document; empty for other questions."""
    return "\n\n".join(line for line in question.key["solution"] if PASSAGE_LINK.search(line))


def _not_there_yet(attempts: Sequence[Attempt]) -> str:
    """Return what to do about a wrong answer of which nothing is known; not the same words twice in a row."""
    if len(attempts) % 2:
        return _("Check your answer against the question, or ask for a hint.")
    return _("Read the question once more, word by word. A hint can help, too.")


def _after_wrong(question: Question, attempts: Sequence[Attempt]) -> str:
    """Return what is right in a wrong answer and the idea behind it; the solution instead of the former once closed."""
    if not question.is_open and not _is_solved(question):
        return feedback.abandoned_text()
    last = attempts[-1]
    if feedback.is_repeated(attempts):
        return feedback.repeated_text(last, question) if question.is_open else "\n\n".join(question.key["solution"])
    idea = feedback.idea_behind(last, question, alone=question.session_id is None)
    if not question.is_open and any(last.misconceptions == each.misconceptions for each in attempts[:-1]):
        idea = ""  # An earlier attempt was told it.
    idea = feedback.choice_reply(last, question) or idea
    if question.is_open:
        look = feedback.next_look(last, key=question.key["answer"])
        told = ("\n\n" if question.kind == "code" else " ").join(filter(None, (look, idea)))
        return told or feedback.step_text(last, question) or _not_there_yet(attempts)
    return "\n\n".join(filter(None, (idea, *question.key["solution"])))
