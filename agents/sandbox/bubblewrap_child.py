"""Runs a program inside bubblewrap: full Python within the system's limits. Self-contained: it is sent as text.

Arguments: seconds, bytes of memory, characters of a value. The program comes on standard input; its output goes to
standard output. Standard error has two lines: "begun", and the ending: `{"value": …}` or `{"name", "message", "line"}`.
"""

import ast
import json
import os
import resource
import sys
import traceback

NOBODY = 65534
NAME = "<program>"


def limit(seconds: int, memory: int) -> None:
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 1),
    ):
        resource.setrlimit(what, (most, most))
    if os.getuid() == 0:  # The limit on processes does not apply to root.
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def run_program(code: str, most: int) -> dict[str, str | int | bool | None]:
    """Run the program; return how it ended, as far as it may be shown."""
    try:
        body = ast.parse(code, filename=NAME)
        end = body.body[-1] if body.body else None
        last = ast.Expression(end.value) if isinstance(end, ast.Expr) else None
        del body.body[len(body.body) - bool(last) :]
        program, value = compile(body, NAME, "exec"), compile(last, NAME, "eval") if last else None
    except SyntaxError as error:
        return {"name": type(error).__name__, "message": error.msg, "line": error.lineno, "is_syntax": True}
    except (MemoryError, RecursionError):
        text = "too many nested brackets or operators"
        return {"name": "SyntaxError", "message": text, "line": None, "is_syntax": True}
    names: dict[str, object] = {"__name__": "__main__"}
    try:
        exec(program, names)
        shown = eval(value, names) if value else None
        return {} if shown is None else {"value": repr(shown)[:most]}
    except SystemExit:
        return {}
    except BaseException as error:
        frames = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == NAME]
        return {"name": type(error).__name__, "message": str(error)[:most], "line": lines[-1] if lines else None}


def main() -> None:
    seconds, memory, most = map(int, sys.argv[1:])
    code = sys.stdin.buffer.read().decode(errors="replace")
    report = os.dup(2)
    os.dup2(1, 2)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    limit(seconds, memory)
    os.write(report, b"begun\n")
    how = run_program(code, most)
    sys.stdout.flush()
    os.write(report, json.dumps(how).encode() + b"\n")


if __name__ == "__main__":
    main()
