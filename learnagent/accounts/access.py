"""The doors to an account's own rows. A stranger finds nothing: 404, as if it were not there."""

from django.http import Http404

from learnagent.accounts.models import ApiToken, Person


def token_for(person: Person, pk: int) -> ApiToken:
    """Return the person's own API token. Raises Http404."""
    token = ApiToken.objects.filter(owner=person, pk=pk).first()
    if token is None:
        raise Http404
    return token
