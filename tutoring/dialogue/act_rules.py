"""Derives the act of a message (what it does in the lesson) from its analysis and from what was asked."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tutoring.dialogue.situation import DialogueState
from tutoring.lesson.response_plan import CONVERSATIONAL_ACTS, Act
from tutoring.understanding.message_analysis import Intent, MessageAnalysis
from tutoring.understanding.parsing.assertions import asks_openly

ACT_BY_INTENT: Final[Mapping[Intent, Act]] = {
    "dont_know": "does_not_know",
    "question_content": "question",
    "question_meta": "system",
    "ask_answer": "answer_demand",
    "ask_hint": "hint_request",
    "ask_example": "example",
    "ask_quiz": "quiz_request",
    "go_on": "go_on",
    "pause_or_stop": "goodbye",
    "resume": "resume",
    "calculate": "calculation",
    "tool_request": "question",
    "greeting": "greeting",
    "thanks": "thanks",
    "small_talk": "small_talk",
    "off_topic": "off_topic",
    "emotion_negative": "feeling",
    "emotion_positive": "joy",
    "insult": "insult",
    "safety": "feeling",
    "nonsense": "nonsense",
    "disagree": "contest",
    "correction_of_tutor": "tutor_corrected",
    "progress": "question",
    "plan": "question",
    "change_topic": "other",
    "goal": "other",
}
ANSWER_INTENTS: Final[frozenset[Intent]] = frozenset({"answer", "idea", "disagree"})
# A kind word too many does less harm than "I'm not sure what you mean" to someone who is fed up. Chosen by hand.
SURE_OF_MOOD: Final = 0.75
FEELING_COMMANDS: Final = frozenset({"loss", "illness", "self_blame", "hates_subject", "tired"})
MIXED_COMMANDS: Final = frozenset({"hates_subject", "tired", "bored", "afraid", "self_blame"})
"""Feelings that may be told together with a good one."""
SYSTEM_COMMANDS: Final = frozenset({"robot", "how_mastered", "who_sees", "abilities"})
HELP_ACTS: Final[frozenset[Act]] = frozenset({"hint_request", "example", "system"})
"""Acts of messages that may ask for help with a calculation of their own: "help me with 1/2 + 1/3"."""
_WHY: Final = re.compile(r"\b(?:why|how come)\b")
"""A request for the reason gets the course's answer, not a calculation."""
_SUM: Final = re.compile(r"\d ?[-+*/×÷=] ?\d|\d (?:plus|minus|times|divided by|take away) \d")
FILE_INTENTS: Final[frozenset[Intent]] = frozenset(
    {
        "question_content",
        "question_meta",
        "ask_answer",
        "ask_hint",
        "ask_example",
        "tool_request",
        "calculate",
        "off_topic",
        "nonsense",
    }
)
"""Intents of a message that may be about an attached file: "What does it say?"."""
OVERRIDABLE_ACTS: Final[frozenset[Act]] = frozenset({"other", "unjudged", "question", "nonsense", "small_talk"})
"""Acts that a model's choice may replace: nothing was parsed, recorded or graded for them."""
ACT_BY_MOVE: Final[Mapping[str, Act]] = {
    "answer_question": "question",
    "not_in_material": "question",
    "meet_person": "feeling",
    "verdict": "unjudged",
    "compare_words": "unjudged",
    "hint": "hint_request",
    "worked_example": "example",
    "clarify": "other",
    "change_direction": "go_on",
    "go_on": "go_on",
    "pause": "goodbye",
}
"""The act that a chosen move makes of a message whose act is open."""
ACT_BY_VERDICT: Final[Mapping[str, Act]] = {
    "right": "idea_said",
    "partly": "idea_partly",
    "wrong": "wrong",
    "none": "unjudged",
}


def find_act(state: DialogueState, analysis: MessageAnalysis) -> tuple[Act, dict[str, Any]]:
    """Return what the message does, and the fields of `ResponsePlan` that this is based on."""
    if _goes_to_unseen_question(state, analysis):
        return "go_on", {"about": "new_question"}
    if commanded := _commanded(state, analysis):
        return commanded, {}
    if _asks_verdict(state, analysis):
        waits = state.question is not None and not state.question.is_unseen
        return "system", {"about": "unanswered" if waits else "verdict"}
    if "tell_more" in analysis.commands and not analysis.answers:
        return "question", {}
    if _is_about_drawing(state, analysis):
        return "drawing", {}
    if _is_about_files(state, analysis):
        return "question", {}
    if not analysis.answers or analysis.intent not in ANSWER_INTENTS:
        if any(each in analysis.commands for each in FEELING_COMMANDS):
            return ("joy", mixed) if (mixed := _mixed(analysis)) else ("feeling", {"about": analysis.about})
        if any(each in analysis.commands for each in SYSTEM_COMMANDS):
            return "system", {"topic": analysis.asks.topic} if analysis.asks is not None else {}
    if analysis.system_topic:
        return "system", {"about": analysis.system_topic}
    asks = analysis.asks
    if (
        "annoyed" in analysis.commands
        and analysis.is_unsure
        and not analysis.answers
        and (asks is None or asks.answer is None)
    ):
        return "feeling", {}  # "I am frustrated. Do you understand sentences at all?"
    # "can we stop, will you remember this?": the reply to a goodbye says that the place is kept.
    leaves = analysis.wants("pause_or_stop") and not analysis.answers
    if leaves and asks is not None and asks.answer is None and not asks_openly(asks.text):
        return "goodbye", {}
    # "no, two pieces are always halves" resembles a question, and asks nothing.
    states_wrong = any(each.id in state.misconceptions_here for each in analysis.misconceptions)
    if asks is not None and asks.probability and (asks_openly(asks.text) or not states_wrong):
        return "question", {"topic": asks.topic, "answer": asks.answer} | _mood(analysis)
    # "i did get it right" contests the last verdict; with an answer beside it, the answer counts. "no i guessed" is none.
    answers = [each for each in analysis.answers if "guess" not in each.value.lower()]
    contests = {"guessed", "misjudged"} & {*analysis.commands} and not analysis.wants("emotion_positive")
    if contests and (analysis.intent != "answer" or not answers):
        return "contest", {}
    if "doubts_mastery" in analysis.commands and not answers:
        return "contest", {}
    if "why_asked" in analysis.commands and analysis.intent == "idea":
        return "question", {}  # "what is this for, i got it right anyway"
    may_say = (
        analysis.intent in ANSWER_INTENTS
        or analysis.is_unsure
        or any(each.verdict != "none" for each in analysis.answers)
    )
    opens = asks is not None and asks_openly(asks.text)
    if may_say and (said := _said(state, analysis)):
        is_vague = said[0] == "unjudged" and not analysis.nearest_idea
        if is_vague and _is_low(analysis):
            return "feeling", {}  # "this drags on": no reason for anything.
        # "why is the sky blue" is no try at the open question.
        return ("question", {}) if is_vague and opens else said
    # Where nothing was asked, a disagreement answers nothing: it contests what was said.
    if analysis.intent in ANSWER_INTENTS and not (
        analysis.intent == "disagree" and not state.waits_for and state.question is None
    ):
        if asks is not None and opens:
            return "question", {"topic": asks.topic, "answer": asks.answer}
        return ("unjudged" if analysis.nearest_idea else "other"), {}
    if analysis.is_unsure and asks is not None and asks.answer is not None:
        return "question", {"topic": asks.topic, "answer": asks.answer}
    if analysis.is_unsure and _feels_bad(analysis):
        # Without a sure mood it may be relief: "I was certain I could not learn that".
        return ("feeling", {}) if _is_low(analysis) else ("joy", {"about": "mixed"})
    if analysis.is_unsure and analysis.intent == "emotion_positive" and not analysis.answers:
        return "joy", _mixed(analysis)
    if opens and analysis.wants("question_content", "question_meta"):
        return _of_intent(state, analysis)
    if analysis.is_unsure and not (analysis.sum and analysis.wants("calculate")):
        return ("unjudged" if analysis.nearest_idea else "other"), {"unsure": True}
    return _of_intent(state, analysis)


def override_act(act: Act, found: dict[str, Any], move: str) -> tuple[Act, dict[str, Any]]:
    """Return the act after the move that a model chose, if it may choose."""
    chosen = ACT_BY_MOVE.get(move)
    # Conversational acts are replied to as a person would anyway.
    if (
        chosen is None
        or act not in OVERRIDABLE_ACTS
        or (move == "meet_person" and act in CONVERSATIONAL_ACTS and act != "unjudged")
    ):
        return act, found
    if chosen == act:
        return act, found | {"move": move}
    return chosen, {"move": move, "strategy": "llm"}


def _feels_bad(analysis: MessageAnalysis) -> bool:
    """Tell whether an unsure message is likelier a feeling than anything else."""
    return not analysis.answers and (analysis.intent == "emotion_negative" or _is_low(analysis))


def _is_low(analysis: MessageAnalysis) -> bool:
    return analysis.mood in ("frustrated", "bored", "sad") and analysis.mood_probability >= SURE_OF_MOOD


def _of_intent(state: DialogueState, analysis: MessageAnalysis) -> tuple[Act, dict[str, Any]]:
    act = ACT_BY_INTENT[analysis.intent]
    asks = analysis.asks
    if (
        act in ("question", "calculation")
        and asks is not None
        and asks.answer is not None
        and (not analysis.sum or (_WHY.search(asks.text) and "=" not in analysis.sum))
    ):
        return "question", {"topic": asks.topic, "answer": asks.answer}
    why = asks.text if asks is not None and _WHY.search(asks.text) else ""
    # "why is there a dot on 70 if half of them walk" has two numbers and no sum.
    has_sum = bool(analysis.sum) and not (why and not _SUM.search(why))
    if act == "calculation" and why and ("?" in analysis.sum or not has_sum):
        return "question", {}  # "why is -3 lower than -1": the sign is no reason.
    calculates = act in ("calculation", "question", "hint_request") or (
        (act in HELP_ACTS or analysis.is_unsure) and analysis.wants("calculate")
    )
    if analysis.is_open_sum and calculates:
        return "answer_demand", {}
    if has_sum and calculates:
        return "calculation", {"statement": analysis.sum, "withheld": state.withheld}
    if act == "calculation" and state.question is not None:
        return "question", {}  # "what do 25/7 mean": no calculation was found in it.
    if act in ("feeling", "joy", "small_talk") and (mixed := _mixed(analysis)):
        return "joy", mixed
    return act, {"about": analysis.about} if act == "feeling" else {}


def _goes_to_unseen_question(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether a message leads to the question that its writer has not seen yet: "next", or an answer once more."""
    if state.question is None or not state.question.is_unseen:
        return False
    wants_next = {"leave_step", "next_question"} & {*analysis.commands} and "skip" not in analysis.commands
    if wants_next and analysis.intent == "go_on":
        return True
    # "1/10 is smaller than 1/9" speaks of what was learned, and is replied to.
    is_about_result = analysis.claims or (analysis.asks is not None and analysis.asks.answer is not None)
    return not is_about_result and analysis.intent in ("answer", "dont_know", "ask_hint")


def _mixed(analysis: MessageAnalysis) -> dict[str, str]:
    """Return that a message tells of something good and of something bad: "nervous at first, but it went well"."""
    good, bad = (
        analysis.wants("emotion_positive") or "eased" in analysis.commands,
        {*analysis.commands} & MIXED_COMMANDS,
    )
    return {"about": "mixed"} if good and (bad or analysis.wants("emotion_negative")) else {}


def _mood(analysis: MessageAnalysis) -> dict[str, str]:
    return {"mood": analysis.mood} if analysis.mood != "ok" else {}


def _commanded(state: DialogueState, analysis: MessageAnalysis) -> Act:
    """Return what the message wants in certain words; empty for none of it."""
    wants = analysis.commands
    # First, because the whole message says so, whatever it resembles.
    if "known_alone" in wants and state.place == "lesson":
        return "known"
    if "waits" in wants or ("will_try" in wants and state.question is not None):
        return "small_talk"
    judged = any(each.verdict != "none" for each in analysis.answers)
    if "agree" in wants and state.question is not None and analysis.intent == "answer" and not judged:
        return "go_on"  # "fine": it answers nothing, and nothing is asked.
    if state.in_quiz and "leave_quiz" in wants and "skip" not in wants and not judged:
        return "abandon"
    # A button of an earlier reply may be pressed later.
    if (state.lesson.weighing and {"meant_same", "not_quite"} & {*wants}) or (
        "meant_same" in wants and analysis.intent == "idea" and not state.lesson.comparing
    ):
        return "compared"
    if analysis.intent in ("answer", "idea") and not state.lesson.comparing and "known" not in wants:
        return ""
    # "next one" leaves a quiz's question; while the quiz is paused it only goes on.
    leaves = "leave_step" in wants and analysis.intent == "go_on" and not state.lesson.cycle.paused
    if state.in_quiz and ("skip" in wants or leaves):
        return "skip"
    if state.lesson.comparing and "meant_same" in wants:
        return "go_on"
    if state.lesson.comparing and "not_quite" in wants:
        return "idea_partly"
    if "skip" in wants or ("next_question" in wants and state.question is not None and not state.lesson.cycle.paused):
        return "skip"
    if "stuck" in wants:
        return "stuck"
    asks = analysis.asks
    explains = asks is not None and asks.answer is not None and "explain" in asks.text
    if "unknown" in wants and state.question is not None and analysis.intent == "ask_hint" and not explains:
        return "does_not_know"  # "i dont get it": the next hint, even before another try.
    if "bye" in wants:
        return "goodbye"
    eases = analysis.is_unsure or analysis.wants("ask_quiz", "ask_hint", "change_topic")
    if "simplify" in wants and state.place == "lesson" and eases and not judged:
        return "example"  # "an easier question": an example like it.
    if "represent" in wants and not judged:
        return "other_picture"
    if "harder" in wants and analysis.wants(
        "change_topic", "ask_quiz", "emotion_negative", "emotion_positive", "go_on"
    ):
        return "harder"
    says_known = analysis.is_unsure or analysis.wants("change_topic", "emotion_negative", "go_on", "idea", "small_talk")
    if "known" in wants and says_known and not judged:
        return "known"
    return ""


def _asks_verdict(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether a message asks if something is right, and gives no answer that can be judged."""
    is_known = analysis.asks is not None and analysis.asks.answer is not None
    asks = "asks_verdict" in analysis.commands and not is_known and not analysis.answers
    return asks and state.place == "lesson" and not state.has_drawing


def _is_about_drawing(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether the message asks for a look at its drawing, or speaks of a new one."""
    if not state.has_drawing or analysis.misconceptions:
        return False
    speaks_of_it = "shows_drawing" in analysis.commands and (analysis.asks is None or analysis.asks.answer is None)
    asks = analysis.wants("question_content", "question_meta")
    vague = asks or analysis.is_unsure or analysis.wants("ask_hint", "dont_know", "greeting", "tool_request")
    vague = vague or (analysis.intent == "answer" and all(each.verdict == "none" for each in analysis.answers))
    return "look" in analysis.commands or (speaks_of_it and (asks or (state.drawing_is_new and vague)))


def asks_own_files(analysis: MessageAnalysis) -> bool:
    """Tell whether the message asks the learner's own files. A graded value in it is an answer instead."""
    return "own_files" in analysis.commands and all(each.verdict == "none" for each in analysis.answers)


def _is_about_files(state: DialogueState, analysis: MessageAnalysis) -> bool:
    """Tell whether the message may ask about the attached files."""
    return state.attached and not analysis.answers and (analysis.intent in FILE_INTENTS or analysis.is_unsure)


def checked_claim(analysis: MessageAnalysis) -> dict[str, Any]:
    """Return the numeric claim to reply to, a false one first, as fields of `ResponsePlan`."""
    claim = next((each for each in analysis.claims if not each.holds), analysis.claims[0])
    return {
        "quote": claim.text, "statement": claim.statement, "holds": claim.holds, "about": "step" if claim.is_step else "",
    }  # fmt: skip


def _said(state: DialogueState, analysis: MessageAnalysis) -> tuple[Act, dict[str, Any]] | None:
    """Return what was said about the topic; None if nothing was understood."""
    here = [each for each in analysis.misconceptions if each.id in state.misconceptions_here]
    reply = analysis.answer_to(state.waits_for) if state.waits_for else None
    if reply is not None and reply.verdict == "right":
        return "idea_said", {"quote": reply.value}
    if here and here[0].id == state.lesson.contrast:
        return "wrong", {"quote": here[0].quote}  # Its case is shown already.
    if here and not (state.lesson.contrast and here[0].id != state.lesson.contrast and reply is not None):
        return "misconception", {"misconception": here[0].id, "quote": here[0].quote}
    late = next((each for each in analysis.answers if each.verdict == "right" and each.to != state.waits_for), None)
    if late is not None and (state.question is None or late.to != state.question.id):
        return "late_right", {"quote": late.value}
    if reply is not None and reply.verdict in ("partly", "wrong"):
        return ACT_BY_VERDICT[reply.verdict], {"quote": reply.value, "missing": reply.missing}
    if analysis.claims:
        return "claim", checked_claim(analysis)
    if "ventured" in analysis.commands and not analysis.answers:
        return "question", {}  # "is it friday?"
    if state.question is not None and analysis.milestones and not analysis.answers:
        return "idea_said", {"quote": analysis.milestones[0].quote}
    if state.waits_for and analysis.intent in ("answer", "idea"):
        return "unjudged", {}
    return None
