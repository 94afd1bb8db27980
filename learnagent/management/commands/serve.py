"""`manage.py serve`: what `make run` starts. Daphne, with a graceful end, and a worker beside it."""

import asyncio
import logging
import os
import signal
import socket
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from learnagent.backends.sqlite_library import REQUEST_WAITS_S
from learnagent.configuration.environment import environment
from learnagent.operations.database_readiness import exclusive_preparation, wait_for_locks

SOCKET_TIMEOUT_S = 3600


class Command(BaseCommand):
    help = "Prepares the database, prints sign-in links for the demo accounts, and serves until it is stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        self._refuse_taken_port()
        with exclusive_preparation(self.stdout.write):
            self._prepare()
        wait_for_locks(REQUEST_WAITS_S)
        self.serve(with_worker=settings.EMBEDDED_WORKER)
        logging.shutdown()
        # Not by Python's own end: the sentence model aborts a process that ends while another thread loads it.
        os._exit(0)

    def _refuse_taken_port(self) -> None:
        """Say so at once when another program listens there: Daphne itself would go on and serve nobody."""
        address = (environment.LEARNAGENT_HOST, environment.LEARNAGENT_PORT)
        with socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                place = f"{address[0]}:{address[1]}"
                raise CommandError(
                    f"Cannot listen on {place}: {error.strerror}. Set LEARNAGENT_PORT to a free port."
                ) from None

    def _prepare(self) -> None:
        call_command("migrate", verbosity=0)
        # `make check` tries every template 200 times; whoever starts the place need not wait for that.
        call_command("load_courses", trials=0, verbosity=0)
        self.welcome()

    def welcome(self) -> None:
        """Print the address and how to sign in. An https address is a site of real people: it gets no demo accounts."""
        from learnagent.accounts.demo_people import make_demo_people, sign_in_links
        from learnagent.accounts.models import Person

        self.stdout.write(f"learnagent is running at {settings.PUBLIC_URL}")
        if not settings.HAS_HTTPS:
            make_demo_people()
            for person, link in sign_in_links():
                self.stdout.write(f"  {person.username:<8} {link}")
        elif not Person.objects.exists():
            self.stdout.write("There are no accounts. Run manage.py create_person NAME --role admin --password-stdin.")
        if settings.EMBEDDED_WORKER:
            self.stdout.write("A worker process runs the background jobs.")
        self.stdout.flush()

    def serve(self, *, with_worker: bool = False) -> None:
        """Serve by Daphne, prepared or not, until the process is told to end."""
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        from twisted.internet import asyncioreactor

        asyncioreactor.install(loop)
        # Only after the reactor is installed may anything import it.
        from twisted.internet import reactor

        from learnagent.asgi import application
        from learnagent.http.daphne_limits import BoundedServer

        server = BoundedServer(
            application=application,
            endpoints=[f"tcp:port={environment.LEARNAGENT_PORT}:interface={environment.LEARNAGENT_HOST}"],
            signal_handlers=False,
            websocket_timeout=SOCKET_TIMEOUT_S,
            ping_interval=20,
        )
        reactor.callWhenRunning(self._when_running, loop, reactor, with_worker)
        server.run()

    def _when_running(self, loop: asyncio.AbstractEventLoop, reactor: Any, with_worker: bool) -> None:
        from learnagent.operations.lifespan import ServerLifespan

        ending: list[asyncio.Task[None]] = []

        async def begin() -> ServerLifespan:
            return ServerLifespan(with_worker=with_worker)

        beginning = loop.create_task(begin())

        async def end() -> None:
            try:
                await (await beginning).end()
            finally:
                reactor.stop()

        def begin_to_end() -> None:
            if not ending:
                ending.append(loop.create_task(end()))

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, begin_to_end)
