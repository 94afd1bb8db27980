"""Words of the boards that JavaScript draws; `[names]` in brackets are filled in there."""

from django.utils.translation import gettext as _

from tutoring.grading.boards import Board

type Words = dict[str, str]


def board_words(board: Board) -> Words:
    """Return the words of a board, and of the buttons that each has."""
    return {"undo": _("Undo"), "again": _("Start again"), "over": _("[top] over [bottom]"), "keys": "", **_of(board)}


def _of(board: Board) -> Words:
    match board.kind:
        case "shade":
            return _shade_words()
        case "cut":
            return _cut_words()
        case "place":
            return _place_words()
        case "build":
            return _build_words()
        case "share":
            return _share_words()
        case "combine":
            return _combine_words()
        case "point":
            return _plane_words() | _point_words()
        case "line":
            return _plane_words() | _line_words()
        case "balance":
            return _balance_words()


def _shade_words() -> Words:
    return {
        "board": _("Parts to shade"),
        "part": _("Part [number] of [all]"),
        "none": _("No parts are striped yet."),
        "one": _("1 of the [all] parts is striped: [fraction]."),
        "many": _("[count] of the [all] parts are striped: [fraction]."),
        "keys": _("Arrow keys: next part. Space: shade it or clear it."),
    }


def _cut_words() -> Words:
    return {
        "board": _("Cuts you can move"),
        "cut": _("Cut [number]"),
        "at": _("[percent]% of the way along"),
        "more": _("One more cut"),
        "less": _("Remove one cut"),
        "none": _("There are no cuts yet."),
        "equal": _("[count] parts, all the same size."),
        "unequal": _("[count] parts. Part [long] is the longest, and part [short] is the shortest."),
        "keys": _("Tab: next cut. Arrow keys: move it. Shift and arrow keys: move it farther. Delete: remove it."),
    }


def _place_words() -> Words:
    return {
        "board": _("A number line"),
        "point": _("The point"),
        "none": _("You haven’t moved the point yet. It starts at [start]."),
        "at": _("The point is at [place]."),
        "one": _("1 jump of [step] from [start]. The point is at [place]."),
        "many": _("[count] jumps of [step] from [start]. The point is at [place]."),
        "keys": _("Arrow keys: one step. Home: to the left end. End: to the right end."),
    }


def _build_words() -> Words:
    return {
        "board": _("The frame"),
        "lay": _("Put in [piece]"),
        "take": _("Take out [piece]"),
        "none": _("The frame is empty. Press a piece to put it in."),
        "sum": _("[sum] = [length]"),
        "full": _("[sum] = [length]. The frame is full."),
        "keys": _("Enter: put a piece in. Delete: take it out."),
    }


def _share_words() -> Words:
    return {
        "board": _("What is left to share"),
        "person": _("Person [person]"),
        "whole": _("Give [person] one whole"),
        "part": _("Give [person] [size]"),
        "back": _("Take [size] back from [person]"),
        "has": _("[person]: [amount]"),
        "nothing": _("nothing"),
        "left": _("Still to share: [amount]."),
        "empty": _("Nothing is left."),
        "keys": _("Tab: next button. Enter: press it."),
    }


def _combine_words() -> Words:
    return {
        "board": _("Two bars, with the result below"),
        "parts": _("Parts in both bars"),
        "fewer": _("One fewer part"),
        "more": _("One more part"),
        "result": _("Parts in the result"),
        "result_at": _("[count] parts"),
        "none": _("The two bars don’t have the same number of parts yet. Choose a number for both."),
        "fits": _("Both bars have [count] parts. [first] and [second] are shaded. The result shows [result]."),
        "unfit": _("Both bars have [count] parts. In the bar that shows [bar], the shading ends inside a part."),
        "no_result": _("Both bars have [count] parts. [first] and [second] are shaded. The result is still empty."),
        "keys": _("Arrow keys: change the result by one part. Home: clear the result."),
    }


def _plane_words() -> Words:
    return {"board": _("A grid with x and y"), "at": "[x], [y]"}


def _point_words() -> Words:
    return {
        "point": _("The point"),
        "none": _("You haven’t moved the point yet."),
        "told": _("The point is at ([x], [y])."),
        "keys": _("Arrow keys: one step left, right, up or down."),
    }


def _line_words() -> Words:
    return {
        "point": _("Point [number]"),
        "none": _("You haven’t moved the points yet."),
        "told": _("The line goes through ([x1], [y1]) and ([x2], [y2])."),
        "same": _("Both points are at the same place. Move one of them."),
        "keys": _("Tab: next point. Arrow keys: one step left, right, up or down."),
    }


def _balance_words() -> Words:
    return {
        "board": _("A scale"),
        "both": _("Both sides"),
        "left_side": _("Left side"),
        "right_side": _("Right side"),
        "take_one": _("Take 1"),
        "take_box": _("Take x"),
        "share": _("Share by [count]"),
        "take_one_both": _("Take a weight of 1 from both sides"),
        "take_box_both": _("Take a box x from both sides"),
        "share_both": _("Share both sides into [count] equal parts and keep one"),
        "take_one_left": _("Take a weight of 1 from the left side only"),
        "take_box_left": _("Take a box x from the left side only"),
        "share_left": _("Share the left side only into [count] equal parts and keep one"),
        "take_one_right": _("Take a weight of 1 from the right side only"),
        "take_box_right": _("Take a box x from the right side only"),
        "share_right": _("Share the right side only into [count] equal parts and keep one"),
        "none": _("The scale shows [equation]. Take things away until one x is alone."),
        "now": _("Now the scale shows [equation]."),
        "done": _("One x is alone: [equation]."),
        "keys": _("Tab: next button. Enter: press it."),
    }


def bars_words() -> Words:
    """Return the words of two bars that can be cut and moved."""
    return {
        "undo": _("Undo"),
        "again": _("Start again"),
        "over": _("[top] over [bottom]"),
        "bar": _("bar [number]"),
        "uncut": _("not cut"),
        "cut": _("[count] parts"),
        "fewer": _("One fewer part: [bar]"),
        "more": _("One more part: [bar]"),
        "slide": _("Move the bar: [bar]"),
        "slid": _("moved right by [percent]% of its length"),
        "told": _("[bar]: [parts]"),
        "keys": _("Arrow keys: move one bar along the other. Home: move it back."),
    }
