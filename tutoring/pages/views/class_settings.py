"""Views of a teacher's classes and their settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.classes import listings, membership
from tutoring.classes.teacher_access import class_for, classes_for
from tutoring.models import Classroom, Membership
from tutoring.pages.forms.class_forms import NameForm, PolicyForm
from tutoring.pages.views.requests import LearnerRequest
from tutoring.safety.mail_reach import why_no_mail


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def taught_classes(request: LearnerRequest) -> HttpResponse:
    """List a teacher's classes; a POST creates one."""
    classes_for(request.user)  # 404 for a person who teaches nobody.
    if request.method != "POST":
        return _list(request, NameForm())
    form = NameForm(request.POST)
    if not form.is_valid():
        return _list(request, form, status=422)
    made = membership.make_class(request.user, form.cleaned_data["name"])
    return redirect("class-settings", made.code)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def class_settings(request: LearnerRequest, code: str) -> HttpResponse:
    """Show the class's name, code and policy; a POST changes its name and policy."""
    classroom = class_for(request.user, code)
    if request.method != "POST":
        name, policy = NameForm(initial={"name": classroom.name}), PolicyForm(instance=classroom.policy)
        return _settings(request, classroom, name, policy)
    name, policy = NameForm(request.POST), PolicyForm(request.POST, instance=classroom.policy)
    if not (name.is_valid() and policy.is_valid()):
        return _settings(request, classroom, name, policy, status=422)
    classroom.name = name.cleaned_data["name"]
    classroom.save(update_fields=["name"])
    if policy.has_changed():
        policy.save()
    messages.success(request, _("Saved."))
    return redirect("class-settings", code)


@login_required
@require_POST
def archive(request: LearnerRequest, code: str) -> HttpResponse:
    """Archive the class, or restore it."""
    classroom = class_for(request.user, code)
    if request.POST.get("action") == "restore":
        membership.restore_class(classroom)
        messages.success(request, _("The class is active again. Pupils can join it."))
    else:
        membership.archive_class(classroom)
        messages.success(request, _("The class is archived. Nobody can join it, but everything in it is kept."))
    return redirect("class-settings", code)


@login_required
@require_POST
def delete(request: LearnerRequest, code: str) -> HttpResponse:
    classroom = class_for(request.user, code)
    classroom.delete()
    messages.success(request, _("The class was deleted. Pupils keep their progress."))
    return redirect("classes")


def _list(request: LearnerRequest, form: NameForm, *, status: int = 200) -> HttpResponse:
    context = listings.list_taught_classes(classes_for(request.user)) | {"form": form}
    return render(request, "tutoring/classes.html", context, status=status)


def _settings(
    request: LearnerRequest, classroom: Classroom, name: NameForm, policy: PolicyForm, *, status: int = 200
) -> HttpResponse:
    learners = classroom.memberships.filter(role=Membership.Role.LEARNER).count()
    context = {"classroom": classroom, "name_form": name, "policy_form": policy, "learners": learners}
    if classroom.policy.tells_of_concerns:
        context["no_mail"] = why_no_mail(classroom)
    return render(request, "tutoring/class_settings.html", context, status=status)
