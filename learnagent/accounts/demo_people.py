"""Four people and a class to try things with, and links to become one of them."""

from django.db import transaction
from django.utils.translation import gettext as _

from learnagent.accounts.authentication.sign_in_links import sign_in_address
from learnagent.accounts.models import AgeBand, Level, Person, Role
from tutoring.classes.membership import join_class, make_class

DEMO_PEOPLE = (
    ("ada", "Ada", Role.LEARNER, AgeBand.CHILD, Level.BEGINNER),
    ("ben", "Ben", Role.LEARNER, AgeBand.ADULT, Level.UNKNOWN),
    ("grace", "Grace", Role.TEACHER, AgeBand.ADULT, Level.ADVANCED),
    ("root", "Root", Role.ADMIN, AgeBand.ADULT, Level.UNKNOWN),
)


@transaction.atomic
def make_demo_people() -> list[Person]:
    """Make the demo people, and Grace's class with Ben in it, if there is nobody at all; return whom this made.

    They have no passwords, and have not consented to outside models.
    """
    if Person.objects.exists():
        return []
    made = {facts[0]: _make(*facts) for facts in DEMO_PEOPLE}
    classroom = make_class(made["grace"], _("Evening class"))
    join_class(made["ben"], classroom.code)
    return list(made.values())


def _make(username: str, display_name: str, role: Role, age_band: AgeBand, level: Level) -> Person:
    person = Person(
        username=username, display_name=display_name, role=role, age_band=age_band, level=level, is_demo=True
    )
    person.set_unusable_password()
    person.full_clean()
    person.save()
    return person


def sign_in_links() -> list[tuple[Person, str]]:
    """Return each demo person with a fresh whole address that signs them in once."""
    people = Person.objects.filter(is_demo=True, is_active=True).order_by("pk")
    return [(person, sign_in_address(person)) for person in people]
