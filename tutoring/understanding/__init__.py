"""Analysis of a learner's message: done once per turn, as one value that everything else uses."""
