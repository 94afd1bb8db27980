"""The page of a round table: its cells from the events, and the fragments that update an open page."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from agents.usage.costs import cost_of
from conversations.models import Event, TableRemark, Turn
from conversations.owners import Owner
from conversations.round_table.continuation import question_of
from conversations.round_table.names import INITIATOR, LEAD_KEY, PAYLOAD_KEY, SUMMARIZER
from conversations.round_table.record import Silence, Spoken, TableRecord, earlier_record, tables_before, with_documents
from conversations.round_table.roster import Seat, all_collaborators, collaborators_for, seat_of, table_limits
from conversations.round_table.wording import content_of
from conversations.tools.labels import tool_label
from conversations.turns.feed import Wire
from conversations.web import presentation
from conversations.web.markup import to_html
from conversations.web.model_status import cost_words
from conversations.web.round_table_cells import CellView, RoundView, VoiceView
from conversations.web.round_table_remarks import (
    AFTER_ROUNDS,
    RemarksView,
    RemarkView,
    TableStage,
    placed,
    remark_rows,
    rounds_after,
)

PAGE: Final = "conversations/round_table.html"
TONES: Final = ("teal", "amber", "plum", "blue", "rose")
"""Of the columns, in order; a table has five at most."""


@dataclass(slots=True)
class TablePage:
    """One table as an open page shows it: takes its events one by one, also again, and renders what they change."""

    turn: Turn
    person: Owner
    record: TableRecord = field(default_factory=TableRecord)
    first_round: int = 1
    voices: list[VoiceView] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    """Round → the learner's words before it."""
    question: str = ""
    turns: list[Turn] = field(default_factory=list)
    """The tables that this one continues, oldest first, and this one."""
    remark_rows: list[TableRemark] = field(default_factory=list)
    reply: list[str] = field(default_factory=list)
    """The pieces of a running reply."""
    is_summarizing: bool = False
    is_over: bool = False
    queued: int = 0
    seq: int = 0
    _words: dict[str, str] = field(default_factory=dict)
    """What a voice has said of its present contribution."""
    _doing: dict[str, str] = field(default_factory=dict)
    _cells: dict[tuple[int, str], Spoken | Silence] = field(default_factory=dict)

    @property
    def lead(self) -> str:
        return str(self.asked.get(LEAD_KEY, ""))

    @property
    def new_id(self) -> str:
        """An id for the learner's next remark, so that it is said once however often it is sent."""
        return uuid.uuid4().hex

    @property
    def asked(self) -> Mapping[str, Any]:
        asked: Mapping[str, Any] = self.turn.payload[PAYLOAD_KEY]
        return asked

    def take(self, wire: Wire) -> Iterator[str]:
        """Take an event; yield the names of the partials that it changes, `cell-2-sceptic` among them."""
        self.seq = wire["seq"]
        self.record.take(wire)
        match wire["type"]:
            case "queued":
                self.queued = wire["position"]
                yield "progress"
            case "turn_resumed":
                self.reply.clear()
                yield "reply"
            case "round_started":
                yield from ("progress", f"round-{wire['round']}", "remarks")
            case "round_finished":
                yield from ("progress", "cost")
            case "reply_text":
                self.reply.append(wire["text"])
                yield "reply"
            case "turn_finished":
                self.is_over = True
                yield from ("progress", "rounds", "reply", "summary", "cost", "acts", "announce")
            case "agent_started" if wire["agent"] == SUMMARIZER:
                self.is_summarizing = True
                yield from ("progress", "summary", "remarks")
            case "agent_started" | "agent_text" | "tool_called" | "agent_finished" | "agent_failed":
                yield from self._take_agent(wire)

    def _take_agent(self, wire: Wire) -> Iterator[str]:
        agent, number = wire["agent"], self.record.round
        if agent == INITIATOR:
            yield "progress"
        if number < self.first_round or agent not in self.asked["agents"]:
            return
        match wire["type"]:
            case "agent_started":
                self._words[agent] = self._doing[agent] = ""
            case "agent_text":
                self._words[agent] = self._words.get(agent, "") + wire["text"]
            case "tool_called":
                self._doing[agent] = _("uses %(tool)s") % {"tool": tool_label(wire["tool"])}
            case "agent_finished" if "leads_round" in wire["result"]:
                self._doing[agent] = _("has asked the others and listens to them")
                yield f"round-{number}"
                return
            case "agent_finished" if self.record.spoken and self.record.spoken[-1].agent == agent:
                self._cells[number, agent] = self.record.spoken[-1]
            case "agent_failed" if self.record.silences:
                self._cells[number, agent] = self.record.silences[-1]
        yield f"cell-{number}-{agent}"

    def take_stored(self) -> None:
        """Take everything that is stored of the table."""
        for wire in Event.objects.filter(turn=self.turn).order_by("seq").values_list("body", flat=True):
            for _changed in self.take(wire):
                pass

    def rounds(self) -> list[RoundView]:
        """Return the rounds: those held, and those still to come while the table runs."""
        self._read_documents()
        return [self.round(number) for number in range(1, self.last_round + 1)]

    def round(self, number: int) -> RoundView:
        cells = [
            self.cell(number, voice) for voice in self.voices if voice.is_here or (number, voice.name) in self._cells
        ]
        if number < self.first_round:
            cells = [each for each in cells if each.state != "absent"]
        return RoundView(number=number, cells=tuple(cells), said=self.said_before(number))

    @property
    def last_round(self) -> int:
        """The last round that the page shows: the last one held, or while it runs, the last one that may be."""
        return self.record.round if self.is_over else int(self.asked["rounds"])

    def said_before(self, number: int) -> RemarksView:
        """Return what the learner said before a round, or after the rounds."""
        stage = TableStage(
            record=self.record,
            last_round=self.last_round,
            is_summarizing=self.is_summarizing,
            is_over=self.is_over,
        )
        own = [RemarkView(place=number, text=self.remarks[number])] if number in self.remarks else []
        here = [each for each in placed(self.remark_rows, stage, rounds_after(self.turns)) if each.place == number]
        return RemarksView(place=number, remarks=(*own, *here))

    def said_after(self) -> RemarksView:
        return self.said_before(AFTER_ROUNDS)

    def remarks_html(self) -> str:
        """Return the fragments with everything that the learner has said; queries."""
        self.remark_rows = remark_rows(self.turns)
        places = [*range(1, self.last_round + 1), AFTER_ROUNDS] if self.remark_rows else []
        return "".join(_partial("remarks", {"said": self.said_before(place)}) for place in places)

    def cell(self, number: int, voice: VoiceView) -> CellView:
        key = f"cell-{number}-{voice.name}"
        handed = self.record.handed.get(number)
        part = next((each.text for each in handed.questions if each.to == voice.name), "") if handed else ""
        match self._cells.get((number, voice.name)):
            case Spoken() as said:
                html = to_html(content_of(said))
                return CellView(key=key, voice=voice, state="said", html=html, sub_question=part)
            case Silence() as silence:
                doing = _why_silent(silence)
                return CellView(key=key, voice=voice, state="failed", doing=doing, sub_question=part)
        if number > self.record.round and not self.is_over:
            return CellView(key=key, voice=voice, state="waiting")
        if number in self.record.rounds_ended or self.is_over or number < self.first_round:
            return CellView(key=key, voice=voice, state="absent")
        words, doing = self._words.get(voice.name, ""), self._doing.get(voice.name, "")
        if not doing:
            doing = self._idle_words(number, voice, is_divided=handed is not None)
        return CellView(key=key, voice=voice, state="working", html=words, doing=doing, sub_question=part)

    def _idle_words(self, number: int, voice: VoiceView, *, is_divided: bool) -> str:
        if voice.name == self.lead:
            return _("closes the round") if is_divided else _("divides the question")
        if self.lead and not is_divided and (number, self.lead) not in self._cells:
            return _("waits for its part of the question")
        return _("is reading the others") if number > 1 else _("is thinking")

    def outcome(self, number: int, voice: str) -> Spoken | Silence | None:
        """Return how a voice ended a round; None if it has not."""
        return self._cells.get((number, voice))

    def _read_documents(self) -> None:
        """Read the words quoted from documents, in one query for all."""
        spoken = [each for each in self._cells.values() if isinstance(each, Spoken)]
        for each in with_documents(spoken, self.person):
            self._cells[each.round, each.agent] = each

    def progress(self) -> dict[str, Any]:
        """Return where the table is: for the line at the top."""
        here, of = self.record.round, self.asked["rounds"]
        steps = [
            "done" if number in self.record.rounds_ended else "now" if number == here else "next"
            for number in range(1, of + 1)
        ]
        return {"steps": steps, "words": self._stage(here, of)}

    def _stage(self, here: int, of: int) -> str:
        if self.is_over:
            return {"stopped": _("Stopped"), "failed": _("Ended without an answer")}.get(self.turn.status, _("Ended"))
        if self.is_summarizing:
            return _("The summary is being written")
        if here >= self.first_round:
            return _("Round %(here)s of %(of)s") % {"here": here, "of": of}
        if self.queued:
            return _("You are number %(number)s in line") % {"number": self.queued}
        return _("About to begin")

    def context(self) -> dict[str, Any]:
        """Return the context of the whole page."""
        return {
            "table": self,
            "turn": self.turn,
            "session": presentation.session_view(self.turn.session),
            "rounds": self.rounds(),
            "progress": self.progress(),
            "place": {"id": self.turn.pk, "after": self.seq},
            "cost": self.cost(),
            **self._reply_context(),
            **self._ended_context(),
        }

    def cost(self) -> str:
        """Return what the table has cost so far, with those that it continues; empty if no model was asked."""
        ids = [self.turn.pk, *(each.pk for each in tables_before(self.turn))]
        return cost_words(cost_of(Turn.objects.filter(pk__in=ids).values("pk")))

    def _reply_context(self) -> dict[str, Any]:
        if not self.is_over:
            return {"streamed": presentation.split_paragraphs("".join(self.reply)) if self.reply else []}
        [view] = presentation.turn_views(self.person, turns=[self.turn])
        return {"parts": view.parts}

    def _ended_context(self) -> dict[str, Any]:
        """Return the points that the table came to and what can be done now; empty while it runs."""
        if not self.is_over:
            return {}
        summary = (self.turn.answer.get(PAYLOAD_KEY) or {}).get("summary") or {}
        open_to_person = collaborators_for(self.person)
        usable = {each.name for each in open_to_person}
        sat = [each for each in self.voices if each.is_here]
        return {
            "agreements": summary.get("agreements", ()),
            "disagreements": [
                {
                    "text": point,
                    "words": _without_names(point, sat),
                    "pair": _pair(point, [each for each in sat if each.name in usable]),
                }
                for point in summary.get("disagreements", ())
            ],
            "open_points": summary.get("open_points", ()),
            "contributors": [
                {"voice": each, "rounds": summary["contributors"].get(each.name, 0)}
                for each in sat
                if "contributors" in summary
            ],
            "may_go_on": max(self.record.rounds_ended, default=0) < table_limits().most_rounds,
            "most_agents": table_limits().most_agents,
            "roster": [
                {
                    "name": each.name,
                    "title": each.title,
                    "purpose": each.purpose,
                    "sits": each.name in self.asked["agents"],
                }
                for each in open_to_person
            ],
        }

    def html_of(self, events: Iterable[Wire], *, after: int = 0) -> str:
        """Return the fragments that these events change on a page that knows those up to `after`; may query."""
        changed: dict[str, None] = {}
        for wire in events:
            names = list(self.take(wire))
            if wire["seq"] > after:
                changed |= dict.fromkeys(names)
        if self.is_over:
            self.turn = Turn.objects.select_related("session", "owner").get(pk=self.turn.pk)
            changed = {name: None for name in changed if not name.startswith(("cell-", "round-"))}
        return "".join(self._fragments(changed))

    def _fragments(self, changed: Iterable[str]) -> Iterator[str]:
        names = list(changed)
        if any(name.startswith(("cell-", "round-")) for name in names):
            self._read_documents()
        for name in names:
            kind, _dash, rest = name.partition("-")
            match kind:
                case "round":
                    for cell in self.round(int(rest)).cells:
                        yield _partial("cell", {"cell": cell})
                case "cell":
                    number, _dash, agent = rest.partition("-")
                    voice = next(each for each in self.voices if each.name == agent)
                    yield _partial("cell", {"cell": self.cell(int(number), voice)})
                case "progress":
                    yield _partial("progress", {"progress": self.progress()})
                case "reply" if not self.is_over:
                    yield _partial("reply", self._reply_context() | {"turn": self.turn, "table": self})
                case "remarks" if not self.is_over:
                    yield self.remarks_html()
                case "cost":
                    yield _partial("cost", {"cost": self.cost(), "table": self})
                case "summary" if not self.is_over:
                    yield _partial("summary", {"table": self})
        if self.is_over:
            self.remark_rows = remark_rows(self.turns)
            context = self.context()
            yield _partial("remarks", {"said": self.said_after()})
            for name in ("rounds", "reply", "summary", "acts", "announce"):
                yield _partial(name, context)


def table_page(turn: Turn, person: Owner) -> TablePage:
    """Return the page of a table without its own events: who sits there, and what was said at those it continues."""
    record = earlier_record(turn)
    before = tables_before(turn)
    asked = turn.payload[PAYLOAD_KEY]["agents"]
    outcomes: list[Spoken | Silence] = [*record.silences, *record.spoken]
    others = [each.agent for each in outcomes if each.agent not in asked]
    page = TablePage(
        turn=turn,
        person=person,
        record=record,
        first_round=record.round + 1,
        voices=_voices(asked, list(dict.fromkeys(others))),
        question=question_of(before[0] if before else turn),
        turns=[*before, turn],
    )
    page.remark_rows = remark_rows(page.turns)
    # Each continues with one round more than the one before it had.
    for each in (*before[1:], *([turn] if before else [])):
        if (said := question_of(each)) != page.question:
            page.remarks[each.payload[PAYLOAD_KEY]["rounds"]] = said
    page._cells.update({(each.round, each.agent): each for each in outcomes})
    return page


def _voices(asked: list[str], others: list[str]) -> list[VoiceView]:
    rows = {each.name: seat_of(each) for each in all_collaborators()}
    return [_voice(name, rows.get(name), place, is_here=name in asked) for place, name in enumerate([*asked, *others])]


def _voice(name: str, seat: Seat | None, place: int, *, is_here: bool) -> VoiceView:
    title = seat.title if seat else name.replace("_", " ").capitalize()
    purpose = seat.purpose if seat else ""
    return VoiceView(name=name, title=title, purpose=purpose, tone=TONES[place % len(TONES)], is_here=is_here)


def _why_silent(silence: Silence) -> str:
    if silence.error_type == "timeout":
        return _("Took too long to answer.")
    if silence.error_type == "resource":
        return _("Reached its limit before it could answer.")
    return _("Could not answer, because something went wrong.")


def _pair(point: str, voices: list[VoiceView]) -> list[VoiceView]:
    """Return the two voices that a difference is between: it names each of them before its words."""
    named = [each for each in voices if f"{each.title}: " in point]
    return named if len(named) == 2 else []


def _without_names(point: str, voices: list[VoiceView]) -> str:
    """Return a difference without who said what: the names are nothing that the two should look up."""
    for each in voices:
        point = point.replace(f"{each.title}: ", "")
    return point


def _partial(name: str, context: Mapping[str, Any]) -> str:
    return render_to_string(f"{PAGE}#{name}", {**context, "oob": True})
