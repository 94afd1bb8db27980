"""The ASGI application: HTTP pages beside sockets."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
http_application = get_asgi_application()  # Before anything that imports models.

application = http_application
