"""Another web process: `python -m tests.conversations.other_process DATABASE PERSON TURNS PER_MINUTE`.

Says `ready`, waits for a line, then begins and ends turns one after another; prints how many were not refused.
"""

import sys

import django


def main(database: str, person_pk: str, turns_wanted: str, per_minute: str) -> None:
    django.setup()
    # Models are there only now.
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.db import connection

    from agents.wire.rejections import Rejection
    from conversations.models import Turn
    from conversations.turns import handler
    from tests.conversations.turn_helpers import ScriptedHandler, begun

    connection.settings_dict["NAME"] = database
    settings.AGENTS = {"turns_per_minute": int(per_minute)}
    handler.register_turn_handler(ScriptedHandler())
    person = get_user_model().objects.get(pk=person_pk)
    print("ready", flush=True)
    sys.stdin.readline()
    accepted = 0
    for _ in range(int(turns_wanted)):
        try:
            turn = begun(person, key=None)
        except Rejection as rejection:
            if rejection.status != 429:
                raise
        else:
            accepted += 1
            Turn.objects.filter(pk=turn.pk).update(status="done")
    print(accepted, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
