"""Set phrases whose intent the classifier takes for another one: an interjection, relief, an introduction, an age, a quiz, a hint."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutoring.understanding.message_analysis import Intent

# "oh", "ahh ok", "hmm": learners type it when they have read something. It was read as a greeting, or as an answer.
_INTERJECTION = re.compile(r"\W*(?:(?:o+h+|a+h+|aha+|hm+|huh|wow|ooh+)\W*)+(?:ok(?:ay)?|i see|right)?\W*")
# "i'm less worried now": the word for the feeling that is over weighs more than "less".
_RELIEF = re.compile(
    r"\b(?:less|not (?:so |as )?|no longer|isn'?t) ?(?:sad|nervous|scared|afraid|worried|angry|upset|stressed|annoyed)\b(?! (?:but|about))"
    r"|(?<!n't )(?<!dont )(?<!not )(?<!never )\bfeel(?:ing)? (?:a (?:bit|little|lot) |much )?(?:better|calmer)(?: now)?\W*$"
)
# "hello, i'm ben and i'm seven": what else it says is about the person.
_INTRODUCTION = re.compile(
    r"(?:hi+|he+y+|hello+|good (?:morning|afternoon|evening))\b[^?\w]*(?:there\W+)?(?:i'?m|i am|my name(?:'?s| is)|this is)\b(?:[^?\w]+[\w']+){1,8}[^?\w]*"
)
# "im 9", "i am twelve years old": no number to grade.
_AGE = re.compile(r"i(?:'?m| am)(?: \w+)? (?:\d{1,2}|six|seven|eight|nine|ten|eleven|twelve)(?: years? old)?\W*")
# "can we do a quiz instead" was read as a wish for another subject.
_QUIZ = re.compile(
    r"(?:(?:ok(?:ay)?|please|now|can|could|may|we|i|you|let'?s|let us|want|to|would like|just|have|take|do|try|give me|a|the|some)\W+)*"
    r"(?:quiz|test questions|quiz questions)(?:\W+(?:instead|now|please|pls|first|me|again))*\W*"
)
# "everyone else finds this easy" was read as joy.
SLOWER_THAN_OTHERS = (
    r"\b(?:everyone|everybody)(?: else)?\b[^.?!]{0,30}\b(?:easy|faster|quicker|better|gets? it|can do (?:it|this))\b"
)
# "hint i guess" was read as an answer, "hint. a proper one" as an idea, "little help please" as a wish for the answer.
_HINT = re.compile(
    r"(?:(?:ok(?:ay)?|so|well|just|please|pls|a|an|one|another|the|next|little|bit of|some|more|small|good|proper|can i|could i"
    r"|may i|can you|have|get|give me|gimme|i need|i want|i'?d like|u+gh+)\W+)*"
    r"(?:(?:hints?|clues?)\b(?! (?:is|was|are|were|did|does|said|says|told|about|in|on)\b)|(?:little|bit of|some) help\b(?! with\b))"
    r"(?:\W+[\w']+){0,7}\W*"
)
# "bruh that was right" was read as joy.
CONTESTS = (
    r"^\W*(?:(?:bruh|bro|but|wait|no|hey|dude|ugh|nah|wtf)\W+)+(?:that|it|mine|i|what i (?:said|wrote|typed)) was "
    r"(?:actually |totally |literally )?(?:right|correct)\W*$"
)
_CONTESTS = re.compile(CONTESTS)
# "thats what i SAID" was read as an idea, "you are not listening" as an insult.
_MISREAD = re.compile(
    r"\W*(?:(?:but|no|hey|u+gh+|omg|well)\W+)*(?:(?:that'?s|that is|this is|it'?s) (?:exactly |just |literally )?what i (?:just |already )?(?:said|wrote|typed|meant|told you)"
    r"|i (?:already |just )(?:said|wrote|told you) (?:that|so|it|this)|(?:please )?read what i (?:say|said|write|wrote)|you(?:'?re| are) not (?:even )?(?:listening|reading))\W*"
)
_SLOWER = re.compile(SLOWER_THAN_OTHERS)
_WANTS = re.compile(r"\b(?:want|need|wanna|would like|help|stuck|lost|confused|sad|bored|tired)\b")


def set_phrase_intent(words: str) -> "Intent | None":
    """Return the intent of plain words that are a set phrase, or None."""
    if _INTERJECTION.fullmatch(words):
        return "go_on"
    if _RELIEF.search(words) and "?" not in words:
        return "emotion_positive"
    if _SLOWER.search(words) and "?" not in words:
        return "emotion_negative"
    if _INTRODUCTION.fullmatch(words) and not _WANTS.search(words):
        return "greeting"
    if _CONTESTS.fullmatch(words):
        return "disagree"
    if _MISREAD.fullmatch(words):
        return "correction_of_tutor"
    if _QUIZ.fullmatch(words):
        return "ask_quiz"
    if _HINT.fullmatch(words):
        return "ask_hint"
    if _AGE.fullmatch(words):
        return "small_talk"
    return None
