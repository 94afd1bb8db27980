"""Researches a question: what to look up, in which order, and which sentences of what is found become facts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from pydantic import BaseModel

from agents.engine.bus import AgentMessage, Filter
from agents.engine.roles import Decided, Expectation, PlannedToolUse, PlanPart
from agents.errors import LLMInvalidOutput
from agents.net.base import URL_CHARACTERS
from agents.tools import Source, ToolResult
from agents.tools.arxiv import ArxivQuestion, Papers
from agents.tools.calculation_finder import find_calculation
from agents.tools.calculator import CalculatorArguments
from agents.tools.code_executor import CodeArguments
from agents.tools.fetch_page import PageRequest, PageText
from agents.tools.web_search import WebHits, WebQuestion
from agents.tools.wikipedia import Articles, WikipediaQuestion
from conversations.panel import scores
from conversations.panel.facts import PanelFacts
from conversations.panel.model_research import FoundSentence, ReadPassage, passages_for_model, sentences_chosen
from conversations.panel.quality_checks import agreeing_facts
from conversations.panel.references import with_reference
from conversations.panel.requested_tools import requested_tools, without_requests
from conversations.panel.results import ComputedAnswer, QuotedFact, ResearchResult
from conversations.search.passage_quotes import (
    ABOUT_FROM,
    QuoteCandidate,
    compared_things,
    content_words,
    find_quotes_for,
    is_comparing,
    opening_quote,
)
from conversations.tools.library import QUERY_CHARACTERS, LibraryArguments, LibraryPassages

CONCEPT_EVENT: Final = "concept_detected"
CONCEPT_WAIT_S: Final = 1.5
"""How long the research waits for the analysis, which may take 2 s of the research's 5."""
CONCEPTS_LOOKED_UP: Final = 2
"""Besides the question itself: each search takes a tenth of a second. Chosen by hand."""
MOST_FACTS: Final = 3
"""More quotations are a list of results and no answer. Chosen by hand."""
OUTSIDE_TOOLS: Final = ("wikipedia", "web_search", "arxiv")
"""Asked in this order if the library holds nothing on the question; each needs the person's consent."""
SHORTEST_PARAGRAPH: Final = 40
"""Characters of a line of a page; shorter ones are menus and headings. Chosen by hand."""
_ADDRESS = re.compile(r"https?://[^\s<>`]+")
# "Run print(2+2)", "what does `for i in range(3): print(i)` print".
_RUNS = re.compile(r"\b(?:run|execute|try out|what (?:does|will|would)|output of|result of)\b", re.IGNORECASE)
_CODE = re.compile(r"```(?:python|py)?\n?(.+?)```|`([^`]+)`|\b(print\(.+\))", re.DOTALL | re.IGNORECASE)
_IS_PYTHON = re.compile(r"\b(?:print|for|while|def|import|len|range|lambda|return)\b|=|\[")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchState:
    """What was found so far, and what is still to be done."""

    question: str
    read: tuple[ReadPassage, ...] = ()
    """All that the tools have found, the nearest first."""
    waiting: tuple[PlannedToolUse, ...] = ()
    findings: tuple[FoundSentence, ...] = ()
    beside: tuple[FoundSentence, ...] = ()
    """What was found on two things together, where nothing compares them: it comes after what each of them is."""
    computed: tuple[ComputedAnswer, ...] = ()
    looked_up: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    """Tools that the message names."""
    refused: tuple[str, ...] = ()
    """Those of them that are not available."""
    asks_model: bool = True
    """False after a picture, for which the research has waited: a model that chooses would keep the learner too long."""
    has_heard: bool = False
    """Whether it has waited for what the analysis announces."""
    went_outside: bool = False


def plan_research(facts: PanelFacts) -> tuple[PlanPart, ...]:
    """Return the first tool use of the research; each one is followed by the next, the result comes last."""
    text, addresses = without_addresses(facts.text)
    code = code_to_run(text)
    calculation = "" if code else find_calculation(text) or ""
    question = with_reference(without_requests(without_calculation(text, calculation)), facts.refers_to)
    opened = ("fetch_page",) if addresses else ()
    state = ResearchState(
        question=question,
        requested=(*opened, *requested_tools(text)),
        asks_model=facts.classification != "visual_query",
    )
    # After the first page, only addresses that a tool has found may be opened.
    for address in addresses[:1]:
        state = _then_use(state, "fetch_page", PageRequest(url=address))
    for tool in requested_tools(text):
        state = _ask_outside_tool(state, tool)
    if code:
        state = _then_use(state, "code_executor", CodeArguments(code=code))
    if calculation:
        state = _then_use(state, "calculator", CalculatorArguments(expression=calculation))
    if content_words(state.question) and not code:
        state = _look_up(state, state.question)
    return next_step(state)


def without_addresses(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without the addresses of pages in it, and those that are short enough to open."""
    found = (each.rstrip(".,;:!?)'\"") for each in _ADDRESS.findall(text))
    return " ".join(_ADDRESS.sub(" ", text).split()), tuple(each for each in found if len(each) <= URL_CHARACTERS)


def without_calculation(text: str, calculation: str) -> str:
    """Return the questions of a text besides a calculation; empty if it asks for nothing else."""
    if not calculation:
        return text
    pressed = "".join(calculation.split())
    return " ".join(each for each in _questions(text) if pressed not in "".join(each.split()))


def other_questions(text: str) -> str:
    """Return the questions of a text that have no number in them; empty if there are none."""
    return " ".join(each for each in _questions(text) if not re.search(r"\d", each))


def _questions(text: str) -> list[str]:
    """Return the parts of a text that each may ask something: its sentences, and what follows "and what"."""
    parts = re.split(r",? and (?=(?:what|how much)\b)|[?.;]\s", " ".join(text.replace("`", "").split()))
    return [each for each in parts if content_words(each)]


def code_to_run(text: str) -> str:
    """Return the program that a message asks to run; empty for none. A calculation goes to the calculator."""
    found = _CODE.search(text) if _RUNS.search(text) else None
    code = next((each for each in found.groups() if each), "").strip() if found else ""
    return code if _IS_PYTHON.search(code) else ""


def next_step(state: ResearchState) -> tuple[PlanPart, ...]:
    """Return what is done next: a waiting tool use, listening to the analysis, asking outside, or the result."""
    if state.waiting:
        first, *rest = state.waiting
        return (replace(first, then=partial(_taken, replace(state, waiting=tuple(rest)), first)),)
    if not state.has_heard:
        wanted = Filter(sender="analysis", event=CONCEPT_EVENT)
        return (
            Expectation(wanted=wanted, within_s=CONCEPT_WAIT_S, then=partial(_heard, replace(state, has_heard=True))),
        )
    if not (state.findings or state.beside or state.computed or state.went_outside):
        return next_step(_ask_outside(replace(state, went_outside=True)))
    own = result_of(state)
    if not (state.read and state.asks_model):
        return (Decided(result=own),)
    return (Decided(result=own, material=passages_for_model(state.read), refine=partial(_refined, state)),)


def _refined(state: ResearchState, own: ResearchResult, told: ResearchResult) -> ResearchResult:
    """Return the research with the sentences that a model has chosen; the rules' own if it has chosen none.

    Raises LLMInvalidOutput for a model that quotes only what stands in no passage.
    """
    chosen = tuple(sentences_chosen(told, state.read))
    if told.facts and not chosen:
        raise LLMInvalidOutput
    return result_of(replace(state, findings=chosen, beside=())) if chosen else own


def _look_up(state: ResearchState, thing: str) -> ResearchState:
    # The vision agent waits for a picture that is still being read; the time of the research is too short for it.
    query = LibraryArguments(query=thing[:QUERY_CHARACTERS], waits=False)
    return replace(_then_use(state, "library", query), looked_up=(*state.looked_up, thing))


def _then_use(state: ResearchState, tool: str, arguments: BaseModel) -> ResearchState:
    use = PlannedToolUse(tool=tool, arguments=arguments, then=lambda _result: ())
    return replace(state, waiting=(*state.waiting, use))


def _taken(state: ResearchState, use: PlannedToolUse, result: ToolResult | str) -> tuple[PlanPart, ...]:
    """Take a tool's result. A tool that is not available has none, and is not counted."""
    if not result:
        refused = (use.tool,) if use.tool in state.requested else ()
        return next_step(replace(state, refused=(*state.refused, *refused)))
    state = replace(state, tools=(*state.tools, use.tool))
    match result:
        case LibraryPassages():
            assert isinstance(use.arguments, LibraryArguments)
            return next_step(_of_library(state, use.arguments.query, result))
        case Articles(articles=articles):
            found = [(each.source, each.extract) for each in articles]
        case WebHits(hits=hits):
            found = [(each.source, each.snippet) for each in hits]
        case PageText(source=source, text=text):
            return next_step(_of_page(state, source, text))
        case Papers(papers=papers):
            found = [(each.source, each.abstract) for each in papers]
        case str():
            return next_step(state)
        case _:
            question = str(getattr(use.arguments, "expression", "") or getattr(use.arguments, "code", ""))
            answer = ComputedAnswer(tool=use.tool, question=question, answer=result.summary)
            return next_step(replace(state, computed=(*state.computed, answer)))
    return next_step(_of_outside(state, found))


def _of_library(state: ResearchState, query: str, result: LibraryPassages) -> ResearchState:
    candidates = [
        QuoteCandidate(text=each.text, heading=each.heading, likeness=each.likeness) for each in result.passages
    ]
    quotes = find_quotes_for(query, candidates)
    found = [
        FoundSentence(
            source=(passage := result.passages[each.candidate]).source,
            text=passage.text[each.start : each.end],
            passage=passage.text,
            start=each.start,
            end=each.end,
        )
        for each in quotes
    ]
    headings = _headings_beside(query, result, {each.candidate for each in quotes})
    sides = compared_things(query)
    read = (ReadPassage(source=each.source, text=each.text) for each in result.passages)
    state = replace(state, headings=tuple(dict.fromkeys((*state.headings, *headings))), read=(*state.read, *read))
    if sides and not any(is_comparing(each.text, query) for each in found):
        # Nothing compares the two: what each of them is comes instead.
        for side in sides:
            state = _look_up(state, concept_query(side))
        return replace(state, beside=tuple(found))
    return replace(state, findings=_without_repetition((*state.findings, *found)))


def _headings_beside(query: str, result: LibraryPassages, quoted: set[int]) -> list[str]:
    """Return the headings of what was found on the question and is not quoted: what one could ask about next.

    They share a word with it: likeness alone offered "Read mathematics with a pencil" after lists and dictionaries.
    """
    known = {result.passages[number].heading for number in quoted}
    near = [each for each in result.passages if each.likeness is not None and each.likeness >= ABOUT_FROM]
    asked = content_words(query)
    return [each.heading for each in near if each.heading not in known and content_words(each.heading) & asked]


def _of_outside(
    state: ResearchState, found: Sequence[tuple[Source, str]], *, likeness: float | None = None
) -> ResearchState:
    quotes = find_quotes_for(state.question, [QuoteCandidate(text=text, likeness=likeness) for _source, text in found])
    taken = [
        FoundSentence(source=found[each.candidate][0], text=found[each.candidate][1][each.start : each.end], passage="")
        for each in quotes
    ]
    # What was found need not be looked for elsewhere outside, except where the message asks for it.
    waiting = [each for each in state.waiting if each.tool not in OUTSIDE_TOOLS or each.tool in state.requested]
    return replace(
        state,
        read=(*state.read, *(ReadPassage(source=source, text=text) for source, text in found)),
        findings=_without_repetition((*state.findings, *taken)),
        waiting=tuple(waiting) if taken else state.waiting,
    )


def _of_page(state: ResearchState, source: Source, text: str) -> ResearchState:
    """Take the sentences of a page that answer the question; if none does, as for "summarize this", its first ones."""
    paragraphs = [each.strip() for each in text.splitlines() if len(each) >= SHORTEST_PARAGRAPH]
    # The learner says that the page is about the question.
    answered = _of_outside(state, [(source, each) for each in paragraphs], likeness=1.0)
    if answered.findings != state.findings or not paragraphs:
        return answered
    quote = opening_quote(paragraphs[0])
    opening = FoundSentence(source=source, text=paragraphs[0][quote.start : quote.end], passage="")
    return replace(state, findings=(*state.findings, opening))


def _without_repetition(findings: Sequence[FoundSentence]) -> tuple[FoundSentence, ...]:
    once = {" ".join(each.text.casefold().split()): each for each in reversed(findings)}
    return tuple(each for each in findings if once.get(" ".join(each.text.casefold().split())) is each)


def _heard(state: ResearchState, message: AgentMessage | None) -> tuple[PlanPart, ...]:
    """Look up the concepts that the analysis announced, and nothing found so far names."""
    if message is None:
        return next_step(state)
    names = [str(each) for each in message.payload.get("data", {}).get("concepts", ())]
    held = content_words(" ".join(each.text for each in state.findings))
    missing = [each for each in names if content_words(each) and not content_words(each) <= held]
    for name in missing[:CONCEPTS_LOOKED_UP]:
        state = _look_up(state, concept_query(name))
    return next_step(state)


def concept_query(name: str) -> str:
    """Return what is looked up for a concept."""
    return f"What is {name}?"


def _ask_outside(state: ResearchState) -> ResearchState:
    if not content_words(state.question) or state.computed:
        return state
    for tool in OUTSIDE_TOOLS:
        if tool not in state.requested:
            state = _ask_outside_tool(state, tool)
    return state


def _ask_outside_tool(state: ResearchState, tool: str) -> ResearchState:
    """Ask a tool outside this site, unless nothing is left to ask for: "search the web"."""
    if not content_words(state.question):
        return state
    query = state.question[:300]
    match tool:
        case "wikipedia":
            return _then_use(state, tool, WikipediaQuestion(query=query, limit=2))
        case "arxiv":
            return _then_use(state, tool, ArxivQuestion(query=query, limit=3))
    return _then_use(state, tool, WebQuestion(query=query, limit=5))


def result_of(state: ResearchState) -> ResearchResult:
    """Return the facts, the most relevant first, with their scores."""
    asked = content_words(state.question)
    findings = _without_repetition((*state.findings, *state.beside))
    drafts = [
        QuotedFact(
            statement=" ".join(each.text.split()),
            passage=each.passage or each.text,
            source_id=each.source.id,
            relevance=scores.coverage(len(content_words(each.text) & asked), of=len(asked)),
            start=each.start,
            end=each.end,
        )
        for each in findings
    ]
    credibility = {each.source.id: each.source.credibility for each in findings}
    facts = [
        each.model_copy(
            update={
                "confidence": scores.fact_confidence(
                    credibility[each.source_id],
                    agreeing=[credibility[other.source_id] for other in agreeing_facts(each, drafts)],
                )
            }
        )
        for each in _best(state.question, drafts)
    ]
    used = {each.source_id for each in facts}
    sources = {each.source.id: each.source for each in findings if each.source.id in used}
    return ResearchResult(
        facts=tuple(facts),
        sources=tuple(sources.values()),
        computed=state.computed,
        tool_calls=state.tools,
        refused_tools=state.refused,
        looked_up=state.looked_up,
        headings=state.headings,
        confidence=scores.weighted_mean((each.confidence, each.relevance) for each in facts),
    )


def _best(question: str, facts: Sequence[QuotedFact]) -> list[QuotedFact]:
    """Return the most relevant facts; of two compared things, what each is, in the order of the question."""
    ordered = facts if compared_things(question) else sorted(facts, key=lambda each: -(each.relevance or 0))
    return list(ordered[:MOST_FACTS])
