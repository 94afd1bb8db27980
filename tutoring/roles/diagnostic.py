"""The diagnostic role: finds out, in few questions, what a learner knows of what their goal builds on."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from agents.engine.events import Card, HandedOff
from agents.engine.roles import Plan, Request, Role, Wording
from agents.llm.prompt import read_prompt
from conversations.cards import reply_buttons
from tutoring.lesson import placement
from tutoring.lesson.facts import DiagnosisFacts
from tutoring.lesson.turn_results import DiagnosticTurn, NewQuestion, PlacementOutcome
from tutoring.mastery.placement import Recommendation
from tutoring.output_checks.answer_disclosure import discloses_answer
from tutoring.output_checks.answer_leak_guard import OpenQuestion
from tutoring.output_checks.output_policy import find_policy_problem
from tutoring.roles.speech.answer_guard import find_problem
from tutoring.roles.speech.composition import (
    SpeechPart,
    compose_speech,
    has_text,
    list_titles,
    open_question_card,
    question_card,
    question_id,
)
from tutoring.roles.wording import renderer
from tutoring.roles.wording.unreadable_answers import unreadable_reason

STOP_WORDS = gettext_lazy("No more questions")
NAMED_AT_MOST = 3
"""How many known concepts are named: the latest ones."""
MOST_WORDS = 60
MORE_THAN_AN_ANSWER = 3
"""Words from which a message says more than an answer."""
VERDICT = re.compile(r"\b(?:right|wrong|correct|incorrect|mistake|well done|good job|true|false)\b", re.IGNORECASE)
BEGIN_TASK = "Respond in one sentence to what the learner said about what they want, why, or by when. Then say what comes next. Ask nothing."
NOTE_TASK = (
    "Respond in one sentence to what the learner said besides the answer, or instead of it. Nothing is judged before the end: do not say "
    "whether anything is right. The next question follows by itself. Ask nothing."
)
BESIDE_TASK = (
    "The learner said something besides the open question, which stays open. Answer only that, in at most three sentences, from what is "
    "here.\nThe record says:\n%(record)s\nWithout you the program would say: «%(words)s»\nAsk nothing."
)
NO_HINTS: tuple[str, ...] = (
    gettext_noop(
        "There are no hints here, because these questions only show me where to start. It’s fine to answer “I don’t "
        "know”."
    ),
    gettext_noop("No hints yet: I’ll explain everything in the lesson. Say “I don’t know” and we’ll move on."),
)
UNREADABLE: tuple[str, ...] = (
    gettext_noop("I can’t read that as an answer. %(reason)s You can also say “I don’t know”."),
    gettext_noop("I can’t tell what your answer is. %(reason)s If you don’t know, just say so."),
)
STILL_OPEN: tuple[str, ...] = (
    gettext_noop("Your question is still open. You can answer “I don’t know,” or say “stop” to end the questions."),
    gettext_noop(
        "I can’t read that as an answer. You can say “I don’t know,” or say “stop” to end these questions and start the "
        "lesson."
    ),
    gettext_noop(
        "I’m not sure what you mean. Answer the question, or say “I don’t know”. Say “stop” if you don’t want any more "
        "questions."
    ),
)
NOTED_IDEAS: tuple[str, ...] = (
    gettext_noop(
        "Thank you for telling me what you think. We’ll get to that in a lesson. Here is your question again."
    ),
    gettext_noop(
        "I can’t check that right now. Ask me about it in a lesson, and we’ll look at it. For now, please answer the "
        "question on the card."
    ),
    gettext_noop("That’s worth a closer look in a lesson. For now, continue with the question on the card."),
)
COMPARED_IDEAS: tuple[str, ...] = (
    gettext_noop("I’d put it this way: “%(sentence)s” The lesson will show why. Now back to your question."),
    gettext_noop(
        "Compare that with how I would say it: “%(sentence)s” We’ll get to that later. Your question is still open."
    ),
    gettext_noop("I would say: “%(sentence)s” You’ll see why in the lesson. Let’s continue with the question."),
)
"""Said to words about an idea of the course: what holds, without a verdict on the words."""
NOTED_WORDS: tuple[str, ...] = (
    gettext_noop("Thank you. Here is the next question."),
    gettext_noop("Here is another one."),
    gettext_noop("Okay. Here is the next one."),
    gettext_noop("I’ve noted that. Now try this one."),
    gettext_noop("Good, on to the next question."),
    gettext_noop("Thanks. Take a look at this one."),
    gettext_noop("Noted. This one is next."),
    gettext_noop("Thank you. Now a different one."),
    gettext_noop("Okay. What about this one?"),
    gettext_noop("Thanks. Let’s go on with this one."),
)
CLAIM_WORDS: tuple[str, ...] = (
    gettext_noop("Good. Let’s see whether we can skip this topic. Try this one."),
    gettext_noop("Good. Here is one more question on the same topic to make sure. Then we’ll move on."),
    gettext_noop("Okay. Here is a quick check, and then we’ll do something else."),
    gettext_noop("Okay. Show me what you know with this one, and then we’ll move on to another topic."),
    gettext_noop("All right. If you can do this one, we’ll skip the topic."),
    gettext_noop("Good to know. One question on it, and then we’ll go on."),
)


def plan(request: Request) -> Plan:
    """Ask the most informative question, or end the placement and hand over to the path planner."""
    facts: DiagnosisFacts = request.facts
    if facts.is_over:
        return _ended(facts)
    if facts.exercise is None:
        return _waiting(facts)
    return _asking(facts)


def _asking(facts: DiagnosisFacts) -> Plan:
    """Ask the next question; the last answer is noted, and judged only at the end."""
    assert facts.exercise is not None
    number = len(facts.placement.answers) + 1
    card_id = question_id(facts.turn_id, number)
    card = question_card(facts.exercise, question=card_id, number=number, total=None)
    new = NewQuestion(
        exercise=facts.exercise,
        number=number,
        total=facts.placement.most,
        concept=facts.topic.id,
        purpose="placement",
        checks_claim=_checks_claim(facts),
    )
    opening = _opening_wording(facts) if facts.begins else _noted_wording(facts)
    kept = replace(facts.placement, templates=(*facts.placement.templates, facts.exercise.template))
    return _planned(facts, opening, replaced_goals_text(facts), card, exit_buttons(facts.turn_id), kept=kept, new=new)


def _opening_wording(facts: DiagnosisFacts) -> Wording:
    """Return the words that start a placement; a model may respond to what the learner said about their goal."""
    words = _opening(facts)
    task = f"{BEGIN_TASK}\nSay this, in your own words: «{words}»" if has_more_than_answer(facts.text) else ""
    return Wording(words=words, task=task, guard=partial(find_policy_problem, questions=0), most_words=MOST_WORDS)


def _noted_wording(facts: DiagnosisFacts) -> Wording:
    """Return the words that note an answer; a model may respond to what else was said, not judge the answer."""
    return Wording(
        words=_noted_words(facts),
        task=NOTE_TASK if has_more_than_answer(facts.text) else "",
        guard=_verdict_problem,
        most_words=MOST_WORDS,
    )


def _noted_words(facts: DiagnosisFacts) -> str:
    return renderer.pick_wording(CLAIM_WORDS if _checks_claim(facts) else NOTED_WORDS, facts)


def _checks_claim(facts: DiagnosisFacts) -> bool:
    """Tell whether the next question checks what the learner has just said to know."""
    last = facts.placement.answers[-1] if facts.placement.answers else None
    return last is not None and last.claimed and facts.exercise is not None and last.concept == facts.exercise.concept


def has_more_than_answer(text: str) -> bool:
    """Tell whether a message says more than an answer."""
    return len(text.split()) >= MORE_THAN_AN_ANSWER


def _verdict_problem(text: str) -> str:
    """Return why a remark on an answer must not be said: nothing is judged before a placement has ended."""
    return "verdict" if VERDICT.search(text) else find_policy_problem(text, questions=0)


def _waiting(facts: DiagnosisFacts) -> Plan:
    """Answer what was said besides the open question, which stays open."""
    assert facts.asked is not None
    if facts.unreadable:
        said = _unreadable_text(facts, facts.asked.instance.kind)
    elif facts.wants == "help":
        said = renderer.pick_wording(NO_HINTS, facts)
    elif facts.wants == "purpose":
        said = _(
            "These questions help me find your starting point, so that we can skip what you know. They aren’t "
            "graded. This is question %(number)d of up to %(cap)d. Say “stop” to finish early."
        ) % {"number": len(facts.placement.answers) + 1, "cap": facts.placement.most}
    elif facts.wants == "pause":
        stops = _(
            "Okay, let’s stop here for now. Everything is saved, and this question will be here when you come back."
        )
        said = " ".join(filter(None, (_answered_so_far(facts), stops)))
    elif facts.wants == "quiz":
        said = _("This is already a short quiz. Answer this question to get the next one.")
    elif facts.wants == "path":
        said = _(
            "I’ll plan your path after these questions, because your answers decide where it starts and how long it "
            "is. This is question %(number)d of up to %(cap)d. Say “stop” to see the path now."
        ) % {"number": len(facts.placement.answers) + 1, "cap": facts.placement.most}
    elif facts.wants == "verdict":
        said = _(
            "I don’t grade these answers. They only show me where to start. At the end, your path will show what you "
            "may already know."
        )
    elif facts.wants == "idea":
        said = _compared_idea(facts) or renderer.pick_wording(NOTED_IDEAS, facts)
    else:
        said = renderer.pick_wording(STILL_OPEN, facts)
    worded = said if facts.unreadable or not facts.text else _in_own_words(facts, said)
    card = None if facts.wants == "pause" else open_question_card(facts.asked)
    return _planned(facts, worded, card, exit_buttons(facts.turn_id), kept=facts.placement)


def _unreadable_text(facts: DiagnosisFacts, kind: str) -> str:
    """Return why an answer could not be read, and what else there is to say."""
    names = {"reason": unreadable_reason(facts.unreadable, kind, facts)}
    return renderer.pick_wording(UNREADABLE, facts, **names)


def _compared_idea(facts: DiagnosisFacts) -> str:
    """Return what holds about the idea in the learner's words; empty if nothing is near, or it gives the answer away."""
    assert facts.asked is not None
    idea = facts.course.misconceptions.get(facts.served.misconception or facts.served.nearest)
    sentence = idea.correct_idea if idea is not None else ""
    if not sentence or renderer.was_told(sentence, facts):
        return ""
    said = renderer.pick_wording(COMPARED_IDEAS, facts, sentence=sentence)
    return "" if discloses_answer(sentence, facts.asked.instance, [facts.text]) else said


def _answered_so_far(facts: DiagnosisFacts) -> str:
    answered = len(facts.placement.answers)
    said = ngettext("You’ve answered %(count)d question.", "You’ve answered %(count)d questions.", answered)
    return said % {"count": answered} if answered else ""


def _in_own_words(facts: DiagnosisFacts, words: str) -> Wording:
    """Return the reply besides the open question for a model to word, from what the record says."""
    assert facts.asked is not None
    question = OpenQuestion(instance=facts.asked.instance, said=(facts.text,), supplied=(words, *facts.record))
    task = BESIDE_TASK % {"words": words, "record": "\n".join(f"- {line}" for line in facts.record)}
    return Wording(
        words=words, task=task, guard=partial(find_problem, question=question, questions=0), most_words=MOST_WORDS
    )


def _ended(facts: DiagnosisFacts) -> Plan:
    """Say what was found and hand over."""
    handover = HandedOff(from_agent="diagnostic", to="pathplanner", reason=_("Starting point found."))
    return _planned(
        facts, replaced_goals_text(facts), placement_text(facts), handover, kept=facts.placement, waits=False
    )


def replaced_goals_text(facts: DiagnosisFacts) -> str:
    """Return which goals the new topic replaces; empty for none."""
    said = ngettext(
        "This replaces your goal *%(goals)s*. You can bring it back on the course map.",
        "This replaces your goals *%(goals)s*. You can bring them back on the course map.",
        len(facts.replaced_goals),
    )
    return said % {"goals": ", ".join(facts.replaced_goals)} if facts.replaced_goals else ""


def placement_text(facts: DiagnosisFacts) -> str:
    """Return the placement in words: how many questions it used, what may be known, why the path starts where it does."""
    asked = len(facts.placement.answers)
    if not asked and facts.begins:
        return ""
    known = [
        facts.course.concept(each) for one in facts.recommendations if one.kind == "skip_ahead" for each in one.concepts
    ]
    questions = ngettext("After %(count)d question", "After %(count)d questions", asked) % {"count": asked}
    if known:
        said = _("Thank you. %(questions)s, it looks like you already know %(titles)s. The quizzes will check that.")
        return said % {"questions": questions, "titles": list_titles(known[-NAMED_AT_MOST:])}
    if facts.placement.ended == "stopped":
        return _(
            "Okay, no more questions. I can’t tell yet what you already know, so your path starts at the beginning. "
            "As we go, we’ll skip anything you know."
        )
    said = _(
        "Thank you. %(questions)s, it looks like most of what *%(topic)s* builds on is new to you. That’s why "
        "your path starts at the beginning."
    )
    return said % {"questions": questions, "topic": facts.topic.title}


def _opening(facts: DiagnosisFacts) -> str:
    topic, cap = facts.topic.title, facts.placement.most
    if facts.placement.answers:
        said = _(
            "Let’s continue with the questions for *%(topic)s*. There are up to %(cap)d in all, including the ones "
            "you’ve already answered."
        )
        return said % {"topic": topic, "cap": cap}
    explained = _(
        "First, I’ll ask up to %(cap)d questions to find your starting point, so that we can skip what you know. The "
        "questions aren’t graded, and you can always answer “I know this” or “I don’t know this”."
    )
    begins = _("Let’s learn *%(topic)s*.") % {"topic": topic}
    return " ".join(filter(None, (begins, renderer.unless_told(explained % {"cap": cap}, facts))))


def exit_buttons(turn_id: str) -> Card:
    """Return the button that ends a placement."""
    return reply_buttons([str(STOP_WORDS)], turn_id=turn_id)


def _planned(
    facts: DiagnosisFacts,
    *parts: SpeechPart,
    kept: placement.Placement,
    new: NewQuestion | None = None,
    waits: bool = True,
) -> Plan:
    over = bool(kept.ended)
    state: dict[str, Any] = {
        placement.PLACEMENT_KEY: placement.placement_to_json(kept),
        "prerequisite_gaps": [gap.concept for gap in facts.gaps] if over else [],
        "diagnostic_complete": over,
        "learner_level": facts.own_level or facts.level,
    }
    said = compose_speech(*parts, turn_id=facts.turn_id)
    result = DiagnosticTurn(
        course=facts.course.id,
        topic=facts.topic.id,
        words=facts.text if facts.begins else "",
        ended=kept.ended,
        asked=len(kept.answers),
        level=facts.level,
        new_question=new,
        begins=facts.begins,
        set_aside=bool(facts.replaced_goals),
        placed=placement_outcome(facts) if over else None,
        spoke=has_text(said),
    )
    return Plan(say=said, background=_background(facts), result=result, state=state, waits=waits)


def placement_outcome(facts: DiagnosisFacts) -> PlacementOutcome:
    """Return what is stored of a placement that is over."""
    return PlacementOutcome(
        ended=facts.placement.ended,
        questions=len(facts.placement.answers),
        level=facts.level,
        probabilities=dict(facts.probabilities),
        gaps=[
            {"concept": gap.concept, "current": round(gap.current, 4), "required": gap.required} for gap in facts.gaps
        ],
        recommendations=[
            {"kind": one.kind, "concepts": list(one.concepts), "reason": reason_of(one, facts)}
            for one in facts.recommendations
        ],
    )


def reason_of(recommendation: Recommendation, facts: DiagnosisFacts) -> str:
    """Return the reason for a recommendation in a sentence."""
    titles = list_titles([facts.course.concept(each) for each in recommendation.concepts])
    match recommendation.kind:
        case "remediate":
            return _("%(topic)s builds on %(titles)s.") % {"topic": facts.topic.title, "titles": titles}
        case "skip_ahead":
            return _("The answers show that the learner already knows %(titles)s.") % {"titles": titles}
        case "proceed":
            return _("The learner already knows everything that %(topic)s builds on.") % {"topic": facts.topic.title}


def _background(facts: DiagnosisFacts) -> str:
    told = f"The learner is being placed for the goal: {facts.topic.title}."
    if facts.asked is None or not facts.asked.is_open:
        return told
    return f"{told}\nThe question on the card, open: {facts.asked.instance.stem}"


ROLE = Role(
    name="diagnostic",
    label=gettext_lazy("Diagnostic"),
    purpose=gettext_lazy("finds your starting point"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "diagnostic.md"),
    result=DiagnosticTurn,
    writes=frozenset({placement.PLACEMENT_KEY, "prerequisite_gaps", "diagnostic_complete", "learner_level"}),
    speaks=True,
    on_failure="abort",
)
