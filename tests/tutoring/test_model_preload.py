"""When the server has loaded its models, no message is the first to wait for one."""

import pytest
from django.db import transaction

from agents.routing.classifier import load_classifier
from tutoring.mastery.diagnosis import labelled_examples
from tutoring.model_preload import load_models
from tutoring.models import Course
from tutoring.understanding.concerns import detector
from tutoring.understanding.routing import agent_selection

pytestmark = pytest.mark.django_db


def test_what_messages_are_compared_with_is_there(kept_fractions):
    """Within a transaction nothing is loaded or read: it would be an error here."""
    load_models()
    with transaction.atomic():
        for path in (detector.EXAMPLES, agent_selection.EXAMPLES):
            assert load_classifier(path).uses_model
        for course in Course.objects.all():
            assert labelled_examples.misconception_scores("", course.slug)
