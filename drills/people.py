"""`python -m drills.people NAME…`: make the database, the courses and these learners; print their tokens as JSON."""

import json
import sys

import django
from django.core.management import call_command


def main(names: list[str]) -> None:
    django.setup()
    # Models are there only now.
    from learnagent.accounts.models import Person
    from learnagent.accounts.tokens import make_token

    call_command("migrate", verbosity=0)
    # Trying out each exercise many times is for who writes them: the server finds the courses loaded.
    call_command("load_courses", trials=1, stdout=sys.stderr)
    people = [Person.objects.create_user(name) for name in names]
    print(json.dumps([make_token(person, label="drill") for person in people]))


if __name__ == "__main__":
    main(sys.argv[1:])
