"""Courses for other programs: a ZIP of their files, questions as GIFT and QTI, cards for Anki."""
