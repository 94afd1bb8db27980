"""Makes questions of the facts of a text: each has one right answer, and names the sentence it rests on."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from tutoring.document_courses.blanks import letters_of, section_questions, start_of, term_questions
from tutoring.document_courses.distractors import Meanings
from tutoring.document_courses.drafted_questions import DraftedQuestion, Kind
from tutoring.document_courses.facts import Fact, find_key_terms
from tutoring.document_courses.source_text import SourceSection
from tutoring.document_courses.terms import normal, roots_of, shown_roots

WRONG: Final = 3
MIN_WRONG: Final = 2
ROWS: Final = 4
MIN_ROWS: Final = 3
ENOUGH: Final = 3
"""Questions of a section up to which single sentences with a blank are added."""


def draft_questions(sections: Sequence[SourceSection], facts: Sequence[Fact]) -> list[DraftedQuestion]:
    """Return the questions of a text in its order, without duplicates."""
    meanings = Meanings(facts)
    terms = find_key_terms(sections)
    known = frozenset(map(normal, (*terms, *(fact.term for fact in facts))))
    found = [
        *_fact_questions(meanings, terms),
        *_matches(meanings),
        *(question for at, section in enumerate(sections) for question in section_questions(section, at, known)),
    ]
    for at, section in enumerate(sections):
        own = [question for question in found if question.section == at]
        quoted = {question.quote for question in own}
        more = (each for each in term_questions(section, at, terms) if each.quote not in quoted)
        found += islice(more, max(0, ENOUGH - len(own)))
    unique = {
        (question.stem, frozenset(question.options or question.accepted), question.pairs): question
        for question in found
    }
    return sorted(unique.values(), key=lambda question: (question.section, question.passage))


def _fact_questions(meanings: Meanings, terms: Mapping[str, bool]) -> Iterator[DraftedQuestion]:
    for at, fact in enumerate(meanings.facts):
        yield from _which_term(meanings, at, fact, terms)
        if fact.defines and fact.verb in ("is", "are"):
            yield from _what_is(meanings, at, fact)
        if fact.defines and fact.verb in ("is", "are") and not fact.table:
            yield from _recall(meanings, at, fact)


def _which_term(meanings: Meanings, at: int, fact: Fact, terms: Mapping[str, bool]) -> Iterator[DraftedQuestion]:
    """Ask for the term that what is said is said of; `terms` are further ones of the text, with their plurality."""
    # What Python allows is not to be told from what other names of the text do.
    if not fact.defines and fact.term[0].isupper():
        return
    wrong = [
        meanings.facts[one].term
        for one in meanings.wrong_for(at, count=WRONG, fits=lambda other: _has_form_of(other, fact))
    ]
    if fact.defines and not fact.table:
        facts = {name for each in meanings.facts for name in (normal(each.term), *map(normal, each.names))}
        spare = [
            term
            for term, is_plural in terms.items()
            if normal(term) not in facts
            and is_plural == fact.is_plural
            and ("(" in term) == ("(" in fact.term)
            and term[0].isupper() == fact.term[0].isupper()
        ]
        wrong += meanings.spare_for(at, spare, wrong, count=WRONG - len(wrong))
    blanked = re.sub(rf"(?i)\b{re.escape(fact.term)}\b(?: \([^()]*\))?", "____", fact.said)
    shown = shown_roots(fact.term, f"{fact.verb} {blanked}")
    # A word of the term in what is said gives it away, unless a wrong option has it too.
    shows = shown and not any(shown <= roots_of(term) for term in wrong)
    # A row of a table is no sentence: several words would fit into a blank in it.
    if len(wrong) < MIN_WRONG or shows or (blanked != fact.said and (fact.is_phrase or fact.table)):
        return
    if blanked != fact.said:
        stem = _("Which term belongs in the blank? “%(sentence)s”") % {"sentence": _capital(blanked) + "."}
    elif fact.table:
        # What the column is called does not always fit: books list functions under "Method".
        stem = _("Which of these fits this description? “%(description)s”") % {"description": _capital(fact.said)}
    elif fact.defines and fact.verb in ("is", "are"):
        stem = _("Which term fits this description? “%(description)s”") % {"description": _capital(fact.said)}
    else:
        # The article stays beside the blank, and does not tell which word follows.
        article = {"a": "A(n) ", "an": "A(n) ", "the": "The "}.get(fact.article, "")
        rest = f"{fact.verb} {fact.said}"
        stem = _("Which one completes the sentence? “%(article)s____ %(rest)s.”") % {"article": article, "rest": rest}
    yield _question(fact, "choice", stem, options=(fact.term, *wrong))


def _has_form_of(other: Fact, fact: Fact) -> bool:
    """Return whether two terms look alike: number, a capital letter, and the parentheses of a function."""
    return other.table == fact.table and (
        bool(fact.table)
        or (
            other.is_plural == fact.is_plural
            and ("(" in other.term) == ("(" in fact.term)
            and other.term[0].isupper() == fact.term[0].isupper()
        )
    )


def _what_is(meanings: Meanings, at: int, fact: Fact) -> Iterator[DraftedQuestion]:
    """Ask what a term is."""
    wrong = meanings.wrong_for(
        at, count=WRONG, fits=lambda other: other.table == fact.table and other.defines and other.verb == fact.verb
        and other.is_phrase == fact.is_phrase and _is_as_long(other, fact),
    )  # fmt: skip
    if len(wrong) < MIN_WRONG or any(_tells(meanings.facts[one]) for one in (at, *wrong)):
        return
    if fact.table:
        # A letter or a sign says nothing without its table.
        if not re.search(r"\w{3}", fact.term):
            return
        asked = _("What does the text say about “%(term)s”?")
    else:
        asked = (
            _("What is meant by “%(term)s” in this text?")
            if fact.verb == "is"
            else _("What are “%(term)s” in this text?")
        )
    options = tuple(_capital(one.said) for one in (fact, *(meanings.facts[place] for place in wrong)))
    yield _question(fact, "choice", asked % {"term": fact.term}, options=options)


def _tells(fact: Fact) -> bool:
    """Return whether what is said of a term contains the term itself, or the main word of one that it defines."""
    if fact.is_phrase:
        return bool(shown_roots(fact.term.split()[-1], fact.said))
    return bool(roots_of(fact.term) & roots_of(fact.said))


def _is_as_long(other: Fact, fact: Fact) -> bool:
    return 0.4 < len(other.said) / len(fact.said) < 2.5


def _recall(meanings: Meanings, at: int, fact: Fact) -> Iterator[DraftedQuestion]:
    """Ask to write a term; its first letters and their number rule out other words."""
    words = fact.term.split()
    if len(words) > 3 or not all(re.fullmatch(r"[A-Za-z]{3,}", word) for word in words):
        return
    # "A high-level language" describes Python, and does not define it.
    is_one_of_many = fact.term[0].isupper() and fact.said.startswith(("a ", "an "))
    if is_one_of_many or shown_roots(words[-1], fact.said):
        return
    stem = _("Write the term that is described: “%(description)s” It begins like this: %(start)s (letters: %(letters)s).") % {
        "description": _capital(fact.said) + ".", "start": start_of(words, shown=fact.said),
        "letters": letters_of(words),
    }  # fmt: skip
    yield _question(fact, "text", stem, accepted=tuple(dict.fromkeys([fact.term, *_other_forms(fact)])))


def _other_forms(fact: Fact) -> Iterator[str]:
    """Yield the plural or singular of a term, since either is a right answer."""
    yield from (name for name in fact.names[1:] if len(name) > 2)
    if "-" in fact.term:
        yield fact.term.replace("-", " ")
    if fact.is_plural and fact.term.endswith("s"):
        yield fact.term[:-1]
    if fact.term.endswith("s") or not fact.term.islower():
        return
    if fact.term.endswith("y") and fact.term[-2:-1] not in "aeiou":
        yield f"{fact.term[:-1]}ies"
    else:
        yield f"{fact.term}es" if fact.term.endswith(("ch", "sh", "x")) else f"{fact.term}s"


def _matches(meanings: Meanings) -> Iterator[DraftedQuestion]:
    """Ask to match terms with their descriptions, those of neighboring sections together."""
    places = [
        at
        for at, fact in enumerate(meanings.facts)
        if fact.defines and fact.verb in ("is", "are") and not roots_of(fact.term) & roots_of(fact.said)
    ]
    tables: dict[tuple[int, int] | None, list[int]] = {}
    for at in places:
        tables.setdefault(meanings.facts[at].table, []).append(at)
    groups = [group for among in tables.values() for group in meanings.groups_apart(among, size=ROWS)]
    for group in groups:
        if len(group) < MIN_ROWS:
            continue
        facts = [meanings.facts[at] for at in group]
        pairs = tuple((fact.term, _capital(fact.said)) for fact in facts)
        last = max(facts, key=lambda fact: (fact.section, fact.passage))
        yield _question(last, "match", _("Match each term with its description."), pairs=pairs)


def _question(
    fact: Fact, kind: Kind, stem: str, *, options: tuple[str, ...] = (), accepted: tuple[str, ...] = (),
    pairs: tuple[tuple[str, str], ...] = (),
) -> DraftedQuestion:  # fmt: skip
    return DraftedQuestion(
        kind=kind, stem=stem, options=options, accepted=accepted, pairs=pairs, quote=fact.sentence,
        passage=fact.passage, section=fact.section,
        terms=tuple(row for row, _partner in pairs) or (fact.term,),
    )  # fmt: skip


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
