"""How many questions the way to two goals takes, by the product's rules and through the whole syllabus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from bench.teaching.graphs import REACH, Graph, knowledge, random_graph
from bench.teaching.simulated_learners import SimulatedLearner, Tutor
from bench.teaching.spaced_review import TutorOverDays
from bench.teaching.stated_levels import stated_level
from tutoring.courses.quiz_limits import MAXIMUM_QUESTIONS
from tutoring.lesson.cycle import MISSES_BEFORE_DETOUR
from tutoring.mastery import learning_path, placement
from tutoring.mastery.knowledge_tracing import belief_after_placement, guess_chance
from tutoring.mastery.placement import Level
from tutoring.mastery.prerequisites import all_prerequisites, subgraph, topological_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

type Cohort = Literal["novice", "mixed", "advanced"]

COHORTS: dict[Cohort, tuple[float, float]] = {"novice": (-2, 0.5), "mixed": (0, 1), "advanced": (1, 0.7)}
"""General ability, in logits, and its spread."""
CONCEPTS, GRAPHS, LEARNERS, LEAK = 40, 400, 1, 0.03
REFERENCE_REACH = 10
"""The reach of graphs on which newcomers save as much by keeping to what the goals need as where the goal of −40 % was
found: 37 %. Two of their leaves need 62 % of 40 concepts; with a reach of eight 65 %."""
CHECK_EVERY = 5
"""One question of so many in a lesson checks something earlier."""


def through_the_syllabus(tutor: Tutor, goals: Sequence[str]) -> int:
    """Teach all concepts in order, each until it is mastered, and goals again that an exam at the end fails.

    Return how many questions had been asked when the goals were first mastered.
    """
    reached = 0
    for concept in topological_order(tutor.pupil.graph):
        _until_mastered(tutor, concept)
        reached = reached or (tutor.asked if tutor.mastered.issuperset(goals) else 0)
    _until_passed(tutor, goals)
    return reached


def through_what_is_needed(tutor: Tutor, goals: Sequence[str]) -> None:
    """Teach the same way only what the goals rest on, and them."""
    graph = tutor.pupil.graph
    for concept in topological_order(subgraph(graph, all_prerequisites(graph, goals).union(goals))):
        _until_mastered(tutor, concept)
    _until_passed(tutor, goals)


def to_the_goals(tutor: Tutor, goals: Sequence[str], *, level: Level) -> None:
    """Place the learner and follow the path until the goals are mastered, and again what an exam fails."""
    place(tutor, goals, level=level)
    follow(tutor, goals)
    while tutor.may_ask and _exam(tutor, goals):
        follow(tutor, goals)


def place(tutor: Tutor, goals: Sequence[str], *, level: Level) -> None:
    """Ask a placement on what the goals rest on, with typed answers, and believe it; `level` is the stated one."""
    graph = tutor.pupil.graph
    needed = subgraph(graph, all_prerequisites(graph, goals).union(goals))
    pool, guesses = placement.knowledge_pool(needed, level=level), dict.fromkeys(needed, guess_chance("numeric"))
    answers: list[placement.PlacementAnswer] = []
    while not (ending := placement.placement_ending(known := placement.marginals(pool, answers), answers, level=level)):
        concept = placement.next_concept(known, answers, guesses=guesses)
        if concept is None:
            break
        right = tutor.pupil.answers(concept, "numeric", "medium")
        answers.append(placement.PlacementAnswer(concept=concept, correct=right, guess=guesses[concept]))
    tutor.asked += len(answers)
    tutor.beliefs |= {
        each: belief_after_placement(value)
        for each, value in placement.starting_probabilities(known, ending=ending).items()
    }


def follow(tutor: Tutor, goals: Sequence[str]) -> None:
    """Teach what the path says, with its ways back, until nothing is left to learn."""
    detours: dict[str, list[str]] = {}
    while tutor.may_ask and not tutor.mastered.issuperset(goals) and (step := _step(tutor, goals)):
        if step.kind == "review":
            tutor.review(step.concept)
        else:
            _lesson(tutor, step.concept, detours.setdefault(step.concept, []))


def _step(tutor: Tutor, goals: Sequence[str]) -> learning_path.PathStep | None:
    return learning_path.next_step(
        learning_path.build_path(tutor.pupil.graph, tutor.standings(), goals=goals), tutor.sitting
    )


def _until_mastered(tutor: Tutor, concept: str) -> None:
    asked = 0
    while concept not in tutor.mastered and tutor.may_ask:
        if asked % MAXIMUM_QUESTIONS == 0:
            tutor.explain(concept)
        tutor.ask(concept)
        asked += 1


def _until_passed(tutor: Tutor, goals: Sequence[str]) -> None:
    while tutor.may_ask and (failed := _exam(tutor, goals)):
        for goal in failed:
            _until_mastered(tutor, goal)


def _exam(tutor: Tutor, goals: Sequence[str]) -> list[str]:
    """Return the goals that are not known in truth; their mastery is doubted from here on."""
    failed = [goal for goal in goals if not tutor.pupil.known[goal]]
    for goal in failed:
        tutor.doubt(goal)
    return failed


def _lesson(tutor: Tutor, concept: str, visited: list[str]) -> None:
    """Ask about the concept until it is mastered, or misses lead back to a prerequisite, which is then doubted."""
    graph, misses, asked = tutor.pupil.graph, 0, 0
    while concept not in tutor.mastered and tutor.may_ask:
        if asked % MAXIMUM_QUESTIONS == 0:
            tutor.explain(concept)
        asked += 1
        if asked % CHECK_EVERY == 0 and (
            waiting := learning_path.prerequisites_to_check(graph, tutor.standings(), concept)
        ):
            tutor.ask(waiting[0])
            continue
        if asked > 1 and tutor.sitting.may_ask_review() and (found := _interleaved(tutor, concept)):
            tutor.look_back(found[0])
            continue
        misses += not tutor.ask(concept)
        if misses >= MISSES_BEFORE_DETOUR:
            misses = 0
            if graph[concept]:
                tutor.doubt(_back(tutor, concept, visited))
                return


def _interleaved(tutor: Tutor, concept: str) -> tuple[str, ...]:
    return learning_path.interleaved_concepts(tutor.pupil.graph, tutor.standings(), concept)


def _back(tutor: Tutor, concept: str, visited: list[str]) -> str:
    """Return the prerequisite to go back to; when each was visited, the weakest of all that the concept rests on."""
    graph, now = tutor.pupil.graph, tutor.standings()
    back = learning_path.least_practised_prerequisite(graph, now, concept, visited=visited)
    if back is None:
        visited.clear()
        return learning_path.remediation_concepts(graph, now, concept)[0]
    visited.append(back)
    return back


@dataclass(frozen=True, kw_only=True)
class Case:
    """A learner at the beginning, and where they want to go."""

    graph: Graph
    goals: Sequence[str]
    known: Mapping[str, bool]
    level: Level
    """What they state."""
    seed: str

    def pupil(self) -> SimulatedLearner:
        """Return the same learner anew."""
        return SimulatedLearner(graph=self.graph, known=dict(self.known), rng=Random(self.seed))


def questions_over_days(cohort: Cohort, *, seed: int) -> float:
    """Return the mean number of questions to the same goals where what was mastered comes back from day to day."""
    taken = []
    for case in random_cases(cohort, seed=seed, reach=REFERENCE_REACH):
        tutor = TutorOverDays(pupil=case.pupil())
        to_the_goals(tutor, case.goals, level=case.level)
        taken.append(tutor.asked)
    return fmean(taken)


def questions_to_goals(cohort: Cohort, *, seed: int, reach: int = REFERENCE_REACH) -> dict[str, float]:
    """Return the mean number of questions to two goals on graphs of 40 concepts, by each way, for the same learners."""
    taken: dict[str, list[int]] = {"syllabus": [], "up to the goals": [], "what is needed": [], "path": []}
    for case in random_cases(cohort, seed=seed, reach=reach):
        through, needed, along = (Tutor(pupil=case.pupil()) for _ in range(3))
        taken["up to the goals"].append(through_the_syllabus(through, case.goals))
        taken["syllabus"].append(through.asked)
        through_what_is_needed(needed, case.goals)
        taken["what is needed"].append(needed.asked)
        to_the_goals(along, case.goals, level=case.level)
        taken["path"].append(along.asked)
    return {name: fmean(numbers) for name, numbers in taken.items()}


def random_cases(cohort: Cohort, *, seed: int, reach: int = REACH) -> Iterator[Case]:
    """Yield learners on random graphs of 40 concepts, with two leaves as goals."""
    import numpy as np

    rng = np.random.default_rng((seed, list(COHORTS).index(cohort)))
    mean, spread = COHORTS[cohort]
    for number in range(GRAPHS):
        graph, leaves = _with_two_leaves(rng, reach=reach)
        goals = [str(each) for each in rng.choice(leaves, size=2, replace=False)]
        rows = knowledge(graph, rng, learners=LEARNERS, leak=LEAK, ability=mean, spread=spread)
        yield from cases_of(graph, goals, rows, seed=f"{seed}:{cohort}:{number}", newcomers=cohort == "novice")


def _with_two_leaves(rng: "np.random.Generator", *, reach: int) -> tuple[Graph, list[str]]:
    while True:
        graph = random_graph(CONCEPTS, rng, reach=reach)
        leaves = sorted(set(graph).difference(*graph.values()))
        if len(leaves) > 1:
            return graph, leaves


def cases_of(
    graph: Graph, goals: Sequence[str], rows: "NDArray[np.bool_]", *, seed: str, newcomers: bool = False
) -> Iterator[Case]:
    """Yield a learner for each row of what is known."""
    for number, row in enumerate(rows):
        known = dict(zip(graph, map(bool, row), strict=True))
        level = stated_level(known, Random(f"{seed}:{number}:level"), newcomer=newcomers)
        yield Case(graph=graph, goals=goals, known=known, level=level, seed=f"{seed}:{number}")
