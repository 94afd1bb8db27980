"""Simulated learners with one wrong idea each, before the quiz of the shipped course."""

import uuid

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.courses.exercises.generator import make_exercise
from tutoring.lesson.facts import LessonFacts
from tutoring.mastery.misconception_evidence import Suspicion, candidates_to_separate, strongest_suspicion, weigh_answer
from tutoring.roles.quizzes import question_selection

QUESTIONS = 12
"""After so many a wrong idea that has not shown is given up."""
SEEDS = 2


def facts_on(concept, turn, **known):
    course = fractions().course
    return LessonFacts(
        turn_id=str(uuid.UUID(int=turn)), seed=turn, kind="answer", course=course, concept=concept, level="beginner",
        beliefs={each: question_selection.knowledge_tracing.initial_belief() for each in (concept.id, *concept.requires)}, **known,
    )  # fmt: skip


def wrong_answers_until_known(concept, idea, first, *, seed):
    """Return how many wrong answers it took, from an exercise that shows the idea on, until it alone was suspected.

    None if it never was.
    """
    suspicions: dict[str, Suspicion] = {}
    asked: list[str] = []
    missed = 0
    rates = {each.id: each.base_rate for each in fractions().course.misconceptions.values()}
    for number in range(1, QUESTIONS + 1):
        facts = facts_on(
            concept,
            seed * 1000 + number,
            suspicions=suspicions,
            recent_templates=tuple(asked),
            times_answered={each: asked.count(each) for each in asked},
        )
        exercise = question_selection.choose_exercise(facts, concept.id, number) if asked else first
        asked.append(exercise.template)
        matching = next((ids for ids in exercise.wrong.values() if idea in ids), ())
        missed += bool(matching)
        could_match = {each for ids in exercise.wrong.values() for each in ids}
        suspicions = weigh_answer(
            suspicions, matching=matching, could_match=could_match, correct=not matching, base_rates=rates,
            source="distractor" if exercise.choices else "malrule",
        )  # fmt: skip
        held = strongest_suspicion(suspicions)
        if held is not None and held.id == idea and not candidates_to_separate(suspicions):
            return missed
    return None


def shown_first(concept):
    """Yield each wrong idea with each exercise on the concept that shows it."""
    for template in concept.templates:
        for seed in range(SEEDS):
            first = make_exercise(template, seed=seed, course=fractions().course)
            for idea in sorted({each for ids in first.wrong.values() for each in ids}):
                yield idea, first


def wrong_answers_needed():
    """Return for each wrong idea, and each exercise of the shipped course that shows it first, how many it took."""
    return {
        (concept.id, idea, first.template, first.seed): wrong_answers_until_known(concept, idea, first, seed=first.seed)
        for concept in fractions().course.concepts
        for idea, first in shown_first(concept)
    }
