"""Finds the answer in a message to an open question about a program: the program itself, or what it prints."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from tutoring.grading.judges.code_lines import arranged_letters
from tutoring.grading.judges.programs import judge_trace
from tutoring.grading.programs.answer_text import MAX_CODE, code_in, is_fenced
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.programs.outcomes import comparable_output
from tutoring.grading.semantic_grader import grade_by_meaning
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message_analysis import AnswerGiven, ReplyVerdict
from tutoring.understanding.parsing.assertions import sentences
from tutoring.understanding.parsing.commitments import DENIES, after_correction, before_reason
from tutoring.understanding.parsing.spoken_numbers import spell_in_digits

# A list or two numbers with "then" have fewer; longer messages are sentences with more in them. Chosen by hand.
WORDS_OF_AN_OUTPUT: Final = 8
"""Words up to which a message may be a wrong output that no one has foreseen."""
_CODE: Final = re.compile(
    r"^\s*(?:def \w+\s*\(|class \w+|for \w+(?:, ?\w+)* in\b.*:|while .+:|if .+:|else:|elif .+:|return\b|import \w+|print\s*\(|\w+\s*[-+*/]?=(?!=)\s*\S)",
    re.MULTILINE,
)
"""Lines that are code even where the whole cannot be read."""
# Calls and assignments within a sentence.
_LINE: Final = re.compile(
    r"""\b\w+\((?:[^()\n]|\([^()\n]*\))*\)|\b[a-z_]\w*\s*=\s*(?:"[^"\n]*"|[\w+*/ -])+?(?=\s+(?:and|then|so)\b|[,;.?!]|$)"""
)
_AFTER_WORDS: Final = re.compile(r"[?:.!,\n]\s+((?:def|class|for|while|if|import|from)\b.*)", re.DOTALL)
# What is typed as an output: numbers, texts in quotation marks, lists. Words alone may be small talk.
_OUTPUT: Final = re.compile(
    r"""[-+\d\[({'"][^?]*|(?=.*\d)\w+(?:[ ,:]+[\w.+-]+){0,3}|True|False|None|\w+Error|(?:an )?error"""
)
_SENTENCE: Final = re.compile(
    r"\?|\b(?:i|you|what|why|how|help|hint|idk|dunno|don'?t|not|can|skip|stop|next|yes|no|ok(?:ay)?|show|the)\b", re.I
)
_PREFIX: Final = re.compile(
    r"^\s*(?:(?:no|neither|wait|ok(?:ay)?|oh|ah|um+|hm+|well|so|then|probably|perhaps|maybe|first(?! (?:one|line)\b)|i (?:would |only )?(?:mean|meant|think|guess|say|said|believe|suppose|expect|answered)(?: that)?|i'd say)\W+)*"
    r"(?:(?:(?:it |the program |python )?(?:just |only )?(?:prints?|outputs?|shows?|says?)|it'?s|it is|is it|(?:my |the )?answer(?: is)?)\s*:?\s+)?(?:both\b(?! are)\W*)?",
    re.I,
)
_SUFFIX: Final = re.compile(
    r"(?:\s+(?:(?:without|with no) (?:the )?(?:quotation )?(?:marks|quotes)|exactly(?: as (?:it is )?(?:typed|written))?|as (?:it is )?(?:typed|written)|again|then|here|as well|too|obviously|prob\w*|i (?:think|guess)|right|of course))+\W*$",
    re.I,
)
# "mood is sleepy first, so it shows sleepy", "i was wrong, and it shows 3 + 4": what stands behind is the output.
_CONCLUDES: Final = re.compile(
    r".*\band it (?:just |only )?(?:prints?|outputs?|shows?)\b |.*\b(?:so|therefore)(?: it)?(?:(?: just| only)? (?:prints?|outputs?|shows?|is)\b| is)? ",
    re.I | re.DOTALL,
)
# Between lines that are told in one: "first 10, then 21", "17 and 17".
_BETWEEN_LINES: Final = re.compile(
    r"\s+(?:and )?(?:under|below|beneath) (?:it|that)(?: it'?s)?\s+|(?:\s*[,;]\s*|\s+)(?:and then|and|then)\s+(?:it (?:prints?|shows?)\s+)?|\s*[,;]\s*|\n+|\s*\b(?:the )?(?=(?:second|2nd|third|next|last) (?:one|line)\b)",
    re.I,
)
# "first one 17", "the second line is just 8 + 9".
_OF_LINE: Final = re.compile(
    r"^(?:and )?(?:(?:under|below|beneath) (?:it|that) )?(?:the )?(?:line \d+\b\W*)?(?:(?:first|1st|second|2nd|third|next|last) (?:one|line)\b(?: (?:is|says|shows|prints))?\W*)?(?:(?:just|only) )?",
    re.I,
)
# "what is None" asks, whatever the program prints.
_ASKS: Final = re.compile(
    r"\W*(?:(?:but|and|so|wait|ok|no)\W+)*(?:what|why|how|where|when|which|who|does|do)(?:'s)?\b(?! about\b)", re.I
)
# "so it is Level 2. Why does it do the brackets first?"
_ASKED_BESIDE: Final = re.compile(
    r"(?<=[.!,])\s+(?:but |and )?(?:(?:is (?:that|this|it)|am i) (?:right|correct|ok(?:ay)?)|right|correct|(?:why|how come)\b[^.!?]*)\s*\??\s*$",
    re.I,
)
# "it shows 3 + 4, with the quotation marks around it".
_WITH_MARKS: Final = re.compile(r"\b(?:with|including|inside) (?:the |its )?(?:quotation )?(?:marks|quotes)\b", re.I)
_CONCLUSION: Final = re.compile(r"\W*(?:therefore|hence|so|thus|then)\b", re.I)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_CLAUSES: Final = re.compile(r"[,;.!]+\s+|[,;.!]+$|\b(?:but|although|though|while|whereas)\b")
_BOTH: Final = re.compile(r"both (?:are )?", re.I)
_VERDICTS: Final[dict[str, ReplyVerdict]] = {
    "correct": "right",
    "equivalent_not_in_form": "partly",
    "partial": "partly",
    "unparsable": "none",
}


def program_answer(text: str, context: Context) -> AnswerGiven | None:
    """Return the answer to the open question if that is about a program and the whole message is an answer.

    While the case of a wrong idea is open, a right answer to the card behind it counts too. A program is run first:
    within a transaction, raises InferenceNeeded.
    """
    if not context.is_replying or len(text) > MAX_CODE:
        return None
    if context.prompts[0].kind == "contrast":
        behind = next((_judged(text, each) for each in context.prompts[1:2]), None)
        return behind if behind is not None and behind.verdict == "right" else None
    return _judged(text, context.prompts[0])


def _judged(text: str, prompt: Prompt) -> AnswerGiven | None:
    value = _value(text, prompt)
    if not value or prompt.key is None:
        return None
    verdict = _VERDICTS.get(grade_by_meaning(prompt.key, value).verdict, "wrong")
    return AnswerGiven(to=prompt.id, value=value, verdict=verdict, confidence=1.0)


def _value(text: str, prompt: Prompt) -> str:
    match prompt.key:
        case CodeKey():
            code = code_in(text) if is_fenced(text) or _is_code(text) else _code_after_words(text)
            starter = prompt.instance.starter if prompt.instance is not None else ""
            return (_told_program(text, prompt.key, starter) if not _parses(code) else "") or with_starter(
                code, starter
            )
        case LinesKey() as key:
            return code_in(text) if is_fenced(text) or len(arranged_letters(key, text)) > 1 else ""
        case TraceKey() as key:
            known = prompt.instance.wrong if prompt.instance is not None else ()
            return _output(text, key, known)
        case _:
            return ""


def _parses(code: str) -> bool:
    try:
        return bool(ast.parse(code).body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _told_program(text: str, key: CodeKey, starter: str) -> str:
    """Return the program whose lines a sentence tells, if it is right: "I'd write print(7 // 2) and then print(7 % 2)"."""
    lines = [each.strip() for each in _LINE.findall(text)]
    code = with_starter("\n".join(lines), starter)
    return code if lines and grade_by_meaning(key, code).verdict == "correct" else ""


def with_starter(code: str, starter: str) -> str:
    """Return a program with the lines that its editor begins with, if these only assign values and none of them is in it."""
    try:
        given, own = ast.parse(starter).body, ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return code
    only_assigns = all(isinstance(each, ast.Assign) for each in given)
    repeats = {ast.dump(each) for each in given} & {ast.dump(each) for each in own}
    uses_one = bool(_names(given, ast.Store) & _names(own, ast.Load))
    return f"{starter.rstrip()}\n{code}" if only_assigns and uses_one and not repeats else code


def _names(body: Iterable[ast.stmt], use: type[ast.expr_context]) -> set[str]:
    """Return the names that statements assign (`ast.Store`) or read (`ast.Load`)."""
    nodes = (node for each in body for node in ast.walk(each) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, use)}


def _is_code(text: str) -> bool:
    """Tell whether a message is a program: more than names and values that are words, too."""
    code = code_in(text)
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return len(_CODE.findall(code)) >= (2 if "\n" in code else 1) and not _SENTENCE.match(code)
    return any(not isinstance(each, ast.Expr) or isinstance(each.value, ast.Call) for each in body)


def _code_after_words(text: str) -> str:
    """Return the program that follows some words: "is my code right? def f(x): return x"; empty for none."""
    found = _AFTER_WORDS.search(text)
    return found[1] if found and _is_code(found[1]) else ""


def _output(text: str, key: TraceKey, known: Iterable[str]) -> str:
    """Return what a message says is printed, if it says only that: the right or a known wrong output, or signs of one."""
    if is_fenced(text):
        return code_in(text)
    told = [each for each in sentences(text) if not _ASKS.match(each)]
    text = "" if _ASKS.match(text) else _ASKED_BESIDE.sub("", text)
    said = _SUFFIX.sub("", _PREFIX.sub("", text))
    in_sentences = (
        reading for each in reversed(told) for reading in _readings(each) if not each.rstrip().endswith("?")
    )
    readings = [each for each in dict.fromkeys((text, said, *_readings(text), *in_sentences)) if each.strip()]
    for verdict in ("correct", "equivalent_not_in_form"):
        if found := next((each for each in readings if judge_trace(key, each).verdict == verdict), ""):
            return found
    if found := next((each for each in (key.prints, *known) if _holds_output(text, each)), ""):
        return found
    known_outputs = {comparable_output(wrong) for wrong in known}
    if found := next((each for each in readings if comparable_output(code_in(each)) in known_outputs), ""):
        return found
    is_short = len(before_reason(text).split()) <= WORDS_OF_AN_OUTPUT
    if found := next(
        (each for each in readings if is_short and "\n" in each and "[" not in each and _is_output(each)), ""
    ):
        return found  # "3 then 12": two lines, even if the program prints one of them.
    outputs = {key.prints, *known, *_texts_in(key.program)}
    if _WITH_MARKS.search(text):
        outputs = {each for each in outputs if each[:1] in "\"'"}
    if "\n" not in key.prints and (found := _named_in_sentences(told, outputs)):
        return found
    if not text or not is_short:
        return ""  # Of a sentence only a right or a known output is sure.
    return next((each.strip() for each in (said, *_readings(text)) if _is_output(each)), "")


def _holds_output(text: str, prints: str) -> bool:
    """Tell whether a message ends with an output, or contains one of several words: "[1, 31, 27] is right, I am sure"."""
    plain = re.sub(r"[^\w)\]}\"']+$", "", text)
    place = plain.rfind(prints)
    before = plain[:place]
    if place < 0 or not prints.strip() or "?" in text or "\n" in prints or _WITH_MARKS.search(text):
        return False
    # Behind "3 then" the output is a second line.
    if DENIES.search(before.lower()) or re.search(r"\d\W*(?:then|and)?\W*$", before):
        return False
    begins = not re.search(r"[\w.\-\[(\"']$", before)
    ends = plain[place + len(prints) :]
    is_long = len(re.findall(r"\w+", prints)) > 1
    return begins and (not ends or (is_long and not re.match(r"[\w(\[.]", ends)))


def _readings(text: str) -> Iterator[str]:
    """Yield what a message may say is printed: before its reason, behind "so it shows", line by line."""
    told = before_reason(after_correction(text))
    concluded = _CONCLUDES.sub("", told)
    for each in dict.fromkeys((told, concluded)):
        said = _SUFFIX.sub("", _PREFIX.sub("", each)).strip(" .,!?")
        if said.startswith("both "):
            said = "\n".join([_BOTH.sub("", said)] * 2)
        if len(lines := [_SUFFIX.sub("", _OF_LINE.sub("", line)) for line in _BETWEEN_LINES.split(said) if line]) > 1:
            yield "\n".join(lines)
        yield said


def _named_in_sentences(told: Sequence[str], outputs: Collection[str]) -> str:
    """Return the output of one line that a message names: in its conclusion ("Therefore …"), else in the first sentence with one."""
    concluding = [each for each in told if _CONCLUSION.match(each)]
    numbers = {each for each in outputs if _NUMBER.fullmatch(each)}
    found = (
        _named_output(each, outputs) or _named_output(spell_in_digits(each), numbers) for each in (*concluding, *told)
    )
    return next(filter(None, found), "")


def _named_output(text: str, outputs: Collection[str]) -> str:
    """Return the output of one line that the first clause naming any of `outputs` names: "oh so y keeps 20"; else empty.

    Two joined by "and" are two lines: "hot and also warm".
    """
    for clause in _CLAUSES.split(before_reason(after_correction(text))):
        found = {
            place.start(): each
            for each in outputs
            if (place := re.search(rf"(?<![\w.]){re.escape(each)}(?![\w(]|\.\d)", clause))
            and not DENIES.search(clause[: place.start()].lower())
        }
        named = [found[place] for place in sorted(found)]
        named = [each for each in named if not any(each != other and each in other for other in named)]
        if len(named) == 2 and re.search(rf"{re.escape(named[0])} and (?:also |then )?{re.escape(named[1])}", clause):
            return "\n".join(named)
        if named:
            return named[0] if len(named) == 1 else ""
    return ""


def _texts_in(program: str) -> Iterator[str]:
    """Yield the texts of one word or more in a program, any of which a message may say is printed."""
    try:
        nodes = ast.walk(ast.parse(program))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    yield from (
        each.value
        for each in nodes
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.strip()
    )


def _is_output(said: str) -> bool:
    """Tell whether a text has nothing but signs of an output: numbers, texts in quotation marks, lists."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return all(_OUTPUT.fullmatch(line) and not _SENTENCE.search(line) for line in lines)
