"""What there is to walk to: one thing of every kind, all of them Ada's."""

import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from agents.rollout.planned_changes import plan_change
from conversations.board import snapshots
from conversations.library import folders, uploads
from conversations.models import Finding, Message, PhoneLink, Session, Snapshot, Turn
from conversations.turns import stream
from conversations.turns import supervisor as supervising
from learnagent.accounts.authentication import sessions
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.authentication.password_resets import reset_address
from learnagent.accounts.authentication.sign_in_cards import make_codes
from learnagent.accounts.authentication.sign_in_links import sign_in_address
from learnagent.accounts.guardians import ask_guardian, guardian_address
from learnagent.accounts.models import Announcement, ApiToken, Erasure
from learnagent.accounts.personal_data import copies
from learnagent.lti.models import Grade, Platform, PlatformAccount, PlatformCourse, PlatformLink
from learnagent.site.look import forget_look
from tests.conversations.conftest import connect, host, says, supervisor  # noqa: F401  # Fixtures.
from tests.learnagent.rosters.roster_helpers import import_names
from tests.people import make_person
from tests.tutoring.course_imports.import_helpers import small_draft
from tests.tutoring.course_writing.draft_helpers import small_course
from tests.tutoring.document_courses.document_helpers import stored_course
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # As above.
from tests.tutoring.small_course import add_templates, ask
from tutoring.classes.co_teachers import add_teacher, make_invite
from tutoring.classes.groups import make_group
from tutoring.classes.membership import join_class, make_class
from tutoring.classes.messages import send_message
from tutoring.course_imports.drafts import draft_to_json
from tutoring.course_writing.exercises import add_exercise
from tutoring.course_writing.versions import create_draft
from tutoring.mastery.records.contests import contest_verdict
from tutoring.mastery.records.progress import begin_lesson, record_attempt
from tutoring.models import (
    Assignment,
    CalendarEvent,
    Classroom,
    Course,
    CourseImport,
    CourseReading,
    GuardianAccess,
    LiveQuiz,
    Meal,
    Membership,
    MilestoneWithdrawal,
    PlannerSettings,
    PupilNote,
    Question,
    QuizItem,
    ReportSubscription,
    StudySettings,
    Task,
)
from tutoring.planner import signed_links
from tutoring.planner.records.changes import change_rows
from tutoring.planner.records.notes import create_note
from tutoring.planner.records.workspaces import workspace_for
from tutoring.reminders.signed_links import calendar_address, message_stop_address, stop_address
from tutoring.reports import signed_links as report_links


@pytest.fixture
def unserved(quiet_host: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811  # The fixture itself.
    """Turns begin here, nobody serves them, and nobody waits for their words."""
    monkeypatch.setattr(supervising.supervisor, "start", lambda turn_id: None)
    monkeypatch.setattr(stream, "wait_for_first_words", no_words)


async def no_words(turn_id: UUID, *, within_s: float) -> None:
    """Look for none: that would close the test's one connection."""


@pytest.fixture
def adas(ada: Any, grace: Any, unserved: None, settings: Any, tmp_path: Path) -> dict[str, Any]:
    """Parameter of an address → the value that names Ada's. She is in Grace's class, which shows all there is."""
    classroom = make_class(grace, "4b", code="4b")
    classroom.policy.conversations, classroom.policy.guardians = "everything", "monthly"
    classroom.policy.save()
    place = join_class(ada, "4b")
    question = ask(ada)
    begin_lesson(ada, question.concept, question.session)
    turn = question.session.turns.get()
    finding = Finding.objects.create(
        session=question.session, turn=turn, agent="tutor", kind="misconception", words="x"
    )
    edit_message(turn)
    make_token(ada)
    return {
        "key": question.session.key,
        "session_id": question.session.key,
        "turn_id": turn.pk,
        "course": "fractions",
        "str:template": templates_of(question),
        "concept": "one_half",
        "str:pk": question.pk,
        "int:pk": ApiToken.objects.get().pk,
        "link": PhoneLink.objects.create(owner=ada, number="+436641234567").pk,
        "finding": finding.pk,
        "before": 99,
        "start": 1,
        "place": 1,
        "deleted": Session.objects.create(owner=ada, key="gone", deleted_at=timezone.now()).pk,
        "code": "4b",
        "learner": ada.pk,
        **people_of(classroom),
        **contested_by(ada),
        "assignment": quiz_for(classroom, question).pk,
        "number": 1,
        "draft": CourseImport.objects.create(owner=grace, title="Plants", draft=draft_to_json(small_draft())).pk,
        "made": stored_course(ada).pk,
        "passage": 1,
        "reading": CourseReading.objects.create(
            course=question.concept.course, title="Text", license="CC BY 4.0", digest="0" * 64, sections=[]
        ).pk,
        **written_by(grace),
        "kind": "gift",
        "file": drawing_of(question.concept.course),
        "int:session": question.session_id,
        "name": "tutor",
        **flag_with_a_plan(),
        "token": sign_in_address(ada).rstrip("/").rpartition("/")[2],
        "str:name": name_of_session(ada),
        "accounts/guardian/token": guardian_link(ada),
        "announcements/pk": announced(),
        "admin/accounts/person/pk": ada.pk,
        # Of somebody who is not on the walk: to sign in ends it.
        "reset": reset_address(make_person("cora")).rstrip("/").rpartition("/")[2],
        "uuid:pk": ready_copy(ada, settings, tmp_path),
        **library_of(ada),
        "drawing": drawn_in(turn.session).pk,
        "table": table_in(turn.session).pk,
        **reminders_of(ada),
        **planner_of(ada),
        "lti/agreement/link": opened_from_a_platform(ada),
        **between(grace, place, turn),
        "rest": "nowhere",
        "content_type_id": 1,
        "object_id": 1,
        "app_label": "accounts",
        "url": "nowhere",
    }


def written_by(teacher: Any) -> dict[str, Any]:
    """Write a course, and return what its pages are called."""
    files = small_course()
    files, entry = add_exercise(files, "doubling", "numeric", piece="doubling-p1")
    draft = create_draft(teacher, files, message="New")
    of_draft = "teach/courses/write/<int:draft>"
    of_concept = f"{of_draft}/concepts/<slug:concept>"
    return {
        "teach/courses/write/draft": draft.pk,
        f"{of_draft}/concepts/concept": "doubling",
        f"{of_concept}/pieces/piece": entry["piece"],
        f"{of_concept}/exercises/name": "doubling-q1",
        f"{of_draft}/misconceptions/name": "odd-is-even",
        f"{of_draft}/files/path": "graph.yaml",
    }


def quiz_for(classroom: Classroom, question: Question) -> Assignment:
    """Give the class a quiz of the one question, led by its teacher."""
    now = timezone.now()
    quiz = Assignment.objects.create(
        classroom=classroom,
        title="Halves",
        kind="quiz",
        course=question.concept.course,
        is_live=True,
        starts_at=now,
        due_at=now + timedelta(days=1),
    )
    asked = {name: getattr(question, name) for name in ("template", "seed", "kind", "stem", "public", "key")}
    QuizItem.objects.create(assignment=quiz, number=1, concept=question.concept, **asked)
    LiveQuiz.objects.create(assignment=quiz, phase=LiveQuiz.Phase.ASKING, number=1)
    return quiz


def people_of(classroom: Classroom) -> dict[str, Any]:
    """Make a group in the class, add a second teacher, and print a card for somebody with an account from a roster."""
    cards_of = import_names(classroom, "Dora")
    codes, _ = make_codes([place.person for place in cards_of])
    second = make_person("helen", role="teacher")
    return {
        "group": make_group(classroom, "Blue").pk,
        "teacher": add_teacher(classroom, second.username).person_id,
        "co-teach/token": make_invite(classroom),
        "card/code": next(iter(codes.values())),
    }


def flag_with_a_plan() -> dict[str, Any]:
    """Plan a change of a flag, so that there is one to cancel."""
    planned = plan_change("multi_agent", due_at=timezone.now() + timedelta(days=1), percent=Decimal(50), by=None)
    return {"flag_id": planned.flag_id, "plan_id": planned.pk}


def drawing_of(course: Course) -> str:
    """Give the course a drawing that is shown as an image; return the name of its file."""
    course.content["drawings"] = {"lines.svg": "<svg/>"}
    course.source_hash = "with a drawing"
    course.save()
    return "lines.svg"


def templates_of(question: Any) -> str:
    """Give the question's course questions of its own; return the name of one."""
    add_templates(question.concept.course, "shaded", "coloured")
    return "shaded"


def opened_from_a_platform(person: Any) -> int:
    """Let the person have opened a link on a learning platform, in a course whose class they are not in."""
    addresses = dict.fromkeys(("auth_url", "token_url", "jwks_url"), "https://lms.example.org/")
    platform = Platform.objects.create(name="Moodle", issuer="x", client_id="x", deployments="1", **addresses)
    classroom = make_class(make_person("tom", role="teacher"), "5c")
    course = PlatformCourse.objects.create(platform=platform, deployment="1", context="1", classroom=classroom)
    account = PlatformAccount.objects.create(platform=platform, subject="1", person=person)
    grade = Grade.objects.create(account=account, link=PlatformLink.objects.create(course=course, resource="1"))
    return grade.link_id


def contested_by(person: Any) -> dict[str, Any]:
    """Let the person answer a question, and say that the verdict is wrong."""
    recorded = record_attempt(ask(person), learner=person, answer="2", idempotency_key="k")
    assert recorded.attempt is not None
    contest = contest_verdict(recorded.attempt, reason="")
    return {"attempt": recorded.attempt.pk, "contest": contest.pk, "misconception": "counts_shaded"}


def reminders_of(person: Any) -> dict[str, Any]:
    """Let the person be reminded; return the ends of their signed addresses."""
    wanted = StudySettings.objects.create(learner=person, mails=True, calendar_key="0" * 32)
    return {
        "stop": stop_address(wanted).rstrip("/").rpartition("/")[2],
        "calendar": calendar_address(wanted).removesuffix(".ics").rpartition("/")[2],
    }


def planner_of(person: Any) -> dict[str, Any]:
    """Store an entry of each kind in the person's planner; return their numbers and the ends of the signed addresses."""
    workspace, now = workspace_for(person), timezone.now()
    mine = {"owner": person, "workspace": workspace}
    chosen = PlannerSettings.objects.create(owner=person, feed_key="1" * 32, mails=True)
    with change_rows(person, workspace) as recorder:
        note = create_note(recorder, "The locker is blue.", embedding=None)
        recorder.words = "Noted."
    event = CalendarEvent.objects.create(**mine, title="Football", starts_at=now, ends_at=now, zone="UTC")
    return {
        "planner/tasks/pk": Task.objects.create(**mine, title="Sheet 4").pk,
        "planner/events/pk": event.pk,
        "planner/meals/pk": Meal.objects.create(**mine, eaten_at=now, kind="lunch", foods=["pasta"]).pk,
        "planner/notes/pk": note.pk,
        "change": recorder.change_id,
        "planner/stop/token": signed_links.stop_address(chosen, "mails").rstrip("/").rpartition("/")[2],
        "planner/calendar/token": signed_links.feed_address(chosen).removesuffix(".ics").rpartition("/")[2],
    }


def between(teacher: Any, place: Membership, turn: Turn) -> dict[str, Any]:
    """Let the two write to each other, and the teacher keep a note, a milestone, a guardian's page and a weekly mail."""
    learner, classroom = place.person, place.classroom
    of = {"classroom": classroom, "learner": learner}
    course = turn.session.lesson.concept.course
    reached = {"reached": True, "milestone": "one"}
    finding = Finding.objects.create(
        session=turn.session, turn=turn, agent="milestone", kind="milestone", words="x", content=reached
    )
    guardian = GuardianAccess.objects.create(**of, email="parent@mail.example")
    weekly = ReportSubscription.objects.create(classroom=classroom, teacher=teacher)
    settings = StudySettings.objects.get(learner=learner)
    at_pupil = "teach/<slug:code>/<int:learner>"
    return {
        "teach/<slug:code>/reports/table": "class",
        "message": send_message(teacher, place, "Well done.").message.pk,
        "messages/sent/message": send_message(learner, place, "Thank you.").message.pk,
        "note": PupilNote.objects.create(**of, author=teacher, text="Draws well.").pk,
        "withdrawal": MilestoneWithdrawal.objects.create(learner=learner, course=course, milestone="two").pk,
        f"{at_pupil}/milestones/finding": finding.pk,
        "messages/stop/stop": last_part(message_stop_address(settings)),
        "reports/stop/stop": last_part(report_links.report_stop_address(weekly)),
        "guardian/stop/stop": last_part(report_links.guardian_stop_address(guardian)),
        "guardian/token": last_part(report_links.guardian_address(guardian, timezone.localdate())),
    }


def last_part(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def library_of(person: Any) -> dict[str, Any]:
    """Put a document and a folder in the person's library."""
    file = SimpleUploadedFile("notes.txt", b"Halves are equal parts.")
    return {
        "document": uploads.accept(person, file, in_library=True).pk,
        "folder": folders.make_folder(person, "Notes").pk,
        "article": "how-transformers-work",
    }


def drawn_in(session: Any) -> Snapshot:
    """Draw a line on the session's board."""
    line = {"kind": "line", "start": [1.0, 1.0], "end": [90.0, 90.0]}
    taken = snapshots.take(session, json.dumps({"items": [line]}).encode())
    assert taken is not None
    return taken


def table_in(session: Session) -> Turn:
    """Hold a round table in the session, in which nobody spoke."""
    asked = {"agents": ["explainer", "sceptic"], "rounds": 2, "failure_strategy": "skip"}
    turn = Turn.objects.create(
        session=session,
        owner=session.owner,
        number=98,
        client_id="table",
        status="done",
        payload={"round_table": asked},
    )
    Message.objects.create(session=session, turn=turn, author="learner", text="Discuss.")
    return turn


def edit_message(turn: Turn) -> None:
    """Let the turn be the second version of its message."""
    older = Turn.objects.create(
        session=turn.session, owner=turn.owner, number=99, client_id="older", status="done", replaced_by=turn
    )
    Turn.objects.filter(pk=turn.pk).update(replaces=older)


def announced() -> int:
    """Announce something to everybody."""
    row = Announcement.objects.create(text="No lessons on Friday")
    forget_look()
    return row.pk


def guardian_link(person: Any) -> str:
    """Ask the person's guardian; return the end of the address at which the guardian answers."""
    request = ask_guardian(person, "parent@mail.example", by=person)
    return guardian_address(request).rstrip("/").rpartition("/")[2]


def name_of_session(person: Any) -> str:
    """Sign the person in with a browser of its own, and return what names that session in an address."""
    Client().force_login(person)
    return sessions.sessions_of(person, current=None)[0].name


def ready_copy(person: Any, settings: Any, tmp_path: Path) -> UUID:
    """Give the person a copy of their data, and the place a receipt of the same number."""
    settings.DATA_DIR = tmp_path
    copy = copies.request_copy(person)
    copies.make_copy.func(str(copy.pk))
    Erasure.objects.create(pk=copy.pk)
    return copy.pk
