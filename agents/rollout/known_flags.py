"""The flags that the program asks for: their meaning, their state on a new site, and their names as settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MULTI_AGENT: Final = "multi_agent"
FALLBACK: Final = "v2_fallback_to_v1"
STORAGE: Final = "v2_storage"
ROUND_TABLE: Final = "round_table"
READ_MODES: Final = ("v1", "dual", "v2")
"""Where v1's clients read conversations from: the v1 store; both, compared; the v2 store."""
STAGES: Final = (5, 25, 50, 75, 100)
"""The steps of the rollout plan, in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFlag:
    """What is known about a flag besides its settings."""

    name: str
    title: object
    """A lazy translation."""
    purpose: object
    percent: Decimal = Decimal(100)
    """On a new site."""
    setting: str
    """The name of its switch as a setting, as operators of v1 know it; empty if it has none."""
    is_switch: bool = False
    """Whether it is on or off for the whole site, so that only 0 and 100 percent are valid."""
    is_pinned: bool = False
    """Whether a conversation keeps the side on which it began."""
    modes: tuple[str, ...] = ()
    """The modes to choose from, the safest first: it holds whenever the flag is off. Empty for most flags."""
    safe_percent: Decimal = Decimal(0)
    """After the preset "safe rollout"."""


KNOWN_FLAGS: Final[Mapping[str, KnownFlag]] = MappingProxyType(
    {
        flag.name: flag
        for flag in (
            KnownFlag(
                name=MULTI_AGENT,
                title=gettext_lazy("The panel"),
                purpose=gettext_lazy(
                    "Several agents answer an open question together. When this is off, the tutor answers alone."
                ),
                setting="ENABLE_MULTI_AGENT",
                is_pinned=True,
            ),
            KnownFlag(
                name="analysis_agent",
                title=gettext_lazy("Analysis in the panel"),
                purpose=gettext_lazy("Figures out what a message is about. The panel also works without it."),
                setting="ENABLE_ANALYSIS_AGENT",
                is_pinned=True,
            ),
            KnownFlag(
                name="research_agent",
                title=gettext_lazy("Research in the panel"),
                purpose=gettext_lazy("Looks things up and calculates. The panel also works without it."),
                setting="ENABLE_RESEARCH_AGENT",
                is_pinned=True,
            ),
            KnownFlag(
                name="vision_agent",
                title=gettext_lazy("Vision in the panel"),
                purpose=gettext_lazy("Reads pictures that come with a message. The panel also works without it."),
                setting="ENABLE_VISION_AGENT",
                is_pinned=True,
            ),
            KnownFlag(
                name="synthesis_agent",
                title=gettext_lazy("Synthesis in the panel"),
                purpose=gettext_lazy(
                    "Puts together what the other agents found. Without it, their findings are shown as they are."
                ),
                setting="ENABLE_SYNTHESIS_AGENT",
                is_pinned=True,
            ),
            KnownFlag(
                name=FALLBACK,
                title=gettext_lazy("Fall back to v1"),
                purpose=gettext_lazy("If v2 fails before it sends any text, v1 answers instead."),
                setting="V2_FALLBACK_TO_V1",
                is_switch=True,
                safe_percent=Decimal(100),
            ),
            KnownFlag(
                name=STORAGE,
                title=gettext_lazy("v2 storage"),
                purpose=gettext_lazy(
                    "The read mode says which store v1’s clients read conversations from. While this is off, they read from the v1 store."
                ),
                setting="ENABLE_V2_STORAGE",
                is_switch=True,
                modes=READ_MODES,
            ),
            KnownFlag(
                name=ROUND_TABLE,
                title=gettext_lazy("The round table"),
                purpose=gettext_lazy(
                    "Several agents discuss a question in rounds. When this is off, nobody can start a round table."
                ),
                setting="",
            ),
            KnownFlag(
                name="affect",
                title=gettext_lazy("Estimating the pace"),
                purpose=gettext_lazy("Estimates from messages whether a lesson is too fast or too slow for a learner."),
                setting="",
            ),
        )
    }
)


class FlagSettings(Protocol):
    """The settings of a flag, as stored."""

    name: str
    percent: Decimal
    killed: bool
    allowed: list[str]
    mode: str


def default_mode(name: str) -> str:
    """Return the mode of a flag on a new site; empty if it has none. Everything is on there, so it is the last one."""
    known = KNOWN_FLAGS.get(name)
    return known.modes[-1] if known and known.modes else ""


def find_problems(flag: FlagSettings) -> dict[str, str]:
    """Return by field why these settings are not valid for this flag; empty if they are. An unknown flag has no rules."""
    known = KNOWN_FLAGS.get(flag.name)
    problems: dict[str, str] = {}
    modes = known.modes if known else ()
    if known and known.is_switch and flag.percent not in (0, 100):
        problems["percent"] = _("This flag is on or off for the whole site: enter 0 or 100.")
    if flag.mode not in (modes or ("",)):
        choices = ", ".join(modes)
        problems["mode"] = (
            _("Choose one of: %(modes)s.") % {"modes": choices} if modes else _("This flag has no read mode.")
        )
    return problems


def as_settings(flag: FlagSettings) -> list[tuple[str, str]]:
    """Return the names and values of the settings that a flag stands for, as a configuration file has them."""
    known = KNOWN_FLAGS.get(flag.name)
    if known is None or not known.setting:
        return []
    if flag.name == MULTI_AGENT:
        # Nobody is in without the first of these, not even by name: it is what the kill switch is here.
        return [
            (known.setting, str(not flag.killed)),
            ("V2_TRAFFIC_PERCENTAGE", f"{flag.percent.normalize():f}"),
            ("V2_USER_WHITELIST", str(flag.allowed)),
        ]
    some = not flag.killed and (flag.percent > 0 or bool(flag.allowed))
    own = [(known.setting, str(some))]
    return [*own, ("V2_STORAGE_READ_MODE", flag.mode)] if known.modes else own
