"""The structured call that asks a connected model what a message means, before the decision; two seconds at most."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.utils.translation import gettext_lazy

from agents.engine.events import Event
from agents.engine.graph import Graph
from agents.engine.model_requests import QUOTED_MATERIAL_NOTE
from agents.engine.outcomes import Answered
from agents.engine.registry import register_role
from agents.engine.roles import ChatMessage, Plan, Request, Role, Tier
from agents.engine.runner import NO_PROMPT_OVERRIDES, run
from agents.engine.speaker import PlanSpeaker, Speaker
from agents.llm.offline import OfflineBackend
from agents.llm.prompt import Prompt, read_prompt
from tutoring.courses.exercises.exercise import options_of
from tutoring.understanding import context as contexts
from tutoring.understanding.context import Context
from tutoring.understanding.message_analysis import MessageAnalysis
from tutoring.understanding.model_reading.schema import AllowedMove, ModelReading

NAME: Final = "understanding"
# The learner waits for it; after 2 s the embedded analysis alone is the better reply. Chosen by hand.
TIME_LIMIT_S: Final = 2.0
# Enough for "the other one" and "again"; more costs tokens and time. Chosen by hand.
EXCHANGES: Final = 8
"""Earlier messages that the model sees."""
# About 1,000 tokens each: longer inputs do not fit into two seconds.
MOST_READ: Final = 4_000
"""Characters of the message, and of all passages, that the model sees."""
# Two large courses (Fractions has 16 concepts); an id per line costs about 15 tokens.
MOST_TOPICS: Final = 80
NO_REPLY: Final = "(Nothing was said to that.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """The facts of a request to the model."""

    context: Context
    analysis: MessageAnalysis
    moves: tuple[AllowedMove, ...]
    passages: int
    """How many were found."""


def build_request(
    text: str,
    context: Context,
    analysis: MessageAnalysis,
    moves: Sequence[AllowedMove],
    passages: Sequence[str] = (),
) -> Request:
    """Return the request about a message.

    The role's prompt is static. Earlier messages, the message and the passages after it are data; `turn_note` is what
    the program says about this turn.
    """
    earlier = [ChatMessage(author=each.author, text=each.text) for each in context.history[-EXCHANGES:]]
    # The message itself, where it is stored already; it follows below with the passages.
    if earlier and earlier[-1] == ChatMessage(author="learner", text=text):
        del earlier[-1]
    if earlier and earlier[-1].author == "learner":
        # Two learner messages in a row would be merged, and quotes of the first taken for quotes of the second.
        earlier.append(ChatMessage(author="team", text=NO_REPLY))
    message = text[:MOST_READ]
    if passages:
        found = "\n\n".join(f"[{number}] {passage}" for number, passage in enumerate(passages, start=1))
        message = f"{message}\n\n{QUOTED_MATERIAL_NOTE}\n{found[:MOST_READ]}"
    question = ModelQuestion(context=context, analysis=analysis, moves=tuple(moves), passages=len(passages))
    return Request(text=text, history=(*earlier, ChatMessage(author="learner", text=message)), facts=question)


async def ask_model(
    request: Request, *, speakers: Mapping[Tier, Speaker], prompts: Mapping[str, Prompt] = NO_PROMPT_OVERRIDES
) -> ModelReading | None:
    """Return a model's reading; None if none is connected or allowed, or if it is late, fails or breaks the schema.

    `speakers` come from `speakers_for(…, aside=NAME)`: they use a circuit breaker of their own, do not retry, and do
    not call a busy model, so that the tutor's replies are not delayed. Never raises.
    """
    speaker = speakers[ROLE.tier]
    if isinstance(speaker, PlanSpeaker) and isinstance(speaker.backend, OfflineBackend):
        return None
    result = await run(GRAPH, request, emit=_ignore_event, speakers=speakers, roles={NAME: ROLE}, prompts=prompts)
    results = (outcome.result for outcome in result.outcomes if isinstance(outcome, Answered))
    return next((each for each in results if isinstance(each, ModelReading)), None)


def turn_note(question: ModelQuestion) -> str:
    """Return the note for this turn: the lesson, what was asked, lists with ids, the allowed moves."""
    context = question.context
    sections = (
        ("The lesson", _lesson(context)),
        ("What was asked of the learner, by number", _asked(context)),
        ("Computed", _computed(question.analysis)),
        ("Wrong ideas known here, by id", _misconceptions(context)),
        ("Milestones of this lesson, by id", _milestones(context)),
        ("Topics there are, by id", _topics(context)),
        ("Moves allowed now, by id", (f"- {each.id}: {each.line}" for each in question.moves)),
    )
    told = (f"{title}:\n" + "\n".join(found) for title, lines in sections if (found := list(lines)))
    return "\n\n".join((*told, _found(question.passages)))


def _lesson(context: Context) -> Iterator[str]:
    if context.concept is None:
        yield "No lesson is under way."
    else:
        yield f"{context.concept.title}. {context.concept.summary}"
    if context.last_said and not context.asked:
        yield f"Said last: {context.last_said}"
    if context.readers:
        yield f"Who can read this conversation: {context.readers}"


def _asked(context: Context) -> Iterator[str]:
    for number, prompt in enumerate(context.prompts, start=1):
        waits = "waits for its answer" if number == 1 and context.waits else "left"
        yield f"{number} ({prompt.kind}, {waits}): {prompt.text}"
        yield from (f"   {line}" for line in _on_card(prompt))


def _on_card(prompt: contexts.Prompt) -> Iterator[str]:
    instance = prompt.instance
    if instance is not None:
        if instance.stem.strip() not in prompt.text:
            yield f"On the card: {instance.stem}"
        yield from (f"Choice {letter}: {text}" for letter, text in options_of(instance.choices))
        yield from (f"Row {letter}: {text}" for letter, text in options_of(instance.rows))
    picture = prompt.picture or (instance.picture.alt if instance is not None and instance.picture else "")
    if picture:
        yield f"In sight: {picture}"


def _computed(analysis: MessageAnalysis) -> Iterator[str]:
    """Yield the exact results for the message; the learner's words are quoted, as data."""
    for claim in analysis.claims:
        yield f"- {json.dumps(claim.text, ensure_ascii=False)}: {claim.statement}, {'true' if claim.holds else 'not true'}"
    if analysis.concern is not None:
        yield f"- A pattern is unsure whether this is {analysis.concern.kind}: look closely."


def _misconceptions(context: Context) -> Iterator[str]:
    if context.course is not None and context.concept is not None:
        known = context.course.misconceptions.values()
        yield from (f"- {each.id}: {each.says}" for each in known if context.concept.id in each.concepts)


def _milestones(context: Context) -> Iterator[str]:
    for each in context.concept.milestones if context.concept is not None else ():
        ideas = "; ".join(idea.name for idea in each.ideas if idea.name)
        yield f"- {each.id}: {ideas or each.title}"


def _topics(context: Context) -> Iterator[str]:
    courses = context.courses or ((context.course,) if context.course is not None else ())
    topics = [(course, concept) for course in courses for concept in course.concepts]
    yield from (f"- {course.id}/{concept.id}: {concept.title}" for course, concept in topics[:MOST_TOPICS])


def _found(passages: int) -> str:
    if passages:
        return f"{passages} passages were found; they stand after the learner's words and are no words of theirs."
    return "No passages were found."


def _plan(request: Request) -> Plan:
    question: ModelQuestion = request.facts
    return Plan(background=turn_note(question))


def _ignore_event(event: Event) -> None:
    """Drop the event: the reading is not part of the reply."""


ROLE = register_role(
    Role(
        name=NAME,
        label=gettext_lazy("Reader"),
        purpose=gettext_lazy("Works out what a message means before the tutor decides what to do."),
        plan=_plan,
        prompt=read_prompt(Path(__file__).parents[2] / "prompts" / f"{NAME}.md"),
        result=ModelReading,
        tier="fast",
        timeout_s=TIME_LIMIT_S,
    )
)
GRAPH: Final = Graph(name=NAME, root=NAME)
