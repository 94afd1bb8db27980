"""What the small Python of the sandbox lacks, and what a program may not reach, in words for whoever wrote it."""

import builtins
import re
import sys

from agents.sandbox.programs import MESSAGE_CHARACTERS, Kind, ProgramError, memory_spent

LACKING = (
    ("inheritance", "A class cannot inherit from another here. Write the methods that you need into the class itself."),
    ("yield", "There is no yield here. Collect what you want to give back in a list, and return the list."),
    ("'del' statement", "There is no del here. Use a list's pop() or remove(), or give the name a new value."),
    ("method decorators", "There is no @property, @staticmethod or @classmethod here. Write a plain method."),
    ("Wildcard imports", "Import by name here: from math import sqrt."),
)
UNREACHABLE = "A program cannot reach files, the network or the computer from here."
SMALL = "belongs to Python, but not to the small Python that runs programs here."
NO_INPUT = 'Nobody can type anything in while a program runs here. Write the value into it: name = "Ada".'
TOO_DEEP = "A function called itself too often. When does it stop calling itself?"
OF_THE_SYSTEM = {"PermissionError", "OSError", "FileNotFoundError", "BlockingIOError", "gaierror"}
OF_THE_PROGRAM = {"RecursionError"}
"""Exceptions that get a hint and are the program's own all the same."""
OWN_WORDS = ("The monty syntax parser does not yet support ", "Internal error in monty: ")
NAME = re.compile(r"name '(\w+)' is not defined")
MODULE = re.compile(r"No module named '(\w+)")
MEMBER = re.compile(r"module '(\w+)' has no attribute '(\w+)'")


def error_of(name: str, message: str, line: int | None) -> ProgramError:
    """Return what an exception is to whoever wrote the program, by its name and its text."""
    if name == "MemoryError":
        return memory_spent(line)
    hint = hint_for(name, message)
    for prefix in OWN_WORDS:
        message = message.removeprefix(prefix)
    kind: Kind = "missing" if hint and name not in OF_THE_PROGRAM else "error"
    said = f"{name}: {message}" if message else name
    return ProgramError(kind=kind, line=line, message=said[:MESSAGE_CHARACTERS], hint=hint)


def hint_for(name: str, message: str) -> str:
    """Return what an exception means where it comes from the sandbox's limits; empty where it is the program's own."""
    if name == "NotImplementedError" and message.startswith((OWN_WORDS[0], "Wildcard imports")):
        return next((words for part, words in LACKING if part in message), f"What stands there {SMALL}")
    if name == "NameError" and (found := NAME.search(message)) and hasattr(builtins, found[1]):
        return _builtin_hint(found[1])
    if name in {"ModuleNotFoundError", "ImportError"} and (found := MODULE.search(message)):
        return f"{found[1]} {SMALL}" if found[1] in sys.stdlib_module_names else f"{found[1]} is not installed here."
    if name == "AttributeError" and (found := MEMBER.search(message)) and found[1] in {"os", "sys"}:
        return UNREACHABLE
    if name in OF_THE_SYSTEM or (name == "RuntimeError" and "in this environment" in message):
        return UNREACHABLE
    if name == "RuntimeError" and message.startswith(OWN_WORDS[1]):
        return 'An exception takes one text here, or nothing: raise ValueError("too small").'
    return {"EOFError": NO_INPUT, "RecursionError": TOO_DEEP}.get(name, "")


def _builtin_hint(name: str) -> str:
    if name == "input":
        return NO_INPUT
    return f"{name} {SMALL}"
