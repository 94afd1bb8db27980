"""A collaborator's part of one round: it searches its own way, then speaks in a model's words or in quotes."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _

from agents.engine.roles import Decided, Plan, PlanPart, Request, Role, Wording
from agents.llm.prompt import read_prompt
from agents.tools import ToolResult
from conversations.models import TAKEN_BY_SUMMARY
from conversations.panel.model_research import ReadPassage, passages_for_model
from conversations.round_table.lookups import LIBRARY, planned_lookup
from conversations.round_table.names import INITIATOR, role_name
from conversations.round_table.record import Spoken
from conversations.round_table.results import Contribution, QuotedSentence, TableGoal
from conversations.round_table.roster import Seat
from conversations.round_table.search_rules import MOST_QUOTES, RULES, candidates, queries_for, things_of, topic_of
from conversations.round_table.shared_store import SharedStore
from conversations.round_table.table import Table, spoken_so_far, sub_questions
from conversations.round_table.wording import NOTHING_TO_ADD, plain_content, word_rounds
from conversations.search.passage_quotes import content_words
from conversations.tools.library import QUERY_CHARACTERS, FoundPassage, LibraryPassages

PROMPT = read_prompt(Path(__file__).parent / "prompts" / "collaborator.md")
TABLE_TOOLS: Final = ("table_write", "table_read", "table_ask")
HEARD_WORDS: Final = 4
"""Words of others that a collaborator looks up in the next round. Chosen by hand."""
STORE_CHARACTERS: Final = 4_000
"""What of the store a prompt has; the rest can be read with the tool."""
REMARK_CONTEXT: Final = 4_000
"""Characters of the learner's remarks in a prompt, the latest first."""
LEAST_NEW_WORDS: Final = 3
"""Content words that nobody has used yet, in a contribution that adds something. Chosen by hand."""
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")

type Voice = Callable[["VoiceTask"], tuple[PlanPart, ...]]

_voices: dict[str, Voice] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceTask:
    """What a collaborator has to do in one round."""

    table: Table
    seat: Seat
    round: int
    request: Request
    passages: tuple[FoundPassage, ...] = ()
    """What it has found so far."""
    waiting: tuple[str, ...] = ()
    """What it still searches for."""
    looked_up: tuple[str, ...] = ()
    heard: str = ""
    """What others brought up."""
    asked: str = ""
    """What it searches for in this round: the question, or the part of it that the lead gave it."""
    remarks: tuple[str, ...] = ()
    """What the learner said before this round."""


def register_voice(name: str, voice: Voice) -> None:
    """Register how the collaborator of this name works where it does not search the library, with or without a model.

    The parts end with a `Decided` whose result is a `Contribution`; a text among them is what it says.
    """
    _voices[name] = voice


def collaborator_role(table: Table, place: int, number: int) -> Role:
    """Return the role of the collaborator at a place in a round."""
    seat = table.seats[place]
    return Role(
        name=role_name(number, place),
        known_as=seat.name,
        purpose=seat.purpose,
        label=seat.title,
        plan=partial(_plan, table, seat, number),
        prompt=PROMPT,
        standing=f"Your name at the table: {seat.title}\nYour part: {seat.instructions}",
        result=Contribution,
        tools=tuple(dict.fromkeys((LIBRARY, *seat.tools, *TABLE_TOOLS))),
        tier=seat.tier,
        timeout_s=seat.timeout_s,
        on_failure=table.strategy,
    )


def _plan(table: Table, seat: Seat, number: int, request: Request) -> Plan:
    table.rounds_of[seat.name] = number
    table.heard[:] = spoken_so_far(table, request)
    heard = _brought_up(table, seat, table.heard) if number > 1 else ""
    remarks = tuple(table.remarks_before(number))
    task = VoiceTask(
        table=table,
        seat=seat,
        round=number,
        request=request,
        heard=heard,
        asked=searched_question(table, seat, number, request),
        remarks=remarks,
    )
    if voice := _voices.get(seat.name):
        return Plan(say=voice(task))
    queries = round_queries(seat, number, asked=task.asked, heard=heard, remarks=remarks)
    return Plan(say=_search_or_speak(replace(task, waiting=queries)))


def first_queries(table: Table, request: Request, asked: Mapping[str, str]) -> Iterator[str]:
    """Yield what the collaborators will search for in the table's first round, as far as it is known before.

    `asked`: collaborator → the part of the question that the lead is likely to give it.
    """
    spoken, number = spoken_so_far(table, request), table.first_round
    for seat in table.seats:
        if seat.name not in _voices and seat.name != table.lead:
            heard = _brought_up(table, seat, spoken) if number > 1 else ""
            yield from round_queries(seat, number, asked=asked.get(seat.name, table.question), heard=heard)


def round_queries(seat: Seat, number: int, *, asked: str, heard: str, remarks: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return what a collaborator searches for in a round: its own way, and what the learner said before it."""
    own = queries_for(seat.looks_for, asked, round_number=number, heard=heard)
    return tuple(dict.fromkeys([*own, *(topic_of(each)[:QUERY_CHARACTERS] for each in remarks)]))


def searched_question(table: Table, seat: Seat, number: int, request: Request) -> str:
    """Return what a collaborator searches for: its sub-question, if it has one that names something of the question."""
    for each in sub_questions(request, number):
        part = each.about or each.text
        if each.to == seat.name and content_words(part) & content_words(table.question):
            return part
    return table.question


def _brought_up(table: Table, seat: Seat, spoken: list[Spoken]) -> str:
    """Return the words that most of the others used in the latest round and the question does not have."""
    latest = max((each.round for each in spoken), default=0)
    asked, counts = content_words(table.question), dict[str, int]()
    for each in spoken:
        if each.round == latest and each.agent != seat.name and not each.contribution.closes:
            text = " ".join(quote.statement for quote in each.contribution.quotes) or each.text
            for word in dict.fromkeys(re.findall(r"[a-z]{4,}", text.casefold())):
                if (own := content_words(word)) and not own & asked:
                    counts[word] = counts.get(word, 0) + 1
    # The order is that of the seats, so equal counts give the same words in every process.
    best = sorted(counts, key=lambda word: -counts[word])[:HEARD_WORDS]
    return " ".join([*things_of(table.question), *best]) if best else ""


def _search_or_speak(task: VoiceTask) -> tuple[PlanPart, ...]:
    """Return the next search, or what is said when all of them are done."""
    if not task.waiting:
        return _speak(task)
    query, *rest = task.waiting
    left = replace(task, waiting=tuple(rest), looked_up=(*task.looked_up, query))
    return (planned_lookup(task.table.lookups, query, then=partial(_found, left)),)


def _found(task: VoiceTask, result: ToolResult | str) -> tuple[PlanPart, ...]:
    if isinstance(result, LibraryPassages):
        known = {each.source.id for each in task.passages}
        new = [each for each in result.passages if each.source.id not in known]
        task = replace(task, passages=(*task.passages, *new))
    return _search_or_speak(task)


def _speak(task: VoiceTask) -> tuple[PlanPart, ...]:
    quotes = _own_quotes(task)
    remark = "" if quotes else nothing_found(task)
    result = Contribution(
        round=task.round,
        quotes=quotes,
        remark=remark,
        looked_up=task.looked_up,
        says="words" if task.table.has_model else "quotes",
    )
    decided = Decided(result=result)
    if not task.table.has_model:
        return (decided,)
    return (decided, model_wording(task, material=_passages(task.passages)))


def model_wording(task: VoiceTask, *, material: str = "") -> Wording:
    """Return what a model is asked to say: its part of the round, from the goal, the earlier rounds and `material`."""
    has_part = any(each.to == task.seat.name for each in sub_questions(task.request, task.round))
    parts = [
        f"Round {task.round} of at most {task.table.rounds}. Contribute your part to the learner's question"
        f" in at most {task.seat.most_words} words.",
        "Answer the sub-question that the lead has for you." if has_part else "",
        "The learner has said something before this round: take it up." if task.remarks else "",
    ]
    return Wording(
        words="",
        task=" ".join(filter(None, parts)),
        guard=partial(problem_of, task.table, task.seat, task.round),
        most_words=task.seat.most_words,
        is_required=True,
        may_use_tools=True,
        material="\n\n".join(filter(None, (_told(task), material))),
    )


def _own_quotes(task: VoiceTask) -> tuple[QuotedSentence, ...]:
    """Return the best sentences by the collaborator's rule that nobody has said yet, and take them for it."""
    chosen: list[QuotedSentence] = []
    seated = {seat.looks_for for seat in task.table.seats}
    about = " ".join([task.asked, *task.remarks])
    found = candidates(task.seat.looks_for, about, task.passages, heard=task.heard, seated=seated)
    for each in found:
        if len(chosen) == MOST_QUOTES:
            break
        if task.table.said.claim(each.statement, agent=task.seat.name, round_number=task.round):
            chosen.append(each)
    return tuple(chosen)


def nothing_found(task: VoiceTask) -> str:
    thing = RULES[task.seat.looks_for].wanted
    if task.round > 1:
        words = _("%(title)s, round %(round)s: I looked again for %(thing)s and found nothing new.")
    else:
        words = _(
            "%(title)s: I looked for %(thing)s in the library and the courses and found nothing. There may still be something elsewhere."
        )
    # The title is in it, so that no two of them say the same.
    return words % {"title": task.seat.title, "round": task.round, "thing": thing}


def _told(task: VoiceTask) -> str:
    """Return the goal, the earlier rounds, the store and open questions, as material: others wrote all of it."""
    table, goal = task.table, task.request.results.get(INITIATOR)
    parts = []
    if isinstance(goal, TableGoal):
        parts.append(f"Goal: {goal.goal}\nApproach: {goal.approach}")
    if rounds := word_rounds(table, spoken_so_far(table, task.request)):
        parts.append(f"What was said so far:\n{rounds}")
    if remarks := told_remarks(table):
        parts.append(f"The learner has said in between:\n{remarks}")
    if entries := _stored(table.store):
        parts.append(f"The shared store:\n{entries}")
    for handed in sub_questions(task.request, task.round):
        if handed.to == task.seat.name:
            parts.append(f"{table.title_of(table.lead)}, who leads, asks you in this round: {handed.text}")
    for each in table.questions_for(task.seat.name, before=task.round):
        parts.append(f"{table.title_of(each.asked_by)} asks you: {each.text}")
    return "\n\n".join(parts)


def told_remarks(table: Table) -> str:
    """Return what the learner has said, quoted, as lines `Before round 2: «…»`; the earliest are left out if it is too much."""
    lines: list[str] = []
    room = REMARK_CONTEXT
    for each in reversed(table.remarks):
        when = f"Before round {each.round}" if each.round != TAKEN_BY_SUMMARY else "After the last round"
        line = f"{when}: «{' '.join(each.text.split())}»"
        if len(line) > room:
            break
        room -= len(line)
        lines.append(line)
    return "\n".join(reversed(lines))


def _stored(store: SharedStore) -> str:
    lines = [f"{each.kind}, {each.agent}, {each.key}: {each.value}" for each in store.entries()]
    return "\n".join(lines)[:STORE_CHARACTERS]


def _passages(passages: tuple[FoundPassage, ...]) -> str:
    read = [ReadPassage(source=each.source, text=each.text) for each in passages]
    return f"Passages of the library:\n{passages_for_model(read)}" if read else ""


def problem_of(table: Table, seat: Seat, number: int, text: str) -> str:
    """Return why the latest sentence of a model's words must not be shown: a rule forbids it, or it was said before."""
    if problem := table.guard(text):
        return problem
    sentence = [each for each in _SENTENCE.split(text.strip()) if each][-1:]
    is_new = all(
        table.said.claim(each, agent=seat.name, round_number=number)
        for each in sentence
        if not NOTHING_TO_ADD.fullmatch(each)
    )
    return "" if is_new else "repeated"


def says_something_new(spoken: Spoken, earlier: list[Spoken]) -> bool:
    """Tell whether a contribution adds something: a quote, or words that were not all used before.

    A lead's close adds nothing: it says what the others have answered.
    """
    if spoken.contribution.closes:
        return False
    if not spoken.text:
        return bool(spoken.contribution.quotes)
    if NOTHING_TO_ADD.fullmatch(spoken.text):
        return False
    before: set[str] = set().union(*(content_words(plain_content(each)) for each in earlier))
    return len(content_words(spoken.text) - before) >= LEAST_NEW_WORDS
