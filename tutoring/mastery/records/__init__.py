"""Stored records of a learner: answers, mastery, misconceptions, cycles. One transaction per use case."""
