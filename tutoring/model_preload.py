"""Loads the models that analyze messages, so that no learner waits for it."""

from agents.local_models import embeddings
from agents.routing.classifier import load_classifier
from agents.runtime.routing_words import words_in_force
from tutoring.mastery.diagnosis import labelled_examples
from tutoring.models import Course
from tutoring.planner import routing as companion_routing
from tutoring.understanding import course_answers
from tutoring.understanding.classifiers import course_heads, encoder, general_heads
from tutoring.understanding.concerns import detector
from tutoring.understanding.concerns.phrase_files import compile_phrases
from tutoring.understanding.routing import agent_selection
from tutoring.understanding.training import course_heads_fitting


def load_models() -> None:
    """Load the embedded models and the courses' reference wordings. Takes seconds; run it in a thread."""
    embeddings.load()
    encoder.load()
    general_heads.load_general_heads()
    for language in detector.LANGUAGES:
        compile_phrases(language)
    for path in (detector.EXAMPLES, agent_selection.EXAMPLES, companion_routing.EXAMPLES):
        load_classifier(path)
    words_in_force(companion_routing.SURFACE.name)
    for course in Course.objects.listed():
        labelled_examples.misconception_scores("", course.slug)
        if course_heads.load_course_heads(course.catalogue()) is None:
            course_heads_fitting.prepare_course_heads(course.catalogue_with_wordings())
        course_answers.embed_ideas(course.catalogue())
        course.wrong_answers()
