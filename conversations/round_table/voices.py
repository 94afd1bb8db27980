"""A collaborator's part of one round: it searches its own way, then speaks in a model's words or in quotes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _

from agents.engine.roles import Decided, Plan, PlannedToolUse, PlanPart, Request, Role, Wording
from agents.llm.prompt import read_prompt
from agents.tools import ToolResult
from conversations.panel.model_research import ReadPassage, passages_for_model
from conversations.round_table.names import INITIATOR, role_name
from conversations.round_table.record import Spoken
from conversations.round_table.results import Contribution, QuotedSentence, TableGoal
from conversations.round_table.roster import Seat
from conversations.round_table.search_rules import MOST_QUOTES, RULES, candidates, queries_for, things_of
from conversations.round_table.shared_store import SharedStore
from conversations.round_table.table import Table, spoken_so_far
from conversations.round_table.wording import NOTHING_TO_ADD, plain_content, word_rounds
from conversations.search.passage_quotes import content_words
from conversations.tools.library import FoundPassage, LibraryArguments, LibraryPassages

PROMPT = read_prompt(Path(__file__).parent / "prompts" / "collaborator.md")
LIBRARY: Final = "library"
TABLE_TOOLS: Final = ("table_write", "table_read", "table_ask")
HEARD_WORDS: Final = 4
"""Words of others that a collaborator looks up in the next round. Chosen by hand."""
STORE_CHARACTERS: Final = 4_000
"""What of the store a prompt has; the rest can be read with the tool."""
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
    task = VoiceTask(table=table, seat=seat, round=number, request=request, heard=heard)
    if voice := _voices.get(seat.name):
        return Plan(say=voice(task))
    queries = queries_for(seat.looks_for, table.question, round_number=number, heard=heard)
    return Plan(say=_search_or_speak(replace(task, waiting=queries)))


def _brought_up(table: Table, seat: Seat, spoken: list[Spoken]) -> str:
    """Return the words that most of the others used in the latest round and the question does not have."""
    latest = max((each.round for each in spoken), default=0)
    asked, counts = content_words(table.question), dict[str, int]()
    for each in spoken:
        if each.round == latest and each.agent != seat.name:
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
    # The library does not wait for documents that are still being read: the round has 30 seconds for all of it.
    arguments = LibraryArguments(query=query, waits=False)
    return (PlannedToolUse(tool=LIBRARY, arguments=arguments, then=partial(_found, left)),)


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
    return Wording(
        words="",
        task=(
            f"Round {task.round} of at most {task.table.rounds}. Contribute your part to the learner's question"
            f" in at most {task.seat.most_words} words."
        ),
        guard=partial(_problem, task),
        most_words=task.seat.most_words,
        is_required=True,
        may_use_tools=True,
        material="\n\n".join(filter(None, (_told(task), material))),
    )


def _own_quotes(task: VoiceTask) -> tuple[QuotedSentence, ...]:
    """Return the best sentences by the collaborator's rule that nobody has said yet, and take them for it."""
    chosen: list[QuotedSentence] = []
    seated = {seat.looks_for for seat in task.table.seats}
    found = candidates(task.seat.looks_for, task.table.question, task.passages, heard=task.heard, seated=seated)
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
    if entries := _stored(table.store):
        parts.append(f"The shared store:\n{entries}")
    for each in table.questions_for(task.seat.name, before=task.round):
        parts.append(f"{table.title_of(each.asked_by)} asks you: {each.text}")
    return "\n\n".join(parts)


def _stored(store: SharedStore) -> str:
    lines = [f"{each.kind}, {each.agent}, {each.key}: {each.value}" for each in store.entries()]
    return "\n".join(lines)[:STORE_CHARACTERS]


def _passages(passages: tuple[FoundPassage, ...]) -> str:
    read = [ReadPassage(source=each.source, text=each.text) for each in passages]
    return f"Passages of the library:\n{passages_for_model(read)}" if read else ""


def _problem(task: VoiceTask, text: str) -> str:
    """Return why the latest sentence of a model's words must not be shown: a rule forbids it, or it was said before."""
    if problem := task.table.guard(text):
        return problem
    sentence = [each for each in _SENTENCE.split(text.strip()) if each][-1:]
    is_new = all(
        task.table.said.claim(each, agent=task.seat.name, round_number=task.round)
        for each in sentence
        if not NOTHING_TO_ADD.fullmatch(each)
    )
    return "" if is_new else "repeated"


def says_something_new(spoken: Spoken, earlier: list[Spoken]) -> bool:
    """Tell whether a contribution adds something: a quote, or words that were not all used before."""
    if not spoken.text:
        return bool(spoken.contribution.quotes)
    if NOTHING_TO_ADD.fullmatch(spoken.text):
        return False
    before: set[str] = set().union(*(content_words(plain_content(each)) for each in earlier))
    return len(content_words(spoken.text) - before) >= LEAST_NEW_WORDS
