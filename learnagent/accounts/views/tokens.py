"""A person's API tokens: make, list, revoke."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.access import token_for
from learnagent.accounts.authentication.api_tokens import MAX_TOKENS, TooManyTokens, make_token
from learnagent.accounts.forms import TokenForm
from learnagent.accounts.requests import PersonRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: PersonRequest) -> HttpResponse:
    """List the tokens; a POST makes one and shows it in its answer, the only page that ever has it."""
    if request.method != "POST":
        return _tokens_page(request, TokenForm(person=request.user))
    form = TokenForm(request.POST, person=request.user)
    if not form.is_valid():
        return _tokens_page(request, form, status=422)
    try:
        raw = make_token(request.user, **form.cleaned_data)
    except TooManyTokens:
        too_many = _("You already have %(most)d tokens, which is the maximum. Revoke one first.") % {"most": MAX_TOKENS}
        form.add_error(None, too_many)
        return _tokens_page(request, form, status=422)
    return _tokens_page(request, TokenForm(person=request.user), new_token=raw, status=201)


def _tokens_page(request: PersonRequest, form: TokenForm, *, new_token: str = "", status: int = 200) -> HttpResponse:
    context = {"form": form, "new_token": new_token, "tokens": list(request.user.api_tokens.all())}
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def revoke(request: PersonRequest, pk: int) -> HttpResponse:
    token_for(request.user, pk).delete()
    messages.success(request, _("The token was revoked. Programs that use it can no longer sign in."))
    return redirect("accounts:tokens")
