"""What a learner's message does: says something, asks, asks for help, or wants to go on. Rules, no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tutoring.grading.texts import coverage
from tutoring.grading.words import word_set
from tutoring.rules.claims import as_typed, compile_pattern, find, has_question_form, is_asking, plain, sentences
from tutoring.rules.naming import called, stems
from tutoring.rules.replies import owed_part, says_something

if TYPE_CHECKING:
    from tutoring.courses.catalogue import Answer, Concept, ContrastCase, Course, LessonPiece, Milestone, Misconception
    from tutoring.courses.instances import Instance
    from tutoring.grading.keys import Idea

Kind = Literal[
    "misconception",
    "question",
    "answer_demand",
    "hint_request",
    "does_not_know",
    "go_on",
    "quiz_request",
    "resume",
    "skip",
    "abandon",
    "idea_said",
    "idea_partly",
    "greeting",
    "goodbye",
    "other",
]

COVERED = 0.75
"""Share of an answer's ideas, by weight, from which it counts as said."""
WORDS_OF_A_VENTURE = 4
TAUGHT = 0.1
"""How much of a question a concept is called by that nothing in it names, since it is the one that is taught."""
WORDS_OF_ANOTHER_QUESTION = 3
"""Words of a question from which an answer of another concept than the one taught fits it."""

_DONT_TELL = re.compile(r"\b(?:don'?t|do not|without) (?:you )?(?:tell|give|show|say|reveal)(?:ing)?\b")
_ANSWER_DEMAND = re.compile(
    r"\b(?:tell|give|show|reveal|print|write|send|say|need|want|spit out|have)\b[^.?!\n]{0,40}\b(?:answer|solution|result)s?\b"
    r"|\bwhat(?:'?s| is| was| are)?(?: the)?(?: right| correct| final| real)? (?:answer|solution)s?\b"
    r"|\bjust (?:tell|say|show|give) (?:me|us|it)\b|\btell me what it is\b|\bi(?:'ll| will)? give up\b"
    r"|\b(?:solve|do|answer|finish) (?:it|this|that|the question)(?: one| question)? (?:for me|yourself)\b"
    r"|\b(?:answer|solution),? (?:please|now|pls|plz)\b|^(?:the )?(?:answer|solution)\W*$"
    r"|\bwhich (?:one|letter|option|choice) (?:is|are) (?:right|correct|it|true)\b"
)
_HINT_REQUEST = re.compile(
    r"\b(?:hint|clue|tip|nudge)s?\b|\b(?:help me|need (?:some |a little |a bit of )?help|can you help|could you help|some help)\b"
    r"|^help\b|\bhelp(?: please)?\W*$|\bi(?:'?m| am)(?: \w+){0,2} stuck\b|^stuck\b"
    r"|\b(?:where|how) (?:do|should|can|could) i (?:start|begin)\b"
)
_DOES_NOT_KNOW = re.compile(
    r"\b(?:i )?(?:really |still )?(?:don'?t|do not|didn'?t) (?:really |even |actually )?know\b(?: (?:why|how|what|it|that|this))?"
    r"|\bi ?d ?k\b|\bdunno\b|\bno (?:idea|clue)\b|\bnot (?:really |so |very )?sure\b|\bbeats me\b|\bunsure\b"
    r"|^(?:what|huh|eh|pardon|sorry|come again)\W*$"
    r"|\bi (?:don'?t|do not|can'?t) (?:really )?(?:get|understand|see|do) (?:it|this|that)\b|\bi(?:'m| am)? (?:\w+ )?(?:lost|confused)\b"
)
_RESUME = re.compile(
    r"\b(?:resume|back to (?:the |my |our )?(?:quiz|questions?|test)|where were we"
    r"|(?:continue|go on|carry on|keep going)(?: with)? (?:the |my |our )?(?:quiz|questions?|test))\b"
)
_QUIZ_REQUEST = re.compile(
    r"\b(?:quiz|test|examine|challenge|drill|grill) me\b|\b(?:start|begin|take|do|try|want|ready for) (?:the |a |my |some )?(?:quiz|test)\b"
    r"|\b(?:quiz|test) (?:please|now|time)\b|^(?:a |the )?quiz\W*$"
    r"|\b(?:give|ask|show|set) me (?:a |an |the |some |another |one |more |\d+ |\w+ )?(?:more |next )?(?:questions?|problems?|exercises?|quiz|practi[cs]e)\b"
    r"|\b(?:more|some|another|next) (?:questions?|problems?|exercises?|practi[cs]e)\b|\bask me (?:something|one|another)\b"
    r"|\b(?:let me|i want to|can i|i'?d like to|let'?s) (?:practi[cs]e|try (?:one|some|it)|do (?:some|one|a question))\b"
    r"|^practi[cs]e\b|\bready for (?:the |some |a )?questions?\b"
)
_A_QUIZ = r"(?:the |this |my |our |these |those )?(?:quiz|questions?|test)"
_WISH = r"^(?:(?:please|ok(?:ay)?|sorry|can|could|may|we|i|want|need|like|would|i'?d|to|let'?s|let us|you)\W+){0,6}"
_ABANDONS = re.compile(
    rf"{_WISH}(?:end|abandon|cancel|quit|drop|give up(?: on)?) (?:the |this |my |our )?(?:whole )?(?:quiz|test)"
    r"(?:\W+(?:please|now|altogether|for good))*\W*$"
)
_SKIPS = re.compile(
    r"^(?:(?:please|ok(?:ay)?|can|may|could|i|we|i'd|like|want|to|i'll|let's|let|me)\W+){0,5}"
    r"(?:(?:skip|pass)(?: (?:this|that|it|the question))?(?: (?:one|question))?|(?:abandon|cancel|drop) (?:this|that|the) question"
    r"|skip to the next (?:one|question))"
    r"(?:\W+(?:and )?(?:ask|give) me (?:another|the next|a different|a new)(?: one| question)?)?(?:,? please)?\W*$"
)
_STOPS = re.compile(
    rf"{_WISH}(?:(?:stop|quit|exit|pause)(?: (?:it|this|here|{_A_QUIZ}))?|(?:end|leave|abandon|cancel) {_A_QUIZ}"
    rf"|(?:do not|don'?t) (?:want|need) (?:any )?(?:more|{_A_QUIZ})(?: questions?)?|(?:no more|enough) questions?"
    r"|(?:stop|quit) (?:quizzing|testing|asking)(?: me)?(?: questions?)?)"
    r"(?:\W+(?:please|now|any ?more|for now))*\W*$"
)
_GOODBYE = re.compile(
    r"\b(?:bye|goodbye|good ?night|see (?:you|ya|u)|(?:got|have|need) to go|gotta go|ttyl|cya"
    r"|(?:done|enough|finished|stop|that'?s (?:it|all)) for (?:today|now|tonight))\b"
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|heya|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening))(?: (?:there|again|tutor|teacher|everyone))?\W*"
    r"(?:how are you|how'?s it going|nice to meet you|i(?:'m| am) \w+|my name is \w+)?\W*$"
)
_ONWARDS = (
    r"(?:ok(?:ay)?|k|alright|all right|fine|got it|i (?:see|get it|understand|got it)|makes sense|(?:i(?:'m| am) )?(?:ready|done)"
    r"|next(?: one| step| part| bit| please)?|(?:continue|go on|carry on)(?: with (?:the|my|our) (?:lesson|explanation))?"
    r"|go ahead|keep going|move on|proceed|what(?:'s| is)? next"
    r"|let(?:'?s| us) (?:just )?(?:go on|go|continue|move on|start|begin)|and (?:then|now)|more|start|begin|skip|please|thanks|thank you|then)"
)
_GO_ON = re.compile(rf"^(?:(?:yes|yeah|yep|sure|cool|great|good|so)\W+)?{_ONWARDS}(?:\W+{_ONWARDS})*\W*$")
_BARE_YES = re.compile(r"^(?:yes|yeah|yep|yup|sure|of course|please do|y)(?:\W+please)?\W*$")
_VENTURED = r"^\W*(?:(?:is it|it'?s|it is|maybe|i think|the answer is|i say|i'?d say)\W+)*"
_BARE_ANSWER = re.compile(
    rf"{_VENTURED}([-+]?[\d½¼¾⅓⅔⅛][\d./, ½¼¾⅓⅔⅛%]*"
    r"|\(?[a-h]\)?(?:\W+(?:and\W+)?\(?[a-h]\)?){0,7})\W*$"
)
_THANKS = re.compile(
    r"^(?:(?:ok(?:ay)?|great|cool|many|no)\W+)*(?:thanks?(?: you)?|thx|ty|cheers)(?: (?:a lot|so much|very much))?\W*$"
)
_BACK = re.compile(
    r"^(?:(?:please|ok(?:ay)?|now|can we|let'?s|let us|i want to|i'?d like to)\W+)*(?:go )?(?:back|return)\b(?! to (?:the |my |our )?(?:quiz|question|test))"
)
_INSTEAD = re.compile(
    r"\binstead\b(?! of)|\b(?:i'?d|i would|i) (?:much )?rather (?:learn|study|do|start|work on|have)\b"
)
_DECLINES = re.compile(r"^(?:no|nope|nah|not now|later|stay here|skip (?:it|this|that))\b")
_WORD = re.compile(r"[a-z]{4,}")
_OF_ANY_QUESTION = word_set(
    "about always does explain from have know learn mean means much must need should tell that them there they think this "
    "what when where which with word words would your"
)
_QUESTION_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_OF_ANY_QUESTION))})\b")
_IN_FRACTION = re.compile(r"(?<=\d)(?:\d|\s*/\s*\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A wrong idea in the learner's own words."""

    id: str
    quote: str
    """The learner's words as they typed them."""
    in_lesson: bool
    """The lesson is on a concept the misconception belongs to: the stronger evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What a message does, and what it rests on."""

    kind: Kind
    said: tuple[Said, ...] = ()
    """Wrong ideas claimed, those of the lesson first."""
    coverage: float = 0.0
    """Share (0–1) of the expected ideas that were said."""
    missing: tuple[str, ...] = ()
    """Names of the expected ideas that were not."""
    owed: str = ""
    """The part of the question that the reply leaves open, "And why?"; empty where it takes it up whole."""
    quote: str = ""
    """The words that decided the kind, where a pattern found some."""
    answer: "Answer | None" = None
    """What the course says to a question of this kind."""
    bare_answer: str = ""
    """The message is nothing but an answer to the open question, written beside its card."""

    @property
    def misconception(self) -> str:
        """The id of the wrong idea to take up; empty without one."""
        return self.said[0].id if self.said and self.said[0].in_lesson else ""


def hear(
    text: str,
    *,
    course: "Course",
    concept: "Concept",
    piece: "LessonPiece | None" = None,
    contrast: "Misconception | None" = None,
    milestone: "Milestone | None" = None,
    question: "Instance | None" = None,
    begun: str = "",
    equal_parts_drawn: bool = False,
) -> Heard:
    """Return what a message does. Pure and bounded: patterns see its first 400 characters only.

    `piece` is what the tutor said last, `contrast` the misconception whose contrast case it was, `milestone` the one
    whose idea was asked for, `question` the open card, `begun` what the learner has said to it in part. A wrong
    idea counts when it is claimed; denied, quoted or asked about it does not, nor does another than the one tested in a
    good reply to its contrast case, nor one that is right of the drawing it goes with (`equal_parts_drawn`).
    """
    words = plain(text)
    said, denied = _wrong_ideas(words, course=course, concept=concept)
    said = tuple(replace(each, quote=as_typed(each.quote, text)) for each in said)
    if equal_parts_drawn:
        said = tuple(each for each in said if not course.misconceptions[each.id].right_of_equal_parts)
    asked_for = contrast.contrast if contrast else milestone or piece
    replying = asked_for is not None
    own = _own_claims(words, replying=replying)
    share, missing, owed = _taken_up(own, asked_for=asked_for, begun=_own_claims(plain(begun), replying=True))
    if contrast and share >= COVERED:  # "One of two parts, so a half" is right of the bar that was shown.
        said = tuple(idea for idea in said if idea.id == contrast.id)
    found = _kind(words, said=said, denied=denied, share=share, owes=bool(owed), concept=concept, replying=replying)
    bare = _BARE_ANSWER.match(words) if question is not None and not (contrast and owed) else None
    return Heard(
        kind=found[0],
        quote=as_typed(found[1], text),
        said=said,
        coverage=share,
        missing=missing,
        owed=owed,
        answer=_answer(words, course=course, concept=concept) if found[0] in ("question", "idea_said") else None,
        bare_answer=bare.group(1).strip() if bare else "",
    )


def _taken_up(
    own: str, *, asked_for: "LessonPiece | ContrastCase | Milestone | None", begun: str
) -> tuple[float, tuple[str, ...], str]:
    """Return the share of the ideas asked for that a reply says, the missing ones, and the part of the question left open.

    What was `begun` counts as well, once a reply adds something to it.
    """
    if asked_for is None:
        return 0.0, (), ""
    question = getattr(asked_for, "question", "")  # A milestone's idea is asked for in one part.
    share, missing = covered(asked_for.ideas, text=own)
    if begun and (share > 0 or says_something(own, to=question)):
        own = f"{begun}. {own}"
        share, missing = covered(asked_for.ideas, text=own)
    return share, missing, owed_part(question, own, missing=missing) if share >= COVERED else ""


def covered(ideas: "Sequence[Idea]", *, text: str) -> tuple[float, tuple[str, ...]]:
    """Return the share (0–1, by weight) of the ideas that a plain text says, and the names of the others."""
    said = coverage(ideas, text)
    return said.share, said.missing


def course_answer(text: str, *, concept: "Concept") -> "Answer | None":
    """Return what the course answers to a question about the concept; None when it has no answer to this one.

    Of several answers that fit, the one whose pattern finds the most of the question.
    """
    words = plain(text)
    return _best_answer([(answer, _found(answer, words)) for answer in concept.answers])


def _answer(words: str, *, course: "Course", concept: "Concept") -> "Answer | None":
    """Return what the course answers to a question asked where the concept is taught; None for no answer.

    The concept that is called by the most words of the question answers, the one that is taught a little before the others.
    Of another that few of its words call, or none, nothing is answered; of none where more than a word or two fits.
    """
    calls = called(_QUESTION_WORDS.sub(" ", words), course)
    most = max(calls.values(), default=0.0)
    calls[concept.id] += TAUGHT
    best: tuple[float, int] = (0.0, 0)
    answer = None
    for about, one in [(each.id, one) for each in course.concepts for one in each.answers]:
        said = _found(one, words)
        is_called = calls[about] > 0 and calls[about] >= most / 2
        is_alike = not most and len(said.split()) >= WORDS_OF_ANOTHER_QUESTION and _names(one, words, course)
        fits = said and (about == concept.id or is_called or is_alike)
        if fits and (calls[about], len(said)) > best:
            best, answer = (calls[about], len(said)), one
    return answer


def _names(answer: "Answer", words: str, course: "Course") -> bool:
    """Tell whether a question holds a word of the matter that the answer looks for, and not only question words."""
    looked_for = {word for asks in answer.asks for word in _WORD.findall(asks)} - _OF_ANY_QUESTION
    said = {word for word in _WORD.findall(words) if not set(stems(word)) <= set(stems(course.title))}
    return bool(said & looked_for)


def _best_answer(found: "Sequence[tuple[Answer, str]]") -> "Answer | None":
    best = max(found, key=lambda each: len(each[1]), default=None)
    return best[0] if best is not None and best[1] else None


def _found(answer: "Answer", words: str) -> str:
    """Return the most of a question that a pattern of the answer finds; a match that ends within a fraction is none."""
    matches = (compile_pattern(pattern).search(words) for pattern in answer.asks)
    found = (match.group() for match in matches if match and not _IN_FRACTION.match(words, match.end()))
    return max(found, key=len, default="")


def is_greeting(text: str) -> bool:
    """Tell whether a message greets and says nothing else."""
    return bool(_GREETING.search(plain(text)))


def agrees(text: str) -> bool:
    """Tell whether a message says yes, or asks to go on, and says nothing else."""
    words = plain(text)
    return bool(_GO_ON.match(words) or _BARE_YES.match(words))


def answer_alone(text: str) -> str:
    """Return a message's plain words without what an answer is put forward with: "I think it's three and a half"."""
    return re.sub(_VENTURED, "", plain(text)).strip(" .,!?")


def is_thanks(text: str) -> bool:
    """Tell whether a message gives thanks, and says nothing else."""
    return bool(_THANKS.match(plain(text)))


def wants_instead(text: str) -> bool:
    """Tell whether a message asks for something in the place of what is under way: "I'd rather learn …", "… instead"."""
    return bool(_INSTEAD.search(plain(text)))


def wants_back(text: str, *, offered: bool = False) -> bool:
    """Tell whether a message asks to leave a detour; `offered`: the detour was only proposed, so a "no" does too."""
    words = plain(text)
    return bool(_BACK.match(words) or (offered and _DECLINES.match(words)))


def _kind(
    words: str, *, said: tuple[Said, ...], denied: str, share: float, owes: bool, concept: "Concept", replying: bool
) -> tuple[Kind, str]:
    """Return the kind and the words it rests on; a request wins over a shrug, a claim over both."""
    if not words:
        return "other", ""
    if said and said[0].in_lesson:
        return "misconception", said[0].quote
    if request := _request(words):
        return request
    if share >= COVERED and not owes:
        return "idea_said", ""
    asks = any(is_asking(sentence, replying=replying) for sentence in sentences(words))
    asks = asks and not (replying and _ventures(words, concept=concept))
    if (shrug := _DOES_NOT_KNOW.search(words)) and not (asks and course_answer(words, concept=concept)):
        return "does_not_know", shrug.group()
    if asks:
        return "question", ""
    if share > 0 or denied or _says_a_milestone(words, concept=concept, replying=replying):
        return "idea_partly", denied
    if not replying and _BARE_YES.match(words):
        return "go_on", words
    return "other", ""


def _ventures(words: str, *, concept: "Concept") -> bool:
    """Tell whether a reply with a question mark only ventures something, "the marks?", and asks nothing."""
    short = len(words.split()) <= WORDS_OF_A_VENTURE and not has_question_form(words, replying=True)
    return short and course_answer(words, concept=concept) is None


def _request(words: str) -> tuple[Kind, str] | None:
    patterns: tuple[tuple[Kind, re.Pattern[str]], ...] = (
        ("abandon", _ABANDONS),
        ("skip", _SKIPS),
        ("goodbye", _STOPS),
        ("resume", _RESUME),
        ("quiz_request", _QUIZ_REQUEST),
        ("answer_demand", _ANSWER_DEMAND),
        ("hint_request", _HINT_REQUEST),
        ("goodbye", _GOODBYE),
        ("greeting", _GREETING),
        ("go_on", _GO_ON),
    )
    for kind, pattern in patterns:
        if match := pattern.search(words):
            refused = kind == "answer_demand" and _DONT_TELL.search(words)
            return ("hint_request" if refused else kind), match.group()
    return None


def _wrong_ideas(words: str, *, course: "Course", concept: "Concept") -> tuple[tuple[Said, ...], str]:
    """Return the wrong ideas claimed, those of the lesson first, and one that was denied ("" without)."""
    claimed: list[Said] = []
    denied = ""
    for misconception in course.misconceptions.values():
        in_lesson = concept.id in misconception.concepts
        for found in find(misconception.utterances, text=words):
            if found.standing == "claimed":
                claimed.append(Said(id=misconception.id, quote=found.words, in_lesson=in_lesson))
                break
            if found.standing == "denied" and in_lesson:
                denied = denied or found.words
    return tuple(sorted(claimed, key=lambda said: not said.in_lesson)), denied


def _own_claims(words: str, *, replying: bool) -> str:
    """Return the message without its questions and shrugs: what is asked or not known is not said."""
    kept = (sentence for sentence in sentences(words) if not has_question_form(sentence, replying=replying))
    return " ".join(_DOES_NOT_KNOW.sub(" ", sentence) for sentence in kept).strip()


def _says_a_milestone(words: str, *, concept: "Concept", replying: bool) -> bool:
    own = _own_claims(words, replying=replying)
    return any(covered(milestone.ideas, text=own)[0] >= COVERED for milestone in concept.milestones)
