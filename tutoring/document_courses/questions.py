"""Makes questions of the facts of a text: each has one right answer, and names the sentence it rests on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from django.utils.translation import gettext as _

from tutoring.document_courses.distractors import Meanings
from tutoring.document_courses.facts import Fact, is_complete, normal, words_of
from tutoring.document_courses.source_text import NumberedList, Sentence, SourceSection

type Kind = Literal["choice", "text", "match", "order"]

WRONG: Final = 3
MIN_WRONG: Final = 2
ROWS: Final = 4
MIN_ROWS: Final = 3
_OPPOSITES: Final = tuple(
    tuple(pair.split("/"))
    for pair in [
        "first/last",
        "minimum/maximum",
        "smallest/largest",
        "lowest/highest",
        "ascending/descending",
        "increases/decreases",
        "increase/decrease",
        "larger/smaller",
        "greater/less",
        "horizontal/vertical",
        "internal/external",
        "inside/outside",
        "odd/even",
        "mutable/immutable",
        "upper/lower",
        "faster/slower",
        "longer/shorter",
        "uppercase/lowercase",
        "visible/hidden",
        "strongest/weakest",
        "public/private",
        "always/never",
        "succeeds/fails",
        "forward/backward",
    ]
)
_NUMBER: Final = re.compile(r"(?<![\w.,/$%°-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w/%°-]|[.,]\d)")
_STEPS: Final = re.compile(
    r"\b(steps?|stages?|phases?|procedure|process|in (?:this|the following) order)\b", re.IGNORECASE
)
_TASK: Final = re.compile(
    r"(?:For each [a-z]+, )?(?:Add|Apply|Ask|Begin|Build|Calculate|Change|Check|Choose|Click|Close|Collect|Combine|Compare"
    r"|Compute|Convert|Copy|Count|Create|Cut|Decide|Define|Delete|Describe|Determine|Divide|Draw|Enter|Estimate|Evaluate"
    r"|Factor|Fill|Find|Fold|Follow|Heat|Identify|Insert|Install|Isolate|Let|List|Look|Make|Mark|Measure|Mix|Move"
    r"|Multiply|Name|Observe|Open|Order|Place|Plan|Plot|Pour|Press|Print|Put|Read|Record|Remove|Repeat|Replace|Rewrite"
    r"|Round|Run|Save|Select|Set|Simplify|Solve|Sort|Start|State|Stir|Substitute|Subtract|Take|Test|Turn|Type|Use|Wait"
    r"|Wash|Write|determine|find|multiply)\b",
    re.ASCII,
)
_SEQUENCE: Final = re.compile(r"[ⓐ-ⓩ]|^(?:then|next|finally|last|first)\b|\?", re.IGNORECASE)
_LOOSE: Final = re.compile(
    r"^(?:It|This|That|These|Those|There|He|She|They|We|You|I|Here|What|Which|Who|If|In|For|To|Another|Each|Other|Both"
    r"|One|Such|As|At|By|On|From|With|However|But|And|Or|So|Then|Next|First|Second|Also|Some|Many|Most|When|While"
    r"|After|Before|Although|Because|Since|Until|During|Instead|Its|Their|His|Her|Our|My|Your|Ex|Note|Suppose|Let"
    r"|Now|Finally|Later|Sometimes|Often|Usually|Consider|Recall|Remember|The following|The (?:same|other|previous"
    r"|next|above|example|program|output|answer|result|user|code|figure|table|problem|solution|question))\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedQuestion:
    """A question of a draft. Texts are plain; `quote` is the sentence of the text that it rests on."""

    kind: Kind
    stem: str
    options: tuple[str, ...] = ()
    """Of a choice: the right one first. Of an order: in the right order."""
    pairs: tuple[tuple[str, str], ...] = ()
    accepted: tuple[str, ...] = ()
    """Of a text: the answers that are graded right."""
    quote: str
    passage: int
    section: int = 0
    source: Literal["text", "model", "person"] = "text"
    """Who worded it: code from the text, a language model, or the person."""
    is_kept: bool = True
    is_deleted: bool = False
    """Deleted questions are kept out of sight, so that the numbers of the others stay the same."""
    terms: tuple[str, ...] = field(default=())
    """The terms it is about."""


def draft_questions(sections: Sequence[SourceSection], facts: Sequence[Fact]) -> list[DraftedQuestion]:
    """Return the questions of a text in its order, without duplicates."""
    meanings = Meanings(facts)
    known = frozenset(normal(fact.term) for fact in facts)
    found = [
        *_fact_questions(meanings),
        *_matches(meanings),
        *(question for at, section in enumerate(sections) for question in _section_questions(section, at, known)),
    ]
    unique = {
        (question.stem, frozenset(question.options or question.accepted), question.pairs): question
        for question in found
    }
    return sorted(unique.values(), key=lambda question: (question.section, question.passage))


def _fact_questions(meanings: Meanings) -> Iterator[DraftedQuestion]:
    for at, fact in enumerate(meanings.facts):
        yield from _which_term(meanings, at, fact)
        if fact.defines and fact.verb in ("is", "are"):
            yield from _what_is(meanings, at, fact)
        if fact.defines and fact.verb in ("is", "are") and not fact.table:
            yield from _which_is_true(meanings, at, fact)
            yield from _recall(meanings, at, fact)


def _which_term(meanings: Meanings, at: int, fact: Fact) -> Iterator[DraftedQuestion]:
    """Ask for the term that what is said is said of."""
    wrong = meanings.wrong_for(at, count=WRONG, fits=lambda other: _has_form_of(other, fact))
    blanked = re.sub(rf"(?i)\b{re.escape(fact.term)}\b(?: \([^()]*\))?", "____", fact.said)
    shown = set(words_of(fact.term)) & set(words_of(blanked))
    # A word of the term in what is said gives it away, unless a wrong option has it too.
    shows = shown and not any(shown <= set(words_of(meanings.facts[one].term)) for one in wrong)
    # A row of a table is no sentence: several words would fit into a blank in it.
    if len(wrong) < MIN_WRONG or shows or (blanked != fact.said and (fact.is_phrase or fact.table)):
        return
    if blanked != fact.said:
        stem = _("Which term belongs in the blank? “%(sentence)s”") % {"sentence": _capital(blanked) + "."}
    elif fact.noun:
        stem = _("Which %(noun)s fits this description? “%(description)s”") % {
            "noun": fact.noun, "description": _capital(fact.said),
        }  # fmt: skip
    elif fact.defines and fact.verb in ("is", "are"):
        stem = _("Which term fits this description? “%(description)s”") % {"description": _capital(fact.said)}
    else:
        stem = _("Which one completes the sentence? “____ %(rest)s.”") % {"rest": f"{fact.verb} {fact.said}"}
    yield _question(fact, "choice", stem, options=(fact.term, *(meanings.facts[one].term for one in wrong)))


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
    """Return whether what is said of a term contains the term itself."""
    return not fact.is_phrase and bool(set(words_of(fact.term)) & set(words_of(fact.said)))


def _is_as_long(other: Fact, fact: Fact) -> bool:
    return 0.4 < len(other.said) / len(fact.said) < 2.5


def _which_is_true(meanings: Meanings, at: int, fact: Fact) -> Iterator[DraftedQuestion]:
    """Ask for the true one of three statements; the false ones say of a term what is said of another one."""
    wrong = meanings.wrong_for(
        at, count=3, fits=lambda other: other.is_phrase and not other.table and other.defines and other.verb == fact.verb
        and _is_as_long(other, fact),
    )  # fmt: skip
    if len(wrong) < 3 or not fact.is_phrase:
        return
    others = [meanings.facts[place] for place in wrong]
    false = [_statement(subject, said.said) for subject, said in zip(others, [*others[1:], others[0]], strict=True)]
    yield _question(
        fact,
        "choice",
        _("Which of these statements agrees with the text?"),
        options=(_statement(fact, fact.said), *false),
    )


def _statement(subject: Fact, said: str) -> str:
    article = f"{subject.article} " if subject.article else ""
    return f"{_capital(article + subject.term)} {subject.verb} {said}."


def _recall(meanings: Meanings, at: int, fact: Fact) -> Iterator[DraftedQuestion]:
    """Ask to write a term; its first letters and their number rule out other words."""
    words = fact.term.split()
    if len(words) > 3 or not all(re.fullmatch(r"[A-Za-z]{3,}(?:-[A-Za-z]+)*", word) for word in words):
        return
    if set(words_of(fact.term)) & set(words_of(fact.said)):
        return
    shown = " ".join(f"{word[0]}{'_' * 4}" for word in words)
    letters = ", ".join(str(len(word)) for word in words)
    stem = _("Write the term that is described: “%(description)s” It begins like this: %(start)s (letters: %(letters)s).") % {
        "description": _capital(fact.said) + ".", "start": shown, "letters": letters,
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
        if fact.defines and fact.verb in ("is", "are") and not set(words_of(fact.term)) & set(words_of(fact.said))
    ]
    tables: dict[int, list[int]] = {}
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


def _section_questions(section: SourceSection, at: int, known: frozenset[str]) -> Iterator[DraftedQuestion]:
    if not section.teaches:
        return
    for sentence in section.sentences:
        if _stands_alone(sentence):
            is_about = _is_about(sentence, known)
            if is_about:
                yield from _opposite(sentence, at)
            yield from _number(sentence, at, section, is_about=is_about)
    for entries in section.lists:
        yield from _order(entries, at)


def _stands_alone(sentence: Sentence) -> bool:
    """Return whether a sentence can be understood without the text around it."""
    words = sentence.text.split()
    return (
        8 <= len(words) <= 30
        and sentence.text.endswith(".")
        and sentence.text[0].isupper()
        and not re.search(r"\.\s", sentence.text)
        and not _LOOSE.match(sentence.text)
        and is_complete(sentence.text[:-1].split(" ", 1)[-1], term="")
    )


def _is_about(sentence: Sentence, known: frozenset[str]) -> bool:
    """Return whether a sentence begins with a term that the text explains."""
    words = words_of(sentence.text)[:6]
    words = words[1:] if words[:1] in (["a"], ["an"], ["the"]) else words
    return any(" ".join(words[:size]) in known for size in range(1, len(words)))


def _opposite(sentence: Sentence, section: int) -> Iterator[DraftedQuestion]:
    """Blank a word that has exactly one opposite, if neither the word nor the opposite comes twice."""
    words = [word.strip(",.;()") for word in sentence.text.split()]
    held = [(one, other) for pair in _OPPOSITES for one, other in (pair, pair[::-1]) if one in words]
    if len(held) != 1 or words.count(held[0][0]) != 1 or held[0][1] in words:
        return
    right, wrong = held[0]
    blanked = re.sub(rf"\b{right}\b", "____", sentence.text, count=1)
    if blanked.startswith("____"):
        return
    stem = _("Which word belongs in the blank? “%(sentence)s”") % {"sentence": blanked}
    yield DraftedQuestion(
        kind="choice", stem=stem, options=(right, wrong), quote=sentence.text, passage=sentence.passage, section=section
    )


def _number(sentence: Sentence, at: int, section: SourceSection, *, is_about: bool) -> Iterator[DraftedQuestion]:
    """Blank the only number of a sentence, a year or an amount."""
    found = list(_NUMBER.finditer(sentence.text))
    if len(found) != 1 or re.search(r"\d", sentence.text.replace(found[0][0], "", 1)):
        return
    number = int(found[0][1].replace(",", ""))
    is_year = 1400 <= number <= 2099 and "," not in found[0][1]
    before, after = sentence.text[: found[0].start()].split()[-1:], sentence.text[found[0].end() :].split()[:1]
    if before and before[0][:1].isupper() and len(before[0]) > 1 and before[0] not in ("In", "Since", "By", "Until"):
        return
    if is_year and (not before or before[0].casefold() not in ("in", "since", "until", "by", "of")):
        return
    if not is_year and (
        not is_about
        or number < 3
        or not after
        or not re.fullmatch(r"[a-z]{3,}[,.]?", after[0])
        or before[:1] in (["than"], ["about"], ["line"])
    ):
        return
    wrong = _other_years(number, section) if is_year else _other_amounts(number)
    shown = [f"{one:,}" if "," in found[0][1] else str(one) for one in (number, *wrong)]
    stem = _("Which number belongs in the blank? “%(sentence)s”") % {
        "sentence": sentence.text[: found[0].start()] + "____" + sentence.text[found[0].end() :]
    }
    yield DraftedQuestion(
        kind="choice", stem=stem, options=tuple(shown), quote=sentence.text, passage=sentence.passage, section=at
    )


def _other_years(year: int, section: SourceSection) -> list[int]:
    """Return other years of the section, else years around this one."""
    there = {int(one) for each in section.sentences for one in re.findall(r"\b(?:1[4-9]|20)\d\d\b", each.text)}
    near = sorted(there - {year}, key=lambda other: abs(other - year))[:WRONG]
    around = (year + step for step in (-9, 6, -4, 11))
    return [*near, *(one for one in around if one not in near)][:WRONG]


def _other_amounts(number: int) -> list[int]:
    if number < 13:
        return [number - 1, number + 1, number + 2]
    scale = 10 ** max(0, len(str(number)) - 2)
    step = max(1, number // scale // 4) * scale
    return [number - step, number + step, number + 2 * step]


def _order(entries: NumberedList, section: int) -> Iterator[DraftedQuestion]:
    """Ask for the order of steps that the text numbers itself."""
    texts, lead = entries.entries, entries.lead.rstrip(".:")
    is_guide = bool(_STEPS.search(lead)) or (_TASK.match(lead) and all(_TASK.match(text) for text in texts))
    if not is_guide or not 3 <= len(texts) <= 6 or len(set(texts)) < len(texts):
        return
    if lead.startswith(("Write a", "Use ")) or any(_are_alike(*pair) for pair in pairwise(texts)):
        return
    if any(len(text.split()) > 25 or not text.endswith(".") or _SEQUENCE.search(text) for text in texts):
        return
    stem = _("Put the steps in the order in which the text gives them: “%(lead)s.”") % {"lead": lead}
    yield DraftedQuestion(
        kind="order", stem=stem, options=texts, quote=entries.lead, passage=entries.passage, section=section
    )


def _are_alike(first: str, second: str) -> bool:
    """Return whether two steps differ in so little that either can come first."""
    words = set(words_of(first)), set(words_of(second))
    return len(words[0] & words[1]) > 0.5 * min(map(len, words))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
