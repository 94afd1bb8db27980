"""What of a model's reading counts: what is quoted letter by letter, known to the course, and against nothing exact."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tutoring.understanding.contexts import MOVES, course, lesson, quiz
from tutoring.understanding.context import Context, PastMessage
from tutoring.understanding.message_analysis import (
    INTENTS,
    AnswerGiven,
    ArithmeticClaim,
    ConcernSignal,
    Evidence,
    MessageAnalysis,
)
from tutoring.understanding.model_reading.merge import SURE, UNSURE, MergedAnalysis, merge_reading
from tutoring.understanding.model_reading.schema import ModelReading
from tutoring.understanding.parsing.quotations import find_span, is_separate_value

IDEA = "bigger_bottom_bigger"
MILESTONE = "cf-more-parts-smaller"


def read(
    text: str, own: MessageAnalysis | None = None, context: Context | None = None, **fields: Any
) -> MergedAnalysis:
    reading = ModelReading.model_validate(fields)
    return merge_reading(own or MessageAnalysis(), reading, text, context or lesson(), moves=MOVES)


def reasons(found: MergedAnalysis) -> list[str]:
    return [each.reason for each in found.rejected]


class TestMisconception:
    @pytest.mark.parametrize(
        "text", ["i think 1/8 cuz 8 is biger", "1/8 cuz 8 is biger!!", "I’d say 1/8 cuz 8 is biger"]
    )
    @pytest.mark.parametrize(("sure", "probability"), [(True, SURE), (False, UNSURE)])
    def test_quoted_one_counts_as_sure_as_it_is(self, text: str, sure: bool, probability: float) -> None:
        found = read(text, misconceptions=[{"id": IDEA, "quote": "1/8 cuz 8 is biger", "sure": sure}])
        assert found.analysis.misconceptions == (
            Evidence(id=IDEA, probability=probability, quote="1/8 cuz 8 is biger"),
        )
        assert found.analysis.read_by == "model"

    @pytest.mark.parametrize(
        ("text", "quote", "idea", "reason"),
        [
            ("1/8 cuz 8 is biger", "1/8 because 8 is bigger", IDEA, "not the learner's words"),
            ("1/8 cuz 8 is biger", "cuz 8 is big", IDEA, "not the learner's words"),
            ("1/8 cuz 8 is biger", "1/8 cuz 8 is biger", "the_earth_is_flat", "not a misconception of this concept"),
            ("1/8 cuz 8 is biger", "1/8 cuz 8 is biger", "cancels_digits", "not a misconception of this concept"),
            ("is 1/8 bigger than 1/4?", "1/8 bigger than 1/4", IDEA, "not claimed"),
            ("Leo says 1/8 is bigger than 1/4", "1/8 is bigger than 1/4", IDEA, "not claimed"),
            ("so 1/4 is bigger than 1/8", "1/4 is bigger than 1/8", IDEA, "its arithmetic is right"),
        ],
    )
    def test_what_is_not_said_is_none(self, text: str, quote: str, idea: str, reason: str) -> None:
        found = read(text, misconceptions=[{"id": idea, "quote": quote, "sure": True}])
        assert not found.analysis.misconceptions
        assert reasons(found) == [reason]

    def test_claim_that_holds_in_its_context_is_none(self) -> None:
        own = MessageAnalysis(claims=(ArithmeticClaim(text="1/4 is bigger", statement="1/4 > 1/8", holds=True),))
        found = read("so 1/4 is bigger", own, misconceptions=[{"id": IDEA, "quote": "so 1/4 is bigger", "sure": True}])
        assert reasons(found) == ["its arithmetic is right"]

    def test_embedded_one_stays_beside_it(self) -> None:
        own = MessageAnalysis(misconceptions=(Evidence(id=IDEA, probability=0.97, quote="8 is more"),))
        found = read("8 is more, so 1/8", own, misconceptions=[{"id": IDEA, "quote": "8 is more", "sure": False}])
        assert found.analysis == own

    def test_without_a_lesson_there_is_none(self) -> None:
        found = read("1/8 cuz 8", context=Context(), misconceptions=[{"id": IDEA, "quote": "1/8 cuz 8", "sure": True}])
        assert reasons(found) == ["not a misconception of this concept"]


class TestMilestone:
    SAID = "when more people share one cake everybody gets a smaller bit"

    def test_said_in_words_of_their_own_it_counts(self) -> None:
        found = read(f"oh {self.SAID}", milestones=[{"id": MILESTONE, "quote": self.SAID}])
        assert [(each.id, each.quote) for each in found.analysis.milestones] == [(MILESTONE, self.SAID)]

    @pytest.mark.parametrize(
        ("text", "quote", "reason"),
        [
            (SAID, "gets smaller", "not the learner's words"),
            (SAID, "smaller bit", "too short"),
            (f"why is it that {SAID}?", SAID, "not said in their own words"),
            ("the part gets smaller because more share the same whole", "the part gets smaller because more share the same whole", "not said in their own words"),
            ("more parts, smaller parts, whole, share, bottom, top", "more parts, smaller parts, whole, share, bottom, top", "not said in their own words"),
        ],
    )  # fmt: skip
    def test_what_is_repeated_asked_or_heaped_does_not(self, text: str, quote: str, reason: str) -> None:
        told = (PastMessage(author="team", text="So the part gets smaller because more share the same whole."),)
        found = read(text, context=lesson(history=told), milestones=[{"id": MILESTONE, "quote": quote}])
        assert not found.analysis.milestones
        assert reasons(found) == [reason]

    def test_nor_while_a_misconception_stands_against_it(self) -> None:
        told = {"milestones": [{"id": MILESTONE, "quote": self.SAID}]}
        assert reasons(read(self.SAID, context=lesson(active=frozenset({IDEA})), **told)) == [
            "a misconception contradicts it"
        ]
        both = read(
            f"{self.SAID}, 1/8 cuz 8 is more", misconceptions=[{"id": IDEA, "quote": "1/8 cuz 8 is more"}], **told
        )
        assert reasons(both) == ["a misconception contradicts it"]

    def test_nor_of_another_concept(self) -> None:
        found = read(self.SAID, milestones=[{"id": "oh-many-names", "quote": self.SAID}])
        assert reasons(found) == ["not a milestone of this concept"]


class TestAnswer:
    CONTEXT = quiz("add-like", "al-plain")
    KEY = CONTEXT.prompts[0].instance.key.value  # type: ignore[union-attr]

    def test_span_is_graded_by_code(self) -> None:
        found = read(f"hmm maybe {self.KEY}? i hate this", context=self.CONTEXT, answers=[{"to": 1, "quote": self.KEY}])
        assert found.analysis.answers == (AnswerGiven(to="q1", value=self.KEY, verdict="right", confidence=SURE),)
        found = read("it is 97/98 i guess", context=self.CONTEXT, answers=[{"to": 1, "quote": "97/98"}])
        assert found.analysis.answers[0].verdict == "wrong"

    @pytest.mark.parametrize(
        ("text", "quote", "to", "reason"),
        [
            ("it is 97/98", "{key}", 1, "not the learner's words"),
            ("it is 1{key}", "{key}", 1, "not the learner's words"),
            ("it is 1 {key}", "{key}", 1, "only part of a longer answer"),
            ("it is -{key}", "{key}", 1, "only part of a longer answer"),
            ("it is {key} + 1", "{key}", 1, "only part of a longer answer"),
            ("it is not {key}", "{key}", 1, "not said"),
            ("Leo says it is {key}", "{key}", 1, "not said"),
            ("it is {key}", "{key}", 2, "no question has that number"),
            ("it is easy", "easy", 1, "cannot be graded"),
        ],
    )
    def test_what_is_no_answer_is_dropped(self, text: str, quote: str, to: int, reason: str) -> None:
        text, quote = text.format(key=self.KEY), quote.format(key=self.KEY)
        found = read(text, context=self.CONTEXT, answers=[{"to": to, "quote": quote}])
        assert not found.analysis.answers
        assert reasons(found) == [reason]

    def test_open_words_get_no_verdict(self) -> None:
        found = read("the first pizza because the slices are big", answers=[{"to": 1, "quote": "the first pizza"}])
        assert [(each.value, each.verdict) for each in found.analysis.answers] == [("the first pizza", "none")]

    @pytest.mark.parametrize(
        ("verdict", "confidence", "told", "stands"),
        [
            ("wrong", 0.7, (), False),
            ("partly", 0.7, (), False),
            ("wrong", 0.7, ({"to": 1, "quote": "yep same"},), True),
            ("wrong", 1.0, (), True),
            ("right", 0.7, (), True),
        ],
    )
    def test_guess_on_open_words_stands_where_the_model_agrees_that_they_answer(
        self, verdict: Any, confidence: float, told: tuple[dict[str, Any], ...], stands: bool
    ) -> None:
        asked = lesson().prompts[0].id
        given = AnswerGiven(to=asked, value="yep same", verdict=verdict, confidence=confidence)
        found = read("yep same", MessageAnalysis(answers=(given,)), answers=told).analysis
        assert (given in found.answers) is stands

    def test_quoted_value_is_compared_with_the_known_answer(self) -> None:
        context = lesson()
        asked = replace(context.prompts[0], known="1/4")
        found = read(
            "the other one, 1/4", context=replace(context, prompts=(asked,)), answers=[{"to": 1, "quote": "1/4"}]
        )
        assert [(each.value, each.verdict) for each in found.analysis.answers] == [("1/4", "right")]


class TestRest:
    def test_sum_is_found_in_the_wish(self) -> None:
        told = {"intents": [{"intent": "calculate", "probability": 0.9}], "wish": "help me with 1/2 + 1/3"}
        assert read("can u help me with 1/2 + 1/3 its homework", **told).analysis.sum == "1/2 + 1/3"

    def test_intents_take_the_place_of_embedded_ones(self) -> None:
        own = MessageAnalysis(intents=(("nonsense", 0.3),), is_unsure=True)
        told = [{"intent": "question_meta", "probability": 0.9}, {"intent": "small_talk", "probability": 0.2}]
        found = read("are u a real person", own, intents=told).analysis
        assert found.intents == (("question_meta", 0.9), ("small_talk", 0.2))
        assert not found.is_unsure

    def test_exact_command_stays(self) -> None:
        own = MessageAnalysis(intents=(("go_on", 1.0),))
        found = read("next", own, intents=[{"intent": "insult", "probability": 1.0}])
        assert found.analysis.intents == own.intents
        assert reasons(found) == ["exact"]

    def test_model_is_never_exact(self) -> None:
        found = read("next then", intents=[{"intent": "go_on", "probability": 1.0}])
        assert found.analysis.intents[0][1] < 1

    def test_concern_of_a_model_is_asked_about_and_raises_no_alarm(self) -> None:
        text = "i dont want to be here anymore lol"
        told = {"kind": "harm_to_self", "quote": "i dont want to be here anymore"}
        found = read(text, concern=told, intents=[{"intent": "safety", "probability": 0.9}])
        assert found.analysis.concern == ConcernSignal(kind="harm_to_self", confidence=UNSURE, is_sure=False)
        assert found.analysis.intent == "safety"
        unsure = MessageAnalysis(concern=ConcernSignal(kind="harm_to_self", confidence=0.4, is_sure=False))
        concern = read(text, unsure, concern=told).analysis.concern
        assert concern is not None
        assert concern.is_sure

    def test_concern_without_words_is_none(self) -> None:
        found = read(
            "hi", concern={"kind": "danger_now", "quote": "help me"}, intents=[{"intent": "safety", "probability": 1}]
        )
        assert found.analysis.concern is None
        assert not found.analysis.intents

    @pytest.mark.parametrize(
        ("mood", "probability", "taken"), [("ok", 0.9, True), ("bored", 0.4, True), ("bored", 0.9, False)]
    )
    def test_mood_is_taken_where_the_embedded_one_is_ok_or_unsure(
        self, mood: Any, probability: float, taken: bool
    ) -> None:
        own = MessageAnalysis(mood=mood, mood_probability=probability)
        assert (read("my grandma died", own, feeling="sad").analysis.mood == "sad") is taken

    def test_wish_and_its_topic_are_kept(self) -> None:
        text = "can we do number lines instead"
        told = {
            "intents": [{"intent": "change_topic", "probability": 0.9}],
            "wish": text,
            "topic": "fractions/number-line",
        }
        found = read(text, **told).analysis
        assert found.asks is not None
        assert (found.asks.text, found.asks.topic) == (text, "number-line")
        assert [(each.concept, each.is_sure) for each in found.names] == [("number-line", False)]
        assert reasons(read(text, **(told | {"topic": "fractions/war"}))) == ["no such topic"]

    def test_only_an_allowed_move_is_chosen(self) -> None:
        assert read("hm", move="hint").move == "hint"
        assert read("hm", move="give_full_marks").move is None

    def test_passages_that_are_not_there_answer_nothing(self) -> None:
        assert read("hm", answered_by_passages=True).answered_by_passages is None
        reading = ModelReading(answered_by_passages=False)
        assert merge_reading(MessageAnalysis(), reading, "hm", lesson(), passages=2).answered_by_passages is False


PIECES = (
    "1/8",
    "cuz 8 is bigger",
    "3/4",
    "so",
    "Ä’s",
    "more share one cake",
    "everybody gets a smaller bit",
    "?",
    "is",
    "not",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
QUOTES = st.one_of(TEXTS, st.text(max_size=20))
IDS = st.sampled_from([*list(course().misconceptions)[:12], MILESTONE, "oh-many-names", "", "x"])
READINGS = st.fixed_dictionaries(
    {
        "intents": st.lists(
            st.fixed_dictionaries({"intent": st.sampled_from(INTENTS), "probability": st.floats(0, 1)}), max_size=5
        ),
        "wish": QUOTES,
        "topic": st.sampled_from(["", "fractions/one-half", "fractions/x", "/", "y"]),
        "feeling": st.sampled_from(["ok", "sad", "bored"]),
        "answers": st.lists(st.fixed_dictionaries({"to": st.integers(-1, 3), "quote": QUOTES}), max_size=3),
        "misconceptions": st.lists(
            st.fixed_dictionaries({"id": IDS, "quote": QUOTES, "sure": st.booleans()}), max_size=3
        ),
        "milestones": st.lists(st.fixed_dictionaries({"id": IDS, "quote": QUOTES}), max_size=3),
        "concern": st.fixed_dictionaries(
            {"kind": st.sampled_from(["none", "danger_now", "harm_to_self"]), "quote": QUOTES}
        ),
        "answered_by_passages": st.sampled_from([None, True, False]),
        "move": st.sampled_from(["", "hint", "free_marks"]),
    }
)
CONTEXTS = st.sampled_from([lesson(), TestAnswer.CONTEXT, Context(), lesson(active=frozenset({IDEA}))])


@settings(max_examples=150, deadline=None)
@given(TEXTS, READINGS, CONTEXTS)
def test_no_quote_that_is_not_in_the_text_survives(text: str, fields: dict[str, Any], context: Context) -> None:
    found = read(text, context=context, **fields).analysis
    quotes = [each.quote for each in (*found.misconceptions, *found.milestones, *found.names)]
    quotes += [each.value for each in found.answers] + ([found.asks.text] if found.asks else [])
    assert all(quote and quote in text for quote in quotes)
    concept = context.concept.id if context.concept else ""
    assert all(concept in course().misconceptions[each.id].concepts for each in found.misconceptions)
    assert found.concern is None or not found.concern.is_sure
    assert len(found.intents) <= 3


@settings(max_examples=100, deadline=None)
@given(TEXTS, READINGS, CONTEXTS)
def test_nothing_exact_is_overruled(text: str, fields: dict[str, Any], context: Context) -> None:
    own = MessageAnalysis(
        intents=(("answer", 1.0),),
        answers=(
            AnswerGiven(
                to=context.prompts[0].id if context.prompts else "p", value="3/4", verdict="right", confidence=1.0
            ),
        ),
        claims=(ArithmeticClaim(text="3/4", statement="3/4 = 6/8", holds=True),),
        concern=ConcernSignal(kind="harm_by_others", confidence=0.9),
    )
    found = read(text, own, context, **fields).analysis
    assert (found.intents, found.claims, found.concern) == (own.intents, own.claims, own.concern)
    assert found.answers[0] == own.answers[0]
    vague = replace(own, intents=(("idea", 0.6), ("answer", 0.5)), concern=None)
    assert read(text, vague, context, **fields).analysis.wants("answer")


@given(st.text(max_size=30), st.text(max_size=5))
def test_span_is_a_span(text: str, quote: str) -> None:
    span = find_span(quote, text)
    assert span is None or (span and span in text)


def test_number_in_a_longer_one_stands_not_alone() -> None:
    assert is_separate_value("3/4", "well, 3/4 I think")
    assert is_separate_value("3/4", "6/8 = 3/4.")
    assert not is_separate_value("3/4", "2 and 3/4")
