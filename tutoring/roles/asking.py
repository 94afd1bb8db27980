"""What a quiz asks next: about which concept, by which exercise."""

import uuid
from typing import Any

from tutoring.courses.catalogue import Template
from tutoring.courses.generating import instance
from tutoring.courses.instances import Instance, is_written
from tutoring.roles.facts import LessonFacts
from tutoring.rules import cycle as cycles
from tutoring.rules import mastery
from tutoring.rules.cycle import LearningCycle
from tutoring.rules.selection import Candidate, choose_template


def next_concept(facts: LessonFacts, cycle: LearningCycle) -> str | None:
    """Return what to ask about: the concept itself, then a prerequisite in doubt; None when the quiz is over."""
    own = facts.concept.id
    doubted = [each for each in _doubted(facts) if each not in cycle.asked]
    open_to = [each for each in (own, *doubted) if cycles.may_ask(cycle, each)]
    decided = mastery.quiz_is_decided(facts.beliefs[own], threshold=facts.course.threshold)
    if not open_to or cycles.quiz_should_end(cycle, decided=decided, more=bool(open_to)):
        return None
    return open_to[0]


def total(facts: LessonFacts) -> int:
    """Return how many questions are planned; fewer are asked where fewer are enough."""
    return cycles.MAXIMUM_PER_CONCEPT + len(_doubted(facts))


def exercise(facts: LessonFacts, concept_id: str, number: int) -> Instance:
    """Return the question to ask; the same turn and number make the same one."""
    templates = facts.course.concept(concept_id).templates
    fitting = [template for template in templates if _may_be_asked(facts, template)] or list(templates)
    candidates = [_candidate(facts, each) for each in fitting]
    written = _written(facts, concept_id)
    candidates += [_candidate(facts, each) for each in written.values()]
    chosen = choose_template(candidates, recent=facts.recent_templates, purpose="quiz")
    if chosen in written:
        return written[chosen]
    seed = uuid.uuid5(uuid.UUID(facts.turn_id), f"seed-{number}").int & 0x7FFF_FFFF
    return instance(facts.course.template(chosen), seed=seed, course=facts.course)


def as_state(exercise: Instance, question_id: str) -> dict[str, Any]:
    """Return a question in the fields of design document 003, but for what gives its answer away."""
    return {
        "question_id": question_id,
        "question_text": exercise.stem,
        "concept_name": exercise.concept,
        "difficulty": exercise.difficulty,
    }


def response(facts: LessonFacts) -> list[dict[str, Any]]:
    """Return the answer given in this turn in the fields of design document 003; nothing where none was."""
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


def _doubted(facts: LessonFacts) -> list[str]:
    """Return the prerequisites that were practised and are not mastered, or never met."""
    return [each for each in facts.concept.requires if not mastery.is_mastered(facts.beliefs[each])]


def _may_be_asked(facts: LessonFacts, template: Template) -> bool:
    """Tell whether a template fits: words are judged, but measure nothing, so the numbers that count come first."""
    if template.kind != "text":
        return True
    measured = facts.beliefs[template.concept].unassisted >= mastery.MINIMUM_UNASSISTED
    return measured and not facts.times_answered.get(template.id, 0)


def _written(facts: LessonFacts, concept_id: str) -> dict[str, Instance]:
    """Return the written questions that may come now, by template; after one of them comes one of the course's own."""
    if facts.recent_templates and is_written(facts.recent_templates[-1]):
        return {}
    return {each.template: each for each in facts.written if each.concept == concept_id}


def _candidate(facts: LessonFacts, of: Template | Instance) -> Candidate:
    template = of.id if isinstance(of, Template) else of.template
    offset = facts.offsets.get(template) or mastery.ItemOffset(offset=mastery.offset_of(of.difficulty))
    expected = mastery.expectation(
        facts.beliefs[of.concept],
        ability=facts.ability,
        item=offset,
        kind=f"choice{len(of.choices)}" if of.kind == "choice" else of.kind,
    )
    return Candidate(
        template=template,
        predicted=expected.predicted,
        answers=facts.times_answered.get(template, 0),
        information=expected.information,
    )
