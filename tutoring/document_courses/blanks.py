"""Makes questions of single sentences and numbered lists: a word, a number or the order is missing."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from tutoring.document_courses.drafted_questions import DraftedQuestion
from tutoring.document_courses.facts import NAMED, VERBS
from tutoring.document_courses.source_text import NumberedList, Sentence, SourceSection
from tutoring.document_courses.terms import is_complete, shown_roots, words_of

WRONG: Final = 3
MIN_WORDS: Final = 7
"""Words of a sentence that says enough to be asked about. Chosen by hand."""
MOST_OF_ONE: Final = 2
"""Sentences of a section in which the same term is asked for."""
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
        "before/after",
        "beginning/end",
        "implicit/explicit",
        "positive/negative",
        "input/output",
        "global/local",
        "true/false",
        "True/False",
    ]
)
_NUMBER: Final = re.compile(r"(?<![\w.,/$%°-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w/%°-]|[.,]\d)")
_STEPS: Final = re.compile(
    r"\b(steps?|stages?|phases?|procedure|process|in (?:this|the following) order)\b", re.IGNORECASE
)
_TASK: Final = re.compile(
    r"(?:For each [a-z]+, )?(?:Add|Apply|Ask|Assign|Assume|Begin|Build|Calculate|Change|Check|Choose|Click|Close|Collect|Combine|Compare"
    r"|Compute|Convert|Copy|Count|Create|Cut|Decide|Define|Delete|Describe|Determine|Divide|Draw|Enter|Estimate|Evaluate"
    r"|Factor|Fill|Find|Fold|Follow|Heat|Identify|Ignore|Implement|Improve|Insert|Install|Isolate|Let|List|Look|Make|Mark|Measure|Mix|Move"
    r"|Multiply|Name|Observe|Open|Order|Place|Plan|Plot|Pour|Press|Print|Put|Read|Record|Refer|Remove|Repeat|Replace|Rewrite"
    r"|Round|Run|Save|Select|Set|Simplify|Solve|Sort|Start|State|Stir|Substitute|Subtract|Take|Test|Turn|Type|Use|Wait"
    r"|Wash|Write|determine|find|multiply)\b",
    re.ASCII,
)
_SEQUENCE: Final = re.compile(r"[ⓐ-ⓩ]|^(?:then|next|finally|last|first)\b|\?", re.IGNORECASE)
_LOOSE: Final = re.compile(
    r"^(?:It|This|Given|Lines?|Please|[A-Z][a-z]+ing|That|These|Those|There|He|She|They|We|You|I|Here|What|Which|Who|If|In|For|To|Another|Each|Other|Both"
    r"|One|Such|As|At|By|On|From|With|However|But|And|Or|So|Then|Next|First|Second|Also|Some|Many|Most|When|While"
    r"|After|Before|Although|Because|Since|Until|During|Instead|Its|Their|His|Her|Our|My|Your|Ex|Note|Suppose|Let"
    r"|Now|Finally|Later|Sometimes|Often|Usually|Consider|Recall|Remember|The following|The (?:same|other|previous"
    r"|next|above|example|program|output|answer|result|user|code|figure|table|problem|solution|question))\b"
)

_BEFORE: Final = r"(?:An?\s|The\s|(?:In\s[A-Z]\w+|By default),\s(?:an?\s|the\s)?)?(?:built-in\s)?"
_WITHIN: Final = r"\S+(?:\s\S+){2,}?\s(?:an?\s|the\s)?"
_KIND: Final = re.compile(r"\s(?:function|method)\b")
_VERB: Final = re.compile(
    rf"{_KIND.pattern}|(?:\s\([^()]*\))?\s(?:(?:often|usually|always|only|automatically)\s)?{VERBS}\s"
)
_ANY: Final = re.compile("")
_PRAISES: Final = re.compile(r"\b(?:great|important|essential|crucial|convenient|popular|good|helpful)\b")


def section_questions(section: SourceSection, at: int, known: frozenset[str]) -> Iterator[DraftedQuestion]:
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


def term_questions(section: SourceSection, at: int, terms: Iterable[str]) -> Iterator[DraftedQuestion]:
    """Ask to write a key term of a sentence, first those that a sentence is about; each term at most twice.

    The term's first letters and their number rule out other words.
    """
    if not section.teaches or section.is_summary:
        return
    longest = sorted(terms, key=len, reverse=True)
    alone = [
        sentence for sentence in section.sentences if _stands_alone(sentence) and not _PRAISES.search(sentence.text)
    ]
    asked: Counter[str] = Counter()
    quoted: set[str] = set()
    for is_first in (True, False):
        for sentence in alone:
            found = _blanked(sentence.text, longest, is_first=is_first)
            if found is None or sentence.text in quoted or asked[found[0]] == MOST_OF_ONE:
                continue
            term, blanked = found
            asked[term] += 1
            quoted.add(sentence.text)
            words = term.removesuffix("()").split()
            stem = _("Write the missing term: “%(sentence)s” It begins like this: %(start)s (letters: %(letters)s).") % {
                "sentence": blanked, "start": start_of(words, shown=blanked), "letters": letters_of(words),
            }  # fmt: skip
            yield DraftedQuestion(
                kind="text", stem=stem, accepted=tuple(dict.fromkeys((term, term.removesuffix("()")))),
                quote=sentence.text, passage=sentence.passage, section=at, terms=(term,),
            )  # fmt: skip


def _blanked(text: str, terms: Sequence[str], *, is_first: bool) -> tuple[str, str] | None:
    """Return a key term at the beginning of a sentence or within it, and the sentence with a blank instead.

    Of "print() function" only the name is asked for. Within a sentence, single words are often used in
    their common sense.
    """
    plain = text.casefold()
    for term in terms:
        if term.partition("(")[0].casefold() not in plain:
            continue  # A pattern is compiled only for terms that the sentence has.
        name = re.sub(r"\(\)\s.*", "()", term)
        found = re.match(rf"({_BEFORE if is_first else _WITHIN})({re.escape(name)})(?!\w)(.*)", text, re.IGNORECASE)
        if found is None or not (_VERB if is_first else _KIND if "(" in name else _ANY).match(found[3]):
            continue
        before, after = found[1], found[3]
        # "The" points to something in an example, and "a language" describes Python, but does not define it.
        is_one = NAMED.search(term) or (" " in name and re.match(r"\s(?:is|are)\s(?:the|an?)\s", after))
        is_example = is_first and before.casefold().endswith("the ") and not is_one
        if is_example or (name[0].isupper() and re.match(r"\s(?:is|are)\san?\s", after)):
            continue
        if not is_first and not (" " in name or "(" in name):
            continue
        words = name.removesuffix("()").split()
        if shown_roots(words[-1], before + after):
            continue
        if all(re.fullmatch(r"[A-Za-z]{3,}", word) for word in words):
            return name, re.sub(r"(?i)\ban?\s$", lambda article: f"{article[0][0]}(n) ", before) + "____" + after
    return None


def start_of(words: Sequence[str], *, shown: str) -> str:
    """Return the first letter of each word of a term; words that the question shows anyway are written in full."""
    return " ".join(word if shown_roots(word, shown) else f"{word[0]}____" for word in words)


def letters_of(words: Sequence[str]) -> str:
    return ", ".join(str(sum(map(str.isalpha, word))) for word in words)


def _stands_alone(sentence: Sentence) -> bool:
    """Return whether a sentence says something that can be understood without the text around it."""
    words = sentence.text.split()
    return (
        MIN_WORDS <= len(words) <= 30
        and sentence.text.endswith(".")
        and bool(re.match(r"[A-Z]|\w+\(\)", sentence.text))
        and not _TASK.match(sentence.text)
        and not re.search(r"\.\s", sentence.text)
        and not _LOOSE.match(re.sub(r"^(?:In [A-Z]\w+|By default), ", "", sentence.text))
        and is_complete(sentence.text[:-1].split(" ", 1)[-1], term="")
    )


def _is_about(sentence: Sentence, known: frozenset[str]) -> bool:
    """Return whether a sentence begins with a term that the text explains; "the" points to something around it."""
    words = words_of(sentence.text)[:6]
    words = words[1:] if words[:1] in (["a"], ["an"]) else words
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
