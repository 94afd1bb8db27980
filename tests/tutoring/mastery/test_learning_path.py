"""The way to the goals: what is on it, in which order, what comes next, and where to go back to."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.mastery import learning_path
from tutoring.mastery.learning_path import ConceptStanding, PathStep, StepReason, build_path, next_step
from tutoring.mastery.prerequisites import all_prerequisites
from tutoring.mastery.sittings import EMPTY_SITTING, REVIEW_SHARE, Sitting

REQUIRES = {
    "parts": (),
    "half": ("parts",),
    "line": ("half",),
    "same": ("half",),
    "add": ("half",),
    "common": ("same", "line"),
    "unlike": ("add", "common"),
    "shapes": ("parts",),
}
MASTERED = ConceptStanding(probability=0.96, answers=5, mastered=True)
PLACED = ConceptStanding(probability=0.93)
WEAK = ConceptStanding(probability=0.2, answers=4)
GOALS = ["unlike"]


def learned(steps: tuple[PathStep, ...]) -> list[str]:
    return [step.concept for step in steps if step.kind == "learn"]


def of_kind(steps: tuple[PathStep, ...], kind: str) -> list[str]:
    return [step.concept for step in steps if step.kind == kind]


def way(standings: dict[str, ConceptStanding] | None = None, **changes: object) -> tuple[PathStep, ...]:
    return build_path(REQUIRES, standings or {}, **({"goals": GOALS} | changes))  # type: ignore[arg-type]


def test_only_what_the_goal_rests_on_is_on_the_way_by_depth_then_as_the_course_has_it():
    assert learned(way()) == ["parts", "half", "line", "same", "add", "common", "unlike"]


def test_what_is_mastered_is_no_step_and_what_only_that_rests_on_is_needed_no_more():
    steps = way({"common": MASTERED})
    assert learned(steps) == ["parts", "half", "add", "unlike"]
    assert learned(way({"unlike": MASTERED})) == []


def test_what_placement_takes_as_known_is_checked_and_carries_what_rests_on_it():
    steps = way({"parts": PLACED, "half": PLACED})
    assert of_kind(steps, "check") == ["parts", "half"]
    assert [step.concept for step in steps if step.kind == "learn" and step.ready] == ["line", "same", "add"]
    assert (steps[0].least, steps[0].most) == (1, 3)


def test_what_practice_then_lowers_comes_back():
    assert learned(way({"parts": PLACED, "half": replace(PLACED, answers=1, probability=0.6)}))[0] == "half"
    assert learned(way({"parts": replace(PLACED, answers=1)}))[0] == "parts"
    assert of_kind(way({"parts": replace(PLACED, answers=1, probability=0.99)}), "check") == ["parts"]


def test_a_reason_names_the_goal_what_is_known_and_what_is_missing():
    steps = {step.concept: step for step in way({"add": MASTERED, "same": MASTERED, "half": MASTERED})}
    assert steps["common"].reason == StepReason(goal="unlike", known=("same",), missing=("line",))
    assert not steps["common"].ready
    assert steps["line"].reason == StepReason(goal="unlike", known=("half",))


def test_the_first_goal_that_needs_a_concept_is_its_reason():
    steps = way(goals=["shapes", "unlike"])
    assert {step.concept: step.reason.goal for step in steps} == dict.fromkeys(REQUIRES, "unlike") | {
        "parts": "shapes",
        "shapes": "shapes",
    }


def test_what_the_learner_wants_first_moves_up_with_what_it_rests_on():
    assert learned(way(first=["add"])) == ["parts", "half", "add", "line", "same", "common", "unlike"]
    assert learned(way(first=["shapes", "gone"])) == learned(way())


def test_what_is_set_aside_is_no_step_and_is_not_waited_for():
    steps = {
        step.concept: step for step in way({"parts": MASTERED, "half": MASTERED, "same": MASTERED}, set_aside=["line"])
    }
    assert list(steps) == ["add", "common", "unlike"]
    assert steps["common"].ready
    assert learned(way(set_aside=["common"])) == ["parts", "half", "add", "unlike"]


def test_a_goal_the_course_no_longer_has_is_left_out():
    assert way(goals=["gone"]) == ()
    assert learned(build_path({"b": ("gone",)}, {}, goals=["b"])) == ["b"]


def test_a_due_review_of_what_comes_next_rests_on_goes_first():
    standings = {"parts": replace(MASTERED, due=True, recall=0.85), "half": replace(MASTERED, due=True, recall=0.89)}
    steps = way(standings)
    assert [(step.concept, step.kind, step.reason.before) for step in steps[:2]] == [
        ("half", "review", "line"),
        ("line", "learn", ""),
    ]
    assert (steps[-1].concept, steps[-1].kind, steps[-1].reason.before) == ("parts", "review", "")
    assert next_step(steps, EMPTY_SITTING) == steps[0]


def test_what_has_faded_is_reviewed_before_anything_is_built_on_it():
    steps = way({"parts": replace(MASTERED, recall=0.7)})
    assert [(step.concept, step.kind, step.ready) for step in steps[:2]] == [
        ("parts", "review", True),
        ("half", "learn", False),
    ]


@pytest.mark.parametrize(
    ("questions", "reviews", "concept"),
    [(0, 0, "line"), (3, 0, "line"), (4, 0, "parts"), (9, 1, "parts"), (8, 1, "line")],
)
def test_other_reviews_take_a_fifth_of_the_session(questions: int, reviews: int, concept: str):
    steps = way({"half": MASTERED, "parts": replace(MASTERED, due=True, recall=0.88)})
    step = next_step(steps, Sitting(questions=questions, reviews=reviews))
    assert step
    assert step.concept == concept


def test_a_look_back_may_be_foreseen():
    assert [Sitting(questions=2).may_ask_review(after=after) for after in range(4)] == [False, False, True, True]


def test_earlier_concepts_come_by_what_is_due_then_by_what_is_near_the_most_faded_first():
    held = replace(MASTERED, rested=True)
    standings = {
        "shapes": replace(held, due=True, recall=0.89),
        "half": replace(held, recall=0.95),
        "parts": replace(held, recall=0.97),
        "same": replace(held, recall=0.92),
    }
    # "line" rests on the same as "same"; shapes and it have nothing to do with each other, but shapes is due.
    assert learning_path.interleaved_concepts(REQUIRES, standings, "line") == ("shapes", "same", "half", "parts")
    assert learning_path.interleaved_concepts(REQUIRES, standings | {"half": MASTERED, "parts": WEAK}, "line") == (
        "shapes",
        "same",
    )
    assert learning_path.interleaved_concepts(REQUIRES, {"shapes": held}, "line") == ()


def test_when_no_lesson_is_left_goals_are_checked_and_reviews_have_their_turn():
    standings = {**dict.fromkeys(REQUIRES, PLACED), "parts": replace(MASTERED, due=True)}
    step = next_step(way(standings), EMPTY_SITTING)
    assert step
    assert (step.concept, step.kind) == ("unlike", "check")
    step = next_step(way({**standings, "unlike": MASTERED}), Sitting(questions=2, reviews=2))
    assert step
    assert (step.concept, step.kind) == ("parts", "review")
    assert next_step(way(dict.fromkeys(REQUIRES, MASTERED)), EMPTY_SITTING) is None


def test_other_lessons_that_could_begin_are_offered():
    steps = way({"parts": MASTERED, "half": MASTERED})
    assert [step.concept for step in learning_path.alternative_steps(steps, next_step(steps, EMPTY_SITTING))] == [
        "same",
        "add",
    ]


def test_what_only_placement_says_is_checked_on_the_way():
    standings = {"parts": PLACED, "half": replace(PLACED, probability=0.86), "same": PLACED, "line": WEAK}
    assert learning_path.prerequisites_to_check(REQUIRES, standings, "common") == ("same", "half", "parts")
    assert learning_path.prerequisites_to_check(REQUIRES, {"half": replace(PLACED, answers=1)}, "add") == ()


@pytest.mark.parametrize(
    ("concept", "mastered", "following"),
    [
        ("half", (), "line"),
        ("half", ("line", "same"), "add"),
        ("line", ("same",), "common"),
        ("line", (), "same"),  # What builds on it is not open yet; its own prerequisites are not proposed.
        ("unlike", ("parts", "half", "line", "same", "add", "common"), "shapes"),
        ("shapes", tuple(REQUIRES), None),
    ],
)
def test_what_follows_a_concept_builds_on_it_if_that_is_open(concept, mastered, following):
    assert learning_path.following_concept(REQUIRES, concept, mastered=mastered) == following


def test_misses_lead_back_to_the_least_practised_prerequisite():
    standings = {"add": replace(MASTERED, answers=9), "common": replace(MASTERED, answers=4)}
    assert learning_path.least_practised_prerequisite(REQUIRES, standings, "unlike") == "common"
    assert learning_path.least_practised_prerequisite(REQUIRES, standings, "unlike", visited=["common"]) == "add"
    assert learning_path.least_practised_prerequisite(REQUIRES, standings, "parts") is None
    standings = {"same": replace(MASTERED, recall=0.8), "line": MASTERED}
    assert learning_path.least_practised_prerequisite(REQUIRES, standings, "common") == "same"
    assert (learning_path.doubted_probability(0.97), learning_path.doubted_probability(0.4)) == (0.6, 0.4)


def test_remediation_begins_with_the_weakest():
    standings = {"same": ConceptStanding(probability=0.9), "line": WEAK, "half": replace(MASTERED, recall=0.5)}
    assert learning_path.remediation_concepts(REQUIRES, standings, "common") == ("line", "half", "parts", "same")
    assert learning_path.remediation_concepts(REQUIRES, standings, "parts") == ()


def test_the_effort_is_less_the_more_is_known():
    assert learning_path.effort(0.5) == (3, 14)
    assert learning_path.effort(0.05) == (9, 20)
    assert learning_path.effort(0.96) == (3, 6)
    assert learning_path.effort(0.5, learn=0.2) == (3, 9)


@st.composite
def situations(
    draw: st.DrawFn,
) -> tuple[dict[str, tuple[str, ...]], dict[str, ConceptStanding], list[str], list[str], list[str]]:
    """Return any graph without cycles in any course order, what is believed, goals, and the learner's own wishes."""
    size = draw(st.integers(1, 9))
    names = [f"c{number}" for number in range(size)]
    edges = {
        name: tuple(draw(st.sets(st.sampled_from(names[:number])))) if number else ()
        for number, name in enumerate(names)
    }
    order = draw(st.permutations(names))
    standing = st.builds(
        ConceptStanding,
        probability=st.floats(0.01, 0.99),
        answers=st.integers(0, 5),
        mastered=st.booleans(),
        recall=st.floats(0.3, 1),
        due=st.booleans(),
        rested=st.booleans(),
    )
    chosen = st.lists(st.sampled_from(names), max_size=3, unique=True)
    standings = draw(st.dictionaries(st.sampled_from(names), standing))
    return {name: edges[name] for name in order}, standings, draw(chosen), draw(chosen), draw(chosen)


@settings(max_examples=60, deadline=None)
@given(situations())
def test_any_way_is_sound(
    situation: tuple[dict[str, tuple[str, ...]], dict[str, ConceptStanding], list[str], list[str], list[str]],
):
    """Each step comes after what it rests on, serves a goal, is not mastered, and some lesson can always begin."""
    requires, standings, goals, first, aside = situation
    steps = build_path(requires, standings, goals=goals, first=first, set_aside=aside)
    taught = [step for step in steps if step.kind != "review"]
    place = {step.concept: number for number, step in enumerate(taught)}
    assert len(place) == len(taught)
    assert place.keys() <= all_prerequisites(requires, goals) | set(goals)
    assert not place.keys() & set(aside)
    assert not any(standings.get(concept, ConceptStanding()).mastered for concept in place)
    for concept in place:
        assert all(place[below] < place[concept] for below in all_prerequisites(requires, [concept]) if below in place)
    assert all(standings[step.concept].mastered for step in steps if step.kind == "review")
    if goals and any(step.kind == "learn" for step in steps):
        step = next_step(steps, EMPTY_SITTING)
        assert step
        assert step.ready


@settings(max_examples=25, deadline=None)
@given(situations())
def test_reviews_beside_the_way_keep_to_their_share(
    situation: tuple[dict[str, tuple[str, ...]], dict[str, ConceptStanding], list[str], list[str], list[str]],
):
    requires, standings, goals, first, aside = situation
    steps = build_path(requires, standings, goals=goals, first=first, set_aside=aside)
    reviews = 0
    for questions in range(30):
        step = next_step(steps, Sitting(questions=questions, reviews=reviews))
        if step is None or step.kind != "review" or step.reason.before:
            continue
        reviews += 1
        lessons = [other for other in steps if other.kind == "learn" and other.ready]
        assert reviews <= REVIEW_SHARE * (questions + 1) or not lessons


@settings(max_examples=25, deadline=None)
@given(situations())
def test_only_what_is_mastered_and_due_or_rested_is_asked_again_and_never_the_lesson_itself(
    situation: tuple[dict[str, tuple[str, ...]], dict[str, ConceptStanding], list[str], list[str], list[str]],
):
    requires, standings, *_ = situation
    for concept in requires:
        found = learning_path.interleaved_concepts(requires, standings, concept)
        assert concept not in found
        assert len(set(found)) == len(found)
        assert all(standings[each].mastered for each in found)
        assert all(standings[each].wants_review or standings[each].rested for each in found)
        waits = [standings[each].wants_review for each in found]
        assert waits == sorted(waits, reverse=True)
