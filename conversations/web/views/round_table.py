"""Views of the round table: its start, the table itself, and what can be done with one that has ended."""

import re
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.rollout.flags import is_enabled
from agents.rollout.known_flags import ROUND_TABLE
from agents.wire.rejections import Rejection
from conversations import access, validators
from conversations.models import TEXT_MAX_LENGTH, Collaborator, Turn
from conversations.owners import Owner
from conversations.round_table import continuation, remarks, start
from conversations.round_table.estimate import Estimate, estimate
from conversations.round_table.figures.over_time import own_cost
from conversations.round_table.preparation import is_round_table
from conversations.round_table.roster import collaborators_for, seat_of, table_limits
from conversations.round_table.selection import select
from conversations.turns import whole_turns
from conversations.turns.begin import AcceptedTurn
from conversations.turns.supervisor import supervisor
from conversations.web.model_status import cost_words
from conversations.web.round_table_export import as_markdown
from conversations.web.round_table_page import TablePage, table_page

START_PAGE: Final = "conversations/round_table_start.html"
PAGE: Final = "conversations/round_table.html"
STRATEGIES: Final = ("skip", "retry", "abort")
ROUNDS_AT_FIRST: Final = 3
OWN_ID = re.compile(r"[0-9a-f]{32}")
SMALL_NUMBER = re.compile(r"[0-9]{1,3}")

type Begin = Callable[[], AcceptedTurn]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
async def start_table(request: HttpRequest) -> HttpResponse:
    """Ask what the table is about and who sits there; a POST starts it and leads there."""
    person = await request.auser()
    if request.method != "POST" or request.POST.get("choose") == "yes":
        return await sync_to_async(_start_page)(request, person)
    try:
        begin = await sync_to_async(_checked_start)(request, person)
        accepted = await whole_turns.start_turn(begin)
    except Rejection as rejection:
        return await sync_to_async(_start_page)(request, person, rejection=rejection)
    return redirect("table", accepted.turn.pk)


@login_required
@require_safe
def table(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Show a table as far as it is: one that still runs goes on over the page's socket."""
    return _table_page(request, own_table(request, table))


@login_required
@require_POST
async def stop(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Stop a table; what was said stays. One that has ended is left as it is."""
    turn = await sync_to_async(own_table)(request, table)
    if turn.is_open:
        await supervisor.stop_anywhere(turn.pk)
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect("table", turn.pk)


@login_required
@require_POST
async def say(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Keep what the learner says while the table runs; the next round takes it up."""
    turn, person = await sync_to_async(own_table)(request, table), await request.auser()
    sent, is_part = request.POST.get("client_id", ""), "HX-Request" in request.headers
    own_id = sent if OWN_ID.fullmatch(sent) else uuid.uuid4().hex
    try:
        said = await remarks.say(person, turn.pk, text=request.POST.get("text", ""), client_id=own_id)
    except Rejection as rejection:
        if is_part:
            return render(request, f"{PAGE}#problem", {"error": rejection}, status=422)
        return await sync_to_async(_table_page)(request, turn, rejection=rejection)
    if isinstance(said, Turn):
        place = said.session.get_absolute_url()
        return HttpResponse(status=204, headers={"HX-Redirect": place}) if is_part else redirect(place)
    return await sync_to_async(_said_part)(request, turn) if is_part else redirect("table", turn.pk)


def _said_part(request: HttpRequest, turn: Turn) -> HttpResponse:
    """Return an empty field for the next remark, and all that was said, should the page's socket be gone."""
    page = _read(turn, request.user)
    problem = render(request, f"{PAGE}#problem", {})
    field = render(request, f"{PAGE}#say", {"table": page, "turn": turn, "oob": True})
    return HttpResponse(problem.content + field.content + page.remarks_html().encode())


@login_required
@require_POST
async def go_on(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Hold one more round, with the voices chosen and on what the learner says."""
    return await _followed_up(request, table, _checked_go_on)


@login_required
@require_POST
async def settle(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Have two voices sort out one point in one round."""
    return await _followed_up(request, table, _checked_settlement)


@login_required
@require_safe
def export(request: HttpRequest, table: uuid.UUID) -> HttpResponse:
    """Send the table as a Markdown file: the rounds, and what it came to."""
    page = _read(own_table(request, table), request.user)
    response = HttpResponse(as_markdown(page), content_type="text/markdown; charset=utf-8")
    name = f"round-table-{page.turn.created_at:%Y-%m-%d}.md"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    return response


def own_table(request: HttpRequest, table: uuid.UUID) -> Turn:
    """Return the turn of the reader's own table. Raises Http404 for any other."""
    try:
        turn = access.turn_for(request.user, table)
    except Rejection:
        raise Http404 from None
    if not is_round_table(turn):
        raise Http404
    return turn


async def _followed_up(
    request: HttpRequest, table: uuid.UUID, check: Callable[[HttpRequest, Turn, Owner], Begin]
) -> HttpResponse:
    turn, person = await sync_to_async(own_table)(request, table), await request.auser()
    is_part = "HX-Request" in request.headers
    try:
        begin = await sync_to_async(check)(request, turn, person)
        accepted = await whole_turns.start_turn(begin)
    except Rejection as rejection:
        if is_part:
            # The one error that the page's htmx shows at the place of the form.
            return render(request, f"{PAGE}#problem", {"error": rejection}, status=422)
        return await sync_to_async(_table_page)(request, turn, rejection=rejection)
    if is_part:
        return HttpResponse(status=204, headers={"HX-Redirect": reverse("table", args=[accepted.turn.pk])})
    return redirect("table", accepted.turn.pk)


def _checked_start(request: HttpRequest, person: Owner) -> Begin:
    """Return what starts the table that the form describes. Raises Rejection for anything wrong with it."""
    start.require_round_table(person)
    text = validators.validate_text(request.POST.get("question", ""))
    names = start.checked_names(person, request.POST.getlist("agents"))
    rounds = start.checked_rounds(_number(request.POST.get("rounds", "")))
    lead = start.checked_lead(request.POST.get("lead", ""), names)
    start.require_budget(person)
    sent, strategy = request.POST.get("client_id", ""), request.POST.get("strategy", "")
    own_id = sent if OWN_ID.fullmatch(sent) else uuid.uuid4().hex
    return partial(
        start.begin_table,
        owner=person,
        session_key=f"table-{own_id}",
        client_id=own_id,
        text=text,
        agents=names,
        rounds=rounds,
        lead=lead,
        strategy=strategy if strategy in STRATEGIES else "skip",  # type: ignore[arg-type]  # One of them.
    )


def _checked_go_on(request: HttpRequest, turn: Turn, person: Owner) -> Begin:
    start.require_round_table(person)
    agents = request.POST.getlist("agents")
    asked = continuation.checked_next_round(turn, person, text=request.POST.get("text", ""), agents=agents)
    return partial(continuation.begin_next_round, asked)


def _checked_settlement(request: HttpRequest, turn: Turn, person: Owner) -> Begin:
    start.require_round_table(person)
    point, names = continuation.checked_settlement(
        turn, person, point=request.POST.get("point", ""), agents=request.POST.getlist("agents")
    )
    return partial(continuation.begin_settlement, turn, point=point, agents=names)


def _start_page(request: HttpRequest, person: Owner, *, rejection: Rejection | None = None) -> HttpResponse:
    """Return the form as filled in; with only a question, the voices that fit it are chosen, each with the reason."""
    sent = request.POST if request.method == "POST" else request.GET
    status = 200 if rejection is None else rejection.status
    if not is_enabled(ROUND_TABLE, person):
        return render(request, START_PAGE, {"is_off": True}, status=status)
    roster, limits = collaborators_for(person), table_limits()
    question = sent.get("question", "")[:TEXT_MAX_LENGTH]
    chosen = sent.getlist("agents")
    reasons: dict[str, str] = {}
    if sent.get("choose") == "yes" or (not chosen and request.method != "POST"):
        fitting = select(question, roster, most=min(ROUNDS_AT_FIRST, limits.most_agents))
        chosen = [each.collaborator.name for each in fitting]
        reasons = {each.collaborator.name: each.reason for each in fitting if each.matched}
    rounds = min(max(1, _number(sent.get("rounds", "")) or ROUNDS_AT_FIRST), limits.most_rounds)
    context = {
        "voices": [
            {"row": each, "is_chosen": each.name in chosen, "reason": reasons.get(each.name, "")} for each in roster
        ],
        "question": question,
        "rounds": rounds,
        "strategy": sent.get("strategy") if sent.get("strategy") in STRATEGIES else "skip",
        "lead": sent.get("lead", ""),
        "limits": limits,
        "error": rejection,
        "client_id": uuid.uuid4().hex,
        "estimate": _estimate(
            person, [each for each in roster if each.name in chosen], rounds, lead=sent.get("lead", "")
        ),
    }
    if request.headers.get("HX-Request"):
        return render(request, f"{START_PAGE}#estimate", context, status=status)
    held, cost = own_cost(person)
    return render(request, START_PAGE, context | {"held": held, "own_cost": cost_words(cost)}, status=status)


def _estimate(person: Owner, voices: list[Collaborator], rounds: int, *, lead: str) -> Estimate:
    return estimate(person, [seat_of(each) for each in voices], rounds, lead=lead)


def _table_page(request: HttpRequest, turn: Turn, *, rejection: Rejection | None = None) -> HttpResponse:
    context = _read(turn, request.user).context()
    if rejection is not None:
        context |= {"error": rejection, "text": request.POST.get("text", ""), "point": request.POST.get("point", "")}
    return render(request, PAGE, context, status=200 if rejection is None else rejection.status)


def _read(turn: Turn, person: Any) -> TablePage:
    page = table_page(turn, person)
    page.take_stored()
    return page


def _number(text: str) -> int:
    """Return a number of a form; 0 for anything else, which is never one of rounds."""
    return int(text) if SMALL_NUMBER.fullmatch(text) else 0
