"""The exercises of a draft: those of a concept in items.yaml, and those that pieces of its lesson ask, in steps.yaml."""

from itertools import count
from typing import Literal

from tutoring.course_writing.draft_files import (
    ITEMS,
    MAX_ID,
    STEPS,
    Entry,
    Files,
    concept_file,
    read_list,
    read_mapping,
    with_data,
    with_file,
)

type Place = Literal["exercise", "step"]
"""Whether an exercise is for quizzes and reviews, or asked by a piece of the lesson."""
_FILES = {"exercise": ITEMS, "step": STEPS}
_KEYS = {"exercise": "id", "step": "piece"}


def draft_exercises(files: Files, concept: str, *, place: Place = "exercise") -> list[Entry]:
    """Return the exercises in order. Raises UnreadableFile."""
    return read_list(files, concept_file(concept, _FILES[place]))


def draft_exercise(files: Files, concept: str, name: str, *, place: Place = "exercise") -> Entry | None:
    """Return an exercise by its id, or by the id of the piece that asks it."""
    return next((each for each in draft_exercises(files, concept, place=place) if each.get(_KEYS[place]) == name), None)


def add_exercise(files: Files, concept: str, kind: str, *, piece: str = "") -> tuple[Files, Entry]:
    """Return the files with a new exercise of the kind; with `piece`, one that this piece asks."""
    entry: Entry = {"id": _free_id(files, concept)}
    entry |= {"piece": piece} if piece else {"concept": concept}
    entry |= {"type": kind} | ({} if piece else {"difficulty": "medium"}) | {"stem": "", "verbatim": True}
    place: Place = "step" if piece else "exercise"
    if piece and draft_exercise(files, concept, piece, place=place) is not None:
        files = remove_exercise(files, concept, piece, place=place)
    return _written(files, concept, place, [*draft_exercises(files, concept, place=place), entry]), entry


def _free_id(files: Files, concept: str) -> str:
    """Return an id that no exercise of the course has: it begins with that of its concept."""
    taken = " ".join(text for path, text in files.items() if path.endswith((ITEMS, STEPS)))
    names = (f"{concept[: MAX_ID - 5]}-q{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def put_exercise(files: Files, concept: str, name: str, entry: Entry, *, place: Place = "exercise") -> Files:
    """Return the files with an exercise replaced; one that was removed meanwhile comes back at the end."""
    key = _KEYS[place]
    before = draft_exercises(files, concept, place=place)
    entries = [entry if each.get(key) == name else each for each in before]
    return _written(files, concept, place, entries if entry in entries else [*entries, entry])


def remove_exercise(files: Files, concept: str, name: str, *, place: Place = "exercise") -> Files:
    """Return the files without an exercise."""
    key = _KEYS[place]
    entries = [each for each in draft_exercises(files, concept, place=place) if each.get(key) != name]
    return _written(files, concept, place, entries)


def move_exercise(files: Files, concept: str, name: str, *, to: str) -> Files:
    """Return the files with an exercise moved to the end of another concept's."""
    entry = draft_exercise(files, concept, name)
    if entry is None or to == concept:
        return files
    files = remove_exercise(files, concept, name)
    return _written(files, to, "exercise", [*draft_exercises(files, to), entry | {"concept": to}])


def _written(files: Files, concept: str, place: Place, entries: list[Entry]) -> Files:
    path = concept_file(concept, _FILES[place])
    if not entries and place == "step":
        return with_file(files, path, None)
    return with_data(files, path, entries)


def picture_names(files: Files, concept: str) -> list[str]:
    """Return the names of the concept's pictures."""
    return list(read_mapping(files, concept_file(concept, "pictures.yaml")))
