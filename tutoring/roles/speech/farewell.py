"""Goodbye, with what was done in the conversation. A model may word it, with no numbers and concepts of its own."""

from functools import partial

from agents.engine.roles import Wording
from conversations.panel.facts import KnownTerm
from conversations.panel.text_analysis import analyse_text
from tutoring.known_terms import known_terms
from tutoring.lesson.facts import LessonFacts, LobbyFacts
from tutoring.output_checks.answer_leak_guard import OpenQuestion
from tutoring.output_checks.counted_numbers import numbers_in_text
from tutoring.roles.speech.answer_guard import MOST_WORDS, find_problem, open_question
from tutoring.roles.wording import renderer
from tutoring.roles.wording.move_instructions import move_instruction
from tutoring.roles.wording.renderer import WordingParts


def farewell_wording(facts: LessonFacts | LobbyFacts, goodbye: str) -> Wording:
    """Return the summary of the conversation and the authored `goodbye`."""
    courses = (facts.course,) if isinstance(facts, LessonFacts) else facts.courses
    question = open_question(facts) if isinstance(facts, LessonFacts) else None
    # After a goodbye a moment ago, the summary is known.
    recap = "" if renderer.was_told(facts.recap, facts) else facts.recap
    words = f"{recap} {goodbye}".strip()
    guard = partial(
        find_farewell_problem,
        told=words,
        terms=tuple(known_terms(courses)),
        question=question.supplying(words) if question else None,
    )
    task = move_instruction("farewell", WordingParts(hint=facts.recap), asks=False)
    return Wording(words=words, task=task, guard=guard, most_words=MOST_WORDS)


def find_farewell_problem(
    text: str, *, told: str, terms: tuple[KnownTerm, ...], question: OpenQuestion | None = None
) -> str:
    """Return in one word why a model's goodbye must not be shown: a number or a concept not in `told`, or as ever."""
    if not numbers_in_text(text) <= numbers_in_text(told):
        return "number"
    if not _concepts_in(text, terms) <= _concepts_in(told, terms):
        return "concept"
    return find_problem(text, question=question, questions=0)


def _concepts_in(text: str, terms: tuple[KnownTerm, ...]) -> frozenset[str]:
    return frozenset(each.name for each in analyse_text(text, own_terms=terms).concepts)
