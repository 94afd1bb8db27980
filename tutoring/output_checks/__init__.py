"""What a text shown to a learner must not hold: an answer given away, words against the output policy."""
