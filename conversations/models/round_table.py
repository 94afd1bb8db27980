"""Models of the round table: who may sit at it, and its limits."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from agents.models.flags import validate_allowed
from agents.tools import tools as registered_tools
from conversations.models.conversation import Turn

MOST_CAPABILITIES = 60
CAPABILITY_LENGTH = 40
RESERVED_NAMES = ("initiator", "summarizer", "learner")
"""Who else speaks at a table: events would not tell them apart."""


REMARK_LENGTH = 1_000
"""Characters of what a learner says to a round table at once: all voices read all of it."""
TAKEN_BY_SUMMARY = 0
"""The round of a remark that came after the last round had begun."""


def validate_capabilities(words: object) -> None:
    """Raise ValidationError unless it is a list of at most MOST_CAPABILITIES short words."""
    if not isinstance(words, list) or len(words) > MOST_CAPABILITIES:
        raise ValidationError(_("Enter at most %(most)d words."), params={"most": MOST_CAPABILITIES})
    for word in words:
        if not isinstance(word, str) or not 0 < len(word.strip()) <= CAPABILITY_LENGTH:
            raise ValidationError(
                _("Each word must have 1 to %(most)d characters."), params={"most": CAPABILITY_LENGTH}
            )


def validate_tools(names: object) -> None:
    """Raise ValidationError unless it is a list of tools that this site knows, each once."""
    if not isinstance(names, list) or len(names) != len(set(map(str, names))):
        raise ValidationError(_("Enter each tool once."))
    if unknown := sorted(str(name) for name in names if name not in registered_tools):
        known = ", ".join(sorted(registered_tools))
        raise ValidationError(
            _("Unknown tool: %(unknown)s. The tools are: %(known)s."),
            params={"unknown": ", ".join(unknown)[:100], "known": known},
        )


class Collaborator(models.Model):
    """An agent that can take part in a round table: its purpose, how it works, and who may invite it."""

    class LooksFor(models.TextChoices):
        """What it looks for in the library and the courses."""

        DEFINITIONS = "definitions", _("definitions: what something is")
        OBJECTIONS = "objections", _("objections: limits, exceptions and counterarguments")
        EXAMPLES = "examples", _("examples: cases in which something happens")
        ORIGINS = "origins", _("origins: dates, people and history")
        USES = "uses", _("uses: how something is done, and what for")
        ANYTHING = "anything", _("anything about the question")

    class OpenTo(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        STAFF = "staff", _("admins")
        NAMED = "named", _("the people and classes listed below")

    class Tier(models.TextChoices):
        FAST = "fast", _("fast")
        STRONG = "strong", _("strong")

    name = models.CharField(
        _("name"),
        max_length=30,
        unique=True,
        validators=[RegexValidator(r"\A[a-z0-9_]{1,30}\Z", _("Use only lowercase letters, digits, and underscores."))],
        help_text=_("The name used in events and in the API. The API also accepts hyphens instead of underscores."),
    )
    title = models.CharField(_("title"), max_length=60, unique=True)
    purpose = models.CharField(
        _("purpose"), max_length=200, help_text=_("What the agent does, in one sentence for learners.")
    )
    instructions = models.TextField(
        _("instructions"), max_length=4_000, help_text=_("Instructions for a language model, besides the common rules.")
    )
    looks_for = models.CharField(
        _("looks for"), max_length=12, choices=LooksFor, default=LooksFor.ANYTHING,
        help_text=_("Which sentences the agent looks for in the library and the courses, with or without a language model."),
    )  # fmt: skip
    tools = models.JSONField(
        _("tools"), default=list, blank=True, validators=[validate_tools],
        help_text=_("Tools that a language model may use for this voice, in addition to those of the round table."),
    )  # fmt: skip
    capabilities = models.JSONField(
        _("capabilities"), default=list, blank=True, validators=[validate_capabilities],
        help_text=_("If no agent is named, these words in a question select this agent."),
    )  # fmt: skip
    tier = models.CharField(_("model"), max_length=6, choices=Tier, default=Tier.FAST)
    timeout_s = models.PositiveSmallIntegerField(
        _("time limit"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(30)],
        help_text=_("In seconds, for one round."),
    )
    most_words = models.PositiveSmallIntegerField(
        _("words"),
        default=120,
        validators=[MinValueValidator(20), MaxValueValidator(400)],
        help_text=_("The word limit for one round. A language model gets four times as many tokens."),
    )
    open_to = models.CharField(_("open to"), max_length=10, choices=OpenTo, default=OpenTo.EVERYBODY)
    allowed = models.JSONField(_("people and classes"), default=list, blank=True, validators=[validate_allowed])
    enabled = models.BooleanField(_("enabled"), default=True)
    place = models.PositiveSmallIntegerField(_("place"), default=100, help_text=_("Its position in lists."))

    class Meta:
        verbose_name = _("collaborator")
        verbose_name_plural = _("collaborators")
        ordering = ["place", "name"]

    def __str__(self) -> str:
        return self.title or self.name

    def clean(self) -> None:
        super().clean()
        problems: dict[str, Any] = {}
        if self.name in RESERVED_NAMES:
            problems["name"] = _("Every round table has an agent with this name. Choose another name.")
        if self.open_to == self.OpenTo.NAMED and not self.allowed:
            problems["allowed"] = _("Enter at least one person or class, or make this agent available to everyone.")
        if problems:
            raise ValidationError(problems)


class RoundTableLimits(models.Model):
    """The limits for all round tables on the site: one row, or none if the defaults apply."""

    most_agents = models.PositiveSmallIntegerField(
        _("agents"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(5)],
        help_text=_("The maximum number of collaborators at one round table, from 1 to 5."),
    )
    most_rounds = models.PositiveSmallIntegerField(
        _("rounds"),
        default=10,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text=_(
            "The maximum number of rounds in a round table, from 1 to 10. MULTI_AGENT_MAX_ROUNDS can lower this limit."
        ),
    )

    class Meta:
        verbose_name = _("limits for round tables")
        verbose_name_plural = _("limits for round tables")

    def __str__(self) -> str:
        return str(_("Limits for round tables"))


class TableRemark(models.Model):
    """A learner's remark to a running round table. The next round responds to it or, if the last round has begun, the summary does."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="remarks")
    client_id = models.CharField(max_length=64)
    """Chosen by the client: the same one names the same remark."""
    text = models.TextField(max_length=REMARK_LENGTH)
    round = models.PositiveSmallIntegerField(null=True)
    """The round that took it up, or TAKEN_BY_SUMMARY; None while it waits, and for good if it came after the summary began."""
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("remark to a round table")
        verbose_name_plural = _("remarks to round tables")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "client_id"], name="client_id_names_one_remark_of_a_table")
        ]

    def __str__(self) -> str:
        return self.text[:60]
