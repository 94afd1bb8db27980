"""Makes findings from the side agents' judgements: what the learner may read, and what the tutor is told."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.events import FindingMade
from tutoring.courses.catalogue import Milestone
from tutoring.mastery.misconception_evidence import SUSPECTED
from tutoring.side_agents import misconception
from tutoring.side_agents.agent_analyses import AgentAnalysis
from tutoring.side_agents.notes import reached_name
from tutoring.side_agents.utterance_facts import OverheardUtterance
from tutoring.understanding.parsing.quoting import quote_words

EVIDENCE_WORDS = 24
NAME_LENGTH = 100
NOTABLE_FROM = 0.4
"""Level (0–1) of frustration, confusion or boredom from which the tutor is told of it; the learner is not."""

SAME_AGAIN = 3
"""Turns after which the same is found again: it is acted on once each time."""

PACE_SENTENCES = {
    "simplify": gettext_lazy("This one is taking a while, so I’ll make the next step smaller."),
    "hint_soon": gettext_lazy("You’re still getting the hang of this, so I’ll give you hints sooner than usual."),
    "represent": gettext_lazy("You’re still getting the hang of this, so I’ll show it another way."),
    "break_choice": gettext_lazy("You may be ready for a change, so I’ll ask something harder."),
    "ask_attempt": gettext_lazy("You’ve been asking for hints right away. This time, try it on your own first."),
}


def make_findings(
    facts: OverheardUtterance,
    analyses: Iterable[AgentAnalysis],
    *,
    standing: Collection[str],
    last_mood: dict[str, Any] | None,
) -> Iterator[FindingMade]:
    """Yield the findings worth keeping. `standing` are names of current findings, `last_mood` the last one about the pace."""
    for each in analyses:
        match each.agent:
            case "misconception":
                yield from _misconception(facts, each, standing)
            case "emotion":
                yield from _pace(facts, each, last_mood or {})
            case "milestone":
                yield from _milestone(facts, each, standing)
            case "vision":
                yield from _drawing(facts, each)


def _misconception(facts: OverheardUtterance, each: AgentAnalysis, standing: Collection[str]) -> Iterator[FindingMade]:
    yield from filter(None, (_competing(facts, each, standing), _suspected(facts, each, standing)))


def _competing(facts: OverheardUtterance, each: AgentAnalysis, standing: Collection[str]) -> FindingMade | None:
    """Return that several misconceptions may explain it: a question that tells them apart comes before any case."""
    said: Any = each.output
    rivals = misconception.competing_ideas(facts, said)
    name = f"competing:{'|'.join(sorted(rivals))}"
    if not rivals or name in standing:
        return None
    chances = dict(said.top3)
    return FindingMade(
        agent=each.agent,
        kind="competing",
        name=name[:NAME_LENGTH],
        words="",
        confidence=None,
        evidence=quote_words(facts.text or facts.answer, words=EVIDENCE_WORDS),
        content={"rivals": {rival: round(chances.get(rival, 0.0), 3) for rival in rivals}},
    )


def _suspected(facts: OverheardUtterance, each: AgentAnalysis, standing: Collection[str]) -> FindingMade | None:
    said: Any = each.output
    known = facts.course.misconceptions.get(said.misconception_type or "")
    if known is None or not said.misconception_detected or said.confidence < SUSPECTED or known.id in standing:
        return None
    return FindingMade(
        agent=each.agent,
        kind="misconception",
        name=known.id,
        words=known.noticed or _("An idea to test: %(idea)s") % {"idea": known.says},
        confidence=round(said.confidence, 3),
        evidence=quote_words(misconception.evidence_quote(facts, known.id), words=EVIDENCE_WORDS),
        content={
            "says": known.says,
            "confidence": round(said.confidence, 3),
            "intervention_suggestion": said.intervention_suggestion,
            "corrective_concept": said.corrective_concept or known.correct_idea,
        },
    )


def _pace(facts: OverheardUtterance, each: AgentAnalysis, before: dict[str, Any]) -> Iterator[FindingMade]:
    """Yield how it is going, if that stands out and is new. Never as a fact about the person."""
    said = each.output.model_dump(mode="json")
    wanted = said["wanted"]
    levels = (said["frustration_level"], said["confusion_level"], said["boredom_level"])
    if not wanted and max(levels) < NOTABLE_FROM and not before.get("wanted"):
        return
    is_same = wanted == before.get("wanted", "") and said["current_state"] == before.get("current_state")
    if is_same and facts.turn - before.get("turn", 0) < SAME_AGAIN:
        return
    yield FindingMade(
        agent=each.agent,
        kind="emotion",
        name=said["current_state"],
        words=str(PACE_SENTENCES.get(wanted, "")),
        confidence=said.get("confidence"),
        evidence="; ".join(said["confusion_indicators"]) or (_("your answers so far") if facts.mastery else ""),
        content=said | {"turn": facts.turn},
    )


def _milestone(facts: OverheardUtterance, each: AgentAnalysis, standing: Collection[str]) -> Iterator[FindingMade]:
    said: Any = each.output
    milestone: Milestone | None = facts.milestone
    if milestone is None or said.milestone_id != milestone.id:
        return
    evidence = " · ".join(said.evidence)
    made = partial(FindingMade, agent=each.agent, kind="milestone", confidence=said.confidence, evidence=evidence)
    reached, missing = reached_name(milestone.id), f"missing:{milestone.id}:{said.missing}"
    if said.mastery_achieved and reached not in standing:
        content = {"reached": True, "milestone": milestone.id}
        yield made(name=reached, words=f"{milestone.title.rstrip('.')}.", content=content)
    elif said.evidence and said.missing and missing not in standing:
        content = {"missing": said.missing, "milestone": milestone.id, "recommendation": said.recommendation}
        yield made(name=missing, words="", content=content)


def _drawing(facts: OverheardUtterance, each: AgentAnalysis) -> Iterator[FindingMade]:
    said: Any = each.output
    if facts.seen is None or not said.description or not facts.seen.is_new:
        return
    yield FindingMade(
        agent=each.agent,
        kind="vision",
        name=facts.seen.snapshot,
        words=_("What I see in your drawing: %(description)s") % {"description": said.description},
        confidence=round(said.confidence, 3),
        evidence="",
        content={
            "snapshot": facts.seen.snapshot,
            "description": said.description,
            "interpretation": said.interpretation,
            "suggestion": said.suggestion,
        },
    )
