"""The conversation agent: drafts the answer while the others work, and says what one could ask next."""

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
FOLLOW_UPS = 2


def plan(request: Request) -> Plan:
    facts: PanelFacts = request.facts
    authored = facts.computed or facts.authored
    hears = Expectation(
        wanted=Filter(sender="analysis", event=CONCEPT_EVENT),
        within_s=CONCEPT_WAIT_S,
        then=partial(_take_up, authored, facts.text),
    )
    return Plan(say=(Wording(words=authored, task=TASK, guard=facts.guard, most_words=MOST_WORDS), hears))


def _take_up(draft: str, text: str, message: AgentMessage | None) -> tuple[PlanPart, ...]:
    """Connect the draft with the concepts that the analysis announced."""
    names = [str(each) for each in (message.payload.get("data", {}).get("concepts", ()) if message else ())]
    asks = (
        ""
        if names or draft or content_words(text)
        else _("What is your question about? A word or two more will help me find an answer.")
    )
    follow_ups = tuple(_("Give me an example: %(concept)s") % {"concept": each} for each in names[:FOLLOW_UPS])
    return (Decided(result=ConversationResult(draft=draft, clarifying_question=asks, follow_ups=follow_ups)),)


ROLE = Role(
    name=NAME,
    purpose=gettext_lazy("Drafts an answer and says what you could ask next."),
    label=gettext_lazy("Conversation"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent.parent / "prompts" / "conversation.md"),
    result=ConversationResult,
    tier="strong",
    timeout_s=5.0,
)
