"""What the page of a round table shows: its voices, its rounds, and what each voice does or said in each round."""

from dataclasses import dataclass
from typing import Literal

from django.utils.safestring import SafeString

from conversations.web.round_table_remarks import RemarksView

CellState = Literal["waiting", "working", "said", "failed", "absent"]
"""`absent`: the round is over, and it neither spoke nor failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceView:
    """A collaborator as the page shows it."""

    name: str
    title: str
    purpose: str
    tone: str
    is_here: bool = True
    """Whether it sits at the table; others have spoken at an earlier one."""

    @property
    def initial(self) -> str:
        return self.title[:1].upper()


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """What one voice does or said in one round."""

    key: str
    voice: VoiceView
    state: CellState
    html: SafeString | str = ""
    doing: str = ""
    """What it is at, or why it failed."""
    sub_question: str = ""
    """What the lead asked it in this round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    number: int
    cells: tuple[CellView, ...]
    said: RemarksView
    """What the learner said before the round."""
