"""What collaborators have said, in words: for the stream, for one another within the context limit, and for the reply."""

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from conversations.round_table.record import Spoken
from conversations.round_table.results import QuotedSentence
from conversations.round_table.table import Table
from conversations.search.quoted_sources import without_markup

NOTHING_TO_ADD: Final = re.compile(r"\W*nothing (?:new )?to add\W*", re.IGNORECASE)
"""How a model says that it has nothing new."""
CONTEXT_CHARACTERS: Final = 12_000
"""Of all earlier rounds together in a prompt: 3,000 tokens, so that sources and the answer fit beside them."""
LATEST_SHARE: Final = 0.6
"""Of them for the latest round, which the next one answers. Chosen by hand."""


def content_of(spoken: Spoken) -> str:
    """Return everything that a collaborator said in a round, as Markdown."""
    if NOTHING_TO_ADD.fullmatch(spoken.text):
        # Two agents would say the same sentence.
        title = spoken.agent.replace("_", " ").capitalize()
        return _("%(title)s has nothing to add in round %(round)s.") % {"title": title, "round": spoken.round}
    if spoken.text:
        return spoken.text
    said = spoken.contribution
    return "\n\n".join([*map(quoted, said.quotes), *([said.remark] if said.remark else [])])


def quoted(quote: QuotedSentence) -> str:
    """Return a quotation with its source."""
    title, url = without_markup(quote.source.title), quote.source.url
    if not quote.statement:
        return _("A passage from [%(title)s](%(url)s) that you can no longer read.") % {"title": title, "url": url}
    text = without_markup(quote.statement)
    return _("“%(text)s” ([%(title)s](%(url)s))") % {"text": text, "title": title, "url": url}


def plain_content(spoken: Spoken) -> str:
    """Return what a collaborator said without the addresses of its sources, as one line."""
    if spoken.text:
        return " ".join(spoken.text.split())
    said = spoken.contribution
    return " ".join([*(each.statement for each in said.quotes), *([said.remark] if said.remark else [])])


def word_rounds(table: Table, spoken: Sequence[Spoken], *, room: int = CONTEXT_CHARACTERS) -> str:
    """Return earlier rounds as lines `Round 1, Sceptic: …`, never longer than `room` characters.

    The latest round has the larger part of the room. What is too long is cut, so that everybody is heard in part.
    """
    if not spoken:
        return ""
    latest = max(each.round for each in spoken)
    now = [each for each in spoken if each.round == latest]
    before = [each for each in spoken if each.round < latest]
    for_now = int(room * LATEST_SHARE) if before else room
    lines = [*_lines(table, before, room - for_now), *_lines(table, now, for_now)]
    return "\n".join(lines)


def _lines(table: Table, spoken: Sequence[Spoken], room: int) -> list[str]:
    """Return a line for each contribution, each with the same share of the room; none where there is no room."""
    if not spoken:
        return []
    share = room // len(spoken) - 1  # The line break.
    lines = (f"Round {each.round}, {table.title_of(each.agent)}: {plain_content(each)}" for each in spoken)
    return [_cut(line, share) for line in lines if share > 0]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0][: most - 1] + "…"
