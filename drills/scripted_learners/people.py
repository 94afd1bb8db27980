"""`python -m drills.scripted_learners.people`: make the learners that are named on stdin as `{name: age band}`, and fit the
classifiers to the courses; print what signs the learners in as `{name: {token, browser}}`.

The argument is `{flag: side}`, on which each learner's conversation of their own name begins; `{}` for the flags' settings.
"""

import json
import sys

import django


def main() -> None:
    django.setup()
    # Models are there only now.
    from conversations.models import Session
    from drills.learners import signed_in
    from learnagent.accounts.authentication.api_tokens import make_token
    from learnagent.accounts.models import Person
    from tutoring import model_preload

    known, sides = {}, json.loads(sys.argv[1])
    for name, age_band in json.load(sys.stdin).items():
        person = Person.objects.create_user(name, age_band=age_band, level="beginner")
        if sides:
            Session.objects.create(owner=person, key=name, flags=sides)
        known[name] = {"token": make_token(person, label="drill"), "browser": signed_in(person)}
    # Fitted to the courses before the lessons begin: until then a server understands less.
    model_preload.load_models()
    print(json.dumps(known))


if __name__ == "__main__":
    main()
