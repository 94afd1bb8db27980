"""The pace choices on a conversation's page, and what its learner chose."""

from typing import Any

from django.urls import reverse

from agents.rollout.flags import is_enabled
from conversations.models import Session
from tutoring.side_agents import self_reports
from tutoring.side_agents.emotion import AFFECT_FLAG
from tutoring.side_agents.fact_queries import may_analyze_mood


def pace_context(session: Session) -> dict[str, Any]:
    """Return the choices, the current one and until when it holds; nothing if the flag is off. At most three queries.

    `reads`: the pace is also estimated from messages; otherwise only what is chosen here counts.
    """
    if not is_enabled(AFFECT_FLAG, session.owner):
        return {}
    said = self_reports.current_self_report(session)
    return {
        "url": reverse("lesson-pace", args=[session.key]),
        "choices": [
            {"value": value, "label": label, "is_said": said is not None and said.feeling == value}
            for value, label in self_reports.FEELINGS.items()
        ],
        "said": self_reports.FEELINGS[said.feeling] if said else "",
        "until": said.until if said else None,
        "reads": may_analyze_mood(session.owner, session.state),
    }
