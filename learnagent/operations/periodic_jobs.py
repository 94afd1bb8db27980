"""The table of periodic work."""

from agents.periodic_work import PeriodicJob, latest_hour, latest_minutes, latest_night
from agents.runtime.routing_records import forget_old_routing
from conversations.library.document_files import remove_strays
from conversations.phone.calls import forget_calls
from conversations.v1_storage.reconciler import reconcile_storages
from learnagent.accounts.guardians import forget_unanswered
from learnagent.accounts.personal_data.guests import erase_guests
from learnagent.lti.grades import send_due_grades
from tutoring.classes.retention import run_retention
from tutoring.insights.jobs import store_ended_periods
from tutoring.mastery.records.parameter_refits import refit_courses
from tutoring.planner.first_messages import write_first_messages
from tutoring.planner.open_memory import copy_notes
from tutoring.planner.reminders import remind
from tutoring.planner.webhooks import send_due_webhooks
from tutoring.reminders.review_mail import order_reminders
from tutoring.reports.guardian_mail import order_guardian_mails
from tutoring.reports.weekly_mail import order_summaries
from tutoring.xapi.delivery import send_due_records

PERIODIC_JOBS = (
    PeriodicJob(name="phone calls of a day ago", latest=latest_hour, do=forget_calls),
    PeriodicJob(name="guests of a day ago", latest=latest_hour, do=erase_guests),
    PeriodicJob(name="unanswered requests to guardians", latest=latest_night, do=forget_unanswered),
    PeriodicJob(name="refit of mastery", latest=latest_night, do=refit_courses),
    PeriodicJob(name="files without a document", latest=latest_night, do=remove_strays),
    PeriodicJob(name="routing of months ago", latest=latest_night, do=forget_old_routing),
    PeriodicJob(name="reminders of reviews", latest=latest_hour, do=order_reminders),
    PeriodicJob(name="weekly summaries of classes", latest=latest_hour, do=order_summaries),
    PeriodicJob(name="monthly pages of guardians", latest=latest_hour, do=order_guardian_mails),
    PeriodicJob(name="words older than agreed", latest=latest_night, do=run_retention),
    PeriodicJob(name="insights of weeks and months", latest=latest_hour, do=store_ended_periods),
    PeriodicJob(name="storages of v1 and v2", latest=latest_minutes(5), do=reconcile_storages),
    PeriodicJob(name="reminders of the planner", latest=latest_minutes(1), do=remind),
    PeriodicJob(name="first messages of the tutor", latest=latest_minutes(15), do=write_first_messages),
    PeriodicJob(name="notes on an OpenMemory server", latest=latest_minutes(1), do=copy_notes),
    PeriodicJob(name="webhooks of the planner", latest=latest_minutes(1), do=send_due_webhooks),
    PeriodicJob(name="grades for learning platforms", latest=latest_minutes(1), do=send_due_grades),
    PeriodicJob(name="learning records for the record store", latest=latest_minutes(1), do=send_due_records),
)
