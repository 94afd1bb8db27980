"""People and what they allow."""

from django.contrib.auth.models import AbstractUser


class Person(AbstractUser):
    """Somebody who learns, teaches or runs the place."""
