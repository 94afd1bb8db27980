"""The simulations of the benchmark `teaching`, on a few learners."""

from collections import Counter
from random import Random

import pytest

from bench.teaching import goal_paths, learning_gains, placement, spaced_review
from bench.teaching.simulated_learners import Tutor
from bench.teaching.stated_levels import stated_level
from tutoring.mastery.prerequisites import all_prerequisites


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, graphs, learners in ((placement, 1, 2), (goal_paths, 1, 2)):
        monkeypatch.setattr(module, "GRAPHS", graphs)
        monkeypatch.setattr(module, "LEARNERS", learners)
    monkeypatch.setattr(goal_paths, "CONCEPTS", 12)


def test_the_same_seed_gives_the_same_figures():
    runs = [
        (placement.placement_accuracy(8, leak=0.03, seed=2), goal_paths.questions_to_goals("mixed", seed=2))
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_the_path_ends_with_goals_that_are_known_and_teaches_nothing_else():
    for case in goal_paths.random_cases("novice", seed=3):
        tutor = Tutor(pupil=case.pupil())
        goal_paths.to_the_goals(tutor, case.goals, level=case.level)
        assert tutor.asked < tutor.budget
        assert all(tutor.pupil.known[goal] for goal in case.goals)
        assert tutor.mastered <= all_prerequisites(case.graph, case.goals).union(case.goals)


def test_over_days_what_was_mastered_comes_back_within_its_share(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(spaced_review, "QUESTIONS_PER_DAY", 10)
    looked_back = 0
    for case in goal_paths.random_cases("novice", seed=3):
        tutor = spaced_review.TutorOverDays(pupil=case.pupil())
        goal_paths.to_the_goals(tutor, case.goals, level=case.level)
        assert all(tutor.pupil.known[goal] for goal in case.goals)
        looked_back += len(tutor.looks)
        assert len(tutor.looks) < tutor.asked / 4
    assert looked_back


def test_most_state_the_level_they_have_and_some_another():
    knows, rng = {f"c{number}": number < 5 for number in range(10)}, Random(1)
    others = Counter(stated_level(knows, rng) for _ in range(300))
    newcomers = Counter(stated_level(dict.fromkeys(knows, False), rng, newcomer=True) for _ in range(300))
    assert others.most_common(1)[0][0] == "intermediate"
    assert set(others) == {"unknown", "beginner", "intermediate", "advanced"}
    assert set(newcomers) == {"unknown", "beginner", "intermediate"}
    assert 200 < newcomers["beginner"] < 270


def test_no_loop_asks_more_than_it_may():
    case = next(goal_paths.random_cases("novice", seed=4))
    for loop in (learning_gains._whole_loop, learning_gains._fixed_loop):
        tutor = Tutor(pupil=case.pupil(), budget=25)
        loop(tutor, case)
        assert tutor.asked == 25
