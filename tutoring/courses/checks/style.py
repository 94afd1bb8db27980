"""Style checks of a course: short pieces, one question each, plain words, no exclamation marks."""

import re
from collections.abc import Iterator

from tutoring.courses.catalogue import Blocks, ConceptContent, CourseContent, LessonPiece, Template
from tutoring.courses.files.faults import Fault
from tutoring.courses.files.source_locations import Key, SourceLocations
from tutoring.courses.pictures import Picture
from tutoring.grading.keys import Idea

# The voice: at most 60 words before it is the learner's turn.
MAX_WORDS = 60
MAX_QUOTED_WORDS = 200
"""The same for courses that quote a text."""
# Lessons aim at readers of nine (grade 4), but terms such as "denominator" raise the formula. Chosen by hand.
MAX_GRADE = 8.0
"""The highest US school grade of a lesson's text, by Flesch and Kincaid (1975)."""

_EXPRESSION = re.compile(r"\{[^{}]*\}")
# Code has signs such as != and ==.
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
# "B, because it is right twice": who types "B" means the network or the choice.
_LETTER = re.compile(r"[A-H](?=[,.:]|$)")
_CLOSING = "\"'”’)*_ \n"


def check_wording(course: CourseContent, places: SourceLocations) -> Iterator[Fault]:
    """Yield the faults of the texts. In a small course, only lengths and questions count."""
    small = course.small
    for concept in course.concepts:
        if course.quotes:
            yield from _check_quotes(concept, places)
            continue
        yield from _check_lessons(concept, places, is_small=small)
        templates = () if course.question_bank else concept.templates
        for template in () if small else (*templates, *concept.steps):
            yield from _check_template(template, places)
        for index, answer in enumerate(concept.answers):
            key: Key = ("answer", concept.id, str(index))
            yield from _check_said(answer.says, key=key, places=places, is_small=small)
    for misconception in course.misconceptions.values():
        key = ("misconception", misconception.id)
        contrast = misconception.contrast
        replies = (contrast.ideas, contrast.heard, contrast.not_yet)
        yield from _check_blocks(contrast.blocks, key=key, places=places, is_small=small)
        yield from _check_replies(*replies, key=key, places=places, is_small=small)
        yield from _check_said(misconception.noticed, key=key, places=places, is_small=small)


def _check_lessons(concept: ConceptContent, places: SourceLocations, *, is_small: bool) -> Iterator[Fault]:
    for piece in concept.every_piece:
        key: Key = ("piece", concept.id, piece.id)
        yield from _check_piece(piece, key=key, places=places, is_small=is_small)
        replies = (piece.ideas, piece.heard, piece.not_yet)
        yield from _check_replies(*replies, key=key, places=places, is_small=is_small)
    for level, pieces in () if is_small else concept.pieces.items():
        text = "\n\n".join(block for piece in pieces for block in piece.blocks if isinstance(block, str))
        if (grade := reading_grade(text)) > MAX_GRADE:
            key = ("piece", concept.id, pieces[0].id)
            reason = f"explain.{level} reads like school grade {grade:.1f}, above the limit of {MAX_GRADE:g}: use shorter sentences"
            yield places.fault(key, reason)


def _check_quotes(concept: ConceptContent, places: SourceLocations) -> Iterator[Fault]:
    """Yield the pieces that are too long: what is quoted is not reworded, so that nothing else can be asked of it."""
    for piece in concept.every_piece:
        texts = [block for block in piece.blocks if isinstance(block, str)]
        count = word_count("\n\n".join([*texts, piece.step.stem if piece.step else ""]))
        if count > MAX_QUOTED_WORDS:
            reason = f"{piece.id}: {count} words; at most {MAX_QUOTED_WORDS} are allowed before the learner's turn"
            yield places.fault(("piece", concept.id, piece.id), reason)


def _check_piece(piece: LessonPiece, *, key: Key, places: SourceLocations, is_small: bool) -> Iterator[Fault]:
    """Yield the faults of a piece; one with a step leaves the question to it, and both are read before a reply."""
    if piece.step is None:
        yield from _check_blocks(piece.blocks, key=key, places=places, is_small=is_small)
        return
    texts = [block for block in piece.blocks if isinstance(block, str)]
    yield from _check_said("\n\n".join([*texts, piece.step.stem]), key=key, places=places, is_small=is_small)
    if any("?" in text for text in texts):
        yield places.fault(key, f"{key[-1]}: the question belongs to its step")


def _check_blocks(blocks: Blocks, *, key: Key, places: SourceLocations, is_small: bool) -> Iterator[Fault]:
    texts = [block for block in blocks if isinstance(block, str)]
    said = "\n\n".join(texts)
    yield from _check_said(said, key=key, places=places, is_small=is_small)
    for picture in () if is_small else blocks:
        if isinstance(picture, Picture) and "!" in picture.alt:
            yield places.fault(key, "no exclamation marks, not even in a picture's text")
    if said.count("?") != 1:
        yield places.fault(key, f"{key[-1]}: asks {said.count('?')} questions; it must ask exactly one, at its end")
    elif not (blocks and isinstance(blocks[-1], str) and blocks[-1].rstrip(_CLOSING).endswith("?")):
        yield places.fault(key, f"{key[-1]}: must end with its question")


def _check_said(text: str, *, key: Key, places: SourceLocations, is_small: bool) -> Iterator[Fault]:
    if (count := word_count(text)) > MAX_WORDS:
        yield places.fault(key, f"{key[-1]}: {count} words; at most {MAX_WORDS} are allowed before the learner's turn")
    if "!" in _CODE.sub("", text) and not is_small:
        yield places.fault(key, f"{key[-1]}: no exclamation marks")


def _check_replies(
    ideas: tuple[Idea, ...], heard: str, not_yet: str, *, key: Key, places: SourceLocations, is_small: bool
) -> Iterator[Fault]:
    if ideas and not (heard.strip() and not_yet.strip()):
        yield places.fault(key, f"{key[-1]}: ideas need two replies, heard and not_yet")
    for reply in (heard, not_yet):
        yield from _check_said(reply, key=key, places=places, is_small=is_small)


def _check_template(template: Template, places: SourceLocations) -> Iterator[Fault]:
    hints = template.hints
    texts = (
        template.stem, hints.focus, hints.principle, hints.ask, hints.example,
        *template.solution, *(choice.text for choice in template.choices),
    )  # fmt: skip
    if any("!" in _EXPRESSION.sub("", _CODE.sub("", text)) for text in texts):
        yield places.fault(("template", template.id), f"{template.id}: no exclamation marks")
    named = next((found[0] for each in template.choices if (found := _LETTER.match(each.text))), "")
    if named and template.shuffle:
        problem = (
            f"{template.id}: “{named}” would be taken for the letter of another choice; give the thing another name"
        )
        yield places.fault(("template", template.id), problem)


def word_count(text: str) -> int:
    return len([word for word in text.split() if any(character.isalnum() for character in word)])


def reading_grade(text: str) -> float:
    """Return the US school grade of a text (Flesch and Kincaid 1975); 0 for fewer than 30 words."""
    words = re.findall(r"[A-Za-z']+", text)
    sentences = max(1, len(re.findall(r"[.?!:;]+(?=\W|$)|\n\s*\n", text)))
    if len(words) < 30:
        return 0.0
    return 0.39 * len(words) / sentences + 11.8 * sum(map(_syllables, words)) / len(words) - 15.59


def _syllables(word: str) -> int:
    """Return the number of vowel groups, without a silent final e: right for about nine words in ten."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = word.lower().endswith("e") and not word.lower().endswith("le") and groups > 1
    return max(1, groups - silent)
