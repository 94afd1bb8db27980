"""What lies beyond the lesson: computed by the calculator, or answered from what the library and the courses say."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from agents.events import Card
from agents.roles import Said, Use, Wording
from agents.tools import ToolResult
from agents.tools.calculator import CalculatorArguments
from agents.tools.sentences import calculation_in
from conversations.searching import citing
from conversations.searching.tool import QUERY_CHARACTERS, FoundPassage, LibraryArguments, LibraryPassages
from tutoring.rules import manners
from tutoring.rules.extracting import Candidate, Quote, content_words, quotes_for

TOOLS = ("library", "calculator", "code_executor")
"""What the tutor may use."""
MOST_WORDS = 90
TASK = (
    "Answer the learner's question in at most three sentences, only from what was found. After each sentence put the number "
    "of the passage that it rests on in square brackets, such as [1]. If what was found does not answer it, say so. Ask nothing."
)


def nothing_leaks(text: str) -> bool:
    """Tell that no question is open whose answer a text could give away."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that the course has no answer to."""

    text: str
    turn_id: str
    otherwise: tuple[Said, ...]
    """What is said where nothing is found."""
    following: tuple[Said, ...] = ()
    """What comes after an answer."""
    leaks: Callable[[str], bool] = nothing_leaks
    """Whether a text gives the open question's answer away."""
    withheld: frozenset[str] = frozenset()
    """Signs that the calculator leaves to the learner here."""


def answered(asked: Asked) -> tuple[Said, ...]:
    """Return how the question is answered: the tool that is used, and through it what is said."""
    calculation = calculation_in(asked.text)
    if calculation and not asked.withheld & set(calculation):
        return (
            Use(
                tool="calculator", arguments=CalculatorArguments(expression=calculation), then=partial(computed, asked)
            ),
        )
    if calculation or not content_words(asked.text):
        return asked.otherwise
    query = LibraryArguments(query=asked.text[:QUERY_CHARACTERS])
    return (Use(tool="library", arguments=query, then=partial(found, asked)),)


def computed(asked: Asked, result: ToolResult | str) -> tuple[Said, ...]:
    """Return what the calculator came to, or why to nothing, unless that would answer the open question."""
    said = result if isinstance(result, str) else f"`{result.summary}`"
    return asked.otherwise if not said or asked.leaks(said) else (said, *asked.following)


def found(asked: Asked, result: ToolResult | str) -> tuple[Said, ...]:
    """Return what was found on the question: where it stands, and a model's answer from it where there is a model."""
    passages = result.passages if isinstance(result, LibraryPassages) else []
    candidates = [Candidate(text=each.text, heading=each.heading, likeness=each.likeness) for each in passages]
    quotes = [
        each
        for each in quotes_for(asked.text, candidates)
        if not asked.leaks(candidates[each.candidate].text[each.start : each.end])
    ]
    if not quotes:
        return asked.otherwise
    shown = [passages[each.candidate] for each in quotes]
    words = Wording(
        words=_introduction(shown),
        task=TASK,
        guard=partial(problem, passages=len(shown), leaks=asked.leaks),
        most_words=MOST_WORDS,
        material=as_material(shown),
    )
    return (words, sources_card(shown, quotes, turn_id=asked.turn_id), *asked.following)


def problem(text: str, *, passages: int, leaks: Callable[[str], bool]) -> str:
    """Return in a word why a model's answer from passages must not be shown; empty if it may be."""
    cited = [int(piece.split("]")[0]) for piece in text.split("[")[1:] if piece.split("]")[0].isdecimal()]
    if any(not 1 <= number <= passages for number in cited):
        return "source"
    return "leak" if leaks(text) else manners.problem_in(text, questions=0)


def as_material(passages: Sequence[FoundPassage]) -> str:
    """Return passages as a model is shown them, each with its number and where it stands."""
    return "\n\n".join(
        f"[{number}] {each.source.title}, {each.where}:\n«{each.text}»" for number, each in enumerate(passages, 1)
    )


def sources_card(passages: Sequence[FoundPassage], quotes: Sequence[Quote], *, turn_id: str) -> Card:
    """Return the places that answer, as a card: their words are read when it is shown, by whoever may read them then."""
    content = {
        "sources": [each.source.model_dump() for each in passages],
        "quotes": [{"start": each.start, "end": each.end} for each in quotes],
    }
    return Card(kind=citing.KIND, id=str(uuid.uuid5(uuid.UUID(turn_id), "sources")), content=content)


def _introduction(passages: Sequence[FoundPassage]) -> str:
    titles = list(dict.fromkeys(f"*{each.source.title}*" for each in passages))
    if len(titles) == 1:
        return _("I looked it up in %(title)s. This is what stands there:") % {"title": titles[0]}
    listed = _("%(some)s and %(last)s") % {"some": ", ".join(titles[:-1]), "last": titles[-1]}
    return _("I looked it up. %(titles)s say this:") % {"titles": listed}
