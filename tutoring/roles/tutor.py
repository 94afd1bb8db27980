"""The tutor role: shows one piece, asks one thing, and answers what the learner says to it."""

from dataclasses import replace
from pathlib import Path
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, PlanPart, Request, Role, Wording
from agents.llm.prompt import read_prompt
from conversations.cards import reply_buttons
from conversations.search.passage_quotes import content_words
from conversations.tools.board import BOARD_TOOL
from tutoring.courses.catalogue import Milestone, Misconception
from tutoring.lesson import state as lesson_state
from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.moves import HintClimb, Move, MoveId, MoveSituation, decide_move
from tutoring.lesson.response_plan import CONVERSATIONAL_ACTS, Act
from tutoring.lesson.turn_results import TutorTurn
from tutoring.mastery import milestones
from tutoring.roles import lobby
from tutoring.roles.diagnostic import exit_buttons
from tutoring.roles.explanation import (
    conversation_replies,
    drawing_replies,
    lesson_endings,
    lookup_answers,
    pace,
    system_answers,
    worked_examples,
)
from tutoring.roles.explanation.answer_pictures import answer_picture
from tutoring.roles.explanation.planner import RETRY_MOVES, quiz_is_due
from tutoring.roles.explanation.program_names import explain_name
from tutoring.roles.explanation.related_answers import find_related_answer
from tutoring.roles.explanation.steps import HELP_ACTS, StepPlanner
from tutoring.roles.speech import answer_reasons
from tutoring.roles.speech.answer_guard import (
    first_safe,
    guarded_text,
    guarded_wording,
    is_case_safe,
    model_wording,
    open_question,
    safe_blocks,
    was_case_told,
)
from tutoring.roles.speech.composition import SpeechPart, open_question_card
from tutoring.roles.speech.farewell import farewell_wording
from tutoring.roles.speech.findings import idea_found, misconception_found, misconception_resolved, quoted_words
from tutoring.roles.speech.reply_instructions import reply_wording, reword_reply
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.example_replies import example_replies_for
from tutoring.roles.wording.renderer import WordingParts
from tutoring.roles.wording.unreadable_answers import help_options

ANSWER_ACTS: frozenset[Act] = frozenset({"idea_said", "idea_partly", "does_not_know", "other", "unjudged", "wrong"})
"""Acts that may respond to the idea asked for."""
SUMMARY_END_ACTS = ANSWER_ACTS | {"go_on", "resume"}
"""Acts that sum up the concept, or skip the summary."""
MOVES_AFTER_TEST = frozenset({"continue_lesson", "begin_quiz", "not_yet", "probe_reasoning", "ask_attempt"})
"""Moves that wait while a misconception noticed earlier is tested."""
MODEL_MOVES: tuple[MoveId, ...] = (
    "ask_attempt",
    "probe_reasoning",
    "focus_step",
    "hint_principle",
    "hint_substep",
    "contrast_case",
    "affirm_specific",
    "simplify",
    "represent",
    "break_choice",
    "decline_answer",
    "answer_question",
    "not_yet",
    "welcome",
    "farewell",
)
"""Moves that a model may word for the tutor."""
COMPUTED_ACTS: frozenset[Act] = frozenset({"calculation", "claim"})
"""Acts whose reply is computed line by line: no model words it."""
MAX_TRIES = 2
"""Tries at one piece before the lesson goes on: asking the same thing a third time teaches nothing."""


def plan(request: Request) -> Plan:
    """Decide what the tutor does with this turn."""
    if not isinstance(request.facts, LessonFacts):
        return lobby.plan(request)
    return _TutorPlanner(request.facts, request).plan()


class _TutorPlanner(StepPlanner):
    """One turn of the tutor: the reply to what the learner said."""

    def plan(self) -> Plan:
        facts = self.facts
        if self.came_from_feedback:
            return self.go_on()
        if facts.placing or facts.off_topic:
            return self.beside()
        if facts.returned:
            return self.go_on(_("Back to *%(concept)s*.") % {"concept": facts.concept.title})
        kind = facts.act
        if facts.answered is not None and facts.asked is not None and self.cycle.state == "tutor_explaining":
            return self.after_step(facts.answered, facts.asked)
        if facts.put_away and kind in ("skip", "go_on") and not self.lesson.quiz_left:
            return self.go_on(renderer.pick_wording(phrases.SKIPPED_STEPS, facts))
        if self.open_step is not None and self.contrast is None and (beside := self.at_step(kind, self.open_step)):
            return beside
        if kind in ("unjudged", "other") and self.takes_any_reply:
            follow = self.back_to_question if self.in_quiz or self.open_step is not None else self.go_on
            return follow(renderer.pick_wording(phrases.TAKEN_REPLIES, facts), move="continue_lesson")
        if kind in CONVERSATIONAL_ACTS and not (facts.expects_own_words and kind in ANSWER_ACTS):
            return self.converse()
        waits_for_nothing = self.current is None and self.cycle.state == "tutor_explaining" and kind != "goodbye"
        if waits_for_nothing and quiz_is_due(facts):
            return self.begin_quiz()
        begins = waits_for_nothing and not self.lesson.quiz_left
        if begins and kind == "question":
            return self.answer_before_start()
        if begins and kind in ("other", "unjudged") and facts.served.unsure:
            return self.offer_start(renderer.pick_wording(phrases.UNCLEAR_BEFORE_START, facts), move="not_yet")
        if begins or not kind:
            if kind == "moved":
                here = _("Here is *%(concept)s*.") % {"concept": facts.concept.title}
                return self.go_on(reply_wording(facts, here), move="welcome")
            greeted = kind == "greeting"
            return self.go_on(self.greeting(_("Hello.") if greeted else ""), move="welcome")
        return self.reply()

    @property
    def takes_any_reply(self) -> bool:
        """Whether the open question is answered in words to which a course without wordings lists no answers."""
        if self.facts.course.wordings_key or self.facts.asked is not None or self.open_step is not None:
            return False
        if self.contrast is not None:
            return not self.contrast.contrast.ideas
        return self.current is not None and not self.current.ideas and self.cycle.state == "tutor_explaining"

    # --- What the learner said ---

    def reply(self) -> Plan:
        act = self.facts.act
        if first := self.closing(act) or self.reply_without_move(act):
            return first
        missing, contested = self.facts.served.misconception, self.contrast is not None
        move = decide_move(MoveSituation(act=act, misconception=missing, contested=contested, ladder=self.ladder()))
        if rather := self.paced(move.id) or self.after_quiz(act):
            return rather
        if self.facts.notes.to_tell_apart and self.may_test and move.id in MOVES_AFTER_TEST:
            why = _("A question will show which idea you meant.")
            return self.begin_quiz(renderer.pick_wording(phrases.TELLS_APART, self.facts), why=why)
        if (idea := self.idea_to_test()) and move.id in MOVES_AFTER_TEST:
            return self.test_earlier_idea(idea)
        return self.make_move(move)

    def reply_without_move(self, act: Act) -> Plan | None:
        """Respond to what needs no move: a drawing, a question about files, help with a case."""
        if act == "harder" and self.cycle.is_over:
            ready = renderer.pick_wording(phrases.READY_FOR_MORE, self.facts)
            return self.aside(reply_wording(self.facts, ready), move="continue_lesson")
        if (self.facts.attached and act in ("question", "other")) or self.facts.served.asks_own_files:
            return self.answer(Move(id="answer_question"))
        if act == "drawing":
            return self.ask_again(*drawing_replies.drawing_reply(self.facts), move="answer_question", asks=True)
        return self.case_help() if self.contrast is not None and act in HELP_ACTS else None

    def make_move(self, move: Move) -> Plan:
        act, contested = self.facts.act, self.contrast is not None
        match move.id:
            case "contrast_case":
                return self.test_idea(move)
            case "affirm_specific":
                return self.affirm(move)
            case "answer_question":
                return self.answer(move)
            case "begin_quiz" if self.cycle.state == "tutor_explaining":
                return self.begin_quiz()
            case "begin_quiz" if self.cycle.is_over:
                over = _("There are no more questions on *%(concept)s* for now.")
                return self.aside(over % {"concept": self.facts.concept.title}, move="quiz_is_over")
            case "begin_quiz" | "continue_lesson" | "resume_quiz":
                says_more = act == "go_on" and len(self.facts.text.split()) > 1
                return self.go_on(*((reply_wording(self.facts, ""),) if says_more else ()), move=move.id)
            case "farewell":
                return self.farewell(move)
            case "welcome":
                return self.ask_again(self.greeting(_("Hello.")), move=move.id)
            case "ask_attempt" if act in ("go_on", "skip") and contested:
                return self.go_on() if self.open_step is None else self.back_to_question(move="continue_lesson")
            case _:
                return self.ask_for_attempt(move)

    def farewell(self, move: Move) -> Plan:
        is_open = self.facts.open_instance is not None
        ways = None if is_open else reply_buttons([_("Let’s continue")], turn_id=self.facts.turn_id)
        said = farewell_wording(self.facts, guarded_text(self.facts, move, WordingParts()))
        return self.planned(said, ways, lesson=self.paused(), move=move.id, waits=not self.in_quiz)

    def ask_for_attempt(self, move: Move) -> Plan:
        """Come back to what is open, after words that were no answer to it."""
        if move.id == "not_yet" and self.cycle.is_over:
            return self.aside(renderer.pick_wording(phrases.UNCLEAR_AT_THE_END, self.facts), move=move.id)
        if move.id == "not_yet" and (told := self.wrong_pick()):
            return self.ask_again(told, move=move.id, asks="?" in told)
        if move.id == "not_yet" and self.contrast is not None and self.facts.act != "wrong":
            # Nothing says that these words are about the case: it gets no verdict.
            unread = renderer.pick_wording(phrases.UNREAD_IN_CASE, self.facts)
            return self.ask_again(unread, self.case_choices() if self.in_quiz else None, move=move.id)
        said = self.said(move)
        return self.ask_again(said, move=move.id, asks="?" in said.words)

    def closing(self, act: Act) -> Plan | None:
        """Respond to what is said after mastery: an idea, a summary in the learner's words, or thanks."""
        facts = self.facts
        if facts.milestone is not None and self.cycle.state == "mastered" and act in ANSWER_ACTS:
            return self.hear_idea(facts.milestone, act)
        if self.lesson.explaining == lesson_state.WHOLE_CONCEPT and act in SUMMARY_END_ACTS and not facts.attached:
            lesson = replace(self.lesson, explaining="")
            sums_up = act in ANSWER_ACTS and act != "does_not_know" and renderer.is_worth_quoting(facts.text)
            said = lesson_endings.summary_reply(facts, facts.text if sums_up else "")
            return self.planned(*said, lesson=lesson, move="continue_lesson", waits=False, ends=True)
        return None

    def converse(self) -> Plan:
        """Reply as a person would to a message that is no try at the question; the question stays as it was."""
        facts, asked = self.facts, self.facts.asked
        is_own = self.asks_for_words
        compares = facts.act == "unjudged" and facts.served.move != "verdict"
        if compares and is_own and self.lesson.comparing:
            return self.go_on(self.shown_answer())
        readings = self.likely_readings() if compares else ()
        sentence = self.compared_sentence() if compares and is_own and not readings else ""
        if readings:
            said: tuple[SpeechPart, ...] = (renderer.pick_wording(phrases.WHICH_IDEA, facts),)
        else:
            said = reword_reply(facts, self.compared(sentence)) if facts.act == "unjudged" else self.replied()
        ticks = [_("I meant the same thing"), _("Not quite"), _("Not sure")] if sentence else []
        ticks += [*readings, _("Neither")] if readings else []
        ways = [*conversation_replies.reply_options(facts), *ticks]
        choices = None if ways else self.case_choices()
        if not ways and not choices and (asked is None or not asked.is_open):
            ways = [_("Let’s continue")]
        buttons = reply_buttons(ways, turn_id=facts.turn_id) if ways else choices
        card = open_question_card(asked) if asked is not None and asked.is_open and facts.act != "feeling" else None
        lesson = replace(self.lesson, comparing=bool(sentence) or self.lesson.comparing, weighing=bool(readings))
        if readings:
            lesson = replace(lesson, weighed=(*lesson.weighed, facts.served.nearest))
        return self.planned(*said, card, buttons, lesson=lesson, move="converse", waits=False)

    def replied(self) -> tuple[SpeechPart, ...]:
        """Return the reply to the message; one that gives the open question's answer away is replaced."""
        said = conversation_replies.reply(self.facts)
        if self.facts.served.about == "repeat":
            return said  # The question's own words with its choices.
        text = " ".join(each for each in said if isinstance(each, str))
        harmless = first_safe(self.facts, lambda _again: text, Move(id="ask_attempt")) if text else ""
        if harmless != text:
            if self.facts.act == "claim":
                return (self.pick(phrases.CLAIM_FOR_CARD),)  # True or not: a verdict would answer the question.
            if self.facts.act in COMPUTED_ACTS:
                return (conversation_replies.withheld_reply(self.facts),)
            return (self.pick(phrases.ANSWERLESS_AT_CARD) if self.facts.act == "system" else harmless,)
        return said if self.facts.act in COMPUTED_ACTS else reword_reply(self.facts, said)

    @property
    def asks_for_words(self) -> bool:
        """Whether the open prompt is answered in words, and the message is rather about it than about another idea."""
        asked, model = self.facts.asked, self.model_sentence()
        by_card = asked is not None and asked.is_open and not asked.instance.own_words
        said, idea = content_words(self.facts.text), self.facts.course.misconceptions.get(self.facts.served.nearest)
        is_elsewhere = idea is not None and len(said & content_words(f"{idea.correct_idea} {idea.says}")) > len(
            said & content_words(model)
        )
        return bool(model) and (self.contrast is not None or not by_card) and not is_elsewhere

    def compared_sentence(self) -> str:
        """Return the model sentence to compare words with that cannot be judged; empty if they may be about something else."""
        return self.model_sentence() if self.facts.served.nearest or self.is_about_case() else ""

    def likely_readings(self) -> tuple[str, ...]:
        """Return what holds about the idea that words may be about, and what is often thought instead, in any order.

        Empty if no idea is near, if it was asked about before, or if it gives an open answer away.
        """
        idea = self.facts.course.misconceptions.get(self.facts.served.nearest)
        if idea is None or idea.id in self.lesson.weighed:
            return ()
        readings = [idea.says, idea.correct_idea]
        if safe_blocks(self.facts, tuple(readings)) != tuple(readings):
            return ()
        Random(self.facts.seed).shuffle(readings)
        return tuple(readings)

    def is_about_case(self) -> bool:
        """Tell whether a message has a word in common with the open case; True without a case."""
        if self.contrast is None:
            return True
        case = self.contrast.contrast
        texts = [case.question, case.right, *case.wrong, *(each for each in case.blocks if isinstance(each, str))]
        return bool(content_words(self.facts.text) & content_words(" ".join(texts)))

    def compared(self, sentence: str) -> tuple[str, ...]:
        """Return the sentence to compare with, for words that cannot be judged for sure."""
        if not sentence:
            unread = phrases.UNREAD_IN_CASE if self.contrast is not None else phrases.SAY_IT_OTHERWISE
            return (renderer.pick_wording(unread, self.facts),)
        return (renderer.pick_wording(phrases.COMPARED, self.facts, sentence=sentence),)

    def shown_answer(self) -> str:
        """Return a right answer to the open prompt after two tries, and say that the lesson goes on."""
        sentence = self.model_sentence()
        if not sentence:
            return renderer.pick_wording(phrases.MOVE_ON_OFFERS, self.facts)
        return renderer.pick_wording(phrases.IDEA_SHOWN, self.facts, sentence=sentence)

    def model_sentence(self) -> str:
        """Return a model sentence for the open prompt; empty if the course has none."""
        return self.facts.model_sentence or (self.contrast.correct_idea if self.contrast is not None else "")

    def ladder(self) -> HintClimb | None:
        asked = self.facts.asked
        if asked is None or not asked.is_open:
            return None
        return HintClimb(rung=asked.hints_used, attempts=asked.attempts, attempts_at_rung=asked.attempts)

    def case_help(self) -> Plan | None:
        """Say what to look at in the open case; the second time, what it shows. None if the course has no such words."""
        if self.contrast is None:
            return None
        look, shows = self.contrast.contrast.not_yet, self.contrast.correct_idea
        if look and not renderer.was_told(look, self.facts):
            return self.ask_again(look, move="focus_step", asks=True)
        return self.back_to_question(shows, move="contrast_case") if self.open_step or self.in_quiz else None

    def test_idea(self, move: Move) -> Plan:
        """Answer a misconception with a case in which it fails."""
        facts, misconception = self.facts, self.facts.misconception(move.misconception)
        assert misconception is not None
        found = misconception_found(facts, misconception, agent="tutor", evidence=quoted_words(facts.text))
        held = safe_blocks(facts, (misconception.correct_idea,))
        if was_case_told(facts, misconception) and held == (misconception.correct_idea,):
            told = renderer.pick_wording(phrases.CASE_TOLD, facts, idea=misconception.correct_idea)
            return self.back_to_question(found, told, move="contrast_case")
        if self.open_step is not None:
            return self.show_case(misconception, found, quote=facts.served.quote)
        first, *rest = safe_blocks(facts, misconception.contrast.blocks)
        words = facts.text if renderer.is_worth_quoting(facts.text) else facts.served.quote
        hint = first if isinstance(first, str) else ""
        opening = guarded_wording(facts, move, WordingParts(hint=hint, quote=words))
        shown = [opening, *rest] if hint else [opening, first, *rest]
        lesson = self.testing(misconception)
        return self.planned(
            found,
            *drawing_replies.glance(facts),
            *shown,
            lesson=lesson,
            move=move.id,
            misconception=misconception.id,
            waits=not self.in_quiz,
        )

    def paced(self, move: str) -> Plan | None:
        """Return a smaller step, another picture or something harder, if the pace asks for it.

        Who knows it already may show it: with the quiz, or in the quiz with the open question.
        """
        facts, wanted = self.facts, self.facts.notes.wanted
        if facts.act == "known" and self.in_quiz and facts.asked is not None:
            shows = renderer.pick_wording(phrases.KNOWN_AT_QUESTION, facts)
            return self.planned(
                shows, open_question_card(facts.asked), lesson=self.lesson, move="resume_quiz", waits=False
            )
        if self.cycle.state != "tutor_explaining" or self.contrast is not None:
            return None
        if self.open_step is not None and facts.act not in ("known", "harder"):
            return None
        asked = pace.requested_pace(facts)
        if facts.act == "known":
            return self.begin_quiz(
                _("Good. Let’s check that with a few questions, and then we’ll move on."),
                why=_("You said you know this already."),
            )
        if asked == "break_choice" or (wanted == "break_choice" and move in pace.SKIPPABLE_MOVES):
            why = _("You seem ready for harder questions.")
            return self.begin_quiz(renderer.pick_wording(phrases.FURTHER_ON, facts), why=why)
        eases = asked or (wanted if wanted in ("simplify", "represent") and move in pace.EASABLE_MOVES else "")
        if worked := worked_examples.substitute_example(facts, self.lesson.explained):
            return self.show(worked)
        piece = pace.smaller_step(facts, self.lesson.explained, pictured=eases == "represent") if eases else None
        if piece is None:
            return None
        opening = phrases.OTHER_PICTURE if eases == "represent" else phrases.SMALLER_STEP
        ways = reply_buttons(pace.reply_options(in_quiz=False), turn_id=facts.turn_id)
        first = self.leading() if asked == "simplify" else renderer.pick_wording(opening, facts)
        return self.say(piece, first, move=eases, last=ways)

    def leading(self) -> Wording | None:
        """Return a kind word before an example, if a model can say it to a learner who is stuck."""
        is_stuck = self.facts.act in ("does_not_know", "stuck", "answer_demand")
        return reply_wording(self.facts, "", act="does_not_know") if is_stuck else None

    def show(self, worked: worked_examples.WorkedExample) -> Plan:
        """Show a worked exercise instead of an example; the piece's question stays open."""
        ways = reply_buttons(pace.reply_options(in_quiz=False), turn_id=self.facts.turn_id)
        opening = renderer.pick_wording(phrases.NO_MORE_EXAMPLES, self.facts)
        return self.planned(opening, *worked.blocks, ways, lesson=self.lesson, move="simplify", example=worked.id)

    def idea_to_test(self) -> Misconception | None:
        """Return the misconception that a side agent noticed in an earlier turn; None if its case does not fit now."""
        noticed = self.facts.misconception(self.facts.notes.to_test) if self.may_test else None
        return noticed if noticed is not None and is_case_safe(self.facts, noticed) else None

    @property
    def may_test(self) -> bool:
        """Whether the explanation can pause for a case, or for a question that tells misconceptions apart."""
        return self.contrast is None and self.cycle.state == "tutor_explaining"

    def test_earlier_idea(self, misconception: Misconception) -> Plan:
        """Show the case of a misconception that was noticed earlier."""
        opening = renderer.pick_wording(phrases.EARLIER_IDEA, self.facts)
        lesson = self.testing(misconception)
        return self.planned(
            opening, *misconception.contrast.blocks, lesson=lesson, move="contrast_case", misconception=misconception.id
        )

    def affirm(self, move: Move) -> Plan:
        """Name what the learner did, and go on with the lesson, or with the question that showed the misconception."""
        facts = self.facts
        if self.contrast is not None:
            resolved = misconception_resolved(facts, self.contrast, agent="tutor")
            follow = self.back_to_question if self.in_quiz or self.open_step is not None else self.go_on
            return follow(resolved, self.said(move), move=move.id)
        if self.current is None or not self.current.heard:
            return self.go_on(self.said(move), move=move.id)
        found = idea_found(facts, words=self.current.heard, name=self.current.id, agent="tutor")
        return self.go_on(found, self.said(move), move=move.id)

    def answer(self, move: Move) -> Plan:
        """Answer a question from the course, then come back to what was asked."""
        known = self.facts.course_answer
        if explained := explain_name(self.facts.text, self.facts.open_instance):
            return self.ask_again(explained, move=move.id)
        if "tell_more" in self.facts.served.commands:
            known = find_related_answer(self.facts.course, self.facts.told)
            if known is None:
                return self.ask_again(renderer.pick_wording(phrases.NOTHING_MORE, self.facts), move=move.id, asks=True)
        if known is None and self.facts.served.sentence:
            return self.ask_again(*self.quoted(move), move=move.id)
        if known is None and "why_asked" in self.facts.served.commands:
            return self.ask_again(system_answers.purpose_reply(self.facts), move=move.id, asks=True)
        if known is None:
            return self.ask_again(*self.beyond(*self.answerless(move)), move=move.id, asks=True)
        if renderer.was_told(known.says, self.facts) and self.facts.served.mood:
            return self.ask_again(*self.met(), move=move.id)  # "this is pointless", said again, asks for no answer.
        if renderer.was_told(known.says, self.facts):
            return self.ask_again(renderer.pick_wording(phrases.ANSWERED_BEFORE, self.facts), move=move.id)
        text = first_safe(self.facts, lambda _again: known.says, move)
        said = model_wording(self.facts, text, move, WordingParts(hint=known.says))
        picture = answer_picture(known, self.facts.text, beside=self.facts.open_instance)
        return self.ask_again(said, picture, move=move.id, asks="?" in text)

    def quoted(self, move: Move) -> tuple[PlanPart, ...]:
        """Return the sentence of the lesson that comes nearest to the message, unless it gives the open answer away."""
        sentence = self.facts.served.sentence
        words = renderer.pick_wording(phrases.LESSON_QUOTED, self.facts, sentence=sentence)
        if renderer.was_told(sentence, self.facts) or safe_blocks(self.facts, (words,)) != (words,):
            return self.answerless(move)
        return (model_wording(self.facts, words, move, WordingParts(hint=sentence)),)

    def answerless(self, move: Move) -> tuple[PlanPart, ...]:
        """Return what is said to a question without an answer; beside an open question it offers help with that."""
        quote = self.facts.text if renderer.is_worth_quoting(self.facts.text) else ""
        if self.facts.open_instance is None or self.contrast is not None:
            return (guarded_wording(self.facts, move, WordingParts(quote=quote)),)
        words = self.pick(phrases.ANSWERLESS_AT_CARD)
        ways = reply_buttons(help_options(), turn_id=self.facts.turn_id)
        return (model_wording(self.facts, words, move, WordingParts(quote=quote)), ways)

    def answer_before_start(self) -> Plan:
        """Answer a question that comes while the lesson is only offered; the offer stays."""
        known, move = self.facts.course_answer, Move(id="answer_question")
        if known is None:
            said = self.beyond(guarded_wording(self.facts, move, WordingParts()))
        else:
            said = (model_wording(self.facts, known.says, move, WordingParts(hint=known.says)),)
        return self.offer_start(*said, move=move.id)

    def offer_start(self, *said: SpeechPart, move: str) -> Plan:
        """Say something while the lesson is only offered."""
        start = reply_buttons([_("Let’s start")], turn_id=self.facts.turn_id)
        return self.planned(*said, start, lesson=self.lesson, move=move)

    def met(self) -> tuple[SpeechPart, ...]:
        """Meet the feeling in a question that is a sigh."""
        return reword_reply(self.facts, (conversation_replies.feeling_reply(self.facts),), act="feeling")

    def beyond(self, *otherwise: PlanPart) -> tuple[PlanPart, ...]:
        """Return the answer to a question that the course has no answer to; `otherwise` if nothing answers it."""
        facts, asking = self.facts, self.asking() if self.cycle.state == "tutor_explaining" else None
        return lookup_answers.answer_question(
            lookup_answers.LookupQuestion(
                text=facts.text,
                turn_id=facts.turn_id,
                otherwise=otherwise,
                attached=facts.attached,
                in_own_files=facts.served.asks_own_files,
                following=(renderer.capitalize_sentence(asking.question),) if asking is not None else (),
                question=open_question(facts),
                asked=asking.question if asking is not None else "",
                lesson=facts.concept.title,
            )
        )

    def ask_again(self, *first: SpeechPart, move: str, asks: bool = False) -> Plan:
        """React, then ask again; after enough tries go on instead."""
        tries = self.lesson.tries + (move in RETRY_MOVES)
        at_question = self.in_quiz or self.open_step is not None
        if at_question and self.contrast is not None and tries >= MAX_TRIES:
            return self.back_to_question(self.shown_answer() if self.open_step else None, move=move)
        if self.open_step is not None and self.contrast is None:
            return self.stay(*first, move=move)
        if self.cycle.state != "tutor_explaining":
            return self.aside(*first, move=move, tries=tries, asks=asks)
        if tries >= MAX_TRIES:
            return self.go_on(self.shown_answer())
        asking = self.asking()
        # The question of a case stands on the card, with its short answers.
        is_shown = self.contrast is not None and self.open_step is not None
        again = None if asks or is_shown or asking is None or tries else asking
        question = renderer.capitalize_sentence(again.question) if again is not None else None
        lesson = replace(self.lesson, tries=tries, begun=self.begun())
        return self.planned(*first, question, self.case_choices(), lesson=lesson, move=move)

    def beside(self) -> Plan:
        """Answer a message outside a placement, or say that the team does not do this; then offer the open question."""
        facts = self.facts
        if facts.act == "greeting":
            said: tuple[SpeechPart, ...] = (self.greeting(_("Hello.")),)
        elif facts.off_topic or facts.act == "off_topic":
            said = self.beyond(reply_wording(facts, renderer.pick_wording(phrases.OFF_TOPIC, facts), act="off_topic"))
        elif facts.act in CONVERSATIONAL_ACTS:
            said = self.replied()
        elif facts.served.asks_own_files:
            said = self.beyond()
        elif facts.course_answer is not None:
            says = facts.course_answer.says
            known = model_wording(
                facts,
                first_safe(facts, lambda _again: says, Move(id="answer_question")),
                Move(id="answer_question"),
                WordingParts(hint=says),
            )
            said = (known,)
        else:
            later = _("That comes in a later lesson. Ask me again then. First, let’s find your starting point.")
            said = (reply_wording(facts, later),)
        if facts.asked is not None and facts.asked.is_open:
            offer = renderer.pick_wording(phrases.RESUME_OFFERS, facts)
            out = exit_buttons(facts.turn_id) if facts.placing else None
            return self.planned(
                *said,
                offer,
                open_question_card(facts.asked),
                out,
                lesson=self.paused(),
                move="answer_question",
                waits=False,
            )
        asking = self.asking()
        again = asking.question if asking is not None and not facts.placing else _("Your place is saved.")
        return self.planned(*said, again, lesson=self.lesson, move="answer_question", waits=False)

    # --- Wording ---

    def greeting(self, words: str) -> Wording:
        """Return a greeting for a model to word; without a model it is short or left out."""
        return model_wording(self.facts, words, Move(id="welcome"), WordingParts())

    def said(self, move: Move) -> Wording:
        """Return the move's words; now and then they repeat the learner's own, if those say something."""
        facts, expected = self.facts, self.asking()
        quote = (
            facts.text if facts.seed % 3 == 0 and renderer.is_worth_quoting(facts.text) and self.is_an_idea() else ""
        )
        owed = facts.served.missing
        pointer = expected.not_yet if expected and not owed else ""
        if move.id == "decline_answer" and not pointer:
            move = Move(id="ask_attempt")
        words = WordingParts(
            quote="" if owed else quote,
            hint=pointer if move.id == "decline_answer" else "",
            heard=expected.heard if expected else "",
            not_yet=pointer,
            holds=facts.served.quote if facts.act == "idea_partly" else "",
            ask=owed,
            concept=facts.concept.title,
        )
        if facts.act == "does_not_know" and pointer:
            # Nothing was said that could be “not quite” right.
            return model_wording(facts, first_safe(facts, lambda _again: pointer, move), move, words)
        return guarded_wording(facts, move, words)

    # --- What is still to say, once the answers show mastery ---

    def hear_idea(self, milestone: Milestone, kind: Act) -> Plan:
        """Respond to how the learner says an idea; a partial one is asked for once more, then the next one follows."""
        facts = self.facts
        if kind == "idea_said":
            heard = answer_reasons.milestone_in_words(milestone, facts)
            found = idea_found(facts, words=heard, name=milestone.id, agent="tutor")
            quote = facts.text if renderer.is_worth_quoting(facts.text) else ""
            said = guarded_wording(facts, Move(id="affirm_specific"), WordingParts(heard=heard, quote=quote))
            return self.next_idea(milestone, found, said, move="affirm_specific")
        if kind == "idea_partly" and not self.lesson.tries:
            more = guarded_wording(facts, Move(id="probe_reasoning"), WordingParts(not_yet=_("What is still missing?")))
            lesson = replace(self.lesson, tries=1, begun=facts.text)
            return self.planned(more, lesson=lesson, move="probe_reasoning", waits=False)
        own_words = kind in ("other", "unjudged") and renderer.is_worth_quoting(facts.text) and self.model_sentence()
        left = self.shown_answer() if own_words else renderer.pick_wording(phrases.IDEA_LEFT_OPEN, facts)
        return self.next_idea(milestone, left, move="continue_lesson")

    def next_idea(self, milestone: Milestone, *first: SpeechPart, move: str) -> Plan:
        every, said = self.facts.concept.milestones, self.lesson.said
        later = milestones.unsaid_milestones(every[every.index(milestone) + 1 :], said=said)
        lesson = replace(self.lesson, explaining=later[0].id if later else "", tries=0)
        if later:
            return self.planned(
                *first, lesson_endings.milestone_question(later[0]), lesson=lesson, move=move, waits=False
            )
        after = "" if milestones.unsaid_milestones(every, said=said) else lesson_endings.all_ideas_said(self.facts)
        return self.planned(*first, after, lesson=lesson, move=move, waits=False, ends=True)


ROLE = Role(
    name="tutor",
    label=gettext_lazy("Tutor"),
    purpose=gettext_lazy("explains the topic and asks questions"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "tutor.md"),
    standing=example_replies_for(MODEL_MOVES),
    result=TutorTurn,
    tools=(*lookup_answers.TOOLS, BOARD_TOOL.name),
    writes=frozenset({lesson_state.LESSON_KEY, "explanation", "examples_provided", "quiz_paused"}),
    tier="strong",
    speaks=True,
    on_failure="abort",
)
