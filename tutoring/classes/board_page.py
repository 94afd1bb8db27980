"""What a class's page shows."""

from collections.abc import Sequence

from tutoring.classes.board_filter import BoardFilter, courses_with_concepts, groups_of, narrow
from tutoring.classes.concerns import LearnerConcern
from tutoring.classes.contested import open_in
from tutoring.classes.mastery_board import class_board, shown_course
from tutoring.classes.teach_next import teach_next
from tutoring.courses.standards import standard_codes
from tutoring.models import Classroom
from tutoring.pages.cards.question_context import Context
from tutoring.safety.mail_reach import why_no_mail


def board_context(classroom: Classroom, chosen: BoardFilter, *, concerns: Sequence[LearnerConcern] = ()) -> Context:
    """Return what the page of a class shows of what was chosen; the number of queries depends on nothing."""
    courses = courses_with_concepts(classroom)
    course = shown_course(classroom, list(courses), chosen=chosen.course)
    whole = class_board(classroom, course, concepts=courses[course], sort=chosen.sort) if course else None
    groups = groups_of(classroom) if whole else []
    shown = narrow(whole, chosen, groups) if whole else None
    told = [each for each in concerns if each.code == classroom.code]
    return {
        "classroom": classroom,
        "policy": classroom.policy,
        "courses": list(courses),
        "board": shown,
        "total": len(whole.rows) if whole else 0,
        "topics": whole.concepts if whole else (),
        "standards": standard_codes(course.catalogue()) if course else (),
        "groups": groups,
        "chosen": chosen,
        "teach": teach_next(classroom, shown) if shown else [],
        "concerns": told,
        "no_mail": why_no_mail(classroom) if told else "",
        "contested": open_in(classroom, whole.contests) if whole else [],
    }
