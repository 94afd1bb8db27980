"""How long the texts of model calls (prompts and answers) are kept."""

from datetime import timedelta

from django.utils import timezone

from agents.models import ModelCall

CALL_TEXT_RETENTION_DAYS = 30
"""How long what was said in a call stays on record, to find out what went wrong and to try prompts on."""


def erase_old_call_texts() -> int:
    """Forget what was said in calls older than WORDS_KEPT_DAYS; their figures stay. Return how many forgot."""
    old = ModelCall.objects.filter(
        started_at__lt=timezone.now() - timedelta(days=CALL_TEXT_RETENTION_DAYS), keeps_words=True
    )
    return old.update(asked={}, reply="", keeps_words=False)
