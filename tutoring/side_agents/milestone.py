"""The milestone detector: whether the learner has shown the current milestone, the evidence, and what is missing."""

from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from tutoring.courses.catalogue import Milestone
from tutoring.mastery import milestone_verification
from tutoring.mastery.milestone_verification import Articulation, MilestoneVerdict, Missing
from tutoring.side_agents.case_prompts import format_case, quotes_in
from tutoring.side_agents.utterance_facts import OverheardUtterance
from tutoring.understanding.context import Context, PastMessage
from tutoring.understanding.message_analysis import MessageAnalysis
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.quotations import find_span, is_keyword_list, span_stances
from tutoring.understanding.parsing.repetition import is_repeated

NAME: Final = "milestone"
# A milestone is often said in pieces; eight messages are about two exercises. Chosen by hand.
SHOWN_MESSAGES: Final = 8
"""Latest learner messages that a model is shown, and as many of the tutor's."""
# "both are equal" may be parroted. Chosen by hand.
FEWEST_WORDS: Final = 6
"""Fewer words may be right, and show no understanding."""
# About twenty exchanges; older words are hardly repeated. Chosen by hand.
REMEMBERED: Final = 40
"""Latest texts that a learner may be repeating."""


class MilestoneOutput(BaseModel):
    """The fields of the API, and which part of the evidence is missing first."""

    model_config = ConfigDict(extra="forbid")

    milestone_id: str
    mastery_achieved: bool
    confidence: float = Field(ge=0, le=1)
    evidence: list[str]
    recommendation: str
    missing: Literal["articulation", "application", "misconception", ""] = ""


def judge(facts: OverheardUtterance) -> MilestoneOutput:
    """Return what the evidence says about the current milestone. Pure."""
    if facts.milestone is None:
        return MilestoneOutput(
            milestone_id="",
            mastery_achieved=False,
            confidence=0.0,
            evidence=[],
            recommendation=_("There are no milestones left."),
        )
    return output_of(facts.milestone, _verdict(facts, facts.milestone, _articulation(facts, facts.milestone)))


def combined(facts: OverheardUtterance, own: MilestoneOutput, told: MilestoneOutput) -> tuple[MilestoneOutput, str]:
    """Return code's judgement and a model's merged, and why the model's was rejected ("" if it was not).

    A model may say that the message says the idea, and must quote it; the verdict stays code's.
    """
    milestone = facts.milestone
    if milestone is None or told.milestone_id != milestone.id:
        return own, "it is about another milestone"
    words = _articulation(facts, milestone)
    if words.is_said or told.missing == "articulation":
        return own, "" if told.mastery_achieved == own.mastery_achieved else "the verdict is not the model's"
    quotes = (quote for evidence in told.evidence for quote in quotes_in(evidence, least=3) or [evidence])
    spans = [find_span(quote, facts.text) for quote in quotes]
    if not any(spans):
        return own, "not the learner's words" if spans else "no quote of the learner's words"
    said = tuple(span for span in spans if span and _is_own(span, facts))
    if not said:
        return own, "too short, or not in their own words"
    raised = output_of(milestone, _verdict(facts, milestone, replace(words, is_said=True, quotes=said)))
    return raised, "" if told.mastery_achieved == raised.mastery_achieved else "the verdict is not the model's"


def case_background(facts: OverheardUtterance, own: MilestoneOutput) -> str:
    """Return the case as text for a model; the learner's words are data."""
    if facts.milestone is None:
        return ""
    case = {
        "milestone_id": facts.milestone.id,
        "title": facts.milestone.title,
        "asked": facts.milestone.ask,
        "ideas": [idea.name or idea.any[0] for idea in facts.milestone.ideas],
        "said_to_the_learner": facts.told[-SHOWN_MESSAGES:],
        "said_by_the_learner": facts.own_words[-SHOWN_MESSAGES:],
        "found_by_rules": own.model_dump(),
    }
    return format_case(case)


def _plan(request: Request) -> Plan:
    """Ask a model if only the words are in doubt: something was said, no model has read it, the answers are promising."""
    facts: OverheardUtterance = request.facts
    own, read = judge(facts), facts.analysis
    is_unread = read is not None and read.wants("answer", "idea") and not facts.is_read_by_model
    is_worth_it = milestone_verification.is_promising(mastery=facts.mastery, streak=facts.streak)
    if own.missing == "articulation" and is_unread and is_worth_it:
        return Plan(background=case_background(facts, own))
    return Plan(result=own)


def _articulation(facts: OverheardUtterance, milestone: Milestone) -> Articulation:
    """Return whether the milestone was said, in this message or before, by the analyses of the turns."""
    now = facts.analysis or MessageAnalysis()
    here = [each.quote for each in now.milestones if each.id == milestone.id and find_span(each.quote, facts.text)]
    before = [turn.milestones.get(milestone.id, "") for turn in facts.exchanges]
    is_said = bool(here) or milestone.id in facts.said
    quotes = tuple(dict.fromkeys(filter(None, (*before, *here)))) if is_said else ()
    concept, known = milestone.concept, facts.course.misconceptions
    wrong = (each for each in now.misconceptions if each.id in known and concept in known[each.id].concepts)
    claimed = next((each.id for each in wrong if find_span(each.quote, facts.text)), "")
    return Articulation(is_said=is_said, quotes=quotes, wrong_idea=claimed)


def _verdict(facts: OverheardUtterance, milestone: Milestone, words: Articulation) -> MilestoneVerdict:
    against = set(milestone.contradicts)
    tempting = [each.id for each in facts.concept.templates if against & set(each.misconceptions)]
    suspicions = {each.id: each.confidence for each in facts.suspicions.values() if each.status != "resolved"}
    return milestone_verification.verify_milestone(
        milestone,
        words=words,
        use=milestone_verification.assess_application(milestone, facts.uses, mastery=facts.mastery, tempting=tempting),
        suspicions=suspicions,
        misconceptions=facts.course.misconceptions,
    )


def output_of(milestone: Milestone, verdict: MilestoneVerdict) -> MilestoneOutput:
    """Return a verdict in the fields of the API."""
    return MilestoneOutput(
        milestone_id=milestone.id,
        mastery_achieved=verdict.mastery_achieved,
        confidence=verdict.confidence,
        evidence=list(verdict.evidence),
        recommendation=recommendation(milestone, verdict.missing),
        missing=verdict.missing,
    )


def recommendation(milestone: Milestone, missing: Missing) -> str:
    """Return what to do next, for people."""
    match missing:
        case "articulation":
            return _("Ask them to explain this in their own words: %(ask)s") % {"ask": milestone.ask or milestone.title}
        case "application":
            return _("Give them a new exercise on this idea to solve without help.")
        case "misconception":
            return _("Show a case where the wrong idea fails.")
    return _("Move on to the next milestone.")


def _is_own(span: str, facts: OverheardUtterance) -> bool:
    """Tell whether a span of the message is long enough, asserted, and no repetition of what was said to the learner."""
    texts = (*facts.told[-REMEMBERED:], facts.question, facts.milestone.ask if facts.milestone else "")
    told = Context(history=tuple(PastMessage(author="team", text=text) for text in texts if text))
    is_claimed = span_stances(span, facts.text) == {"claimed"}
    is_known = is_repeated(plain_text(span), told) or is_keyword_list(plain_text(span))
    return len(span.split()) >= FEWEST_WORDS and is_claimed and not is_known


ROLE = Role(
    name=NAME,
    label=gettext_lazy("Milestone detector"),
    purpose=gettext_lazy(
        "Checks whether the learner has explained an idea in their own words, used it, and not contradicted it."
    ),
    plan=_plan,
    prompt=read_prompt(Path(__file__).parents[1] / "prompts" / f"{NAME}.md"),
    result=MilestoneOutput,
    tier="fast",
    timeout_s=8.0,
)
