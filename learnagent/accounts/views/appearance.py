"""Change light, dark, the size of the text and the language from any page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from learnagent.accounts.appearance import COOKIE, COOKIE_AGE_S, appearance_of, chosen_appearance
from learnagent.accounts.views.sign_in import same_site_address


@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """Keep what was chosen: in the profile of whoever is signed in, else in a cookie."""
    now = chosen_appearance(
        appearance_of(request), theme=request.POST.get("theme", ""), text_size=request.POST.get("text_size", "")
    )
    back = same_site_address(request, request.headers.get("Referer", ""))
    response = HttpResponse(status=204) if request.headers.get("HX-Request") else redirect(back)
    user: Any = request.user
    if user.is_authenticated:
        user.theme, user.text_size = now.theme, now.text_size
        user.save(update_fields=["theme", "text_size"])
    else:
        secure = request.is_secure()
        response.set_cookie(COOKIE, str(now), max_age=COOKIE_AGE_S, secure=secure, httponly=True, samesite="Lax")
    return response


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Keep the language of the pages: in the profile of whoever is signed in, else in a cookie. Others are ignored."""
    response = redirect(same_site_address(request, request.headers.get("Referer", "")))
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        return response
    user: Any = request.user
    if user.is_authenticated:
        user.language = chosen
        user.save(update_fields=["language"])
    else:
        secure, name = request.is_secure(), settings.LANGUAGE_COOKIE_NAME
        response.set_cookie(name, chosen, max_age=COOKIE_AGE_S, secure=secure, httponly=True, samesite="Lax")
    return response
