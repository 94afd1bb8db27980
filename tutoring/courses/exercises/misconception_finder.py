"""Finds the misconceptions behind a wrong answer, running programs where that is needed."""

from tutoring.courses.exercises.exercise import Exercise, find_misconceptions, wrong_programs
from tutoring.grading import programs_to_run
from tutoring.grading.program_runner import run_outcomes


def misconceptions_behind(instance: Exercise, answer: str) -> tuple[str, ...]:
    """Return the misconceptions behind a wrong answer; a program shows those whose wrong program does the same.

    Within a transaction, may raise InferenceNeeded (`agents.storage.transactions`).
    """
    wrong, own = wrong_programs(instance), programs_to_run(instance.key, answer)
    outcomes = run_outcomes(own, *wrong) if wrong and own else None
    return find_misconceptions(instance, answer, outcomes=outcomes)
