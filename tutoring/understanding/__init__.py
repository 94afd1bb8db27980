"""What a learner's message says: read once a turn, as one value that everything else uses."""
