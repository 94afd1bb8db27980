"""Programs as they come: what they are, and how each must end."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileProgram:
    row: str
    """Of the promises: C1 to C12."""
    code: str
    kinds: frozenset[str]
    """How it may end: the kind of its error, or `done`."""
    spins: bool = False
    """Whether it computes until it is stopped."""


def hostile(row: str, code: str, *kinds: str, spins: bool = False) -> HostileProgram:
    return HostileProgram(row=row, code=code, kinds=frozenset(kinds), spins=spins)


REFUSED = {"missing", "error"}
"""How it may end in whole Python where it names what is out of reach: the system refuses it in words of its own."""
LOOP = "while True:\n    pass"
HOSTILE = (
    hostile("C1", "import os\nwhile True:\n    os.fork()", "missing"),
    hostile("C1", "import subprocess\nsubprocess.run(['id'])", "missing"),
    hostile("C1", "import threading\nthreading.Thread(target=print).start()", "missing", "error"),
    hostile("C2", "kept = []\nwhile True:\n    kept.append('a' * 1_000_000)", "memory"),
    hostile("C2", "'a' * 50_000_000", "memory", "done"),
    hostile("C2", "raise ValueError('a' * 25_000_000)", "error"),
    hostile("C2", "{}['a' * 10_000_000]", "error"),
    hostile("C2", "import os\nos.listdir('a' * 10_000_000)", "missing", "error"),
    hostile("C2", "sum(each for each in range(10**7))", "memory", "done"),
    hostile("C3", LOOP, "timeout", spins=True),
    hostile("C3", "import time\ntime.sleep(100)", "timeout"),
    hostile("C4", "open('/etc/passwd').read()", "missing"),
    hostile("C4", "open('made', 'w').write('here')", "missing"),
    hostile("C4", "import os\nos.environ['HOME']", "missing", "error"),
    hostile("C5", "import socket\nsocket.create_connection(('1.1.1.1', 80))", "missing"),
    hostile("C5", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:8000/')", "missing", "error"),
    hostile("C6", "import os\nos.system('id > /tmp/made')\nraise OSError", "missing"),
    hostile("C6", "().__class__.__mro__[1].__subclasses__()[0](1, 2, 3)", "error"),
    hostile("C7", "def down(n):\n    return down(n + 1)\n\ndown(0)", "error"),
    hostile("C7", "[" * 9_000, "syntax"),
    hostile("C7", "-" * 9_000 + "1", "syntax"),
    hostile("C7", "nest = []\nfor _ in range(100_000):\n    nest = [nest]\nnest", "done", "error"),
    hostile("C8", "9**9**9", "memory", "timeout", spins=True),
    hostile("C8", "2**100_000", "error"),
    hostile("C9", "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')", "done", "timeout", spins=True),
    hostile("C10", "'a' * 10**12", "memory"),
    hostile("C10", "[0] * 10**12", "memory"),
    hostile("C11", "while True:\n    print('x' * 1_000)", "output", spins=True),
    hostile("C11", "print('x' * 20_000_000)", "output"),
    hostile(
        "C12",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        "timeout",
        spins=True,
    ),
)
