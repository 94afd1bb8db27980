"""Says in the words of the forms what is wrong with a draft: the checks of course files speak of files."""

import re
from typing import Final

from django.utils.translation import gettext_lazy

_WORDS: Final = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (r"(?:.* › )?(?:\w+: )?is (?:empty|missing)", gettext_lazy("Fill this in.")),
        (r"(?:.* › )?(?:\w+: )?has too few entries", gettext_lazy("This needs more entries.")),
        (r"(?:.* › )?(?:\w+: )?has too many entries", gettext_lazy("This has too many entries.")),
        (r"(?:.* › )?(?:\w+: )?is too long", gettext_lazy("This is too long.")),
        (r"(?:.* › )?(?:\w+: )?must be text", gettext_lazy("This must be text.")),
        (r"(?:.* › )?(?:\w+: )?must be a list", gettext_lazy("This must be a list: lines that begin with “-”.")),
        (r"(?:.* › )?(?:\w+: )?must be fields with names", gettext_lazy("This must be fields with names, such as “title: Fractions”.")),
        (r"(?:.* › )?(?:\w+: )?must be true or false", gettext_lazy("Write true or false here.")),
        (r"(?:.* › )?(?:\w+: )?must be a number", gettext_lazy("This must be a number.")),
        (r"not YAML: .*", gettext_lazy("This is not valid YAML. Check the brackets, quotes and indents here and just before.")),
        (r"anchors and aliases are not allowed", gettext_lazy("Names for repeated parts (“&name”, “*name”) are not allowed. Write the part out each time.")),
        (r"tags are not allowed", gettext_lazy("Tags (“!name”) are not allowed. Leave them out.")),
        (r"the element <(?P<what>[^>]*)> is not allowed", gettext_lazy("The element <%(what)s> is not allowed in a drawing. Remove it.")),
        (r"String should match pattern.*", gettext_lazy("Write a name of letters and digits that begins with a letter.")),
        (r"an order question needs .*", gettext_lazy("Write at least three entries, each on its own line.")),
        (r"unknown name '(?P<what>.*?)'.*", gettext_lazy("“%(what)s” is not one of the values.")),
        (r"unexpected '(?P<what>.*?)'.*", gettext_lazy("This cannot be calculated: something is wrong at “%(what)s”.")),
        (r"division by zero.*", gettext_lazy("This divides by zero.")),
        (
            r"no exercise within 1 tries: .*",
            gettext_lazy("It cannot be asked like this: two options are the same, or a condition is not met."),
        ),
        (
            r"no exercise within .*",
            gettext_lazy("The conditions are met too rarely. Loosen them, or allow more values."),
        ),
        (
            r"'(?P<what>[^']*)' gives the right answer.*",
            gettext_lazy("A wrong answer is right: the one of “%(what)s”. Change it, or add a condition that rules it out."),
        ),
        (
            r"only \d+ of \d+ exercises tell two of its misconceptions apart.*",
            gettext_lazy("Two misconceptions give the same wrong answer. Change one of them, or the values."),
        ),
        (
            r"hint (?P<what>\d) gives the answer away.*",
            gettext_lazy("Hint %(what)s gives the answer away."),
        ),
        (r"no concept is marked as a goal", gettext_lazy("No topic comes last: each is needed by another one.")),
        (r".* is its own prerequisite, directly or indirectly", gettext_lazy("This topic needs itself first.")),
        (r"the lesson has no explanation.*", gettext_lazy("Write at least one part of the lesson.")),
    )
)  # fmt: skip


def in_plain_words(reason: str) -> str:
    """Return the reason of a fault as the forms say it; the same if there is nothing to say better."""
    bare = re.sub(r"^(?:[\w-]+: )?(?:seed \d+: )?", "", reason)
    for pattern, text in _WORDS:
        if found := pattern.fullmatch(bare) or pattern.fullmatch(reason):
            return str(text) % found.groupdict()
    return bare if reason.startswith("seed ") else reason
