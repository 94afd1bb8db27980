"""What a model is told of a turn, in the layout of design document 004: where the lesson stands, what was noticed, the goal."""

from collections.abc import Iterator

from agents import hub
from tutoring.courses.catalogue import Milestone
from tutoring.hub.notes import Notes, Progress
from tutoring.rules.misconceptions import SUSPECTED, Suspicion

GOAL = (
    "Guide the learner toward this: {aim} Ask before you tell. Where a misconception stands above, test it gently with a case;"
    " where the pace is said to be hard, make the step smaller."
)


def of_turn(notes: Notes, *, lesson: tuple[str, ...], aim: str, suspected: tuple[tuple[Suspicion, str], ...]) -> str:
    """Return the context and the goal. `lesson` are lines on where it stands, `suspected` those in force with their words.

    Every heading always stands; of what was noticed there are six lines at most.
    """
    milestone = notes.progress.milestone
    sections = (
        hub.Section(title="Lesson State", lines=(*_progress(notes.progress), *lesson)),
        hub.Section(
            title="Recent Misconceptions Detected",
            kind="misconception",
            source="the misconception classifier",
            otherwise="None lately.",
        ),
        hub.Section(
            title="Emotional State Analysis",
            kind="emotion",
            source="the emotional state classifier: a weak guess, never to be named to the learner",
            otherwise="Nothing that stands out.",
        ),
        hub.Section(
            title="Visual Context", kind="vision", source="the vision agent", otherwise="Nothing was drawn lately."
        ),
        hub.Section(
            title="Mastery Criteria for Current Milestone",
            kind="milestone",
            lines=tuple(_criteria(milestone, suspected)),
        ),
    )
    return hub.instructions(sections, notes.findings, goal=GOAL.format(aim=aim))


def _progress(progress: Progress) -> Iterator[str]:
    named = f"“{progress.milestone.title}”" if progress.milestone else "none left"
    yield f"Current Milestone: {named}"
    yield f"Progress: {progress.done}/{progress.total} milestones complete"
    yield f"Attempts on current milestone: {progress.attempts}"
    yield f"Time on current milestone: {_time(progress.seconds)}"


def _criteria(milestone: Milestone | None, suspected: tuple[tuple[Suspicion, str], ...]) -> Iterator[str]:
    if milestone is None:
        yield "- All milestones are reached."
        return
    ideas = "; ".join(idea.name for idea in milestone.ideas if idea.name)
    yield f"- The learner must say in own words: {ideas or milestone.title}"
    times = milestone.apply.unassisted
    yield f"- Must apply it without help: {times} right answer{'s' if times > 1 else ''}"
    against = [says for held, says in suspected if held.id in milestone.contradicts and held.confidence >= SUSPECTED]
    yield f"- No active misconceptions; suspected now: {'; '.join(against) or 'none'}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes}m" if hours else f"{minutes}m {rest}s" if minutes else f"{rest}s"
