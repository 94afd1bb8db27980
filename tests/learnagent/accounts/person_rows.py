"""A person who has left something in every table, all of it recognisable."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from agents.models import (
    AgentCall,
    Budget,
    BudgetChange,
    ModelCall,
    PromptVersion,
    RoutedMessage,
    RoutingWords,
    Run,
    Spending,
)
from agents.rollout.flags import change_flag, get_or_make_flag
from agents.rollout.planned_changes import plan_change
from conversations.models import (
    Analysis,
    Capture,
    Contact,
    ConversationSummary,
    Document,
    Event,
    Feedback,
    Finding,
    Folder,
    Message,
    Passage,
    PhoneCall,
    PhoneCode,
    PhoneLink,
    Snapshot,
    StorageTask,
    TableRemark,
    Transition,
    V1Deprecation,
    V1Import,
    V1RowProblem,
)
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.authentication.sign_in_links import make_link
from learnagent.accounts.models import (
    Announcement,
    ClosedAnnouncement,
    GuardianRequest,
    Person,
    RecoveryCode,
    SecondFactor,
)
from learnagent.accounts.personal_data.copies import request_copy
from learnagent.lti.models import Grade, Platform, PlatformAccount, PlatformCourse, PlatformLink, Ticket
from tests.people import make_person
from tests.tutoring.small_course import ask, text
from tutoring.classes.groups import add_members, make_group
from tutoring.classes.membership import join_class, make_class
from tutoring.mastery.records.progress import begin_lesson
from tutoring.models import (
    Ability,
    AccessLog,
    AnswerTally,
    Assignment,
    AssignmentWork,
    Attempt,
    AuthoredCourse,
    AuthoredVersion,
    CalendarEvent,
    ClassMessage,
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
    Mastery,
    MasteryChange,
    Meal,
    MilestoneWithdrawal,
    MisconceptionState,
    Note,
    Path,
    PlannerChange,
    PlannerSettings,
    PupilNote,
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

MARK = "CANARYWORD"
"""Stands in every text that they wrote, or that was written of them."""
USERNAME, EMAIL = "canaryname", "canarymail@mail.example"


def person_with_rows() -> Any:
    """Store the person, with a row of theirs in every table that has any."""
    person = make_person(
        USERNAME, display_name=f"{MARK} display", email=EMAIL, role="admin", consent=True, password="four slow rivers"
    )
    _sign_in_everywhere(person)
    _learn(person)
    _cost_money(person)
    _run_the_place(person)
    _come_from_a_platform(person)
    return person


def _sign_in_everywhere(person: Any) -> None:
    Client().force_login(person)
    make_token(person, label=f"{MARK} label")
    make_link(person)
    request_copy(person)
    ClosedAnnouncement.objects.create(
        announcement=Announcement.objects.create(text="No lessons on Friday", by=person), person=person
    )
    GuardianRequest.objects.create(person=person, email=f"{MARK}@mail.example", guardian_name=f"{MARK} name")
    factor = SecondFactor.objects.create(person=person, secret="JBSWY3DPEHPK3PXP")
    RecoveryCode.objects.create(factor=factor, digest="0" * 64)
    Contact.objects.create(owner=person, name="Noor", notes="asked about fractions")
    PhoneLink.objects.create(owner=person, number="+436641234567")
    PhoneCode.objects.create(owner=person, digest="0" * 64, expires_at=timezone.now())
    PhoneCall.objects.create(owner=person, sid="CA1", number_digest="0" * 64, is_linked=True)


def _learn(person: Any) -> None:
    question = ask(person, text())
    turn, session = question.turn, question.session
    assert turn is not None
    TableRemark.objects.create(turn=turn, client_id="said", text=f"{MARK} remark")
    session.title, session.state, session.key = f"{MARK} title", {"last": MARK}, f"{MARK}-key"
    session.save()
    turn.payload, turn.answer = {"text": MARK}, {"response": MARK}
    turn.save()
    of = {"session": session, "turn": turn}
    begin_lesson(person, question.concept, session)
    Message.objects.create(author="learner", text=f"I think that {MARK}", **of)
    Message.objects.create(
        author="team", text=f"You said {MARK}", cards=[{"kind": "question", "id": str(question.pk)}], **of
    )
    Event.objects.create(turn=turn, seq=1, type="reply_text", body={"text": f"event {MARK}"})
    Transition.objects.create(from_agent="tutor", to_agent="quiz", message_excerpt=MARK, **of)
    ConversationSummary.objects.create(reason="goodbye", text=f"You asked about {MARK}.", **of)
    Finding.objects.create(agent="tutor", kind="misconception", words=f"{MARK} seen", evidence=MARK, **of)
    written = {"items": [{"kind": "text", "x": 1.0, "y": 1.0, "text": f"{MARK} drawn"}]}
    drawing = Snapshot.objects.create(board=written, reading={"description": f"{MARK} read"}, **of)
    Analysis.objects.create(person=person, snapshot=drawing, agent="vision", key="k", output={"evidence": MARK}, **of)
    Feedback.objects.create(turn=turn, person=person, verdict="up", words=f"{MARK} feedback")
    V1Deprecation.objects.create(since=date(2026, 11, 1), by=person)
    V1Import.objects.create(digest="0" * 64, name=f"{MARK}.sqlite3", owner=person, total=2)
    V1RowProblem.objects.create(
        source=V1Import.objects.get(), owner=person, row=1, reason="no_text", is_rejected=True, detail=MARK
    )
    StorageTask.objects.create(turn=turn, problem="DataError")
    Capture.objects.create(
        owner=person, session_id=session.key, timestamp=timezone.now(), user_text=f"captured {MARK}", origin="1" * 64
    )
    document = Document.objects.create(
        owner=person,
        folder=Folder.objects.create(owner=person, name=f"{MARK} folder"),
        in_library=True,
        name=f"{MARK} document",
        media_type="text/plain",
        size=1,
        digest="0" * 64,
        stored_as=f"{person.pk:064}",
    )
    Passage.objects.create(document=document, number=1, page=1, text=f"{MARK} passage")
    Cycle.objects.create(learner=person, session=session, concept=question.concept, number=1)
    attempt = Attempt.objects.create(
        question=question, learner=person, answer=f"because {MARK}", verdict="wrong", score=0.0, correct=False,
        assisted=False, number=1, idempotency_key="k",
    )  # fmt: skip
    mastery = Mastery.objects.create(learner=person, concept=question.concept, probability=0.4, threshold=0.85)
    MasteryChange.objects.create(mastery=mastery, attempt=attempt, before=0.5, difficulty=0.0, after=0.4)
    MisconceptionState.objects.create(
        learner=person, course=question.concept.course, misconception="two_pieces", odds=2.0,
        evidence=[{"quote": MARK}], updated_at=timezone.now(),
    )  # fmt: skip
    Ability.objects.create(learner=person)
    of = {"learner": person, "concept": question.concept}
    ExampleShown.objects.create(example=MARK, turn=turn, **of)
    Goal.objects.create(words=f"I want {MARK}", session=session, **of)
    Path.objects.create(learner=person, course=question.concept.course, first=[MARK])
    DiagnosticResult.objects.create(
        learner=person, session=session, topic=question.concept, learner_level="beginner", questions=3, ended="stopped",
        recommendations=[{"kind": "proceed", "concepts": [], "reason": MARK}],
    )  # fmt: skip
    KnowledgeGap.objects.create(source="feedback", words=f"{MARK} gap", current=0.3, required=0.85, **of)
    Review.objects.create(card={"due": MARK}, due_at=timezone.now(), reviewed_at=timezone.now(), **of)
    StudySettings.objects.create(learner=person, days_a_week=3, calendar_key=MARK)
    make_planner_rows(person)
    period = InsightPeriod.objects.create(
        learner=person, timeframe="session", starts_on=timezone.localdate(), session=session, answers=1
    )
    LearningInsight.objects.create(
        period=period, type="pattern", description=f"{MARK} insight", evidence=[attempt.pk], importance=1.0
    )
    make_class(person, f"{MARK} class", code=f"{MARK.lower()}-1")
    teacher = make_person("grace2", role="teacher")
    shared = make_class(teacher, "4c", code="4c")
    place = join_class(person, "4c")
    add_members([(make_group(shared, "Blue"), place.pk)])
    RosterAccount.objects.create(person=person, classroom=shared, name=f"{MARK} name", source_id=f"{MARK}-1")
    AccessLog.objects.create(reader=teacher, learner=person, session=session, classroom=shared)
    for learner, teaches in ((person, teacher), (teacher, person)):
        concern = Concern.objects.create(learner=learner, session=session, kind="harm_to_self")
        ConcernNotice.objects.create(concern=concern, classroom=shared, seen_by=teaches, seen_at=timezone.now())
    given = give_to(shared, by=teacher)
    give_to(shared, by=person)
    work = AssignmentWork.objects.create(assignment=given, learner=person)
    item = QuizItem.objects.create(
        assignment=given, number=1, concept=question.concept, template="t", seed=1, kind="text", stem="Why?", public={},
        key={},
    )  # fmt: skip
    WorkQuestion.objects.create(work=work, item=item, question=question)
    own = Course.objects.create(slug=f"{MARK.lower()}-own", title="Own", content={}, is_public=False)
    CourseOwner.objects.create(course=own, owner=person)
    CourseImport.objects.create(owner=person, title=f"{MARK} questions", draft={})
    DocumentCourse.objects.create(owner=person, title=f"{MARK} course", document_name=f"{MARK} document")
    for owner, title in ((person, f"{MARK} course"), (teacher, "Theirs")):
        draft = AuthoredCourse.objects.create(owner=owner, title=title, files={"course.yaml": f"title: {title}"})
        AuthoredVersion.objects.create(
            authored=draft,
            number=1,
            changes=draft.files,
            author=person,
            message=f"{MARK} change" if owner == person else "",
        )
    other = ask(teacher)
    Contest.objects.create(
        learner=person, concept=question.concept, attempt=attempt, reason=f"{MARK} reason", decided_by=teacher,
        decided_at=timezone.now(), decision="kept",
    )  # fmt: skip
    _change_grades(person, teacher, attempt, shared)
    Contest.objects.create(
        learner=teacher, concept=question.concept, decided_by=person, decided_at=timezone.now(), decision="kept"
    )
    _know_pupils(person, teacher, shared, question.concept.course)
    theirs = other.session
    AccessLog.objects.create(reader=person, learner=teacher, session=theirs)


def _change_grades(person: Any, teacher: Any, attempt: Attempt, shared: Any) -> None:
    """Store what teachers did about the person's answers, and what the person did as a teacher."""
    grade: dict[str, Any] = {"before": {"verdict": "wrong"}, "after": {"verdict": "correct"}}
    GradeChange.objects.create(attempt=attempt, kind="overridden", reason=f"{MARK} why", by=teacher, **grade)
    question = ask(teacher, text("how"))
    theirs = Attempt.objects.create(
        question=question, learner=teacher, answer="x", verdict="wrong", score=0.0, correct=False, assisted=False,
        number=1, idempotency_key="k",
    )  # fmt: skip
    GradeChange.objects.create(
        attempt=theirs, kind="overridden", by=person, undone_by=person, undone_at=timezone.now(), **grade
    )
    AnswerTally.objects.create(learner=person, concept=question.concept, given=1, last_at=timezone.now())
    for learner, by in ((person, teacher), (teacher, person)):
        HelpMark.objects.create(
            classroom=shared, learner=learner, reason="misses:one_half", evidence="1", kind="dismissed",
            note=f"{MARK} note" if learner == person else "", by=by,
        )  # fmt: skip
    course = question.concept.course
    withdrawn = WithdrawnQuestion.objects.create(
        course=course, template="shaded", classroom=shared, by=person, restored_by=person, restored_at=timezone.now()
    )
    ClearedSuspicion.objects.create(
        withdrawal=withdrawn, learner=person, misconception="two_pieces", before={"evidence": [{"quote": MARK}]}
    )
    QuestionReport.objects.create(course=course, template="shaded", words="Unclear.", by=person)


def _know_pupils(person: Any, teacher: Any, shared: Any, course: Any) -> None:
    """Store what the two of them wrote to and about each other; what stays of the person's is not theirs alone."""
    of = {"classroom": shared, "learner": person}
    ClassMessage.objects.create(**of, author=person, by_learner=True, text=f"{MARK} message")
    PupilNote.objects.create(**of, author=teacher, text=f"{MARK} note")
    GuardianAccess.objects.create(**of, email=EMAIL)
    MilestoneWithdrawal.objects.create(learner=person, course=course, milestone="one", by=teacher, reason=MARK)
    ReportSubscription.objects.create(classroom=shared, teacher=person)
    of = {"classroom": shared, "learner": teacher}
    ClassMessage.objects.create(**of, author=person, by_learner=False, text="Well done.")
    PupilNote.objects.create(**of, author=person, text="Works well in pairs.")
    MilestoneWithdrawal.objects.create(learner=teacher, course=course, milestone="one", by=person, reason="Not yet.")


def _cost_money(person: Any) -> None:
    run = Run.objects.create(person=person, graph="lesson", turn_id=person.turns.get().pk)
    AgentCall.objects.create(run=run, number=1, agent="tutor", ending="answered", ms=3.0)
    for status in ("answered", "open"):
        ModelCall.objects.create(
            person=person, agent="tutor", backend="openai", model="m", status=status, cost_usd=0.02, asked={"text": MARK},
            reply=f"{MARK} reply", accounts=[f"person:{USERNAME}", "class:4c", "site"], turn_id=run.turn_id,
        )  # fmt: skip
    RoutedMessage.objects.create(
        owner=person, surface="companion", space=f"{MARK}-space", turn_id=run.turn_id, agent="food", strategy="llm",
        reason=f"asks for {MARK}",
    )  # fmt: skip
    Budget.objects.create(account=f"person:{USERNAME}", usd_per_day=3)
    Spending.objects.create(account=f"person:{USERNAME}", day=date(2026, 11, 22), tokens=5)
    BudgetChange.objects.create(account=f"person:{USERNAME}", by=person, before={}, after={"usd_per_day": "3"})
    BudgetChange.objects.create(account="site", by=person, before={}, after={"usd_per_day": "9"})


def _run_the_place(person: Any) -> None:
    get_or_make_flag("multi_agent")
    change_flag("multi_agent", by=person, allowed=[USERNAME, "ada"])
    change_flag("multi_agent", by=person, allowed=["ben", f"person:{USERNAME}"])
    change_flag("affect", by=person, never={"eve": "", USERNAME: "2099-01-01"})
    plan_change("multi_agent", due_at=timezone.now() + timedelta(days=1), percent=Decimal(5), by=person)
    PromptVersion.objects.create(name="tutor", number=1, text="Be kind.", by=person)
    RoutingWords.objects.create(surface="companion", agent="food", words={"lunch": 1}, by=person)
    ContentType.objects.clear_cache()  # Of the database as the test before left it.
    of_people = {"content_type": ContentType.objects.get_for_model(Person), "action_flag": 2}
    LogEntry.objects.create(user=person, object_id="9", object_repr=f"{MARK} other", **of_people)
    root = make_person("root2", role="admin")
    LogEntry.objects.create(user=root, object_id=str(person.pk), object_repr=f"{MARK} display", **of_people)


def give_to(classroom: Any, *, by: Any) -> Assignment:
    now = timezone.now()
    return Assignment.objects.create(
        classroom=classroom, title="Sheet", kind="quiz", note=MARK if by.username == USERNAME else "", created_by=by,
        starts_at=now, due_at=now + timedelta(days=1),
    )  # fmt: skip


def make_planner_rows(person):
    workspace = Workspace.objects.create(owner=person, key="personal", title=f"Mine {MARK}")
    mine = {"owner": person, "workspace": workspace}
    now = timezone.now()
    Task.objects.create(**mine, title=MARK, notes=MARK)
    CalendarEvent.objects.create(**mine, title=MARK, starts_at=now, ends_at=now, zone="UTC", uid=MARK)
    Meal.objects.create(**mine, eaten_at=now, kind="lunch", foods=[MARK])
    Note.objects.create(**mine, text=MARK)
    Reminder.objects.create(**mine, task=Task.objects.filter(owner=person).first(), at=now, made_at=now)
    PlannerChange.objects.create(**mine, words=MARK, rows=[{"model": "task", "id": 1, "after": {"title": MARK}}])
    PlannerSettings.objects.create(owner=person, workspace=workspace, feed_key=MARK)
    WebhookDelivery.objects.create(owner=person, kind="asked", body={"text": MARK}, next_at=now)
    LearningRecord.objects.create(pk=uuid4(), owner=person, verb="answered", statement={"actor": MARK}, next_at=now)


def _come_from_a_platform(person: Any) -> None:
    platform = Platform.objects.create(name="Moodle", issuer="x", client_id="x", deployments="1")
    account = PlatformAccount.objects.create(platform=platform, subject=MARK, person=person)
    course = PlatformCourse.objects.create(platform=platform, deployment="1", context="1")
    link = PlatformLink.objects.create(course=course, resource="1")
    Grade.objects.create(account=account, link=link, score=50, answer=MARK)
    Ticket.objects.create(account=account, link=link, digest=MARK, expires_at=timezone.now())
