"""A class's board as rows for a spreadsheet."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from tutoring.classes.mastery_board import ClassBoard


def board_table(board: ClassBoard) -> Iterator[Sequence[object]]:
    """Yield a header, and a row for each learner: for each concept the mastery score, empty without enough evidence,
    and the number of answers."""
    answers = _("%(concept)s, answers")
    head = [_("Pupil"), _("Username")]
    yield [*head, *(title for one in board.concepts for title in (one.title, answers % {"concept": one.title}))]
    for row in board.rows:
        numbers = ((cell.score, cell.answers) for cell in row.cells)
        yield [row.name, row.username, *(number for pair in numbers for number in pair)]
