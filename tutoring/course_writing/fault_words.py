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
        (r"a choice needs a text or a picture", gettext_lazy("Fill this in.")),
        (r"a (?:choice|multi) question needs at least two choices", gettext_lazy("Write at least two options.")),
        (r"a choice question needs answer: .*", gettext_lazy("Mark the right option.")),
        (r"a multi question needs answer: .*", gettext_lazy("Mark at least one right option.")),
        (r"there is no choice '(?P<what>.)'", gettext_lazy("Option %(what)s is marked, but it is empty.")),
        (
            r"only a wrong choice can have 'says'",
            gettext_lazy("This option is right. Only wrong options can have a reply."),
        ),
        (r"a numeric question needs answer: .*", gettext_lazy("Write the right number.")),
        (
            r"a text question needs answer: .*",
            gettext_lazy("Write the words of a right answer, and an example of a right answer."),
        ),
        (r"a match question needs answer: .*", gettext_lazy("Write at least three rows, each with what belongs to it.")),
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
        (
            r"its own answer (?P<quote>['\"])(?P<what>.*)(?P=quote) is graded .*without the ideas: (?P<ideas>.*)",
            gettext_lazy("“%(what)s” is not taken as a right answer. This is not found in it: %(ideas)s."),
        ),
        (
            r"its own answer (?P<quote>['\"])(?P<what>.*)(?P=quote) is graded .*",
            gettext_lazy("“%(what)s” is not taken as a right answer."),
        ),
        (
            r"the wrong answer (?P<quote>['\"])(?P<what>.*)(?P=quote) is graded right",
            gettext_lazy("The wrong answer “%(what)s” is taken as right."),
        ),
        (
            r"the solution says (?P<what>.*)",
            gettext_lazy("The solution says “%(what)s”, which is not true."),
        ),
        (
            r"the solution does not contain the answer (?P<what>.*)",
            gettext_lazy("The right answer, %(what)s, is missing in the solution."),
        ),
        (r"asks \d+ questions; .*", gettext_lazy("Ask exactly one question, with a question mark, at the end.")),
        (r"must end with its question", gettext_lazy("The question must be at the end.")),
        (
            r"the question belongs to its step",
            gettext_lazy("The exercise asks the question, so the text must not contain one."),
        ),
        (
            r"(?P<count>\d+) words; at most (?P<most>\d+) are allowed before the learner's turn",
            gettext_lazy("%(count)s words; at most %(most)s are allowed."),
        ),
        (
            r"[\w-]+ has (?P<count>\d+) exercise templates; at least (?P<least>\d+) are needed",
            gettext_lazy("Write at least %(least)s exercises. So far there are %(count)s."),
        ),
        (r"no concept is marked as a goal", gettext_lazy("No topic comes last: each is needed by another one.")),
        (
            r"[\w-]+ is its own prerequisite, in the circle: (?P<what>.*)",
            gettext_lazy("Topics need each other in a circle: %(what)s. Take away what one of them needs first."),
        ),
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
