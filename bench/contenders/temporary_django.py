"""A Django with a database of its own, for contenders that store things."""

import os
import tempfile
from functools import cache


@cache
def prepare_django() -> str:
    """Set Django up on a fresh SQLite file; return its folder, which goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="bench-")
    os.environ["LEARNAGENT_DATA"] = folder.name
    os.environ["DJANGO_SETTINGS_MODULE"] = "learnagent.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    _folders.append(folder)
    return folder.name


_folders: list[tempfile.TemporaryDirectory[str]] = []
"""Kept until the process ends: a folder nobody holds is removed at once."""
