"""A pupil opens a topic in a frame of a learning platform at another site, where no cookie of ours is kept."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from learnagent.lti.models import Platform
from tests.learnagent.lti.platform_server import (
    CLIENT_ID,
    DEPLOYMENT,
    ISSUER,
    TEACHER,
    LearningPlatform,
    key_pair,
    platform_server,
)
from tutoring.models import Membership

NO_COOKIES_IN_FRAMES = "--test-third-party-cookie-phaseout"


@pytest.fixture
def strict_browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser that keeps no cookies of another site's frames."""
    launched = browser_type.launch(
        **{**browser_type_launch_args, "args": [*browser_type_launch_args["args"], NO_COOKIES_IN_FRAMES]}
    )
    yield launched
    launched.close()


@pytest.fixture
def lms(url: str) -> Iterator[LearningPlatform]:
    with platform_server(key_pair(), url) as platform:
        # Another host than ours, so that the browser takes it for another site.
        platform.url = platform.url.replace("127.0.0.1", "localhost")
        platform.pages["/course"] = lambda path: f'<iframe name="tool" src="{platform.announce()}"></iframe>'
        addresses = {name: f"{platform.url}/{path}" for name, path in (("auth_url", "auth"), ("jwks_url", "keys"))}
        Platform.objects.create(
            name="Moodle", issuer=ISSUER, client_id=CLIENT_ID, deployments=DEPLOYMENT, token_url=platform.url, **addresses
        )  # fmt: skip
        yield platform


def come_as(lms: LearningPlatform, **user: Any) -> None:
    """Let the platform say that this person opens the topic One half."""

    def page(path: str) -> str:
        message = lms.message(path, **user)
        message.set_custom_parameters_claim({"learnagent_concept": "fractions/one-half"})
        message.set_ags(f"{lms.url}/lineitems", lms.line_item)
        sent = message.lti_launch()
        fields = "".join(f'<input type="hidden" name="{name}" value="{sent[name]}">' for name in ("state", "id_token"))
        form = f'<form method="post" action="{sent["launch_url"]}">{fields}</form>'
        return f"{form}<script>document.forms[0].submit()</script>"

    lms.pages["/auth"] = page


def opened(page: Page, lms: LearningPlatform) -> Page:
    """Press the button in the frame; return the tab that opens."""
    page.goto(f"{lms.url}/course")
    with page.expect_popup() as tab:
        page.frame_locator("iframe").get_by_role("button", name="Open learnagent").click()
    return tab.value


def test_a_pupil_gets_from_a_frame_to_the_topic(
    lms: LearningPlatform, strict_browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    places = [strict_browser.new_context(**browser_context_args) for _person in range(2)]
    faults: list[str] = []
    for context in places:
        context.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    come_as(lms, user_id="teacher-1", lis_roles=[TEACHER], full_name="Tom Berger")
    board = opened(places[0].new_page(), lms)
    expect(board.get_by_role("heading", level=1)).to_have_text("Maths 4b")
    come_as(lms)
    tab = opened(places[1].new_page(), lms)
    expect(tab.get_by_text("your score on it is sent to Moodle as a grade")).to_be_visible()
    tab.get_by_role("button", name="Join class").click()
    expect(tab).to_have_title("One half · learnagent")
    assert Membership.objects.filter(role="learner").count() == 1
    assert faults == []
    for context in places:
        context.close()
