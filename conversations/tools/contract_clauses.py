"""The tool `contract_clauses`: what a person's contracts say, quoted with document and page, found by rules."""

import asyncio
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import BaseModel, ConfigDict, Field

from agents.people import Person
from agents.storage.threads import in_orm_thread
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from conversations.charts.figures import ChartCard
from conversations.contracts.findings import KINDS, QUOTE_CHARACTERS, Finding, FindingKind, find_terms
from conversations.library.document_text import JOINT
from conversations.models import Document, Passage
from conversations.search import citations
from conversations.search.engine import find_passages, is_loaded, load_search
from conversations.search.permissions import DOCUMENT, readable_documents, reader_of
from conversations.search.word_stems import stem, words_of

MOST_DOCUMENTS: Final = 5
"""Documents that one use reads; more would not be quoted in one answer."""
MOST_CHARACTERS: Final = 400_000
"""Characters read of a document, about 130 pages. What comes after is left out, and said so."""
FOUND: Final = 12
MOST_TERMS, USUAL_TERMS = 100, 40
QUOTES_SAID: Final = 6
SHORTEST_WORD: Final = 4
_ABOUT: Final = re.compile(r"\b(?:about|regarding|concerning|mentions?)\s+(?P<words>[^?.!]+)", re.IGNORECASE)

_ASKED_KINDS: Final[dict[FindingKind, re.Pattern[str]]] = {
    "obligation": re.compile(r"\bobligations?\b|\bdut(?:y|ies)\b|\b(?:must|shall|owes?|has to|have to|required|promise\w*|allowed)\b", re.I),
    "date": re.compile(r"\bdates?\b|\bdeadlines?\b|\bwhen\b|\bexpir\w*\b|\bstarts?\b|\bends?\b", re.I),
    "period": re.compile(r"\bperiods?\b|\bnotice\b|\bhow long\b|\bdeadlines?\b|\bterm\b|\bdays\b|\bmonths\b|\bwithin\b", re.I),
    "party": re.compile(r"\bpart(?:y|ies)\b|\bwho (?:signed|is bound)\b|\bbetween whom\b", re.I),
    "clause": re.compile(r"\bclauses?\b|\bsections?\b|\barticles?\b|\bcontents?\b|\bstructure\b|\bsay about\b", re.I),
}  # fmt: skip


class ClauseQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(default="", max_length=400, description="What to find, in plain words.")
    document: str = Field(
        default="", max_length=255, description="Only the document of this name; empty: those the question fits best."
    )
    kinds: list[FindingKind] = Field(
        default=[], description="What to look for; empty: what the question asks for, or everything."
    )
    about: str = Field(default="", max_length=200, description="Only sentences or clauses with one of these words.")
    limit: int = Field(default=USUAL_TERMS, ge=1, le=MOST_TERMS, description="The most quotes.")


class ContractTerm(BaseModel):
    """One thing that a contract says, in its own words."""

    kind: FindingKind
    value: str
    """What it is about, as the contract says it: a date, a period, a name, who owes; empty if that is unclear."""
    quote: str
    """The sentence, word for word; a long one ends with `…`."""
    clause: str
    """The number of the clause it stands in; empty if there is none."""
    document: str
    where: str
    """The page, or the heading."""
    source: Source


class ContractTerms(ToolResult):
    terms: list[ContractTerm]
    """In the order of the documents."""
    documents: list[str]
    """The documents that were read."""
    notes: list[str] = []
    """What was not read, in sentences."""
    words: str
    """What was found, in quotes."""

    @property
    def summary(self) -> str:
        return f"{len(self.terms)} quotes from {len(self.documents)} documents"

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple({term.source.id: term.source for term in self.terms}.values())

    @property
    def chart(self) -> ChartCard | None:
        """The quotes as a table for the page."""
        if not self.terms:
            return None
        return ChartCard(
            title=_("What the documents say"),
            columns=[_("Kind"), _("Detail"), _("Quote"), _("Document"), _("Where")],
            rows=[
                [kind_label(term.kind), term.value or None, term.quote, term.document, term.where or None]
                for term in self.terms
            ],
            notes=self.notes,
        )


def kind_label(kind: FindingKind) -> str:
    labels: dict[FindingKind, str] = {
        "party": _("party"),
        "clause": _("clause"),
        "obligation": _("obligation"),
        "date": _("date"),
        "period": _("period"),
    }
    return labels[kind]


def read_contracts(person: Person, query: ClauseQuery) -> ContractTerms:
    """Return what the person's documents say. Raises ToolFailed if there is no document to read."""
    documents = _documents(person, query)
    kinds = query.kinds or [kind for kind, cue in _ASKED_KINDS.items() if cue.search(query.question)] or list(KINDS)
    wanted = _stems(query.about) or _stems_asked_about(query.question)
    terms: list[ContractTerm] = []
    notes: list[str] = []
    for document in documents:
        text = _text_of(document)
        if text.is_cut:
            notes.append(_("Only the beginning of “%(name)s” was read.") % {"name": document})
        terms += _terms_in(text, document, kinds=kinds, wanted=wanted)
    if len(terms) > query.limit:
        notes.append(_("These are %(shown)d of %(total)d quotes.") % {"shown": query.limit, "total": len(terms)})
    terms = terms[: query.limit]
    names = [str(each) for each in documents]
    return ContractTerms(terms=terms, documents=names, notes=notes, words=_words(terms, names, notes))


def _documents(person: Person, query: ClauseQuery) -> Sequence[Document]:
    """Return the documents named; without a name, those with passages like the question; otherwise the latest."""
    readable = readable_documents(person).filter(status=Document.Status.READY)
    if query.document:
        named = _named(readable, query.document)
        if named is None:
            raise ToolFailed(_("There is no document named “%(name)s” in your library.") % {"name": query.document})
        return [named]
    latest = list(readable.order_by("-created_at", "pk")[:200])
    if not latest:
        raise ToolFailed(_("There are no documents in your library. Upload the contract there, then ask again."))
    if in_question := [each for each in latest if _is_named(each, query.question)]:
        return in_question[:MOST_DOCUMENTS]
    if not query.question:
        return latest[:MOST_DOCUMENTS]
    found = find_passages(reader_of(person), query.question, kinds=frozenset({DOCUMENT}), limit=FOUND)
    best = dict.fromkeys(row.document_id for row, _cosine in found if row.document_id is not None)
    by_id = {each.pk: each for each in latest}
    fitting = [by_id[pk] for pk in best if pk in by_id]
    return (fitting or latest)[:MOST_DOCUMENTS]


def _named(readable: QuerySet[Document], name: str) -> Document | None:
    wanted = name.strip().casefold()
    for document in readable.order_by("-created_at", "pk"):
        if wanted in (str(document.pk), document.name.casefold(), document.title.casefold(), _stem(document.name)):
            return document
    return None


def _is_named(document: Document, question: str) -> bool:
    """Tell whether the question names the document: by its file name, with or without the ending, or its title."""
    asked = question.casefold()
    return any(len(name) > 3 and name in asked for name in (_stem(document.name), document.title.casefold()))


def _stem(name: str) -> str:
    return name.casefold().rpartition(".")[0] or name.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class _ContractText:
    text: str
    starts: Sequence[int]
    """Where each passage begins in the text."""
    passages: Sequence[Passage]
    is_cut: bool

    def passage_at(self, place: int) -> Passage:
        return self.passages[max(0, bisect_right(self.starts, place) - 1)]


def _text_of(document: Document) -> _ContractText:
    """Return the document's text as `document_text` joins it, with the places of its passages."""
    pieces: list[str] = []
    starts: list[int] = []
    passages: list[Passage] = []
    length = 0
    rows = document.passages.select_related("document", "publication").order_by("number")
    for passage in rows.iterator(chunk_size=500):
        if length + len(passage.text) > MOST_CHARACTERS:
            return _ContractText(text="".join(pieces), starts=starts, passages=passages, is_cut=True)
        if passages and passages[-1].page != passage.page:
            pieces.append(JOINT)
            length += len(JOINT)
        starts.append(length)
        passages.append(passage)
        pieces.append(passage.text)
        length += len(passage.text)
    return _ContractText(text="".join(pieces), starts=starts, passages=passages, is_cut=False)


def _terms_in(
    read: _ContractText, document: Document, *, kinds: Sequence[FindingKind], wanted: set[str]
) -> Iterator[ContractTerm]:
    for found in _about(read.text, list(find_terms(read.text)), wanted):
        if found.kind not in kinds:
            continue
        quote = read.text[found.span.start : found.span.end]
        passage = read.passage_at(found.span.start)
        yield ContractTerm(
            kind=found.kind,
            value=read.text[found.value.start : found.value.end],
            quote=quote if len(quote) <= QUOTE_CHARACTERS else f"{quote[:QUOTE_CHARACTERS]}…",
            clause=found.clause,
            document=str(document),
            where=citations.place_of(passage),
            source=citations.source_of(passage),
        )


def _about(text: str, found: Sequence[Finding], wanted: set[str]) -> Sequence[Finding]:
    """Return the findings with one of these words in their sentence, or in the title of their clause."""
    if not wanted:
        return found
    matching = [each for each in found if wanted & _stems(text[each.span.start : each.span.end])]
    clauses = {each.clause for each in matching if each.kind == "clause"}
    return [each for each in found if each in matching or (each.clause and each.clause in clauses)]


def _stems_asked_about(question: str) -> set[str]:
    """Return the words after "about" in a question: "What does it say about termination?"."""
    asked = _ABOUT.search(question)
    return _stems(asked["words"]) if asked else set()


def _stems(text: str) -> set[str]:
    """Return the stems of a text's words; the shortest words say nothing."""
    return {stem(word) for word in words_of(text) if len(word) >= SHORTEST_WORD}


def _words(terms: Sequence[ContractTerm], documents: Sequence[str], notes: Sequence[str]) -> str:
    """Return the first quotes as sentences; nothing in them is the tool's own but what stands around the quotes."""
    named = ", ".join(f"“{name}”" for name in documents)
    if not terms:
        return " ".join([_("Nothing you asked for was found in %(documents)s.") % {"documents": named}, *notes])
    # Obligations and periods say more than a list of headings.
    shown = sorted(terms, key=lambda term: term.kind == "clause")[:QUOTES_SAID]
    lines = [f"{kind_label(term.kind)}: “{' '.join(term.quote.split())}” ({_place_words(term)})" for term in shown]
    begun = ngettext("%(count)d quote from %(documents)s.", "%(count)d quotes from %(documents)s.", len(terms))
    return " ".join([begun % {"count": len(terms), "documents": named}, *lines, *notes])


def _place_words(term: ContractTerm) -> str:
    return ", ".join(filter(None, (term.document, term.where)))


async def _run(arguments: Any, use: ToolUse) -> ContractTerms:
    if use.person_id is None:
        raise ToolFailed("Documents need a person whose library can be read.")
    if not is_loaded():
        # Not in the shared ORM thread, which all others use.
        await asyncio.to_thread(load_search)
    return await in_orm_thread(_for_person)(use.person_id, arguments)


def _for_person(person_id: int, query: ClauseQuery) -> ContractTerms:
    return read_contracts(get_user_model()._base_manager.get(pk=person_id), query)


CONTRACT_CLAUSES_TOOL = Tool(
    name="contract_clauses",
    description=(
        "Quotes what contracts in the person's library say, with document and page: clauses, obligations, dates, periods "
        "and parties. It finds them by fixed rules and makes nothing up."
    ),
    arguments=ClauseQuery,
    run=_run,
    timeout_s=15.0,  # Includes loading the sentence model at first use.
    is_untrusted=True,
)
