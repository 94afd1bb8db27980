"""Reads the planner requests in a message: its clauses are compared with a table of patterns, then their parts are read."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tutoring.planner.requests import slots
from tutoring.planner.requests.clauses import LONGEST, Clause, plain_clause, split_clauses, straightened
from tutoring.planner.requests.follow_ups import (
    about_listed,
    agent_meant,
    answer_to_question,
    follow_up,
    is_one_of_them,
    row_meant,
)
from tutoring.planner.requests.patterns import RequestPattern, compiled, request_patterns
from tutoring.planner.times.time_phrases import find_duration, find_times, without_times
from tutoring.planner.times.values import TimePhrase, UnclearTime
from tutoring.planner.values import SHARED, SHARING, CompanionContext, Missing, PlannerRequest

MOST_JOINTS: Final = 4
_ANY_JOINT: Final = re.compile(
    r"\s*,\s*(?:(?:and|but|so|then|also|plus)\s+)*|\s+(?:and|but|so|then|plus)\s+(?:(?:then|also)\s+)*", re.IGNORECASE
)
MOST_REQUESTS: Final = 12
"""Of one message. An agent uses at most eight tools in a turn."""
type Times = tuple[TimePhrase | UnclearTime, ...]

_EXERCISE: Final = re.compile(
    r"\bhow (?:many|much|far|long|fast|old|tall)\b|\bwhat (?:fraction|percent|part|share)|\b(?:altogether|in total|left over|remains?|"
    r"are left|is left|each get|calculate|simplify|solve|word problem|exercise|equals?)\b",
    re.IGNORECASE,
)
_FRACTION: Final = re.compile(
    r"\d\s*/\s*\d(?!\s*(?:stars|,))|\b(?:half|halves|third|quarter|fifth|sixth|eighth|tenth|twelfth)s? of\b|\d\s*[=×*+÷%]"
)
_SUBJECT: Final = re.compile(
    r"what(?:'s| is) an? \w+\W*$|what do you think (?:of|about)\b|"
    r"(?:is there|have you|got|give me|show me)\b.*\b(?:something|anything|more|stuff)\b.*\bto (?:practi[cs]e|revise)\b|"
    r"(?:what|how|why|explain|define|tell me)\b[^?]*\b(?:fractions?|numerator|denominator|decimal|percent)|"
    r".*\b(?:answer to|get wrong|meaning of|point of|what does .* mean|rule (?:for|of)|(?:the|this|last|next|that) (?:course|lesson|exercise|problem|"
    r"question|quiz|topic)|(?:whole|minus|negative|even|odd|prime) numbers?|in (?:the|this) course|(?:task|question|number|exercise) \d+|my progress)\b",
    re.IGNORECASE,
)
"""What is about the lesson or its subject, however much it sounds like a list or a note."""
_LESSON_WORK: Final = re.compile(
    r"(?:.*\b(?:the|this|that|my|our|a|an|another|next|last|current)\s+|^(?:cancel|skip|stop|leave|end|finish|move|delete|drop)\s+)"
    r"(?:quiz(?:zes)?|lessons?|questions?|exercises?|placement|rounds?|topics?|examples?|hints?)\b",
    re.IGNORECASE,
)
"""What belongs to the lesson, if no day is named: "cancel the quiz", unlike "cancel the quiz on Friday"."""
_QUESTION: Final = re.compile(
    r"(?:who|what|how|why|when|where|which|is|are|does|do|did|can|could|should|would)\b", re.IGNORECASE
)
_OWN: Final = re.compile(r"\b(?:i|my|me|we|our)\b", re.IGNORECASE)
_MAKING: Final = frozenset({"create", "remember", "move", "delete", "undo"})
_AROUND: Final = re.compile(r"\baround\b", re.IGNORECASE)
_NEXT_EVENT: Final = r"\s*(?:,|\band\b|&)\s*(?:my |the |with )?(?=(?:\w+ )?<<event>>\b)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """A clause that fits a pattern."""

    pattern: RequestPattern
    groups: dict[str, str]
    quote: str
    times: Times

    def part(self, name: str) -> str:
        """Return what a group, or one of its numbered twins, holds; empty for nothing."""
        found = (text for key, text in self.groups.items() if key.rstrip("0123456789") == name and text)
        return next(found, "").strip()

    @property
    def when(self) -> TimePhrase | UnclearTime | None:
        return self.times[0] if self.times else None


def read_requests(text: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return the planner requests of a message, in its order; empty if it is none of the planner's business. Pure.

    What was asked back is answered, and "it" is understood, as the context says.
    """
    text = straightened(text[:LONGEST])
    if context.asked is not None and (answer := answer_to_question(text, context, only_options=True)):
        return answer
    if listed := about_listed(text.strip(), context):
        return listed
    found: list[PlannerRequest] = []
    for each in _matches(text, context):
        found += _requests_of(each, context, found)
        if len(found) >= MOST_REQUESTS:
            break
    if found:
        return tuple(found[:MOST_REQUESTS])
    if context.asked is not None and (answer := answer_to_question(text, context, only_options=False)):
        return answer
    return follow_up(text, context)


def _matches(text: str, context: CompanionContext) -> Iterator[_Match]:
    """Yield the clauses that are requests. One that is none belongs to a request that only "and" joins it to."""
    is_exercise = bool(_EXERCISE.search(text) and re.search(r"\d", text))
    clauses, place = split_clauses(text), 0
    while place < len(clauses):
        clause = clauses[place]
        found = _match(text, clause, context, is_exercise=is_exercise)
        place += 1
        while found is not None and place < len(clauses) and clauses[place].joined:
            if _match(text, clauses[place], context, is_exercise=is_exercise) is not None:
                break
            # "Remind me to check the oven and make tea": the second verb began no request of its own.
            clause = Clause(start=clause.start, end=clauses[place].end, joined=clause.joined)
            found = _match(text, clause, context, is_exercise=is_exercise) or found
            place += 1
        if found is not None and found.pattern.statement and found.pattern.agent == "food":
            # "We're having pizza and then the movies at 8": not all of it is eaten.
            parts = list(_parted(text, clause, context, is_exercise=is_exercise))
            yield from parts if any(each.pattern.agent != "food" for each in parts) else [found]
        elif found is not None:
            yield found
        else:
            yield from _parted(text, clause, context, is_exercise=is_exercise)


def _parted(text: str, clause: Clause, context: CompanionContext, *, is_exercise: bool) -> Iterator[_Match]:
    """Yield two requests in a clause that is none as a whole: "football on Monday at four and an essay due on Friday"."""
    joints = sorted(_ANY_JOINT.finditer(text, clause.start, clause.end), key=lambda each: "," not in each[0])
    for joint in joints[:MOST_JOINTS]:
        parts = (
            Clause(start=clause.start, end=joint.start(), joined=False),
            Clause(start=joint.end(), end=clause.end, joined=False),
        )
        found = [_match(text, each, context, is_exercise=is_exercise) for each in parts]
        both = [each for each in found if each is not None]
        if len(both) == len(parts):
            yield from both
            return


def _match(text: str, clause: Clause, context: CompanionContext, *, is_exercise: bool) -> _Match | None:
    """Return the first pattern that a clause fits; None if it fits none."""
    quote = text[clause.start : clause.end]
    times = find_times(quote, context.now)
    bare = plain_clause(_without_times(quote, times))
    for pattern in request_patterns():
        # Right after the planner has spoken, also in a lesson, what may be for it is for it.
        is_clear = not pattern.unclear or not context.only_clear or context.agent is not None
        if not is_clear or not _has_needed(pattern, times):
            continue
        found = pattern.match.fullmatch(bare)
        if found is None or not _is_allowed(
            pattern, bare, quote, context, is_exercise=is_exercise, has_times=bool(times)
        ):
            continue
        if pattern.past:
            times = find_times(quote, context.now, is_past=True)
        return _Match(pattern=pattern, groups=found.groupdict(), quote=quote, times=times)
    return None


def _without_times(quote: str, times: Times) -> str:
    """Return a clause without its times; "due" stays: it tells a task from an event."""
    is_due = any(quote[start:end].casefold().startswith("due ") for each in times for start, end in each.pieces)
    bare = without_times(quote, times).strip(" ,.!?")
    return f"{bare} due" if is_due else bare


def _has_needed(pattern: RequestPattern, times: Times) -> bool:
    if pattern.needs == "clock":
        return any(isinstance(each, TimePhrase) and not each.is_all_day for each in times)
    return not pattern.needs or bool(times)


def _is_allowed(
    pattern: RequestPattern, bare: str, quote: str, context: CompanionContext, *, is_exercise: bool, has_times: bool
) -> bool:
    """Tell whether a clause that fits is meant: an exercise, or a question about the subject, is no request."""
    if pattern.action == "undo":
        return context.can_undo
    if pattern.statement and (
        is_exercise or _FRACTION.search(quote) or (pattern.action in _MAKING and _QUESTION.match(bare))
    ):
        return False
    if pattern.action == "remember" and _FRACTION.search(quote) and not _OWN.search(quote):
        return False
    if pattern.kind == "reminder" and re.search(
        r"\b(?:rule|formula|definition|difference|meaning)\b", bare, re.IGNORECASE
    ):
        return False
    if not has_times and pattern.action not in ("create", "remember", "forget") and _LESSON_WORK.match(bare):
        return False
    if pattern.action in _MAKING - {"remember"}:
        return True
    if (is_exercise and not _OWN.search(quote)) or _FRACTION.search(quote):
        return False
    return not _SUBJECT.match(bare)


def unread_clauses(text: str, requests: Sequence[PlannerRequest]) -> list[str]:
    """Return the clauses of a message in which no request was read, if one was read in another."""
    text = straightened(text[:LONGEST])
    spans = [(start, start + len(each.quote)) for each in requests if (start := text.find(each.quote)) >= 0]
    return [
        text[each.start : each.end]
        for each in split_clauses(text)
        if spans and not any(start < each.end and each.start < end for start, end in spans)
    ]


# --- From a match to requests ---


def _requests_of(match: _Match, context: CompanionContext, before: list[PlannerRequest]) -> list[PlannerRequest]:
    """Return the requests of one clause; `before` are those of earlier clauses."""
    pattern = match.pattern
    if pattern.action == "undo":
        agent = context.agent or (context.last.agent if context.last else "task")
        return [PlannerRequest(agent=agent, action="undo", quote=match.quote)]
    assert pattern.agent
    plain = PlannerRequest(
        agent=pattern.agent, action=pattern.action, quote=match.quote, kind=pattern.kind, when=match.when
    )
    match pattern.agent, pattern.action:
        case ("task", "create"):
            return _tasks(plain, match, before, context)
        case ("event", "create"):
            return _events(plain, match)
        case ("event", "plan_study"):
            return _study(plain, match, context)
        case ("food", _):
            return [_meal(plain, match, context)]
        case ("memory", _):
            return [_note(plain, match)]
    return [_about_row(plain, match, context)]


def _tasks(
    plain: PlannerRequest, match: _Match, before: list[PlannerRequest], context: CompanionContext
) -> list[PlannerRequest]:
    raw, more = match.part("title"), match.part("more")
    parts = slots.split_list(match.part("parts")) if match.part("parts") else ()
    title, event, after, minutes = slots.split_before(raw) if plain.kind == "reminder" else (raw, "", False, None)
    if event == "it":
        # "Eat before" means the event of the clause before, or the one that was spoken of last.
        near = next((each.title for each in reversed(before) if each.agent == "event" and each.title), "")
        event = near or (context.last.title if context.last and context.last.agent == "event" else "")
    if context.last is not None and row_meant(title, context) and plain.kind == "reminder":
        title = "" if event else context.last.title  # "Remind me of it at eight".
    title = slots.clean_title(f"{title}: {more}" if more else title) or (event if event else "")
    if parts and not title:
        title = "Checklist"
    made = replace(
        plain,
        title=title,
        parts=parts,
        before=event,
        after=after,
        lead_minutes=minutes,
        priority=slots.priority_in(match.part("priority")) if match.part("priority") else _said_priority(match.quote),
        kind=plain.kind or "todo",
        when=None if event else plain.when,
    )
    missing: list[Missing] = [] if title else ["title"]
    if isinstance(made.when, UnclearTime) or (made.kind == "reminder" and made.when is None and not event):
        missing.append("when")
    found = [replace(made, missing=tuple(missing))]
    if event and slots.is_about_eating(title):
        kind = slots.meal_kind(
            next((each for each in ("breakfast", "lunch", "dinner") if each in title.casefold()), "snack"), context.now
        )
        meal = PlannerRequest(agent="food", action="plan_meal", quote=match.quote, kind=kind, before=event, after=after)
        found.append(replace(meal, missing=("foods",)))
    return found


def _said_priority(quote: str) -> int | None:
    """Return the priority that is said beside a task: "it's urgent", "(high priority)"."""
    found = re.search(r"\b(urgent|(?:high|low|top) priority|very important)\b", quote, re.IGNORECASE)
    return slots.priority_in(found[1]) if found else None


def _events(plain: PlannerRequest, match: _Match) -> list[PlannerRequest]:
    return _events_at(plain, slots.clean_title(match.part("title")), match.times)


def _events_at(plain: PlannerRequest, title: str, times: Times) -> list[PlannerRequest]:
    """Return the events of one title at these times."""
    kind = "test" if compiled(r"(?:[\w'&-]+ ){0,4}?<<test>>\b.*").fullmatch(title) else plain.kind or "appointment"
    made = replace(plain, title=title, kind=kind)
    found = []
    for when in slots.event_times(times, title) or (None,):
        missing: list[Missing] = [] if title else ["title"]
        is_open = isinstance(when, TimePhrase) and when.is_all_day and not slots.needs_no_clock(title)
        if when is None or isinstance(when, UnclearTime) or is_open:
            missing.append("when")
        found.append(replace(made, when=when, missing=tuple(missing)))
    return found


def _study(plain: PlannerRequest, match: _Match, context: CompanionContext) -> list[PlannerRequest]:
    """Return the events that a week is planned around, and the wish to plan it."""
    quote = match.quote
    around = _AROUND.search(quote)
    if around is None:
        target = slots.clean_title(re.sub(r"^(?:my|the)\s+", "", match.part("around")))
        return [replace(plain, target=target)]
    events: list[PlannerRequest] = []
    rest = quote[around.end() :]
    places = [0, *(each.end() for each in compiled(_NEXT_EVENT).finditer(rest)), len(rest)]
    for start, end in itertools.pairwise(places):
        piece = rest[start:end]
        times = find_times(piece, context.now)
        title = slots.clean_title(re.sub(r"\bwhich (?:is|are)\b.*", "", without_times(piece, times)))
        if title and times:
            events += _events_at(replace(plain, action="create", kind="", when=None), title, times)
    return [*events, replace(plain, when=None)]


def _meal(plain: PlannerRequest, match: _Match, context: CompanionContext) -> PlannerRequest:
    raw, rated = slots.split_opinion(match.part("foods") + match.part("more"))
    at = plain.when.start if isinstance(plain.when, TimePhrase) and not plain.when.is_all_day else context.now
    kind = match.part("kind")
    named = slots.meal_kind(kind, at) if kind or plain.action in ("log", "plan_meal") else ""
    rating = slots.rating_in(match.part("rating")) if match.part("rating") else rated
    if "skipped" in match.quote.casefold() and plain.action == "log":
        raw = "nothing"
    target = slots.clean_title(match.part("target"))
    if plain.action == "rate" and compiled("<<meal>>|meal|it").fullmatch(target):
        named, target = ("" if target.casefold() in ("meal", "it") else slots.meal_kind(target, at)), ""
    if plain.action == "delete":
        named = next((each for each in ("breakfast", "lunch", "dinner", "snack") if each in target.casefold()), "")
        target = (
            "" if compiled("(?:last |latest )?(?:<<meal>>|meals?|food (?:log )?entry)").fullmatch(target) else target
        )
    foods = slots.split_foods(raw)
    missing: tuple[Missing, ...] = ("foods",) if plain.action in ("log", "plan_meal") and not foods else ()
    if plain.action == "rate" and rating is None:
        missing = ("rating",)
    if isinstance(plain.when, UnclearTime):
        missing = (*missing, "when")
    return replace(
        plain, kind=named, foods=foods, tags=slots.tags_in(match.quote), rating=rating, target=target, missing=missing
    )


def _note(plain: PlannerRequest, match: _Match) -> PlannerRequest:
    """Return a request to the memory; a note keeps the times in its words."""
    if plain.action != "remember":
        return replace(plain, target=slots.clean_title(match.part("target")), every=bool(match.part("every")))
    words = match.part("note")
    if words and match.times:
        # The pattern has seen the clause without its times: the note is all from its first word on.
        start = match.quote.casefold().find(words.split()[0].casefold())
        words = match.quote[start:] if start >= 0 else match.quote
    note = words.strip().strip("\"'").rstrip(".! ")
    return replace(plain, note=note[:1].upper() + note[1:], when=None, missing=() if note else ("note",))


def _about_row(plain: PlannerRequest, match: _Match, context: CompanionContext) -> PlannerRequest:
    """Return a request about a row there is, or about all of them."""
    target = slots.clean_title(match.part("target"))
    row = row_meant(target, context)
    if row is not None and row.agent not in SHARING:
        row, target = None, ""  # A meal or a note is neither moved nor finished: another row is meant.
    if plain.action == "move" and len(match.times) > 1 and isinstance(match.times[0], TimePhrase):
        first, last = match.times[0], match.times[-1]
        if isinstance(last, TimePhrase) and not last.has_date and first.is_all_day:
            plain = replace(plain, when=slots.combined(first, last))
        else:
            # "Move Thursday's training to Friday": the first time tells which, the last one tells where to.
            plain = replace(plain, on=first.start.date(), when=last)
    made = replace(
        plain,
        target=target,
        row=row,
        every=bool(match.part("every")),
        title=slots.clean_title(match.part("title")),
        parts=slots.split_list(match.part("parts")) if match.part("parts") else (),
        priority=slots.priority_in(match.part("priority")) if match.part("priority") else None,
    )
    if made.row is not None and made.row.agent != made.agent:
        made = replace(made, agent=made.row.agent)
    elif made.row is None and (agent := agent_meant(target, context)) in SHARING and made.action in SHARED:
        made = replace(made, agent=agent, target="" if is_one_of_them(target) else target)
    if plain.action == "free" and (length := find_duration(match.quote)):
        made = replace(made, lead_minutes=round(length.total_seconds() / 60))
    if isinstance(made.when, UnclearTime) and plain.action not in ("list", "free", "conflicts"):
        return replace(made, missing=("when",))
    return made
