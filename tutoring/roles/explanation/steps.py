"""Replies to what a learner does with an open step: an answer, words about it, a wish for help or for something else."""

from dataclasses import replace
from random import Random

from django.utils.translation import gettext as _

from agents.engine.events import Card
from agents.engine.roles import Plan
from conversations.cards import reply_buttons
from tutoring.courses.catalogue import ContrastCase, Misconception
from tutoring.lesson.facts import AskedQuestion, JudgedAnswer
from tutoring.lesson.moves import Move
from tutoring.lesson.response_plan import Act
from tutoring.roles.explanation.drawing_replies import glance
from tutoring.roles.explanation.planner import ExplanationPlanner
from tutoring.roles.explanation.system_answers import is_sayable
from tutoring.roles.speech import findings
from tutoring.roles.speech.answer_guard import answer_beside, guarded_wording, is_case_safe, was_case_told, wrong_step
from tutoring.roles.speech.composition import SpeechPart, open_question_card
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.renderer import WordingParts
from tutoring.roles.wording.unreadable_answers import (
    ask_for_answer,
    ask_for_steps,
    help_options,
    meant_choices,
    unreadable_reason,
)

HELP_ACTS: frozenset[Act] = frozenset(
    {"hint_request", "does_not_know", "answer_demand", "stuck", "example", "other_picture"}
)
"""Acts that ask for help with the question on the card."""
UNREAD_ACTS: frozenset[Act] = frozenset({"other", "unjudged", "wrong", "idea_partly"})
"""Acts of words about the step that give no answer to it."""


class StepPlanner(ExplanationPlanner):
    """One turn of the tutor while a step's card is open, or when it was just answered."""

    # --- An answer on the card ---

    def after_step(self, answered: JudgedAnswer, asked: AskedQuestion) -> Plan:
        """Go on after a right answer; test the idea behind a wrong one, or leave the hint on the card to help."""
        if answered.correct:
            return self.go_on(*findings.resolved_misconceptions(self.facts, agent="tutor"), answer_beside(self.facts))
        behind = findings.misconception_behind(self.facts, answered)
        evidence = (
            findings.answer_evidence(asked.instance, answered, behind, typed=self.facts.typed)
            if behind is not None
            else ""
        )
        found = findings.misconception_found(self.facts, behind, agent="tutor", evidence=evidence) if behind else None
        if not asked.is_open:
            return self.go_on(found)
        # It may also have been tested a moment ago, in another lesson.
        if behind and not (self.facts.hint or behind.id in self.lesson.tested or was_case_told(self.facts, behind)):
            return self.show_case(behind, found)
        hinted = "" if self.facts.on_card else self.pick(phrases.HINT_ON_CARD)
        return self.stay(found, answer_beside(self.facts), wrong_step(self.facts), hinted, move="focus_step")

    def show_case(self, behind: Misconception, *first: SpeechPart, quote: str = "") -> Plan:
        """Name the idea behind a wrong answer, and show a case in which it fails."""
        said = _("You said “%(quote)s”.") % {"quote": quote.rstrip(".")} if quote else ""
        named = _("Maybe you thought: *%(idea)s*") % {"idea": behind.says} if quote != behind.says else ""
        if not is_case_safe(self.facts, behind):
            noticed = behind.noticed if is_sayable(behind.noticed, self.facts) else ""
            told = " ".join(filter(None, (said, named, noticed)))
            return self.stay(*first, told, _("Look at your question again with that in mind."), move="focus_step")
        tested = _("Many people think that at first. Let’s test it.")
        opening = " ".join(filter(None, (said, named, tested)))
        return self.planned(
            *first,
            *glance(self.facts),
            opening,
            *behind.contrast.blocks,
            self.case_buttons(behind.contrast),
            lesson=self.testing(behind),
            move="contrast_case",
            misconception=behind.id,
        )

    def case_buttons(self, case: ContrastCase) -> Card | None:
        """Return the short answers that a case offers, in an order that does not tell which is right."""
        if not case.right:
            return None
        offered = [case.right, *case.wrong]
        Random(self.facts.seed).shuffle(offered)
        return reply_buttons(offered, turn_id=self.facts.turn_id)

    def case_choices(self) -> Card | None:
        """Return the short answers of the open case: they stay until it is answered."""
        return self.case_buttons(self.contrast.contrast) if self.contrast is not None else None

    def wrong_pick(self) -> str:
        """Return the verdict on a wrong one of the open case's short answers, and what to look at; empty otherwise."""
        if self.contrast is None:
            return ""
        case, said = self.contrast.contrast, self.facts.text.casefold().strip(" .!?")
        picked = next((each for each in case.wrong if each.casefold().strip(" .!?") == said), "")
        told = _("No, “%(picked)s” can’t be right.") % {"picked": picked}
        return " ".join(filter(None, (told, case.not_yet))) if picked else ""

    # --- Words beside the card ---

    def at_step(self, act: Act, step: AskedQuestion) -> Plan | None:
        """Return the reply to a message about the open step; None for one that is answered as at any other time."""
        facts = self.facts
        if facts.unreadable and (said := ask_for_steps(facts.unreadable)):
            return self.stay(said, move="retype")
        if facts.unreadable:
            reason = unreadable_reason(facts.unreadable, step.instance.kind, facts)
            words = guarded_wording(facts, Move(id="retype"), WordingParts(quote=facts.text, hint=reason))
            return self.stay(words, move="retype")
        if facts.hint or act in HELP_ACTS:
            return self.stay(
                self.pick(phrases.HINT_ON_CARD if facts.hint else phrases.ALL_HINTS_SHOWN), move="focus_step"
            )
        if act == "go_on":
            offers = phrases.NEW_QUESTIONS if facts.served.about == "new_question" else phrases.RESUME_OFFERS
            return self.stay(self.pick(offers), move="continue_lesson")
        if act == "idea_said":
            return self.stay(self.pick(phrases.IDEA_BESIDE), move="affirm_specific")
        if act == "unjudged" and facts.served.nearest and not step.instance.own_words:
            return None
        if meant := meant_choices(facts):
            return self.stay(self.pick(phrases.CHOICES_MEANT), meant, move="probe_reasoning")
        if act in UNREAD_ACTS and not step.instance.own_words:
            ways = reply_buttons(help_options(), turn_id=facts.turn_id)
            return self.stay(ask_for_answer(step.instance.kind, facts), ways, move="not_yet")
        if act == "idea_partly":
            more = facts.served.missing or _("You’ve got part of it. What would you add?")
            return self.stay(more, move="probe_reasoning")
        # Not compared with a model sentence: the reasons stand on the card, and it would give the right one away.
        if act in ("other", "wrong", "unjudged"):
            return self.stay(self.pick(phrases.REASON_ON_CARD), move="not_yet")
        return None

    def stay(self, *parts: SpeechPart, move: str) -> Plan:
        """Say something with the step still open."""
        step = self.open_step
        card = open_question_card(step) if step is not None else None
        return self.planned(*parts, card, lesson=replace(self.lesson, contrast=""), move=move)

    def pick(self, wordings: tuple[str, ...]) -> str:
        return renderer.pick_wording(wordings, self.facts)
