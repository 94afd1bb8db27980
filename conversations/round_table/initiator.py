"""The initiator: turns the learner's words into a goal, criteria and an approach. By rule; a connected model may do it better."""

from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.engine.roles import Plan, Request, Role
from agents.llm.prompt import read_prompt
from conversations.round_table.names import INITIATOR
from conversations.round_table.results import GOAL_CHARACTERS, MOST_CRITERIA, TableGoal
from conversations.round_table.search_rules import RULES, topic_of
from conversations.round_table.table import Table
from conversations.search.passage_quotes import compared_things, content_words

FORMAL_CRITERION = gettext_lazy("It says what each agent contributed and which questions remain open.")
"""What every answer has to say, whatever the question is."""


def plan(request: Request) -> Plan:
    table: Table = request.facts
    seats = "\n".join(f"- {seat.title}: {seat.purpose}" for seat in table.seats)
    return Plan(
        result=goal_by_rule(table),
        background=f"The agents at the table:\n{seats}\nRounds at most: {table.rounds}",
        refine=_take_words,
    )


def goal_by_rule(table: Table) -> TableGoal:
    """Return the goal in the learner's own words, with criteria and an approach from who sits at the table."""
    topic = topic_of(table.question)
    # A long message is shortened: the whole of it is what the agents read anyway.
    short = topic if len(topic) <= 300 else topic[:299].rsplit(" ", 1)[0] + "…"
    criteria = [_("The answer gives the arguments for and against each side.")]
    if sides := compared_things(topic):
        criteria.insert(0, _("The answer covers both %(one)s and %(other)s.") % {"one": sides[0], "other": sides[1]})
    criteria.append(str(FORMAL_CRITERION))
    looks = [
        _("%(agent)s looks for %(thing)s") % {"agent": seat.title, "thing": RULES[seat.looks_for].wanted}
        for seat in table.seats
    ]
    return TableGoal(
        goal=_("Discuss: %(topic)s") % {"topic": short},
        success_criteria=tuple(criteria),
        approach="; ".join(looks)[: GOAL_CHARACTERS - 1] + ".",
    )


def _take_words(own: TableGoal, told: TableGoal) -> TableGoal:
    """Return a model's goal if it has words of the learner's question in it; otherwise the rule's own."""
    goal = " ".join(told.goal.split())[:GOAL_CHARACTERS]
    if not content_words(goal) & content_words(own.goal):
        return own
    criteria = tuple(each for each in (" ".join(each.split()) for each in told.success_criteria) if each)
    return TableGoal(
        goal=goal,
        success_criteria=criteria[:MOST_CRITERIA] or own.success_criteria,
        approach=" ".join(told.approach.split())[:GOAL_CHARACTERS] or own.approach,
    )


ROLE = Role(
    name=INITIATOR,
    purpose=gettext_lazy("Turns your words into a goal for the round table."),
    label=gettext_lazy("Initiator"),
    plan=plan,
    prompt=read_prompt(Path(__file__).parent / "prompts" / "initiator.md"),
    result=TableGoal,
    timeout_s=30.0,
)
