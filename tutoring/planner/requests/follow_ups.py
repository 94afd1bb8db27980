"""Reads what follows up on the last turn: an answer to what was asked back, "make it five instead", "delete it"."""

import re
from dataclasses import replace
from typing import Final

from tutoring.planner.requests import slots
from tutoring.planner.times.time_phrases import find_times, without_times
from tutoring.planner.times.values import TimePhrase, UnclearTime
from tutoring.planner.values import AgentName, AskedBack, CompanionContext, Missing, PlannerRequest, RowRef

LONGEST_ANSWER: Final = 20
"""Words of a title or a meal that was asked back; who writes more says something else."""
_PRONOUN: Final = re.compile(
    r"(?:it|that|this|them|that one|this one|one|the one|the task|the event|the meal|the reminder)\W*", re.IGNORECASE
)
_ONE_OF_THEM: Final = re.compile(
    r"(?:(?:all|both|each|every one|some) (?:of )?)?(?:it|this|that|them|these|those|everything|all|both|(?:the )?(?:\w+ )?ones?|(?:the )?(?:rest|others?))\W*",
    re.IGNORECASE,
)
_EMPTY: Final = frozenset((
    "the", "my", "our", "your", "his", "her", "an", "and", "or", "to", "of", "for", "in", "on", "at", "it", "is", "was",
    "be", "with", "about", "from", "thing", "things", "task", "tasks", "event", "events", "we", "you", "he", "she",
    "they", "me", "him", "them", "us", "this", "that", "these", "those", "what", "when", "where", "who", "which", "how",
    "why", "do", "does", "did", "done", "have", "has", "had", "are", "am", "were", "can", "could", "will", "would",
    "should", "must", "need", "get", "got", "go", "going", "not", "no", "only", "just", "also", "one", "two", "all",
    "some", "any", "too", "again", "new", "next", "last", "like", "more", "most", "much", "many", "time", "day", "week",
    "today", "tomorrow", "make", "made", "put", "add", "take", "give", "want", "know",
))  # fmt: skip
"""Words of a title that do not tell one row from another."""
_ENDING: Final = re.compile(r"(?<=\w{3})(?:ing|es|s)$")
_DROPS: Final = re.compile(
    r"(?:no+|nope|nah|no,? thanks?(?: you)?|never ?mind|nvm|forget (?:it|about it)|leave it|leave that|cancel(?: that)?|stop|nothing|"
    r"don'?t(?: bother)?|not now|skip(?: it| that)?|none(?: of (?:them|these|those))?|it'?s (?:ok|okay|fine))(?:[\s,]+(?:thanks?|thank you|please|then))*\W*",
    re.IGNORECASE,
)
_AGREES: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please(?: do)?|do it|go ahead|right|exactly|correct|definitely)(?:[\s,]+(?:please|do|thanks|it|that|sure))*\W*",
    re.IGNORECASE,
)
_ORDINALS: Final = {
    "first": 0, "1": 0, "1st": 0, "one": 0, "second": 1, "2": 1, "2nd": 1, "two": 1, "third": 2, "3": 2, "3rd": 2, "three": 2,
    "fourth": 3, "4": 3, "4th": 3, "four": 3, "fifth": 4, "5": 4, "5th": 4, "five": 4, "last": -1,
}  # fmt: skip
_ORDINAL: Final = re.compile(
    rf"(?:the |number |no\.? ?|option )*({'|'.join(_ORDINALS)})(?: one| option)?(?:,? please)?\W*", re.IGNORECASE
)
_ALL: Final = re.compile(
    r"(?:all(?: of (?:them|these|those))?|both(?: of them)?|every one|everything)\W*", re.IGNORECASE
)
_ALL_DAY: Final = re.compile(
    r"(?:(?:it'?s |make it )?(?:an? )?(?:all|whole|full)[- ]day(?: long)?|no (?:fixed |set |specific )?time|any ?time)\W*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"(?:what|how|why|who|which|where|can|could|is|are|do|does|explain)\b|.*\?\s*$", re.IGNORECASE
)
_CHANGES: Final = re.compile(
    r"(?:(?:actually|no|oh|sorry|wait|oops|hmm|ok(?:ay)?|please|rather|well|but|on second thoughts?|i mean(?:t)?|better)[,!.:]?\s*)*"
    r"(?:(?:can (?:you|we)|could (?:you|we)|let'?s|please)\s+)*"
    r"(?P<does>make (?:it|that)|(?:change|move|set|shift|push|reschedule|put|do) (?:it|that|this)(?:\s+to)?|it'?s|it should be|it has to be|i meant?|rather)?"
    r"[\s,]*(?:to|at|for|on|until)?\s*(?P<instead>instead|rather|please)?\W*",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(
    r"\b(?:actually|instead|rather|make it|make that|change it|move it|i mean|i meant|sorry|oops|wait|better|no)\b",
    re.IGNORECASE,
)
_TOO: Final = re.compile(
    r"(?:(?:and|also|oh|plus|ok(?:ay)?|yes)[,]?\s*)*(?:(?:the )?same (?:thing )?)?(?:too|as well|also|again|the same)?\W*",
    re.IGNORECASE,
)
_SAYS_TOO: Final = re.compile(r"\b(?:too|as well|also|same|again)\b|^(?:and|plus)\b", re.IGNORECASE)
_DELETES: Final = re.compile(
    r"(?:please |actually |no,? )*(?:delete|remove|cancel|scrap|drop|erase|forget|get rid of|take off) (?P<row>it|that|this|that one|this one|them)(?: again| please)?\W*",
    re.IGNORECASE,
)
_COMPLETES: Final = re.compile(
    r"(?:(?:mark|tick|check|cross) (?:it|that|this)(?: off)?(?: as)?(?: done| complete(?:d)?| finished)?|(?:it'?s|that'?s|it is) (?:done|finished)(?: now)?|"
    r"i(?:'m| am| have|'ve)?(?: just| already)? (?:done|did|finished|completed)(?: with)? (?:it|that|this)(?: now)?)\W*",
    re.IGNORECASE,
)
_OPINION: Final = re.compile(r"(?:it|that|this|they|those) (?:was|were|tasted)\b", re.IGNORECASE)
_ENDS: Final = re.compile(r"[\s,]+(?:instead|rather|please|then|ok(?:ay)?)\W*$", re.IGNORECASE)
_BARE_HOUR: Final = re.compile(
    r"(?P<lead>.*\b(?:make (?:it|that)|(?:change|move|set|shift|push) (?:it|that)(?: to)?|i meant?|rather|better|actually))[\s,]+(?:at |to |for )?"
    r"(?P<hour>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o'?clock)?\W*",
    re.IGNORECASE,
)
LONGEST_FOLLOW_UP: Final = 200
_ASKING: Final = frozenset({"list", "free", "conflicts", "patterns", "suggest", "recall"})
"""Actions that change nothing."""
_PLACES: Final = "|".join(_ORDINALS)
_ABOUT_PLACE: Final = re.compile(
    r"(?:(?:please|ok(?:ay)?|and|then|now|actually|can you|could you)[,]?\s+)*"
    r"(?P<does>delete|remove|cancel|forget|drop|scrap|erase|mark|tick|check|finish|complete|cross|move|push|reschedule|change|make|rate|give|postpone|shift)"
    rf"(?:\s+off)?\s+(?:the )?(?P<place>{_PLACES})(?: one| task| event| meal| note)?(?P<rest>\s+.*)?",
    re.IGNORECASE,
)
_URGENT: Final = re.compile(
    r"(?:(?:and|also|actually|please|oh)[,]?\s+)*(?:it'?s|that'?s|make (?:it|that)|mark (?:it|that)(?: as)?|set (?:it|that) (?:to|as)|give (?:it|that))?\s*"
    r"(?:a |very |really |pretty )*(?P<priority>urgent|important|(?:high|highest|top|medium|low|lowest)[- ]priority|less important)\W*",
    re.IGNORECASE,
)
_ADDS: Final = re.compile(
    r"(?:(?:and|also|please|oh)[,]?\s+)*(?:add|put)\s+(?P<parts>.+?)\s+(?:to|on|onto|under)\s+(?:it|that|this|the (?:list|task|checklist)|there)\W*",
    re.IGNORECASE,
)
_ASKS_WHEN: Final = re.compile(
    r"(?:and )?(?:when|what time|what day|which day|where|how long)(?:'s| is| was| does| will)? (?:it|that|this)(?: start| begin| due| be| again| on)*\W*|"
    r"(?:what|which one) was (?:it|that)(?: again)?\W*|(?:read|show|tell) (?:it|that)(?: to me| back| again)*\W*",
    re.IGNORECASE,
)
_BEGINS: Final = re.compile(r"\b(?:starts?|begins?)\b", re.IGNORECASE)
"""What an event does, and no task."""
_ASKS_CLASH: Final = re.compile(
    r"(?:and )?(?:does|do|will|would|is) (?:it|that|this)(?: all)? (?:clash|overlap|conflict|collide|fit|ok)\b.*|(?:any )?(?:clash(?:es)?|conflicts?|overlaps?)\W*",
    re.IGNORECASE,
)
_AND_FOOD: Final = re.compile(
    r"(?:and|also|oh and|plus|with)\s+(?:i (?:had|ate|drank) |also )*(?P<foods>[a-z][\w ,'&-]{1,80}?)(?: too| as well)?\W*",
    re.IGNORECASE,
)
_ASKS_MORE: Final = re.compile(
    r"(?:and )?(?:what|anything|something|is there anything|do i have anything|show me what) else\b[^?]{0,40}\W*|(?:show|tell) me (?:more|the rest|all(?: of them)?|everything)\W*|"
    r"(?:which|what)(?: one)?(?: is|'s) (?:the )?(?:first|next|most urgent|most important|soonest|due first)\W*",
    re.IGNORECASE,
)
_ASKS_LEFT: Final = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|now)[,]?\s+)*what(?:'?s| is| else is) (?:still )?(?:left|open|to do)(?: now| then)?\W*",
    re.IGNORECASE,
)
_WHAT_ABOUT: Final = re.compile(
    r"(?:(?:and|or|ok(?:ay)?|so|then|also)\b[,]?\s*)*(?:what about|how about|what of|for|on|is it)?\W*", re.IGNORECASE
)
_EVERY: Final = {"weekly": "every week", "daily": "every day", "monthly": "every month", "yearly": "every year"}
_WEEKLY: Final = re.compile(r"\b(?:weekly|daily|monthly|yearly)\b", re.IGNORECASE)
_RENAMES: Final = re.compile(
    r"(?:actually,? )?(?:call|name|rename) (?:it|that|this)(?: to)?:? (?P<title>.+)", re.IGNORECASE
)


def row_meant(target: str, context: CompanionContext) -> RowRef | None:
    """Return the row that "it" means; None for other words, or if the conversation is about no row."""
    return context.last if _PRONOUN.fullmatch(target) else None


def agent_meant(target: str, context: CompanionContext) -> AgentName | None:
    """Return whose row "the second one" or "the glue" is, by who has spoken last or has a row of that name; else None."""
    if is_one_of_them(target):
        return context.agent
    words = named_words(target)
    having = {row.agent for row in context.known if words and words <= named_words(row.title)}
    return having.pop() if len(having) == 1 else None


def agent_named(text: str, context: CompanionContext) -> AgentName | None:
    """Return the one agent with rows in the conversation whose names have a word of the text; else None."""
    said = named_words(text)
    having = {row.agent for row in context.known if said & named_words(row.title)}
    return having.pop() if len(having) == 1 else None


def is_one_of_them(target: str) -> bool:
    """Tell whether words name no row, but point at one or all of those that were spoken of."""
    return bool(_PRONOUN.fullmatch(target) or _ONE_OF_THEM.fullmatch(target))


def named_words(text: str) -> frozenset[str]:
    """Return the words of a text that may name a row, without endings: "glue sticks" names "glue stick"."""
    return frozenset(_ENDING.sub("", each) for each in re.findall(r"[^\W_]{2,}", text.casefold()) if each not in _EMPTY)


def answer_to_question(text: str, context: CompanionContext, *, only_options: bool) -> tuple[PlannerRequest, ...]:
    """Return the request that was asked back about, with the message's answer; empty if it is no answer.

    `only_options`: only a button's label, or a place in the list, counts. What waits to be asked back comes after it.
    """
    found = _answer(text, context, only_options=only_options)
    return (*found, *context.waiting) if found else ()


def _answer(text: str, context: CompanionContext, *, only_options: bool) -> tuple[PlannerRequest, ...]:
    asked = context.asked
    assert asked is not None
    words = text.strip()
    place = _chosen(words, asked)
    if place is not None:
        return _with_option(asked, place, text, context)
    if only_options:
        return ()
    if _DROPS.fullmatch(words):
        return (replace(asked.request, action="drop", quote=words, missing=()),)
    if asked.missing == "confirm":
        agreed = replace(asked.request, missing=_without(asked.request, "confirm"))
        return (agreed,) if _AGREES.fullmatch(words) else ()
    if asked.missing == "which":
        return _named_row(asked, words)
    if asked.missing in ("when", "before"):
        return _with_time(asked, text, context)
    return _with_words(asked, asked.missing, words)


def _chosen(words: str, asked: AskedBack) -> int | None:
    """Return the place of the option that the message names; None for none."""
    folded = words.casefold().rstrip(".! ")
    for place, option in enumerate(asked.options):
        if folded == option.casefold().rstrip(".! "):
            return place
    found = _ORDINAL.fullmatch(words) if asked.missing == "which" else None
    if found is None:
        return None
    place = _ORDINALS[found[1].casefold()]
    place = len(asked.rows) - 1 if place < 0 else place
    return place if 0 <= place < len(asked.rows) else None


def _with_option(asked: AskedBack, place: int, text: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    request = replace(asked.request, quote=text.strip())
    if asked.missing == "which" and place < len(asked.rows):
        row = asked.rows[place]
        return (replace(request, row=row, target=row.title, missing=_without(request, "which")),)
    label = asked.options[place]
    if _DROPS.fullmatch(label) or (asked.missing == "which" and asked.rows):
        return (replace(request, action="drop", missing=()),)
    if asked.missing in ("when", "before"):
        return _with_time(asked, label, context)
    if asked.missing == "confirm":
        return (replace(asked.request, missing=_without(asked.request, "confirm")),) if _AGREES.fullmatch(label) else ()
    return _with_words(asked, asked.missing, label)


def _named_row(asked: AskedBack, words: str) -> tuple[PlannerRequest, ...]:
    """Return the request with the one row that the message names, or with all of them."""
    request = replace(asked.request, quote=words)
    if _ALL.fullmatch(words):
        return (replace(request, every=True, missing=_without(request, "which")),)
    said = set(re.findall(r"\w+", words.casefold())) - {"the", "one", "please", "my", "a"}
    fitting = [row for row in asked.rows if said and said <= set(re.findall(r"\w+", row.title.casefold()))]
    if len(fitting) == 1:
        return (replace(request, row=fitting[0], target=fitting[0].title, missing=_without(request, "which")),)
    if not asked.rows and not _ASKS.match(words) and len(words.split()) <= 8:
        return (replace(request, target=slots.clean_title(words), missing=_without(request, "which")),)
    return ()


def _with_time(asked: AskedBack, text: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    request = replace(asked.request, quote=text.strip())
    known = request.when
    if _ALL_DAY.fullmatch(text.strip()) and isinstance(known, TimePhrase):
        return (replace(request, all_day=True, missing=_without(request, "when")),)
    if isinstance(known, UnclearTime):
        for choice in known.choices:
            if text.strip().casefold() == choice.quote.casefold():
                return (replace(request, when=choice, missing=_without(request, "when")),)
    times = find_times(text, context.now)
    rest = without_times(text, times) if times else text
    if not times or _ASKS.match(text.strip()) or len(rest.split()) > 5:
        return ()
    when = times[0]
    if isinstance(when, TimePhrase) and isinstance(known, TimePhrase):
        when = slots.combined(known, when) if not when.has_date else when
    missing = ("when",) if isinstance(when, UnclearTime) else _without(request, "when", "before")
    return (replace(request, when=when, before="", missing=missing),)


def _with_words(asked: AskedBack, missing: Missing, words: str) -> tuple[PlannerRequest, ...]:
    """Return the request with a title, foods, a rating or a note."""
    if _ASKS.match(words) or len(words.split()) > LONGEST_ANSWER or not re.search(r"\w", words):
        return ()
    request = replace(asked.request, quote=words, missing=_without(asked.request, missing))
    match missing:
        case "title":
            return (replace(request, title=slots.clean_title(words)),)
        case "foods":
            raw, rating = slots.split_opinion(
                re.sub(r"^(?:i (?:had|ate|want|'?d like)|just)\s+", "", words, flags=re.IGNORECASE)
            )
            foods = slots.split_foods(raw)
            return (replace(request, foods=foods, rating=rating or request.rating),) if foods else ()
        case "rating":
            found = next((value for each in re.findall(r"[\w-]+", words) if (value := slots.rating_in(each))), None)
            return (replace(request, rating=found),) if found else ()
        case "note":
            return (replace(request, note=words[:1].upper() + words[1:]),)
    return ()


def _without(request: PlannerRequest, *missing: Missing) -> tuple[Missing, ...]:
    return tuple(each for each in request.missing if each not in missing)


def follow_up(text: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return the request of a message that only means something after the last turns; empty if it is none."""
    words = text.strip()
    if len(words) > LONGEST_FOLLOW_UP or (context.last is None and context.last_request is None):
        return ()
    return _about_last(words, context) or _asked_again(words, context)


def about_listed(words: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return what is asked about one of the rows that were listed: "delete the second one"."""
    found = _ABOUT_PLACE.fullmatch(words)
    if found is None or not context.listed:
        return ()
    place = _ORDINALS[found["place"].casefold()]
    place = len(context.listed) - 1 if place < 0 else place
    if not 0 <= place < len(context.listed):
        return ()
    row = context.listed[place]
    return _does(found["does"].casefold(), found["rest"] or "", row, words, context)


def _does(does: str, rest: str, row: RowRef, words: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return what a verb asks of a row."""
    plain = PlannerRequest(agent=row.agent, action="delete", quote=words, target=row.title, row=row)
    if does in ("delete", "remove", "cancel", "forget", "drop", "scrap", "erase"):
        return (replace(plain, action="forget" if row.agent == "memory" else "delete"),)
    if does in ("mark", "tick", "check", "finish", "complete", "cross") and row.agent == "task":
        return (replace(plain, action="complete"),)
    if (
        does == "rate"
        and row.agent == "food"
        and (rating := next(filter(None, map(slots.rating_in, rest.split())), None))
    ):
        return (replace(plain, action="rate", rating=rating),)
    if row.agent == "task" and (priority := slots.priority_in(rest)) and not find_times(rest, context.now):
        return (replace(plain, action="change", priority=priority),)
    times = find_times(rest, context.now)
    if times and row.agent in ("task", "event"):
        return (_moved(plain, times[0]),)
    return ()


def _about_last(words: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return what is asked about the row that "it" means."""
    row = context.last
    if row is None:
        return ()
    plain = PlannerRequest(agent=row.agent, action="delete", quote=words, target=row.title, row=row)
    if _DELETES.fullmatch(words):
        return (replace(plain, action="forget" if row.agent == "memory" else "delete"),)
    if row.agent == "task" and _COMPLETES.fullmatch(words):
        return (replace(plain, action="complete"),)
    if row.agent in ("task", "event") and (named := _RENAMES.fullmatch(words)):
        return (replace(plain, action="change", title=slots.clean_title(named["title"])),)
    if row.agent == "task" and (urgent := _URGENT.fullmatch(words)):
        return (replace(plain, action="change", priority=slots.priority_in(urgent["priority"])),)
    if row.agent == "task" and (more := _ADDS.fullmatch(words)):
        return (replace(plain, action="change", parts=slots.split_list(more["parts"])),)
    if row.agent in ("task", "event") and _ASKS_WHEN.fullmatch(words):
        events = [each for each in context.known if each.agent == "event"]
        row = events[-1] if events and _BEGINS.search(words) else row
        return (PlannerRequest(agent=row.agent, action="list", quote=words, target=row.title),)
    if row.agent == "event" and _ASKS_CLASH.fullmatch(words):
        return (PlannerRequest(agent="event", action="conflicts", quote=words, target=row.title),)
    if row.agent == "memory":
        return (
            (PlannerRequest(agent="memory", action="recall", quote=words, target=row.title),)
            if _ASKS_WHEN.fullmatch(words)
            else ()
        )
    if row.agent == "food" and _OPINION.match(words):
        rest, rating = slots.split_opinion(words)
        return (replace(plain, action="rate", rating=rating),) if rating and not rest.strip() else ()
    if row.agent == "food" and context.agent == "food" and context.follows and (eaten := _AND_FOOD.fullmatch(words)):
        again = context.last_request
        if again is not None and again.action in ("log", "plan_meal"):
            return (replace(again, quote=words, foods=slots.split_foods(eaten["foods"]), rating=None, missing=()),)
    return _at_other_time(words, plain, context)


def _at_other_time(words: str, plain: PlannerRequest, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return what "make it five instead", "on Thursday too" and "no, Saturday" ask."""
    if context.agent is None or plain.agent not in ("task", "event", "food"):
        return ()
    said = _ENDS.sub("", words)
    if (hour := _BARE_HOUR.fullmatch(said)) is not None:
        # Only after "make it" is a number alone an hour.
        said = f"{hour['lead']} at {hour['hour']}"
    said = _WEEKLY.sub(lambda found: _EVERY[found[0].casefold()], said)
    times = find_times(said, context.now)
    if not times:
        return ()
    rest, again = without_times(said, times).strip(), context.last_request
    makes = again is not None and again.action in ("create", "log", "plan_meal")
    if again is not None and makes and _SAYS_TOO.search(words) and _TOO.fullmatch(rest):
        return (replace(again, quote=words, when=_like(times[0], again), missing=()),)
    marked = bool(_MARKS.search(words))
    if plain.agent == "food":
        return ()
    asks = again is not None and not makes and again.action in _ASKING
    if _CHANGES.fullmatch(rest) and (marked or (not rest and not context.only_clear and not asks)):
        return (_moved(plain, times[0]),)
    return ()


def _moved(plain: PlannerRequest, when: TimePhrase | UnclearTime) -> PlannerRequest:
    return replace(plain, action="move", when=when, missing=("when",) if isinstance(when, UnclearTime) else ())


def _asked_again(words: str, context: CompanionContext) -> tuple[PlannerRequest, ...]:
    """Return the last question with another time, or without its limits: "and on Friday?", "what else?"."""
    again = context.last_request
    if again is None or context.agent is None:
        return ()
    if _ASKS_LEFT.fullmatch(words) and context.follows and not context.only_clear:
        return (PlannerRequest(agent="task", action="list", quote=words),)
    if _ASKS_MORE.fullmatch(words):
        agent = again.agent
        asks = again if again.action in _ASKING else PlannerRequest(agent=agent, action="list", quote=words)
        return (replace(asks, quote=words, missing=()),)
    times = find_times(words, context.now)
    if not times or isinstance(times[0], UnclearTime) or again.action not in _ASKING:
        return ()
    if _WHAT_ABOUT.fullmatch(without_times(words, times).strip(" ?.!,")):
        return (replace(again, quote=words, when=times[0], target="", missing=()),)
    return ()


def _like(when: TimePhrase | UnclearTime, again: PlannerRequest) -> TimePhrase | UnclearTime:
    """Return the time of "on Thursday too": at the time of day of what is repeated."""
    known = again.when
    if isinstance(when, TimePhrase) and isinstance(known, TimePhrase) and when.is_all_day and not known.is_all_day:
        length = known.end - known.start if known.end is not None else None
        # A stored phrase knows only its offset from UTC.
        clock = known.start.astimezone(when.start.tzinfo)
        start = when.start.replace(hour=clock.hour, minute=clock.minute)
        return replace(when, start=start, end=start + length if length is not None else None, is_all_day=False)
    return when
