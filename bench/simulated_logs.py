"""Logs of simulated learners, seeded, in two worlds: one learns by leaps, as the estimator assumes, one by degrees."""

import math
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from tutoring.mastery.knowledge_tracing import SkillParameters, guess_chance, logit
from tutoring.mastery.parameter_fitting.answer_history import WeighedAnswer

type World = Literal["leaps", "degrees"]

TRUTH = SkillParameters(initial=0.4, learn=0.15, forget=0.01, known_base=0.88)
KINDS = ("numeric", "choice4")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How learners of a course really are; what the estimator does not know."""

    learners: int
    skills: int
    items: int
    """Of each skill; every second one is a choice among four."""
    each: int
    """Answers of a learner on a skill, about."""
    truth: SkillParameters = TRUTH
    spread: float = 0.0
    """Standard deviation, in logits, of what the skills' own chances differ by."""
    item_spread: float = 0.7
    """Standard deviation of the items' offsets."""
    ability_spread: float = 0.15
    """Standard deviation of the learners' residuals."""
    world: World = "leaps"
    tail: float = 0.0
    """How unevenly skills are taken up: skill number k by a share (k + 1)^-tail of the learners."""
    noise: float = 0.0
    """Share of the answers that tell nothing: right or wrong by chance."""


def history(course: Course, *, seed: int) -> list[WeighedAnswer]:
    """Return the answers in order: learner after learner takes up the skills, three at a time in turn."""
    random = Random(seed)
    skills = {f"skill-{number}": _varied(course, random) for number in range(course.skills)}
    offsets = {
        (skill, number): random.gauss(0, course.item_spread) for skill in skills for number in range(course.items)
    }
    found: list[WeighedAnswer] = []
    for learner in range(course.learners):
        found += _learner(learner, course, skills, offsets, random)
    return found


def _varied(course: Course, random: Random) -> SkillParameters:
    truth = course.truth

    def moved(chance: float) -> float:
        return _logistic(logit(chance) + random.gauss(0, course.spread))

    return replace(
        truth, initial=moved(truth.initial), learn=moved(truth.learn), known_base=moved(truth.known_base),
        unknown_shift=truth.unknown_shift + random.gauss(0, course.spread),
    )  # fmt: skip


def _learner(
    learner: int,
    course: Course,
    skills: dict[str, SkillParameters],
    offsets: dict[tuple[str, int], float],
    random: Random,
) -> list[WeighedAnswer]:
    ability = random.gauss(0, course.ability_spread)
    waiting = _taken_up(list(skills), course, random)
    random.shuffle(waiting)
    known = {
        each: random.random() < _logistic(logit(skill.initial) + skill.prior_by_ability * ability)
        for each, skill in skills.items()
    }
    left = {each: max(1, round(random.gauss(course.each, course.each / 3))) for each in skills}
    met = dict.fromkeys(skills, 0)
    found = []
    while waiting:
        skill = random.choice(waiting[:3])
        number = random.randrange(course.items)
        kind = KINDS[number % 2]
        chance = _chance(course, skills[skill], kind, offsets[skill, number], ability, known[skill], met[skill])
        if course.noise and random.random() < course.noise:
            chance = 0.5
        found.append(WeighedAnswer(learner, skill, f"{skill}-{number}", kind, 0.0, random.random() < chance))
        known[skill] = (
            random.random() >= skills[skill].forget if known[skill] else random.random() < skills[skill].learn
        )
        met[skill] += 1
        left[skill] -= 1
        if not left[skill]:
            waiting.remove(skill)
    return found


def _taken_up(skills: list[str], course: Course, random: Random) -> list[str]:
    """Return the skills that a learner takes up; all of them without a tail."""
    if not course.tail:
        return skills
    return [skill for place, skill in enumerate(skills, 1) if random.random() < place**-course.tail]


def _chance(
    course: Course, skill: SkillParameters, kind: str, offset: float, ability: float, known: bool, met: int
) -> float:
    """Return how probable a right answer is: by what is known, or, learned by degrees, by how often it was practised."""
    if course.world == "degrees":
        guess = guess_chance(kind)
        learned = logit(skill.initial) + skill.learn * met
        return guess + (1 - guess) * _logistic(learned + 1.5 * offset + 5 * ability)
    if known:
        return _logistic(logit(skill.known_base) + skill.known_by_item * offset + skill.known_by_ability * ability)
    base = logit(guess_chance(kind)) + skill.unknown_shift
    return _logistic(base + skill.unknown_by_item * offset + skill.unknown_by_ability * ability)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
