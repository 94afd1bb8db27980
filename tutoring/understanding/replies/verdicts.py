"""Verdicts on replies in open words: arithmetic first, then misconceptions, then labelled replies with patterns.

Thresholds were chosen on leave-one-out scores of the labelled replies of Fractions, 2026-11-23; those of the encoder on
`bench/understanding/development/verdicts.jsonl` and `tests/tutoring/lesson_replies`, 2026-11-24.
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
from tutoring.understanding.replies.signs import numbers_in_reply

if TYPE_CHECKING:
    from tutoring.courses.catalogue import CourseContent
    from tutoring.understanding.context import Prompt

OPEN: Final = frozenset({"piece", "contrast", "milestone"})
"""Kinds of prompts that are answered in words."""
# High, since a wrong idea that is praised costs more than a right one that is only compared with a model sentence.
RIGHT: Final = 0.95
"""Probability from which a reply is right without its patterns."""
RIGHT_COVERED: Final = 0.85
"""The same if the question's patterns find all ideas."""
# Patterns read numbers exactly. Of the labelled replies of Fractions with a number and all ideas, 35 lie between .65 and
# the value above, and all are right (2026-11-26).
RIGHT_WITH_NUMBERS: Final = 0.7
"""The same if the reply also has a number."""
# Patterns can match a wrong reply that uses the same words; it must also look hardly wrong.
WRONG_COVERED: Final = 0.1
"""Maximum probability of wrong then."""
# A contrast case asks for one visible thing, so its patterns suffice unless wrong is likelier than not.
WRONG_OF_CASE: Final = 0.5
# "You have part of it" must be true; below .85 there is no verdict, and a right answer is shown to compare with.
PARTLY: Final = 0.85
# Raised from .6 to call fewer replies wrong that answer in unusual words (2026-11-23).
WRONG: Final = 0.75
# Together with RIGHT_OF_WRONG it calls none of 110 right replies wrong, and 335 of 700 others (the two sets above).
READ_AS_WRONG: Final = 0.65
"""Probability of the encoder from which a reply is wrong, if the labelled replies leave it open."""
RIGHT_OF_WRONG: Final = 0.4
"""Maximum probability of right by the labelled replies then."""
# Played lessons praised "i like pizza" in part; hence the two conditions below (2026-11-24).
READ_AS_PARTLY: Final = 0.7
"""The same for partly right."""
PARTLY_OF_READ: Final = 0.1
"""Minimum probability of partly by the labelled replies then."""
WORDS_OF_A_PART: Final = 3
"""Words from which a reply may state part of an idea."""
# Below it the encoder vetoes a right verdict: "my brother always takes the big one" (2026-11-24). Not with numbers, on
# which it is weak.
# It vetoes as well what it reads as wrong and only the patterns call right: "it does not matter where I cut it, both are
# halves" (2026-11-26).
DOUBTED: Final = 0.03
"""Maximum probability of right by the encoder for a veto on a reply without numbers."""
# A played lesson called a true sentence wrong; now the encoder can veto that (2026-11-24).
READ_AS_RIGHT: Final = 0.8
"""Probability of right by the encoder that vetoes a wrong verdict."""
# Raised from .9 when it began to overrule contrast cases as well (2026-11-24).
PARTLY_FOR_RIGHT: Final = 0.96
"""Probability of partly by the encoder that overrules a right verdict, except on numbers, on which it is weak."""


def judge_open_reply(message: MessageText) -> AnswerGiven | None:
    """Return the verdict on a message as an open-word reply to the open prompt; verdict `none` if it is uncertain.

    None for other prompts, and for words that assert nothing. Pure; some milliseconds. The caller must make sure that
    the message is a reply: a greeting is judged like any other words.
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


def _judged_by_words(
    asked: LabelledQuestion | None, message: MessageText, *, shows: bool
) -> tuple[ReplyVerdict, float]:
    """Return the verdict by the words that a course without labelled replies lists; none for a question without any."""
    if shows:
        return "wrong", misconceptions.HELD
    if asked is None or not asked.ideas:
        return "none", 0.0
    share = idea_coverage(asked.ideas, message.words).share
    if share >= COVERED:
        return "right", RIGHT
    return ("partly", PARTLY) if share else ("wrong", WRONG)


def _judged(
    message: MessageText,
    prompt: "Prompt",
    course: "CourseContent",
    asked: LabelledQuestion | None,
    chances: Mapping[str, float] | None,
    *,
    shows: bool,
) -> tuple[ReplyVerdict, float]:
    """Return the verdict and its probability."""
    if any(not claim.holds for claim in message.claims):
        return "wrong", 1.0
    if chances is None:
        return _judged_by_words(asked, message, shows=shows) if not course.wordings_key else ("none", 0.0)
    right, partly, wrong = chances["right"], chances["partly"], chances["wrong"]
    if shows and right < RIGHT_COVERED:
        return "wrong", max(wrong, misconceptions.HELD)
    covers = asked is not None and bool(asked.ideas) and idea_coverage(asked.ideas, message.words).share >= COVERED
    read = verdict_chances.encoded_chances(message, prompt, course)
    exact = covers and bool(numbers_in_reply(message.words))
    enough = RIGHT_WITH_NUMBERS if exact else RIGHT_COVERED
    by_words = right >= RIGHT or (covers and right >= enough and wrong < WRONG_COVERED)
    # A contrast case asks for one visible thing, so its patterns suffice.
    if by_words or (prompt.kind == "contrast" and covers and wrong < WRONG_OF_CASE):
        if read and read["partly"] >= PARTLY_FOR_RIGHT and not exact:
            return "partly", read["partly"]
        doubted = (
            prompt.kind == "piece"
            and read is not None
            and (read["right"] < DOUBTED or (read["wrong"] >= READ_AS_WRONG and right < RIGHT))
            and not numbers_in_reply(message.words)
        )
        return ("none", 0.0) if doubted else ("right", right)
    if prompt.kind == "milestone":
        return "none", 0.0  # A reply that only resembles the milestone may be half of it, and is not wrong.
    if wrong >= WRONG:
        return ("none", 0.0) if read and read["right"] >= READ_AS_RIGHT else ("wrong", wrong)
    if partly >= PARTLY:
        return "partly", partly
    if read and read["wrong"] >= READ_AS_WRONG and right <= RIGHT_OF_WRONG:
        return "wrong", read["wrong"]
    says_something = partly >= PARTLY_OF_READ and len(message.typed.split()) >= WORDS_OF_A_PART
    return ("partly", read["partly"]) if read and read["partly"] >= READ_AS_PARTLY and says_something else ("none", 0.0)
