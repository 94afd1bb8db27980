"""The doors to an account's own rows. A stranger finds nothing: 404, as if it were not there."""

from uuid import UUID

from django.http import Http404

from learnagent.accounts.models import ApiToken, DataCopy, Person


def token_for(person: Person, pk: int) -> ApiToken:
    """Return the person's own API token. Raises Http404."""
    token = ApiToken.objects.filter(owner=person, pk=pk).first()
    if token is None:
        raise Http404
    return token


def copy_for(person: Person, pk: UUID) -> DataCopy:
    """Return the person's own copy of their data, if it is ready. Raises Http404."""
    copy = DataCopy.objects.filter(person=person, pk=pk).exclude(ready_at=None).first()
    if copy is None:
        raise Http404
    return copy
