"""Merges a model's reading into the embedded analysis: code checks each field of the reading, or drops it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tutoring.courses.catalogue import Milestone, Misconception
from tutoring.grading import TextKey, grade
from tutoring.understanding.context import Context, Prompt
from tutoring.understanding.message import make_message
from tutoring.understanding.message_analysis import (
    AnswerGiven,
    ArithmeticClaim,
    ConcernSignal,
    Evidence,
    Intent,
    MessageAnalysis,
    Mood,
    NamedTopic,
    QuestionAsked,
    ReplyVerdict,
)
from tutoring.understanding.model_reading.schema import EXACT, AllowedMove, ConcernRead, ModelReading, is_exact
from tutoring.understanding.parsing import arithmetic, assertions
from tutoring.understanding.parsing.quotations import find_span, is_keyword_list, is_separate_value, span_stances
from tutoring.understanding.parsing.repetition import is_repeated
from tutoring.understanding.parsing.requested_calculation import find_requested_calculation, is_open_calculation
from tutoring.understanding.replies import known_answers

# Conventions, not measurements: a sure reading stays below exact parsing, an unsure one just reaches SUSPECTED (.5).
SURE: Final = 0.9
"""Confidence of a sure reading with a literal quote."""
UNSURE: Final = 0.5
# A model's mood is reported with .7: moods without a quote are weak evidence. Chosen by hand.
MOOD_READ_FROM: Final = 0.7
# Just above the threshold of moods (.76): a clear embedded mood is not overruled.
MOOD_SURE_FROM: Final = 0.8
"""Probability from which the embedded mood stays, whatever the model says."""
# Models list every intent they can think of; more than three never changed what was done. Chosen by hand.
MOST_INTENTS: Final = 3
# Below it an intent is padding. Chosen by hand.
LEAST_PROBABILITY: Final = 0.1
# The threshold `intent` of the embedded head, so that both are unsure alike.
SURE_INTENT: Final = 0.5
"""Below this probability of its likeliest intent the model is unsure too."""
# "equal parts" repeats a term; a milestone needs a statement, "parts are equal". Chosen by hand.
FEWEST_WORDS: Final = 3
"""Words that a milestone's quote must have."""
ASKING: Final[frozenset[Intent]] = frozenset(
    {
        "question_content", "question_meta", "ask_answer", "ask_hint", "ask_example", "ask_quiz", "calculate",
        "tool_request", "progress", "plan", "change_topic", "goal", "off_topic",
    }
)  # fmt: skip
"""Intents that ask for something: their quoted wish is kept."""
NAMING: Final[frozenset[Intent]] = frozenset({"change_topic", "goal", "ask_quiz"})
_VERDICTS: Final[dict[str, ReplyVerdict]] = {
    "correct": "right", "equivalent_not_in_form": "partly", "partial": "partly", "wrong": "wrong", "sign_error": "wrong",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedField:
    """A field of a reading that was dropped, for the record."""

    field: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedAnalysis:
    """The merged analysis, and the move that the model chose."""

    analysis: MessageAnalysis
    move: str | None = None
    """The id of one of the allowed moves; None if the model chose none of them."""
    answered_by_passages: bool | None = None
    """None if no passages were found, or the model does not say."""
    rejected: tuple[RejectedField, ...] = ()


def merge_reading(
    analysis: MessageAnalysis,
    reading: ModelReading,
    text: str,
    context: Context,
    *,
    moves: Sequence[AllowedMove] = (),
    passages: int = 0,
) -> MergedAnalysis:
    """Return the analysis with the valid fields of the reading, and the rejected ones with reasons. Pure; never raises.

    Exact results stay: claims, graded answers, a command, a sure concern. `passages` is the number shown to the model.
    """
    check = _ReadingCheck(analysis, reading, text, context)
    concern = check.concern()
    answers = check.answers()
    misconceptions = check.misconceptions()
    intents = check.intents(concern)
    mood = check.mood()
    asks, names = check.wish(intents)
    wanted = analysis.sum or check.sum(intents)
    read = replace(
        analysis,
        intents=intents,
        sum=wanted,
        is_open_sum=analysis.is_open_sum if wanted == analysis.sum else is_open_calculation(wanted, context),
        concern=concern,
        answers=answers,
        misconceptions=misconceptions,
        milestones=check.milestones(misconceptions),
        mood=mood[0],
        mood_probability=mood[1],
        asks=asks,
        names=names,
        is_unsure=analysis.is_unsure if intents == analysis.intents else intents[0][1] < SURE_INTENT,
    )
    read = replace(read, read_by="model") if read != analysis else analysis
    return MergedAnalysis(
        analysis=read,
        move=check.move(moves),
        answered_by_passages=reading.answered_by_passages if passages else None,
        rejected=tuple(check.rejected),
    )


class _ReadingCheck:
    """Checks one reading field by field, and records what it drops."""

    def __init__(self, analysis: MessageAnalysis, reading: ModelReading, text: str, context: Context) -> None:
        self.analysis = analysis
        self.reading = reading
        self.text = text
        self.context = context
        self.rejected: list[RejectedField] = []

    def drop(self, field: str, value: object, reason: str) -> None:
        self.rejected.append(RejectedField(field=field, value=str(value)[:200], reason=reason))

    def intents(self, concern: ConcernSignal | None) -> tuple[tuple[Intent, float], ...]:
        """Return the model's intents, unless exact parsing decided; a graded answer stays an answer."""
        own = self.analysis.intents
        if is_exact(self.analysis) or (self.analysis.concern is not None and self.analysis.concern.is_sure):
            for each in self.reading.intents:
                if each.intent not in dict(own):
                    self.drop("intents", each.intent, "exact")
            return own
        told: dict[Intent, float] = {}
        for each in sorted(self.reading.intents, key=lambda each: -each.probability)[:MOST_INTENTS]:
            if each.intent == "safety" and concern is None:
                self.drop("intents", each.intent, "no concern")
            elif each.probability < LEAST_PROBABILITY:
                self.drop("intents", each.intent, "unlikely")
            else:
                # Only code may be exact: a model's 1.0 becomes .99.
                told.setdefault(each.intent, min(each.probability, EXACT - 0.009))
        if not told:
            return own
        if "answer" not in told and any(each.verdict != "none" for each in self.analysis.answers):
            told["answer"] = dict(own).get("answer", UNSURE)
        return tuple(sorted(told.items(), key=lambda each: -each[1]))

    def concern(self) -> ConcernSignal | None:
        """Return the embedded concern, sure if the model agrees; without one, the model's own as unsure."""
        own, told = self.analysis.concern, self.reading.concern
        if told.kind == "none" or (own is not None and own.is_sure):
            return own
        if find_span(told.quote, self.text) is None:
            self.drop("concern", told.kind, "not the learner's words")
            return own
        return _concern(own, told)

    def answers(self) -> tuple[AnswerGiven, ...]:
        """Return the embedded answers, and those that the model found, graded by code.

        An embedded verdict on open words is a guess: it counts only if the model also takes them for that answer.
        """
        told_of = {prompt.id for number, prompt in enumerate(self.context.prompts, start=1) if self._is_told(number)}
        guessed = {prompt.id for prompt in self.context.prompts if _is_open(prompt)} - told_of
        stands = (each for each in self.analysis.answers if each.to not in guessed or _is_certain(each))
        found = {each.to: each for each in stands}
        for told in self.reading.answers:
            given = self._answer(told.to, told.quote)
            if isinstance(given, str):
                self.drop("answers", f"{told.to}: {told.quote}", given)
            elif given.to in found and (found[given.to].verdict != "none" or given.verdict == "none"):
                if given.value != found[given.to].value:
                    self.drop("answers", f"{told.to}: {told.quote}", "already known")
            else:
                found[given.to] = given
        return tuple(found.values())

    def _is_told(self, number: int) -> bool:
        return any(each.to == number for each in self.reading.answers)

    def _answer(self, number: int, quote: str) -> AnswerGiven | str:
        """Return the answer, or the reason why it is rejected."""
        if not 1 <= number <= len(self.context.prompts):
            return "no question has that number"
        prompt = self.context.prompts[number - 1]
        span = find_span(quote, self.text)
        if span is None:
            return "not the learner's words"
        if span_stances(span, self.text) & {"denied", "quoted"}:
            return "not said"
        if _is_open(prompt):
            known = known_answers.compare_reply(make_message(span), prompt.text, prompt.known) if prompt.known else None
            if known is not None:
                return AnswerGiven(to=prompt.id, value=span, verdict=known.verdict, confidence=SURE)
            return AnswerGiven(to=prompt.id, value=span, verdict="none", confidence=UNSURE)
        assert prompt.instance is not None
        if not is_separate_value(span, self.text):
            return "only part of a longer answer"
        verdict = _VERDICTS.get(grade(prompt.instance.key, span).verdict)
        if verdict is None:
            return "cannot be graded"
        return AnswerGiven(to=prompt.id, value=span, verdict=verdict, confidence=SURE)

    def misconceptions(self) -> tuple[Evidence, ...]:
        """Return the embedded misconceptions and the model's, each with the higher probability of the two."""
        found = {each.id: each for each in self.analysis.misconceptions}
        for told in self.reading.misconceptions:
            span = find_span(told.quote, self.text)
            if span is None or (reason := self._against_misconception(told.id, span)):
                self.drop("misconceptions", told.id, "not the learner's words" if span is None else reason)
                continue
            _keep(found, Evidence(id=told.id, probability=SURE if told.sure else UNSURE, quote=span))
        return _by_probability(found)

    def _against_misconception(self, idea: str, span: str) -> str:
        if idea not in {each.id for each in _misconceptions(self.context)}:
            return "not a misconception of this concept"
        if span_stances(span, self.text) - {"claimed"}:
            return "not claimed"
        beside = list(_beside(span, self.analysis.claims))
        holds: list[bool | None] = [each.holds for each in beside] or [
            arithmetic.claims_hold(assertions.plain_text(span))
        ]
        if True in holds and False not in holds:
            return "its arithmetic is right"
        right = (each.value for each in self.analysis.answers if each.verdict == "right")
        return "the answer is right" if any(span in value for value in right) else ""

    def milestones(self, misconceptions: Collection[Evidence]) -> tuple[Evidence, ...]:
        """Return the embedded evidence of milestones and the model's."""
        found = {each.id: each for each in self.analysis.milestones}
        wrong = {each.id for each in misconceptions if each.probability >= UNSURE}
        for told in self.reading.milestones:
            span = find_span(told.quote, self.text)
            if span is None or (reason := self._against_milestone(told.id, span, wrong)):
                self.drop("milestones", told.id, "not the learner's words" if span is None else reason)
                continue
            _keep(found, Evidence(id=told.id, probability=SURE, quote=span))
        return _by_probability(found)

    def _against_milestone(self, name: str, span: str, wrong: Collection[str]) -> str:
        milestone = next((each for each in _milestones(self.context) if each.id == name), None)
        if milestone is None:
            return "not a milestone of this concept"
        if {*wrong, *self.context.active} & set(milestone.contradicts):
            return "a misconception contradicts it"
        if len(span.split()) < FEWEST_WORDS:
            return "too short"
        words = assertions.plain_text(span)
        if (
            span_stances(span, self.text) & {"asked", "quoted"}
            or is_repeated(words, self.context)
            or is_keyword_list(words)
        ):
            return "not said in their own words"
        beside = _beside(span, self.analysis.claims)
        return "" if all(each.holds for each in beside) else "its arithmetic is wrong"

    def mood(self) -> tuple[Mood, float]:
        """Return the mood with its probability: the model's if the embedded one is ok or unsure."""
        own: tuple[Mood, float] = (self.analysis.mood, self.analysis.mood_probability)
        if own[0] == self.reading.feeling:
            return own
        if own[0] != "ok" and own[1] >= MOOD_SURE_FROM:
            self.drop("feeling", self.reading.feeling, "already known")
            return own
        return self.reading.feeling, MOOD_READ_FROM

    def wish(self, intents: Sequence[tuple[Intent, float]]) -> tuple[QuestionAsked | None, tuple[NamedTopic, ...]]:
        """Return the question or wish, and the topic it names."""
        asks, names = self.analysis.asks, self.analysis.names
        wanted = {intent for intent, _probability in intents}
        span = find_span(self.reading.wish, self.text)
        if self.reading.wish and span is None:
            self.drop("wish", self.reading.wish, "not the learner's words")
        if span is None or not wanted & ASKING:
            return asks, names
        course, _, concept = self.reading.topic.partition("/")
        if self.reading.topic and not self._is_topic(course, concept):
            self.drop("topic", self.reading.topic, "no such topic")
            course = concept = ""
        if asks is None:
            asks = QuestionAsked(text=span, topic=concept)
        elif not asks.topic:
            asks = replace(asks, topic=concept)
        if concept and wanted & NAMING and not any(each.concept for each in names):
            names = (NamedTopic(course=course, concept=concept, quote=span, is_sure=False),)
        return asks, names

    def _is_topic(self, course: str, concept: str) -> bool:
        courses = (*self.context.courses, *([self.context.course] if self.context.course else []))
        return any(each.id == course and any(concept == one.id for one in each.concepts) for each in courses)

    def sum(self, intents: Sequence[tuple[Intent, float]]) -> str:
        """Return the requested calculation in the quoted wish."""
        asks = any(intent in ("calculate", "question_content") for intent, _probability in intents)
        span = find_span(self.reading.wish, self.text) if asks and self.reading.wish else None
        return find_requested_calculation(span) if span is not None else ""

    def move(self, moves: Sequence[AllowedMove]) -> str | None:
        if self.reading.move in {each.id for each in moves}:
            return self.reading.move
        if self.reading.move:
            self.drop("move", self.reading.move, "not allowed")
        return None


def _is_open(prompt: Prompt) -> bool:
    """Tell whether a prompt is answered in open words, which are not graded here."""
    return prompt.instance is None or isinstance(prompt.instance.key, TextKey)


def _is_certain(given: AnswerGiven) -> bool:
    """Tell whether an answer was parsed exactly or is right, so that a model cannot overrule it."""
    return given.confidence >= EXACT or given.verdict == "right"


def _concern(own: ConcernSignal | None, told: ConcernRead) -> ConcernSignal:
    assert told.kind != "none"
    if own is None:
        return ConcernSignal(kind=told.kind, confidence=UNSURE, is_sure=False)
    return replace(own, is_sure=True, confidence=max(own.confidence, SURE)) if own.kind == told.kind else own


def _beside(span: str, made: Sequence[ArithmeticClaim]) -> Iterator[ArithmeticClaim]:
    """Yield the numeric claims that a span contains, or is part of."""
    return (each for each in made if each.text and (each.text in span or span in each.text))


def _misconceptions(context: Context) -> Iterator[Misconception]:
    if context.course is not None and context.concept is not None:
        known = context.course.misconceptions.values()
        yield from (each for each in known if context.concept.id in each.concepts)


def _milestones(context: Context) -> tuple[Milestone, ...]:
    return context.concept.milestones if context.concept is not None else ()


def _keep(found: dict[str, Evidence], new: Evidence) -> None:
    if new.id not in found or found[new.id].probability < new.probability:
        found[new.id] = new


def _by_probability(found: dict[str, Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(found.values(), key=lambda each: -each.probability))
