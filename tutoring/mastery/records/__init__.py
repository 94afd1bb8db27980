"""What is kept of a learner: answers, mastery, misconceptions, cycles. One transaction for each use case."""
