"""`python -m drills.scripted_learners.people`: make the learners that are named on stdin as `{name: age band}`; print what
signs them in as `{name: {token, browser}}`."""

import json
import sys

import django


def main() -> None:
    django.setup()
    # Models are there only now.
    from drills.learners import signed_in
    from learnagent.accounts.authentication.api_tokens import make_token
    from learnagent.accounts.models import Person

    known = {}
    for name, age_band in json.load(sys.stdin).items():
        person = Person.objects.create_user(name, age_band=age_band, level="beginner")
        known[name] = {"token": make_token(person, label="drill"), "browser": signed_in(person)}
    print(json.dumps(known))


if __name__ == "__main__":
    main()
