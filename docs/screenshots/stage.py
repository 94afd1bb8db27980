"""What the pictures show: a learner's first days, played in the browser, and rows that would take weeks of clicking."""

from datetime import timedelta
from typing import Any

from playwright.sync_api import Page, expect

KINDS = {
    "numeric": "ep-move",
    "expression": "fq-letter",
    "choice": "uf-which-picture",
    "multi": "sp-true-sentences",
    "order": "cp-order",
    "match": "su-partners",
    "set": "nl-marks-named",
    "steps": "au-steps",
    "text": "nl-end-text",
}
"""An item of the course for each kind of question."""
MISTAKEN = ("multi", "order", "match", "steps")
"""Kinds whose marks stand where something is wrong."""
TITLES = (
    "Cutting a cake fairly", "What a fraction of a fraction could mean", "The line between top and bottom",
    "Old notes", "Not needed any more",
)  # fmt: skip

PLANNED = (
    "football every Tuesday and Thursday at five", "fractions test next Friday", "dentist on Wednesday at 15:30",
    "dinner with grandma on Sunday at 18:00", "math homework by Thursday, important", "buy milk on Monday",
    "remind me to bring my ruler tomorrow", "lunch: pasta, salad", "breakfast: yogurt and fruit",
    "note: my locker code is in the blue notebook",
)  # fmt: skip
"""Lines for the planner, as typed into its field."""
BOOK = "Notes on parts.md"
NOTES = """# Notes on parts

## Halves

A half is one of two equal parts. Two parts that differ in size are two pieces, and no halves.

## Quarters

A quarter is one of four equal parts. Two quarters and one half are the same amount: cut each half in two.

## What to ask

How could you check that the parts are equal? Lay one on the other, or weigh them.
"""
STEPS_AT_MOST = 60
PUPILS = 11
"""Of the simulated class: enough to fill a page."""


def play(page: Page, url: str) -> None:
    """Let Ada learn: one misconception noticed and resolved, one idea mastered, a message changed, a question open."""
    from tests.e2e.page_actions import begin_lesson, open_asides, say, turns, wait_until_said

    begin_lesson(page, url, "/learn/fractions/one-half/")
    say(page, "yes these two pieces are halves because there are two")
    say(page, "no yours is bigger. they have to be the same size")
    to_mastery(page)
    begin_lesson(page, url, "/learn/fractions/several-parts/")
    say(page, "what of ribons")
    open_asides(page)
    page.get_by_role("button", name="Edit what you said").click()
    own = page.get_by_role("textbox", name="Your message")
    own.fill("what of ribbons, can I cut them like this too?")
    own.press("Control+Enter")
    expect(turns(page)).to_have_count(2)
    open_asides(page)
    expect(page.get_by_text("2 of 2")).to_be_visible()
    wait_until_said(page)
    begin_lesson(page, url, "/learn/fractions/unit-fractions/")
    say(page, "one of four equal parts")
    aim(page, url)


def aim(page: Page, url: str) -> None:
    """Pick a goal on the map, and put one thing on the way aside."""
    page.goto(f"{url}/learn/fractions/")
    page.get_by_role("button", name="Make this my goal: Adding unlike fractions").click()
    page.get_by_role("button", name="Put aside: Simplest form").click()
    expect(page.get_by_role("button", name="Bring back: Simplest form")).to_be_visible()


def be_placed(page: Page, url: str) -> None:
    """Let Noa say twice what she wants: one placement is under way, the other was stopped and led to a path."""
    from tests.e2e.page_actions import fill_in, open_card, press, right_answer, turns, wait_until_said

    for _ in range(2):
        page.goto(f"{url}/talk/")
        page.get_by_role("textbox").first.fill("add fractions with different denominators")
        page.get_by_role("textbox").first.press("Enter")
        expect(turns(page)).to_have_count(1)
        wait_until_said(page)
        fill_in(open_card(page), right_answer(open_card(page)))
        press(page, open_card(page), "Answer")
        expect(turns(page)).to_have_count(2)
        wait_until_said(page)
    open_card(page).get_by_role("button", name="I don’t know this").click()
    expect(turns(page)).to_have_count(3)
    wait_until_said(page)
    page.get_by_role("button", name="No more questions").click()
    expect(turns(page)).to_have_count(4)
    wait_until_said(page)


def to_mastery(page: Page) -> None:
    """Answer rightly, and press what the bar offers, until the concept is mastered."""
    from tests.e2e.page_actions import fill_in, open_card, press, right_answer, wait_until_said

    for _ in range(STEPS_AT_MOST):
        if page.locator("a[href*='/mastered/']").count():
            return
        card = open_card(page).locator("visible=true")
        if card.count():
            for ticked in card.locator("[type=checkbox]:checked").all():
                ticked.uncheck()
            fill_in(card, right_answer(card))
            press(page, card, "Check")
        else:
            page.locator("#bar [data-bar=primary]").click()
        page.wait_for_timeout(300)
        wait_until_said(page)
    raise RuntimeError("the lesson never reached mastery")


def people() -> dict[str, Any]:
    """Store what the people of the pictures did before, and return them by username."""
    from django.core.management import call_command

    from learnagent.accounts.authentication.api_tokens import make_token
    from learnagent.accounts.models import Person
    from tutoring.classes import demo_class

    demo_class.NAMES = demo_class.NAMES[:PUPILS]
    call_command("make_demo_class", verbosity=0)
    for name in ("Zoe", "Noa"):
        newcomer = Person(username=name.lower(), display_name=name)
        newcomer.set_consent(True)
        newcomer.save()
    found = {person.username: person for person in Person.objects.all()}
    found["ben"].set_password("a fine long password")
    found["ben"].save()
    make_token(found["ben"], label="My tablet")
    older_conversations(found["ada"])
    fill_library(found["grace"])
    read_by_a_teacher(found["ben"])
    fill_planner(found["ada"])
    for state in ("open", "answered"):
        questions_of_each_kind(found["ada"], state)
    return found


def older_conversations(person: Any) -> None:
    """Conversations of other days: one pinned, one put away, one in the trash."""
    from django.utils import timezone

    from conversations.history import actions
    from conversations.models import Session

    for number, title in enumerate(TITLES):
        session = said(person, f"older-{number}", "why do the parts have to be equal?", title=title)
        session.pinned, session.archived = number == 0, number == 3
        session.save()
        Session.objects.filter(pk=session.pk).update(updated_at=timezone.now() - timedelta(days=1 + 6 * number))
    actions.delete(session)
    Session.with_deleted.filter(pk=session.pk).update(deleted_at=timezone.now() - timedelta(days=2))


def fill_library(person: Any) -> None:
    """Put a text in a folder that the person's class can read."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from conversations.library import folders, reading_jobs, uploads
    from conversations.models import Document

    folder = folders.make_folder(person, "For the class")
    folders.share(folder, next(iter(folders.shareable_by(person))))
    book = uploads.accept(person, SimpleUploadedFile(BOOK, NOTES.encode()), in_library=True)
    reading_jobs.read_all()
    Document.objects.filter(pk=book.pk).update(folder=folder)


def fill_planner(person: Any) -> None:
    """Store a week's entries, and study sessions before the test."""
    from django.utils import timezone

    from agents.people import zone_named
    from tutoring.models import PlannerSettings
    from tutoring.planner.pages.place import Place
    from tutoring.planner.pages.quick_entries import add_entry
    from tutoring.planner.records.workspaces import workspace_for
    from tutoring.planner.tools.results import PlannerUse
    from tutoring.planner.tools.study import PlanStudy, plan_sessions

    now, workspace = timezone.now().astimezone(zone_named(person.zone)), workspace_for(person)
    chosen, _made = PlannerSettings.objects.get_or_create(owner=person)
    place = Place(person=person, workspace=workspace, chosen=chosen, now=now)
    for line in PLANNED:
        add_entry(place, line)
    plan_sessions(PlannerUse(person=person, workspace=workspace, now=now, use_key=""), PlanStudy())


def read_by_a_teacher(person: Any) -> None:
    from tutoring.models import Classroom

    for classroom in Classroom.objects.all():
        classroom.policy.conversations = "everything"
        classroom.policy.save()
    said(person, "lesson", "two of them are dark, so it is 2", title="One half")


def said(person: Any, key: str, words: str, *, title: str) -> Any:
    """Store a conversation of one turn, and return it."""
    from conversations.models import Message
    from tests.tutoring.small_course import make_turn

    turn = make_turn(person, key=key)
    turn.kind, turn.session.title = "message", title
    turn.save(update_fields=["kind"])
    turn.session.save(update_fields=["title"])
    reply = "Suppose one part is larger than the other. Which of them would you call the half?"
    Message.objects.create(session=turn.session, turn=turn, author="learner", text=words)
    Message.objects.create(session=turn.session, turn=turn, author="team", agent="tutor", text=reply)
    return turn.session


def questions_of_each_kind(person: Any, state: str) -> None:
    """Put a question of each kind into the conversation `kinds-STATE`."""
    from conversations.models import Message
    from tests.tutoring.small_course import make_turn
    from tutoring.courses.exercises.generator import make_exercise
    from tutoring.mastery.records.progress import open_question
    from tutoring.models import Course

    said(person, f"kinds-{state}", "show me every kind of question", title=f"Every kind of question, {state}")
    course = Course.objects.get(slug="fractions")
    catalogue = course.catalogue()
    for kind, name in KINDS.items():
        template = catalogue.template(name)
        turn = make_turn(person, key=f"kinds-{state}")
        question = open_question(
            learner=person, session=turn.session, turn=turn, concept=course.concepts.get(slug=template.concept),
            purpose="quiz", number=1, instance=make_exercise(template, seed=3, course=catalogue),
        )  # fmt: skip
        assert question.kind == kind
        card = {"kind": "question", "id": str(question.pk), "at": 0}
        Message.objects.create(session=turn.session, turn=turn, author="team", agent="quiz", cards=[card])
        if state == "answered":
            answer(question, person, right=kind not in MISTAKEN)


def answer(question: Any, person: Any, *, right: bool) -> None:
    """Answer the question; wrong as often as it takes to close it."""
    from tutoring.courses.exercises.sample_answers import right_answers, wrong_answer
    from tutoring.mastery.records.progress import max_attempts, record_attempt

    made = question.instance()
    tries = [right_answers(made)[0]] if right else [wrong_answer(made)] * max_attempts(question)
    for number, text in enumerate(tries):
        question.refresh_from_db()
        if question.is_open:
            record_attempt(question, learner=person, answer=text, idempotency_key=str(number))
