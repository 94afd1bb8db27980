"""Routing: which agent of a team a message goes to, by rules, a small classifier and votes."""
