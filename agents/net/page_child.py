"""Child process that reads HTML, with limits. `python -m agents.net.page_child`, HTML in, JSON out: [title, text]."""

import json
import resource
import sys

CPU_S = 2
MEMORY_BYTES = 512 * 1024 * 1024


def limit() -> None:
    """Limit this process: time, memory, no files to write, no core dump, no child processes (does not bind root)."""
    for what, most in (
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))


def main() -> None:
    from agents.net.html import read_html

    limit()
    html = sys.stdin.buffer.read().decode("utf-8", "replace")
    sys.stdout.write(json.dumps(read_html(html)))


if __name__ == "__main__":
    main()
