"""Tells systemd, where it started this process, that the process is ready."""

import os
import socket


def report_ready() -> None:
    """Send `READY=1` to the socket that systemd names for a unit with `Type=notify`; elsewhere there is none."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            # A leading @ stands for the zero byte of an abstract address.
            manager.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)
