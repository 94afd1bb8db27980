"""A learner plays its script: messages in order, and answers to cards between them."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from drills.scripted_learners.card_answers import answer_to
from drills.scripted_learners.exchange import Exchange
from drills.scripted_learners.records import Records
from drills.scripted_learners.scripts import Cards, Line, Script
from drills.scripted_learners.surfaces import Surface

SKIP = Line(text="skip this question", kind="want")
GO_ON_AT_MOST = 3
"""Times in a row that a learner asks to go on where no card comes."""


@dataclass(slots=True, kw_only=True)
class Player:
    """Plays one script once."""

    script: Script
    surface: Surface
    records: Records
    seed: int
    concepts: list[str] = field(default_factory=list)
    """Slugs of the concepts whose lessons were asked for, in order."""
    _number: int = 0
    _states: dict[str, str] = field(default_factory=dict)
    """The state of each question by its id, as the server told it last."""
    _hints: dict[str, int] = field(default_factory=dict)

    def play(self) -> Iterator[Exchange]:
        chance = random.Random(f"{self.seed}:{self.script.name}")
        for part in self.script.parts:
            match part:
                case Line(concept=concept) if concept:
                    self.concepts.append(concept)
                    yield self._exchange(part, partial(self.surface.open_lesson, concept=concept))
                case Line():
                    yield self._exchange(part, self.surface.say)
                case Cards():
                    yield from self._answers(part, chance)

    def _answers(self, cards: Cards, chance: random.Random) -> Iterator[Exchange]:
        """Answer the cards that come. What is not taken as an answer is sent bare, and then the question is skipped."""
        answered = asked = unread = 0
        while answered < cards.at_most and asked < GO_ON_AT_MOST and not self._is_done(cards):
            exercise = self.records.open_exercise()
            if exercise is None:
                asked += 1
                yield self._exchange(Line(text=chance.choice(self.script.go_on), kind="want"), self.surface.say)
            elif unread > 1:
                unread = 0
                yield self._exchange(SKIP, self.surface.say)
            else:
                line = answer_to(exercise, self.script, chance, bare=unread > 0)
                exchange = self._exchange(line, self.surface.answer)
                answered, asked, unread = answered + 1, 0, 0 if exchange.graded else unread + 1
                yield exchange

    def _is_done(self, cards: Cards) -> bool:
        return cards.until_mastered and self.records.answers_to_mastery(self.concepts[-1]) is not None

    def _exchange(self, line: Line, send: Callable[[str], Mapping[str, Any]]) -> Exchange:
        self._number += 1
        graded, given_up, hinted = self.records.graded(), self.records.given_up(), self.records.hints()
        answer = send(line.text)
        cards, changed = answer["cards"], answer["changed_cards"]
        hints = self._new_hints([*cards, *changed])
        self._states |= {card["id"]: card["state"] for card in [*cards, *changed] if card.get("state")}
        return Exchange(
            number=self._number,
            line=line,
            reply=answer["reply"],
            shown=answer["response"],
            cards=cards,
            changed=changed,
            graded=self.records.graded() - graded,
            given_up=self.records.given_up() - given_up,
            hints=hints or ("a hint",) * (self.records.hints() - hinted),
            has_open_card="open" in self._states.values(),
            analysis=self.records.analysis(answer["turn_id"]),
            status=answer["status"],
            page_action=answer.get("page_action", ""),
        )

    def _new_hints(self, cards: list[Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the hints on these cards that were not there before."""
        found: list[str] = []
        for card in cards:
            hints = card.get("hints") or []
            found += hints[self._hints.get(card["id"], 0) :]
            self._hints[card["id"]] = max(len(hints), self._hints.get(card["id"], 0))
        return tuple(dict.fromkeys(found))
