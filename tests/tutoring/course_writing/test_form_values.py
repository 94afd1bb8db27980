"""Forms and files: what is typed is written, and read back the same, whatever it is."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.tutoring.course_writing.draft_helpers import CHOICE, DOUBLE, WORDS, small_course
from tutoring.course_writing import concepts, exercises, lessons, misconceptions
from tutoring.course_writing.answer_values import FORM_KINDS, FORMS, LETTERS
from tutoring.course_writing.draft_faults import find_draft_faults
from tutoring.course_writing.draft_files import Files, clean_text, concept_file, read_document
from tutoring.course_writing.exercise_values import DIFFICULTIES, entry_of, values_of
from tutoring.courses.files.lesson_markdown import SECTIONS
from tutoring.courses.files.yaml_documents import read_yaml
from tutoring.courses.files.yaml_writer import write_yaml

AWKWARD = (
    "true",
    "null",
    "~",
    "1",
    "1.5",
    "- a",
    "a: b",
    "# x",
    "{n}",
    "'q'",
    '"',
    "a\n\nb",
    "| x",
    "### x",
    "---",
    "",
)
typed = st.text("ab 1{}[]:#-'\"|>&*!%@`\\/=,.?é→\n\r\t\x0b\x85\u2028\x00", max_size=20) | st.sampled_from(AWKWARD)
words = typed.map(clean_text)
lines = st.lists(words.map(lambda text: text.replace("\n", " ").strip()).filter(bool), max_size=4).map("\n".join)
data = st.recursive(
    words | st.booleans() | st.integers(-(10**9), 10**9) | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc_-1", min_size=1, max_size=6), inner),
    max_leaves=12,
)
names = st.sampled_from(
    ["value", "form", "tolerance", "wrong-0", "idea-0", "ideas", "references", "order", "right", "in_order", "row-0"]
    + ["partner-0", "row-1", "partner-1", "spare-0", "hint-1", "hint-2", "hint-ask", "hint-answer", "hint-4"]
    + ["hint-twin", "where", "params", "solution", "stem", "verbatim", "rest"]
    + [f"{name}-{letter}" for name in ("choice", "right", "because", "says") for letter in LETTERS]
)
forms = st.builds(
    lambda kind, difficulty, values: {**values, "kind": kind, "difficulty": difficulty},
    st.sampled_from(FORM_KINDS),
    st.sampled_from(DIFFICULTIES),
    st.dictionaries(names, words | lines | st.sampled_from(["n = 1", "A", *FORMS]), max_size=14),
)


@given(data)
@settings(max_examples=200)
def test_data_is_read_as_it_was_written(value: Any) -> None:
    assert read_yaml(write_yaml(value), file="x").data == value


@given(forms)
@settings(max_examples=300)
def test_an_exercise_is_the_same_after_its_form_is_saved_again(values: dict[str, str]) -> None:
    kept = {"id": "one", "concept": "two"}
    entry = entry_of(values, kept=kept)
    stored = read_yaml(write_yaml(entry), file="x").data
    assert stored == entry

    again = entry_of(values_of(entry), kept=entry)

    assert again == entry
    assert values_of(again) == values_of(entry)


entries = st.fixed_dictionaries(
    {"type": st.sampled_from(FORM_KINDS) | data},
    optional=dict.fromkeys(
        ("stem", "difficulty", "params", "where", "hints", "solution", "answer", "choices", "misconceptions"), data
    ),
)


@given(entries)
@example({"type": "numeric", "misconceptions": [0]})
@settings(max_examples=300)
def test_an_entry_of_any_shape_has_a_form(entry: dict[str, Any]) -> None:
    values = values_of(entry)
    assert all(isinstance(value, str) for value in values.values())
    written = entry_of(values, kept=entry)
    assert entry_of(values_of(written), kept=written) == written


@given(forms)
def test_what_is_typed_is_shown_again(values: dict[str, str]) -> None:
    shown = " ".join(values_of(entry_of(values, kept={"id": "one"})).values())
    for name in ("stem", "rest"):
        assert values.get(name, "").strip() in shown or name == "rest"


@pytest.mark.parametrize("values", [DOUBLE, CHOICE, WORDS])
def test_a_valid_form_comes_back_field_by_field(values: dict[str, str]) -> None:
    shown = values_of(entry_of(values, kept={}))
    assert {name: shown[name] for name in values} == values


def test_fields_without_a_form_are_kept() -> None:
    entry = entry_of({**DOUBLE, "rest": "picture: {kind: bar, parts: 3}\nunequal: some\n"}, kept={"id": "a"})
    assert entry["picture"] == {"kind": "bar", "parts": 3}
    assert values_of(entry)["rest"] == "picture:\n  kind: bar\n  parts: 3\nunequal: some\n"


def test_yaml_that_cannot_be_read_is_kept_as_it_is_typed() -> None:
    entry = entry_of({**DOUBLE, "rest": "picture: [1, 2"}, kept={"id": "a"})
    assert values_of(entry)["rest"] == "picture: [1, 2"


pieces = st.builds(
    lessons.DraftPiece,
    id=st.sampled_from(["doubling-p1", "doubling-p2", "x"]),
    section=st.sampled_from(SECTIONS),
    text=words,
    question=words,
    words=lines,
    heard=words,
    not_yet=words,
)


@given(pieces)
@settings(max_examples=200, deadline=None)
def test_a_piece_is_read_as_it_was_written(piece: lessons.DraftPiece) -> None:
    files = lessons.put_piece(small_course(), "doubling", piece)
    assert lessons.draft_piece(files, "doubling", piece.id) == lessons.cleaned(piece)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Plants need light.", "Name two other things that a plant needs."),
        ("Plants need light.\n\nThey need water.", "What else?"),
        ("Plants need light.\n\nThey need water.", ""),
    ],
)
def test_the_question_of_a_piece_stays_in_its_field(text: str, question: str) -> None:
    written = replace(lessons.new_piece(small_course(), "doubling", SECTIONS[0]), text=text, question=question)
    piece = lessons.draft_piece(lessons.put_piece(small_course(), "doubling", written), "doubling", written.id)
    assert piece is not None
    assert (piece.text, piece.question) == (text, question)


def _edits() -> st.SearchStrategy[tuple[str, Any]]:
    where = st.sampled_from(["doubling", "even-numbers", "new"])
    return st.one_of(
        st.tuples(st.just("concept"), words),
        st.tuples(st.just("about"), st.dictionaries(st.sampled_from(["title", "summary", "license"]), words)),
        st.tuples(st.just("remove"), where),
        st.tuples(st.just("move"), st.tuples(where, st.sampled_from([1, -1]))),
        st.tuples(st.just("needs"), st.tuples(where, st.lists(where, max_size=2))),
        st.tuples(st.just("piece"), pieces),
        st.tuples(st.just("unpiece"), st.sampled_from(["doubling-p1", "doubling-p2"])),
        st.tuples(st.just("exercise"), forms),
        st.tuples(st.just("idea"), words),
    )


def _edited(files: Files, kind: str, value: Any) -> Files:
    listed = {concept.id for concept in concepts.draft_concepts(files)}
    match kind:
        case "concept":
            return concepts.add_concept(files, value)[0]
        case "about":
            return concepts.change_course(files, value)
        case "remove":
            return concepts.remove_concept(files, value)
        case "move":
            return concepts.move_concept(files, value[0], by=value[1])
        case "needs":
            return concepts.change_concept(files, value[0], {"requires": value[1]})
        case "idea":
            return misconceptions.add_misconception(files, value, concept="doubling")[0]
    if "doubling" not in listed:
        return files
    match kind:
        case "piece":
            return lessons.put_piece(files, "doubling", value)
        case "unpiece":
            return lessons.remove_piece(files, "doubling", value)
        case _:
            files, entry = exercises.add_exercise(files, "doubling", value["kind"])
            return exercises.put_exercise(files, "doubling", entry["id"], entry_of(value, kept=entry))


@given(st.lists(_edits(), max_size=8))
@settings(max_examples=40, deadline=None)
def test_any_sequence_of_edits_keeps_a_readable_draft(edits: list[tuple[str, Any]]) -> None:
    files = small_course()
    for kind, value in edits:
        files = _edited(files, kind, value)
    for path in files:
        if path.endswith(".yaml"):
            read_document(files, path)
    for concept in concepts.draft_concepts(files):
        lessons.draft_pieces(files, concept.id)
        exercises.draft_exercises(files, concept.id)
    find_draft_faults(files, seeds=1)


def test_a_faulty_file_hides_no_fault_of_another() -> None:
    files = small_course()
    files, entry = exercises.add_exercise(files, "doubling", "numeric")
    broken = replace(lessons.new_piece(files, "even-numbers", SECTIONS[0]), text="Too long. " * 40, question="Why?")
    files = lessons.put_piece(files, "even-numbers", broken)
    files = {**files, concept_file("even-numbers", "milestones.yaml"): "- id: [\n"}

    faults = find_draft_faults(files, seeds=1)

    places = {(fault.kind, fault.concept, fault.name) for fault in faults}
    assert ("exercise", "doubling", entry["id"]) in places
    assert ("piece", "even-numbers", broken.id) in places
    assert ("file", "", "") in places
