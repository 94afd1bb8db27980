"""Routing of a message to one agent of a team: rules, a small classifier, votes. The team's owner supplies the data."""
