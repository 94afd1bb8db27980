"""JSON of exercises for questions: public parts separate from secret ones, and back."""

from typing import Any, cast

from pydantic import TypeAdapter

from tutoring.courses.catalogue import Blocks, TemplateKind
from tutoring.courses.exercises.exercise import Exercise, ExerciseChoice, Scaffold
from tutoring.courses.pictures import Picture
from tutoring.grading import key_from_json, key_to_json
from tutoring.grading.boards import board_from_json, board_to_json

type Json = dict[str, Any]
"""The value of a JSON column; its shape is private to this module."""

_pictures = TypeAdapter(Picture)


def exercise_to_json(instance: Exercise) -> Json:
    """Return an exercise as the columns of its question."""
    return {
        "template": instance.template,
        "seed": instance.seed,
        "kind": instance.kind,
        "stem": instance.stem,
        "public": public_part(instance),
        "key": secret_part(instance),
    }


def public_part(instance: Exercise) -> Json:
    """Return the public part of an exercise besides its stem."""
    return {
        "picture": _picture_to_json(instance.picture),
        "choices": [_choice_to_json(choice) for choice in instance.choices],
        "rows": [_choice_to_json(row) for row in instance.rows],
        "lead": [each if isinstance(each, str) else _picture_to_json(each) for each in instance.lead],
        "own_words": instance.own_words,
        "starter": instance.starter,
        "board": board_to_json(instance.board) if instance.board is not None else None,
    }


def secret_part(instance: Exercise) -> Json:
    """Return the part that stays on the server while the question is open."""
    return {
        "answer": key_to_json(instance.key),
        "difficulty": instance.difficulty,
        "hints": list(instance.hints),
        "has_worked_example": instance.has_worked_example,
        "twin_picture": _picture_to_json(instance.twin_picture),
        "scaffold": [instance.scaffold.ask, instance.scaffold.answer] if instance.scaffold else None,
        "solution": list(instance.solution),
        "wrong": {answer: list(ids) for answer, ids in instance.wrong.items()},
        "said": {choice.letter: choice.says for choice in instance.choices if choice.says},
        "distractors": {choice.letter: choice.misconception for choice in instance.choices if choice.misconception},
    }


def exercise_from_json(
    *, template: str, seed: int, concept: str, kind: str, stem: str, public: Json, secret: Json
) -> Exercise:
    """Return the exercise as it was when the question was asked."""
    scaffold = secret["scaffold"]
    return Exercise(
        template=template,
        seed=seed,
        concept=concept,
        kind=cast("TemplateKind", kind),
        difficulty=secret["difficulty"],
        stem=stem,
        picture=picture_from_json(public["picture"]),
        choices=tuple(_choice(choice, secret["distractors"], secret.get("said", {})) for choice in public["choices"]),
        rows=tuple(_choice(row, {}, {}) for row in public.get("rows", ())),
        key=key_from_json(secret["answer"]),
        hints=tuple(secret["hints"]),
        has_worked_example=secret.get("has_worked_example", True),
        scaffold=Scaffold(ask=scaffold[0], answer=scaffold[1]) if scaffold else None,
        solution=tuple(secret["solution"]),
        wrong={answer: tuple(ids) for answer, ids in secret["wrong"].items()},
        board=board_from_json(public["board"]) if public.get("board") else None,
        twin_picture=picture_from_json(secret.get("twin_picture")),
        lead=lead_from_json(public),
        own_words=public.get("own_words", False),
        starter=public.get("starter", ""),
    )


def lead_from_json(public: Json) -> Blocks:
    """Return what stands above a question on its card."""
    given = (each if isinstance(each, str) else picture_from_json(each) for each in public.get("lead", ()))
    return tuple(each for each in given if each is not None)


def picture_from_json(data: Json | None) -> Picture | None:
    return _pictures.validate_python(data) if data else None


def _picture_to_json(picture: Picture | None) -> Json | None:
    return _pictures.dump_python(picture, mode="json") if picture else None


def _choice_to_json(choice: ExerciseChoice) -> Json:
    return {"letter": choice.letter, "text": choice.text, "picture": _picture_to_json(choice.picture)}


def _choice(data: Json, distractors: dict[str, str], said: dict[str, str]) -> ExerciseChoice:
    letter = data["letter"]
    picture = picture_from_json(data["picture"])
    return ExerciseChoice(
        letter=letter,
        text=data["text"],
        picture=picture,
        misconception=distractors.get(letter),
        says=said.get(letter, ""),
    )
