"""Finds sentences that say what a term is or does, complete enough to stand alone."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tutoring.document_courses.source_text import Sentence, SourceSection
from tutoring.document_courses.terms import BROKEN, LINKED, MAX_WORDS, MIN_WORDS, is_complete, is_term, normal, words_of

MAX_ENTRY_WORDS: Final = 45
MIN_ROW_WORDS: Final = 3
_LINKS: Final = frozenset({"a", "an", "the", "in", "of", "for"})
_WORD: Final = r"[^\W_][\w'’+#/-]*(?:\(\))?"
_DETERMINER: Final = r"(?:(?P<article>A|An|The)\s+)?"
_EXTRA: Final = (
    r"(?P<extra>\s\([^()]{1,40}\)|,\s(?:also\s|sometimes\s|often\s)?(?:called|known\sas)\s[^,]{2,50},"
    r"|,\sor\s[^,]{2,40},)?"
)
_DEFINED: Final = re.compile(
    rf"{_DETERMINER}(?P<term>{_WORD}(?:\s{_WORD}){{0,4}}){_EXTRA}\s(?P<verb>is|are)\s"
    r"(?P<said>(?:an?|the|any|one\sof|numbers?|words?|those|fractions?|used\sto|when|where|what|how)\s.+"
    r"|(?:[a-z-]+\s){0,2}[a-z-]+s\s(?:that|which|of|used|passed|defined|whose|where|in\swhich|with|for|from)\s.+)\."
)
_WHICH: Final = re.compile(
    rf".*?(?P<term>{_WORD}(?:\s{_WORD}){{0,2}}),\swhich\s(?P<verb>is|are)\s(?P<said>(?:an?|the|any|[a-z-]+s)\s[^,]+)\."
)
_SECOND_CLAUSE: Final = re.compile(
    r"^([^,]*),\s(?:and|but|so)\s(?:an?|the|is|are|can|may|it|its|has|does|will|they|you|[A-Z]\w+)\b.*"
)
"""A clause that can be left out. After another comma it can be the end of a list, which says what the term is."""
NAMED: Final = re.compile(r"\(\)|\s(?:operator|keyword|statement|function|method|clause)$")
"""Terms that name one thing in any text, so that "the" before them points to no example."""
_ACTS: Final = (
    r"describes?|represents?|measures?|stores?|returns?|reads?|displays?|converts?|defines?|specif(?:y|ies)|determines?"
    r"|indicates?|removes?|adds?|raises?|combines?|executes?|repeats?|tells?|lets|allows?|holds?|controls?|computes?"
    r"|calculates?|checks?|counts?|produces?|estimates?|compares?|tests?|sorts?|joins?|replaces?|creates?|opens?|writes?"
    r"|closes?|generates?|accepts?|prevents?|connects?|links?|separates?|protects?"
    r"|transports?|carr(?:y|ies)|absorbs?|releases?|divides?|multipl(?:y|ies)|enables?|increases?"
    r"|reduces?|tracks?|appends?|inserts?|deletes?|prints?|outputs?|identif(?:y|ies)|organizes?|states?"
)
_MEANS: Final = re.compile(
    rf"{_DETERMINER}(?P<term>{_WORD}(?:\s{_WORD}){{0,4}}){_EXTRA}\s"
    r"(?P<verb>refers?\sto|means?|consists?\sof|are\sused\sto|is\sused\s(?:to|for|within)|iterates?\sover|evaluates?\sto"
    r"|(?:occurs?|happens?|begins?|starts?|ends?)\swhen|runs\s(?:after|before|when|if|once|until|while)"
    rf"|{_ACTS})\s"
    r"(?P<said>.+)\."
)
_CALLED: Final = re.compile(
    r"(?P<said>(?!(?:Since|If|When|While|Because|As|For|In|Once|After|Before|Although)\s)[A-Z][a-z]*\s.{15,160}?)\s(?P<verb>is|are)\s(?:called|known\sas|referred\sto\sas)\s(?P<named>the\s|an?\s)?"
    rf"(?P<term>{_WORD}(?:\s{_WORD}){{0,3}})\."
)
VERBS: Final = rf"(?:is|are|can|cannot|has|have|must|should|may|does|begins?|contains?|uses?|takes?|runs?|makes?|gives?|provides?|{_ACTS})"
_SUBJECT: Final = re.compile(
    rf"{_DETERMINER}(?P<term>{_WORD}(?:\s{_WORD}){{0,3}})(?:\s\([^()]*\))?\s(?P<verb>{VERBS})\s"
)
"""The beginning of a sentence about a term."""
_FUNCTION: Final = re.compile(r"(?<![\w.])[A-Za-z]{3,}\(\)")
_ENTRY: Final = re.compile(r"(?P<term>[^:]{2,60}):\s+(?P<said>.{15,400})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What the text says of a term: `term` `verb` `said`."""

    term: str
    """Without an article, written as in the middle of a sentence."""
    article: str
    verb: str
    said: str
    """Without the final period."""
    sentence: str
    passage: int
    section: int
    """The place of its section among the sections."""
    defines: bool
    """Whether it says what the term is, so that it fits no other term."""
    names: tuple[str, ...]
    """The term and its other names, in lower case."""
    is_phrase: bool = True
    """Whether `term verb said` is a sentence; entries of lists and tables can be sentences by themselves."""
    table: tuple[int, int] | None = None
    """The section and number of the table that it is a row of; its rows are compared only with each other."""

    @property
    def is_plural(self) -> bool:
        return self.verb.split()[0] in ("are", "mean", "refer", "consist") or (
            not self.verb.split()[0].endswith("s") and self.verb not in ("is", "lets")
        )


def find_facts(sections: Sequence[SourceSection]) -> list[Fact]:
    """Return the facts of the document in order, the first one for each term and kind."""
    text, lower = _all_words(sections), _lower_words(sections)
    rows = [fact for at, section in enumerate(sections) if section.teaches for fact in _rows(section, at)]
    entries = [fact for at, section in enumerate(sections) for fact in _entries(section, at, sections)]
    stated = [
        fact
        for at, section in enumerate(sections)
        if section.teaches
        for sentence in section.sentences
        for fact in _facts_in(sentence, at, lower, text)
        if is_key_term(fact, text)
    ]
    stated = [
        replace(fact, section=home)
        for fact in stated
        # What only a summary mentions belongs to its exercises.
        if (home := _home_of(fact, sections)) != fact.section or not sections[home].is_summary
    ]
    found: dict[tuple[str, str], Fact] = {}
    for fact in _unlike([*stated, *entries, *rows]):
        # "Python dictionary" and "dictionary in Python" are one term.
        words = " ".join(sorted(set(words_of(fact.term)) - _LINKS)) or fact.term
        key = (words, str(fact.table or "") if fact.defines else fact.verb + fact.said)
        found.setdefault(key, fact)
    return sorted(found.values(), key=lambda fact: (fact.section, fact.passage))


def _unlike(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts without those that say the same of two terms: one of them is a mistake, or both fit."""
    terms: dict[str, set[str]] = {}
    for fact in facts:
        terms.setdefault(normal(fact.said), set()).add(normal(fact.term) or fact.term)
    return [fact for fact in facts if len(terms[normal(fact.said)]) == 1]


def _all_words(sections: Iterable[SourceSection]) -> str:
    """Return the words of the document and its headings without their endings; two spaces separate sentences."""
    texts = (
        text
        for section in sections
        for text in (*section.path[-1:], *(sentence.text for sentence in section.sentences))
    )
    return " ".join(word for text in texts for word in ["", *words_of(text), ""])


def _lower_words(sections: Iterable[SourceSection]) -> set[str]:
    """Return the words that stand in lower case within sentences more often than with a capital."""
    counts = Counter(
        word
        for section in sections
        for each in section.sentences
        for word in re.findall(r"(?<=[a-z,] )[^\W\d_][\w-]*", each.text)
    )
    return {word for word, count in counts.items() if word.islower() and count >= counts[word.capitalize()]}


def is_key_term(fact: Fact, text: str) -> bool:
    """Return whether the document uses the term often enough: one that comes once is not taught.

    "The" points to something in an example, unless what follows says which one it is.
    """
    is_one = fact.verb in ("is", "are") and fact.said.startswith("the ")
    if fact.article == "the" and not (is_one or NAMED.search(fact.term)):
        return False
    # What many things do ("computers store …"), others do too.
    if fact.is_plural and not fact.defines and fact.verb not in ("are", "consist of"):
        return False
    if re.search(rf"(?:called|known as|referred to as) (?:the |an? )?{re.escape(fact.term)}\.$", fact.sentence):
        return True
    if fact.defines and " " in fact.term:
        return all(text.count(f" {word} ") > 1 for word in words_of(fact.term))
    named = re.sub(r"\(\).*", "()", fact.term)
    return text.count(f" {normal(named)} ") >= (2 if fact.defines else 3)


def find_key_terms(sections: Sequence[SourceSection]) -> dict[str, bool]:
    """Return the terms that the text has again, and whether each is in the plural.

    These are subjects of sentences, headings, and names of functions.
    """
    lower, text = _lower_words(sections), _all_words(sections)
    taught = [section for section in sections if section.teaches]
    found = [
        *filter(None, (subject_of(one, lower) for section in taught for one in section.sentences)),
        *((_lower_start(name), False) for section in taught for name in section.path if is_term(name)),
        *((name, False) for section in taught for one in section.sentences for name in _FUNCTION.findall(one.text)),
    ]
    return {term: is_plural for term, is_plural in found if all(text.count(f" {word} ") > 1 for word in words_of(term))}


def _lower_start(name: str) -> str:
    """Return a heading as it stands within a sentence: "NumPy" keeps its capital."""
    return name[0].lower() + name[1:] if name.split()[0][1:].islower() else name


def subject_of(sentence: Sentence, lower: Collection[str]) -> tuple[str, bool] | None:
    """Return the term that a sentence begins with, and whether it is in the plural; None if it begins otherwise."""
    found = _SUBJECT.match(sentence.text)
    if found is None or not is_term(found["term"]):
        return None
    term = found["term"]
    if term.split()[0].lower() in lower and not found["article"] and term.split()[0][1:].islower():
        term = term[0].lower() + term[1:]
    return term, found["verb"] == "are" or (term.endswith("s") and not term.endswith(("ss", "us", "is")))


def _facts_in(sentence: Sentence, section: int, lower: set[str], document: str) -> Iterator[Fact]:
    text = re.sub(
        r"^(?:In (?:[A-Za-z]+|other words|general),|Note that|Recall that|Thus,|So,|Therefore,|Formally,)\s+",
        "",
        sentence.text,
    )
    text = text[:1].upper() + text[1:]
    for pattern, defines in ((_CALLED, True), (_DEFINED, True), (_MEANS, False)):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        fact = _fact(found, sentence, text, section, lower, defines=defines and not found["said"].startswith("used"))
        if fact is not None:
            yield fact
        return
    if found := _WHICH.fullmatch(text):
        fact = _fact(found, sentence, text, section, lower, defines=True)
        if fact is not None and (term := _known_end(fact.term, document)):
            yield replace(fact, term=term, names=(term.casefold(),))


def _known_end(term: str, document: str) -> str:
    """Return the longest end of a phrase that the document has more than once; empty if there is none."""
    words = term.split()
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return next((end for end in ends if is_term(end) and document.count(f" {normal(end)} ") > 1), "")


def _fact(
    found: "re.Match[str]", sentence: Sentence, text: str, section: int, lower: set[str], *, defines: bool
) -> Fact | None:
    term, said = found["term"].strip(), _SECOND_CLAUSE.sub(r"\1", found["said"].strip())
    groups = found.groupdict()
    article = (groups.get("article") or groups.get("named") or "").strip().lower()
    extra = groups.get("extra") or ""
    if not ((found.re is _WHICH or is_term(term)) and is_complete(said, term=term)):
        return None
    if said[0].isupper() and found.re is _CALLED:
        said = said[0].lower() + said[1:]
    others = re.sub(r"(?i)\b(?:also|sometimes|often|called|known as|or|an?|the)\s|[(),\"“”]", "", extra)
    aliases = (
        (others.strip().casefold(),)
        if re.search(r"\w{2}", others) and " or " not in extra.removeprefix(", or ")
        else ()
    )
    if (
        term[0].isupper()
        and term.split()[0][1:].islower()
        and term.split()[0].lower() in lower
        and found.re in (_DEFINED, _MEANS)
        and not article
    ):
        term = term[0].lower() + term[1:]
    return Fact(
        term=term, article=article, verb="is" if found.re is _CALLED and found["verb"] == "is" else found["verb"],
        said=said, sentence=sentence.text, passage=sentence.passage, section=section,
        defines=defines or found["verb"].startswith(("refer", "mean")), names=(term.casefold(), *aliases),
    )  # fmt: skip


def _entries(section: SourceSection, at: int, sections: Sequence[SourceSection]) -> Iterator[Fact]:
    """Yield the facts of a list of terms, each in the section that uses the term first."""
    for line in section.glossary:
        found = _ENTRY.fullmatch(line.text)
        if found is None:
            continue
        term = re.sub(r"\s*\([^()]*\)$", "", found["term"].strip())
        said, is_phrase = _meaning(term, found["said"].strip().rstrip("."))
        if not is_term(term) or BROKEN.search(said) or not MIN_WORDS <= len(said.split()) <= MAX_ENTRY_WORDS:
            continue
        yield Fact(
            term=term, article="", verb="are" if is_phrase and term.endswith("s") else "is", said=said, sentence=line.text,
            passage=line.passage, section=_home(term, section, at, sections), defines=True, names=(term.casefold(),),
            is_phrase=is_phrase,
        )  # fmt: skip


def _meaning(term: str, said: str) -> tuple[str, bool]:
    """Return what an entry says of its term, and whether it completes "term is"."""
    bare = re.sub(
        rf"(?i)^(?:an?|the)?\s*{re.escape(term)}(?:\s\([^()]*\))?\s(?:is|are)\s(?=an?\s|the\s|two\s|any\s|[a-z]+s\s)",
        "",
        said,
    )
    if re.match(r"(?i)(?:an?|the|any|one|two|when|numbers|words|how)\s", bare) and bare != said:
        return bare, True
    first = said.split()[0].casefold()
    if first in ("a", "an", "the", "any", "one") and not re.search(rf"(?i)\b{re.escape(term)}\b", said):
        return said[0].lower() + said[1:], ". " not in said and not re.match(
            r"(?i)(?:an?|the)\s(?:\S+\s){0,4}(?:is|are)\s", said
        )
    return said, False


def _home_of(fact: Fact, sections: Sequence[SourceSection]) -> int:
    """Return the section that a stated fact belongs to: its own, but for a summary the one that is summed up."""
    section = sections[fact.section]
    return _home(fact.term, section, fact.section, sections) if section.is_summary else fact.section


def _home(term: str, section: SourceSection, at: int, sections: Sequence[SourceSection]) -> int:
    words = set(words_of(term))
    for place, each in enumerate(sections[:at]):
        is_near = each.teaches and each.path[: len(section.path) - 1] == section.path[:-1]
        if is_near and any(words <= set(words_of(one.text)) for one in each.sentences):
            return place
    return at


def _rows(section: SourceSection, at: int) -> Iterator[Fact]:
    """Yield the rows of tables that describe something, if each row can be told from the others."""
    for table in section.tables:
        rows = [row for row in table.rows if _is_row(row.term, row.said)]
        if len(rows) < 3 or len({row.term for row in rows}) < len(rows):
            continue
        for row in rows:
            said = row.said.rstrip(".")
            yield Fact(
                term=row.term, article="", verb="is", said=said, sentence=f"{row.term}: {said}", passage=row.passage,
                section=at, defines=True, names=(row.term.casefold(),), is_phrase=False, table=(at, table.number),
            )  # fmt: skip


def _is_row(term: str, said: str) -> bool:
    is_short = len(term) <= 40 and len(term.split()) <= 5 and any(character.isalpha() for character in term)
    is_code = bool(re.search(r"[={}#]|\bdef\b|^- ", said)) or "Ex:" in said
    # A name that other code of the table has given.
    names_others = any(name not in term for name in re.findall(r"\b\w+_\w+\b", said))
    return (
        is_short
        and not is_code
        and not names_others
        and MIN_ROW_WORDS <= len(said.split()) <= MAX_WORDS
        and ". " not in said
        and not LINKED.search(said)
    )
