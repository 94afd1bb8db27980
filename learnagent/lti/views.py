"""The addresses that platforms and their people come to."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.csp import CSP
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents.event_log import get_logger
from learnagent.accounts.authentication.rate_limits import Throttle
from learnagent.accounts.authentication.sign_in import client_address
from learnagent.accounts.requests import PersonRequest
from learnagent.accounts.views.sign_in import BACKEND
from learnagent.http.content_security_policy import CONTENT_SECURITY_POLICY
from learnagent.lti.deep_linking import concept_choices, signed_response
from learnagent.lti.errors import START_AGAIN, LaunchRefused
from learnagent.lti.keys import key_set
from learnagent.lti.launches import find_concept, find_ticket, needs_agreement, open_ticket, take_launch, target_of
from learnagent.lti.logins import begin_login, finish_login, platform_of_state
from learnagent.lti.models import Grade, Platform, PlatformLink, Ticket, origin_of
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.classes import listings
from tutoring.classes.membership import join_class

logger = get_logger(__name__)

LOGINS = Throttle(name="lti-login", limit=600, window_s=60)
"""Launches begun from one address: a whole school may share it."""
MAX_CHOSEN = 50


@never_cache
@require_GET
def keys(request: HttpRequest) -> HttpResponse:
    """Publish the keys with which learnagent signs."""
    return JsonResponse(key_set())


# Nothing here relies on a cookie: browsers keep cookies from pages in another site's frame. Instead of a CSRF token,
# a launch needs a state of ours that was not used yet and the platform's signature, and other forms need a ticket.
@never_cache
@csrf_exempt
@xframe_options_exempt
@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Send the browser of an announced launch to the platform, which says who it is."""
    try:
        if not LOGINS.count_try(client_address(request)):
            raise LaunchRefused("too many launches from one address", _("Wait a minute, then try again."), status=429)
        asked = request.POST if request.method == "POST" else request.GET
        return redirect(begin_login(asked.dict()))
    except LaunchRefused as refused:
        return _refusal(request, refused, None)


@never_cache
@csrf_exempt
@xframe_options_exempt
@sensitive_post_parameters("id_token", "state")
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Take a launch, and show the button that opens learnagent, or what can be chosen."""
    state, token = request.POST.get("state", ""), request.POST.get("id_token", "")
    platform = platform_of_state(state)
    try:
        if request.POST.get("error"):
            raise LaunchRefused("platform reports an error")
        platform, checked = finish_login(state, token)
        account, secret = take_launch(platform, checked)
    except LaunchRefused as refused:
        return _refusal(request, refused, platform)
    context = {"platform": platform, "person": account.person, "ticket": secret}
    with override(account.person.language):
        if checked.deep_linking:
            context |= {"courses": concept_choices(), "is_multiple": checked.deep_linking["is_multiple"]}
            return _framed(render(request, "lti/choose.html", context), platform)
        return _framed(render(request, "lti/open.html", context | {"in_frame": not checked.opens_window}), platform)


@never_cache
@csrf_exempt
@sensitive_post_parameters("ticket")
@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Sign the ticket's person in and take them to what they opened, or first to the class's agreement."""
    # The button is on a page of ours, so that a browser names our origin: nobody signs others in from a page of their own.
    if request.headers.get("Origin", settings.PUBLIC_URL) != settings.PUBLIC_URL:
        return _refusal(request, LaunchRefused("ticket from another site", START_AGAIN, status=403), None)
    ticket = open_ticket(request.POST.get("ticket", ""))
    if ticket is None or ticket.deep_linking:
        return _refusal(request, LaunchRefused("ticket unknown or used", START_AGAIN), None)
    person, link = ticket.account.person, ticket.link
    login(request, person, backend=BACKEND)
    if link is not None and needs_agreement(link, person):
        return redirect("lti-agreement", link.pk)
    if link is not None and link.course.classroom is None:
        messages.info(
            request,
            _("Your class here does not exist yet. It is created when your teacher opens learnagent from %(platform)s.")
            % {"platform": ticket.account.platform},
        )
    return redirect(target_of(link, person))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: PersonRequest, link: int) -> HttpResponse:
    """Show what is agreed in the class that a link belongs to; a POST joins it."""
    found = _opened_link(request, link)
    classroom = found.course.classroom
    if not needs_agreement(found, request.user) or classroom is None:
        return redirect(target_of(found, request.user))
    if request.method == "POST":
        join_class(request.user, classroom.code)
        messages.success(request, _("You have joined %(name)s.") % {"name": classroom.name})
        return redirect(target_of(found, request.user))
    context = {
        "found": classroom,
        "teachers": listings.teacher_names([classroom])[classroom.pk],
        "target": target_of(found, request.user),
    }
    return render(request, "lti/agreement.html", context)


@never_cache
@csrf_exempt
@xframe_options_exempt
@sensitive_post_parameters("ticket")
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Send what a teacher has chosen to the platform."""
    ticket = find_ticket(request.POST.get("ticket", ""))
    if ticket is None or not ticket.deep_linking:
        return _refusal(request, LaunchRefused("ticket unknown or used", START_AGAIN), None)
    platform = ticket.account.platform
    names = [] if "cancel" in request.POST else request.POST.getlist("concept")[:MAX_CHOSEN]
    concepts = [each for each in map(find_concept, names) if each is not None]
    if not concepts and "cancel" not in request.POST:
        return _framed(_choice_again(request, ticket), platform)
    open_ticket(request.POST["ticket"])
    return_url = ticket.deep_linking["return_url"]
    context = {"platform": platform, "return_url": return_url, "token": signed_response(ticket, concepts)}
    return _framed(render(request, "lti/return.html", context), platform, sends_to=return_url)


def _choice_again(request: HttpRequest, ticket: Ticket) -> HttpResponse:
    context = {
        "platform": ticket.account.platform,
        "person": ticket.account.person,
        "ticket": request.POST["ticket"],
        "courses": concept_choices(),
        "is_multiple": ticket.deep_linking["is_multiple"],
        "error": _("Choose at least one topic."),
    }
    return render(request, "lti/choose.html", context, status=422)


def _opened_link(request: PersonRequest, pk: int) -> PlatformLink:
    """Return a link that this person has opened from their platform as a learner."""
    links = PlatformLink.objects.select_related("course__classroom__policy", "concept__course")
    own = Grade.objects.filter(account__person=request.user, link=pk) if pk < TOO_LARGE else Grade.objects.none()
    found = links.defer("concept__course__content").filter(pk=pk).first() if own.exists() else None
    if found is None:
        raise Http404(not_found_text())
    return found


def _refusal(request: HttpRequest, refused: LaunchRefused, platform: Platform | None) -> HttpResponse:
    logger.warning("launch_refused", reason=refused.reason, platform=platform.pk if platform else None)
    response = render(request, "lti/refused.html", {"words": refused.words}, status=refused.status)
    return _framed(response, platform) if platform else response


def _framed(response: HttpResponse, platform: Platform, *, sends_to: str = "") -> HttpResponse:
    """Let the platform's pages show this one in a frame, and its form go to the platform if it does."""
    policy = {**CONTENT_SECURITY_POLICY, "frame-ancestors": platform.frame_origins}
    if sends_to:
        policy["form-action"] = [CSP.SELF, origin_of(sends_to)]
    response._csp_config = policy  # type: ignore[attr-defined]  # As Django's own decorator does.
    return response
