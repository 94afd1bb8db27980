"""What the planner's agents ask back, with buttons whose labels answer it."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tutoring.planner.times.time_phrases import describe_time
from tutoring.planner.times.values import TimePhrase, UnclearTime
from tutoring.planner.values import AgentName, AskedBack, PlannerRequest
from tutoring.planner.wording import lowered, on_day, said_back

_UNCLEAR: Final = {
    "task": (
        gettext_lazy("What should I do with your tasks?"),
        (gettext_lazy("Show my tasks"), gettext_lazy("Add a task"), gettext_lazy("Set a reminder")),
    ),
    "event": (
        gettext_lazy("What should I do with your calendar?"),
        (gettext_lazy("Show my calendar"), gettext_lazy("Add an event"), gettext_lazy("Plan my week")),
    ),
    "food": (
        gettext_lazy("What should I do with your meals?"),
        (gettext_lazy("Show my meals"), gettext_lazy("Log a meal"), gettext_lazy("What should I eat?")),
    ),
    "memory": (
        gettext_lazy("What should I do with your notes?"),
        (gettext_lazy("Show my notes"), gettext_lazy("Take a note")),
    ),
}
_NO: Final = gettext_lazy("Leave it")
_SNACKS: Final = (gettext_lazy("A sandwich"), gettext_lazy("A banana"), gettext_lazy("Yogurt and fruit"))


def unclear_question(agent: AgentName) -> tuple[str, tuple[str, ...]]:
    """Return the question what an agent should do, and its buttons: each is a request that is understood."""
    words, options = _UNCLEAR[agent]
    return str(words), tuple(map(str, options))


def question_for(request: PlannerRequest, now: datetime) -> AskedBack:
    """Return the question for what a request misses first."""
    missing = request.missing[0]
    match missing:
        case "title":
            words = {
                "reminder": _("What should I remind you of?"),
                "appointment": _("What should I put in your calendar?"),
                "test": _("What is the test about?"),
            }.get(request.kind, _("What is the task?"))
            options: tuple[str, ...] = ()
        case "when" | "before":
            words, options = _time_question(request, now)
        case "foods":
            words, options = _food_question(request), tuple(map(str, _SNACKS)) if request.kind == "snack" else ()
        case "rating":
            words, options = _("How was it, from 1 to 5?"), ("1", "2", "3", "4", "5")
        case "note":
            words, options = _("What should I remember?"), ()
        case "confirm":
            words, options = _confirm_question(request), (_("Yes"), str(_NO))
        case "which":
            words, options = _("Which one do you mean?"), ()
    if missing in ("when", "before", "foods"):
        options = (*options, str(_NO))
    return AskedBack(request=request, missing=missing, options=options, question=words)


def _confirm_question(request: PlannerRequest) -> str:
    match request.agent:
        case "memory":
            return _("Should I remember: “%(note)s”?") % {"note": request.note}
        case "event":
            return _("Should I put “%(title)s” in your calendar?") % {"title": request.title}
        case _:
            return _("Should I add “%(title)s” to your tasks?") % {"title": request.title}


def _time_question(request: PlannerRequest, now: datetime) -> tuple[str, tuple[str, ...]]:
    """Return the question for a time; if a phrase has several meanings, these are the buttons."""
    when = request.when
    what = lowered(request.title) or lowered(request.target)
    if isinstance(when, UnclearTime):
        options = tuple(describe_time(each, now) for each in when.choices[:4])
        asks = {
            "date": _("On which day?"),
            "time": _("At what time?"),
            "which": _("When do you mean?"),
        }[when.asks]
        return f"{when.why} {asks}".strip(), options
    if request.kind == "reminder":
        words = (
            _("When should I remind you: %(what)s?") % {"what": said_back(what)}
            if what
            else _("When should I remind you?")
        )
        return words, (_("Tomorrow"), _("This evening"))
    if isinstance(when, TimePhrase):
        day = on_day(when.start.date(), now)
        return _("At what time is the %(what)s %(day)s?") % {"what": what, "day": day}, (_("All day"),)
    if request.action == "create":
        return _("When is the %(what)s?") % {"what": what or _("event")}, ()
    return _("When?"), ()


def _food_question(request: PlannerRequest) -> str:
    kind = {"breakfast": _("breakfast"), "lunch": _("lunch"), "dinner": _("dinner"), "snack": _("a snack")}.get(
        request.kind, _("it")
    )
    if request.action == "log":
        return _("What did you have for %(kind)s?") % {"kind": kind if request.kind != "snack" else _("your snack")}
    if request.before:
        order = _("after") if request.after else _("before")
        facts = {"order": order, "event": lowered(request.before)}
        return _("What would you like to eat %(order)s %(event)s?") % facts
    return _("What would you like for %(kind)s?") % {"kind": kind}
