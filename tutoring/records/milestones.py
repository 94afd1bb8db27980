"""Which milestones a learner has reached, by what is on record."""

from collections.abc import Collection, Mapping

from tutoring.courses.instances import WRITTEN
from tutoring.models import Attempt, Concept
from tutoring.rules import milestones
from tutoring.rules.misconceptions import SUSPECTED, Suspicion


def reached(
    learner_id: int, concept: Concept, *, said: Collection[str], suspicions: Mapping[str, Suspicion]
) -> list[bool]:
    """Return of each of the concept's milestones, in order, whether it is reached; one query.

    `said` are the ids of those said in the learner's own words.
    """
    right = Attempt.objects.filter(learner_id=learner_id, question__concept=concept, correct=True, assisted=False)
    used = list(right.exclude(question__template__startswith=WRITTEN).values_list("question__template", flat=True))
    suspected = {each.id for each in suspicions.values() if each.confidence >= SUSPECTED}
    every = concept.value().milestones
    return [milestones.is_reached(each, said=said, right_templates=used, suspected=suspected) for each in every]
