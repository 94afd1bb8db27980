"""`python -m tests.conversations.v1_storage.killed_import FILE`: imports it on a database of its own, killed on the way.

Prints as JSON the rows stored when it was killed, those after going on, and after one more import; and the verification.
"""

import json
import os
import signal
import sys
from pathlib import Path
from time import sleep
from typing import Any

import django

KILLED_FROM = 300


def main(path: Path) -> None:
    django.setup()
    from django.contrib.auth import get_user_model
    from django.db import connections

    from conversations.models import Capture, Message, Turn

    owner = get_user_model().objects.create(username="ada")
    # A connection must not be shared with the child.
    connections.close_all()
    child = os.fork()
    if child == 0:
        imported(path, owner)
        os._exit(0)
    while Capture.objects.count() < KILLED_FROM:
        sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    def stored() -> list[int]:
        return [model._default_manager.count() for model in (Capture, Turn, Message)]

    counts = [stored()]
    for _ in range(2):
        imported(path, owner)
        counts.append(stored())
    print(json.dumps({"counts": counts, "is_equal": verified(path)}))


def imported(path: Path, owner: Any) -> None:
    from conversations.v1_storage.importer import import_file
    from conversations.v1_storage.owners import SessionOwners
    from conversations.v1_storage.v1_file import V1File

    with V1File(path) as file:
        import_file(file, file.summarize(), SessionOwners(everybody=owner))


def verified(path: Path) -> bool:
    from conversations.v1_storage.v1_file import V1File
    from conversations.v1_storage.verifier import verify_file

    with V1File(path) as file:
        return verify_file(file, file.summarize()).is_equal


if __name__ == "__main__":
    main(Path(sys.argv[1]))
