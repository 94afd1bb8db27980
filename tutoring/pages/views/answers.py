"""Views for the posts of a question's card: an answer, a hint request, "I know this", "I don't know", or "skip"."""

import asyncio
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from asgiref.sync import sync_to_async
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.conf import agent_settings
from agents.storage.transactions import rerun_after_inference
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.models import Session, Turn
from conversations.owners import lock_owner
from conversations.turns import fault_injection
from conversations.turns.begin import AcceptedTurn, begin_turn
from conversations.turns.supervisor import supervisor
from conversations.web import error_responses
from tutoring.access import question_for
from tutoring.courses.hint_ladder import WORKED_RUNG
from tutoring.grading.verdicts import unreadable_code
from tutoring.mastery.records.progress import QuestionClosed, RecordedAnswer, give_up, record_attempt, take_hint
from tutoring.models import Attempt, Question
from tutoring.pages.cards import feedback
from tutoring.pages.cards.example_lines import check_line, open_line
from tutoring.pages.cards.question_context import question_context
from tutoring.pages.contexts import reviews
from tutoring.pages.forms.answer_form import answer_fields, wants_json
from tutoring.pages.views.requests import LearnerRequest
from tutoring.roles.wording.unreadable_answers import unreadable_reason
from tutoring.safety import incidents
from tutoring.understanding.concerns import detector
from tutoring.understanding.context import Prompt
from tutoring.understanding.message_analysis import ConcernSignal as ConcernRead
from tutoring.understanding.replies.answers import IN_SENTENCES, value_of_sentence

LINE_LENGTH: Final = 40
"""Letters of a completed line that are kept."""
REPLY_WAIT_S: Final = 8.0
"""How long a form that was sent without scripts waits for the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedCard:
    """The result of a post: the question as it is now, and what is said about it."""

    question: Question
    rejection: Rejection | None = None
    note: str = ""
    """Words instead of a hint."""
    typed: str | None = None
    """The text that stays in the field, to be corrected."""
    accepted: AcceptedTurn | None = None
    """The turn in which the team responds to the answer, if one starts."""


@require_POST
async def answer(request: LearnerRequest, pk: str) -> HttpResponse:
    response, accepted = await sync_to_async(answer_core)(request, pk)
    if accepted is not None:
        fault_injection.kill_point("after_accept")
        supervisor.start(accepted)
        if not (request.headers.get("HX-Request") or wants_json(request)):
            await _wait_for_reply(accepted)
    return response


async def _wait_for_reply(accepted: AcceptedTurn) -> None:
    """Wait a while for what the team replies: a page without scripts shows it only when it is loaded."""
    with suppress(TimeoutError):
        async with asyncio.timeout(REPLY_WAIT_S):
            await supervisor.finished(accepted.turn.pk)


def answer_core(request: LearnerRequest, pk: str) -> tuple[HttpResponse, AcceptedTurn | None]:
    """Do what was posted; return the card, and the turn to start if the team responds."""
    if not request.user.is_authenticated:
        return _sign_in(request), None
    try:
        question = question_for(request.user, pk)
    except Http404:
        if wants_json(request):
            return _refused(request, rejections.not_found()), None
        raise
    card = _act(request, question)
    return (_as_json if wants_json(request) else _as_html)(request, card), card.accepted


def _act(request: LearnerRequest, question: Question) -> PostedCard:
    typed = None
    try:
        fields = answer_fields(request)
        typed = fields["answer"]
        match fields["action"]:
            case "hint":
                return _take_hint(question, typed=typed)
            case "stuck":
                return _help_on(question, typed=typed)
            case "line":
                return _check_line(request, question, typed=typed, key=fields["idempotency_key"])
            case "skip":
                return _skip(request, question, key=fields["idempotency_key"])
            case "known":
                return _say_known(request, question, key=fields["idempotency_key"])
            case action:
                return _record_answer(request, question, answer=typed, gives_up=action == "give_up", fields=fields)
    except Rejection as rejection:
        # The question's state now, not when the page was drawn.
        return PostedCard(question=question_for(request.user, str(question.pk)), rejection=rejection, typed=typed)


def _take_hint(question: Question, *, typed: str) -> PostedCard:
    hint = take_hint(question)
    question.refresh_from_db(fields=["hints_used", "hinted_at_attempt"])
    return PostedCard(question=question, note="" if hint.rung else hint.text, typed=typed)


def _help_on(question: Question, *, typed: str) -> PostedCard:
    """Give whoever is stuck a hint, and after one the worked example; no try is needed."""
    hint = take_hint(question, tried=True, at_least=WORKED_RUNG if question.hints_used else 0)
    question.refresh_from_db(fields=["hints_used", "hinted_at_attempt"])
    return PostedCard(question=question, note="" if hint.rung else hint.text, typed=typed)


def _check_line(request: LearnerRequest, question: Question, *, typed: str, key: str) -> PostedCard:
    """Check the line of the worked example that the learner completed; it is no try at the question."""
    if found := detector.find_concern(typed):
        return _care_reply(request, question, found, said=typed, key=key)
    example = open_line(question.key["hints"][WORKED_RUNG - 1]) if question.hints_used == WORKED_RUNG else None
    if example is not None and question.is_open and typed.strip():
        question.public = question.public | {"line": check_line(question.public, example, typed[:LINE_LENGTH])}
        question.save(update_fields=["public"])
    return PostedCard(question=question)


def _skip(request: LearnerRequest, question: Question, *, key: str) -> PostedCard:
    """Say that the question is skipped, as the button beside the composer does."""
    if question.session is None:
        raise rejections.invalid("action", _("Only questions in a lesson can be skipped."))
    said_in = uuid.uuid5(question.pk, f"skip-{key}")
    accepted = begin_turn(
        owner=request.user, session_key=question.session.key, text="Skip", client_id=f"skip-{said_in}"
    )
    return PostedCard(question=question, accepted=accepted)


def _say_known(request: LearnerRequest, question: Question, *, key: str) -> PostedCard:
    """Say "I know this" for the learner, to a question of a placement: the team decides what follows from it."""
    if question.session is None or question.purpose != Question.Purpose.PLACEMENT:
        raise rejections.invalid(
            "action", _("Only the questions that find your starting point can be skipped this way.")
        )
    if not question.is_open:
        raise QuestionClosed
    said_in = uuid.uuid5(question.pk, key)
    accepted = begin_turn(
        owner=request.user, session_key=question.session.key, text="I know this", client_id=f"known-{said_in}"
    )
    return PostedCard(question=question, accepted=accepted)


@rerun_after_inference
def _record_answer(
    request: LearnerRequest, question: Question, *, answer: str, gives_up: bool, fields: dict[str, str]
) -> PostedCard:
    """Record the answer and begin the turn that responds to it: both or neither."""
    key = fields["idempotency_key"]
    if found := None if gives_up else detector.find_concern(answer):
        return _care_reply(request, question, found, said=answer, key=key)
    if question.kind in IN_SENTENCES and not gives_up:
        asked = Prompt(id=str(question.pk), kind="question", text=question.stem, instance=question.instance())
        answer = value_of_sentence(answer, asked)
    with transaction.atomic():
        # Locked in the same order as a turn does (person, session, question): two tabs never deadlock.
        lock_owner(request.user)
        refuse_too_many(request)
        if question.session_id is not None:
            Session.objects.select_for_update().get(pk=question.session_id)
        if gives_up:
            recorded = give_up(question, learner=request.user, idempotency_key=key)
        else:
            recorded = record_attempt(question, learner=request.user, answer=answer, idempotency_key=key)
        if recorded.attempt is None:
            raise rejections.invalid("answer", unreadable_reason(unreadable_code(recorded.judgement), question.kind))
        session = question.session
        accepted = _begin_answer_turn(request, recorded, recorded.attempt, session=session) if session else None
        if session is None:
            _give_hint_alone(recorded.question, recorded.attempt)
    # Responding to the answer may have given a hint.
    recorded.question.refresh_from_db(fields=["hints_used", "hinted_at_attempt"])
    recorded.question.session = question.session
    return PostedCard(question=recorded.question, accepted=accepted)


def _give_hint_alone(question: Question, attempt: Attempt) -> None:
    """Give the hint that a wrong answer earns where no tutor replies, unless the card names the idea behind the answer."""
    if attempt.correct or not question.is_open or attempt.verdict == "equivalent_not_in_form":
        return
    if attempt.number > 1 or not feedback.idea_behind(attempt, question, alone=True):
        take_hint(question)


def _care_reply(request: LearnerRequest, question: Question, found: ConcernRead, *, said: str, key: str) -> PostedCard:
    """Treat the text as a message to the team and judge nothing; on a page of its own, the reply is on the card."""
    said_in = uuid.uuid5(question.pk, key)
    if question.session is None:
        return PostedCard(question=question, note=incidents.reply_to_answer(request.user, found, said_in=said_in))
    accepted = begin_turn(owner=request.user, session_key=question.session.key, text=said, client_id=f"said-{said_in}")
    return PostedCard(question=question, accepted=accepted)


def _begin_answer_turn(
    request: LearnerRequest, recorded: RecordedAnswer, attempt: Attempt, *, session: Session
) -> AcceptedTurn:
    """Begin the turn of an answer; the first one if the answer was sent before."""
    return begin_turn(
        owner=request.user,
        session_key=session.key,
        text=recorded.question.shown_as_markdown(attempt.answer) or _("I don’t know"),
        client_id=f"answer-{attempt.pk}",
        kind=Turn.Kind.ANSWER,
        payload={"attempt": attempt.pk, "question": str(recorded.question.pk)},
    )


def refuse_too_many(request: LearnerRequest) -> None:
    """Raise Rejection 429 for more answers in a minute than the site allows."""
    limit = agent_settings().cards_per_minute
    now = timezone.now()
    # Bounded above too: answers given while a clock was fast must not count until that day comes.
    minute = Attempt.objects.filter(
        learner_id=request.user.pk, created_at__gt=now - timedelta(minutes=1), created_at__lte=now
    )
    if limit and minute.count() >= limit:
        raise rejections.rate_limited(
            _("Too many answers in the last minute. Wait a moment, then try again."), retry_after_s=30
        )


def _as_html(request: LearnerRequest, card: PostedCard) -> HttpResponse:
    rejection = card.rejection
    is_htmx = bool(request.headers.get("HX-Request"))
    if rejection is None and not card.note and not is_htmx:
        return redirect(f"{_page_of(card.question)}#question-{card.question.pk}")
    context = question_context(card.question, typed=card.typed, error=rejection.message if rejection else card.note)
    template = "tutoring/question.html#question" if is_htmx else "tutoring/question_page.html"
    # A conflict is shown on the card, which then shows the question's current state.
    status = (422 if rejection.status == 409 else rejection.status) if rejection else 200
    surroundings = {
        "session": card.question.session,
        "concept": card.question.concept,
        "review": reviews.review_follow_up(request.user, card.question),
    }
    response = render(request, template, {"question": context, **surroundings}, status=status)
    return _with_retry(response, rejection)


def _page_of(question: Question) -> str:
    """Return the page of the question: its conversation, or a page of its own."""
    if question.session is not None:
        return question.session.get_absolute_url()
    return reverse("review-question", args=[question.pk])


def _as_json(request: LearnerRequest, card: PostedCard) -> HttpResponse:
    if card.rejection is not None:
        return _refused(request, card.rejection)
    question, last = card.question, card.question.attempts.order_by("-number").first()
    context = question_context(question)
    return JsonResponse(
        {
            "question": str(question.pk),
            "verdict": last.verdict if last else None,
            "score": last.score if last else None,
            "state": context["state"],
            "feedback": context["feedback"],
            "hints": question.key["hints"][: question.hints_used],
            "note": card.note,
            "turn_id": str(card.accepted.turn.pk) if card.accepted else None,
        }
    )


def _refused(request: LearnerRequest, rejection: Rejection) -> HttpResponse:
    return _with_retry(error_responses.rejection_response(request, rejection), rejection)


def _with_retry(response: HttpResponse, rejection: Rejection | None) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    if rejection is not None and rejection.retry_after_s is not None:
        response["Retry-After"] = str(rejection.retry_after_s)
    return response


def _sign_in(request: LearnerRequest) -> HttpResponse:
    """Return the way to sign in; a program, or a page that swaps a card, gets a 401 instead."""
    if wants_json(request) or request.headers.keys() & {"Authorization", "Hx-Request"}:
        return _refused(request, rejections.unauthenticated())
    return redirect_to_login(reverse("home"))
