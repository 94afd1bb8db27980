"""systemd is told when a process is ready."""

import socket

import pytest

from learnagent.operations.service_manager import report_ready


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_told(tmp_path, monkeypatch, abstract):
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}" if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        report_ready()
        assert manager.recv(100) == b"READY=1"


def test_nobody_is_told_elsewhere(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    report_ready()
