"""The research looks things up one by one, listens to the analysis, and keeps the sentences that answer."""

from typing import Any

import pytest

from agents.engine.bus import make_event
from agents.engine.roles import Decided, Expectation, PlannedToolUse
from agents.errors import LLMInvalidOutput
from agents.tools import Source, ToolResult
from agents.tools.fetch_page import PageText
from agents.tools.wikipedia import Article, Articles
from conversations.panel.facts import PanelFacts
from conversations.panel.requested_tools import requested_tools, without_requests
from conversations.panel.research import (
    CONCEPT_EVENT,
    code_to_run,
    other_questions,
    plan_research,
    without_addresses,
    without_calculation,
)
from conversations.panel.results import QuotedFact, ResearchResult
from conversations.tools.library import FoundPassage, LibraryPassages


class Printed(ToolResult):
    output: str

    @property
    def summary(self) -> str:
        return self.output


def passage(number: int, text: str, heading: str = "") -> FoundPassage:
    source = Source(id=f"passage-{number}", title=f"Book {number}", url=f"/b/{number}/", type="course", credibility=1.0)
    return FoundPassage(source=source, heading=heading, where=heading, text=text, likeness=0.9)


class Desk:
    """Plays the tools and the analysis to the plan's steps, and keeps what was asked."""

    def __init__(self, answers: dict[str, ToolResult | str], *, concepts: tuple[str, ...] = ()) -> None:
        self.answers = answers
        self.concepts = concepts
        self.asked: list[tuple[str, str]] = []

    def work(self, text: str, *, refers_to: str = "") -> ResearchResult:
        facts = PanelFacts(turn_id="1", text=text, classification="complex_query", refers_to=refers_to)
        parts: tuple[Any, ...] = plan_research(facts)
        for _step in range(20):
            (part,) = parts
            if isinstance(part, Decided):
                self.decided = part
                assert isinstance(part.result, ResearchResult)
                return part.result
            if isinstance(part, Expectation):
                event = make_event(CONCEPT_EVENT, sender="analysis", data={"concepts": list(self.concepts)})
                parts = part.then(event if self.concepts else None)
                continue
            assert isinstance(part, PlannedToolUse)
            about = str(next(iter(part.arguments.model_dump().values())))
            self.asked.append((part.tool, about))
            parts = part.then(self.answers.get(f"{part.tool} {about}", self.answers.get(part.tool, "")))
        raise AssertionError("the research never ends")


ATTENTION = passage(1, "Attention weighs words by how much they matter to each other.", "Attention")


ARTICLE = Articles(
    articles=[
        Article(
            source=Source(id="wiki-1", title="Attention", url="https://wiki.test/1", type="wikipedia", credibility=0.7),
            extract="Attention weighs words by how much they matter.",
        )
    ]
)


def test_tool_that_the_message_names_is_asked_first() -> None:
    desk = Desk({"wikipedia": ARTICLE, "library": LibraryPassages(passages=[])})
    found = desk.work("Look up what attention weighs on Wikipedia")
    assert desk.asked[0] == ("wikipedia", "what attention weighs")
    assert ([each.source_id for each in found.facts], found.refused_tools) == (["wiki-1"], ())


def test_named_tool_that_is_not_available_is_refused_by_name_and_the_library_answers() -> None:
    desk = Desk({"library": LibraryPassages(passages=[ATTENTION])})
    found = desk.work("What does Wikipedia say about attention?")
    assert found.refused_tools == ("wikipedia",)
    assert found.facts


def test_request_without_a_question_asks_no_tool() -> None:
    desk = Desk({})
    desk.work("Search the web")
    assert desk.asked == []


def test_named_tool_leaves_the_rest_of_the_message_to_be_done() -> None:
    desk = Desk({"wikipedia": ARTICLE, "calculator": Printed(output="144")})
    found = desk.work("Look up what attention weighs on Wikipedia. And what is 12*12?")
    assert [each.answer for each in found.computed] == ["144"]
    assert found.facts


@pytest.mark.parametrize(
    ("text", "tools", "question"),
    [
        ("search the web for the tallest mountain", ("web_search",), "the tallest mountain"),
        ("Use wikipedia: who was Ada Lovelace?", ("wikipedia",), "who was Ada Lovelace?"),
        ("According to Wikipedia, what is a neuron?", ("wikipedia",), "what is a neuron?"),
        ("find papers on attention in arXiv", ("arxiv",), "papers on attention"),
        ("Can you look up tides on Wikipedia?", ("wikipedia",), "tides?"),
        ("Find out how tides work on Wikipedia", ("wikipedia",), "how tides work"),
        ("Search the web", ("web_search",), ""),
        ("how does the web work?", (), "how does the web work?"),
        ("find out what the web is", (), "find out what the web is"),
        ("How do people use the internet?", (), "How do people use the internet?"),
        ("How do spiders use silk in the web?", (), "How do spiders use silk in the web?"),
        ("How do I use Google?", (), "How do I use Google?"),
    ],
)
def test_tools_are_named_by_a_request_and_not_by_a_topic(text: str, tools: tuple[str, ...], question: str) -> None:
    assert (requested_tools(text), without_requests(text)) == (tools, question)


def test_sentence_that_answers_is_a_fact_with_its_source_and_scores() -> None:
    desk = Desk({"library": LibraryPassages(passages=[ATTENTION])})
    found = desk.work("What is attention?")
    (fact,) = found.facts
    assert (fact.statement, fact.source_id, fact.confidence, fact.relevance) == (ATTENTION.text, "passage-1", 1.0, 1.0)
    assert [each.title for each in found.sources] == ["Book 1"]
    assert (found.tool_calls, found.confidence) == (("library",), 1.0)


def test_concept_that_the_analysis_announces_is_looked_up() -> None:
    encoding = passage(2, "Positional encoding tells a transformer the order of the words.")
    answers: dict[str, ToolResult | str] = {
        "library": LibraryPassages(passages=[ATTENTION]),
        "library What is positional encoding?": LibraryPassages(passages=[encoding]),
    }
    alone, told = Desk(answers), Desk(answers, concepts=("attention", "positional encoding"))
    assert len(alone.work("What is attention?").facts) == 1
    found = told.work("What is attention?")
    assert told.asked[-1] == ("library", "What is positional encoding?")
    assert {each.source_id for each in found.facts} == {"passage-1", "passage-2"}


def test_calculation_and_question_of_one_message_are_both_served() -> None:
    desk = Desk({"calculator": Printed(output="(3+4)*2^5 = 224"), "library": LibraryPassages(passages=[ATTENTION])})
    found = desk.work("what is attention, and what is `(3+4)*2^5`?")
    assert desk.asked == [("calculator", "(3+4)*2^5"), ("library", "what is attention")]
    assert [each.answer for each in found.computed] == ["(3+4)*2^5 = 224"]
    assert len(found.facts) == 1


def test_program_is_run_and_not_searched_for() -> None:
    desk = Desk({"code_executor": Printed(output="4")})
    found = desk.work("Run print(2+2)")
    assert desk.asked == [("code_executor", "print(2+2)")]
    assert [(each.tool, each.answer) for each in found.computed] == [("code_executor", "4")]


def test_outside_sources_are_asked_only_if_the_library_holds_nothing() -> None:
    source = Source(id="wikipedia:1", title="Sea salt", url="https://example.org/", type="wikipedia", credibility=0.7)
    article = Article(source=source, extract="Sea salt comes from rocks that rain has washed out.")
    desk = Desk({"library": LibraryPassages(passages=[]), "wikipedia": Articles(articles=[article])})
    found = desk.work("Where does sea salt come from?")
    assert [tool for tool, _about in desk.asked] == ["library", "wikipedia"]
    assert [(each.source_id, each.confidence) for each in found.facts] == [("wikipedia:1", 0.7)]


def test_nothing_found_is_a_result_without_facts_or_confidence() -> None:
    desk = Desk({"library": LibraryPassages(passages=[])})
    found = desk.work("Why is the sea salty?")
    assert (found.facts, found.sources, found.confidence) == ((), (), None)
    assert [tool for tool, _about in desk.asked] == ["library", "wikipedia", "web_search", "arxiv"]


def test_tool_that_fails_leaves_the_rest() -> None:
    desk = Desk({"library": "It took too long.", "wikipedia": "It did not work."})
    assert desk.work("Why is the sea salty?").facts == ()


def test_of_two_compared_things_each_is_explained_in_the_order_of_the_question() -> None:
    lists, tuples = (
        passage(1, "A list is an ordered row of things."),
        passage(2, "A tuple is a row that never changes."),
    )
    desk = Desk(
        {"library What is a tuple?": LibraryPassages(passages=[tuples]), "library": LibraryPassages(passages=[lists])}
    )
    found = desk.work("What is the difference between a tuple and a list?")
    assert [each.source_id for each in found.facts] == ["passage-2", "passage-1"]


def test_words_of_documents_are_in_no_record() -> None:
    desk = Desk({"library": LibraryPassages(passages=[ATTENTION])})
    assert "weighs" not in desk.work("What is attention?").model_dump_json()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Run print(2+2)", "print(2+2)"),
        ("what does `for i in range(3): print(i)` print", "for i in range(3): print(i)"),
        ("run ```python\nx = 1\nprint(x)\n```", "x = 1\nprint(x)"),
        ("what is `(3+4)*2^5`?", ""),
        ("what does print mean", ""),
        ("how do I run a marathon", ""),
    ],
)
def test_program_that_a_message_asks_to_run(text: str, code: str) -> None:
    assert code_to_run(text) == code


def test_questions_besides_a_calculation() -> None:
    text = "how do lists work, and what is (3+4)*2^5?"
    assert without_calculation(text, "(3+4)*2^5") == "how do lists work"
    assert without_calculation("what is (3+4)*2^5?", "(3+4)*2^5") == ""
    assert other_questions(text) == "how do lists work"


def test_headings_that_share_a_word_with_the_question_are_offered_next() -> None:
    beside = passage(2, "Several heads look at once.", "Attention with several heads")
    other = passage(3, "A pencil helps.", "Read mathematics with a pencil")
    desk = Desk({"library": LibraryPassages(passages=[ATTENTION, beside, other])})
    assert desk.work("What is attention?").headings == ("Attention with several heads",)


PAGE = PageText(
    source=Source(id="web:spiders", title="Spiders", url="https://spiders.example/", type="web", credibility=0.5),
    text="# Spiders\nSpiders have eight legs and make silk in glands.\nMost spiders live for about one year, and some for twenty.",
    goes_on=False,
)


def test_page_of_the_message_is_read_for_the_question() -> None:
    desk = Desk({"fetch_page": PAGE})
    found = desk.work("How long do spiders live? See https://spiders.example/.")
    assert desk.asked[0] == ("fetch_page", "https://spiders.example/")
    assert [each.statement for each in found.facts] == ["Most spiders live for about one year, and some for twenty."]
    assert found.sources[0].url == "https://spiders.example/"


def test_page_alone_is_told_from_its_beginning() -> None:
    found = Desk({"fetch_page": PAGE}).work("https://spiders.example/")
    assert [each.statement for each in found.facts] == ["Spiders have eight legs and make silk in glands."]


def test_page_that_may_not_be_opened_is_refused_by_name() -> None:
    assert Desk({}).work("What does https://spiders.example/ say?").refused_tools == ("fetch_page",)


def test_addresses_are_taken_out_of_a_text() -> None:
    text = "Compare https://a.example/x?y=1, and (http://b.example/z) please"
    assert without_addresses(text) == ("Compare and ( please", ("https://a.example/x?y=1", "http://b.example/z"))


def test_what_a_message_refers_to_is_looked_up() -> None:
    desk = Desk({"library": LibraryPassages(passages=[ATTENTION])})
    desk.work("How does it weigh words?", refers_to="attention")
    assert desk.asked[0] == ("library", "How does attention weigh words?")


def test_page_that_is_only_to_be_summarized_is_told_from_its_beginning() -> None:
    found = Desk({"fetch_page": PAGE}).work("summarize https://spiders.example/ please")
    assert [each.statement for each in found.facts] == ["Spiders have eight legs and make silk in glands."]


def test_only_the_first_page_is_opened_and_none_with_an_endless_address() -> None:
    desk = Desk({"fetch_page": PAGE})
    desk.work("How long do spiders live? https://spiders.example/ https://b.example/")
    assert [each for each in desk.asked if each[0] == "fetch_page"] == [("fetch_page", "https://spiders.example/")]
    desk = Desk({})
    desk.work(f"How long do spiders live? https://a.example/{'x' * 3_000}")
    assert {tool for tool, _about in desk.asked} <= {"library", "wikipedia", "web_search", "arxiv"}


def test_model_may_choose_another_sentence_of_what_was_found() -> None:
    text = "Attention weighs words. It was introduced in 2014 by Bahdanau and others. Exercises follow."
    desk = Desk({"library": LibraryPassages(passages=[passage(1, text, "Attention")])})
    own = desk.work("What is attention?")
    assert desk.decided.refine is not None
    assert "Bahdanau" in desk.decided.material
    chosen = QuotedFact(statement="It was introduced in 2014 by Bahdanau and others.", source_id="passage-1")
    found = desk.decided.refine(own, ResearchResult(facts=(chosen,)))
    assert [each.statement for each in found.facts] == ["It was introduced in 2014 by Bahdanau and others."]
    assert found.tool_calls == own.tool_calls
    invented = chosen.model_copy(update={"statement": "It was introduced in 2013 by Bahdanau and others."})
    with pytest.raises(LLMInvalidOutput):
        desk.decided.refine(own, ResearchResult(facts=(invented,)))
    assert desk.decided.refine(own, ResearchResult()) == own


def test_model_is_not_asked_where_nothing_was_found() -> None:
    desk = Desk({})
    desk.work("What is attention?")
    assert desk.decided.refine is None
