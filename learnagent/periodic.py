"""The table of periodic work."""

from agents.periodic import Periodic, nightly
from conversations.library.document_files import remove_strays
from tutoring.records.refits import refit_courses

WORKS = (
    Periodic(name="refit of mastery", latest=nightly, do=refit_courses),
    Periodic(name="files without a document", latest=nightly, do=remove_strays),
)
