"""Finds the answers in a message: to the open question, and to those left unanswered. Exact first, then classifiers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tutoring.grading import (
    AnswerKey,
    ChoiceKey,
    CodeKey,
    ConstructionKey,
    LinesKey,
    MultiKey,
    SetKey,
    TraceKey,
    grade,
    numbers_in,
)
from tutoring.grading.boards import BuildBoard, ShadeBoard
from tutoring.grading.judges.sets import gives_values
from tutoring.grading.judges.texts import COVERED, idea_coverage
from tutoring.grading.language.vocabulary import FRACTION_WORDS, word_set
from tutoring.understanding.classifiers.labelled_sentences import find_labelled_question, question_key
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message import MessageText, make_message
from tutoring.understanding.message_analysis import AnswerGiven, ReplyVerdict
from tutoring.understanding.parsing import numeric_claims
from tutoring.understanding.parsing.assertions import asks_openly, plain_text, sentences
from tutoring.understanding.parsing.commitments import REASON, before_reason, content_words, without_hedge
from tutoring.understanding.parsing.spoken_numbers import (
    is_calculation,
    stated_result,
)
from tutoring.understanding.replies import known_answers, number_answers, verdicts
from tutoring.understanding.replies.named_letters import (
    INTERJECTION,
    find_begun_choice,
    find_choice_by_place,
    find_contained_choice,
    find_contained_choices,
    find_listed_choice,
    find_named_letter,
    find_named_letters,
    find_person,
    find_placed_letters,
    find_short_choice,
    find_told_choice,
    names_places,
    spell_ordinals,
)
from tutoring.understanding.replies.nearest_choices import alike_in_polarity
from tutoring.understanding.replies.told_constructions import told_cuts, told_point

# "its big" is too short to grade as a text; "because its equal" is not. Chosen by hand.
WORDS_OF_A_TEXT: Final = 3
"""Words from which a message may answer a question that asks for words."""
# A choice's own text is at most about this long; longer messages are sentences with more in them. Chosen by hand.
WORDS_OF_AN_ANSWER: Final = 12
"""Words up to which a message is tried as an answer: "seven", "three and a half", a choice's own text."""
WORDS_OF_AN_OPTION: Final = 2
"""Words from which an offered answer does not stand in a sentence by chance."""
WORDS_OF_A_TRY: Final = 4
"""Words up to which a question may be a try at an answer."""
TOO_MANY: Final = 10
"""How many times as many pieces as fit into a frame count as a try."""
READ_REASONS: Final = frozenset({"too_many", "outside", "between_marks", "twice"})
"""Reasons for which an answer that was read is not graded: "5 each" of too few things."""
# A late answer is a surprise, so a guess is not enough: "my brother always takes the big one" was once welcomed as a
# right answer to an earlier question (2026-11-24). The value is chosen by hand.
SURE_OF_LATE: Final = 0.75
# Whatever stands between words, but never the sign of a number.
_BETWEEN = r"(?:[^\w+−–-]|[+−–-](?!\s?[\d.½¼¾⅓⅔⅛]))"
# "i think its 5 but not sure", "not sure, maybe b".
_UNSURE = r"(?:but )?(?:i'?m |i am )?not (?:really |so |too |quite )?sure(?: but)?"
# Hedges and sighs: "um i think its 3/4", "ugh c".
_VENTURED = (
    rf"^{_BETWEEN}*(?:(?:{_UNSURE}|(?:is it|it'?s|it is)(?: on| at)?|its|is|maybe|i think|i guess|i suppose|i believe|(?:my|the )?answer(?: it)? is|i say|i'?d say|i (?:already |just )?said|i (?:choose|pick|take|mean|meant)"
    r"|(?:no )?wait(?: no)?|all|just|only|exactly|about|(?:(?:i'?m |i am )?(?:gonna|going to) |i'?ll )(?:say|pick|choose|take|go with)|(?:must|has to|gotta) be|prolly"
    rf"|{INTERJECTION}|argh|well|fine|all ?right|so|then|like|obviously|probably|duh){_BETWEEN}+)*"
)
_ADDED = rf"(?:\W+(?:{_UNSURE}|i (?:guess|think|suppose)|(?:is (?:that|this|it)|am i) (?:right|correct|ok(?:ay)?)|(?:maybe|prob(?:ab)?ly|im) wrong|maybe|prob(?:ab)?ly|obviously|right|ok(?:ay)?|then|please|pls|lol|duh|happy now|final answer|(?:and )?(?:next(?: one)?|move on)))*\W*$"
# "c e and f but not d".
_WITHOUT = re.compile(r"\W+(?:but )?not (?:the )?[a-h]\b.*$")
# Nothing but a value or letters: "3/4", "(b)", "a and c", "b i guess".
_BARE = re.compile(
    rf"{_VENTURED}([-+−–]?\s?[\d½¼¾⅓⅔⅛][\d./, ½¼¾⅓⅔⅛%]*"
    rf"|\(?[a-h]\)?(?:\W+(?:and\W+)?\(?[a-h]\)?){{0,7}}){_ADDED}"
)
# The value first, then something else: "3/4? can we stop now", "5 but why".
_FIRST = re.compile(
    rf"{_VENTURED}([-−–]?\s?\d+(?:\s*/\s*\d+|[.,]\d+)?)(?![.,]?\d)\s*(?:[?!.,;]|(?=\b(?:can|could|may|also|and|but|is|what|why|i)\b))",
    re.IGNORECASE,
)
# "just one, because they are all the same", "8 again, he is good at it": up to two words say of what.
_FIRST_IN_WORDS = re.compile(
    rf"{_VENTURED}(\d+(?:/\d+)?)(?P<of>(?:\s+[a-z]+){{0,2}}?)(?:\s*[.,;!?](?!\s*\d)|\s+{REASON.pattern})"
)
_OF_VALUE = word_set("again too still more left of them each in total all altogether people things")
# "is it 12? cuz 4 and 4 and 4": the numbers of the reason are not meant.
_REASON_BEHIND = re.compile(rf"\s*(?:{REASON.pattern})")
# "y = 2x - 1", "(2, 3)": no words besides.
_ALGEBRA = re.compile(r"(?=.*\d)[\dxyXY\s=+*/().,;−–-]{1,200}")
# "so its 16 mushrooms and 4 people, that would be 4 each i think?".
_EACH = re.compile(r"\b\d+ each\b")
_AND = re.compile(r"\band\b")
# "25/5 = 5": its value counts.
_WORKED_OUT = re.compile(r"[\d.]+(?:\s*[-+*×÷/]\s*[\d.]+)+\s*=\s*(?=-?\d)")
_LETTERS = re.compile(r"[a-z]+")
_WORD = re.compile(r"[^\W\d_]{3}")
_OPERATIONS = frozenset({"plus", "minus", "times", "divided", "over", "by", "squared", "dollars", "so", "its", "is"})
"""Words that may stand in an expression: "so its 17 plus 7 times m dollars"."""
_SIGNS_IN_WORDS: Final = {"equals": "=", "plus": "+", "minus": "-", "times": "*", "squared": "^2"}
# Numbers, signs and lone letters in a row; "a" and "i" are words.
_TERMS = re.compile(r"(?:(?:\d+(?:\.\d+)?|[-+*/=^()²³]|(?<![a-z'’])(?![ai]\b)[a-z](?![a-z'’]))\s*)+")
_STEP = re.compile(r"\s*(?:[,;]|\b(?:and then|then|so|and)\b)\s*", re.IGNORECASE)
_NOT_UNDERSTOOD = re.compile(r"\bi (?:still |really |just )*(?:don'?t|do not|cannot|can'?t) (?:get|understand)\b")
# Around an offered answer: "it shows hello i think", "then it would be both".
_OFFERED_BEGINS = re.compile(
    r"^\W*(?:(?:it|they|he|she|the program)\W+)?(?:(?:shows?|prints?|says?|is|are|would be|must be)\W+)?"
)
_OFFERED_ENDS = re.compile(r"\W+(?:i (?:think|guess|would say|bet)|right|maybe|probably|of course|obviously)\W*$")
# "None, because no food has any effect": zero.
_FIRST_NONE = re.compile(r"\W*(?:none|nothing|nobody|zero)(?: of them| left)?\s*[,.;!]")
_OBJECTS = re.compile(r"\b(?:you|u) (?:said|told me|wrote)\b")
# "I want to know why 2/4 and 1/2 are the same thing" answers nothing.
_WANTS_TO_KNOW = re.compile(r"\b(?:want|like|need) to (?:know|understand|learn)\b|\b(?:tell|explain|show) me\b")
# "why is it wrong", "but how come".
_WHY = re.compile(r"(?:(?:but|and|so|ok(?:ay)?|wait|um+)\W+)*(?:why|how come)\b")
IN_SENTENCES: Final = frozenset({"numeric", "set"})
"""Forms whose value is looked for in a sentence that was typed into the field."""
_ARRANGED: Final = ("order", "match")
"""Forms whose answers name every piece, which nothing else does."""
_OF_GRADE: Final[dict[str, ReplyVerdict]] = {
    "correct": "right",
    "equivalent_not_in_form": "partly",
    "unparsable": "none",
}


def bare_answer(message: MessageText) -> str:
    """Return the value of a message that is nothing but an answer ("I think it's 3/4"), or its choice; else empty."""
    prompt = message.context.prompts[0] if message.context.prompts else None
    choices: dict[str, str] = {}
    if prompt is not None and prompt.instance is not None and isinstance(prompt.key, ChoiceKey):
        choices = {choice.letter: choice.text for choice in prompt.instance.choices}
    # "the 2nd and the third" may be places of what is asked about, and not of the choices.
    has_places = any(map(names_places, choices.values()))
    ordinals = spell_ordinals(message.tidied) if has_places else ""
    if told := find_contained_choice(ordinals, choices, fewest=WORDS_OF_AN_OPTION) if has_places else "":
        return told
    if place := "" if has_places else find_choice_by_place(message.typed, [*choices]):
        return place
    if told := find_told_choice(message.typed, choices) or find_listed_choice(message.typed, choices):
        return told
    if found := _BARE.match(message.words):
        told = found.group(1).strip()
        is_more = (
            prompt is not None
            and isinstance(prompt.key, MultiKey)
            and len(told) == 1
            and told not in prompt.given.lower()
        )
        return f"{prompt.given} {told}" if prompt is not None and is_more and prompt.given else told
    if prompt is not None and isinstance(prompt.key, MultiKey):
        # "n is not 31, so D too. C and D", "c e and f but not d": before a reason, or in a sentence of their own at the end.
        first = before_reason(message.words)
        parts = (first, _WITHOUT.sub("", first), *reversed(sentences(message.words)))
        told = next((found[1].strip() for each in parts if (found := _BARE.match(each))), "")
        letters = [choice.letter for choice in prompt.instance.choices] if prompt.instance is not None else []
        texts = {each.letter: each.text for each in prompt.instance.choices} if prompt.instance is not None else {}
        named = find_named_letters(message.typed, letters) or find_placed_letters(message.words, letters)
        return told or named or find_contained_choices(message.typed, texts)
    return (
        find_named_letter(message.typed, choices)
        or find_begun_choice(message.typed, choices)
        or find_contained_choice(message.tidied, choices)
        or find_short_choice(message.typed, choices)
        or find_person(message.typed, choices)
    )


def value_of_sentence(text: str, prompt: Prompt) -> str:
    """Return the value of an answer that was typed into a card's field as a sentence: "28 days, so four weeks"; else the text."""
    if prompt.key is None or not _WORD.search(text):
        return text
    if grade(prompt.key, text).verdict != "unparsable":
        return text
    found = answers_in(make_message(text, Context(prompts=(prompt,))), may_answer=True, is_reply=True)
    return next((each.value for each in found if each.verdict != "none"), text)


def answers_in(message: MessageText, *, may_answer: bool, is_reply: bool) -> tuple[AnswerGiven, ...]:
    """Return the message's answers, to the open prompt first. For earlier prompts only a right answer counts.

    `may_answer`: one of its intents may answer; a right answer is found regardless. `is_reply`: the likeliest one does;
    otherwise the message is never a wrong answer.
    """
    found = _answer(message, may_answer=may_answer, is_reply=is_reply) if message.context.is_replying else None
    if found is not None and found.verdict in ("right", "partly"):
        return (found,)
    # Words are about the open card: "3 because 3/4 means 3" was once praised as the answer to an earlier question.
    may_be_late = (bare_answer(message) and not _fits_board(message, found)) or (
        is_reply
        and len(message.typed.split()) >= WORDS_OF_A_TEXT
        and not message.context.has_open_card
        and not _WANTS_TO_KNOW.search(message.words)
    )
    late = tuple(_late_answers(message)) if may_be_late else ()
    if not late and (found is None or found.verdict == "none") and (behind := _answer_behind(message)):
        return (behind,)
    return late[:1] or ((found,) if found is not None else ())


def _fits_board(message: MessageText, found: AnswerGiven | None) -> bool:
    """Tell whether a value is an answer that the open board can show: then it answers no earlier question."""
    prompt = message.context.prompts[0] if message.context.prompts else None
    return (
        prompt is not None
        and isinstance(prompt.key, ConstructionKey)
        and found is not None
        and found.verdict == "wrong"
    )


def _answer_behind(message: MessageText) -> AnswerGiven | None:
    """Return the answer to the card behind an open prompt of words, such as a case that tests an idea; else None.

    A wrong one counts only if the message is nothing else.
    """
    card = next((each for each in message.context.prompts[1:2] if each.key is not None), None)
    found = _answer(message.replying_to(card), may_answer=True, is_reply=True) if card is not None else None
    return found if found is not None and (found.verdict in ("right", "partly") or bare_answer(message)) else None


def _late_answers(message: MessageText) -> Iterator[AnswerGiven]:
    """Yield right answers to earlier prompts, the latest first; none if the message shows a misconception."""
    context = message.context
    left = context.prompts[1:] if context.waits else context.prompts
    if not left or message.misconceptions:
        return
    for prompt in left:
        found = _answer(message.replying_to(prompt), may_answer=True, is_reply=False)
        if found is not None and found.verdict == "right" and found.confidence >= SURE_OF_LATE:
            yield found


def _answer(message: MessageText, *, may_answer: bool, is_reply: bool) -> AnswerGiven | None:
    """Return the message's answer to the open prompt, or None."""
    prompt = message.context.prompts[0]
    if isinstance(prompt.key, TraceKey | CodeKey | LinesKey):
        return None  # Read as a whole, by `program_answers`.
    if prompt.key is not None:
        return _answer_to_card(message, prompt, may_answer=may_answer, is_reply=is_reply)
    for option, is_right in prompt.options.items():
        if _says_option(message, option) or option == _contained_option(message, prompt):
            return AnswerGiven(to=prompt.id, value=option, verdict="right" if is_right else "wrong", confidence=1.0)
    known = known_answers.compare_reply(message, prompt.text, prompt.known) if prompt.known else None
    if known is not None and (is_reply or known.verdict == "right"):
        given = AnswerGiven(to=prompt.id, value=known.value, verdict=known.verdict, confidence=1.0)
        return _with_its_reason(given, message)
    if not may_answer or prompt.kind in ("offer", "summary") or _only_asks_why(message):
        return None
    return _answer_in_words(message, prompt, is_reply=is_reply)


def _answer_to_card(message: MessageText, prompt: Prompt, *, may_answer: bool, is_reply: bool) -> AnswerGiven | None:
    """Return the answer to a question with a key. A right one counts wherever it stands, a wrong one only if it is surely meant."""
    value = _value(message, prompt, may_answer=may_answer)
    if not value or prompt.key is None or (prompt.form in _ARRANGED and asks_openly(message.words)):
        return None
    verdict = _OF_GRADE.get(grade(prompt.key, value).verdict, "wrong")
    surely = _is_surely_meant(message, prompt, value, verdict=verdict, is_reply=is_reply)
    if verdict == "wrong" and _may_mean_something_else(message, prompt, value):
        return None
    if not surely and (verdict in ("wrong", "none") or isinstance(prompt.key, ChoiceKey)):
        return None  # "i have to eat in 5 minutes" says a number, and answers nothing.
    if verdict == "none" and number_answers.asked_number(prompt.key) and not bare_answer(message):
        return None  # "one is bigger so no": no piece of the board.
    return AnswerGiven(to=prompt.id, value=value, verdict=verdict, confidence=1.0)


def _is_surely_meant(
    message: MessageText, prompt: Prompt, value: str, *, verdict: ReplyVerdict, is_reply: bool
) -> bool:
    """Tell whether a message gives this value as its answer: it is nothing else, or its form or place says so."""
    # "so you could have three equal parts?" asks; "is it 3?" tries.
    wonders = message.typed.rstrip().endswith("?") and len(message.typed.split()) > WORDS_OF_A_TRY
    return bool(
        (is_reply and not wonders)
        or bare_answer(message)
        or _first_value(message)
        or _is_written_out(message, prompt)
        or _named_values(message, prompt)
        or _listed_values(message, prompt)
        or (prompt.form in _ARRANGED and verdict != "none")  # Every piece has its place.
        or _FIRST_NONE.match(message.words)
        or (number_answers.asked_number(prompt.key) and stated_result(message.figures) == value)
        or number_answers.claimed_result(message, prompt.key)
        or value in (
            number_answers.assigned_value(message, prompt),
            number_answers.asked_result(message, prompt),
            number_answers.ending_number(message, prompt),
            _only_of_polarity(message, prompt),
        )
        or (prompt.form == "point" and told_point(message.figures) == value)
    )  # fmt: skip


def _may_mean_something_else(message: MessageText, prompt: Prompt, value: str) -> bool:
    """Tell whether a wrong value in a message may be no answer: a result on the way, a statement, or about what was said."""
    bare = bare_answer(message)
    if isinstance(prompt.key, ChoiceKey) and not bare and not message.claimed:
        return True  # "my dad says you need one cut less than parts, is that true" only sounds like a choice.
    if not bare and number_answers.claimed_step(message) is not None:
        return True
    if _OBJECTS.search(message.words) and not (bare or _FIRST_NONE.match(message.words)):
        return True  # "5 more?? you said 2" is about what was said.
    is_certain = (
        bare
        or _first_value(message)
        or stated_result(message.figures)
        or number_answers.assigned_value(message, prompt)
        or _FIRST_NONE.match(message.words)
    )
    if number_answers.asked_number(prompt.key) and not is_certain:
        # "averages are rubbish, our average patient has one ovary": a word for a number within a sentence about something.
        long_before = len(before_reason(message.words).split()) >= WORDS_OF_AN_ANSWER
        # Of several numbers that are no known mistake, nobody can tell which one is meant; the learner is asked.
        several = len(number_answers.fresh_numbers(message, prompt)) > 1
        is_known = number_answers.is_known_mistake(prompt, value)
        if (long_before and not re.search(r"\d", message.typed)) or (several and not is_known):
            return True
    is_told = bare or _is_working(message, prompt) or number_answers.concludes(message, value)
    # A statement with a number in it: "so 1/4 is bigger than 1/8", "19 + 80 = 99".
    return bool(message.claims) and (not is_told or is_calculation(message.figures))


def _answer_in_words(message: MessageText, prompt: Prompt, *, is_reply: bool) -> AnswerGiven | None:
    """Return the classifiers' verdict on a reply in words, corrected by its numeric claims."""
    right, claims = numeric_claims.is_right_choice(message.typed, prompt.text), message.claims
    if right is False or any(not each.holds for each in claims):
        return AnswerGiven(to=prompt.id, value=message.typed.strip(), verdict="wrong", confidence=1.0)
    # "i think its 5 but not sure" says as much as "5".
    bare = bare_answer(message)
    found = verdicts.judge_open_reply(make_message(bare, message.context) if bare else message)
    if found is None or (found.verdict in ("partly", "wrong") and not is_reply):
        return None
    if _NOT_UNDERSTOOD.search(message.words):
        return replace(found, verdict="none", confidence=0.0)  # "i dont get it, return must show it": an objection.
    if right and found.verdict in ("wrong", "none"):
        # The choice is right by arithmetic, whatever the classifier makes of the reason.
        return replace(found, verdict="partly", confidence=1.0)
    if claims and found.verdict == "none" and _covers(message):
        return replace(found, verdict="right", confidence=1.0)
    if found.verdict == "wrong" and claims:
        # Its numeric claim is true, so it is no wrong answer, though perhaps no answer to this question.
        return replace(found, verdict="none", confidence=0.0)
    return found


def _says_option(message: MessageText, option: str) -> bool:
    """Tell whether a message is nothing but a short answer that is offered: "it shows hello i think"."""
    if plain_text(message.typed).strip(" .!?") == plain_text(option).strip(" .!?"):
        return True
    said = _OFFERED_ENDS.sub("", _OFFERED_BEGINS.sub("", without_hedge(before_reason(message.words))))
    return said.strip(" .!?,") == plain_text(option).strip(" .!?") and "?" not in message.typed


def _contained_option(message: MessageText, prompt: Prompt) -> str:
    """Return the only offered answer that a message has before its reason: "I suppose it shows Hi Bo, because …"; else empty."""
    letters = {str(at): option for at, option in enumerate(prompt.options)}
    asks = asks_openly(message.words)
    found = "" if asks else find_contained_choice(before_reason(message.words), letters, fewest=WORDS_OF_AN_OPTION)
    return letters[found] if found else ""


def _only_asks_why(message: MessageText) -> bool:
    """Tell whether a message is nothing but the question why: its words may be those of an answer, and are none."""
    return all(_WHY.match(each) for each in sentences(message.words))


def _covers(message: MessageText) -> bool:
    """Tell whether the course's patterns find all ideas that the prompt asks for."""
    context, prompt = message.context, message.context.prompts[0]
    asked = (
        find_labelled_question(context.course, question_key(prompt.kind, prompt.id))
        if context.course is not None
        else None
    )
    return asked is not None and bool(asked.ideas) and idea_coverage(asked.ideas, message.words).share >= COVERED


def _value(message: MessageText, prompt: Prompt, *, may_answer: bool) -> str:
    """Return the gradable answer to a question with a key; empty for none."""
    if (counted := _counted(message, prompt)) is not None:
        return counted
    if bare := bare_answer(message):
        return bare
    if prompt.instance is None or prompt.key is None:
        return ""
    if ending := number_answers.ending_number(message, prompt):
        return ending
    if number_answers.asked_number(prompt.key) and (first := _first_value(message)) is not None:
        if _REASON_BEHIND.match(first.string[first.end(1) :].lstrip(" ,;.?!")):
            return first[1].strip()
        # "3/4? can we stop now": an answer and a wish. "8 and a sixth", "8.. no wait, 4": what it commits to is another.
        return number_answers.compared_value(message, prompt) or first[1].strip()
    if (
        result := number_answers.assigned_value(message, prompt)
        or number_answers.claimed_result(message, prompt.key)
        or number_answers.asked_result(message, prompt)
    ):
        return result
    if named := _named_values(message, prompt) or _listed_values(message, prompt):
        return named
    if _is_written_out(message, prompt):
        if prompt.form == "expression" and not _is_expression(message.typed):
            return _written_expression(message)
        return message.typed if prompt.form != "numeric" else number_answers.compared_value(message, prompt)
    if not may_answer and prompt.form not in _ARRANGED and not stated_result(message.figures):
        return ""
    if number_answers.asked_number(prompt.key):
        return number_answers.compared_value(message, prompt)
    if prompt.form == "steps" and _in_prose(message):
        return _told_steps(message, prompt.key)
    if isinstance(prompt.key, ConstructionKey) and (told := told_cuts(message.figures, prompt.key.board)):
        return told
    if prompt.form == "point" and (told := told_point(message.figures)):
        return told
    words = len(message.typed.split())
    if prompt.form == "text":
        return message.typed if words >= WORDS_OF_A_TEXT else ""
    if prompt.form == "share":
        parts = (before_reason(message.words), *reversed(sentences(message.words)), *_EACH.findall(message.figures))
        if read := next((each for each in parts if grade(prompt.key, each).verdict != "unparsable"), ""):
            return read
    if words <= WORDS_OF_AN_ANSWER or prompt.form in ("share", *_ARRANGED):
        judgement = grade(prompt.key, message.typed)
        is_read = judgement.reason in READ_REASONS and words <= WORDS_OF_A_TRY
        if judgement.verdict != "unparsable" or is_read:
            return message.typed
    if alike := _only_of_polarity(message, prompt):
        return alike
    offered = " ".join(f"({choice.letter}) {choice.text}" for choice in prompt.instance.choices)
    is_told = all(choice.text for choice in prompt.instance.choices) and len(offered) <= known_answers.LONGEST
    if isinstance(prompt.key, ChoiceKey) and is_told and not names_places(offered):
        found = known_answers.compare_reply(message, offered, prompt.key.right)
        return found.value if found is not None else ""
    return ""


def _only_of_polarity(message: MessageText, prompt: Prompt) -> str:
    """Return the letter of the only choice with the yes or no that a message begins with; empty for several or none."""
    if prompt.instance is None or not isinstance(prompt.key, ChoiceKey) or "?" in message.typed:
        return ""
    alike = alike_in_polarity(message.tidied, [each.text for each in prompt.instance.choices])
    if len(alike) > 1:
        # "no thats mean, sam has the bigger piece": the only one of several that Sam is in.
        said, own = content_words(message.tidied), [content_words(each.lower()) for each in alike]
        shared = [len(said & each.difference(*(other for other in own if other is not each))) for each in own]
        alike = tuple(text for text, count in zip(alike, shared, strict=True) if count)
    return next((each.letter for each in prompt.instance.choices if alike == (each.text,)), "")


def _first_value(message: MessageText) -> re.Match[str] | None:
    """Return the value that a message begins with, before anything else that it says; None for none."""
    prompt = message.context.prompts[0]
    if (first := _FIRST.match(message.typed)) is None:
        first = _FIRST_IN_WORDS.match(message.figures)
        asked = {*_LETTERS.findall(prompt.text.lower())}
        if first is None or not {*first["of"].split()} <= asked | _OF_VALUE:
            return None
    # "40 or older, so the third bar, 3?": a number of the question leads up to another one.
    fresh = number_answers.fresh_numbers(message, prompt)
    leads_on = fresh and first[1].strip() not in fresh and not _REASON_BEHIND.match(first.string[first.end(1) :])
    return None if leads_on else first


def _is_written_out(message: MessageText, prompt: Prompt) -> bool:
    """Tell whether a message is nothing but an answer of several parts: a working, or numbers and signs."""
    if prompt.form == "expression":
        return _is_expression(message.typed) or bool(_written_expression(message))
    if prompt.form == "numeric" and is_calculation(message.figures):
        return True
    return _is_working(message, prompt) or (
        prompt.form in ("point", "line", "balance", "order", "set")
        and _ALGEBRA.fullmatch(_AND.sub(",", message.typed)) is not None
    )


def _named_values(message: MessageText, prompt: Prompt) -> str:
    """Return the values that a message gives for the names of a question: "mean 11, median 7"; empty for none.

    Without the calculation before a value and the reason behind each: "mean is 25/5 = 5, median 3 cause it's in the middle".
    """
    if not isinstance(prompt.key, SetKey) or not prompt.key.names or "?" in message.typed:
        return ""
    beginning = re.compile(
        rf"(?<=[,.;])\s*(?=(?:and |but )?(?:the )?(?:{'|'.join(map(re.escape, prompt.key.names))})\b)"
    )
    told = ", ".join(before_reason(_WORKED_OUT.sub("", each)).strip(" ,.") for each in beginning.split(message.words))
    is_short = len(told.split()) <= WORDS_OF_AN_ANSWER
    return told if is_short and gives_values(prompt.key, told) else ""


def _listed_values(message: MessageText, prompt: Prompt) -> str:
    """Return the values that a message lists before a reason or in a sentence: "it's my answer. 4/10, 6/15, 10/25"; else empty."""
    if not isinstance(prompt.key, SetKey) or prompt.key.names or "?" in message.typed:
        return ""
    parts = (before_reason(message.words), *reversed(sentences(message.words)))
    listed = (_AND.sub(",", without_hedge(each)).strip(" ,.!") for each in parts)
    return next((each for each in listed if len(numbers_in(each)) > 1 and _ALGEBRA.fullmatch(each)), "")


def _is_expression(text: str) -> bool:
    """Tell whether a text is nothing but an expression with a letter: "7 + 4m", "17 plus 7 times m"."""
    words = _LETTERS.findall(text.casefold())
    has_letter = any(len(each) == 1 for each in words)
    return has_letter and "?" not in text and all(len(each) == 1 or each in _OPERATIONS for each in words)


def _written_expression(message: MessageText) -> str:
    """Return the only expression with a letter that a message states: "ok the equation is 62 - 7r = 6"; empty otherwise."""
    if "?" in message.typed:
        return ""
    said = message.words
    for word, sign in _SIGNS_IN_WORDS.items():
        said = re.sub(rf"\b{word}\b", sign, said)
    found = [each.strip() for each in _TERMS.findall(said)]
    found = [
        each for each in found if re.search("[a-z]", each) and re.search(r"\d", each) and re.search("[-+*/=]", each)
    ]
    return found[0] if len(found) == 1 else ""


def _in_prose(message: MessageText) -> bool:
    """Tell whether a message of one line has words besides those of a calculation."""
    return "\n" not in message.typed.strip() and not _OPERATIONS.issuperset(_LETTERS.findall(message.words))


def _told_steps(message: MessageText, key: AnswerKey) -> str:
    """Return the steps that a sentence tells, a line each: "6x = 60, then x = 10"; empty if they are not right.

    "first its -8, then +6 is -2" is right, and no working: nothing is wrong.
    """
    told = (message.typed, "\n".join(_STEP.split(message.typed.strip())))
    return next((each for each in told if grade(key, each).verdict in ("correct", "equivalent_not_in_form")), "")


def _is_working(message: MessageText, prompt: Prompt) -> bool:
    """Tell whether a message is a working of several lines, to a question that asks for one."""
    lines = message.typed.strip().splitlines()
    return prompt.form == "steps" and len(lines) > 1 and all(re.search(r"\d", each) for each in lines)


def _counted(message: MessageText, prompt: Prompt) -> str | None:
    """Return the parts shaded or pieces laid that a number says: "2" and "2 of them cuz …" are how many, 1/2 is a share.

    Empty where no number is meant, None where it is not known of what there are so many.
    """
    board = prompt.key.board if isinstance(prompt.key, ConstructionKey) else None
    if not isinstance(board, ShadeBoard | BuildBoard):
        return None
    numbers = numbers_in(message.typed)
    if len(numbers) > 1 and bare_answer(message):
        return None  # "1, 4, 5" says which.
    number = known_answers.committed_count(message.figures)
    if number is None:
        is_uniform = isinstance(board, ShadeBoard) or len(board.pieces) == 1
        return "" if is_uniform and len(numbers) == 1 else None
    part = Fraction(1, board.count) if isinstance(board, ShadeBoard) else _piece_meant(board, number, prompt.text)
    if part is None:
        return None
    count = number if number.denominator == 1 else number / part
    # More pieces than fit are refused with that reason.
    most = board.count if isinstance(board, ShadeBoard) else TOO_MANY * board.length / part
    if count.denominator != 1 or not 1 <= count <= most:
        return ""
    if isinstance(board, ShadeBoard):
        return ",".join(map(str, range(1, int(count) + 1)))
    return " ".join([str(part)] * int(count))


def _piece_meant(board: BuildBoard, number: Fraction, asked: str) -> Fraction | None:
    """Return the only piece, or the one that a reply ("2 fifths") or the question ("How many more fifths") names."""
    if len(board.pieces) == 1:
        return board.pieces[0]
    named = {
        Fraction(1, FRACTION_WORDS[word]) for word in re.findall(r"[a-z]+", asked.lower()) if word in FRACTION_WORDS
    }
    meant = {Fraction(1, number.denominator)} if number.denominator > 1 else named
    found = meant & set(board.pieces)
    return found.pop() if len(found) == 1 else None


def _with_its_reason(known: AnswerGiven, message: MessageText) -> AnswerGiven:
    """Return a verdict on a value, adjusted by the rest of the reply: a right value may lack the reason asked for."""
    if known.verdict != "right":
        return known
    if message.misconceptions:
        return replace(known, verdict="none", confidence=0.0)  # Right by a misconception, which is discussed first.
    # "10% is 20" is true of 200, so only comparisons are checked; an equation may leave out what it is of.
    if any(not each.holds for each in message.claims if "=" not in each.statement):
        return replace(known, verdict="partly")
    reason = verdicts.judge_open_reply(message)
    return replace(known, verdict="partly") if reason is not None and reason.verdict == "partly" else known
