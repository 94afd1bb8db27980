"""How long the server's event loop is kept from its work at most while it serves turns. Reported, not promised."""

from statistics import median

from bench.harness import Samples
from bench.live_server.load_generator import run_load
from bench.live_server.loop_stalls import stall_file
from bench.live_server.server import SERVERS, prepared_place, served
from bench.machine_load import cpu_pressure
from bench.report import Report, report_of

ROUNDS = 3
SECONDS = 3.0


def run() -> Report:
    samples = Samples(taken={by: [] for by in SERVERS})
    for by in SERVERS:
        with prepared_place(people=50) as made, served(made, by=by, BENCH_STALLS="1") as running:
            run_load(running, made, sessions=50, rate=20.0, seconds=2.0)
            for number in range(ROUNDS):
                stall_file(made.folder).write_text("")
                run_load(running, made, sessions=50, rate=20.0, seconds=SECONDS, seed=number)
                samples.taken[by].append({"longest_ms": float(stall_file(made.folder).read_text() or 0)})
                samples.pressure.append(cpu_pressure() or 0.0)
    worst = median(sample["longest_ms"] for sample in samples.taken["daphne"])
    title = f"longest stall of the event loop at 20 turns a second ({worst:.0f} ms; the goal is 10 on a quiet machine)"
    return report_of(samples, title=title, gates=())
