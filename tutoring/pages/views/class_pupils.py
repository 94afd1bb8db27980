"""Views of the people in a class: the list of pupils, what is done with several of them, and their groups."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutoring.classes import groups, pupils
from tutoring.classes.membership import remove_pupils
from tutoring.classes.moves import move_pupils
from tutoring.classes.teacher_access import class_for, classes_for
from tutoring.models import ClassGroup, Classroom, Membership
from tutoring.pages.forms.pupil_forms import GroupForm, TeacherForm
from tutoring.pages.views.requests import LearnerRequest

MAX_CHECKBOXES = 400
"""Pupils on the page of a group: a form has a limited number of fields."""


@login_required
@require_safe
def class_pupils(request: LearnerRequest, code: str) -> HttpResponse:
    """Show the pupils, the groups, and the teachers."""
    return pupils_page(request, class_for(request.user, code))


def pupils_page(request: LearnerRequest, classroom: Classroom, *, status: int = 200, **context: Any) -> HttpResponse:
    """Return the page of the people in the class; `context` has forms that were refused, and a new invitation."""
    search = request.GET.get("q", "")
    page, rows = pupils.pupil_page(classroom, search=search, number=request.GET.get("page", "1"))
    shown = {
        "classroom": classroom,
        "page": page,
        "pupils": rows,
        "search": search,
        "shows_activity": classroom.policy.shows_levels,
        "waiting": pupils.waiting_pupils(classroom).count(),
        "groups": groups.groups_of(classroom),
        "others": _other_classes(request, classroom),
        "teachers": classroom.memberships.filter(role=Membership.Role.TEACHER).select_related("person").order_by("pk"),
        "group_form": GroupForm(),
        "teacher_form": TeacherForm(),
    }
    return render(request, "tutoring/class_pupils.html", shown | context, status=status)


@login_required
@require_POST
def change_pupils(request: LearnerRequest, code: str) -> HttpResponse:
    """Put the chosen pupils in a group, or move or remove them, once this is confirmed."""
    classroom = class_for(request.user, code)
    places = list(pupils.chosen_pupils(classroom, request.POST.getlist("person")))
    if not places:
        messages.error(request, _("Choose one or more pupils first."))
        return redirect("class-pupils", code)
    match request.POST.get("action"):
        case "group":
            return _put_in_group(request, classroom, places)
        case "move":
            return _move(request, classroom, places)
        case "remove":
            return _remove(request, classroom, places)
    return redirect("class-pupils", code)


@login_required
@require_POST
def make_group(request: LearnerRequest, code: str) -> HttpResponse:
    classroom = class_for(request.user, code)
    form = GroupForm(request.POST)
    if form.is_valid():
        try:
            group = groups.make_group(classroom, form.cleaned_data["name"])
            return redirect("class-group", code, group.pk)
        except groups.GroupNameTaken:
            form.add_error("name", _("There is a group with this name. Choose another name."))
        except groups.TooManyGroups:
            form.add_error("name", _("A class can have up to 100 groups. Delete one first."))
    return pupils_page(request, classroom, status=422, group_form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def class_group(request: LearnerRequest, code: str, group: int) -> HttpResponse:
    """Show a group's name and members; a POST changes them."""
    classroom = class_for(request.user, code)
    found = groups.group_in(classroom, group)
    places = list(pupils.pupils_of(classroom)[:MAX_CHECKBOXES])
    if request.method != "POST":
        return _group_page(request, found, places, GroupForm(initial={"name": found.name}))
    form = GroupForm(request.POST)
    if form.is_valid():
        try:
            groups.rename_group(found, form.cleaned_data["name"])
        except groups.GroupNameTaken:
            form.add_error("name", _("There is a group with this name. Choose another name."))
    chosen = pupils.parse_keys(request.POST.getlist("person"))
    if form.errors:
        return _group_page(request, found, places, form, chosen=chosen, status=422)
    groups.set_members(found, chosen, among=places)
    messages.success(request, _("Saved."))
    return redirect("class-pupils", code)


@login_required
@require_POST
def delete_group(request: LearnerRequest, code: str, group: int) -> HttpResponse:
    groups.group_in(class_for(request.user, code), group).delete()
    messages.success(request, _("The group was deleted. Its pupils are still in the class."))
    return redirect("class-pupils", code)


def _group_page(
    request: LearnerRequest,
    group: ClassGroup,
    places: Sequence[Membership],
    form: GroupForm,
    *,
    chosen: set[int] | None = None,
    status: int = 200,
) -> HttpResponse:
    if chosen is None:
        chosen = set(group.members.values_list("person_id", flat=True))
    context = {
        "classroom": group.classroom,
        "group": group,
        "form": form,
        "places": places,
        "chosen": chosen,
        "is_cut": len(places) == MAX_CHECKBOXES,
    }
    return render(request, "tutoring/class_group.html", context, status=status)


def _put_in_group(request: LearnerRequest, classroom: Classroom, places: Sequence[Membership]) -> HttpResponse:
    numbers = pupils.parse_keys(request.POST.getlist("group"))
    if not numbers:
        messages.error(request, _("Choose a group first. If there is none, create one below."))
        return redirect("class-pupils", classroom.code)
    group = groups.group_in(classroom, numbers.pop())
    groups.add_members((group, place.pk) for place in places)
    said = ngettext("%(count)d pupil is in %(name)s.", "%(count)d pupils are in %(name)s.", len(places))
    messages.success(request, said % {"count": len(places), "name": group.name})
    return redirect("class-pupils", classroom.code)


def _move(request: LearnerRequest, classroom: Classroom, places: Sequence[Membership]) -> HttpResponse:
    target = _other_classes(request, classroom).filter(code=request.POST.get("target", "").replace("\x00", "")).first()
    if target is None:
        messages.error(request, _("Choose the class to which you want to move them."))
        return redirect("class-pupils", classroom.code)
    if "confirmed" not in request.POST:
        return _confirmation(request, classroom, places, target=target)
    done = move_pupils(places, target)
    if done.moved:
        said = ngettext(
            "%(count)d pupil was moved to %(name)s.", "%(count)d pupils were moved to %(name)s.", len(done.moved)
        )
        messages.success(request, said % {"count": len(done.moved), "name": target.name})
    if done.staying:
        said = _(
            "Not moved: %(names)s. They created their own accounts, and %(class)s shows its teachers more than they agreed "
            "to. Give them the code %(code)s."
        )
        names = ", ".join(str(place.person) for place in done.staying)
        messages.warning(request, said % {"names": names, "class": target.name, "code": target.code})
    return redirect("class-pupils", classroom.code)


def _remove(request: LearnerRequest, classroom: Classroom, places: Sequence[Membership]) -> HttpResponse:
    if "confirmed" not in request.POST:
        return _confirmation(request, classroom, places)
    remove_pupils(classroom, [place.person_id for place in places])
    said = ngettext("%(count)d pupil was removed.", "%(count)d pupils were removed.", len(places))
    messages.success(request, said % {"count": len(places)})
    return redirect("class-pupils", classroom.code)


def _confirmation(
    request: LearnerRequest, classroom: Classroom, places: Sequence[Membership], *, target: Classroom | None = None
) -> HttpResponse:
    context = {"classroom": classroom, "places": places, "target": target}
    return render(request, "tutoring/class_pupils_confirm.html", context)


def _other_classes(request: LearnerRequest, classroom: Classroom) -> Any:
    """Return the person's other classes that are not archived, with their policies."""
    return classes_for(request.user).filter(archived_at=None).exclude(pk=classroom.pk).order_by("name", "pk")
