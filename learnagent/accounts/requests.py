"""A request of somebody who is signed in, as the views of accounts see it."""

from django.http import HttpRequest

from learnagent.accounts.models import Person


class PersonRequest(HttpRequest):
    """What `login_required` lets through."""

    user: Person
