"""A registered platform, and a browser that follows its launches."""

from urllib.parse import urlsplit

import pytest

from learnagent.lti.keys import key_set, make_first_key
from learnagent.lti.models import Platform
from tests.learnagent.lti.platform_server import CLIENT_ID, DEPLOYMENT, ISSUER, TEACHER, key_pair, platform_server
from tests.tutoring.small_course import make_course


@pytest.fixture(scope="session")
def platform_keys():
    return key_pair()


@pytest.fixture
def lms(platform_keys, settings):
    with platform_server(platform_keys, settings.PUBLIC_URL) as platform:
        yield platform


@pytest.fixture
def registered(db, lms):
    return Platform.objects.create(
        name="Moodle",
        issuer=ISSUER,
        client_id=CLIENT_ID,
        deployments=f"{DEPLOYMENT}\nother",
        auth_url=f"{lms.url}/auth",
        token_url=f"{lms.url}/token",
        jwks_url=f"{lms.url}/keys",
    )


@pytest.fixture
def course(db):
    return make_course()


@pytest.fixture
def half(course):
    return course.concepts.get(slug="one_half")


def path_of(address):
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


@pytest.fixture
def begun(client, lms, registered):
    """Announce a launch; return the address at which the platform is asked who it is."""

    def begin():
        return client.get(path_of(lms.announce()))["Location"]

    return begin


@pytest.fixture
def launch(client, lms, begun):
    """Let somebody follow a link on the platform; return the page that comes."""

    def follow(*, concept=None, grades=False, **user):
        message = lms.message(begun(), **user)
        if concept:
            message.set_custom_parameters_claim({"learnagent_concept": concept})
        if grades:
            message.set_ags(f"{lms.url}/lineitems", lms.line_item)
        sent = message.lti_launch()
        return client.post("/lti/launch/", {"state": sent["state"], "id_token": sent["id_token"]})

    return follow


@pytest.fixture
def enter(client, launch):
    """Let somebody follow a link and press the button; return where they are sent."""

    def follow(**facts):
        page = launch(**facts)
        assert page.status_code == 200, page.content
        return client.post("/lti/open/", {"ticket": page.context["ticket"]})

    return follow


@pytest.fixture
def taught(enter):
    """The teacher has opened the link once, so that the class is there."""
    enter(user_id="teacher-1", lis_roles=[TEACHER], full_name="Tom Berger")


@pytest.fixture
def trusted(lms, registered):
    """The platform knows the keys of learnagent as they are now."""
    make_first_key()
    lms.registration.set_tool_key_set(key_set())
