"""What one frame over a socket costs: Daphne and uvicorn under Channels, beside bare writes."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import sleep

from bench.contenders.frames import AT_ONCE, WORD
from bench.harness import ROOT, Samples
from bench.live_server.load_generator import masked
from bench.live_server.server import Served, free_port
from bench.machine_load import cpu_pressure
from bench.report import Gate, Report, report_of

FLOOR = "floor (bare writes)"
SERVERS = {FLOOR: "bare", "daphne": "daphne", "uvicorn": "uvicorn"}
FRAMES = 50_000
ROUNDS = 3
PATIENCE_S = 60.0
OPENING = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def run() -> Report:
    samples = Samples(taken={name: [] for name in SERVERS})
    with ExitStack() as stack:
        running = {name: stack.enter_context(_running(server)) for name, server in SERVERS.items()}
        for name in SERVERS:
            _sample(running[name])
        for number in range(ROUNDS):
            for name in list(SERVERS) if number % 2 == 0 else reversed(SERVERS):
                samples.taken[name].append(_sample(running[name]))
            samples.pressure.append(cpu_pressure() or 0.0)
    gates = (
        *(
            Gate(
                claim=f"CPU of a frame, {name} to bare writes",
                seen=samples.ratio("frame_us", of=name, to=FLOOR),
                at_most=5,
            )
            for name in ("daphne", "uvicorn")
        ),
        Gate(
            claim="CPU of a word where many share a frame, daphne to a bare write of each",
            seen=samples.median("daphne", "joined_word_us") / samples.median(FLOOR, "frame_us"),
            at_most=1.5,
        ),
    )
    return report_of(samples, title="frames of 20 bytes, and words of 20 bytes joined by 50; µs of CPU", gates=gates)


def _sample(served: Served) -> dict[str, float]:
    return {
        "frame_us": _cpu_us(served, frames=FRAMES, words=1) / FRAMES,
        "joined_word_us": _cpu_us(served, frames=FRAMES // AT_ONCE * 4, words=AT_ONCE) / (FRAMES * 4),
    }


def _cpu_us(served: Served, *, frames: int, words: int) -> float:
    """Ask for frames and read them all; return the server's CPU time, in µs."""
    host, _, port = served.address.partition(":")
    size = len(WORD) * words
    expected = frames * (size + (2 if size < 126 else 4))
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as wire:
        wire.sendall(OPENING)
        head = b""
        while b"\r\n\r\n" not in head:
            head += wire.recv(4096)
        before = served.cpu_s()
        wire.sendall(masked(f"{frames} {words}".encode()))
        _read_bytes(wire, expected)
        return (served.cpu_s() - before) * 1e6


def _read_bytes(wire: socket.socket, expected: int) -> None:
    buffer = bytearray(1 << 20)
    while expected > 0:
        received = wire.recv_into(buffer)
        if not received:
            raise RuntimeError("the server hung up")
        expected -= received


@contextmanager
def _running(server: str) -> Iterator[Served]:
    port = free_port()
    command = [sys.executable, "-m", "bench.contenders.frames", server, str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_until_listening(port)
            yield Served(address=f"127.0.0.1:{port}", process=process)
        finally:
            process.kill()


def _wait_until_listening(port: int) -> None:
    for _ in range(int(PATIENCE_S / 0.05)):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            sleep(0.05)
        else:
            return
    raise TimeoutError("the server never listened")
