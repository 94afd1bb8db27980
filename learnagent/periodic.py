"""The table of periodic work."""

from agents.periodic import Periodic, nightly
from tutoring.records.refits import refit_courses

WORKS = (Periodic(name="refit of mastery", latest=nightly, do=refit_courses),)
