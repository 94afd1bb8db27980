"""learnagent's Celery with short times: messages are delivered again after 3 s, and recurring work is due every second."""

import os
from datetime import timedelta

from learnagent import celery  # First: it sets up Django.

from drills.counted_jobs import PERIODIC_JOB  # isort: skip
from learnagent.operations import recurring_work

app = celery.app
app.conf.update(include=[__name__])  # Also in the processes of the pool.
app.conf.broker_transport_options["visibility_timeout"] = 3
app.conf.beat_schedule["recurring work"]["schedule"] = 1.0
if limit := os.environ.get("DRILL_JOB_LIMIT_S"):
    celery.TIME_LIMIT_S = int(limit)
recurring_work.PAUSE = timedelta(0)
recurring_work.PERIODIC_JOBS = (PERIODIC_JOB,)
