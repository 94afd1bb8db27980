"""The people of every test: Ada learns, Ben learns beside her, Grace teaches Ada, Eve is a stranger, Root is an admin.

Plain functions that make one row each. Nobody has a password unless one is given: tests sign in with `force_login`.
"""

from typing import Any

from django.contrib.auth import get_user_model

PASSWORD = "correct horse battery"


def make_person(username: str, **fields: Any) -> Any:
    """Store and return a person. `consent=True` notes it as of now; `password` makes signing in by password possible."""
    consent = fields.pop("consent", False)
    person = get_user_model().objects.create_user(username, fields.pop("password", None), **fields)
    if consent:
        person.set_consent(True)
        person.save(update_fields=["consented_at", "consent_decided_at"])
    return person


def make_ada(**fields: Any) -> Any:
    """A child who learns. Nothing of hers may leave the house."""
    return make_person("ada", **{"display_name": "Ada", "age_band": "child", "level": "beginner", **fields})


def make_ben(**fields: Any) -> Any:
    """An adult who learns beside her, and has consented to outside models."""
    return make_person("ben", **{"display_name": "Ben", "consent": True, **fields})


def make_grace(**fields: Any) -> Any:
    """Ada's teacher. The class in which she teaches her is made by the test that needs it."""
    return make_person("grace", **{"display_name": "Grace", "role": "teacher", "consent": True, **fields})


def make_eve(**fields: Any) -> Any:
    """A learner who has nothing to do with the others."""
    return make_person("eve", **{"display_name": "Eve", **fields})


def make_root(**fields: Any) -> Any:
    """An admin."""
    return make_person("root", **{"display_name": "Root", "role": "admin", **fields})
