"""Whether a reply in open words is right: arithmetic first, then misconceptions, then labelled replies and patterns together.

Thresholds are chosen on what the labelled replies of Fractions score when they are left out, 2026-11-23; those of what the
encoder reads on `bench/understanding/development/verdicts.jsonl` and `tests/tutoring/lesson_replies`, 2026-11-24.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tutoring.grading.judges.texts import COVERED, idea_coverage
from tutoring.understanding.classifiers import misconceptions
from tutoring.understanding.classifiers.labelled_sentences import LabelledQuestion, find_labelled_question, question_key
from tutoring.understanding.message import MessageText
from tutoring.understanding.message_analysis import AnswerGiven, ReplyVerdict
from tutoring.understanding.replies import verdict_chances
from tutoring.understanding.replies.question_parts import unanswered_part
from tutoring.understanding.replies.signs import makes_false_claim, numbers_in_reply

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.context import Prompt

OPEN: Final = frozenset({"piece", "contrast", "milestone"})
"""Prompts that are answered in words."""
RIGHT: Final = 0.95
"""The chance from which a reply is right, whatever its patterns say."""
RIGHT_COVERED: Final = 0.85
"""The same where the patterns of what was asked for find all of it."""
WRONG_COVERED: Final = 0.1
"""How likely wrong it may be then."""
WRONG_OF_CASE: Final = 0.5
PARTLY: Final = 0.85
WRONG: Final = 0.75
READ_AS_WRONG: Final = 0.65
"""The chance from which a reply is wrong for the encoder, where the labelled replies tell too little."""
RIGHT_OF_WRONG: Final = 0.4
"""How likely right it may be then: of 110 right replies none was, of 700 others 335 were called wrong so."""
READ_AS_PARTLY: Final = 0.7
"""The same for right in part."""
PARTLY_OF_READ: Final = 0.1
"""How likely right in part it must be by the labelled replies then."""
WORDS_OF_A_PART: Final = 3
"""Words from which a reply says part of an idea."""
DOUBTED: Final = 0.03
"""How likely right a reply without numbers must be for the encoder to be right."""
READ_AS_RIGHT: Final = 0.8
"""The chance from which a reply that is wrong by the labelled replies is right for the encoder: then there is no verdict."""
PARTLY_FOR_RIGHT: Final = 0.96
"""How surely it must be only partly for the encoder to be no right one."""


def judge_open_reply(message: MessageText) -> AnswerGiven | None:
    """Return what a message replies to the prompt that waits, in open words, with verdict `none` where that is uncertain.

    None for other prompts, and for words that claim nothing. Pure; some milliseconds. The caller sees to it that the message
    answers at all: a greeting is judged like any other words.
    """
    context = message.context
    prompt = context.prompts[0]
    if prompt.kind not in OPEN or context.course is None or not any(map(str.isalnum, message.typed)):
        return None
    if not message.claimed and message.typed.rstrip().endswith("?"):
        return None
    asked = find_labelled_question(context.course, question_key(prompt.kind, prompt.id))
    chances = verdict_chances.labelled_chances(message, prompt, context.course)
    verdict, confidence = _judged(message, prompt, context.course, asked, chances, shows=bool(message.misconceptions))
    missing = ""
    if asked and verdict in ("right", "partly"):
        missing = unanswered_part(
            asked.question, message.words, missing=idea_coverage(asked.ideas, message.words).missing
        )
    return AnswerGiven(
        to=prompt.id, value=message.typed.strip(), verdict=verdict, confidence=round(confidence, 3), missing=missing
    )


def _judged(
    message: MessageText,
    prompt: "Prompt",
    course: "CourseContent",
    asked: LabelledQuestion | None,
    chances: Mapping[str, float] | None,
    *,
    shows: bool,
) -> tuple[ReplyVerdict, float]:
    """Return the verdict, and how likely it is."""
    if makes_false_claim(message.typed):
        return "wrong", 1.0
    if chances is None:
        return "none", 0.0
    right, partly, wrong = chances["right"], chances["partly"], chances["wrong"]
    if shows and right < RIGHT_COVERED:
        return "wrong", max(wrong, misconceptions.HELD)
    covers = asked is not None and bool(asked.ideas) and idea_coverage(asked.ideas, message.words).share >= COVERED
    read = verdict_chances.encoded_chances(message, prompt, course)
    by_words = right >= RIGHT or (covers and right >= RIGHT_COVERED and wrong < WRONG_COVERED)
    # A case asks for one thing that is seen at a glance: its patterns say it.
    if by_words or (prompt.kind == "contrast" and covers and wrong < WRONG_OF_CASE):
        if read and read["partly"] >= PARTLY_FOR_RIGHT:
            return "partly", read["partly"]
        doubted = (
            prompt.kind == "piece"
            and read is not None
            and read["right"] < DOUBTED
            and not numbers_in_reply(message.words)
        )
        return ("none", 0.0) if doubted else ("right", right)
    if prompt.kind == "milestone":
        return "none", 0.0  # What only sounds like it may be half of it: that is not wrong.
    if wrong >= WRONG:
        return ("none", 0.0) if read and read["right"] >= READ_AS_RIGHT else ("wrong", wrong)
    if partly >= PARTLY:
        return "partly", partly
    if read and read["wrong"] >= READ_AS_WRONG and right <= RIGHT_OF_WRONG:
        return "wrong", read["wrong"]
    says_something = partly >= PARTLY_OF_READ and len(message.typed.split()) >= WORDS_OF_A_PART
    return ("partly", read["partly"]) if read and read["partly"] >= READ_AS_PARTLY and says_something else ("none", 0.0)
