"""Views of rosters, for teachers."""
