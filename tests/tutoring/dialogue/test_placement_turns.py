"""A placement between its turns: begun, answered, stopped, stored, and begun anew."""

import json
from collections import Counter
from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tutoring.lesson.placement import PLACEMENT_KEY, Placement, placement_of, placement_to_json
from tutoring.mastery import placement as rules
from tutoring.mastery.knowledge_tracing import PLACEMENT_CEILING, PLACEMENT_FLOOR
from tutoring.mastery.placement import PlacementAnswer

REQUIRES = {
    "parts": (), "half": ("parts",), "unit": ("parts",), "compare": ("half", "unit"),
    "like": ("unit",), "common": ("compare",), "unlike": ("like", "common"),
}  # fmt: skip
GUESSES = dict.fromkeys(REQUIRES, 0.08) | {"half": 0.33}
ENDINGS = {"settled", "cap", "novice", "stopped"}


class AnyPlacement(RuleBasedStateMachine):
    """Whatever is answered, and whenever it is stopped, few questions are asked, and it ends once."""

    def __init__(self) -> None:
        super().__init__()
        self.placement = Placement()
        self.asked = ""
        """The concept whose question waits."""

    @property
    def known(self) -> dict[str, float]:
        return rules.marginals(rules.knowledge_pool(REQUIRES), self.placement.answers)

    @precondition(lambda self: not self.placement.under_way)
    @rule()
    def begins(self) -> None:
        self.placement, self.asked = Placement(topic="unlike"), ""

    @precondition(lambda self: self.placement.under_way and not self.asked)
    @rule()
    def asks(self) -> None:
        asked = rules.next_concept(self.known, self.placement.answers, guesses=GUESSES)
        ended = rules.placement_ending(self.known, self.placement.answers) or ("" if asked else "settled")
        self.placement, self.asked = replace(self.placement, ended=ended), "" if ended else asked or ""

    @precondition(lambda self: self.asked)
    @rule(correct=st.sampled_from([True, False, None]))
    def is_answered(self, correct: bool | None) -> None:
        answer = PlacementAnswer(concept=self.asked, correct=correct, guess=GUESSES[self.asked])
        self.placement, self.asked = replace(self.placement, answers=(*self.placement.answers, answer)), ""

    @precondition(lambda self: self.placement.under_way)
    @rule()
    def is_stopped(self) -> None:
        self.placement, self.asked = replace(self.placement, ended="stopped"), ""

    @invariant()
    def is_as_it_was_stored(self) -> None:
        stored = json.loads(json.dumps({PLACEMENT_KEY: placement_to_json(self.placement)}))
        assert placement_of(stored) == self.placement

    @invariant()
    def asks_little(self) -> None:
        answers = self.placement.answers
        assert len(answers) + bool(self.asked) <= rules.MAX_QUESTIONS
        asked = Counter([answer.concept for answer in answers] + [self.asked] * bool(self.asked))
        assert max(asked.values(), default=0) <= rules.MAX_PER_CONCEPT

    @invariant()
    def begins_nowhere_for_certain(self) -> None:
        begun = rules.starting_probabilities(self.known, ending="novice" if self.placement.ended == "novice" else None)
        assert all(PLACEMENT_FLOOR <= each <= PLACEMENT_CEILING for each in begun.values())

    @invariant()
    def ends_in_a_way_of_its_own(self) -> None:
        assert self.placement.ended in ENDINGS | {""}
        assert not (self.placement.ended and self.asked)


AnyPlacement.TestCase.settings = settings(max_examples=12, stateful_step_count=45, deadline=None)
TestAnyPlacement = AnyPlacement.TestCase
