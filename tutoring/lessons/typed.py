"""Which answer to the open question a message gives, typed beside its card."""

import re

from tutoring.grading import grade
from tutoring.grading.numbers import spans_of
from tutoring.lessons import placing
from tutoring.models import Question
from tutoring.roles.state import LessonState
from tutoring.rules.claims import plain
from tutoring.rules.listening import Heard, answer_alone

SAYS_SOMETHING = frozenset({"idea_said", "idea_partly", "other"})
"""What a message may be that answers, or says what the learner thinks."""
WORDS_OF_A_SENTENCE = 3
"""Words from which a message is taken for the answer to a question that asks for words."""
WORDS_OF_A_GUESS = 5
"""Words up to which it counts as a wrong one, too: a number in a longer sentence may be no answer at all."""
WORDS_OF_A_NUMBER = 2
"""Words up to which a message is repeated whole, since they may name what is counted."""
NEXT_QUESTION = re.compile(r"^(?:ok(?:ay)?\W+)?(?:the )?(?:next|another|a different|a new) question(?:,? please)?\W*$")
REASON = re.compile(r"\s*(?:because|'?cause|cuz|cos|since|if|when)\b", re.IGNORECASE)


def answer_in(heard: Heard, text: str, question: Question | None, held: LessonState) -> str:
    """Return the answer that a message gives to the open question; empty if it gives none.

    After a contrast case a message is a reply to that case, unless it is nothing but an answer and not a right reply.
    """
    if question is None or (held.contrast and heard.kind == "idea_said"):
        return ""
    if heard.bare_answer:
        return heard.bare_answer
    if held.contrast or heard.kind not in SAYS_SOMETHING:
        return ""
    if held.cycle.paused:
        return text if _is_but_an_answer(question, text) else ""
    if question.kind == "text":
        return text if len(text.split()) >= WORDS_OF_A_SENTENCE else ""
    if len(text.split()) > placing.WORDS_OF_AN_ANSWER:
        return ""
    if question.kind == "numeric":
        return _number_said(question, text)
    return text if grade(question.instance().key, text).verdict != "unparsable" else ""


def skips(heard: Heard, text: str, held: LessonState) -> bool:
    """Tell whether a message leaves the open question out. "Next question" brings one back that waits while something else is said."""
    return heard.kind == "skip" or (not held.cycle.paused and bool(NEXT_QUESTION.match(plain(text))))


def _is_but_an_answer(question: Question, text: str) -> bool:
    """Tell whether a message is nothing but an answer, though in words: "three and a half". Then a quiz that waits goes on."""
    if question.kind == "numeric":
        return [answer_alone(text)] == [plain(each) for each in spans_of(text)]
    short = question.kind != "text" and len(text.split()) <= WORDS_OF_A_GUESS
    return short and grade(question.instance().key, text).verdict != "unparsable"


def _number_said(question: Question, text: str) -> str:
    """Return the number that a short message answers with: "oh, 3/4, I miscounted"; empty for none, and for a reason."""
    if REASON.match(text):
        return ""
    key, said, words = question.instance().key, spans_of(text), len(text.split())
    if right := next((each for each in (text, *said[-1:]) if grade(key, each).verdict == "correct"), ""):
        return right
    if words > WORDS_OF_A_GUESS or grade(key, text).verdict == "unparsable":
        return ""
    return said[0] if len(said) == 1 and words > WORDS_OF_A_NUMBER else text
