"""The model of what a learner knows: mastery, evidence, placement, paths, reviews."""
