"""Replies to messages that do not answer the question: calculations, feelings, questions about the system, chat."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from agents.engine.roles import PlannedToolUse, PlanPart
from agents.tools import ToolResult
from agents.tools.calculator import CalculatorArguments
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.lesson.response_plan import Act, ResponsePlan
from tutoring.mastery import knowledge_tracing
from tutoring.mastery.knowledge_tracing import is_mastered
from tutoring.roles.explanation.worked_calculations import work_out
from tutoring.roles.wording import renderer
from tutoring.understanding.parsing import quoting

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
ANSWERS_NEEDED = 3
"""Below this many answers, no score is said."""


def reply(facts: Facts) -> tuple[PlanPart, ...]:
    """Return the reply to such a message; empty for an act that a role handles itself."""
    served = facts.served
    match served.act:
        case "calculation":
            return calculation_reply(served)
        case "claim":
            return (claim_reply(served),)
        case "system":
            return (system_reply(facts),)
        case "feeling":
            return (feeling_reply(served),)
        case "contest":
            return (contest_reply(facts),)
        case "late_right":
            return (
                _("Yes, %(quote)s is right. That answers my earlier question.")
                % {"quote": f"“{quoting.quote_words(served.quote)}”"},
            )
    said = _PLAIN.get(served.act, ())
    return (renderer.pick_wording(said, facts),) if said else ()


def reply_options(facts: Facts) -> list[str]:
    """Return what the learner may want to say next, as button labels."""
    match facts.served.act:
        case "feeling":
            return [_("Let’s go on"), _("I need a break"), _("Something easier, please")]
        case "contest":
            return [_("Ask me another one"), _("Explain it again"), _("How do you know?")]
        case "insult" | "nonsense" | "tutor_corrected":
            return [_("Let’s go on"), _("Explain it differently")]
        case "late_right" | "joy" | "thanks" | "claim" | "small_talk":
            return [_("Let’s go on")]
    return []


def calculation_reply(served: ResponsePlan) -> tuple[PlanPart, ...]:
    """Return a calculation worked out line by line; one that is not two numbers goes to the calculator."""
    if served.withheld:
        return (served.withheld,)
    worked = work_out(served.statement)
    if worked is not None:
        return " ".join(worked.lines), *((worked.picture,) if worked.picture is not None else ())
    if not served.statement:
        return (
            _(
                "Type it with numbers, such as “1/2 + 1/3”, “simplify 6/8” or “2/3 of 12”, and I’ll show you how to "
                "work it out."
            ),
        )
    arguments = CalculatorArguments(expression=served.statement)
    return (PlannedToolUse(tool="calculator", arguments=arguments, then=partial(_computed, served.statement)),)


def withheld_reply() -> str:
    """Return why a calculation is not worked out whose result answers the open question, and what helps with it."""
    return _(
        "That would give away the answer to the open question. Try it first, or say “I’m stuck” and I’ll show you one "
        "like it."
    )


def _computed(expression: str, result: ToolResult | str) -> tuple[PlanPart, ...]:
    if isinstance(result, str):
        return (result,)
    return (f"`{result.summary}`",)


def claim_reply(served: ResponsePlan) -> str:
    """Return whether a claim about numbers is true, and what is true."""
    one, sign, other = served.statement.partition(" ")[0], *_sign_and_rest(served.statement)
    if served.holds:
        return _("Yes, that’s true: %(claim)s.") % {"claim": _in_words(one, sign, other) or f"`{served.statement}`"}
    worked = work_out(f"{one} ? {other}") if sign in "<>≤≥≠=" and other else None
    if worked is not None:
        return _("Not quite. %(why)s") % {"why": " ".join(worked.lines)}
    return _("Not quite: %(claim)s isn’t true. Work out each side and compare them.") % {
        "claim": f"`{served.statement}`"
    }


def _sign_and_rest(statement: str) -> tuple[str, str]:
    parts = statement.split(" ")
    return (parts[1], parts[2]) if len(parts) == 3 else ("", "")  # "1/4 > 1/8"


def _in_words(one: str, sign: str, other: str) -> str:
    words = {
        ">": _("%(one)s is bigger than %(other)s"),
        "<": _("%(one)s is smaller than %(other)s"),
        "=": _("%(one)s is the same as %(other)s"),
        "≠": _("%(one)s is not the same as %(other)s"),
        "≤": _("%(one)s is not bigger than %(other)s"),
        "≥": _("%(one)s is not smaller than %(other)s"),
    }
    return words[sign] % {"one": one, "other": other} if sign in words and other else ""


def feeling_reply(served: ResponsePlan) -> str:
    """Return one human sentence in reply to a feeling."""
    said = served.commands
    who = served.about
    if "loss" in said:
        return (_("I’m so sorry about your %(who)s.") % {"who": who}) if who else _("I’m so sorry.")
    if "illness" in said and who:
        return _("I’m sorry to hear about your %(who)s. I hope things get better soon.") % {"who": who}
    if "self_blame" in said:
        return _("You’re not stupid. Nearly everyone finds this hard at first, and mistakes show us the next step.")
    if "hates_subject" in said:
        return _("That sounds frustrating. Lots of people feel that way when it gets hard, and that can change.")
    if "bored" in said:
        return _("Thank you for telling me. Say “something harder” or “quiz me”, and we’ll go faster.")
    if "tired" in said:
        return _("Being tired makes everything harder. It’s fine to take a break. Your place is saved.")
    if "afraid" in said:
        return _("It’s normal to be nervous. We can take it one small step at a time.")
    return _("That sounds hard. Thank you for telling me.")


def system_reply(facts: Facts) -> str:
    """Return the answer to a question about the system, from the record."""
    asked = facts.served.commands
    if "robot" in asked:
        return _(
            "Yes, I’m a program, not a person. I explain things, ask you questions and check your answers. If "
            "something is worrying you, talk to someone you trust."
        )
    if "who_sees" in asked:
        return _(
            "You can see everything here, and so can the people who run this site. If you’re in a class, your teacher "
            "can see your results. Your class page says what else they can see."
        )
    if "how_mastered" in asked and isinstance(facts, LessonFacts):
        return mastery_reply(facts)
    if "graded" in asked:
        return _("There are no marks. Right answers without help move you forward. The others show me what to explain.")
    if "why_asked" in asked and isinstance(facts, LessonFacts):
        return _(
            "I want to see whether you can use *%(concept)s*, not just repeat it. Your answers decide what comes next."
        ) % {"concept": facts.concept.title}
    return _(
        "I can explain a topic step by step, show worked examples, ask you questions, check calculations and "
        "plan what comes next. Ask me anything about the topic, or say “quiz me”, “show me an example” or “what "
        "is next?”."
    )


def mastery_reply(facts: LessonFacts) -> str:
    """Return which answers the mastery of a concept is based on, with a link to them."""
    concept = next((each for each in facts.course.concepts if each.id == facts.served.topic), facts.concept)
    own = facts.beliefs.get(concept.id)
    names = {"concept": concept.title, "url": f"/progress/{facts.course.id}/{concept.id}/"}
    if own is None or own.answers < ANSWERS_NEEDED:
        return (
            _(
                "I don’t know that yet, because you haven’t answered enough questions on *%(concept)s*. [See your "
                "answers](%(url)s)."
            )
            % names
        )
    answers = ngettext("%(count)d answer", "%(count)d answers", own.answers) % {"count": own.answers}
    names |= {
        "answers": answers,
        "score": f"{knowledge_tracing.mastery_score(own.probability):.0%}",
        "goal": f"{facts.threshold:.0%}",
    }
    if is_mastered(own, threshold=facts.threshold, skill=facts.skill(concept.id)):
        said = _(
            "I looked at your %(answers)s on *%(concept)s*. They give you a score of %(score)s, and %(goal)s counts "
            "as mastered. [See your answers](%(url)s)."
        )
        return said % names
    said = _(
        "You’re not there yet. Your %(answers)s on *%(concept)s* give you a score of %(score)s, and %(goal)s counts "
        "as mastered. [See your answers](%(url)s)."
    )
    return said % names


def contest_reply(facts: Facts) -> str:
    """Return the reply to a learner who contests a verdict or a mastery score."""
    if "guessed" in facts.served.commands:
        return _("Thank you for telling me. One more question will tell us more than a guess.")
    if isinstance(facts, LessonFacts) and facts.last_answer is not None:
        names = {"url": facts.last_answer.url}
        return (
            _(
                "You may be right. [Open your last answer](%(url)s): there you can press “That’s not right”. "
                "Or tell me what you meant."
            )
            % names
        )
    if isinstance(facts, LessonFacts):
        names = {"url": f"/progress/{facts.course.id}/{facts.concept.id}/"}
        return _("You may be right. [See what I counted](%(url)s), or tell me what you meant.") % names
    return _("You may be right. Tell me what you meant.")


_PLAIN: dict[str, Sequence[str]] = {
    "thanks": (gettext_noop("You’re welcome."), gettext_noop("I’m glad that helped.")),
    "joy": (
        gettext_noop("That’s great."),
        gettext_noop("I’m glad to hear that."),
        gettext_noop("Nice. Let’s keep going."),
    ),
    "small_talk": (
        gettext_noop("Good to hear from you. We can go on whenever you like."),
        gettext_noop("Thanks for sharing that. Shall we go on?"),
        gettext_noop("I like hearing that. I’m better at teaching than at chatting, though."),
    ),
    "insult": (
        gettext_noop("I’m sorry I wasn’t more help. Tell me what went wrong, and I’ll try another way."),
        gettext_noop("That didn’t work well for you. Shall I explain it another way?"),
    ),
    "nonsense": (gettext_noop("I couldn’t read that. Could you say it another way?"),),
    "tutor_corrected": (
        gettext_noop("Thank you. I may be wrong about that. Tell me what you see, and we’ll check it together."),
    ),
}
