"""The misconception classifier: which of a course's misconceptions a message or an answer shows, and how surely.

A message is analyzed once, in the turn; an answer on a card is judged here.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.courses.catalogue import Misconception
from tutoring.mastery.diagnosis import likelihoods
from tutoring.mastery.diagnosis.classifier import CHANCE_BEHIND_RIGHT, chance_of_none
from tutoring.mastery.diagnosis.similar_answers import MATCHES_SHOWN
from tutoring.mastery.misconception_evidence import SUSPECTED, WORTH_PROBING, first_suspicion
from tutoring.side_agents.case_prompts import format_case, quotes_in
from tutoring.side_agents.utterance_facts import OverheardUtterance
from tutoring.understanding.message_analysis import Intent
from tutoring.understanding.parsing.quotations import find_span, span_stances
from tutoring.understanding.parsing.quoting import quote_words

NAME: Final = "misconception"
# e³ ≈ 20: a strong earlier suspicion tips an ambiguous answer and cannot outweigh a malrule (4.6). Chosen by hand.
HELD_BEFORE: Final = 3.0
"""The most, in log odds, that earlier suspicions count for or against a misconception behind an answer."""
# At most 16 (squared), below a malrule's 30 (misconception_evidence). Chosen by hand.
MODEL_RATIO: Final = 4.0
"""How much likelier a misconception is that a model names; squared if the model is sure. Published: 75–84 % right."""
# A model that finds none is weaker evidence than one that names an idea. Chosen by hand.
MODEL_NONE_RATIO: Final = 1 / 3
CLAIMING: Final[tuple[Intent, ...]] = ("answer", "idea", "disagree", "dont_know")
"""Acts of a message that may assert something about the topic."""
# Chosen by hand: words hide more ideas from the patterns than an answer hides from the malrules.
UNTHOUGHT, UNLIKELY = 0.12, 0.02
"""The prior chance of a misconception that only a model names: for a message, for an answer."""


class MisconceptionOutput(BaseModel):
    """The fields of the API, and the three likeliest misconceptions with their chances.

    `confidence` is that of `misconception_type`; if it is null, that there is none.
    """

    model_config = ConfigDict(extra="forbid")

    misconception_detected: bool
    misconception_type: str | None = None
    confidence: float = Field(ge=0, le=1)
    evidence: str | None = None
    intervention_suggestion: str | None = None
    corrective_concept: str | None = None
    top3: SkipJsonSchema[list[tuple[str, float]]] = []


def judge(facts: OverheardUtterance) -> MisconceptionOutput:
    """Return the misconception that shows, if any. Pure; some milliseconds, a second on the first call."""
    if facts.kind == "answer" and facts.correct:
        return MisconceptionOutput(misconception_detected=False, confidence=1 - CHANCE_BEHIND_RIGHT)
    return _of_answer(facts) if facts.kind == "answer" else _of_message(facts)


def _of_message(facts: OverheardUtterance) -> MisconceptionOutput:
    """Return what the message itself shows: earlier suspicions do not attach to a new sentence."""
    known = facts.course.misconceptions
    found = facts.analysis.misconceptions if facts.analysis else ()
    quotes = [each for each in found if each.id in known and find_span(each.quote, facts.text)]
    shown = [each for each in quotes if not _is_right_of(known[each.id], facts)]
    return output_of(
        {each.id: each.probability for each in shown},
        known=known,
        evidence={each.id: _("Said: “%(words)s”") % {"words": quote_words(each.quote)} for each in shown},
    )


def _is_right_of(idea: Misconception, facts: OverheardUtterance) -> bool:
    """Tell whether the drawing makes a claim right: "these two are halves", about equal parts."""
    return idea.right_of_equal_parts and facts.seen is not None and facts.seen.shows_equal_parts


def _of_answer(facts: OverheardUtterance) -> MisconceptionOutput:
    course = facts.course
    found = likelihoods.answer_log_odds(facts.question, facts.answer, course=course, concept=facts.concept.id)
    said = {"words": quote_words(facts.answer), "question": quote_words(facts.question)}
    return output_of(
        likelihoods.chances({idea: logit + _prior_log_odds(idea, facts) for idea, logit in found.items()}),
        known=course.misconceptions,
        evidence=dict.fromkeys(found, _("Answered “%(words)s” to this question: %(question)s") % said),
    )


def output_of(
    chances: Mapping[str, float], *, known: Mapping[str, Misconception], evidence: Mapping[str, str]
) -> MisconceptionOutput:
    """Return the chances of misconceptions as the classifier's output."""
    first = sorted((idea for idea in chances if chances[idea] > 0), key=lambda idea: (-chances[idea], idea))[
        :MATCHES_SHOWN
    ]
    top3 = [(idea, round(chances[idea], 4)) for idea in first]
    sure = top3[0][1] if top3 else 0.0
    if sure < SUSPECTED:
        return MisconceptionOutput(misconception_detected=False, confidence=chance_of_none(chances.items()), top3=top3)
    idea = known[first[0]]
    return MisconceptionOutput(
        misconception_detected=True,
        misconception_type=first[0],
        confidence=sure,
        evidence=evidence.get(first[0]),
        intervention_suggestion=suggest_intervention(idea),
        corrective_concept=idea.correct_idea or None,
        top3=top3,
    )


def evidence_quote(facts: OverheardUtterance, idea: str) -> str:
    """Return the words that show a misconception: the quote in the message, otherwise all that was said or answered."""
    found = facts.analysis.misconceptions if facts.analysis else ()
    return next((each.quote for each in found if each.id == idea), facts.text or facts.answer)


def suggest_intervention(idea: Misconception) -> str:
    """Return what may help against a misconception: a case in which it fails."""
    case = " ".join(" ".join(block.split()) for block in idea.contrast.blocks if isinstance(block, str))
    if case:
        return _("Try a case where this idea fails: %(case)s") % {"case": case}
    return _("Ask how they got their answer, then try a case where this idea fails: %(idea)s") % {"idea": idea.says}


def competing_ideas(facts: OverheardUtterance, own: MisconceptionOutput) -> tuple[str, ...]:
    """Return the ids of two or more likely misconceptions of the lesson (≥ .3), the likeliest first; otherwise none.

    Likely by what was said now, or by earlier suspicions; none if nothing shows now.
    """
    if all(chance < WORTH_PROBING for _idea, chance in own.top3):
        return ()
    likely = {each.id: each.confidence for each in facts.suspicions.values() if each.status in ("suspected", "active")}
    for idea, chance in own.top3:
        likely[idea] = max(chance, likely.get(idea, 0.0))
    known = facts.course.misconceptions
    here = [idea for idea in likely if idea in known and facts.concept.id in known[idea].concepts]
    worth = sorted((idea for idea in here if likely[idea] >= WORTH_PROBING), key=lambda idea: (-likely[idea], idea))
    return tuple(worth) if len(worth) > 1 else ()


def combined(
    facts: OverheardUtterance, own: MisconceptionOutput, told: MisconceptionOutput
) -> tuple[MisconceptionOutput, str]:
    """Return code's judgement and a model's merged, and why the model's was rejected ("" if it was not).

    A model's verdict changes the odds; it must name a misconception of the course and quote the learner for it.
    """
    if reason := _objection(facts, told):
        return own, reason
    logits = _logits(own.top3)
    idea = told.misconception_type
    if told.misconception_detected and idea:
        # From no weight at a confidence of 0 to the squared ratio at 1.
        ratio = 2 * told.confidence * math.log(MODEL_RATIO)
        least = UNTHOUGHT if facts.kind == "message" else UNLIKELY
        logits[idea] = max(logits.get(idea, -math.inf), math.log(least / (1 - least))) + ratio
    else:
        logits = {each: logit + math.log(MODEL_NONE_RATIO) for each, logit in logits.items()}
    evidence = {own.misconception_type: own.evidence, idea: told.evidence}
    given = {name: text for name, text in evidence.items() if name and text}
    return output_of(likelihoods.chances(logits), known=facts.course.misconceptions, evidence=given), ""


def case_background(facts: OverheardUtterance, own: MisconceptionOutput) -> str:
    """Return the case as text for a model; the learner's words are data."""
    known = facts.course.misconceptions.values()
    here = [each for each in known if facts.concept.id in each.concepts]
    case = {
        "lesson": facts.concept.title,
        "known_misconceptions": [{"id": each.id, "says": each.says, "description": each.description} for each in here],
        "asked": facts.question or (facts.told[-1] if facts.told else ""),
        **({"said": facts.text} if facts.kind == "message" else {"answered": facts.answer, "correct": facts.correct}),
        **({"drawn": facts.seen.description} if facts.seen and facts.seen.is_clear else {}),
        "found_by_rules": own.model_dump(mode="json"),
    }
    return format_case(case)


def _prior_log_odds(idea: str, facts: OverheardUtterance) -> float:
    """Return the earlier suspicion of a misconception, in log odds."""
    suspicion = facts.suspicions.get(idea)
    if suspicion is None or suspicion.status == "resolved":
        return 0.0
    change = math.log(suspicion.odds / first_suspicion(idea, facts.course.misconceptions[idea].base_rate).odds)
    return max(-HELD_BEFORE, min(HELD_BEFORE, change))


def _logits(top3: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return chances as log odds against none."""
    held = [(idea, chance) for idea, chance in top3 if chance > 0]
    # Chances that add up to 1 leave nothing for none, and the odds would be infinite.
    none = max(UNLIKELY, 1 - sum(chance for _idea, chance in held))
    return {idea: math.log(chance / none) for idea, chance in held}


def _objection(facts: OverheardUtterance, told: MisconceptionOutput) -> str:
    """Return why a model's verdict cannot be taken; empty if it can."""
    if not told.misconception_detected:
        return "" if told.misconception_type is None else "it names a misconception that it did not detect"
    idea = facts.course.misconceptions.get(told.misconception_type or "")
    if idea is None:
        return "unknown misconception"
    if facts.kind == "answer" and facts.correct:
        return "the answer is right"
    if _is_right_of(idea, facts):
        return "the parts drawn are equal"
    span = _quoted(told.evidence or "", facts.text or facts.answer)
    if not span:
        return "not the learner's words"
    is_claimed = facts.kind == "answer" or span_stances(span, facts.text) == {"claimed"}
    return "" if is_claimed and _claims(facts) else "the learner claims nothing"


def _quoted(evidence: str, said: str) -> str:
    """Return the learner's words that the evidence is or quotes, letter by letter; empty if it quotes nothing."""
    parts = (each.strip(" .,;!?") for each in (evidence, *quotes_in(evidence, least=1)))
    return next(filter(None, (find_span(part, said) for part in parts)), "")


def _claims(facts: OverheardUtterance) -> bool:
    """Tell whether something was asserted, or answered wrongly."""
    if facts.kind == "answer":
        return not facts.correct
    return facts.analysis is not None and (facts.analysis.is_unsure or facts.analysis.wants(*CLAIMING))


def _plan(request: Request) -> Plan:
    """Ask a model if there is an assertion that none has read yet, or a wrong answer; otherwise there is nothing to judge."""
    facts: OverheardUtterance = request.facts
    own = judge(facts)
    is_open = _claims(facts) and not facts.is_read_by_model
    return Plan(background=case_background(facts, own)) if is_open else Plan(result=own)


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Misconception classifier"),
    purpose=gettext_lazy("Notices wrong ideas behind the learner’s words and answers."),
    plan=_plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / "misconception.md"),
    result=MisconceptionOutput,
    tier="fast",
    timeout_s=8.0,
)
