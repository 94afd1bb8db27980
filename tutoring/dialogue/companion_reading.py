"""Finds the planner agent that a message is for, where no request was read in it: by the router, or by a model."""

from dataclasses import replace
from typing import Final, cast

from agents.routing.decision import RoutingDecision
from agents.runtime.speaker_selection import Payer, speakers_for
from agents.storage.threads import in_model_thread, in_orm_thread
from tutoring.dialogue.queries.prompt_history import load_prompt_history
from tutoring.dialogue.queries.turn_rows import TurnRows
from tutoring.planner import companion_coordinator
from tutoring.planner.companion_choice import WORDS, companion_choice, unsure_choice
from tutoring.planner.requests.clauses import straightened
from tutoring.planner.requests.reader import unread_clauses
from tutoring.planner.routing import ask_model_to_route
from tutoring.planner.values import AgentName, CompanionContext, PlannerRequest
from tutoring.understanding.context import Context
from tutoring.understanding.message_analysis import Intent, MessageAnalysis

TUTOR_INTENTS: Final[tuple[Intent, ...]] = (
    "dont_know", "question_content", "ask_answer", "ask_hint", "ask_example", "ask_quiz", "goal", "calculate",
    "greeting", "thanks", "small_talk", "emotion_negative", "emotion_positive", "insult",
)  # fmt: skip
"""Intents of messages that the tutor serves, unless words say that a planner agent is meant."""
# "who put that sheet in here" is the tutor's at .93, and sounds like a note at .93, too. Chosen by hand.
TEAM_SURE: Final = 0.8
"""Confidence of the team's own routing from which no model is asked whether the planner is meant; less, if the planner's
is below it."""
PERSONAL_INTENTS: Final[frozenset[Intent]] = frozenset(
    {
        "emotion_negative",
        "emotion_positive",
        "insult",
        "disagree",
        "correction_of_tutor",
        "greeting",
        "resume",
        "ask_hint",
    }
)
"""Intents of messages to the tutor in person, which may sound like any agent's."""


def with_companion(analysis: MessageAnalysis, text: str, context: Context) -> MessageAnalysis:
    """Return the analysis with the planner agent that a message is for, though no request was read in it."""
    if analysis.concern is not None or context.companion is None:
        return analysis
    if analysis.requests and (
        _wants_to_learn_for_test(analysis)
        or _wishes_topic(analysis)
        or _only_leaves(analysis, text)
        or _asks_about_memory(analysis)
    ):
        return replace(analysis, requests=())
    if analysis.requests:
        return replace(analysis, requests=_with_unread(analysis.requests, text, context.companion))
    routed = companion_choice(text, context.companion)
    if routed is None or _is_for_tutor(analysis, routed, context.companion):
        return analysis
    return _for_agent(analysis, routed, text)


def _wants_to_learn_for_test(analysis: MessageAnalysis) -> bool:
    """Tell whether a message names its topic and a test on it: "i got a test friday on adding fractions and i dont get it"."""
    only_test = all(each.action == "create" and each.kind == "test" for each in analysis.requests)
    return only_test and any(each.concept and each.is_sure for each in analysis.names)


def _wishes_topic(analysis: MessageAnalysis) -> bool:
    """Tell whether a message wishes to learn a topic, and names a list or test besides: "what tasks? i want to learn equations"."""
    wishes = analysis.wants("goal", "change_topic") and any(each.is_sure for each in analysis.names)
    return wishes and all(each.action in ("list", "unclear") for each in analysis.requests)


def _only_leaves(analysis: MessageAnalysis, text: str) -> bool:
    """Tell whether a message stops for now and says why, without a time: "enough for today, my shift starts soon"."""
    reasons = all("when" in each.missing and len(each.quote) < len(text.strip()) for each in analysis.requests)
    return analysis.wants("pause_or_stop") and reasons


def _asks_about_memory(analysis: MessageAnalysis) -> bool:
    """Tell whether a message asks what the program keeps, and names nothing to note: "will you remember this?"."""
    names_nothing = all(each.action == "remember" and "note" in each.missing for each in analysis.requests)
    return names_nothing and analysis.wants("question_meta")


def _with_unread(
    requests: tuple[PlannerRequest, ...], text: str, context: CompanionContext
) -> tuple[PlannerRequest, ...]:
    """Return the requests with what other clauses of the message ask of other agents, by their words; in its order."""
    found: dict[str, PlannerRequest] = {}
    for clause in unread_clauses(text, requests):
        routed = companion_choice(clause, replace(context, agent=None))
        if routed is not None and routed.strategy in WORDS and routed.agent not in {each.agent for each in requests}:
            agent = cast("AgentName", routed.agent)
            found.setdefault(agent, PlannerRequest(agent=agent, action="unclear", quote=clause))
    if not found:
        return requests
    return tuple(sorted((*requests, *found.values()), key=lambda each: straightened(text).find(each.quote)))


def _is_for_tutor(analysis: MessageAnalysis, routed: RoutingDecision, context: CompanionContext) -> bool:
    """Tell whether a message that sounds like the planner's is about learning; words that say so are no likeness."""
    # Beside a lesson, a word such as "memory" or "due" in a statement leads nowhere.
    says = context.only_clear and not analysis.is_unsure and analysis.intent in ("answer", "idea")
    # "i hate maths just so you know" is met, and not to be remembered.
    if _wishes_topic(analysis) or says or "hates_subject" in analysis.commands:
        return True
    if routed.strategy in WORDS or (routed.strategy == "current" and not routed.unsure):
        return False
    # "Is Friday free at all?" may sound like a question about prices, but not right after the planner has spoken.
    asks_of_program = analysis.system_topic and not (context.follows and routed.strategy != "current")
    if routed.strategy == "classifier" and not analysis.is_unsure and analysis.intent in PERSONAL_INTENTS:
        return True  # "mias party is on saturday and im not invited" sounds like the calendar.
    learns = analysis.names or analysis.sum or asks_of_program or analysis.answers or analysis.claims
    if learns or analysis.asks_what_course_answers:
        return True
    return routed.strategy == "current" and not analysis.is_unsure and analysis.wants(*TUTOR_INTENTS)


async def route_by_model(
    rows: TurnRows, analysis: MessageAnalysis, context: CompanionContext | None, payer: Payer
) -> MessageAnalysis | None:
    """Return the analysis with the planner agent that a model finds for an unsure message; None if there is none."""
    text = rows.text
    if context is None or analysis.concern is not None:
        return None
    # The words that admins wrote may have to be read again, and a classifier may have to be asked.
    if (routed := await in_model_thread(unsure_choice)(text, context)) is None:
        return None
    team = analysis.routed
    enough = min(TEAM_SURE, routed.confidence or 0.0)
    team_is_sure = team is not None and team.agent is not None and (team.confidence or 0.0) >= enough
    is_for_tutor = team_is_sure or (not analysis.is_unsure and analysis.wants(*TUTOR_INTENTS))
    if is_for_tutor or analysis.about or _is_for_tutor(analysis, routed, context):
        return None
    speakers = speakers_for(payer, aside=companion_coordinator.NAME)
    history = (await in_orm_thread(load_prompt_history)(rows)).messages
    said = await ask_model_to_route(
        text, routed, speakers=speakers, current=context.agent or "", space=context.workspace, history=history
    )
    if said.strategy != "llm" or said.agent is None:
        return None
    return _for_agent(analysis, said, text)


def _for_agent(analysis: MessageAnalysis, routed: RoutingDecision, text: str) -> MessageAnalysis:
    """Return the analysis with a request that a planner agent has to understand by itself."""
    unclear = PlannerRequest(agent=cast("AgentName", routed.agent), action="unclear", quote=text)
    return replace(analysis, requests=(unclear,), routed=routed)
