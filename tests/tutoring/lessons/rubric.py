"""What a machine can check of each thing the tutor says, and of each turn as a whole."""

import re
from collections.abc import Iterator

from conversations.models import Message
from tests.tutoring.lessons.lesson_player import Exchange, Stage
from tutoring.courses.hint_ladder import LAST_RUNG
from tutoring.mastery.records.progress import max_attempts
from tutoring.models import Attempt, Question
from tutoring.output_checks.answer_disclosure import discloses_answer

MOST_WORDS = 70
"""Of one agent before it is the learner's turn: a reaction in a sentence, and a piece of the course of at most sixty."""
MOST_WORDS_LOOKING_BACK = 100
FORBIDDEN = re.compile(
    r"\b(just|simply|obviously|easy|easily|trivial|clever|smart|brilliant|genius|good job|well done|oops)\b", re.I
)
ABOUT_THE_PERSON = re.compile(
    r"\byou(?:'re| are) (?:so |very |really )?(?:right|good|great|confused|bored|wrong)\b", re.I
)
BROKEN = re.compile(r"[{}]|%\(|“”|\?\?|\.\.|  |[.?:;”][A-Z]")
"""A place left unfilled, an empty quotation, doubled signs, two texts without a space between them."""
ASKS_TO_ACT = re.compile(
    r"\?|\b(look|try|say|tell|lay|count|put|cover|read|think|compare|imagine|take|slide|push|press|answer|keep|hold|see|begin"
    r"|pair|find|carry|choose|ask|rub|draw|clap|watch|go|pick|ask|stand|point|notice|suppose|start|finish|use|show|shade|cut|build|place|share)\b",
    re.I,
)
CARDS = frozenset({"question", "picture", "concept", "replies"})
WAYS_ON = ("question", "concept", "replies")
"""Cards with something to do."""
LONGER = frozenset({"worked_twin", "bottom_out", "decline_answer", "contrast_case"})
"""Moves that say a course's text in full."""


def faults(stage: Stage, exchange: Exchange) -> Iterator[str]:
    """Yield what is wrong with a turn, each fault as the check's name and the words at fault."""
    reply = exchange.reply
    unquoted = _without_quotes(exchange)
    if not reply.strip() and not exchange.cards("question"):  # A step's card says all.
        yield "empty"
    if "!" in reply:
        yield f"exclamation: {reply}"
    for pattern, name in ((FORBIDDEN, "forbidden word"), (ABOUT_THE_PERSON, "about the person"), (BROKEN, "broken")):
        if found := pattern.search(unquoted):
            yield f"{name}: {found.group()!r} in {reply}"
    parts = _by_agent(exchange)
    if sum(part.count("?") for part in parts) > 1:
        yield f"two questions: {reply}"
    for part, move in zip(parts, _moves(exchange), strict=True):
        most = MOST_WORDS if move else MOST_WORDS_LOOKING_BACK
        if len(part.split()) > most and move not in LONGER:
            yield f"{len(part.split())} words: {part}"
    if not any(map(exchange.cards, WAYS_ON)) and not ASKS_TO_ACT.search(reply):
        yield f"nothing to do: {reply}"
    for card in exchange.events("card"):
        if card["kind"] not in CARDS:
            yield f"unknown card: {card['kind']}"
    if answer_leaks(stage, exchange):
        yield f"leak: {exchange.waiting.stem} ← {reply}"  # type: ignore[union-attr]  # There is none without a question.


def answer_leaks(stage: Stage, exchange: Exchange) -> bool:
    """Tell whether the reply gives away an answer that the learner was still to find, after all they have said."""
    question = Question.objects.with_course().filter(pk=exchange.waiting.pk).first() if exchange.waiting else None
    if question is None:
        return False
    now = exchange.answered
    closed = now is not None and (now.correct or now.gave_up or now.number >= max_attempts(question))
    if closed or question.hints_used >= LAST_RUNG:
        return False
    turns = [each.turn.pk for each in stage.exchanges if each.turn.number <= exchange.turn.number]
    said = Message.objects.filter(turn__in=turns, author=Message.Author.LEARNER).values_list("text", flat=True)
    answers = Attempt.objects.filter(question__session=exchange.turn.session).values_list("answer", flat=True)
    return discloses_answer(exchange.reply, question.instance(), [*said, *answers])


def _by_agent(exchange: Exchange) -> list[str]:
    """Return what each agent of the turn said."""
    parts = [""]
    for wire in exchange.wires:
        if wire["type"] == "reply_text":
            parts[-1] += wire["text"]
        elif wire["type"] == "agent_finished":
            parts.append("")
    return parts[:-1]


def _moves(exchange: Exchange) -> list[str]:
    return [wire["result"].get("move", "") for wire in exchange.events("agent_finished")]


def _without_quotes(exchange: Exchange) -> str:
    """Return the reply without the learner's own words in it: those may hold anything."""
    return re.sub(r"“[^”]*”", "“…”", exchange.reply)
