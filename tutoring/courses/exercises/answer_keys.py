"""Answer keys and known wrong answers of an exercise, in the letters that the learner sees."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random

from tutoring.courses.catalogue import Template
from tutoring.courses.exercises.drafts import PLANE_KINDS, Draft, wrong_numbers
from tutoring.courses.exercises.exercise import ExerciseChoice, options_of
from tutoring.courses.exercises.expressions import text_of, to_number
from tutoring.courses.exercises.sample_constructions import construct
from tutoring.grading.boards import BoardError, BuildBoard
from tutoring.grading.judges.arrangements import format_assignments
from tutoring.grading.judges.constructions import UNEQUAL
from tutoring.grading.keys import (
    AnswerKey,
    ChoiceKey,
    ConstructionKey,
    ExpressionKey,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
)
from tutoring.grading.programs.keys import CodeKey, LinesKey, TraceKey
from tutoring.grading.shown_values import read_shown, shown_text

LETTERS = "ABCDEFGHIJKLMNOP"
NUMBERS = "12345678"

type Wrong = dict[str, tuple[str, ...]]
"""Wrong answers with the misconceptions behind them, as in `Exercise.wrong`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterMapping:
    """The letters in the file, mapped to those shown."""

    choices: Mapping[str, str]
    rows: Mapping[str, str]


def shown_letters(template: Template, random: Random) -> LetterMapping:
    """Shuffle choices and rows; pieces to be ordered or matched never start in the right arrangement."""
    choices, rows = [plan.letter for plan in template.choices], [plan.letter for plan in template.rows]
    right = template.answer.letters
    if template.kind not in ("order", "match", "lines"):
        if template.shuffle:
            random.shuffle(choices)
        return LetterMapping(choices=dict(zip(choices, LETTERS, strict=False)), rows={})
    partner = dict(zip(rows, right, strict=True)) if rows else {}
    while True:
        random.shuffle(choices)
        random.shuffle(rows)
        arranged = [partner[row] for row in rows] if rows else list(right)
        if arranged != choices[: len(arranged)]:
            return LetterMapping(
                choices=dict(zip(choices, NUMBERS if rows else LETTERS, strict=False)),
                rows=dict(zip(rows, LETTERS, strict=False)),
            )


def exercise_key(
    draft: Draft, letters: LetterMapping, *, choices: tuple[ExerciseChoice, ...], rows: tuple[ExerciseChoice, ...]
) -> AnswerKey:
    """Return the key of the exercise that a draft becomes."""
    answer, options = draft.template.answer, options_of(choices)
    match draft.template.kind:
        case "numeric":
            return numeric_key(draft)
        case "expression":
            return ExpressionKey(value=draft.text(answer.value), form=answer.form)
        case "set":
            return SetKey(values=tuple(map(text_of, draft.values())), form=answer.form, names=answer.names)
        case "choice":
            return ChoiceKey(right=letters.choices[answer.letters[0]], options=options)
        case "multi":
            return MultiKey(right=frozenset(letters.choices[letter] for letter in answer.letters), options=options)
        case "order":
            return OrderKey(right=tuple(letters.choices[letter] for letter in answer.letters), options=options)
        case "match":
            placed = _placed(draft.template, letters, answer.letters)
            return MatchKey(right=tuple(sorted(placed.items())), rows=options_of(rows), options=options)
        case "steps":
            start, value, stem = draft.text(answer.start), draft.text(answer.lines[-1]), draft.text(draft.template.stem)
            return StepsKey(start=start, value=value, form=answer.form, shows_start=start in stem)
        case "shade" | "cut" | "place" | "build" | "share" | "combine" | "point" | "line" | "balance":
            return construction_key(draft)
        case "trace":
            return TraceKey(program=draft.code(draft.template.program), prints=draft.code(answer.prints).rstrip("\n"))
        case "code":
            return CodeKey(
                solution=draft.code(answer.solution),
                cases=draft.cases(),
                starter=draft.code(draft.template.starter),
                needs=answer.needs,
                without=answer.without,
            )
        case "lines":
            return LinesKey(
                lines=tuple(map(draft.code, answer.lines)),
                also=tuple(tuple(map(draft.code, lines)) for lines in answer.also),
                options=tuple((letter, text.strip("`")) for letter, text in options),
                cases=draft.cases(),
            )
        case "text":
            references = tuple(map(draft.text, answer.references))
            stem = draft.text(draft.template.stem)
            return TextKey(ideas=answer.ideas, contradicts=answer.contradicts, references=references, question=stem)


def numeric_key(draft: Draft) -> NumericKey:
    answer, value = draft.template.answer, draft.value()
    written = text_of(value) if answer.form in ("any", "fraction") else str(to_number(value))
    return NumericKey(value=written, form=answer.form, tolerance=answer.tolerance or None, places=answer.places)


def construction_key(draft: Draft) -> ConstructionKey:
    """Return the key of a construction. Raises BoardError if its board cannot show the answer."""
    board, answer, value = draft.board(), draft.template.answer, draft.shown_value()
    if board is None:
        raise BoardError("there is no board")
    if construct(board, value, one_size=answer.exact_pieces) is None:
        raise BoardError(f"its board cannot show the answer {shown_text(value)}")
    pieces = draft.pieces()
    if pieces and sum(pieces) != value:
        raise BoardError(f"its pieces make {sum(pieces)}, and not the answer {value}")
    if pieces and isinstance(board, BuildBoard) and not set(pieces) <= set(board.pieces):
        raise BoardError("the answer has a piece that the board does not")
    return ConstructionKey(
        board=board, value=shown_text(value), exact_pieces=answer.exact_pieces, pieces=tuple(map(str, pieces))
    )


def _placed(template: Template, letters: LetterMapping, options: Iterable[str]) -> dict[str, str]:
    """Return the option of each row, both in the letters shown; rows without one are left out."""
    pairs = zip(template.rows, options, strict=True)
    return {letters.rows[row.letter]: letters.choices[option] for row, option in pairs if option}


def known_wrong_answers(draft: Draft, letters: LetterMapping, choices: tuple[ExerciseChoice, ...]) -> Wrong:
    """Return the known wrong answers, each with the misconceptions behind it."""
    match draft.template.kind:
        case "numeric":
            return _wrong_numbers(draft)
        case "shade" | "cut" | "place" | "build" | "share" | "combine" | "point" | "line" | "balance":
            return _wrong_constructions(draft)
        case "expression" | "set" | "steps":
            return _wrong_texts(draft)
        case "trace" | "code" | "lines":
            names = draft.template.wrongs
            return _gathered((wrong, name) for name in names for wrong in draft.wrong_programs(name))
        case "order":
            given = draft.template.wrongs.items()
            return _gathered((" ".join(letters.choices[each] for each in wrong), name) for name, wrong in given)
        case "match":
            given = draft.template.wrongs.items()
            return _gathered(
                (format_assignments(_placed(draft.template, letters, wrong)), name) for name, wrong in given
            )
        case _:
            return {choice.letter: (choice.misconception,) for choice in choices if choice.misconception is not None}


def _gathered(pairs: Iterable[tuple[str, str]]) -> Wrong:
    wrong: Wrong = {}
    for answer, misconception in pairs:
        wrong[answer] = (*wrong.get(answer, ()), misconception)
    return wrong


def _wrong_numbers(draft: Draft) -> Wrong:
    right = to_number(draft.value())
    texts: dict[object, str] = {}
    ruled = wrong_numbers(draft.template, names=draft.names, course=draft.course)
    return _gathered(
        (texts.setdefault(to_number(value), text_of(value)), misconception)
        for misconception, value in ruled
        if to_number(value) != right
    )


def _wrong_constructions(draft: Draft) -> Wrong:
    """Return the wrong numbers that the board can show, and UNEQUAL if that shows a misconception."""
    board = draft.board()
    given = _wrong_pairs(draft) if draft.template.kind in PLANE_KINDS else _wrong_numbers(draft)
    shown = {
        wrong: names
        for wrong, names in given.items()
        if board is not None and construct(board, read_shown(wrong)) is not None
    }
    return shown | ({UNEQUAL: (draft.template.unequal,)} if draft.template.unequal else {})


def _wrong_pairs(draft: Draft) -> Wrong:
    """Return the wrong points, or slopes and intercepts."""
    pairs = ((shown_text(draft.pair(wrong)), name) for name, wrong in draft.template.wrongs.items())
    return _gathered((text, name) for text, name in pairs if text != shown_text(draft.shown_value()))


def _wrong_texts(draft: Draft) -> Wrong:
    """Return the wrong answers as written: the values of a set together, each text of an expression or a line."""
    template = draft.template
    ruled = [(text_of(value), name) for name, value in wrong_numbers(template, names=draft.names, course=draft.course)]
    given = [(tuple(map(draft.wrong_text, wrong)), name) for name, wrong in template.wrongs.items()]
    if template.kind == "set":
        return _gathered([*ruled, *((", ".join(texts), name) for texts, name in given)])
    return _gathered([*ruled, *((text, name) for texts, name in given for text in texts)])
