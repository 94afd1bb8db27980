"""The context of a turn for a model, in the layout of docs/explanation/side-agents.md: lesson state, what was noticed, the goal."""

from collections.abc import Iterator

from agents.engine import hub
from tutoring.courses.catalogue import Milestone
from tutoring.lesson.notes import MilestoneProgress, Notes
from tutoring.mastery.misconception_evidence import SUSPECTED, Suspicion

GOAL = (
    "The lesson leads toward this, over several turns: {aim} In this turn, do what is below under “What to say now”; the "
    "rest is only there to help you word it."
)
NOTICED = (
    hub.Section(title="Recent Misconceptions Detected", kind="misconception", source="the misconception classifier"),
    hub.Section(
        title="Emotional State Analysis",
        kind="emotion",
        source="the emotional state classifier: a weak guess, for your tone alone, never to be named to the learner",
    ),
    hub.Section(title="Visual Context", kind="vision", source="the vision agent"),
)


def turn_instructions(
    notes: Notes,
    *,
    lesson: tuple[str, ...],
    seen: tuple[str, ...],
    aim: str,
    suspected: tuple[tuple[Suspicion, str], ...],
) -> str:
    """Return the context and the goal.

    `lesson` are lines on the lesson's state, `seen` on what the learner sees, `suspected` the current misconceptions
    with their words. A section without a line is left out; there are six lines at most on what was noticed.
    """
    milestone = notes.progress.milestone
    sections = (
        hub.Section(title="Lesson State", lines=(*_progress(notes.progress), *lesson)),
        hub.Section(title="What the learner has seen", lines=seen),
        *NOTICED,
        hub.Section(
            title="Mastery Criteria for Current Milestone",
            kind="milestone",
            lines=tuple(_criteria(milestone, suspected)),
        ),
    )
    return hub.format_instructions(sections, notes.findings, goal=GOAL.format(aim=aim))


def _progress(progress: MilestoneProgress) -> Iterator[str]:
    if progress.total:
        named = f"“{progress.milestone.title}”" if progress.milestone else "none left"
        yield f"Current Milestone: {named}"
        yield f"Progress: {progress.done}/{progress.total} milestones complete"
    if progress.attempts:
        yield f"Answers given on it so far: {progress.attempts}"
    if progress.seconds >= 60:
        yield f"Time on it: {_time(progress.seconds)}"


def _criteria(milestone: Milestone | None, suspected: tuple[tuple[Suspicion, str], ...]) -> Iterator[str]:
    if milestone is None:
        return
    ideas = "; ".join(idea.name for idea in milestone.ideas if idea.name)
    yield f"- The learner says in their own words: {ideas or milestone.title}"
    times = milestone.apply.unassisted
    yield f"- The learner applies it without help: {times} right answer{'s' if times > 1 else ''}"
    if against := [
        says for held, says in suspected if held.id in milestone.contradicts and held.confidence >= SUSPECTED
    ]:
        yield f"- No misconception stands against it; suspected now: {'; '.join(against)}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h {minutes}m" if hours else f"{minutes}m {rest}s" if minutes else f"{rest}s"
