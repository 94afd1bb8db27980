"""Selects a quiz's next question: its concept and its exercise."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tutoring.courses import quiz_limits
from tutoring.courses.catalogue import Difficulty, Template
from tutoring.courses.exercises.exercise import Exercise, is_written
from tutoring.courses.exercises.generator import make_exercise
from tutoring.courses.exercises.operands import operands_of
from tutoring.lesson import cycle as cycles
from tutoring.lesson.cycle import LearningCycle
from tutoring.lesson.facts import AskedQuestion, LessonFacts
from tutoring.mastery import knowledge_tracing, learning_path
from tutoring.mastery.misconception_evidence import candidates_to_separate
from tutoring.mastery.misconception_probes import discriminating_exercise
from tutoring.mastery.template_selection import SPACING, TemplateCandidate, choose_template
from tutoring.roles.speech.prompt_background import right_answer_text

TWINS_TRIED = 4
DRAWS_TRIED = 6
"""Draws of a template for one whose numbers were not worked with a moment ago."""
TOUCHED_KINDS = frozenset({"choice", "shade", "cut", "place", "build", "share", "point"})
"""Kinds with which a quiz begins: one thing to press or to move, and nothing to type."""
EASIEST_FIRST: tuple[Difficulty, ...] = ("easy", "medium", "hard")


def next_concept(facts: LessonFacts, cycle: LearningCycle) -> str | None:
    """Return the concept to ask about: the lesson's own, an earlier one in between, then a doubtful prerequisite.

    None when the quiz is over.
    """
    own, limits = facts.concept.id, facts.course.quiz
    doubted = _doubted_prerequisites(facts, cycle)
    open_to = [each for each in (own, *doubted) if cycles.may_ask(cycle, each, limits)]
    decided = knowledge_tracing.quiz_is_decided(facts.beliefs[own], threshold=facts.threshold, skill=facts.skill(own))
    if cycles.quiz_should_end(cycle, decided=decided, more=bool(open_to), limits=limits):
        return None
    return _earlier_concept(facts, cycle) or (open_to[0] if open_to else own)


def planned_questions(facts: LessonFacts, cycle: LearningCycle) -> int:
    """Return how many questions are planned in a quiz that is asking the last of `cycle.asked` now.

    Fewer are asked if fewer are enough.
    """
    own, limits = facts.concept.id, facts.course.quiz
    others = [*(each for each in cycle.asked if each != own), *_doubted_prerequisites(facts, cycle)]
    ahead = limits.per_concept - cycle.asked.count(own)
    looks_back = bool(_earlier_concept(facts, cycle, after=ahead))
    return max(quiz_limits.MINIMUM_QUESTIONS, min(limits.questions, limits.per_concept + len(others) + looks_back))


def _earlier_concept(facts: LessonFacts, cycle: LearningCycle, *, after: int = 0) -> str:
    """Return the earlier concept to review now, or after `after` more questions; empty for none.

    One comes per quiz, between two of the concept's own questions, and replaces none of them.
    """
    own, limits = facts.concept.id, facts.course.quiz
    left = limits.per_concept - len(cycle.asked)
    is_between = set(cycle.asked) == {own} and 0 < left < limits.questions - len(cycle.asked)
    return facts.earlier[0] if facts.earlier and is_between and facts.sitting.may_ask_review(after=after) else ""


def choose_exercise(facts: LessonFacts, concept_id: str, number: int) -> Exercise:
    """Return the exercise to ask; the same turn and number give the same one."""
    # A lesson of steps goes on as lightly as it was. Elsewhere what an answer tells decides.
    starts_lightly = number == 1 and bool(facts.course.concept(concept_id).steps)
    is_to_tell = not starts_lightly or bool(facts.notes.to_tell_apart)
    if is_to_tell and (probe := _discriminating_exercise(facts, concept_id, number)):
        return probe
    if ahead := _harder_exercise(facts, concept_id, number):
        return ahead
    return _most_telling(facts, concept_id, number, starts_lightly=starts_lightly)


def _most_telling(facts: LessonFacts, concept_id: str, number: int, *, starts_lightly: bool) -> Exercise:
    """Return an exercise of the best template; of the next best if it only has numbers that were just worked with."""
    templates = _taught(facts, concept_id)
    # The same question again, word for word, would test the memory of its answer.
    new = [template for template in templates if template.params or not facts.times_answered.get(template.id)]
    fitting = [template for template in new if _may_be_asked(facts, template)] or new or list(templates)
    if starts_lightly:
        fitting = _light_starts(fitting)
    candidates = [_candidate(facts, each) for each in fitting]
    written = {} if starts_lightly else _written_exercises(facts, concept_id)
    candidates += [_candidate(facts, each) for each in written.values()]
    repeated: Exercise | None = None
    while candidates:
        chosen = choose_template(candidates, recent=facts.recent_templates, purpose="quiz")
        drawn = (
            (written[chosen],) if chosen in written else _draws(facts, facts.course.template(chosen), f"seed-{number}")
        )
        for exercise in drawn:
            if not _is_repeated(facts, exercise):
                return exercise
            repeated = repeated or exercise
        candidates = [each for each in candidates if each.template != chosen]
    assert repeated is not None
    return repeated


def _draws(facts: LessonFacts, template: Template, name: str) -> Iterator[Exercise]:
    """Yield a few exercises of the template, always the same for the same turn and name."""
    for number in range(DRAWS_TRIED if template.params else 1):
        seed = _seed(facts, f"{name}-again-{number}" if number else name)
        yield make_exercise(template, seed=seed, course=facts.course)


def _is_repeated(facts: LessonFacts, exercise: Exercise) -> bool:
    """Tell whether the exercise has the numbers of one asked a moment ago, in whatever order and words."""
    return not facts.operands_met.isdisjoint(operands_of(exercise))


def find_twin(facts: LessonFacts, exercise: Exercise) -> Exercise | None:
    """Return another exercise of the same template; None if it makes only this one."""
    template = next((each for each in _templates(facts, exercise.concept) if each.id == exercise.template), None)
    if template is None:
        return None
    seeds = [_seed(facts, f"twin-{n}") for n in range(TWINS_TRIED)]
    drawn = [make_exercise(template, seed=seed, course=facts.course) for seed in seeds]
    others = [each for each in drawn if _shown(each) != _shown(exercise)]
    return next((each for each in others if not _is_repeated(facts, each)), others[0] if others else None)


def question_to_state(exercise: Exercise, question_id: str) -> dict[str, Any]:
    """Return a question in the fields of the API, without what gives its answer away."""
    return {
        "question_id": question_id,
        "question_text": exercise.stem,
        "concept_name": exercise.concept,
        "difficulty": exercise.difficulty,
    }


def disclose_closed(questions: Sequence[Mapping[str, Any]], asked: AskedQuestion | None) -> list[dict[str, Any]]:
    """Return the quiz's questions, with answer and source of the one just closed, where nothing is given away."""
    return [
        {**each, **disclosed_answer(asked.instance, asked.source)}
        if asked is not None and not asked.is_open and each["question_id"] == asked.id
        else dict(each)
        for each in questions
    ]


def disclosed_answer(exercise: Exercise, source: str) -> dict[str, str]:
    """Return what is told of a question once it is over: its answer, and what it was made from."""
    return {"expected_answer": right_answer_text(exercise), "source_context": source}


def response_to_state(facts: LessonFacts) -> list[dict[str, Any]]:
    """Return the answer given in this turn in the fields of the API; nothing where none was."""
    answered, asked = facts.answered, facts.asked
    if answered is None or asked is None:
        return []
    return [
        {
            "question_id": asked.id,
            "learner_answer": answered.answer,
            "is_correct": answered.correct,
            "time_taken_seconds": answered.seconds,
            "attempt_number": answered.number,
        }
    ]


def _shown(exercise: Exercise) -> tuple[object, ...]:
    """Return what one sees of an exercise, in whatever order its choices are."""
    return exercise.stem, exercise.picture, frozenset((each.text, each.picture) for each in exercise.choices)


def _discriminating_exercise(facts: LessonFacts, concept_id: str, number: int) -> Exercise | None:
    """Return the exercise that best tells the suspected misconceptions apart; None if none is needed.

    Among equals, the least asked one; an exercise among the last questions is not repeated.
    """
    templates = [each for each in _taught(facts, concept_id) if each.id not in facts.recent_templates[1 - SPACING :]]
    shown_here = {each for template in templates for each in template.misconceptions}
    suspected = {each: held for each, held in facts.suspicions.items() if each in shown_here}
    candidates = candidates_to_separate(suspected)
    if not candidates:
        return None
    return discriminating_exercise(
        templates,
        candidates,
        course=facts.course,
        seeds=lambda n: _seed(facts, f"probe-{number}-{n}"),
        fits=lambda each: not _is_repeated(facts, each),
        preferred=lambda each: -facts.times_answered.get(each.template, 0),
    )


def _harder_exercise(facts: LessonFacts, concept_id: str, number: int) -> Exercise | None:
    """Return one of the hardest exercises, the least asked first, if the learner or the pace asks for something harder.

    None if each of them was asked just now, or has only numbers that were.
    """
    if facts.notes.wanted != "break_choice" and facts.act != "harder":
        return None
    barred = facts.recent_templates[1 - SPACING :]
    templates = [each for each in _taught(facts, concept_id) if each.id not in barred and _may_be_asked(facts, each)]
    hard = [each for each in templates if each.difficulty == "hard"]
    fresh = [each for each in hard if each.id not in facts.recent_templates] or hard
    least_met = min(fresh, key=lambda each: (facts.times_answered.get(each.id, 0), each.id), default=None)
    if least_met is None:
        return None
    drawn = _draws(facts, least_met, f"ahead-{number}")
    return next((each for each in drawn if not _is_repeated(facts, each)), None)


def _templates(facts: LessonFacts, concept_id: str) -> tuple[Template, ...]:
    return facts.course.concept(concept_id).templates


def _taught(facts: LessonFacts, concept_id: str) -> tuple[Template, ...]:
    """Return the templates that need nothing but what the lesson has shown; all for who knows the concept already."""
    templates, shown = _templates(facts, concept_id), set(facts.lesson.explained)
    if concept_id != facts.concept.id or not shown or facts.lesson.cycle.checkout:
        return templates
    return tuple(each for each in templates if not each.after or shown & set(each.after)) or templates


def _seed(facts: LessonFacts, name: str) -> int:
    """Return a seed that is the same for the same turn."""
    return uuid.uuid5(uuid.UUID(facts.turn_id), name).int & 0x7FFF_FFFF


def _doubted_prerequisites(facts: LessonFacts, cycle: LearningCycle) -> list[str]:
    """Return what is still to check: unmastered prerequisites, and one below them that only a placement has tested.

    What was asked in this quiz needs no further check; one from below is enough per quiz. A checkout checks none.
    """
    if cycle.checkout:
        return []
    standings, requires = facts.standings, facts.concept.requires
    direct = [each for each in requires if not standings[each].mastered and each not in cycle.asked]
    if not {facts.concept.id, *requires}.issuperset(cycle.asked):
        return direct
    unchecked = learning_path.prerequisites_to_check(facts.course.requires, standings, facts.concept.id)
    return [*direct, *[each for each in unchecked if each not in requires][:1]]


def _may_be_asked(facts: LessonFacts, template: Template) -> bool:
    """Tell whether a template fits: text answers do not count as measurement, so countable questions come first."""
    if template.kind != "text":
        return True
    measured = facts.beliefs[template.concept].unassisted >= knowledge_tracing.MINIMUM_UNASSISTED
    return measured and not facts.times_answered.get(template.id, 0)


def _light_starts(templates: Sequence[Template]) -> list[Template]:
    """Return the templates that a quiz may begin with: the easiest of those one touches, or of all without such."""
    touched = [each for each in templates if each.kind in TOUCHED_KINDS] or list(templates)
    easiest = min((each.difficulty for each in touched), key=EASIEST_FIRST.index)
    return [each for each in touched if each.difficulty == easiest]


def _written_exercises(facts: LessonFacts, concept_id: str) -> dict[str, Exercise]:
    """Return the written questions that may be asked now, by template; never two in a row."""
    if facts.recent_templates and is_written(facts.recent_templates[-1]):
        return {}
    return {each.template: each for each in facts.written if each.concept == concept_id}


def _candidate(facts: LessonFacts, of: Template | Exercise) -> TemplateCandidate:
    template = of.id if isinstance(of, Template) else of.template
    offset = facts.offsets.get(template) or knowledge_tracing.DifficultyOffset(
        offset=knowledge_tracing.difficulty_offset(of.difficulty)
    )
    expected = knowledge_tracing.predict_answer(
        facts.beliefs[of.concept],
        ability=facts.ability,
        item=offset,
        kind=f"choice{len(of.choices)}" if of.kind == "choice" else of.kind,
        skill=facts.skill(of.concept),
    )
    return TemplateCandidate(
        template=template,
        predicted=expected.predicted,
        answers=facts.times_answered.get(template, 0),
        information=expected.information,
    )
