"""`/round-table/{id}/live`: one table's events as HTML fragments for its page."""

import uuid

from django.utils.translation import gettext as _

from agents.sockets.consumers import Wire
from agents.sockets.frames import Say
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from conversations import access
from conversations.round_table.preparation import is_round_table
from conversations.web import fragments
from conversations.web.consumers import LiveConsumer, resumed_from
from conversations.web.round_table_page import TablePage, table_page


class TableConsumer(LiveConsumer):
    """A socket that follows one table of the signed-in person."""

    page: TablePage
    after: int = 0
    """The event up to which the open page knows the table."""

    @property
    def key(self) -> str:
        return self.page.turn.session.key

    async def entered(self) -> None:
        self.page = await in_orm_thread(self._own_table)()
        await self.listen()
        _turn, self.after = resumed_from(self.scope["query_string"])
        # From the first event on: what the page shows depends on all of them.
        self.follow(self.page.turn.pk, after=0)

    def _own_table(self) -> TablePage:
        turn = access.turn_for(self.person, self.scope["url_route"]["kwargs"]["table"])
        if not is_round_table(turn):
            raise rejections.not_found()
        return table_page(turn, self.person)

    async def start(self, frame: Say) -> uuid.UUID:
        raise rejections.invalid("type", _("You can only follow the round table on this page."))

    async def turn_begun(self, message: dict[str, object]) -> None:
        """Leave other turns of the conversation to its own page."""

    async def remarked(self, message: dict[str, object]) -> None:
        """Show what the learner has said, perhaps in another tab."""
        if html := await in_orm_thread(self.page.remarks_html)():
            await self.send(text_data=html)

    async def noticed(self, message: dict[str, object]) -> None:
        """Leave findings to the conversation's page."""

    async def show(self, events: list[Wire]) -> int:
        for wire in events:
            if wire["type"] == "turn_resumed":
                # Numbers of events that were lost with a process are given again.
                self.after = min(self.after, wire["seq"] - 1)
        html = await in_orm_thread(self.page.html_of)(events, after=self.after)
        if events[-1]["seq"] <= self.after:
            return 0
        html += fragments.seq_mark(events[-1])
        await self.send(text_data=html)
        return len(html)
