"""Light or dark, and the size of the text: a person's own where somebody is signed in, else this browser's."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from learnagent.accounts.models import TextSize, Theme

COOKIE = "look"
COOKIE_AGE_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Appearance:
    theme: str = Theme.SYSTEM
    text_size: str = TextSize.NORMAL

    def __str__(self) -> str:
        return f"{self.theme}.{self.text_size}"


def appearance_of(request: HttpRequest) -> Appearance:
    """Return how the reader wants the pages; how this browser was told where nobody is signed in."""
    user: Any = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return Appearance(user.theme, user.text_size)
    theme, _, text_size = request.COOKIES.get(COOKIE, "").partition(".")
    return chosen_appearance(Appearance(), theme=theme, text_size=text_size)


def chosen_appearance(look: Appearance, *, theme: str, text_size: str) -> Appearance:
    """Return the look with what was chosen of it; what is not one of the choices changes nothing."""
    return Appearance(
        theme if theme in Theme.values else look.theme,
        text_size if text_size in TextSize.values else look.text_size,
    )


def appearance_context(request: HttpRequest) -> dict[str, Any]:
    """Give every template the look; read when it asks."""
    return {"look": lambda: appearance_of(request)}
