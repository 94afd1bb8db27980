"""Answers from outside the lesson: from the calculator, or from the library and the courses."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _

from agents.engine.roles import PlannedToolUse, PlanPart, Wording
from agents.tools import ToolResult
from agents.tools.calculation_finder import find_calculation
from agents.tools.calculator import CalculatorArguments
from conversations.search.passage_quotes import (
    ABOUT_FROM,
    PassageQuote,
    QuoteCandidate,
    compared_things,
    content_words,
    find_quotes_for,
    is_comparing,
    opening_quote,
)
from conversations.search.quoted_sources import QuotedPlace, emphasize, introduce_quotes, sources_card
from conversations.tools.library import QUERY_CHARACTERS, FoundPassage, LibraryArguments, LibraryPassages
from tutoring.output_checks import answer_disclosure, output_policy
from tutoring.output_checks.answer_leak_guard import OpenQuestion, find_leak
from tutoring.output_checks.own_calculation import appears_in
from tutoring.understanding.parsing.own_files import question_for_files
from tutoring.understanding.parsing.requested_calculation import joins_numbers

TOOLS = ("library", "calculator", "code_executor")
"""Tools that the tutor may use."""
MOST_WORDS = 90
WORD = re.compile(r"\w+")
TASK = (
    "Answer the learner's question in at most three sentences, only from what was found. After each sentence put the number "
    "of the passage that it rests on in square brackets, such as [1]. If what was found does not answer it, say so. Ask nothing."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupQuestion:
    """A question that the course has no answer to."""

    text: str
    turn_id: str
    otherwise: tuple[PlanPart, ...]
    """What is said if nothing is found."""
    attached: bool = False
    """Whether files were sent with the question: then at least their beginning is shown."""
    in_own_files: bool = False
    """Whether it asks the learner's own files: nothing else is searched."""
    following: tuple[PlanPart, ...] = ()
    """What comes after an answer."""
    question: OpenQuestion | None = None
    """The open question, whose answer must not be given away."""
    asked: str = ""
    """What the lesson asked last: a calculation in it is left to the learner."""
    lesson: str = ""
    """The title of the concept taught: sentences of other lessons are no answer in it. Empty outside a lesson."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPassage:
    """A sentence or more in a passage."""

    passage: FoundPassage
    quote: PassageQuote

    @property
    def text(self) -> str:
        return self.passage.text[self.quote.start : self.quote.end]


def answer_question(asked: LookupQuestion) -> tuple[PlanPart, ...]:
    """Return the tool use that answers the question, and through it the reply."""
    if asked.in_own_files:
        return own_files_lookup(asked)
    calculation = find_calculation(asked.text)
    if calculation and not joins_numbers(calculation):
        calculation = ""  # "is 1/100 really tiny" asks about a number, and for no result.
    if calculation and not appears_in(calculation, asked.asked):
        return (
            PlannedToolUse(
                tool="calculator",
                arguments=CalculatorArguments(expression=calculation),
                then=partial(calculator_reply, asked),
            ),
        )
    if not asked.attached and (calculation or not content_words(asked.text)):
        return asked.otherwise
    if sides := compared_things(asked.text):
        return (library_lookup(asked.text, then=partial(first_side_lookup, asked, sides)),)
    return (library_lookup(asked.text, then=partial(library_reply, asked)),)


def library_lookup(question: str, *, then: Callable[[ToolResult | str], tuple[PlanPart, ...]]) -> PlannedToolUse:
    """Return the library lookup for a question."""
    return PlannedToolUse(tool="library", arguments=LibraryArguments(query=question[:QUERY_CHARACTERS]), then=then)


def own_files_lookup(asked: LookupQuestion) -> tuple[PlanPart, ...]:
    """Return the lookup in the learner's own files, for what is asked apart from naming them."""
    question = question_for_files(asked.text)
    if not question and not asked.attached:
        return (_("What should I look for in your files?"),)
    query = LibraryArguments(query=(question or asked.text)[:QUERY_CHARACTERS], own=True)
    then = partial(own_files_reply, replace(asked, text=question))
    return (PlannedToolUse(tool="library", arguments=query, then=then),)


def own_files_reply(asked: LookupQuestion, result: ToolResult | str) -> tuple[PlanPart, ...]:
    """Return what the learner's own files say, or that they say nothing about it."""
    if not isinstance(result, LibraryPassages):
        return (result,) if isinstance(result, str) else asked.otherwise
    if quotes := find_quotes(asked, asked.text, result) or nearest_quote(asked, result):
        return quote_reply(asked, quotes)
    if asked.attached or result.unread:
        return attachment_reply(asked, result)
    if not result.passages:
        return (_("You don’t have any files here that I can read. Add one with the paper clip, then ask me again."),)
    return (_("I couldn’t find that in your files. Try using words from the files."), *asked.following)


def nearest_quote(asked: LookupQuestion, result: ToolResult | str) -> list[QuotedPassage]:
    """Return the sentence of the learner's files that is nearest in meaning to the question, if it is about it."""
    passages = result.passages if isinstance(result, LibraryPassages) else []
    near = [(each.nearest, each) for each in passages if each.nearest and each.nearest.likeness >= ABOUT_FROM]
    near.sort(key=lambda found: -found[0].likeness)
    quotes = [
        QuotedPassage(passage=each, quote=PassageQuote(candidate=0, start=sentence.start, end=sentence.end))
        for sentence, each in near[:1]
    ]
    return [each for each in quotes if not gives_away(asked, each.text)]


def calculator_reply(asked: LookupQuestion, result: ToolResult | str) -> tuple[PlanPart, ...]:
    """Return the calculator's result, or why there is none."""
    said = result if isinstance(result, str) else f"`{result.summary}`"
    return (said, *asked.following) if said else asked.otherwise


def library_reply(asked: LookupQuestion, result: ToolResult | str) -> tuple[PlanPart, ...]:
    """Return the library's places on the question, and a model's answer from them if a model is connected."""
    quotes = find_quotes(asked, asked.text, result)
    if asked.attached and content_words(asked.text):
        quotes = quotes or nearest_quote(asked, result)
    if asked.attached and isinstance(result, LibraryPassages) and not quotes:
        return attachment_reply(asked, result)
    return quote_reply(asked, quotes)


def attachment_reply(asked: LookupQuestion, result: LibraryPassages) -> tuple[PlanPart, ...]:
    """Return how the sent files begin, or why that cannot be shown."""
    if result.unread:
        return (_("I’m still reading %(title)s. Ask me again in a moment.") % {"title": emphasize(result.unread[0])},)
    if result.unreadable:
        return (_("I couldn’t find any readable text in %(title)s.") % {"title": emphasize(result.unreadable[0])},)
    starts = [QuotedPassage(passage=each, quote=opening_quote(each.text)) for each in result.passages[:1]]
    return quote_reply(asked, [each for each in starts if not gives_away(asked, each.text)])


def first_side_lookup(asked: LookupQuestion, sides: tuple[str, str], result: ToolResult | str) -> tuple[PlanPart, ...]:
    """Look up each of two things, if nothing found compares them."""
    nothing = not (isinstance(result, LibraryPassages) and result.passages)
    if nothing or any(is_comparing(each.text, asked.text) for each in find_quotes(asked, asked.text, result)):
        return library_reply(asked, result)
    return (library_lookup(_what_is(sides[0]), then=partial(second_side_lookup, asked, sides, result)),)


def second_side_lookup(
    asked: LookupQuestion, sides: tuple[str, str], both: ToolResult | str, result: ToolResult | str
) -> tuple[PlanPart, ...]:
    one = find_quotes(asked, _what_is(sides[0]), result)[:1]
    return (library_lookup(_what_is(sides[1]), then=partial(comparison_reply, asked, sides, both, one)),)


def comparison_reply(
    asked: LookupQuestion,
    sides: tuple[str, str],
    both: ToolResult | str,
    one: Sequence[QuotedPassage],
    result: ToolResult | str,
) -> tuple[PlanPart, ...]:
    """Return what each of two things is; what was found on both if it says nothing about one of them."""
    other = find_quotes(asked, _what_is(sides[1]), result)[:1]
    return quote_reply(asked, [*one, *other]) if one and other else library_reply(asked, both)


def find_quotes(asked: LookupQuestion, question: str, result: ToolResult | str) -> list[QuotedPassage]:
    """Return what answers a question in what was found, each place once, without what gives an open answer away."""
    passages = result.passages if isinstance(result, LibraryPassages) else []
    passages = [each for each in passages if not is_of_other_lesson(each, asked.lesson)]
    candidates = [QuoteCandidate(text=each.text, heading=each.heading, likeness=each.likeness) for each in passages]
    quotes = [
        QuotedPassage(passage=passages[each.candidate], quote=each) for each in find_quotes_for(question, candidates)
    ]
    once: dict[str, QuotedPassage] = {}
    for each in quotes:
        once.setdefault(" ".join(WORD.findall(each.text.casefold())), each)
    return [each for each in once.values() if not gives_away(asked, each.text)]


def is_of_other_lesson(passage: FoundPassage, lesson: str) -> bool:
    """Tell whether a passage comes from another lesson than the one under way."""
    return bool(lesson) and passage.source.type == "course" and lesson not in f"{passage.heading} {passage.where}"


def quote_reply(asked: LookupQuestion, quotes: Sequence[QuotedPassage]) -> tuple[PlanPart, ...]:
    """Return the places that answer, and a model's words from them if a model is connected."""
    if not quotes:
        return asked.otherwise
    passages = [each.passage for each in quotes]
    numbered = [f"[{number}]" for number in range(1, len(passages) + 1)]
    known = asked.question.supplying(*(each.text for each in quotes), *numbered) if asked.question else None
    words = Wording(
        words=introduce_quotes(each.source.title for each in passages),
        task=TASK,
        guard=partial(find_problem, passages=len(passages), question=known),
        most_words=MOST_WORDS,
        material=source_material(passages),
    )
    places = [QuotedPlace(source=each.passage.source, start=each.quote.start, end=each.quote.end) for each in quotes]
    return (words, sources_card(places, turn_id=asked.turn_id), *asked.following)


def gives_away(asked: LookupQuestion, text: str) -> bool:
    """Tell whether a quoted text gives the open question's answer away."""
    question = asked.question
    return question is not None and answer_disclosure.discloses_answer(text, question.instance, question.said)


def find_problem(text: str, *, passages: int, question: OpenQuestion | None) -> str:
    """Return in one word why a model's answer from passages must not be shown; empty if it may be."""
    cited = [int(piece.split("]")[0]) for piece in text.split("[")[1:] if piece.split("]")[0].isdecimal()]
    if any(not 1 <= number <= passages for number in cited):
        return "source"
    return (
        "leak"
        if question is not None and find_leak(text, question)
        else output_policy.find_policy_problem(text, questions=0)
    )


def source_material(passages: Sequence[FoundPassage]) -> str:
    """Return passages as a model is shown them, each with its number and source."""
    return "\n\n".join(
        f"[{number}] {each.source.title}, {each.where}:\n«{each.text}»" for number, each in enumerate(passages, 1)
    )


def _what_is(thing: str) -> str:
    return f"What is {thing}?"
