"""A course of two concepts and the questions tests put from it."""

import uuid
from dataclasses import replace
from typing import Any

from conversations.models import Session, Turn
from tutoring.courses.catalogue import AnswerPlan, ContrastCase, HintLadder, Misconception, Template
from tutoring.courses.catalogue import ConceptContent as ConceptValue
from tutoring.courses.catalogue import CourseContent as CourseValue
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice
from tutoring.courses.pictures import Picture
from tutoring.courses.serialization import course_to_json
from tutoring.grading import ChoiceKey, Idea, NumericKey, TextKey
from tutoring.mastery.records.progress import open_question
from tutoring.models import Concept, Course, Question

HINTS = ("Look at the parts.", "Equal parts count.", "How many parts are there?", "Of 6, 3 are half.", "So it is 1/2.")


def misconception(name: str) -> Misconception:
    contrast = ContrastCase(blocks=("Is this half?",), question="Is this half?")
    return Misconception(
        id=name, kind="conceptual", says=f"{name} says", description="", correct_idea="Equal parts.", contrast=contrast
    )


def make_course(slug: str = "fractions", **fields: Any) -> Course:
    """Store a course of two concepts, the second built on the first."""
    parts = ConceptValue(id="equal_parts", title="Equal parts", summary="Same size.", level=1, minutes=8, pieces={})
    half = ConceptValue(
        id="one_half", title="One half", summary="One of two.", level=2, minutes=12, goal=True, pieces={},
        requires=("equal_parts",),
    )  # fmt: skip
    value = CourseValue(
        id=slug, title="Fractions", summary="Parts of a whole.", language="en", license="CC", version="1",
        threshold=0.85, concepts=(parts, half),
        misconceptions={name: misconception(name) for name in ("two_pieces", "counts_shaded")},
    )  # fmt: skip
    course = Course.objects.create(
        slug=slug, title=value.title, summary=value.summary, version="1", source_hash=f"small {slug}",
        content=course_to_json(value), **fields,
    )  # fmt: skip
    for position, concept in enumerate(value.concepts):
        Concept.objects.create(
            course=course, slug=concept.id, title=concept.title, position=position, is_goal=concept.goal
        )
    return course


def describe(course: Course, name: str, **fields: Any) -> None:
    """Say more of one of the course's misconceptions, as a new version of its files would."""
    value = course.catalogue()
    described = {**value.misconceptions, name: replace(value.misconceptions[name], **fields)}
    course.content = course_to_json(replace(value, misconceptions=described))
    course.source_hash += f" {name}"
    course.save()


def numeric(template: str = "shaded", **fields: Any) -> Exercise:
    """What part is shaded: 1/2, unless one counts the shaded parts alone."""
    return Exercise(
        **{
            "template": template, "seed": 7, "concept": "one_half", "kind": "numeric", "difficulty": "medium",
            "stem": "What part of the bar is shaded?", "key": NumericKey(value="1/2"), "hints": HINTS,
            "solution": ("Two of four equal parts are shaded.", "That is 2/4, or 1/2."),
            "picture": Picture(kind="bar", alt="A bar of four", parts=(1, 1, 1, 1), shaded=(0, 1)),
            "wrong": {"2": ("counts_shaded",)}, **fields,
        }
    )  # fmt: skip


def choice(template: str = "which") -> Exercise:
    options = (("A", "Both pieces"), ("B", "Neither"))
    return numeric(
        template, kind="choice", key=ChoiceKey(right="B", options=options), wrong={"A": ("two_pieces",)},
        choices=(ExerciseChoice(letter="A", text="Both pieces", misconception="two_pieces"), ExerciseChoice(letter="B", text="Neither")),
    )  # fmt: skip


def text(template: str = "why") -> Exercise:
    key = TextKey(ideas=(Idea(any=("same size", "equal"), name="same size"),))
    return numeric(template, kind="text", key=key, wrong={})


def make_turn(person: Any, *, key: str = "lesson") -> Turn:
    """Store a finished turn of the person's conversation of that key."""
    session, _ = Session.objects.get_or_create(owner=person, key=key)
    number = session.turns.count() + 1
    client_id = uuid.uuid4().hex
    return Turn.objects.create(
        session=session, owner=person, number=number, client_id=client_id, body_hash="", status="done"
    )


def ask(person: Any, instance: Exercise | None = None, *, purpose: Any = "quiz", **fields: Any) -> Question:
    """Put a question on one half to the person, in a turn of its own; the course is made when there is none."""
    concept = Concept.objects.filter(slug="one_half").first() or make_course().concepts.get(slug="one_half")
    turn = make_turn(person)
    return open_question(
        learner=person, session=turn.session, turn=turn, concept=concept, instance=instance or numeric(),
        purpose=purpose, **{"number": 1, "cycle": None, **fields},
    )  # fmt: skip


def add_templates(course: Course, *names: str) -> None:
    """Give the course questions on one half: what is shaded, with 2 as the answer of one misconception."""
    value = course.catalogue()
    ladder = HintLadder(focus="Look.", principle="Equal parts.", ask="How many?", ask_answer="2", example="1/2")
    made = tuple(
        Template(
            id=name, concept="one_half", kind="numeric", difficulty="medium", stem=f"What part is shaded in {name}?",
            answer=AnswerPlan(value="1/2"), hints=ladder, solution=("It is 1/2.",), misconceptions=("counts_shaded",),
            overrides={"counts_shaded": "2"},
        )
        for name in names
    )  # fmt: skip
    concepts = tuple(replace(each, templates=made) if each.id == "one_half" else each for each in value.concepts)
    course.content = course_to_json(replace(value, concepts=concepts))
    course.source_hash += " templates " + " ".join(names)
    course.save()
