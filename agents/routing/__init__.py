"""Deciding which agent of a team a message is for: rules, a small classifier, votes; whose team it is, its owner says."""
