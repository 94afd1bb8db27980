"""What a learner knows: the mastery model, evidence, placement, paths, reviews."""
