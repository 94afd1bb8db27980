"""Error messages for programs: features missing in the sandbox's Python, and what a program may not reach."""

import builtins
import re
import sys

from agents.sandbox.program import MESSAGE_CHARACTERS, ProgramError, ProgramErrorKind, memory_spent

MISSING_FEATURES = (
    ("inheritance", "A class can’t inherit from another class here. Put the methods you need in the class itself."),
    ("yield", "You can’t use yield here. Collect the values in a list and return the list."),
    ("'del' statement", "You can’t use del here. Use a list’s pop() or remove(), or give the name a new value."),
    ("method decorators", "You can’t use @property, @staticmethod or @classmethod here. Write a plain method."),
    ("Wildcard imports", "Import each name, for example: from math import sqrt."),
)
UNREACHABLE = "Programs here cannot use files, the network or the operating system."
SMALL_PYTHON_WORDS = "is part of Python, but not of the small version of Python that runs programs here."
NO_INPUT = 'Nobody can type input while a program runs here. Write the value in the program: name = "Ada".'
TOO_DEEP = "A function called itself too many times. When does it stop calling itself?"
SYSTEM_ERRORS = {"PermissionError", "OSError", "FileNotFoundError", "BlockingIOError", "gaierror"}
PROGRAM_ERRORS = {"RecursionError"}
"""Exceptions that get a hint although the program itself caused them."""
MONTY_PREFIXES = ("The monty syntax parser does not yet support ", "Internal error in monty: ")
NAME = re.compile(r"name '(\w+)' is not defined")
MODULE = re.compile(r"No module named '(\w+)")
MEMBER = re.compile(r"module '(\w+)' has no attribute '(\w+)'")


def program_error(name: str, message: str, line: int | None) -> ProgramError:
    """Return the error shown to the program's author, from an exception's name and text."""
    if name == "MemoryError":
        return memory_spent(line)
    hint = hint_for(name, message)
    for prefix in MONTY_PREFIXES:
        message = message.removeprefix(prefix)
    kind: ProgramErrorKind = "missing" if hint and name not in PROGRAM_ERRORS else "error"
    said = f"{name}: {message}" if message else name
    return ProgramError(kind=kind, line=line, message=said[:MESSAGE_CHARACTERS], hint=hint)


def hint_for(name: str, message: str) -> str:
    """Return what an exception means if it comes from the sandbox's limits; empty if the program caused it."""
    if name == "NotImplementedError" and message.startswith((MONTY_PREFIXES[0], "Wildcard imports")):
        return next((words for part, words in MISSING_FEATURES if part in message), f"This {SMALL_PYTHON_WORDS}")
    if name == "NameError" and (found := NAME.search(message)) and hasattr(builtins, found[1]):
        return _builtin_hint(found[1])
    if name in {"ModuleNotFoundError", "ImportError"} and (found := MODULE.search(message)):
        is_known = found[1] in sys.stdlib_module_names
        return f"{found[1]} {SMALL_PYTHON_WORDS if is_known else 'is not installed here.'}"
    if name == "AttributeError" and (found := MEMBER.search(message)) and found[1] in {"os", "sys"}:
        return UNREACHABLE
    if name in SYSTEM_ERRORS or (name == "RuntimeError" and "in this environment" in message):
        return UNREACHABLE
    if name == "RuntimeError" and message.startswith(MONTY_PREFIXES[1]):
        return 'Here, an exception can have only one message, or none: raise ValueError("too small").'
    return {"EOFError": NO_INPUT, "RecursionError": TOO_DEEP}.get(name, "")


def _builtin_hint(name: str) -> str:
    if name == "input":
        return NO_INPUT
    return f"{name} {SMALL_PYTHON_WORDS}"
