"""Simulated learners, and a tutor who sees only their answers."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

from bench.teaching.graphs import Graph
from tutoring.mastery.knowledge_tracing import (
    REFERENCE_KNOWN,
    AbilityEstimate,
    Belief,
    DifficultyOffset,
    belief_after_practice,
    difficulty_offset,
    guess_chance,
    initial_belief,
    is_mastered,
    logit,
    observe,
    predict_answer,
)
from tutoring.mastery.learning_path import ConceptStanding, doubted_probability
from tutoring.mastery.sittings import EMPTY_SITTING, Sitting
from tutoring.mastery.spaced_review import MISSED_REVIEW_CEILING
from tutoring.mastery.template_selection import TemplateCandidate, choose_template

LEARN, WITHOUT_PREREQUISITE, FORGET = 0.25, 0.15, 0.003
"""Chance to learn from a question where all it rests on is known; factor for each part missing; chance to forget."""
MAX_QUESTIONS = 900
"""Questions after which a way counts as lost."""
BANK = tuple((kind, difficulty) for difficulty in ("easy", "medium", "hard") for kind in ("numeric", "choice4"))
"""The items of each concept: how they are answered, and how hard they are."""


@dataclass(kw_only=True)
class SimulatedLearner:
    """What a learner truly knows, and how that changes with every question."""

    graph: Graph
    known: dict[str, bool]
    rng: Random

    def answers(self, concept: str, kind: str, difficulty: str) -> bool:
        """Return whether the learner is right, and let them learn from it."""
        base = REFERENCE_KNOWN if self.known[concept] else guess_chance(kind)
        right = self.rng.random() < 1 / (1 + math.exp(-logit(base) - 1.5 * difficulty_offset(difficulty)))
        self.meets(concept)
        return right

    def meets(self, concept: str) -> None:
        """Let the learner have an opportunity to learn the concept: an answer with its solution, or an explanation."""
        if self.known[concept]:
            self.known[concept] = self.rng.random() >= FORGET
            return
        missing = sum(not self.known[each] for each in self.graph[concept])
        self.known[concept] = self.rng.random() < LEARN * WITHOUT_PREREQUISITE**missing


@dataclass(kw_only=True)
class Tutor:
    """What is believed of one pupil by the product's own rules."""

    pupil: SimulatedLearner
    budget: int = MAX_QUESTIONS
    """How many questions may be asked."""
    beliefs: dict[str, Belief] = field(default_factory=dict)
    mastered: set[str] = field(default_factory=set)
    ability: AbilityEstimate = field(default_factory=AbilityEstimate)
    asked: int = 0
    recent: dict[str, list[str]] = field(default_factory=dict)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)

    def belief(self, concept: str) -> Belief:
        return self.beliefs.get(concept) or initial_belief(self.ability)

    @property
    def may_ask(self) -> bool:
        return self.asked < self.budget

    def explain(self, concept: str) -> None:
        """Explain, as before each quiz, and have it said back: one more opportunity to learn."""
        self.pupil.meets(concept)
        self.beliefs[concept] = belief_after_practice(self.belief(concept))

    def ask(self, concept: str) -> bool:
        """Ask the quiz's next question on the concept; return whether the answer was right."""
        belief = self.belief(concept)
        item = self._chosen(concept, belief)
        kind, difficulty = BANK[item]
        right = self.pupil.answers(concept, kind, difficulty)
        update = observe(
            belief,
            ability=self.ability,
            item=_OFFSETS[difficulty],
            correct=right,
            kind=kind,
            template=str(item),
            assisted=False,
        )
        self.beliefs[concept], self.ability = update.belief, update.ability
        self.asked += 1
        if is_mastered(update.belief):
            self.mastered.add(concept)
        return right

    def doubt(self, concept: str) -> None:
        """Take back that the concept was mastered: it has to be shown again."""
        belief = self.belief(concept)
        self.beliefs[concept] = replace(
            belief, probability=doubted_probability(belief.probability), answers=max(1, belief.answers)
        )
        self.mastered.discard(concept)

    @property
    def sitting(self) -> Sitting:
        """What counts for looking back: nothing, since all is on one day."""
        return EMPTY_SITTING

    def standings(self) -> dict[str, ConceptStanding]:
        """Return what is believed, as the path planner takes it."""
        return {
            concept: ConceptStanding(
                probability=(belief := self.belief(concept)).probability,
                answers=belief.answers,
                mastered=concept in self.mastered,
            )
            for concept in self.pupil.graph
        }

    def look_back(self, concept: str) -> bool:
        """Ask one question on what was mastered before, and return whether the answer was right."""
        right = self.ask(concept)
        if not is_mastered(self.belief(concept)):
            self.mastered.discard(concept)
        return right

    def review(self, concept: str) -> None:
        """Ask it as a review: what is missed there is practised again."""
        if not self.look_back(concept):
            belief = self.belief(concept)
            self.beliefs[concept] = replace(belief, probability=min(belief.probability, MISSED_REVIEW_CEILING))
            self.mastered.discard(concept)

    def _chosen(self, concept: str, belief: Belief) -> int:
        candidates = []
        for item, (kind, difficulty) in enumerate(BANK):
            expected = predict_answer(belief, ability=self.ability, item=_OFFSETS[difficulty], kind=kind)
            candidates.append(
                TemplateCandidate(
                    template=str(item),
                    predicted=expected.predicted,
                    answers=self.met[concept, str(item)],
                    information=expected.information,
                )
            )
        recent = self.recent.setdefault(concept, [])
        recent.append(choose_template(candidates, recent=recent, purpose="quiz"))
        self.met[concept, recent[-1]] += 1
        return int(recent[-1])


_OFFSETS = {difficulty: DifficultyOffset(offset=difficulty_offset(difficulty)) for _, difficulty in BANK}
