"""Views of what a learner has to do for their classes."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tutoring.assignments.audiences import assignment_for
from tutoring.assignments.quiz_work import ask_item, next_item, start_work
from tutoring.assignments.readings import reading_of
from tutoring.assignments.reminders import close_reminder
from tutoring.mastery.records import goals, progress
from tutoring.models import Assignment, AssignmentWork, Concept, LiveQuiz, Mastery, Question, QuizItem
from tutoring.pages.contexts import my_assignments
from tutoring.pages.views.requests import LearnerRequest, polling_login_required

NO_CHANGE = 204


@polling_login_required
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: LearnerRequest, assignment: int) -> HttpResponse:
    """Show an assignment; a POST starts it, says that it was read, or closes the teacher's reminder."""
    found = assignment_for(request.user, assignment)
    if request.method == "POST":
        return _act(request, found)
    if found.is_live:
        return _live(request, found)
    return render(request, "tutoring/assignment.html", my_assignments.my_assignment_context(request.user, found))


def _act(request: LearnerRequest, found: Assignment) -> HttpResponse:
    match request.POST.get("action"):
        case "start":
            start_work(found, request.user)
            return _first_page(request, found)
        case "read" if found.kind == Assignment.Kind.READING:
            _note_read(request, found)
            if request.headers.get("HX-Request"):
                list(messages.get_messages(request))  # Said on the page of the text instead.
                return render(request, "tutoring/_reading_end.html#done", {"assignment": found})
        case "seen":
            close_reminder(found, request.user)
            return redirect("home")
    return redirect(found)


def _note_read(request: LearnerRequest, found: Assignment) -> None:
    """Note that the pupil has read what they have opened."""
    works = AssignmentWork.objects.filter(assignment=found, learner_id=request.user.pk)
    if works.exclude(started_at=None).filter(read_at=None).update(read_at=timezone.now()):
        messages.success(request, _("Saved. You are done with this."))
    elif not works.exclude(read_at=None).exists():
        messages.error(request, _("Open it first, then say that you have read it."))


def _first_page(request: LearnerRequest, found: Assignment) -> HttpResponse:
    """Lead to where the work is done: the lesson, the next question, the text, or the path."""
    match found.kind:
        case Assignment.Kind.QUIZ if not found.is_live:
            return next_question(found, start_work(found, request.user))
        case Assignment.Kind.CONCEPT if (topic := _next_topic(request, found)) is not None:
            return redirect(topic)
        case Assignment.Kind.PATH if found.course is not None:
            for concept in found.concepts.all():
                goals.set_goal(request.user, concept)
            return redirect("path", found.course.slug)
        case Assignment.Kind.READING if (reading := reading_of(found)) is not None:
            return redirect(reading.url)
        case Assignment.Kind.READING:
            messages.error(request, _("What you should read is not there any more. Tell your teacher."))
    return redirect(found)


def _next_topic(request: LearnerRequest, found: Assignment) -> Concept | None:
    """Return the first topic that is not mastered; the last one if all are, and None if the course has none any more."""
    topics = list(found.concepts.select_related("course").defer("course__content").order_by("position"))
    known = Mastery.objects.filter(learner_id=request.user.pk, concept__in=topics).exclude(mastered_at=None)
    mastered = set(known.values_list("concept_id", flat=True))
    return next((each for each in topics if each.pk not in mastered), topics[-1] if topics else None)


def next_question(found: Assignment, work: AssignmentWork) -> HttpResponseRedirect:
    """Lead to the first question that is not answered; to the results if there is none."""
    item = next_item(work)
    return redirect("assignment-question", found.pk, item.number) if item else redirect(found)


# --- A quiz taken together ---


def _live(request: LearnerRequest, found: Assignment) -> HttpResponse:
    """Show where the quiz is; for a poll by the page itself, only if that has changed."""
    place = my_assignments.live_place(request.user, found)
    is_poll = bool(request.headers.get("HX-Request"))
    if is_poll and place.mark == request.GET.get("seen"):
        return HttpResponse(status=NO_CHANGE)
    context = my_assignments.live_context(request.user, found, place)
    if isinstance(item := context["item"], QuizItem) and place.work is not None:
        context |= _live_card(found, place.work, item, phase=place.phase)
    return render(request, f"tutoring/assignment_live.html{'#live' if is_poll else ''}", context)


def _live_card(found: Assignment, work: AssignmentWork, item: QuizItem, *, phase: str) -> dict[str, object]:
    """Return the question: to answer, answered, or with what was right."""
    asked = ask_item(work, item, found) if phase == LiveQuiz.Phase.ASKING else _asked_before(work, item)
    if asked is None or asked.status == Question.Status.ABANDONED:
        return {"solution": my_assignments.solution_context(item)}
    progress.note_shown([asked])
    return {"question": my_assignments.quiz_question_context(found, item, asked), "is_open": asked.is_open}


def _asked_before(work: AssignmentWork, item: QuizItem) -> Question | None:
    return Question.objects.with_course().filter(assigned__work=work, assigned__item=item).first()
