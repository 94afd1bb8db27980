"""`python -m drills.learners NAME…`: make the database, the courses and these learners; print as JSON what signs them in: `tokens`
of their programs, and the session keys of their `browsers`.

They agree to models outside, and have budgets that hold whatever a drill spends: so it is counted.
"""

import json
import sys
from decimal import Decimal
from typing import Any

import django
from django.core.management import call_command

BUDGET_USD = Decimal(1000)


def main(names: list[str]) -> None:
    django.setup()
    # Models are there only now.
    from agents.usage.budgets import set_budget
    from learnagent.accounts.authentication.api_tokens import make_token
    from learnagent.accounts.models import Person

    call_command("migrate", verbosity=0)
    # Trying out each exercise many times is for who writes them: the server finds the courses loaded.
    call_command("load_courses", trials=1, stdout=sys.stderr)
    people = [Person.objects.create_user(name) for name in names]
    for person in people:
        person.set_consent(True)
        person.save()
    for account in ("site", *(f"person:{name}" for name in names)):
        set_budget(account, usd_per_day=BUDGET_USD)
    tokens = [make_token(person, label="drill") for person in people]
    print(json.dumps({"tokens": tokens, "browsers": [signed_in(person) for person in people]}))


def signed_in(person: Any) -> str:
    """Sign the person in as a browser would be; return the session's key."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from learnagent.accounts.authentication.sessions import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return str(session.session_key)


if __name__ == "__main__":
    main(sys.argv[1:])
