"""Finds the answer in a message to an open question about a program: the program itself, or what it prints."""

import ast
import re
from collections.abc import Iterable
from typing import Final

from tutoring.grading.judges.code_lines import arranged_letters
from tutoring.grading.judges.programs import judge_trace
from tutoring.grading.programs.answer_text import MAX_CODE, code_in, is_fenced
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.programs.outcomes import comparable_output
from tutoring.grading.semantic_grader import grade_by_meaning
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message_analysis import AnswerGiven, ReplyVerdict

_CODE: Final = re.compile(
    r"^\s*(?:def \w+\s*\(|class \w+|for \w+(?:, ?\w+)* in\b.*:|while .+:|if .+:|else:|elif .+:|return\b|import \w+|print\s*\(|\w+\s*[-+*/]?=(?!=)\s*\S)",
    re.MULTILINE,
)
"""Lines that are code even where the whole cannot be read."""
_AFTER_WORDS: Final = re.compile(r"[?:.!,\n]\s+((?:def|class|for|while|if|import|from)\b.*)", re.DOTALL)
# What is typed as an output: numbers, texts in quotation marks, lists. Words alone may be small talk.
_OUTPUT: Final = re.compile(r"""[-+\d\[({'"][^?]*|(?=.*\d)\w+(?:[ ,:]+[\w.+-]+){0,3}|True|False|None|\w+Error""")
_SENTENCE: Final = re.compile(
    r"\?|\b(?:i|you|what|why|how|help|hint|idk|dunno|don'?t|can|skip|stop|next|yes|no|ok(?:ay)?|show|the)\b", re.I
)
_PREFIX: Final = re.compile(
    r"^\s*(?:(?:no|neither|wait|ok|so|then|i (?:mean|think|guess|say))\W+)*"
    r"(?:(?:(?:it |the program )?(?:just )?(?:prints|outputs|shows)|it'?s|(?:my |the )?answer(?: is)?)\s*:?\s+)?",
    re.I,
)
_SUFFIX: Final = re.compile(
    r"\s+(?:(?:without|with no) (?:the )?(?:quotation )?(?:marks|quotes)|again|obviously|i (?:think|guess)|right|of course)\W*$",
    re.I,
)
_VERDICTS: Final[dict[str, ReplyVerdict]] = {
    "correct": "right",
    "equivalent_not_in_form": "partly",
    "partial": "partly",
    "unparsable": "none",
}


def program_answer(text: str, context: Context) -> AnswerGiven | None:
    """Return the answer to the open question if that is about a program and the whole message is an answer.

    A program is run first: within a transaction, raises InferenceNeeded.
    """
    prompt = context.prompts[0] if context.prompts and context.is_replying else None
    value = _value(text, prompt) if prompt is not None and len(text) <= MAX_CODE else ""
    if not value or prompt is None or prompt.key is None:
        return None
    verdict = _VERDICTS.get(grade_by_meaning(prompt.key, value).verdict, "wrong")
    return AnswerGiven(to=prompt.id, value=value, verdict=verdict, confidence=1.0)


def _value(text: str, prompt: Prompt) -> str:
    match prompt.key:
        case CodeKey():
            return code_in(text) if is_fenced(text) or _is_code(text) else _code_after_words(text)
        case LinesKey() as key:
            return code_in(text) if is_fenced(text) or len(arranged_letters(key, text)) > 1 else ""
        case TraceKey() as key:
            known = prompt.instance.wrong if prompt.instance is not None else ()
            return _output(text, key, known)
        case _:
            return ""


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
    said = _SUFFIX.sub("", _PREFIX.sub("", text))
    if any(
        judge_trace(key, each).verdict in ("correct", "equivalent_not_in_form") for each in (text, said) if each.strip()
    ):
        return said if judge_trace(key, said).verdict != "wrong" else text
    if any(comparable_output(code_in(each)) == comparable_output(wrong) for each in (text, said) for wrong in known):
        return said
    lines = [line for line in said.strip().splitlines() if line.strip()]
    if all(_OUTPUT.fullmatch(line.strip()) and not _SENTENCE.search(line) for line in lines):
        return said.strip()
    return ""
