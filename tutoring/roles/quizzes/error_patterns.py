"""The patterns behind a quiz's mistakes, worded for the learner, in the fields of the API."""

from django.utils.translation import gettext as _

from tutoring.lesson.facts import LessonFacts
from tutoring.lesson.session_state import ErrorPattern
from tutoring.mastery import error_patterns
from tutoring.mastery.error_patterns import MistakePattern
from tutoring.mastery.misconception_evidence import strongest_suspicion


def find_error_patterns(facts: LessonFacts) -> list[ErrorPattern]:
    """Return the patterns behind this quiz's mistakes; without one, the most suspected misconception on the concept."""
    found = [_worded(pattern, facts) for pattern in error_patterns.group_mistakes(facts.mistakes)]
    return found or _suspected(facts)


def _worded(pattern: MistakePattern, facts: LessonFacts) -> ErrorPattern:
    misconception = facts.misconception(pattern.cause) if pattern.is_misconception else None
    if misconception is not None:
        says, remedy = misconception.says, misconception.correct_idea
    else:
        says, remedy = _in_general(pattern, facts)
    return ErrorPattern(
        pattern_type=pattern.type,
        description=says,
        affected_questions=[*pattern.questions],
        suggested_remediation=remedy,
    )


def _in_general(pattern: MistakePattern, facts: LessonFacts) -> tuple[str, str]:
    title = facts.course.concept(pattern.cause).title
    match pattern.type:
        case "careless":
            says = _("a small mistake in something you already know.")
            return says, _("Read your answer again before you send it.")
        case "procedural":
            says = _("a line that doesn’t follow from the line before it.")
            return says, _("Check each line against the line above it.")
        case "conceptual":
            says = _("the topic “%(concept)s” isn’t clear yet.") % {"concept": title}
            return says, _("Compare each question with the example in the lesson before you answer.")


def _suspected(facts: LessonFacts) -> list[ErrorPattern]:
    here = {
        each: suspicion
        for each, suspicion in facts.suspicions.items()
        if (known := facts.misconception(each)) and facts.concept.id in known.concepts
    }
    held = strongest_suspicion(here)
    misconception = facts.misconception(held.id) if held else None
    if misconception is None:
        return []
    return [
        ErrorPattern(
            pattern_type=misconception.kind,
            description=misconception.says,
            affected_questions=[],  # No answer of this quiz shows it.
            suggested_remediation=misconception.correct_idea,
        )
    ]
