"""A round table as Markdown: what was asked, what each voice said in each round, and what it came to."""

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from conversations.history.safe_markdown import disarm_markdown, escape_line, escape_text
from conversations.round_table.record import Spoken
from conversations.round_table.wording import content_of
from conversations.web.round_table_cells import CellView
from conversations.web.round_table_page import TablePage
from conversations.web.round_table_remarks import RemarksView

OWN_LINK: Final = re.compile(r"\[([^\]]*)\]\(/[^)\s]*\)")
"""A link to a page of this site, which a file elsewhere cannot follow."""


def as_markdown(page: TablePage) -> str:
    """Return the table; of one that still runs, what has been said so far."""
    return "\n\n".join(_parts(page)) + "\n"


def _parts(page: TablePage) -> Iterator[str]:
    yield f"# {escape_line(page.question)}"
    if page.record.goal is not None:
        yield escape_text(page.record.goal.goal)
    for row in page.rounds():
        cells = [each for each in row.cells if each.state in ("said", "failed")]
        if not cells:
            continue
        yield "## " + _("Round %(number)s") % {"number": row.number}
        yield from _said(row.said)
        for cell in cells:
            yield f"### {escape_line(cell.voice.title)}"
            if cell.sub_question:
                yield "*" + escape_line(cell.sub_question) + "*"
            yield _words(page, row.number, cell)
    yield from _said(page.said_after())
    reply = page.turn.messages.filter(author="team").first()
    if reply is not None and reply.text:
        yield "## " + _("Summary")
        yield _portable(reply.text)


def _said(view: RemarksView) -> Iterator[str]:
    yield from ("> " + escape_line(each.text) for each in view.remarks)


def _portable(markdown: str) -> str:
    return disarm_markdown(OWN_LINK.sub(r"\1", markdown))


def _words(page: TablePage, number: int, cell: CellView) -> str:
    said = page.outcome(number, cell.voice.name)
    return _portable(content_of(said)) if isinstance(said, Spoken) else escape_line(cell.doing)
