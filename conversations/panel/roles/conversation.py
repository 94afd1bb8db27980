"""The conversation agent: drafts the answer while the others work, or asks what is meant."""

from functools import partial
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.bus import AgentMessage, Filter
from agents.engine.roles import Decided, Expectation, Plan, PlanPart, Request, Role, Wording
from agents.llm.prompt import read_prompt
from conversations.panel.facts import PanelFacts
from conversations.panel.research import CONCEPT_EVENT, CONCEPT_WAIT_S
from conversations.panel.results import ConversationResult
from conversations.search.passage_quotes import content_words

NAME = "conversation"
TASK = (
    "Draft an answer to the learner's message in at most three sentences, in their own tone. If the message is too vague to "
    "answer, ask one question that makes it clear. Say where you are not sure, and nothing about sources: the others look them up."
)
MOST_WORDS = 80


def plan(request: Request) -> Plan:
    """Draft an answer if a model is connected; without one, what others find is the answer."""
    facts: PanelFacts = request.facts
    wanted = Filter(sender="analysis", event=CONCEPT_EVENT)
    hears = Expectation(wanted=wanted, within_s=CONCEPT_WAIT_S, then=partial(_ask_if_vague, facts))
    return Plan(say=(Wording(words="", task=TASK, guard=facts.guard, most_words=MOST_WORDS), hears))


def _ask_if_vague(facts: PanelFacts, message: AgentMessage | None) -> tuple[PlanPart, ...]:
    """Ask what a message is about, if the analysis announced no concept, and it neither has words of its own nor refers back."""
    is_vague = not (facts.refers_to or content_words(facts.text) or (message and message.payload["data"]["concepts"]))
    asks = _("What is your question about? A few more words will help me find an answer.") if is_vague else ""
    return (Decided(result=ConversationResult(clarifying_question=asks)),)


ROLE = Role(
    name=NAME,
    purpose=gettext_lazy("Drafts an answer or asks what you mean."),
    label=gettext_lazy("Conversation"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "conversation.md"),
    result=ConversationResult,
    tier="strong",
    timeout_s=5.0,
)
