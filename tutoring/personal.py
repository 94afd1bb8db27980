"""The personal data that this app stores: what a person learns, and their classes."""

from contextlib import suppress

from django.db.models import Count, ProtectedError
from django.utils.translation import gettext_lazy as _

from agents.privacy import DataSubject, PersonalTable, rows_owned_by
from tutoring.course_storage import delete_imported_course, delete_personal_course
from tutoring.models import (
    Ability,
    AccessLog,
    AnswerTally,
    Assignment,
    AssignmentWork,
    Attempt,
    CalendarEvent,
    ClassGroup,
    ClassMessage,
    Classroom,
    ClearedSuspicion,
    Concern,
    ConcernNotice,
    Contest,
    Course,
    CourseImport,
    CourseOwner,
    Cycle,
    DiagnosticResult,
    DocumentCourse,
    ExampleShown,
    Goal,
    GradeChange,
    GuardianAccess,
    HelpMark,
    InsightPeriod,
    KnowledgeGap,
    LearningInsight,
    LearningRecord,
    Lesson,
    LiveQuiz,
    Mastery,
    MasteryChange,
    Meal,
    Membership,
    MilestoneWithdrawal,
    MisconceptionState,
    Note,
    Path,
    PlannerChange,
    PlannerSettings,
    PupilNote,
    Question,
    QuestionReport,
    QuizItem,
    Reminder,
    ReportSubscription,
    Review,
    RosterAccount,
    StudySettings,
    Task,
    WebhookDelivery,
    WithdrawnQuestion,
    WorkQuestion,
    Workspace,
)

TITLE = _("Your learning")
PARTS = (
    PersonalTable(
        name="lessons",
        title=_("Lessons"),
        why=_("To let the tutor know what each conversation is about."),
        of=rows_owned_by(Lesson, "learner_id"),
        fields=("session__key", "concept__course__slug", "concept__slug", "level", "own_level", "created_at"),
    ),
    PersonalTable(
        name="cycles",
        title=_("Rounds of lessons and quizzes"),
        why=_("To let the tutor go over anything that is still unclear after a round of lessons and quizzes."),
        of=rows_owned_by(Cycle, "learner_id"),
        fields=(
            "session__key", "concept__slug", "number", "quiz_score", "mastery_achieved", "started_at", "completed_at",
        ),
    ),
    PersonalTable(
        name="examples",
        title=_("Examples you were shown"),
        why=_("To avoid showing you the same example twice."),
        of=rows_owned_by(ExampleShown, "learner_id"),
        fields=("concept__course__slug", "concept__slug", "example", "shown_at"),
    ),
    # Without its key: a copy must not contain the answer to an open question.
    PersonalTable(
        name="questions",
        title=_("Questions you were asked"),
        why=_("To ask you each question only once, and to show your answers as evidence of what you know."),
        of=rows_owned_by(Question, "learner_id", order=("opened_at", "pk")),
        fields=(
            "id", "session__key", "concept__slug", "template", "kind", "stem", "purpose", "status", "hints_used",
            "source_context", "opened_at", "shown_at", "graded_at", "closed_at",
        ),
    ),
    PersonalTable(
        name="answers",
        title=_("Your answers"),
        why=_("To work out your progress."),
        of=rows_owned_by(Attempt, "learner_id"),
        fields=(
            "question_id", "number", "answer", "gave_up", "verdict", "score", "correct", "assisted", "time_taken_s",
            "misconceptions", "created_at",
        ),
    ),
    PersonalTable(
        name="mastery",
        title=_("How well you know each topic"),
        why=_("To give you questions you are ready for."),
        of=rows_owned_by(Mastery, "learner_id"),
        fields=(
            "concept__course__slug", "concept__slug", "probability", "placed", "disowned_at", "answers", "unassisted", "templates", "last_at",
            "mastered_at",
        ),
    ),
    PersonalTable(
        name="mastery_changes",
        title=_("How each answer changed your score"),
        why=_("To explain how each score came about."),
        of=rows_owned_by(MasteryChange, "mastery__learner_id"),
        fields=(
            "attempt__question_id", "attempt__number", "before", "difficulty", "surprise", "after", "predicted",
            "left_out",
        ),
    ),
    PersonalTable(
        name="contests",
        title=_("Grades and scores that you reported as wrong"),
        why=_("To let a teacher check what you reported, and to show you the decision."),
        of=rows_owned_by(Contest, "learner_id"),
        fields=(
            "concept__course__slug", "concept__slug", "about", "attempt__question_id", "attempt__number", "misconception",
            "reason", "score", "unfaded", "created_at", "decision", "recounted", "decided_by__username", "decided_at",
            "note", "seen_at",
        ),
    ),
    PersonalTable(
        name="contests_decided_by_you",
        title=_("Your decisions about grades that pupils reported as wrong"),
        why=_("To keep a record of who made each decision."),
        of=rows_owned_by(Contest, "decided_by_id"),
        fields=("decided_at", "decision", "note"),
        of_staff=True,
    ),
    PersonalTable(
        name="answer_tallies",
        title=_("How many answers you gave on each topic"),
        why=_("To show quickly how your practice is going."),
        of=rows_owned_by(AnswerTally, "learner_id"),
        fields=("concept__course__slug", "concept__slug", "given", "last_at", "misses"),
    ),
    PersonalTable(
        name="grade_changes",
        title=_("Grades of yours that a teacher changed"),
        why=_("To show you what was changed and why, and to undo it if needed."),
        of=rows_owned_by(GradeChange, "attempt__learner_id"),
        fields=(
            "attempt__question_id", "attempt__number", "kind", "reason", "before", "after", "suspected", "mastery_before",
            "mastery_after", "recounted", "by__username", "created_at", "undone_by__username", "undone_at", "seen_at",
        ),
    ),
    PersonalTable(
        name="grade_changes_by_you",
        title=_("Grades that you changed"),
        why=_("To keep a record of who changed each grade."),
        of=rows_owned_by(GradeChange, "by_id"),
        fields=("created_at", "kind", "reason", "undone_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="grade_changes_undone_by_you",
        title=_("Changed grades that you changed back"),
        why=_("To keep a record of who changed each grade."),
        of=rows_owned_by(GradeChange, "undone_by_id"),
        fields=("created_at", "kind", "undone_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="help_marks",
        title=_("What teachers noted when you seemed to need help"),
        why=_("To let the teachers of a class know who has already helped you."),
        of=rows_owned_by(HelpMark, "learner_id"),
        fields=("classroom__code", "reason", "evidence", "kind", "note", "by__username", "created_at"),
    ),
    PersonalTable(
        name="help_marks_by_you",
        title=_("What you noted about pupils who needed help"),
        why=_("To let your colleagues know what you have done."),
        of=rows_owned_by(HelpMark, "by_id"),
        fields=("created_at", "kind", "note"),
        of_staff=True,
    ),
    PersonalTable(
        name="questions_withdrawn_by_you",
        title=_("Questions that you withdrew"),
        why=_("To keep a record of who withdrew each question."),
        of=rows_owned_by(WithdrawnQuestion, "by_id"),
        fields=("course__slug", "template", "classroom__code", "reason", "created_at", "restored_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="questions_restored_by_you",
        title=_("Withdrawn questions that you restored"),
        why=_("To keep a record of who restored each question."),
        of=rows_owned_by(WithdrawnQuestion, "restored_by_id"),
        fields=("course__slug", "template", "classroom__code", "restored_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="question_reports_by_you",
        title=_("Problems with questions that you reported"),
        why=_("To let the administrators fix the questions."),
        of=rows_owned_by(QuestionReport, "by_id"),
        fields=("course__slug", "template", "words", "created_at", "handled_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="misconceptions",
        title=_("Mistaken ideas you may have"),
        why=_("To help you with these ideas for as long as you have them."),
        of=rows_owned_by(MisconceptionState, "learner_id"),
        fields=("course__slug", "misconception", "odds", "status", "evidence", "updated_at"),
    ),
    PersonalTable(
        name="cleared_suspicions",
        title=_("Suspected mistaken ideas that were cleared when a question was withdrawn"),
        why=_("To restore them if the question is asked again."),
        of=rows_owned_by(ClearedSuspicion, "learner_id"),
        fields=("withdrawal__course__slug", "withdrawal__template", "withdrawal__created_at", "misconception", "before"),
    ),
    PersonalTable(
        name="ability",
        title=_("How you are doing across all topics"),
        why=_("To start each new topic with a question that is neither too easy nor too hard."),
        of=rows_owned_by(Ability, "learner_id"),
        fields=("residual", "answers"),
    ),
    PersonalTable(
        name="goals",
        title=_("What you want to learn"),
        why=_("To plan the path to your goals."),
        of=rows_owned_by(Goal, "learner_id"),
        fields=("concept__course__slug", "concept__slug", "words", "due_on", "created_at", "reached_at", "dropped_at"),
    ),
    PersonalTable(
        name="paths",
        title=_("What you changed on your path"),
        why=_("To keep your path the way you want it."),
        of=rows_owned_by(Path, "learner_id"),
        fields=("course__slug", "first", "set_aside", "updated_at"),
    ),
    PersonalTable(
        name="diagnostics",
        title=_("Where you started"),
        why=_("To start your lessons in the right place."),
        of=rows_owned_by(DiagnosticResult, "learner_id"),
        fields=(
            "session__key", "topic__slug", "prerequisite_gaps", "learner_level", "recommendations", "questions", "ended",
            "created_at",
        ),
    ),
    PersonalTable(
        name="knowledge_gaps",
        title=_("What you still need to learn"),
        why=_("To teach you these topics before the ones that build on them."),
        of=rows_owned_by(KnowledgeGap, "learner_id"),
        fields=("concept__slug", "source", "words", "current", "required", "opened_at", "resolved_at"),
    ),
    PersonalTable(
        name="reviews",
        title=_("Upcoming reviews"),
        why=_("To bring up each topic for review before you forget it."),
        of=rows_owned_by(Review, "learner_id"),
        fields=("concept__slug", "card", "due_at", "reviewed_at", "times"),
    ),
    PersonalTable(
        name="insights",
        title=_("What your answers show"),
        why=_("To show you what went well and what was hard in a week, a month or a conversation."),
        of=rows_owned_by(LearningInsight, "period__learner_id"),
        fields=(
            "period__timeframe", "period__starts_on", "period__session__key", "type", "description", "evidence",
            "importance", "period__computed_at",
        ),
    ),
    # Without the key of the calendar: whoever has it can read the calendar.
    PersonalTable(
        name="study_settings",
        title=_("Your practice days and reminders"),
        why=_("To show your week as you planned it, and to remind you only if you want reminders."),
        of=rows_owned_by(StudySettings, "learner_id"),
        fields=("days_a_week", "mails", "quiet_from", "quiet_until", "mailed_at", "message_mails", "message_mailed_at"),
    ),
    PersonalTable(
        name="workspaces",
        title=_("Your workspaces"),
        why=_("To keep the tasks, events, meals and notes of one part of your life apart from the others."),
        of=rows_owned_by(Workspace, "owner_id"),
        fields=("key", "title", "classroom__code", "created_at"),
    ),
    PersonalTable(
        name="tasks",
        title=_("Your tasks"),
        why=_("To show you what you have to do, and to remind you."),
        of=rows_owned_by(Task, "owner_id"),
        fields=(
            "id", "workspace__key", "title", "notes", "kind", "priority", "due_on", "due_at", "remind_at", "reminded_at",
            "done_at", "parent_id", "concept__slug", "created_at", "removed_at",
        ),
    ),
    PersonalTable(
        name="events",
        title=_("Your calendar"),
        why=_("To show your week, and to plan study sessions around your other appointments."),
        of=rows_owned_by(CalendarEvent, "owner_id"),
        fields=(
            "id", "workspace__key", "title", "place", "notes", "kind", "is_all_day", "starts_at", "ends_at", "zone",
            "rule", "excluded", "series_id", "uid", "remind_before", "concept__slug", "created_at", "removed_at",
        ),
    ),
    PersonalTable(
        name="meals",
        title=_("Your meals"),
        why=_("To show you what you ate, and to suggest meals that you liked."),
        of=rows_owned_by(Meal, "owner_id"),
        fields=(
            "id", "workspace__key", "eaten_at", "kind", "foods", "tags", "rating", "notes", "is_planned", "created_at",
            "removed_at",
        ),
    ),
    PersonalTable(
        name="notes",
        title=_("Your notes"),
        why=_("To remember what you asked to be remembered."),
        of=rows_owned_by(Note, "owner_id"),
        fields=("id", "workspace__key", "text", "outside_id", "created_at", "updated_at", "removed_at"),
    ),
    PersonalTable(
        name="planner_reminders",
        title=_("Reminders you were given"),
        why=_("To give you each reminder once."),
        of=rows_owned_by(Reminder, "owner_id", order=("made_at", "pk")),
        fields=("workspace__key", "task_id", "event_id", "at", "made_at", "seen_at", "mailed_at"),
    ),
    PersonalTable(
        name="planner_changes",
        title=_("Changes to your planner"),
        why=_("To undo a change if you want to."),
        of=rows_owned_by(PlannerChange, "owner_id", order=("made_at", "pk")),
        fields=("workspace__key", "words", "rows", "made_at", "undone_at"),
    ),
    # Without the key of the calendar feed: whoever has it can read the calendar.
    PersonalTable(
        name="planner_settings",
        title=_("Your planner settings"),
        why=_("To plan within your hours, and to send you only what you asked for."),
        of=rows_owned_by(PlannerSettings, "owner_id"),
        fields=(
            "workspace__key", "day_starts", "day_ends", "session_minutes", "mails", "first_messages", "first_message_at",
        ),
    ),
    PersonalTable(
        name="webhooks",
        title=_("What was sent to this site’s workflow server for you"),
        why=_("To send each message once, and to try again if the server cannot be reached."),
        of=rows_owned_by(WebhookDelivery, "owner_id", order=("created_at", "pk")),
        fields=("kind", "body", "status", "tries", "answer", "created_at", "sent_at"),
    ),
    PersonalTable(
        name="learning_records",
        title=_("What was sent to your school’s record store"),
        why=_("To send each record once, and to try again if the store cannot be reached. Deleted after 30 days."),
        of=rows_owned_by(LearningRecord, "owner_id", order=("created_at", "pk")),
        fields=("verb", "statement", "status", "tries", "answer", "created_at", "sent_at"),
    ),
    PersonalTable(
        name="classes",
        title=_("Classes you are in"),
        why=_("To show your teacher what the class agreement allows, and nothing more."),
        of=rows_owned_by(Membership, "person_id"),
        fields=("classroom__code", "classroom__name", "role", "joined_at"),
    ),
    PersonalTable(
        name="assignments",
        title=_("What your classes gave you to do"),
        why=_("To show you what there is to do, and to show your teacher what the class agreement allows."),
        of=rows_owned_by(AssignmentWork, "learner_id"),
        fields=(
            "assignment__title", "assignment__kind", "assignment__classroom__name", "assignment__note",
            "assignment__due_at", "started_at", "read_at", "handed_in_at", "try_number", "reminded_at",
            "reminder_seen_at",
        ),
    ),
    PersonalTable(
        name="assignment_questions",
        title=_("Which questions belong to a quiz that your class gave you"),
        why=_("To ask each question of the quiz once."),
        of=rows_owned_by(WorkQuestion, "work__learner_id"),
        fields=("work__assignment__title", "item__number", "question_id"),
    ),
    PersonalTable(
        name="assignments_by_you",
        title=_("What you gave your classes to do"),
        why=_("To show who gave a class something to do."),
        of=rows_owned_by(Assignment, "created_by_id"),
        fields=("classroom__name", "title", "kind", "note", "starts_at", "due_at", "created_at", "withdrawn_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="class_groups",
        title=_("Groups you are in"),
        why=_("To let your teacher work with a part of the class."),
        of=rows_owned_by(ClassGroup.members.through, "membership__person_id"),
        fields=("classgroup__classroom__name", "classgroup__name"),
    ),
    PersonalTable(
        name="roster_account",
        title=_("That a teacher created your account"),
        why=_("To let your class’s teachers print a new sign-in card for you if you forget your password."),
        of=rows_owned_by(RosterAccount, "person_id"),
        fields=("classroom__name", "name", "source_id", "created_at"),
    ),
    PersonalTable(
        name="concerns",
        title=_("When something you wrote sounded like you might need help"),
        why=_(
            "To show you who you can talk to and, if your class has agreed to it, to tell your class’s teachers. "
            "What you wrote is not included."
        ),
        of=rows_owned_by(Concern, "learner_id"),
        fields=("created_at", "kind", "is_sure", "session__key", "turn"),
    ),
    PersonalTable(
        name="concerns_told",
        title=_("Which class’s teachers were told that you might need help"),
        why=_("To show you who was told and whether anyone has seen the notice."),
        of=rows_owned_by(ConcernNotice, "concern__learner_id"),
        fields=("concern__created_at", "classroom__name", "seen_by__username", "seen_at"),
    ),
    PersonalTable(
        name="concerns_seen_by_you",
        title=_("When you saw a notice that a pupil may need help"),
        why=_("To tell the class’s other teachers that someone has seen the notice."),
        of=rows_owned_by(ConcernNotice, "seen_by_id"),
        fields=("seen_at", "classroom__name"),
        of_staff=True,
    ),
    PersonalTable(
        name="readings",
        title=_("Who looked at what of yours"),
        why=_("To tell you what teachers and guardians have opened."),
        of=rows_owned_by(AccessLog, "learner_id"),
        fields=("created_at", "kind", "session__key", "classroom__name", "reader__username"),
    ),
    PersonalTable(
        name="readings_by_you",
        title=_("When you looked at something of a pupil’s"),
        why=_("To tell the pupil what you opened."),
        of=rows_owned_by(AccessLog, "reader_id"),
        fields=("created_at", "kind", "classroom__name"),
        of_staff=True,
    ),
    PersonalTable(
        name="class_messages",
        title=_("Messages between you and your teachers"),
        why=_("To let you and your teachers read them again."),
        of=rows_owned_by(ClassMessage, "learner_id"),
        fields=("created_at", "classroom__name", "by_learner", "author__username", "text", "read_at"),
    ),
    PersonalTable(
        name="class_messages_by_you",
        title=_("Messages that you wrote to pupils"),
        why=_("To let the pupils read them again."),
        of=lambda person: rows_owned_by(ClassMessage, "author_id")(person).filter(by_learner=False),
        fields=("created_at", "classroom__name", "text", "read_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="notes_about_you",
        title=_("Notes of your teachers about you"),
        why=_("To help your teachers remember what helps you."),
        of=rows_owned_by(PupilNote, "learner_id"),
        fields=("created_at", "classroom__name", "text"),
    ),
    PersonalTable(
        name="notes_by_you",
        title=_("Your notes about pupils"),
        why=_("To help you remember what helps a pupil."),
        of=rows_owned_by(PupilNote, "author_id"),
        fields=("created_at", "classroom__name", "text"),
        of_staff=True,
    ),
    PersonalTable(
        name="withdrawn_milestones",
        title=_("Milestones of yours that a teacher withdrew"),
        why=_("To count only what you have reached, and to let you disagree."),
        of=rows_owned_by(MilestoneWithdrawal, "learner_id"),
        fields=(
            "created_at", "course__slug", "milestone", "reason", "by__username", "objection", "objected_at",
        ),
    ),
    PersonalTable(
        name="milestones_withdrawn_by_you",
        title=_("Milestones that you withdrew"),
        why=_("To keep a record of who made each decision."),
        of=rows_owned_by(MilestoneWithdrawal, "by_id"),
        fields=("created_at", "course__slug", "milestone", "reason"),
        of_staff=True,
    ),
    PersonalTable(
        name="weekly_summaries",
        title=_("Classes whose weekly summary you get by email"),
        why=_("To send you the summary every Monday."),
        of=rows_owned_by(ReportSubscription, "teacher_id"),
        fields=("classroom__name", "mailed_week", "created_at"),
        of_staff=True,
    ),
    # Without the key: whoever has it could not make a link, but it is part of every link.
    PersonalTable(
        name="guardian_pages",
        title=_("Who gets your monthly page"),
        why=_("To show your parents or guardians what you learned, if your class agreed to it."),
        of=rows_owned_by(GuardianAccess, "learner_id"),
        fields=("classroom__name", "email", "mailed_month", "created_at"),
    ),
    PersonalTable(
        name="own_courses",
        title=_("Courses that you own"),
        why=_("To let you and your classes use the courses that you imported."),
        of=rows_owned_by(CourseOwner, "owner_id"),
        fields=("course__slug", "course__title", "course__summary", "course__is_public"),
        of_staff=True,
    ),
    PersonalTable(
        name="course_imports",
        title=_("Questions that you imported"),
        why=_("To show you what an import contains before and after it becomes a course."),
        of=rows_owned_by(CourseImport, "owner_id"),
        fields=("title", "draft", "course__slug", "created_at"),
        of_staff=True,
    ),
    PersonalTable(
        name="document_courses",
        title=_("Courses that you made from documents"),
        why=_("To let you learn from your own documents."),
        of=rows_owned_by(DocumentCourse, "owner_id"),
        fields=("title", "document_name", "status", "draft", "course__slug", "offered_to__name", "accepted_for__name", "created_at"),
    ),
)  # fmt: skip
LEFT_OUT = {
    InsightPeriod: _("which conversations, weeks and months were searched for patterns in your answers"),
    QuizItem: _("the questions of quizzes that teachers gave their classes, and the answers to them"),
    LiveQuiz: _("when a class took a quiz together"),
}
STAYS = {
    Assignment: _("what a class was given to do, but neither which teacher gave it nor the teacher’s note"),
    AccessLog: _("when something of a pupil’s was looked at, but not which teacher did so"),
    ClassMessage: _("messages that a teacher wrote to a pupil, but not who wrote them"),
    PupilNote: _("notes about a pupil, but not which teacher wrote them"),
    MilestoneWithdrawal: _("that a milestone of a pupil was withdrawn, but not which teacher withdrew it"),
    Contest: _("what was decided about a grade that a pupil reported as wrong, but not which teacher decided it"),
    GradeChange: _("which grade of a pupil was changed, when and why, but not which teacher changed it"),
    HelpMark: _("what was noted about a pupil who needed help, but not which teacher noted it"),
    QuestionReport: _("what was reported about a question, but not who reported it"),
    WithdrawnQuestion: _("which question was withdrawn, when and why, but not who withdrew it"),
    ConcernNotice: _("that a class was told about a concern and when the notice was seen, but not who saw it"),
}


def erase(person: DataSubject) -> None:
    """Delete the classes that nobody else is in, the person's courses, and the notes that the person wrote to others.

    Courses that an admin has published and those that learners have worked on stay, without their owner.

    The person's membership in other classes is deleted anyway.
    """
    Assignment.objects.filter(created_by_id=person.pk).update(note="")
    for course in Course.objects.filter(ownership__owner_id=person.pk, is_public=False).defer("content"):
        with suppress(ProtectedError):
            if course.is_personal:
                delete_personal_course(course)
            else:
                delete_imported_course(course)
    own = Classroom.objects.filter(memberships__person_id=person.pk).values("pk")
    Classroom.objects.filter(pk__in=own).annotate(people=Count("memberships")).filter(people=1).delete()
