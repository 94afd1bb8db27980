"""Retention of model call texts (prompts and answers)."""

from datetime import timedelta

from django.utils import timezone

from agents.models import ModelCall

CALL_TEXT_RETENTION_DAYS = 30
"""How long call texts are kept, to find out what went wrong and to try prompts on."""


def erase_old_call_texts() -> int:
    """Delete the texts of calls older than CALL_TEXT_RETENTION_DAYS; their figures stay. Return the number of calls."""
    old = ModelCall.objects.filter(
        started_at__lt=timezone.now() - timedelta(days=CALL_TEXT_RETENTION_DAYS), keeps_words=True
    )
    return old.update(asked={}, reply="", keeps_words=False)
