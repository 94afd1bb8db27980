"""Which answers a message gives: to the question that waits, and to those that were left. Exact first, then trained."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tutoring.grading import grade
from tutoring.grading.numbers import numbers_in, spans_of
from tutoring.grading.texts import COVERED, coverage
from tutoring.rules.claims import plain
from tutoring.understanding import arithmetic, verdicts
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.course_rows import asked_for, key_of
from tutoring.understanding.values import AnswerGiven, Verdict

if TYPE_CHECKING:
    from tutoring.grading import AnswerKey

WORDS_OF_A_TEXT: Final = 3
"""Words from which a message is taken for the answer to a question that asks for words."""
WORDS_OF_A_GUESS: Final = 5
"""Words up to which a number in a sentence counts as a wrong answer, too: in a longer one it may be none at all."""
WORDS_OF_AN_ANSWER: Final = 12
"""Words up to which a message is tried as an answer: "seven", "three and a half", a choice's own text."""
SURE_OF_LATE: Final = 0.75
WORDS_OF_A_NUMBER: Final = 2
_CONCLUDES = re.compile(r"\b(?:so|makes?|gives?|that(?:'s| is)|=|equals|is|get|got)\b[^.;\n]{1,24}$", re.IGNORECASE)
_POLAR: Final = {
    "yes": re.compile(r"\W*(?:yes|yeah|yep|yup|ya|yea|sure|true|correct|right|it is|they are|of course)\b"),
    "no": re.compile(r"\W*(?:no|nope|nah|not|never|false|wrong|it isn'?t|they aren'?t|isnt|arent)\b"),
}
_ASKS_WHY = re.compile(r"\b(?:why|how (?:do|can|could|did) you (?:know|tell)|explain|what makes)\b")
_NOT = re.compile(r"\b(?:not|never|no|isn'?t|aren'?t|don'?t|doesn'?t)\b")
_EITHER = re.compile(r"\d\s+or\s+\S*\d", re.IGNORECASE)
_REASON = re.compile(r"\s*(?:because|'?cause|cuz|cos|bc|since|if|when)\b", re.IGNORECASE)
_VENTURED = r"^\W*(?:(?:is it|it'?s|it is|its|maybe|i think|i guess|the answer is|i say|i'?d say|um+|uh|ok|so)\W+)*"
_BARE = re.compile(
    rf"{_VENTURED}([-+]?[\d½¼¾⅓⅔⅛][\d./, ½¼¾⅓⅔⅛%]*"
    r"|\(?[a-h]\)?(?:\W+(?:and\W+)?\(?[a-h]\)?){0,7})\W*$"
)
_FIRST = re.compile(
    rf"{_VENTURED}(-?\d+(?:\s*/\s*\d+|[.,]\d+)?)\s*(?:[?!.,;]|(?=\b(?:can|could|may|also|and|but|is|what|why|i)\b))",
    re.IGNORECASE,
)
_OF_GRADE: Final[dict[str, Verdict]] = {"correct": "right", "equivalent_not_in_form": "partly", "unparsable": "none"}


def bare_answer(text: str) -> str:
    """Return the answer that a message is and nothing else, "I think it's 3/4"; empty for any other."""
    found = _BARE.match(plain(text))
    return found.group(1).strip() if found else ""


def answers_in(text: str, context: Context, *, may_answer: bool) -> tuple[AnswerGiven, ...]:
    """Return what the message answers, the prompt that waits first. Of prompts that were left only a right answer counts.

    `may_answer`: its intents let it be an answer; an exact one is found whatever they say.
    """
    waiting = context.prompts[0] if context.prompts and context.waits else None
    found = _answer(text, waiting, context, may_answer=may_answer) if waiting is not None else None
    if found is not None and found.verdict in ("right", "partly"):
        return (found,)
    late = tuple(_late(text, context)) if may_answer or bare_answer(text) else ()
    return late[:1] or ((found,) if found is not None else ())


def _late(text: str, context: Context) -> Iterator[AnswerGiven]:
    """Yield right answers to what was asked before, the latest first."""
    for prompt in context.prompts[1:] if context.waits else context.prompts:
        found = _answer(text, prompt, context, may_answer=True)
        if found is not None and found.verdict == "right" and found.confidence >= SURE_OF_LATE:
            yield found


def _answer(text: str, prompt: Prompt, context: Context, *, may_answer: bool) -> AnswerGiven | None:
    if prompt.key is not None:
        value = _value(text, prompt, may_answer=may_answer)
        if not value:
            return None
        verdict = _OF_GRADE.get(grade(prompt.key, value).verdict, "wrong")
        return AnswerGiven(to=prompt.id, value=value, verdict=verdict, confidence=1.0)
    if not may_answer or prompt.kind in ("offer", "summary"):
        return None
    known = _by_known_words(text, prompt) if prompt.known_words else _by_known_value(text, prompt)
    if known is not None:
        return _with_its_reason(known, text, prompt, context)
    right = arithmetic.chosen(text, prompt.text)
    claims = arithmetic.claims_in(text, asked=prompt.text)
    if right is False or any(not each.holds for each in claims):
        return AnswerGiven(to=prompt.id, value=text.strip(), verdict="wrong", confidence=1.0)
    found = verdicts.verdict_of(text, prompt, context)
    if right and found is not None and found.verdict in ("wrong", "none"):
        # The choice is right by arithmetic, whatever the reason beside it sounds like.
        return replace(found, verdict="partly", confidence=1.0)
    if claims and found is not None and found.verdict == "none" and _covers(text, prompt, context):
        return replace(found, verdict="right", confidence=1.0)
    if found is not None and found.verdict == "wrong" and claims:
        # What was said in numbers is true: it is no wrong answer, though it may be none to this question.
        return replace(found, verdict="none", confidence=0.0)
    return found


def _covers(text: str, prompt: Prompt, context: Context) -> bool:
    """Tell whether the course's own patterns find all that a prompt asks for: beside a true claim that is enough."""
    asked = asked_for(context.course, key_of(prompt.kind, prompt.id)) if context.course is not None else None
    return asked is not None and bool(asked.ideas) and coverage(asked.ideas, plain(text)).share >= COVERED


def _value(text: str, prompt: Prompt, *, may_answer: bool) -> str:
    """Return the answer to a question with a key, as it can be graded; empty for none."""
    if bare := bare_answer(text):
        return bare
    if prompt.form == "numeric" and (first := _FIRST.match(text)) is not None:
        return first[1].strip()  # "3/4? can we stop now": an answer, and a wish.
    if not may_answer or prompt.key is None:
        return ""
    words = len(text.split())
    if prompt.form == "text":
        return text if words >= WORDS_OF_A_TEXT else ""
    if prompt.form == "numeric":
        if _EITHER.search(text):
            return ""
        short = _number(text, prompt.key, words) if words <= WORDS_OF_AN_ANSWER else ""
        return short or _concluded(text, prompt)
    if words > WORDS_OF_AN_ANSWER:
        return ""
    return text if grade(prompt.key, text).verdict != "unparsable" else ""


def _number(text: str, key: "AnswerKey", words: int) -> str:
    """Return the number that a short message answers with: "oh, 3/4, I miscounted"; empty for none, and for a reason."""
    said = spans_of(text)
    if _REASON.match(text):
        return ""
    if right := next((each for each in (*said[-1:], text) if grade(key, each).verdict == "correct"), ""):
        return right
    if words > WORDS_OF_A_GUESS or grade(key, text).verdict == "unparsable":
        return said[0] if len(said) == 1 and words > 1 else ""
    return said[0] if len(said) == 1 and words > WORDS_OF_A_NUMBER else text


def _concluded(text: str, prompt: Prompt) -> str:
    """Return the number that a longer message comes to: the only one that the question did not name, or the last after "so".

    Of a reason alone, "because 9 make a whole", it is the last after "so".
    """
    asked = set(numbers_in(prompt.text))
    new = [each for each in spans_of(text) if not set(numbers_in(each)) <= asked]
    values = {value for each in new for value in numbers_in(each)}
    if len(values) == 1 and not _REASON.match(text):
        return new[-1]
    ending = _CONCLUDES.search(text)
    return new[-1] if ending and new and new[-1] in ending[0] else ""


def _by_known_value(text: str, prompt: Prompt) -> AnswerGiven | None:
    """Return how a reply in open words compares with the number that they are to come to; None where they name none."""
    if prompt.known_key is None:
        return None
    short = len(text.split()) <= WORDS_OF_AN_ANSWER and not _REASON.match(text)
    value = bare_answer(text) or (_number(text, prompt.known_key, len(text.split())) if short else "")
    value = value or _concluded(text, prompt)
    verdict = _OF_GRADE.get(grade(prompt.known_key, value).verdict, "wrong") if value else "none"
    if verdict == "none" or (verdict == "wrong" and value != bare_answer(text)):
        return None  # Another number in a sentence may be a step on the way.
    return AnswerGiven(to=prompt.id, value=value, verdict=verdict, confidence=1.0)


def _with_its_reason(known: AnswerGiven, text: str, prompt: Prompt, context: Context) -> AnswerGiven:
    """Return a verdict on a value with what is said beside it: a right one may lack the reason that was asked for."""
    if known.verdict != "right":
        return known
    reason = verdicts.verdict_of(text, prompt, context)
    if any(not each.holds for each in arithmetic.claims_in(text, asked=prompt.text)):
        return replace(known, verdict="wrong")
    return replace(known, verdict="partly") if reason is not None and reason.verdict == "partly" else known


def _by_known_words(text: str, prompt: Prompt) -> AnswerGiven | None:
    """Return how a reply compares with an answer that is known in words: yes, no, or its own words."""
    words, known = plain(text), plain(prompt.known_words)
    said = next((name for name, pattern in _POLAR.items() if pattern.match(words)), "")
    wanted = next((name for name, pattern in _POLAR.items() if pattern.match(known)), "")
    if said and wanted:
        verdict: Verdict = "wrong" if said != wanted else "partly" if _ASKS_WHY.search(plain(prompt.text)) else "right"
        return AnswerGiven(to=prompt.id, value=text.strip(), verdict=verdict, confidence=1.0)
    wordy = not wanted and len(known.split()) <= WORDS_OF_A_GUESS
    if wordy and known and re.search(rf"\b{re.escape(known)}\b", words) and not _NOT.search(words):
        return AnswerGiven(to=prompt.id, value=prompt.known_words, verdict="right", confidence=0.9)
    return None
