"""Making people."""

import uuid
from typing import TYPE_CHECKING, Any

from django.contrib.auth.base_user import BaseUserManager

if TYPE_CHECKING:
    from learnagent.accounts.models import Person


class PersonManager(BaseUserManager["Person"]):
    """The ways a person comes to be. Without a password, only a link or a token lets them in."""

    def create_user(self, username: str, password: str | None = None, **fields: Any) -> "Person":
        """Store a checked person. Raises ValidationError, by field, and stores nothing then."""
        person = self.model(username=self.model.normalize_username(username), **fields)
        person.set_password(password)
        person.full_clean()
        person.save(using=self._db)
        return person

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "Person":
        return self.create_user(username, password, **{**fields, "role": "admin"})

    def create_guest(self) -> "Person":
        """Store somebody without an account, who cannot sign in. They may be a child, so nothing of theirs leaves here."""
        return self.create_user(f"guest-{uuid.uuid4().hex}", is_guest=True, is_active=False, age_band="child")
