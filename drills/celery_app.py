"""learnagent's Celery in a hurry: messages are delivered again after seconds, and recurring work is due every second."""

import os
from datetime import timedelta

from learnagent.celery import app  # First: it sets up Django.

from drills.counted_jobs import PERIODIC_JOB  # isort: skip
from learnagent.operations import recurring_work

app.conf.update(include=[__name__])  # Also in the processes of the pool.
app.conf.broker_transport_options["visibility_timeout"] = 3
app.conf.beat_schedule["recurring work"]["schedule"] = 1.0
if limit := os.environ.get("DRILL_JOB_LIMIT_S"):
    app.conf.task_time_limit = float(limit)
recurring_work.PAUSE = timedelta(0)
recurring_work.PERIODIC_JOBS = (PERIODIC_JOB,)
