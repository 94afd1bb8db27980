"""The contacts that a person keeps through an agent."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from agents.people import Person

CONTACT_NAME_MAX_LENGTH = 200
NOTES_MAX_LENGTH = 2_000
USE_KEY_MAX_LENGTH = 200


class ContactQuerySet(models.QuerySet["Contact"]):
    def owned_by(self, person: Person) -> "ContactQuerySet":
        """The person's own; nobody else sees them."""
        return self.filter(owner_id=person.pk)


class Contact(models.Model):
    """Somebody with whom a person wants to keep in touch. Only the owner can read the entry."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="contacts")
    name = models.CharField(max_length=CONTACT_NAME_MAX_LENGTH)
    organization = models.CharField(max_length=CONTACT_NAME_MAX_LENGTH, blank=True)
    notes = models.TextField(blank=True, max_length=NOTES_MAX_LENGTH)
    last_contacted_on = models.DateField(null=True, blank=True)
    use_key = models.CharField(max_length=USE_KEY_MAX_LENGTH, blank=True, editable=False)
    """The tool use that added it: a turn that runs again adds it once."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[models.Manager["Contact"]] = ContactQuerySet.as_manager()

    class Meta:
        verbose_name = _("contact")
        verbose_name_plural = _("contacts")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "use_key"], condition=~models.Q(use_key=""), name="a_use_adds_one_contact"
            )
        ]

    def __str__(self) -> str:
        return self.name
