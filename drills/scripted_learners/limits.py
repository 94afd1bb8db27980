"""How much of each fault the learners' turns may have."""

LIMITS = {"bounced": 0, "repeated": 0, "dead_ends": 0, "unjudged": 0}
"""By counter, over all learners. What has no limit here is counted and shown."""
ANSWERS_TO_MASTERY = 9
"""The median over the concepts of the learners that answer rightly."""
REPEATS_WITHIN = 10
"""Turns in which a sentence of the tutor may come once."""
SENTENCE_WORDS = 4
"""Shorter sentences are labels, such as “Not yet.”, and may come again."""
