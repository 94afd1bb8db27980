"""Template contexts of questions answered on a board, and of bars that can be moved."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from tutoring.courses.exercises.board_pictures import board_picture, empty_board
from tutoring.courses.exercises.construction_texts import board_text, construction_text
from tutoring.courses.pictures import Picture, render_svg
from tutoring.grading import Unparsable
from tutoring.grading.boards import (
    MAX_COMMON_PARTS,
    Board,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    ShadeBoard,
    ShareBoard,
    board_to_json,
)
from tutoring.grading.equation_boards import BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.arrangements import parse_assignments
from tutoring.grading.judges.construction_answers import (
    format_combination,
    format_numbers,
    format_shading,
    parse_combination,
    parse_cuts,
    parse_pieces,
    parse_place,
    parse_shading,
    parse_shares,
)
from tutoring.grading.judges.equation_answers import (
    format_line,
    format_point,
    format_states,
    parse_balance,
    parse_line,
    parse_point,
)
from tutoring.pages.cards.manipulative_words import bars_words, board_words

type Context = dict[str, object]

_COUNT = re.compile(r"\d{1,4}")


def manipulative_context(board: Board, answer: str) -> Context:
    """Return what the card needs to draw the board, with the answer on it, and its form without JavaScript."""
    return {
        "kind": board.kind,
        "board": json.dumps(board_to_json(board)),
        "words": json.dumps(board_words(board)),
        "state": canonical_answer(board, answer) or _at_the_start(board),
        "empty_svg": _svg(empty_board(board)),
        "still_svg": _svg(board_picture(board, answer)),
        "told": construction_text(board, answer) if answer else "",
        "board_text": board_text(board),
        "fields": _fields(board, answer),
    }


def movable_bars(picture: Picture | None) -> Context | None:
    """Return what the page needs to let two bars be cut and moved; None for other pictures."""
    if picture is None or not picture.movable:
        return None
    bars = [{"label": bar.label, "parts": len(bar.parts), "shaded": list(bar.shaded)} for bar in picture.bars]
    return {"bars": json.dumps(bars), "words": json.dumps(bars_words())}


def _svg(picture: Picture) -> SafeString:
    return mark_safe(render_svg(picture))


def _at_the_start(board: Board) -> str:
    return format_shading(board.shaded) if isinstance(board, ShadeBoard) else ""


def canonical_answer(board: Board, answer: str) -> str:
    """Return an answer in its one writing; empty if the board cannot show it."""
    try:
        return _canonical(board, answer)
    except Unparsable:
        return ""


def _canonical(board: Board, answer: str) -> str:
    match board:
        case ShadeBoard():
            return format_shading(parse_shading(board, answer))
        case CutBoard():
            return format_numbers(parse_cuts(board, answer))
        case PlaceBoard():
            return str(parse_place(board, answer))
        case BuildBoard():
            return format_numbers(parse_pieces(board, answer))
        case ShareBoard():
            shares = zip(board.letters, parse_shares(board, answer), strict=True)
            return " ".join(f"{letter}={count}" for letter, count in shares)
        case CombineBoard():
            said = parse_combination(board, answer)
            if said.first is None or said.second is None:
                return f"{said.result}/{said.parts}"
            counts = {"first": said.first, "second": said.second, "result": said.result}
            return format_combination(board, parts=said.parts, **counts)
        case PointBoard():
            return format_point(parse_point(board, answer))
        case LineBoard():
            return format_line(board, parse_line(board, answer)) or ""
        case BalanceBoard():
            return format_states(parse_balance(board, answer))


def _fields(board: Board, answer: str) -> object:
    """Return the fields of the form without JavaScript, filled in; what could not be read stays as it was typed."""
    match board:
        case ShadeBoard():
            checked = set(re.findall(_COUNT, answer or _at_the_start(board)))
            return [{"number": each, "checked": str(each) in checked} for each in range(1, board.count + 1)]
        case CutBoard():
            return answer
        case PlaceBoard():
            chosen = canonical_answer(board, answer)
            return [
                {"number": number, "value": str(place), "selected": str(place) == chosen}
                for number, place in enumerate(board.places())
            ]
        case BuildBoard():
            counts = Counter(re.split(r"[,;+\s]+", answer))
            return [
                {"piece": str(piece), "count": counts[str(piece)], "most": int(board.length / piece)}
                for piece in board.pieces
            ]
        case ShareBoard():
            given = parse_assignments(answer)
            return [{"letter": letter, "count": given.get(letter, "")} for letter in board.letters]
        case CombineBoard():
            return _combine_fields(board, answer)
        case PointBoard() | LineBoard() | BalanceBoard():
            return answer


def _combine_fields(board: CombineBoard, answer: str) -> Mapping[str, Any]:
    numbers = [*re.findall(_COUNT, answer), *[""] * 6]
    first, parts, second, _parts, result, _parts = (
        numbers[:6] if "=" in answer else ["", numbers[1], "", "", numbers[0], ""]
    )
    return {
        "sign": board.sign,
        "most": MAX_COMMON_PARTS,
        "first_bar": board.first,
        "second_bar": board.second,
        "parts": parts,
        "first": first,
        "second": second,
        "result": result,
    }
