"""Active prompts: the roles' files, or the versions that admins wrote. Cached for seconds."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from agents.engine.registry import roles
from agents.engine.roles import Role
from agents.llm.prompt import Prompt, make_prompt
from agents.models import PromptVersion
from agents.models.prompts import validate_prompt
from agents.storage.brief_cache import BriefCache

CACHED_S = 2.0
"""How long a process may use cached prompts: a prompt set elsewhere is active here within 5 seconds."""

FILE_VERSION = 0
"""The version number that means the file."""


class UnknownPrompt(Exception):
    """No role has a prompt of this name, or the prompt has no version of this number."""


class PromptConflict(Exception):
    """Somebody else changed the prompt after it was read."""


def prompts_in_force() -> Mapping[str, Prompt]:
    """Return the prompts that replace roles' files, by name, as of at most CACHED_S ago. May query the database."""
    return _prompts.get()


def _read_prompts() -> Mapping[str, Prompt]:
    written = newest_versions().exclude(text="")
    return {each.name: make_prompt(each.name, each.text) for each in written}


_prompts = BriefCache(_read_prompts, seconds=CACHED_S)


def newest_versions() -> QuerySet[PromptVersion]:
    """Return the newest version of every prompt that has one."""
    newer = PromptVersion.objects.filter(name=OuterRef("name"), number__gt=OuterRef("number"))
    return PromptVersion.objects.filter(~Exists(newer))


def forget_prompts() -> None:
    """Clear this process's prompt cache."""
    _prompts.forget()


def roles_by_prompt() -> Mapping[str, list[Role]]:
    """Return the roles that have a prompt, by prompt name, sorted by name."""
    found: dict[str, list[Role]] = {}
    for role in roles.values():
        if role.prompt is not None:
            found.setdefault(role.prompt.name, []).append(role)
    return dict(sorted(found.items()))


def prompt_from_file(name: str) -> Prompt:
    """Return the prompt in its file. Raises UnknownPrompt."""
    having = roles_by_prompt().get(name)
    if not having or having[0].prompt is None:
        raise UnknownPrompt(name)
    return having[0].prompt


def newest_version(name: str) -> PromptVersion | None:
    """Return a prompt's newest version, None if it has none."""
    return PromptVersion.objects.filter(name=name).order_by("-number").first()


def version_text(name: str, number: int) -> str:
    """Return the text of a version or of the file. Raises UnknownPrompt."""
    if number == FILE_VERSION:
        return prompt_from_file(name).text.strip()
    version = PromptVersion.objects.filter(name=name, number=number).exclude(text="").first()
    if version is None:
        raise UnknownPrompt(f"{name} {number}")
    return version.text


def text_in_force(name: str) -> str:
    """Return the active text, from the database or the file. Raises UnknownPrompt."""
    version = newest_version(name)
    return version.text if version and version.text else version_text(name, FILE_VERSION)


def set_prompt(name: str, text: str, *, version_read: int, by: Any = None, note: str = "") -> None:
    """Make a text the active version; a text that is already active is not recorded.

    `version_read` is the version number the change is based on, 0 if there was none: raises PromptConflict if there is
    a newer one. Raises UnknownPrompt, and ValidationError for an invalid text.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    validate_prompt(text)
    _put_in_force(name, text, version_read=version_read, by=by, note=note)


def restore_version(name: str, number: int, *, version_read: int, by: Any = None) -> None:
    """Make an earlier version's text, or the file (FILE_VERSION), active again. Raises as `set_prompt` does."""
    text = "" if number == FILE_VERSION else version_text(name, number)
    _put_in_force(name, text, version_read=version_read, by=by, restored=number)


def _put_in_force(name: str, text: str, *, version_read: int, **fields: Any) -> None:
    file, before = prompt_from_file(name), newest_version(name)
    if version_read != (before.number if before else 0):
        raise PromptConflict(name)
    if text in ({before.text} if before and before.text else {"", file.text.strip()}):
        return
    version = make_prompt(name, text).version if text else ""
    row = PromptVersion(name=name, number=version_read + 1, text=text, version=version, **fields)
    row.full_clean(validate_constraints=False)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # Two requests saw the same newest number; the unique constraint rejected one.
        raise PromptConflict(name) from None
    forget_prompts()
    transaction.on_commit(forget_prompts)
