"""`python -m drills.sessions NAME…`: sign people in, as their browsers would; print their session cookies as JSON."""

import json
import sys

import django


def main(names: list[str]) -> None:
    django.setup()
    # Models are there only now.
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from learnagent.accounts.models import Person
    from learnagent.accounts.sessions import SessionStore

    cookies = []
    for name in names:
        person, session = Person.objects.get(username=name), SessionStore()
        session[SESSION_KEY] = str(person.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = person.get_session_auth_hash()
        session.create()
        cookies.append(str(session.session_key))
    print(json.dumps(cookies))


if __name__ == "__main__":
    main(sys.argv[1:])
