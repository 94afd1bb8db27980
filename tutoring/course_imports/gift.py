"""Reads GIFT files, the text format of Moodle."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from tutoring.course_imports.html_text import literal, markdown_of_html, plain_text
from tutoring.course_imports.numbers import number_between, number_with_tolerance
from tutoring.course_imports.questions import (
    MAX_PARTS,
    ImportedQuestion,
    Option,
    QuestionRefused,
    ReadFile,
    Skipped,
    check_amount,
    check_parts,
)

_ESCAPED = "~=#{}:\\"
_FIRST = 0xE000
_CODES = {sign: chr(_FIRST + number) for number, sign in enumerate(_ESCAPED)}
_FORMAT = re.compile(r"\s*\[(html|moodle|plain|markdown)\]", re.IGNORECASE)
_TITLE = re.compile(r"::(.*?)::", re.DOTALL)
_ANSWERS = re.compile(r"\{([^{}]*)\}", re.DOTALL)
_ENTRY = re.compile(r"([~=])(?:\s*%(-?\d+(?:\.\d+)?)%)?([^~=]*)", re.DOTALL)
_BOOLEAN = re.compile(r"(T|TRUE|F|FALSE)", re.IGNORECASE)
_NUMBER_ENTRY = re.compile(r"=?(?:\s*%(-?\d+(?:\.\d+)?)%)?([^=~]*)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|&#?\w+;")


def read_gift(text: str, *, name: str = "") -> ReadFile:
    """Return the questions of a GIFT file; what cannot be read is listed with its reason."""
    questions: list[ImportedQuestion] = []
    skipped: list[Skipped] = []
    topic = ""
    for line, block in _blocks(text):
        if block.startswith("$CATEGORY:"):
            topic = topic_of_path(block.removeprefix("$CATEGORY:").splitlines()[0])
            continue
        check_amount(len(questions) + len(skipped) + 1, name=name)
        place = (
            _("%(file)s, line %(line)d") % {"file": name, "line": line} if name else _("line %(line)d") % {"line": line}
        )
        try:
            questions.append(_GiftQuestion(_hidden(block), place, topic).question())
        except QuestionRefused as refused:
            skipped.append(Skipped(name=place, reason=str(refused)))
    return ReadFile(questions=tuple(questions), skipped=tuple(skipped))


def topic_of_path(path: str) -> str:
    """Return the last part of a category such as `$course$/top/Plants`; empty for the root."""
    last = path.replace("//", "\ue050").rsplit("/", 1)[-1].replace("\ue050", "/").strip()
    return "" if last in ("", "top", "$course$", "$cat1$") else last


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield each question with the number of its first line; blank lines separate questions, but not within braces."""
    gathered: list[tuple[int, str]] = []
    depth = blank = 0
    lines = re.sub(r"[\ue000-\uf8ff]", "", text).split("\n")
    for number, line in enumerate([*lines, ""], start=1):
        if line.lstrip().startswith("//"):
            continue
        bare = _hidden(line)
        starts = line.startswith(("::", "$CATEGORY:"))
        # Braces do not nest: a second one after a blank line means that the first was not closed.
        is_unclosed = depth > 0 and "{" in bare and blank > 0
        if gathered and (
            (not line.strip() and depth <= 0) or (starts and depth > 0) or is_unclosed or number > len(lines)
        ):
            kept = gathered[blank:] if is_unclosed and not starts else []
            yield _block(gathered[: len(gathered) - len(kept)])
            gathered = kept[1:]
            depth = blank = 0
        if line.strip() or gathered:
            blank = blank if line.strip() else len(gathered)
            gathered.append((number, line))
            depth += bare.count("{") - bare.count("}")
        if line.startswith("$CATEGORY:") and gathered:
            yield _block(gathered)
            gathered = []
            depth = blank = 0


def _block(lines: list[tuple[int, str]]) -> tuple[int, str]:
    return lines[0][0], "\n".join(line for _number, line in lines).strip()


def _hidden(text: str) -> str:
    """Return the text with escaped signs as private characters, so that only signs with a meaning remain."""
    text = text.replace("\\\\", _CODES["\\"]).replace("\\n", "\n")
    return re.sub(r"\\([~=#{}:])", lambda found: _CODES[found[1]], text)


def _shown(text: str) -> str:
    return "".join(
        _ESCAPED[ord(sign) - _FIRST] if _FIRST <= ord(sign) < _FIRST + len(_ESCAPED) else sign for sign in text
    )


@dataclass(slots=True)
class _GiftQuestion:
    block: str
    place: str
    topic: str
    format: str = "moodle"
    title: str = ""

    def question(self) -> ImportedQuestion:
        text = self.block
        title = _TITLE.match(text)
        if title:
            text = text[title.end() :]
            self.title = " ".join(_shown(title[1]).split())[:200]
        if text.count("{") > text.count("}"):
            raise QuestionRefused(_("Its answers begin with “{”, but no “}” ends them."))
        found = list(islice(_ANSWERS.finditer(text), 2))
        if len(found) != 1:
            raise QuestionRefused(
                _("It has no answers: it is a description.")
                if not found and "{" not in text
                else _("Its braces do not enclose exactly one list of answers.")
            )
        before, answers, after = text[: found[0].start()], found[0][1].strip(), text[found[0].end() :].strip()
        if after:
            before = (
                f"{before.rstrip()} \\_\\_\\_\\_ {after}"
                if self.is_markdown(before)
                else f"{before.rstrip()} _____ {after}"
            )
        stem = self.markdown(before, is_stem=True)
        answers, explanation = self.split_explanation(answers)
        return self.answered(stem, answers, explanation)

    def is_markdown(self, text: str) -> bool:
        given = _FORMAT.match(text)
        return given is not None and given[1].lower() == "markdown"

    def split_explanation(self, answers: str) -> tuple[str, str]:
        answers, _sign, explanation = answers.partition("####")
        return answers.strip(), self.markdown(explanation)

    def answered(self, stem: str, answers: str, explanation: str) -> ImportedQuestion:
        if not stem:
            raise QuestionRefused(_("It has no question text."))
        given: dict[str, Any] = {
            "name": self.title or self.place, "place": self.place, "stem": stem, "topic": self.topic,
            "explanation": explanation,
        }  # fmt: skip
        if not answers:
            raise QuestionRefused(_("It is an essay: no rule can grade it."))
        parts = answers.split("#")
        if _BOOLEAN.fullmatch(parts[0].strip()):
            return ImportedQuestion(kind="choice", options=self.boolean(parts), shuffle=False, **given)
        if answers.startswith("#"):
            accepted, tolerance, said = self.number(answers[1:].strip())
            given["explanation"] = "\n\n".join(filter(None, [said, explanation]))
            return ImportedQuestion(kind="numeric", accepted=(accepted,), tolerance=tolerance, **given)
        found = list(islice(_ENTRY.finditer(answers), MAX_PARTS + 1))
        check_parts(len(found))
        entries = [self.entry(each) for each in found]
        if not entries:
            raise QuestionRefused(_("Its answers cannot be read."))
        if all(sign == "=" and "->" in text for sign, _w, text, _f in entries):
            pairs = [self.pair(text) for _s, _w, text, _f in entries]
            return ImportedQuestion(
                kind="match",
                pairs=tuple(pair for pair in pairs if pair[0]),
                spare=tuple(right for left, right in pairs if not left),
                **given,
            )
        if all(sign == "=" for sign, *_rest in entries):
            return self.short_answer(entries, given)
        return self.choice(entries, given)

    def boolean(self, parts: list[str]) -> tuple[Option, ...]:
        is_true = parts[0].strip().upper().startswith("T")
        wrong, right = (self.markdown(parts[at]) if len(parts) > at else "" for at in (1, 2))
        said = {is_true: right, not is_true: wrong}
        return (
            Option(text=_("True"), is_right=is_true, feedback=said[True]),
            Option(text=_("False"), is_right=not is_true, feedback=said[False]),
        )

    def entry(self, found: re.Match[str]) -> tuple[str, float | None, str, str]:
        text, _sign, feedback = found[3].partition("#")
        return found[1], float(found[2]) if found[2] else None, text.strip(), self.markdown(feedback)

    def pair(self, text: str) -> tuple[str, str]:
        left, _arrow, right = text.partition("->")
        return self.markdown(left), self.markdown(right)

    def short_answer(
        self, entries: list[tuple[str, float | None, str, str]], given: dict[str, Any]
    ) -> ImportedQuestion:
        right = [_shown(_FORMAT.sub("", text)) for _s, weight, text, _f in entries if weight in (None, 100.0)]
        accepted = tuple(plain_text(text) if _TAG.search(text) else " ".join(text.split()) for text in right)
        if not any(accepted):
            raise QuestionRefused(_("None of its answers is fully right."))
        said = next((feedback for _s, weight, _t, feedback in entries if weight in (None, 100.0) and feedback), "")
        given["explanation"] = "\n\n".join(filter(None, [said, given["explanation"]]))
        return ImportedQuestion(kind="text", accepted=tuple(filter(None, accepted)), **given)

    def choice(self, entries: list[tuple[str, float | None, str, str]], given: dict[str, Any]) -> ImportedQuestion:
        # Beside an answer that is fully right, the others only get a part of the credit: it is a question with one answer.
        has_full = any(sign == "=" or weight == 100 for sign, weight, *_rest in entries)
        several = not has_full and any(weight is not None and 0 < weight < 100 for _sign, weight, *_rest in entries)
        options = tuple(
            Option(
                text=self.markdown(text),
                is_right=sign == "=" or (weight or 0) > (0 if several else 99.9),
                feedback=feedback,
            )
            for sign, weight, text, feedback in entries
        )
        is_single = any(sign == "=" for sign, *_rest in entries) and sum(option.is_right for option in options) == 1
        return ImportedQuestion(kind="choice" if is_single else "multi", options=options, **given)

    def number(self, answers: str) -> tuple[str, str, str]:
        """Return the number that gets all the credit, its tolerance, and what the author says about it."""
        for found in _NUMBER_ENTRY.finditer(answers):
            text, _sign, feedback = found[2].partition("#")
            if text.strip() and found[1] in (None, "100"):
                value = _shown(text).strip()
                low, dots, high = value.partition("..")
                number = number_between(low, high) if dots else number_with_tolerance(*value.split(":", 1))
                return *number, self.markdown(feedback)
        raise QuestionRefused(_("None of its answers is fully right."))

    def markdown(self, text: str, *, is_stem: bool = False) -> str:
        """Return a text of the file as Markdown; the format of the question applies to texts that name none."""
        named = _FORMAT.match(text)
        kind = named[1].lower() if named else self.format
        if is_stem:
            self.format = kind
        text = _shown(text[named.end() :] if named else text).strip()
        if kind == "markdown":
            return text
        if kind == "html" or (kind == "moodle" and _TAG.search(text)):
            return markdown_of_html(text)
        return literal("  \n".join(text.splitlines()))
