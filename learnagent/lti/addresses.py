"""The addresses of learnagent that platforms use."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _


def launch_url() -> str:
    """Return the address to which platforms send launches."""
    return f"{settings.PUBLIC_URL}{reverse('lti-launch')}"


def own_addresses() -> list[tuple[str, str]]:
    """Return the addresses that an admin enters on a platform, each with its name there."""
    return [
        (_("Login URL"), f"{settings.PUBLIC_URL}{reverse('lti-begin')}"),
        (_("Launch URL and redirect URI"), launch_url()),
        (_("Deep linking URL"), launch_url()),
        (_("Key URL (JWKS)"), f"{settings.PUBLIC_URL}{reverse('lti-keys')}"),
    ]
