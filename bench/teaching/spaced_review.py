"""A tutor over days, by the product's rules: what was mastered comes back."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bench.teaching.simulated_learners import Tutor
from tutoring.mastery import spaced_review
from tutoring.mastery.learning_path import ConceptStanding
from tutoring.mastery.sittings import Sitting
from tutoring.mastery.spaced_review import Card

QUESTIONS_PER_DAY = 20
"""Questions of a sitting; the next one is on the next day."""
_FIRST, _ONE_DAY = datetime(2026, 1, 5, 16, tzinfo=UTC), timedelta(days=1)


@dataclass(kw_only=True)
class TutorOverDays(Tutor):
    """A tutor who keeps cards of what is mastered, and looks back by its share."""

    cards: dict[str, tuple[Card, datetime]] = field(default_factory=dict)
    """Concept → its card, and when it was looked at last."""
    looks: list[int] = field(default_factory=list)
    """The numbers of the questions that looked back."""

    @property
    def now(self) -> datetime:
        return _FIRST + self.asked // QUESTIONS_PER_DAY * _ONE_DAY

    @property
    def sitting(self) -> Sitting:
        begun = self.asked // QUESTIONS_PER_DAY * QUESTIONS_PER_DAY
        return Sitting(questions=self.asked - begun, reviews=sum(number >= begun for number in self.looks))

    def ask(self, concept: str) -> bool:
        at, was_mastered = self.now, concept in self.mastered
        right = super().ask(concept)
        card, looked_at = self.cards.get(concept, (None, at))
        if card is None and concept in self.mastered:
            self.cards[concept] = spaced_review.first_card(at), at
        elif card is not None and was_mastered and at - looked_at >= _ONE_DAY:
            self.cards[concept] = spaced_review.card_after_review(card, "good" if right else "again", at=at), at
        return right

    def look_back(self, concept: str) -> bool:
        self.looks.append(self.asked)
        return super().look_back(concept)

    def standings(self) -> dict[str, ConceptStanding]:
        """Return what is believed, with how well it is remembered today."""
        return {concept: self._remembered(concept, held) for concept, held in super().standings().items()}

    def _remembered(self, concept: str, held: ConceptStanding) -> ConceptStanding:
        if concept not in self.cards:
            return held
        card, at = self.cards[concept]
        recalled, due = spaced_review.recall(card, self.now), spaced_review.due_at(card) <= self.now
        return replace(held, recall=recalled, due=held.mastered and due, rested=self.now - at >= _ONE_DAY)
