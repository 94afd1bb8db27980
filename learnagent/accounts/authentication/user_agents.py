"""Which browser on which system, by what it says of itself: enough to know one's own by, and no more is kept."""

# The first that fits counts: nearly every browser also claims to be one of those further down.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chromium", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_name(user_agent: str) -> str:
    """Return such as "Firefox · Windows", what is known of it, or nothing. Never the browser's own words."""
    known = [_first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)]
    return " · ".join(filter(None, known))


def _first(names: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for mark, name in names if mark in text), "")
