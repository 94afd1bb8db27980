"""A small course, written as a teacher writes it: by edits of a draft."""

from dataclasses import replace

from tutoring.course_writing import concepts, exercises, lessons, misconceptions
from tutoring.course_writing.draft_files import Files
from tutoring.course_writing.exercise_values import entry_of

DOUBLE = {
    "kind": "numeric", "difficulty": "easy", "params": "n = int(2, 9)", "stem": "What is twice {n}?",
    "value": "2*n", "form": "whole", "solution": "Twice {n} is {n} + {n} = {2*n}.",
}  # fmt: skip
CHOICE = {
    "kind": "choice", "difficulty": "easy", "verbatim": "1", "stem": "Which number is even?", "right": "B",
    "choice-A": "7", "choice-B": "8", "choice-C": "9", "because-A": "odd-is-even", "solution": "8 is 4 and 4.",
}  # fmt: skip
WORDS = {
    "kind": "text", "difficulty": "medium", "verbatim": "1", "stem": "What do you call a number like 6?",
    "ideas": "even / even number", "references": "even", "solution": "Numbers in two equal parts are even.",
}  # fmt: skip


def small_course() -> Files:
    """Return a course of two concepts that can be published."""
    files = concepts.new_files(title="Doubles", summary="Twice a number.", language="en", license="CC BY 4.0")
    for title, needs in (("Doubling", ()), ("Even numbers", ("doubling",))):
        files, name = concepts.add_concept(files, title)
        files = concepts.change_concept(files, name, {"summary": f"About {title}.", "requires": list(needs)})
        piece = replace(
            lessons.new_piece(files, name, "explain.beginner"),
            text="Two and two are four.",
            question="What is twice 2?",
        )
        files = lessons.put_piece(files, name, piece)
        if name == "even-numbers":
            files, _idea = misconceptions.add_misconception(files, "Odd is even", concept=name)
            entry = misconceptions.draft_misconception(files, "odd-is-even") or {}
            told = {"description": "Takes odd numbers as even.", "correct_idea": "Even numbers have two equal parts."}
            files = misconceptions.put_misconception(files, "odd-is-even", entry | told)
        for values in (DOUBLE, CHOICE if name == "even-numbers" else DOUBLE, WORDS):
            files = with_exercise(files, name, values)
    return files


def with_exercise(files: Files, concept: str, values: dict[str, str]) -> Files:
    files, entry = exercises.add_exercise(files, concept, values["kind"])
    return exercises.put_exercise(files, concept, entry["id"], entry_of(values, kept=entry))
