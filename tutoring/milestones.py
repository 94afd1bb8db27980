"""Which milestones of a concept are reached: said in one's own words, used without help, and not contradicted."""

from collections.abc import Collection, Iterable
from fnmatch import fnmatch

from tutoring.claims import plain
from tutoring.courses.catalogue import Milestone
from tutoring.grading.texts import coverage
from tutoring.listening import COVERED


def is_reached(
    milestone: Milestone, *, own_words: Iterable[str], right_templates: Collection[str], suspected: Collection[str]
) -> bool:
    """Tell whether a milestone is reached, from the learner's own messages and unassisted right answers.

    `right_templates` holds a template once for each right answer; `suspected` are misconception ids held at .5 or more.
    """
    said = any(coverage(milestone.ideas, plain(words)).share >= COVERED for words in own_words)
    used = sum(any(fnmatch(template, item) for item in milestone.apply.items) for template in right_templates)
    return said and used >= milestone.apply.unassisted and not set(milestone.contradicts) & set(suspected)
