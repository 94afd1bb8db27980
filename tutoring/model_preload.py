"""Loads what messages are understood by, so that no learner waits for it."""

from agents.local_models import embeddings
from agents.routing.classifier import load_classifier
from tutoring.hub import sayings
from tutoring.models import Course
from tutoring.routing import deciding
from tutoring.understanding import course_heads, encoder, fitting, safety
from tutoring.understanding.phrases import phrases_of


def load_models() -> None:
    """Load the embedded models, and read what the courses' messages are compared with. Takes seconds; for a thread."""
    embeddings.load()
    encoder.load()
    fitting.general()
    for language in safety.LANGUAGES:
        phrases_of(language)
    for path in (safety.EXAMPLES, deciding.EXAMPLES):
        load_classifier(path)
    for course in Course.objects.listed():
        sayings.speaks_for("", course.slug)
        if course_heads.heads_of(course.catalogue()) is None:
            course_heads.prepare(course.catalogue_with_wordings())
        course.wrong_answers()
