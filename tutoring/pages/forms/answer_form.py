"""The form of a question's card, posted as a form or as JSON."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.wire import rejections, strict_json
from conversations.models import TEXT_MAX_LENGTH
from conversations.validators import is_storable
from tutoring.grading.judges.arrangements import format_assignments
from tutoring.models.questions import KEY_MAX_LENGTH
from tutoring.pages.forms.board_fields import posted_construction

ROW_PREFIX = "row-"
"""Prefix of each field of an order or a match; the row's letter follows."""
INDENT_PREFIX = "indent-"
"""Prefix of the fields with the levels of a program's lines."""
MAX_LEVEL = 8
FIELDS = frozenset({"action", "answer", "choices", "idempotency_key"})


def validate_storable(text: str) -> None:
    if not is_storable(text):
        raise ValidationError(_("This contains characters that can’t be stored. Type it again without them."))


class AnswerForm(forms.Form):
    """`check` an answer, take a `hint`, be helped on when `stuck`, complete the `line` of an example, or leave the question.

    It is left by saying that it is `known`, by `give_up`, or by `skip`.

    A change needs a key, so that it is done only once.
    """

    action = forms.ChoiceField(
        choices=[(each, each) for each in ("check", "hint", "stuck", "line", "known", "give_up", "skip")]
    )
    answer = forms.CharField(required=False, validators=[validate_storable])
    idempotency_key = forms.CharField(required=False, max_length=KEY_MAX_LENGTH, validators=[validate_storable])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if (
            cleaned.get("action") not in ("hint", "stuck", "line")
            and not cleaned.get("idempotency_key")
            and not self.errors
        ):
            self.add_error(
                "idempotency_key",
                gettext_lazy("Send an idempotency key with this request, so that a repeat is not counted twice."),
            )
        return cleaned


def answer_fields(request: HttpRequest) -> dict[str, str]:
    """Return the checked fields of a post. Raise Rejection: 400 if it is no JSON object, 413 if too long, 422 for a field."""
    posted = _json_fields(request) if wants_json(request) else _form_fields(request)
    if len(posted["answer"]) > TEXT_MAX_LENGTH:
        limit = {"limit": TEXT_MAX_LENGTH, "count": len(posted["answer"])}
        raise rejections.too_large(_("An answer can have up to %(limit)s characters; this one has %(count)s.") % limit)
    form = AnswerForm(posted)
    if not form.is_valid():
        fields = {name: str(errors[0]) for name, errors in form.errors.items()}
        raise rejections.Rejection("invalid_input", next(iter(fields.values())), status=422, fields=fields)
    return {name: str(value) for name, value in form.cleaned_data.items()}


def wants_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def _form_fields(request: HttpRequest) -> dict[str, str]:
    return {
        "action": request.POST.get("action", "check"),
        "answer": request.POST.get("answer")
        or " ".join(request.POST.getlist("choices"))
        or _rows_to_answer(request.POST)
        or posted_construction(request.POST.dict(), parts=request.POST.getlist("part")),
        "idempotency_key": request.POST.get("idempotency_key", ""),
    }


def _rows_to_answer(posted: QueryDict) -> str:
    """Return what was chosen in the rows of an order or a match as one answer: A=2 B=1 C=-."""
    if any(name.startswith(INDENT_PREFIX) for name in posted):
        return _lines_to_answer(posted)
    rows = {name.removeprefix(ROW_PREFIX): posted.get(name, "") for name in posted if name.startswith(ROW_PREFIX)}
    return format_assignments(rows)


def _lines_to_answer(posted: QueryDict) -> str:
    """Return the lines of a program in their chosen order, each with its level: "B, >A, >>C". Lines without a place are left out."""
    places = {name.removeprefix(ROW_PREFIX): posted.get(name, "") for name in posted if name.startswith(ROW_PREFIX)}
    used = [letter for letter, place in places.items() if place.isdecimal() and len(place) <= 2]
    used.sort(key=lambda letter: int(places[letter]))
    return ", ".join(f"{'>' * _level(posted, letter)}{letter}" for letter in used)


def _level(posted: QueryDict, letter: str) -> int:
    chosen = posted.get(f"{INDENT_PREFIX}{letter}", "")
    return min(int(chosen), MAX_LEVEL) if chosen.isdecimal() and len(chosen) <= 2 else 0


def _json_fields(request: HttpRequest) -> dict[str, str]:
    try:
        body = strict_json.loads(request.body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise rejections.unreadable(_("The request body is not a JSON object."))
    _refuse_misshapen(body)
    return {
        "action": body.get("action", "check"),
        "answer": body.get("answer") or " ".join(body.get("choices", [])),
        "idempotency_key": body.get("idempotency_key", ""),
    }


def _refuse_misshapen(body: Mapping[str, Any]) -> None:
    """Raise Rejection 422 for an unknown field, and for one that is not text (`choices`: not a list of texts)."""
    for name, value in body.items():
        if name not in FIELDS:
            raise rejections.invalid(name, _("Unknown field."))
        texts = value if name == "choices" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise rejections.invalid(name, _("Send this as text."))
