"""Replies to messages that do not answer the question: calculations, feelings, questions about the system, chat."""

import re
from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents.engine.roles import PlannedToolUse, PlanPart
from agents.tools import ToolResult
from agents.tools.calculator import CalculatorArguments
from tutoring.grading.conversions import value_of
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.lesson.response_plan import Act, ResponsePlan
from tutoring.roles.explanation.system_answers import known_answer, system_reply
from tutoring.roles.explanation.worked_calculations import work_out
from tutoring.roles.wording import phrases, renderer
from tutoring.roles.wording.unreadable_answers import help_options
from tutoring.understanding.message_analysis import ArithmeticClaim
from tutoring.understanding.parsing import quoting
from tutoring.understanding.parsing.numeric_claims import find_numeric_claims

type Facts = LessonFacts | LobbyFacts

TALK_ACTS: frozenset[Act] = frozenset(
    {
        "feeling",
        "joy",
        "small_talk",
        "system",
        "insult",
        "nonsense",
        "thanks",
        "calculation",
        "contest",
        "claim",
    }
)
"""Acts that are answered without a lesson, too."""


def reply(facts: Facts) -> tuple[PlanPart, ...]:
    """Return the reply to such a message; empty for an act that a role handles itself."""
    served = facts.served
    match served.act:
        case "calculation":
            return calculation_reply(served)
        case "claim":
            is_open = isinstance(facts, LessonFacts) and facts.open_instance is not None
            return (claim_reply(served, is_open=is_open and served.about != "result"),)
        case "system":
            return (system_reply(facts),)
        case "feeling":
            return (feeling_reply(facts),)
        case "contest":
            return (contest_reply(facts),)
        case "ventured":
            return (renderer.pick_wording(_VENTURED, facts, answer=served.quote),)
        case "compared":
            ticked = phrases.MEANT_SAME if "meant_same" in served.commands else phrases.MEANT_OTHER
            return (renderer.pick_wording(ticked, facts),)
        case "joy" if served.about == "mixed":
            over = {"afraid", "eased"} <= {*served.commands}
            kind = "no longer afraid" if over else next((each for each in _MIXED if each in served.commands), "")
            return (renderer.pick_wording(_MIXED[kind], facts),)
        case "late_right":
            return (renderer.pick_wording(_LATE, facts, quote=f"“{quoting.quote_words(served.quote)}”"),)
    said = _PLAIN.get(served.act, ())
    if served.about == "result":
        said = _ASKED_AFTER_RESULT if "?" in facts.text else _ABOUT_RESULT
    elif {"waits", "will_try"} & {*served.commands}:
        said = _TIME_TO_THINK
    elif served.act == "tutor_corrected" and isinstance(facts, LessonFacts) and facts.open_instance is not None:
        said = _MISREAD
    return (renderer.pick_wording(said, facts),) if said else ()


def reply_options(facts: Facts) -> list[str]:
    """Return what the learner may want to say next, as button labels."""
    if facts.served.choices and facts.served.act in ("claim", "tutor_corrected"):
        return [*facts.served.choices, help_options()[0]]
    match facts.served.act:
        case "claim" if facts.served.about == "step":
            return help_options()
        case "system" if isinstance(facts, LobbyFacts):
            return [_("What can I learn here?")]
        case "system" if isinstance(facts, LessonFacts) and facts.open_instance and not known_answer(facts):
            return help_options()
        case "feeling" if facts.served.about == "other_wish":
            return [_("Skip this question"), _("Show me an example"), _("Something else")]
        case "feeling":
            return [_("Let’s continue"), _("I need a break"), _("Something easier, please")]
        case "ventured":
            return [_("The answer is %(answer)s") % {"answer": facts.served.quote}, _("A hint, please")]
        case "contest":
            return [_("Ask me another one"), _("Explain it again"), _("How do you know?")]
        case "insult" | "nonsense" | "tutor_corrected":
            return [_("Let’s continue"), _("Explain it differently")]
        case "compared" if "meant_same" not in facts.served.commands:
            return [*help_options(), _("Let’s continue")]
        case "late_right" | "joy" | "thanks" | "claim" | "small_talk" | "compared":
            return [_("Let’s continue")]
    return []


def calculation_reply(served: ResponsePlan) -> tuple[PlanPart, ...]:
    """Return a calculation worked out line by line; one that is not two numbers goes to the calculator."""
    if served.withheld:
        return (served.withheld,)
    if "=" in served.statement and (asked := find_numeric_claims(served.statement)):
        return _equation_reply(asked[0])
    worked = work_out(served.statement)
    if worked is not None:
        return " ".join(worked.lines), *((worked.picture,) if worked.picture is not None else ())
    if not served.statement:
        return (
            _(
                "Type your calculation in numbers, such as “1/2 + 1/3”, “simplify 6/8” or “2/3 of 12”, and I’ll show "
                "you how to work it out."
            ),
        )
    arguments = CalculatorArguments(expression=served.statement)
    return (PlannedToolUse(tool="calculator", arguments=arguments, then=partial(_computed, served.statement)),)


def _equation_reply(asked: ArithmeticClaim) -> tuple[PlanPart, ...]:
    """Return whether two numbers are equal that the learner asks about, worked out."""
    one, _sign, other = _sides(asked.statement)
    sides = {"one": one.replace("*", "×"), "other": other.replace("*", "×")}
    if asked.holds:
        first = _("Yes, %(one)s is equal to %(other)s.") % sides
    else:
        first = _("No, %(one)s isn’t equal to %(other)s.") % sides
    worked = work_out(one) or work_out(other)
    if worked is None:
        return (first,)
    return " ".join((first, *worked.lines)), *((worked.picture,) if worked.picture is not None else ())


def withheld_reply(facts: LessonFacts) -> str:
    """Return why a calculation is not worked out whose result answers the open question, and what helps with it."""
    if facts.placing:
        return _(
            "That’s exactly what this question asks, so I can’t tell you yet. Give your answer, or say “I don’t know”."
        )
    return _(
        "That would give away the answer to your question. Try it first, or say “I’m stuck” and I’ll show you one like "
        "it."
    )


def _computed(expression: str, result: ToolResult | str) -> tuple[PlanPart, ...]:
    if isinstance(result, str):
        return (result,)
    return (f"`{result.summary}`",)


def claim_reply(served: ResponsePlan, *, is_open: bool) -> str:
    """Return whether a claim about numbers is true, and what is true; `is_open`: it was said beside an open question.

    A true one that does not answer the question is no praise: "8 + 4 is 12 so the bag is 12".
    """
    one, sign, other = _sides(served.statement)
    if served.holds:
        between = _BETWEEN.fullmatch(served.statement)
        claim = _in_words(one, sign, other) or f"`{served.statement}`"
        if between:
            claim = _("%(number)s is between %(low)s and %(high)s") % between.groupdict()
        if served.about == "step":
            return _("Yes, %(claim)s. You’re on the way. What comes next?") % {"claim": served.statement}
        if is_open:
            return _("It’s true that %(claim)s. Does that answer the question on the card?") % {"claim": claim}
        return _("Yes, that’s true: %(claim)s.") % {"claim": claim}
    if worked := work_out(one) or work_out(f"{one} ? {other}") or work_out(other):
        alike = len(worked.lines) == 1 and set("+-") & {*one}
        first = _("The parts are the same size, so only the top number changes.") if alike else ""
        return " ".join(filter(None, (_("Not quite."), first, *worked.lines)))
    return _("Not quite: %(claim)s isn’t true. Work out both sides and compare them.") % {
        "claim": f"`{served.statement}`"
    }


def _sides(statement: str) -> tuple[str, str, str]:
    """Return the two sides of a statement and their sign; of a chain that does not hold, the two numbers that break it."""
    found = _STATEMENT.fullmatch(statement)
    if found:
        return found[1], found[2], found[3]
    numbers = re.split(r"\s[<=]\s", statement)
    try:
        values = [value_of(each) for each in numbers]
    except ValueError:
        return "", "", ""  # Of a chain with calculations: "4 × 3 + 3 = 12 = 15".
    sign = "<" if "<" in statement else "="
    for one, other, first, second in zip(numbers, numbers[1:], values, values[1:], strict=False):
        is_broken = first != second if sign == "=" else first is None or second is None or first >= second
        if is_broken:
            return one, sign, other
    return "", "", ""


def _in_words(one: str, sign: str, other: str) -> str:
    if sign == "=" and (share := _SHARE.fullmatch(one)):
        return _("%(part)s of %(whole)s is %(other)s") % {**share.groupdict(), "other": other}
    words = {
        ">": _("%(one)s is bigger than %(other)s"),
        "<": _("%(one)s is smaller than %(other)s"),
        "=": _("%(one)s is the same as %(other)s"),
        "≠": _("%(one)s is not the same as %(other)s"),
        "≤": _("%(one)s is not bigger than %(other)s"),
        "≥": _("%(one)s is not smaller than %(other)s"),
    }
    return words[sign] % {"one": one, "other": other} if sign in words and " " not in one else ""


def feeling_reply(facts: Facts) -> str:
    """Return one human sentence in reply to a feeling."""
    said, who = facts.served.commands, facts.served.about
    if who == "other_wish":
        return renderer.pick_wording(_OTHER_WISH, facts)
    if "loss" in said and who:
        return renderer.pick_wording(_LOSSES, facts, who=who)
    if "illness" in said and who:
        return renderer.pick_wording(_ILLNESSES, facts, who=who)
    if "bored" in said and isinstance(facts, LessonFacts) and facts.placing:
        return renderer.pick_wording(_BORED_BY_QUESTIONS, facts)
    kind = next((each for each in _FEELINGS if each in said), "")
    return renderer.pick_wording(_FEELINGS.get(kind, _HARD), facts)


def contest_reply(facts: Facts) -> str:
    """Return the reply to a learner who contests a verdict or a mastery score."""
    if "guessed" in facts.served.commands:
        return renderer.pick_wording(_GUESSED, facts)
    if isinstance(facts, LessonFacts) and "doubts_mastery" in facts.served.commands:
        names = {"url": f"/progress/{facts.course.id}/{facts.concept.id}/"}
        return (
            _(
                "You may be right. A few questions can’t show everything. [See which answers I counted](%(url)s). I can "
                "ask you more, or explain it again."
            )
            % names
        )
    if isinstance(facts, LessonFacts) and facts.last_answer is not None:
        names = {"url": facts.last_answer.url}
        return (
            _(
                "You may be right. [Open your last answer](%(url)s) and press “That’s not right,” or tell me what you meant."
            )
            % names
        )
    if isinstance(facts, LessonFacts):
        names = {"url": f"/progress/{facts.course.id}/{facts.concept.id}/"}
        return _("You may be right. [See which answers I counted](%(url)s), or tell me what you meant.") % names
    return _("You may be right. Tell me what you meant.")


_STATEMENT = re.compile(r"([^<>=≤≥≠≈]+?)\s*([<>=≤≥≠])\s*([^<>=≤≥≠≈]+)")
"""Two sides and the sign between them: "1/2 + 1/3 = 2/5"."""
_SHARE = re.compile(r"(?P<part>\d+/\d+) × (?P<whole>\d+)")
_BETWEEN = re.compile(r"(?P<low>[^<]+) < (?P<number>[^<]+) < (?P<high>[^<]+)")
_PLAIN: dict[str, Sequence[str]] = {
    "thanks": (gettext_noop("You’re welcome."), gettext_noop("I’m glad that helped.")),
    "joy": (
        gettext_noop("That’s great."),
        gettext_noop("I’m glad to hear that."),
        gettext_noop("Good to hear."),
        gettext_noop("Wonderful."),
        gettext_noop("Nice. Let’s keep going."),
    ),
    "small_talk": (
        gettext_noop("All right. We can continue whenever you like."),
        gettext_noop("Thanks for sharing that. Shall we continue?"),
        gettext_noop("Thanks for telling me about that. I’m better at teaching than at chatting, though."),
        gettext_noop("That’s good to know. Tell me when you want to continue."),
        gettext_noop("Thank you for telling me about it. The lesson is here when you’re ready."),
        gettext_noop("I’m a program, so I can’t say much about that. But I’m glad you told me."),
    ),
    "insult": (
        gettext_noop("I’m sorry I wasn’t more help. Tell me what went wrong, and I’ll try another way."),
        gettext_noop("I’m sorry that didn’t help. Should I explain it another way?"),
        gettext_noop("You sound annoyed, and that’s okay. Tell me what would help."),
    ),
    "nonsense": (
        gettext_noop("I couldn’t read that. Could you say it another way?"),
        gettext_noop("I don’t understand that. Would you like to continue, or should I explain something another way?"),
        gettext_noop("I can’t find any words in that. Try typing it again, or continue with the lesson."),
    ),
    "tutor_corrected": (
        gettext_noop("Thank you. I may be wrong about that. Tell me what you see, and we’ll check it together."),
        gettext_noop("I can make mistakes. What do you see? We’ll look at it step by step."),
    ),
}
_LATE: Sequence[str] = (
    gettext_noop("Yes, %(quote)s is right. That answers my earlier question."),
    gettext_noop("Right: %(quote)s. You’ve found the answer to my earlier question."),
    gettext_noop("Yes, %(quote)s. That’s the right answer to what I asked a moment ago."),
)
_VENTURED: Sequence[str] = (
    gettext_noop("Should I take %(answer)s as your answer, or would you like a hint first?"),
    gettext_noop("Is %(answer)s your answer, or would you like to think some more?"),
    gettext_noop("Should I count %(answer)s as your answer, or are you still thinking?"),
)
_MIXED: dict[str, Sequence[str]] = {
    "no longer afraid": (
        gettext_noop("I’m glad that’s behind you. You got there by trying."),
        gettext_noop("That’s good to hear. It gets easier once you’ve started, doesn’t it?"),
    ),
    "afraid": (
        gettext_noop("It’s normal to be nervous, but you started anyway. I’m glad you’re here."),
        gettext_noop("Many people feel nervous about this. It’s good that you’re giving it a try."),
    ),
    "eased": (
        gettext_noop("I’m glad it’s a little easier than before. We can keep the steps small."),
        gettext_noop("A little better is a good start. We can keep the steps small."),
    ),
    "": (
        gettext_noop("Thank you for telling me. I’m glad you’re here, and we can take it one step at a time."),
        gettext_noop("Thank you for telling me that. It’s okay to feel that way, and we’ll go at your pace."),
        gettext_noop("I’m glad you told me how it’s going. Nothing has to be perfect here."),
    ),
}
"""Replies to something good and bad told together, or to a feeling that may be either, by the first command that fits."""
_GUESSED: Sequence[str] = (
    gettext_noop("Thanks for telling me. One more question will show whether you know it."),
    gettext_noop("That’s fine. Everybody guesses sometimes. The next question will show what you know."),
    gettext_noop("You can guess. If your guess is wrong, you’ll get a hint."),
)
_LOSSES: Sequence[str] = (
    gettext_noop("I’m so sorry about your %(who)s."),
    gettext_noop("That’s so sad. I’m sorry that you lost your %(who)s."),
)
_ILLNESSES: Sequence[str] = (
    gettext_noop("I’m sorry to hear about your %(who)s. I hope things get better soon."),
    gettext_noop("You must be worried. I hope your %(who)s gets better soon."),
)
_BORED_BY_QUESTIONS: Sequence[str] = (
    gettext_noop("Thank you for telling me. Say “I know this” to skip a question, or “stop” to end the questions."),
    gettext_noop(
        "Then let’s keep it short. Say “I know this” to skip a question, or “stop” to end the questions and start the lesson."
    ),
)
_ABOUT_RESULT: Sequence[str] = (
    gettext_noop("Thanks for telling me how you see it. I can’t check that, so it changes nothing about your result."),
    gettext_noop("I can’t check that thought. Your result stays as it is, and you can go on when you like."),
    gettext_noop("Thank you. I can’t tell whether that holds. Go on when you’re ready."),
)
_ASKED_AFTER_RESULT: Sequence[str] = (
    gettext_noop("I don’t have a sure answer to that, and I don’t want to guess."),
    gettext_noop("That goes beyond what I can answer here."),
    gettext_noop("I can’t answer that one reliably, so I’d rather not. You can go on when you like."),
)
_TIME_TO_THINK: Sequence[str] = (
    gettext_noop("Take your time. Nothing here is timed."),
    gettext_noop("No rush. Go on when you’re ready."),
)
_MISREAD: Sequence[str] = (
    gettext_noop(
        "I’m sorry if I got you wrong. Write only your answer, such as a number or a letter, and I’ll check it."
    ),
    gettext_noop(
        "Sorry, I may have misread you. Put your answer on the card, or write it alone, without any other words."
    ),
)
_OTHER_WISH: Sequence[str] = (
    gettext_noop("I can’t change this question. You can skip it, look at an example, or choose another topic."),
    gettext_noop(
        "The question stays as it is, but you don’t have to do it. Would you like an example, or something else?"
    ),
)
_FEELINGS: dict[str, Sequence[str]] = {
    "loss": (
        gettext_noop("I’m so sorry."),
        gettext_noop("I’m sorry. It’s hard when you miss someone you love."),
        gettext_noop("I’m sorry. It’s all right to be sad about that."),
    ),
    "self_blame": (
        gettext_noop("Not at all. Nearly everyone finds this hard at first, and mistakes show us what to do next."),
        gettext_noop("You can learn this. It’s hard for many people, and getting something wrong is part of learning."),
        gettext_noop("Nobody is just good or bad at this. A few smaller steps can make it clearer."),
    ),
    "hates_subject": (
        gettext_noop(
            "That sounds frustrating. Lots of people feel that way when things get hard, but that feeling can change."
        ),
        gettext_noop("That’s okay to say. We can take small steps, do something else, or stop for today."),
    ),
    "bored": (
        gettext_noop("Thank you for telling me. Say “something harder” or “quiz me,” and we’ll go faster."),
        gettext_noop("Then let’s do something different. You can skip this, or ask for something harder."),
    ),
    "tired": (
        gettext_noop("Being tired makes everything harder. It’s fine to take a break. Your place is saved."),
        gettext_noop("Then it’s a good idea to take a break. You can pick up from here whenever you like."),
    ),
    "ashamed": (
        gettext_noop("There’s no need to be embarrassed. Lots of people forget this, and most learn it again quickly."),
        gettext_noop("That’s nothing to be ashamed of. I’m glad you’re trying it again."),
    ),
    "unwell": (
        gettext_noop("I’m sorry you’re not feeling well. Take a break if you need one. Your place is saved."),
        gettext_noop("That’s no fun. Take care of yourself first, and come back when you feel better."),
    ),
    "annoyed": (
        gettext_noop("I know that’s annoying. Tell me what would help: a hint, something easier, or a break."),
        gettext_noop("I can see why that’s annoying. We can do it another way, or stop for a while."),
        gettext_noop("It’s okay to be frustrated. Let’s find a smaller step."),
    ),
    "afraid": (
        gettext_noop("It’s normal to be nervous. We can take it one small step at a time."),
        gettext_noop("Mistakes don’t hurt anything here. They only show us what to work on next."),
    ),
}
"""Replies to feelings that were told in certain words, the first that fits."""
_HARD: Sequence[str] = (
    gettext_noop("That sounds hard. Thank you for telling me."),
    gettext_noop("I’m sorry it feels that way. We can take a break or try something easier."),
    gettext_noop("I know that’s annoying. Let’s find a smaller step, or stop for a while."),
    gettext_noop("It’s okay to feel that way. You decide what we do next."),
    gettext_noop("I hear you. You don’t have to finish anything today."),
)
