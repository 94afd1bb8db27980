"""Every page that has a picture: whose it is, where it stands, and what is done on it first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Page, expect
from stage import BOOK, KINDS

PHONE, DESK = "390", "1280"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A page as one picture shows it."""

    name: str
    path: str
    person: str = ""
    """Username; empty for somebody who is not signed in."""
    act: Callable[[Page], object] | None = None
    only: str | None = None
    """The one size at which there is something to see."""
    whole: bool = True
    """The whole page, or what the window shows of it."""
    parts: dict[str, str] = field(default_factory=dict)
    """Name of a picture → selector of the piece that it shows alone."""


def views(people: dict[str, Any], reset: str, link: str) -> Iterator[View]:
    yield from visitors(reset, link)
    yield from newcomers()
    yield from lessons()
    yield from own_things()
    yield from libraries(people["grace"])
    yield from placements(people["noa"])
    yield from teachers(people)
    yield View(name="prompts", person="root", path="/admin/agents/promptversion/")
    yield View(name="prompt", person="root", path="/admin/agents/promptversion/tutor/")
    yield View(name="flag", person="root", path="/admin/agents/flag/", act=open_flag)
    yield View(name="v1-imports", person="root", path="/admin/conversations/v1import/")


def visitors(reset: str, link: str) -> Iterator[View]:
    yield View(name="sign-in", path="/accounts/sign-in/")
    yield View(name="sign-in-refused", path="/accounts/sign-in/", act=sign_in_wrongly)
    yield View(name="sign-up", path="/accounts/sign-up/")
    yield View(name="sign-in-link", path=link)
    yield View(name="forgotten", path="/accounts/forgotten/")
    yield View(name="forgotten-asked", path="/accounts/forgotten/", act=ask_for_reset)
    yield View(name="reset", path=reset)
    yield View(name="reset-too-late", path="/accounts/reset/1.used/")
    yield View(name="offline", path="/offline/")
    yield View(name="not-found", path="/nowhere/")
    yield View(name="refused", path="/accounts/sign-in/", act=post_without_token)
    yield View(name="broken", path="/accounts/sign-in/", act=break_down)


def newcomers() -> Iterator[View]:
    for name, path in {
        "home-new": "/",
        "course-new": "/learn/fractions/",
        "talk": "/talk/",
        "conversations-none": "/c/",
        "archive-none": "/c/?show=archived",
        "trash-none": "/c/?show=trash",
        "progress-none": "/progress/",
        "classes-none": "/accounts/classes/",
        "consent": "/accounts/consent/",
    }.items():
        yield View(name=name, person="zoe", path=path)


def lessons() -> Iterator[View]:
    lesson = "/learn/fractions/one-half/"
    for name, path in {
        "home": "/",
        "learn": "/learn/",
        "course": "/learn/fractions/",
        "lesson-wishes": "/learn/lesson/fractions-one-half/",
        "progress": "/progress/",
        "evidence": "/progress/fractions/one-half/",
        "transcript": "/c/fractions-one-half/transcript/",
        "conversations": "/c/",
        "search": "/c/?q=equal",
        "search-none": "/c/?q=zebra",
        "archive": "/c/?show=archived",
        "trash": "/c/?show=trash",
    }.items():
        yield View(name=name, person="ada", path=path)
    for name, path, act, only in (
        ("lesson", lesson, show_contrast_case, None),
        ("question", "/learn/fractions/unit-fractions/", None, None),
        ("story", lesson, unfold_story, None),
        ("edit", "/learn/fractions/several-parts/", edit, None),
        ("versions", "/learn/fractions/several-parts/", step_back, None),
        ("keys", lesson, open_keys, None),
        ("look", "/", open_look, None),
        ("conversation-menu", lesson, open_conversation_menu, None),
        ("board", lesson, draw, None),
        ("sound", lesson, open_sound, None),
        ("menu", "/", lambda page: page.get_by_role("button", name="Menu").click(), PHONE),
        ("team", lesson, lambda page: page.get_by_role("button", name="The team").click(), PHONE),
    ):
        yield View(name=name, person="ada", path=path, act=act, only=only, whole=False)
    yield View(name="lobby", person="ada", path="/talk/", whole=False)
    yield View(name="answer", person="ada", path="/talk/", act=ask_the_team)
    yield View(name="answer-story", person="ada", path="/talk/", act=unfold_answer, whole=False)
    yield View(name="round-table-start", person="ada", path="/round-table/")
    yield View(name="round-table-refused", person="ada", path="/round-table/", act=start_empty_table)
    yield View(name="round-table", person="ada", path="/round-table/", act=hold_table)
    yield View(name="insights", person="ada", path="/progress/insights/")
    yield View(name="asked", person="ada", path="/progress/asked/")
    yield View(name="review", person="demo-mira", path="/progress/review/")
    yield View(name="review-question", person="demo-tom", path="/progress/review/", act=ask_for_review)
    monday = date.today() + timedelta(days=7 - date.today().weekday())
    for name, path in {
        "planner": "/planner/",
        "planner-week": f"/planner/week/?day={monday}",
        "planner-tasks": "/planner/tasks/",
        "planner-meals": "/planner/meals/",
        "planner-notes": "/planner/notes/",
        "planner-settings": "/planner/settings/",
    }.items():
        yield View(name=name, person="ada", path=path)
    yield View(name="planner-none", person="zoe", path="/planner/")
    yield View(name="planner-talk", person="zoe", path="/talk/", act=plan_the_week, whole=False)
    for state in ("open", "answered"):
        parts = {f"kind-{kind}-{state}": f".turn:nth-child({place}) .question" for place, kind in enumerate(KINDS, 2)}
        yield View(name=f"kinds-{state}", person="ada", path=f"/c/kinds-{state}/", parts=parts)


def own_things() -> Iterator[View]:
    for name in ("profile", "password", "email", "sessions", "tokens", "classes", "data", "erase", "phone"):
        yield View(name=name, person="ben", path=f"/accounts/{name}/")


def libraries(person: Any) -> Iterator[View]:
    book = person.documents.get(name=BOOK)
    yield View(name="library-none", person="zoe", path="/library/")
    yield View(name="library", person="grace", path="/library/")
    yield View(name="library-folder", person="grace", path=f"/library/?folder={book.folder_id}")
    yield View(name="library-found", person="grace", path="/library/?q=equal+parts")
    yield View(name="document", person="grace", path=f"{book.get_absolute_url()}?at=2#passage-2")
    yield View(name="document-delete", person="grace", path=f"{book.get_absolute_url()}delete/")


def placements(person: Any) -> Iterator[View]:
    under_way, stopped = person.conversations.order_by("pk")
    yield View(name="placement", person="noa", path=f"/c/{under_way.key}/", whole=False)
    yield View(name="path", person="noa", path=f"/c/{stopped.key}/", whole=False)


def teachers(people: dict[str, Any]) -> Iterator[View]:
    from tutoring.models import Classroom

    learner = f"/teach/demo-4b/{people['demo-mira'].pk}/"
    evening = f"/teach/{Classroom.objects.exclude(code='demo-4b').get().code}/"
    session = people["ben"].conversations.get(key="lesson")
    for name, path in {
        "teach": "/teach/",
        "class": "/teach/demo-4b/",
        "class-nearly-empty": evening,
        "class-settings": "/teach/demo-4b/settings/",
        "class-learner": learner,
        "class-evidence": f"{learner}fractions/equal-parts/",
        "class-conversation": f"{evening}{people['ben'].pk}/conversations/{session.pk}/",
    }.items():
        yield View(name=name, person="grace", path=path)


def show_contrast_case(page: Page) -> None:
    """Scroll to where the idea was tested."""
    page.locator(".said", has_text="these two pieces").evaluate(
        "said => scrollTo({top: scrollY + said.getBoundingClientRect().top - 110, behavior: 'instant'})"
    )


def unfold_story(page: Page) -> None:
    show_contrast_case(page)
    page.locator("details.how").nth(1).locator("summary").click()
    story = page.locator(".story").first
    expect(story).to_be_visible()
    story.evaluate("story => scrollTo({top: scrollY + story.getBoundingClientRect().top - 260, behavior: 'instant'})")


def ask_for_review(page: Page) -> None:
    if page.locator(".question").count() == 0:  # It is open since the picture before.
        page.locator("main form[action$='review/'] button").first.click()
        expect(page.locator(".question")).to_be_visible()


def ask_the_team(page: Page) -> None:
    """Ask an open question that the articles answer, and one that refers to it."""
    for text in ("How do lists differ from dictionaries in Python?", "How do I change them?"):
        replies = page.locator(".turn").count()
        page.locator("#say-text, #message").first.fill(text)
        page.get_by_role("button", name="Send", exact=True).first.click()
        expect(page.locator(".turn")).to_have_count(replies + 1)
        expect(page.locator("#composer")).to_have_attribute("data-state", "ready")


def plan_the_week(page: Page) -> None:
    """Ask for a test, a week around football, and a reminder, in one message."""
    page.locator("#say-text").fill(
        "I have a fractions test next Friday, plan my week around football on Tuesday and Thursday at five, and remind "
        "me to eat before"
    )
    page.get_by_role("button", name="Send", exact=True).first.click()
    expect(page.locator("#composer")).to_have_attribute("data-state", "ready")
    page.locator(".turn").last.evaluate("turn => turn.scrollIntoView({block: 'start', behavior: 'instant'})")


def hold_table(page: Page) -> None:
    """Hold a table of all voices to its end."""
    page.locator("#question").fill("Was the invention of the fraction more useful than zero? Discuss.")
    for voice in page.locator("[name=agents]").all():
        voice.check()
    page.get_by_role("button", name="Start the round table").click()
    expect(page.get_by_role("button", name="One more round")).to_be_visible(timeout=60_000)


def start_empty_table(page: Page) -> None:
    page.locator("#question").fill("Was the invention of the fraction more useful than zero? Discuss.")
    for voice in page.locator("[name=agents]").all():
        voice.uncheck()
    page.get_by_role("button", name="Start the round table").click()
    page.locator("#table-error").wait_for()


def unfold_answer(page: Page) -> None:
    ask_the_team(page)
    page.locator("details.how").last.locator("summary").first.click()
    page.locator(".story").last.evaluate("story => story.scrollIntoView({block: 'start', behavior: 'instant'})")


def edit(page: Page) -> None:
    _open_asides(page)
    page.get_by_role("button", name="Edit what you said").last.click()
    expect(page.get_by_role("textbox", name="Your message")).to_be_focused()


def _open_asides(page: Page) -> None:
    from tests.e2e.page_actions import open_asides

    open_asides(page)


def step_back(page: Page) -> None:
    _open_asides(page)
    page.get_by_role("link", name="Previous version").click()
    expect(page.get_by_text("what of ribons")).to_be_visible()


def open_keys(page: Page) -> None:
    page.locator("h1").click()
    page.keyboard.press("?")


def open_look(page: Page) -> None:
    if page.get_by_role("button", name="Menu").is_visible():
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Colors, text size and language").click()


def draw(page: Page) -> None:
    """Draw two rectangles of different sizes on the board."""
    page.get_by_role("button", name="Draw", exact=True).click()
    for start, end in (((80, 120), (520, 480)), ((620, 120), (820, 480))):
        page.get_by_role("button", name="Rectangle", exact=True).click()
        box = page.locator(".board-paper").bounding_box()
        assert box
        (x, y), (to_x, to_y) = (
            (box["x"] + across * box["width"] / 1000, box["y"] + down * box["height"] / 700)
            for across, down in (start, end)
        )
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=3)
        page.mouse.up()
    expect(page.locator("#board-seen")).to_have_text("Seen by the tutor")


def open_sound(page: Page) -> None:
    page.get_by_role("button", name="Speaking and listening").first.click()
    expect(page.locator("#sound")).to_be_visible()


def open_conversation_menu(page: Page) -> None:
    page.get_by_role("button", name="This conversation", exact=True).click()


def open_flag(page: Page) -> None:
    page.get_by_role("link", name="The panel", exact=True).click()
    expect(page.get_by_role("heading", name="The panel", exact=True)).to_be_visible()


def sign_in_wrongly(page: Page) -> None:
    page.get_by_label("Username").fill("ada")
    page.locator("[type=password]").first.fill("not this one")
    with page.expect_navigation():
        page.locator("main form button[type=submit]").first.click()


def ask_for_reset(page: Page) -> None:
    page.locator("main form input:not([type=hidden])").first.fill("ben")
    with page.expect_navigation():
        page.locator("main form button[type=submit]").first.click()


def post_without_token(page: Page) -> None:
    with page.expect_navigation():
        page.locator("[name=csrfmiddlewaretoken]").first.evaluate("field => { field.value = ''; field.form.submit() }")


def break_down(page: Page) -> None:
    from django.template.loader import render_to_string

    page.route("**/accounts/sign-up/", lambda route: route.fulfill(body=render_to_string("500.html"), status=500))
    page.goto(page.url.replace("sign-in", "sign-up"))
